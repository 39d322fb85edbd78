"""One run of one game in a straight line."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from pbem.core.book import Orders, find_owing_seats
from pbem.core.events import Seat
from pbem.core.interface import Ask, Label, Outcome
from pbem.core.notices import SILENCE, BotTookOver, PlayerReplaced, PlayerReturned, is_for_silent
from pbem.core.turn import Policy, Run, advance
from pbem.play.config.templates import faults_of_overrides
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import note_newest
from pbem.play.homes.players import NumberedPlayers, number_players
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import short_root
from pbem.play.submissions import gate
from pbem.play.turn.moments import public_steps, steps_text
from pbem.play.turn.turnfiles import RunInputs, turn_files
from pbem.store.errors import GateClosedError, Reason
from pbem.store.records import Row


class RunOutcome(NamedTuple):
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
        missed: The seats that were silent.
        rests: Why nothing was resolved although something could be, or "".
        overrides: Reasons of the gate that the moderator overrode.
        unanswered: Why the seats that are waited for are so after the deadline, too; or "".
        until: When what is waited for is due, why the game rests, or that no deadline follows; or "".
        by_hand: Which seats were given to others in `game.yaml`, and a newest turn still to come, in words.
        to_send: What the moderator is to send by hand, in lines: a turn was made again, or a deadline moved.
        unreached: Those of the silent seats to which mail came back or was refused.
        patient: Those that are waited for though they have sent orders: these shall wait for the deadline.
        overrides_failed: What failed in the home's templates, each as `FILE:LINE: fault`.
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
    missed: tuple[Seat, ...] = ()
    rests: str = ""
    overrides: tuple[str, ...] = ()
    unanswered: str = ""
    until: str = ""
    by_hand: tuple[str, ...] = ()
    to_send: tuple[str, ...] = ()
    unreached: tuple[Seat, ...] = ()
    patient: tuple[Seat, ...] = ()
    overrides_failed: tuple[str, ...] = ()

    def line(self) -> str:
        """Return what a run came to as one line for people."""
        if self.rests:
            return f"{self.game}: left alone; {self.rests}"
        if self.outcome is not None and self.outcome.winners:
            ending = f"the game is over: {' and '.join(self.outcome.winners)} won"
        elif self.outcome is not None:
            ending = f"the game is over: nobody won ({self.outcome.reason})"
        else:
            owe = ", ".join(seat for seat in self.waiting if seat not in self.patient)
            patient = waiting_seats_note(", ".join(self.patient))
            waits = f"waits for {owe or 'nobody'} ({self.label}){patient and f'; {patient}'}"
            ending = waits if self.waiting else f"{self.label} is next"
        late = f"the deadline has passed, and {self.unanswered}" if self.unanswered else self.until
        ending += f"; {late}" if late else ""
        if self.turn is None:
            return f"{self.game}: nothing to do; {ending}"
        count = "1 step" if len(self.steps) == 1 else f"{len(self.steps) or 'no'} steps"
        steps = f"{count} ({', '.join(self.steps)})" if self.steps else count
        labels = ", ".join(self.silent)
        whose = f"{', '.join(self.missed)} ({labels})" if self.missed else labels
        silent = f"; answered for the silent: {whose}" if labels else ""
        if self.unreached:
            silent += f"; mail to {', '.join(self.unreached)} did not arrive, see `pbem status {self.game}`"
        told = "".join((steps, silent, *(f"; {one}" for one in self.handed)))
        root = f"; root {self.root}" if self.root else ""
        return f"{self.game}: turn {self.turn}, {told}; {ending}{root}"


class RerunNews(NamedTuple):
    """What is still to be told of a turn that was made again.

    Attributes:
        rows: What is written down when it is told: who is, and that this is done.
        lines: What the moderator is to send by hand, where mail does not go to all.
    """

    rows: tuple[Row, ...] = ()
    lines: tuple[str, ...] = ()


class RunTerms(NamedTuple):
    """What the host of a game says of a run before it begins.

    Attributes:
        policy: How asks without a fitting line are answered, and whose orders are held back.
        over: Why no turn is made any more, though the rules would go on; "" if it is not so.
        rests: Why the game is left alone now; "" if it is not.
        early: Why a turn that could be made now waits; "" if it does not.
        deadline: Tells when the orders that a new turn asks for will be due; or None, and what is said of it.
        reasons: Tells the host's own reasons not to keep a turn that answers for these silent seats.
    """

    policy: Policy
    over: str
    rests: str
    early: str
    deadline: Callable[[], tuple[datetime.datetime | None, str]]
    reasons: Callable[[Collection[Seat]], Iterable[Reason]]


def run(
    saved: SavedGame,
    terms: RunTerms,
    *,
    now: datetime.datetime,
    overrides: tuple[str, ...] = (),
    deal: bool = False,
) -> RunOutcome:
    """Resolve what can be resolved of one game, and commit it as a turn; the caller holds the game.

    Args:
        saved: The game.
        terms: The terms of the run.
        now: The moment of the run.
        overrides: Names of reasons of the gate that the moderator overrides.
        deal: Do not wait for start forms that have not come: take the luck words of `game.yaml`, or none.

    Raises:
        GateClosedError: The gate refused; nothing was changed.
        WrongInput: The game is damaged; nothing was changed.
        OSError: The disk fails; if only the number beside the game could not be written, the turn stands.
    """
    ran = _run(saved, terms, now, overrides, deal=deal)
    note_newest(saved.home, saved.name)
    return ran


def _run(
    saved: SavedGame, terms: RunTerms, now: datetime.datetime, overrides: tuple[str, ...], *, deal: bool
) -> RunOutcome:
    """Run a game; its turn is committed."""
    home, game, position = saved.home, saved.name, saved.position
    if terms.over:
        return RunOutcome(game, None, (), "", (), None, "", rests=terms.over)
    found = gate.read_lodged_orders(saved, with_luck_words=deal, held=terms.policy.held)
    overridden = _refuse_unless_overridden(gate.reasons_before(saved, found), overrides)
    orders, seed = found.orders_with_press(), saved.secret.seed
    policy, called = number_players(saved, terms.policy)
    played = advance(saved.watched, saved.start.seats, position, orders, seed, policy)
    if not played.steps and played.position.outcome == position.outcome:
        late = waiting_clause(terms.policy.silent, played.waiting) if terms.policy.due and not deal else ""
        return _make_outcome(saved, played, called)._replace(rests=terms.rests, unanswered=late)
    if rests := terms.rests or terms.early:
        return _make_outcome(saved, played, called)._replace(
            steps=(), silent=(), missed=(), outcome=None, rests=rests
        )
    silent = () if deal else silent_seats(played, declined=True)
    shown = public_steps(saved, saved.turn + 1, played)
    overridden += _refuse_unless_overridden(
        (*gate.reasons_after(saved, played, shown), *terms.reasons(silent)), overrides
    )
    names = tuple(dict.fromkeys(overridden))
    deadline, until = (None, "") if isinstance(played.ask, Outcome) else terms.deadline()
    at = now.isoformat(timespec="seconds")
    taken = RunInputs(at, policy, names, found.submissions, found.press, deadline, found.kept, called)
    files = turn_files(saved, played, steps_text(saved, shown), taken)
    failed = faults_of_overrides(saved.environment)
    home.store.commit(game, saved.turn + 1, files)
    root = short_root(str(json.loads(files["turn.json"])["root"]))
    ran = _make_outcome(saved, played, called)._replace(
        turn=saved.turn + 1, root=root, overrides=names, until=until
    )
    ran = ran._replace(overrides_failed=failed)
    return (
        ran._replace(waiting=_seats_waiting_after_undo(home, game, policy))
        if saved.turn + 2 in saved.again
        else ran
    )


def _seats_waiting_after_undo(home: Home, game: str, policy: Policy) -> tuple[Seat, ...]:
    """Return who owes an answer where the next turn was taken back too, and its orders count again."""
    saved = SavedGame(home, game)
    orders = gate.read_lodged_orders(saved, held=policy.held).orders_with_press()
    asks = policy._replace(due=False, acts=(), arrived=frozenset(), ended=None)
    seats, seed = saved.start.seats, saved.secret.seed
    played = advance(saved.watched, seats, saved.position, orders, seed, asks)
    return () if played.steps else tuple(seat for seat in seats if seat in played.waiting)


def _refuse_unless_overridden(reasons: tuple[Reason, ...], overrides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the reasons that the moderator overrode; any other closes the gate."""
    if closed := tuple(one for one in reasons if not one.can_override or one.name not in overrides):
        raise GateClosedError(closed)
    return tuple(reason.name for reason in reasons)


def _make_outcome(saved: SavedGame, outcome: Run[Any], called: NumberedPlayers) -> RunOutcome:
    """Return what a run came to, before it is committed."""
    return RunOutcome(
        saved.name,
        None,
        tuple(step.label for step in outcome.steps),
        outcome.ask.label if isinstance(outcome.ask, Ask) else "",
        tuple(seat for seat in saved.start.seats if seat in outcome.waiting),
        outcome.ask if isinstance(outcome.ask, Outcome) else None,
        "",
        tuple(step.label for step in outcome.steps if any(map(is_for_silent, step.sources.values()))),
        _handover_texts(outcome, called) if saved.table.misses.after else (),
        silent_seats(outcome),
        patient=_seats_asking_to_wait(saved, outcome),
    )


def waiting_seats_note(seats: str) -> str:
    """Say which seats have sent orders that shall wait for the deadline."""
    return f"{seats} would rather wait for the deadline" if seats else ""


def _seats_asking_to_wait(saved: SavedGame, run: Run[Any]) -> tuple[Seat, ...]:
    """Return the seats that are waited for as their own orders say so, and for nothing else."""
    waits = [
        seat for seat in saved.start.seats if seat in run.waiting and run.orders.get(seat, Orders()).wait
    ]
    if not waits or isinstance(run.ask, Outcome):
        return ()
    bots, forced = saved.players.bots.keys(), saved.start.forced
    still = find_owing_seats(saved.opening, run.position.game, run.ask, run.orders, bots=bots, forced=forced)
    return tuple(seat for seat in waits if seat not in still)


def waiting_clause(silent: Mapping[Seat, str], waiting: Collection[Seat]) -> str:
    """Say why a game waits for seats after its deadline, in a clause; `silent` is the policy of each seat."""
    owed = {seat: how for seat, how in silent.items() if seat in waiting}
    waits, holds = (", ".join(seat for seat in owed if owed[seat] == how) for how in ("wait", "hold"))
    told = [f"`silent: wait` waits for {waits}"] if waits else []
    told += [f"`silent: hold` has no order for {holds}, where `greedy` has"] if holds else []
    return " and ".join(told)


def silent_seats(outcome: Run[Any], *, declined: bool = False) -> tuple[Seat, ...]:
    """Return the seats that a run answered for because they were silent at the deadline.

    Args:
        outcome: The run.
        declined: Those too whose silence means something by the rules, and is no missed turn.
    """
    sources = [item for step in outcome.steps for item in step.sources.items()]
    silent = (
        seat
        for seat, source in sources
        if (is_for_silent(source) and not source.startswith("taken over "))
        or (declined and source == SILENCE)
    )
    return tuple(dict.fromkeys(silent))


def _handover_texts(outcome: Run[Any], called: NumberedPlayers) -> tuple[str, ...]:
    """Say who plays which seat from now on, in a game in which seats are lost by missing turns."""
    told: list[str] = []
    for event in (entry.event for entry in outcome.events):
        if isinstance(event, BotTookOver):
            told.append(f"a {event.skill} bot plays {event.seat}, who missed {event.missed} in a row")
        elif isinstance(event, PlayerReplaced):
            name = called.named(event.player)
            told.append(f"{name} plays {event.seat}, who missed {event.missed} in a row")
        elif isinstance(event, PlayerReturned):
            told.append(f"{event.seat} is its player's again")
    return tuple(told)
