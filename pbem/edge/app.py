"""What the program does, one function a verb, each in a straight line."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.core.answers import is_for_silent
from pbem.core.book import Orders
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Label, Outcome
from pbem.core.notices import BotTookOver, PlayerReplaced, PlayerReturned
from pbem.core.turn import Policy, Run, advance
from pbem.edge import gate, store
from pbem.edge.chain import receipt_proof, short
from pbem.edge.errors import GateClosedError, Reason, WrongInput
from pbem.edge.files import LOCK_SECONDS, Disk, locked, replace_file
from pbem.edge.home import Home
from pbem.edge.saved import SavedGame
from pbem.edge.turnfiles import Batch, turn_files
from pbem.text.judging import Verdict
from pbem.text.lodged import canonical
from pbem.text.orders import Fault, Submission, open_envelope, read_lines
from pbem.text.receipts import receipt_of, stamped, unstamped
from pbem.text.schema import near


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged orders file.

    Attributes:
        saved: Its game.
        submission: Its lines.
        verdict: What they would do; it has no mistakes, those are left out or refused the file.
        data: The file.
    """

    saved: SavedGame
    submission: Submission
    verdict: Verdict
    data: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a submission that was stored.

    Attributes:
        judged: What was judged.
        number: The receipt's number, from 1, counted for the seat.
        proof: Salted hash of the accepted orders.
        orders: The lines that will run, as YAML.
        replaced: The pending lines that these replace, as YAML; "" if there were none.
    """

    judged: Judged
    number: int
    proof: str
    orders: str
    replaced: str


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
    data = unstamped(_read(path))  # a receipt is ours to give
    envelope = open_envelope(data)
    if isinstance(envelope, list):
        return envelope
    saved = (opened or {}).get(envelope.game)
    if saved is None:
        if not home.has(envelope.game):
            text = f"there is no game {envelope.game!r} here"
            return [envelope.fault(("game",), text, near(envelope.game, home.games()))]
        saved = SavedGame(home, envelope.game)
    if opened is not None:
        opened[saved.name] = saved
    submission = gate.read_submission(saved, data)
    while not isinstance(submission, list):
        verdict = saved.judge(envelope.seat).judge(submission)
        if not verdict.faults:
            return Judged(saved, submission, verdict, data)
        smaller = submission.envelope.without(verdict.faults)
        if smaller is None:
            return sorted([*submission.envelope.dropped, *verdict.faults])
        submission = read_lines(smaller, saved.grammar)
    return submission


def _read(path: Path) -> bytes:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise WrongInput(f"{path} is no file.")
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None


def submit(disk: Disk, home: Home, path: Path) -> Receipt | list[Fault]:
    """Check an orders file and lodge it as its seat's newest submission.

    Returns:
        The receipt, or the file's mistakes; then nothing was changed.
    """
    judged = judge(home, path)
    if isinstance(judged, list):
        return judged
    with locked(judged.saved.folder, wait_seconds=LOCK_SECONDS):
        judged = judge(home, path)  # a run may have gone by while we waited
        if isinstance(judged, list):
            return judged
        saved, seat = judged.saved, judged.submission.envelope.seat
        place = home.orders_file(saved.name, seat)
        found = gate.lodged(saved)
        number = _last_receipt(saved, place, seat) + 1
        disk.make_folder(place.parent, mode=0o700)
        disk.sync_names(place.parent.parent)  # also if the folder is there: who made it may have been killed
        replace_file(disk, place, stamped(judged.data, number, judged.submission.envelope.left_out))
    accepted = canonical(judged.submission.orders)
    proof = receipt_proof(saved.secret.seed, saved.name, seat, number, accepted)
    return Receipt(judged, number, proof, accepted, canonical(found.orders.get(seat, Orders())))


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
        outcome = advance(saved.opening, saved.start.seats, position, found.orders, saved.secret.seed, policy)
        if not outcome.steps:
            return _ran(saved, outcome, None, "")
        overridden += _pass(gate.after(saved, outcome), overrides)
        names = tuple(dict.fromkeys(overridden))
        batch = Batch(now.isoformat(timespec="seconds"), policy, names, found.submissions)
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


def _last_receipt(saved: SavedGame, place: Path, seat: Seat) -> int:
    """Return the highest receipt number this seat was given: of the file lodged, or of a turn."""
    lodged = receipt_of(place.read_bytes()) if place.exists() else 0
    for turn in reversed(store.turns(saved.folder)):
        taken = store.turn_folder(saved.folder, turn) / "orders" / f"{seat}.yaml"
        if taken.exists() and (number := receipt_of(taken.read_bytes())):
            return max(lodged, number)
    return lodged
