"""What the program does, one function a verb, each in a straight line."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.core.answers import is_for_silent
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Label, Outcome
from pbem.core.notices import BotTookOver, PlayerReplaced, PlayerReturned
from pbem.core.turn import Policy, Run, advance
from pbem.edge import gate, lodging, store
from pbem.edge.chain import short
from pbem.edge.errors import GateClosedError, Reason, WrongInput
from pbem.edge.files import Disk, locked
from pbem.edge.home import Home
from pbem.edge.lodging import Judged, Receipt
from pbem.edge.saved import SavedGame
from pbem.edge.turnfiles import Batch, turn_files
from pbem.text.orders import Fault

__all__ = ["Judged", "Ran", "Receipt", "judge", "run", "submit", "undo"]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of one game came to.

    Attributes:
        game: The id of the game.
        turn: The new turn's number, or None if nothing could be resolved.
        steps: Labels of the steps it took.
        label: The present ask; "" when the game is over.
        waiting: The seats that still owe an answer.
        outcome: How the game ended, or None.
        root: The short root of the new turn, as it stands in the reports; "" without a turn.
        silent: Labels of the asks that were answered for silent seats.
        handed: What became of seats that missed too many turns, in words.
    """

    game: str
    turn: int | None
    steps: tuple[Label, ...]
    label: str
    waiting: tuple[Seat, ...]
    outcome: Outcome | None
    root: str
    silent: tuple[Label, ...] = ()
    handed: tuple[str, ...] = ()


def judge(home: Home, path: Path, opened: dict[str, SavedGame] | None = None) -> Judged | list[Fault]:
    """Check an orders file against its game as it stands; changes nothing.

    Args:
        home: The moderator's folder.
        path: The file.
        opened: Games that were opened before, by id; a game opened now is added. For several files at once.

    Returns:
        The judged file, or its mistakes in the order of lines.

    Raises:
        WrongInput: The file cannot be read, or the home is damaged.
    """
    return lodging.judge(home, _read(path), opened)


def submit(disk: Disk, home: Home, path: Path) -> Receipt | list[Fault]:
    """Check an orders file and lodge it as its seat's newest submission.

    Returns:
        The receipt, or the file's mistakes; then nothing was changed.
    """
    return lodging.lodge(disk, home, _read(path))


def _read(path: Path) -> bytes:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise WrongInput(f"{path} is no file.")
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None


def run(
    disk: Disk,
    home: Home,
    game: str,
    *,
    now: datetime.datetime,
    due: bool = False,
    overrides: tuple[str, ...] = (),
    deal: bool = False,
) -> Ran:
    """Resolve what can be resolved of one game, and commit it as a turn.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        game: The id of the game.
        now: The moment of the run.
        due: If the deadline has passed, answer for silent seats as the game says.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Do not wait for start forms that have not come: take the luck words of `game.yaml`, or none.

    Raises:
        GateClosedError: The gate refused; nothing was changed.
        WrongInput: The game is damaged; nothing was changed.
    """
    folder = home.game(game)
    with locked(folder):
        saved = SavedGame(home, game)
        position = saved.position  # loaded first: a save that cannot be read is told as such
        found = gate.lodged(saved, with_luck_words=deal)
        overridden = _pass(gate.before(saved, found), overrides)
        policy = _policy(saved, now, due=due, deal=deal)
        outcome = advance(
            saved.opening, saved.start.seats, position, found.with_press(), saved.secret.seed, policy
        )
        if not outcome.steps:
            return _ran(saved, outcome, None, "")
        overridden += _pass(gate.after(saved, outcome), overrides)
        names = tuple(dict.fromkeys(overridden))
        batch = Batch(now.isoformat(timespec="seconds"), policy, names, found.submissions, found.press)
        files = turn_files(saved, outcome, batch)
        store.commit(disk, folder, saved.turn + 1, files)
    root = str(store.load_record(folder, saved.turn + 1)["root"])
    return _ran(saved, outcome, saved.turn + 1, short(root))


def undo(disk: Disk, home: Home, game: str) -> Path:
    """Take the newest turn back; the orders it took count again. Returns where the turn is kept.

    Raises:
        WrongInput: There is no turn to take back.
    """
    folder = home.game(game)
    with locked(folder):  # waiting for a run would take back the turn that it is about to make
        turn = store.newest(folder)
        if turn == 0:
            raise WrongInput(f"{game} is at its start; there is no turn to take back.")
        return store.take_back(disk, folder, turn)


def _policy(saved: SavedGame, now: datetime.datetime, *, due: bool, deal: bool) -> Policy:
    table = saved.table
    deal = deal and saved.position.game is None
    if deal:
        silent = dict.fromkeys(saved.start.seats, "hold")
    else:
        silent = dict(table.silent)
        due = due and table.deadline is not None and _last_run(saved) < table.deadline <= now
    return Policy(
        due=due or deal,
        silent=silent,
        bots=table.bots,
        forced=saved.start.forced,
        most_steps=saved.start.most_steps,
        misses=table.misses,
    )


def _last_run(saved: SavedGame) -> datetime.datetime:
    """Return the moment of the newest turn: a deadline counts once, for the ask that was open before it."""
    return datetime.datetime.fromisoformat(str(saved.record["at"]))


def _pass(reasons: tuple[Reason, ...], overrides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the reasons that the moderator overrode; any other closes the gate."""
    closed = tuple(reason for reason in reasons if not reason.can_override or reason.name not in overrides)
    if closed:
        raise GateClosedError(closed)
    return tuple(reason.name for reason in reasons)


def _ran(saved: SavedGame, outcome: Run[Any], turn: int | None, root: str) -> Ran:
    return Ran(
        saved.name,
        turn,
        tuple(step.label for step in outcome.steps),
        outcome.ask.label if isinstance(outcome.ask, Ask) else "",
        tuple(seat for seat in saved.start.seats if seat in outcome.waiting),
        outcome.ask if isinstance(outcome.ask, Outcome) else None,
        root,
        tuple(step.label for step in outcome.steps if any(map(is_for_silent, step.sources.values()))),
        tuple(filter(None, (_handed(entry.event) for entry in outcome.events))),
    )


def _handed(event: Event) -> str:
    """Say who plays a seat from now on, if an event is about that."""
    if isinstance(event, BotTookOver):
        return f"a {event.skill} bot plays {event.seat}, who missed {event.missed} in a row"
    if isinstance(event, PlayerReplaced):
        return f"{event.player} plays {event.seat}, who missed {event.missed} in a row"
    return f"{event.seat} is its player's again" if isinstance(event, PlayerReturned) else ""
