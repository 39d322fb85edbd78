"""Orders judged and lodged, wherever they came from: a file, or a mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.core.events import Seat
from pbem.edge import gate, store
from pbem.edge.chain import receipt_proof
from pbem.edge.files import LOCK_SECONDS, Disk, locked, replace_file
from pbem.edge.home import Home
from pbem.edge.saved import SavedGame
from pbem.text.judging import Verdict
from pbem.text.lodged import canonical
from pbem.text.orders import Fault, Submission, masked, open_envelope, read_lines
from pbem.text.receipts import receipt_of, stamped, unstamped
from pbem.text.schema import near


@dataclass(frozen=True, slots=True)
class Judged:
    """Judged orders.

    Attributes:
        saved: Their game.
        submission: Their lines.
        verdict: What they would do; it has no mistakes, those are left out or refused the orders.
        data: The orders file.
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
        taken: A turn has taken them already, while their receipt was still being written.
    """

    judged: Judged
    number: int
    proof: str
    orders: str
    replaced: str
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose orders these must be, where that is known from elsewhere, and what was tried before.

    Attributes:
        game: The id of the game.
        seat: The seat.
        number: The receipt number that an interrupted try was going to give; 0 if there was none.
        note: Writes the receipt number down, durably, before the orders are stored.
    """

    game: str
    seat: Seat
    number: int
    note: Callable[[int], None]


def judge(home: Home, data: bytes, opened: dict[str, SavedGame] | None = None) -> Judged | list[Fault]:
    """Check orders against their game as it stands; changes nothing.

    Args:
        home: The moderator's folder.
        data: The orders file.
        opened: Games that were opened before, by id; a game opened now is added.

    Returns:
        The judged orders, or their mistakes in the order of lines.

    Raises:
        WrongInput: The home is damaged.
    """
    data = unstamped(data)  # a receipt is ours to give
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
    submission = gate.read_opened(saved, data, envelope)
    while not isinstance(submission, list):
        verdict = saved.judge(envelope.seat).judge(submission)
        if not verdict.faults:
            return Judged(saved, submission, verdict, data)
        smaller = submission.envelope.without(verdict.faults)
        if smaller is None:
            return sorted([*submission.envelope.dropped, *verdict.faults])
        submission = read_lines(smaller, saved.grammar)
    return submission


def lodge(disk: Disk, home: Home, data: bytes, sender: Sender | None = None) -> Receipt | list[Fault]:
    """Check orders and lodge them as their seat's newest submission.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        data: The orders file.
        sender: Whose orders these must be; None takes the file's word for it.

    Returns:
        The receipt, or the mistakes; then nothing was changed.
    """
    faults = _not_of(sender, data)
    judged = faults or judge(home, data)
    if isinstance(judged, list) and not (sender and sender.number):
        return judged
    folder = home.game(sender.game) if sender else _of(judged).saved.folder
    with locked(folder, wait_seconds=LOCK_SECONDS):
        if sender and sender.number and not faults and (before := _lodged_before(home, data, sender)):
            return before
        judged = faults or judge(home, data)  # a run may have gone by while we waited
        if isinstance(judged, list):
            return judged
        saved, seat = judged.saved, judged.submission.envelope.seat
        place = home.orders_file(saved.name, seat)
        replaced = gate.standing(saved, seat)
        number = _last_receipt(saved, place, seat) + 1
        if sender:
            sender.note(number)
        disk.make_folder(place.parent, mode=0o700)
        disk.sync_names(place.parent.parent)  # also if the folder is there: who made it may have been killed
        replace_file(disk, place, stamped(judged.data, number, judged.submission.envelope.left_out))
    return _receipt(judged, number, canonical(replaced))


def _receipt(judged: Judged, number: int, replaced: str, *, taken: bool = False) -> Receipt:
    saved, seat = judged.saved, judged.submission.envelope.seat
    accepted = canonical(judged.submission.orders)
    proof = receipt_proof(saved.secret.seed, saved.name, seat, number, accepted)
    return Receipt(judged, number, proof, accepted, replaced, taken)


def _of(judged: Judged | list[Fault]) -> Judged:
    assert not isinstance(judged, list), "mistakes were returned before"
    return judged


def _not_of(sender: Sender | None, data: bytes) -> list[Fault]:
    """Say that orders are for another game or seat than their sender's."""
    envelope = open_envelope(data)
    if sender is None or isinstance(envelope, list):
        return []
    if envelope.game != sender.game:
        text = f"these orders are for {envelope.game!r}"
        return [envelope.fault(("game",), text, f"Expected {sender.game}.")]
    if envelope.seat != sender.seat:
        text = f"these are orders of {envelope.seat!r}"
        return [envelope.fault(("seat",), text, f"Expected {sender.seat}.")]
    return []


def _lodged_before(home: Home, data: bytes, sender: Sender) -> Receipt | None:
    """Return the receipt of orders that an interrupted try had stored already, or None if it had not."""
    submission = gate.read_submission(SavedGame(home, sender.game), data)
    if isinstance(submission, list):
        return None
    saved, number = SavedGame(home, sender.game), sender.number
    place = home.orders_file(saved.name, sender.seat)
    stored = place.read_bytes() if place.exists() else b""
    taken = _taken(saved, sender.seat, number)
    if receipt_of(stored) == number:
        is_there = _are_same(stored, data)
    elif taken:
        is_there = _are_same(taken, masked(data, submission.envelope))
    else:
        is_there = _last_receipt(saved, place, sender.seat) > number  # and later orders took its place
    if not is_there:
        return None
    judged = judge(home, data)
    if isinstance(judged, list):
        judged = Judged(saved, submission, Verdict((), {}, ()), data)
    return _receipt(judged, number, "", taken=bool(taken))


def _are_same(stored: bytes, data: bytes) -> bool:
    return unstamped(stored).rstrip(b"\n") == unstamped(data).rstrip(b"\n")


def _taken(saved: SavedGame, seat: Seat, number: int) -> bytes:
    """Return the orders of this receipt number that a turn has taken, or nothing."""
    for turn in reversed(store.turns(saved.folder)):
        taken = store.turn_folder(saved.folder, turn) / "orders" / f"{seat}.yaml"
        if taken.exists() and receipt_of(data := taken.read_bytes()) == number:
            return data
    return b""


def _last_receipt(saved: SavedGame, place: Path, seat: Seat) -> int:
    """Return the highest receipt number this seat was given: of the file lodged, or of a turn."""
    lodged = receipt_of(place.read_bytes()) if place.exists() else 0
    for turn in reversed(store.turns(saved.folder)):
        taken = store.turn_folder(saved.folder, turn) / "orders" / f"{seat}.yaml"
        if taken.exists() and (number := receipt_of(taken.read_bytes())):
            return max(lodged, number)
    return lodged
