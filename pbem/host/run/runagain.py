"""What runs a turn again that was taken back: the command, and what it waits for."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any, NamedTuple

from pbem.core.engine.opening import Begun
from pbem.core.engine.position import Policy, Run
from pbem.core.engine.turn import advance
from pbem.core.events import Seat
from pbem.host.office.reasons import reasons_of_silence, signs_of
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import deadline_in_force, is_closed
from pbem.play.config.gamefile import seated
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import lodged
from pbem.play.turn.running import silent_seats

Moment = datetime.datetime


class Way(NamedTuple):
    """What runs a turn that was taken back.

    Attributes:
        command: The command.
        once: What must be so before it does anything, with a space in front; "" if nothing must.
        silent: The seats that it answers for at once, because their deadline has passed.
    """

    command: str
    once: str = ""
    silent: tuple[Seat, ...] = ()


def way_to_run(saved: SavedGame, notes: Notes, policy: Policy, now: Moment) -> Way:
    """Return the command that runs a turn again, as the game stands.

    A run by name waits for silent seats, also for those that the turn had been answered for; `--due` does
    not, once their deadline has passed, and the reasons of the gate against that must be overridden.

    Args:
        saved: The game, whose next turn was taken back.
        notes: What is noted of it.
        policy: How a run answers now.
        now: The moment.
    """
    plain = f"pbem run {saved.name}"
    if not saved.turn:
        return Way(f"{plain} --deal")
    orders = lodged(saved, held=notes.held).orders
    seats, seed = saved.start.seats, saved.secret.seed

    def played(*, due: bool) -> Run[Begun[Any]]:
        return advance(saved.watched, seats, saved.position, orders, seed, policy._replace(due=due))

    asks = played(due=False)
    if asks.steps or not asks.waiting:
        return Way(plain)
    once = f" once {_owed(saved, notes, asks.waiting)}"
    deadline = deadline_in_force(saved, notes)
    if deadline is None or not (answers := played(due=True)).steps:
        return Way(plain, once)
    if not is_closed(saved, notes, now):
        return Way(f"{plain} --due", f"{once}, or their time is over ({saved.table.spelled(deadline)})")
    signs, silent = signs_of(saved, now, None), silent_seats(answers, declined=True)
    names = dict.fromkeys(one.name for one in reasons_of_silence(saved, notes, signs, silent))
    return Way(" ".join([plain, "--due", *(f"--override {name}" for name in names)]), silent=silent)


def _owed(saved: SavedGame, notes: Notes, waiting: Collection[Seat]) -> str:
    """Return what is missing of the seats that a run waits for: orders, or that they count."""
    missing = [seat for seat in saved.start.seats if seat in waiting and seat not in notes.held]
    held = [seat for seat in saved.start.seats if seat in waiting and seat in notes.held]

    def named(seats: list[Seat]) -> str:
        return ", ".join(seated(seat, saved.players.holder(seat)) for seat in seats)

    both = [f"orders of {named(missing)} are in"] * bool(missing)
    return " and ".join([*both, *[f"orders of {named(held)} are held back no longer"] * bool(held)])
