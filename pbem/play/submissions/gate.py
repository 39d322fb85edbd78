"""What the seats have lodged, read; what becomes of a silent seat; and reasons not to run a game now."""

from __future__ import annotations

import datetime
from collections.abc import Container, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from pbem.core.book import START, Orders, Press, merge_orders
from pbem.core.dice import Dice
from pbem.core.events import MODERATOR, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import Begun
from pbem.core.turn import Run
from pbem.play.config.gamefile import moved_deadlines, moved_singles
from pbem.play.homes.integrity import newest_findings
from pbem.play.homes.saved import GamePosition, SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.submissions.reinstated import WaitingPress, reinstated_orders, waiting_press
from pbem.play.submissions.seatkeys import (
    fault_text_for_host,
    is_key_fault,
    missing_keys_text,
    seats_without_key,
)
from pbem.store.errors import Reason
from pbem.text.codec import fields_of, items_of
from pbem.text.names import mask_tokens
from pbem.text.orders import (
    Envelope,
    Fault,
    Submission,
    bare_key,
    is_key,
    key_fault,
    mask_key,
    open_envelope,
    read_lines,
    read_whole,
)
from pbem.text.strictyaml import dump

if TYPE_CHECKING:
    from pbem.play.turn.moments import ReplayMoment


SECRET_IN_PRESS: Final = "your secret {} stands in this press: whoever reads it could send orders for you"
SECRET_HINT: Final = "Leave it out. Nobody has got this press."


class BadFile(NamedTuple):
    """A file among the orders of a game that is not good.

    Attributes:
        file: Its path.
        kind: "unread" if it cannot be read here, "stray" if it is no seat's, "key" if the key is missing or
            another, "wrong" otherwise.
        text: What is wrong, with the path and the place in it, in one line.
    """

    file: str
    kind: Literal["unread", "stray", "key", "wrong"]
    text: str


class LodgedOrders(NamedTuple):
    """What the seats have lodged when a run begins.

    Attributes:
        orders: The lines of each seat: its newest submission, or what the last turn left over.
        submissions: The submissions among them, as files with the key masked.
        kept: Seats whose submission holds no lines, so that those left over before stay.
        bad: Files that do not check, by seat, each with its first mistake.
        press: Messages that came by themselves and not in orders, by seat.
        again: What turns that were taken back had of a seat, by turn: each counts when its turn is run again.
    """

    orders: Mapping[Seat, Orders]
    submissions: Mapping[Seat, bytes]
    bad: Mapping[Seat, BadFile]
    press: Mapping[Seat, WaitingPress]
    kept: tuple[Seat, ...] = ()
    again: Mapping[Seat, Mapping[int, Submission]] = MappingProxyType({})

    def orders_with_press(self) -> dict[Seat, Orders]:
        """Return the orders of each seat, with the messages that came by themselves."""
        orders = dict(self.orders)
        for seat, waiting in self.press.items():
            said = Orders(press=waiting.press)
            orders[seat] = merge_orders(orders.get(seat, Orders()), said, keep=True)
        return orders


def standing_orders_of(saved: SavedGame, seat: Seat) -> Orders:
    """Return the lines of one seat that stand, lodged or left over; no other seat's file is read."""
    return read_lodged_orders(saved, only=(seat,)).orders.get(seat, Orders())


def read_lodged_orders(
    saved: SavedGame,
    *,
    with_luck_words: bool = False,
    held: Container[Seat] = frozenset(),
    only: Iterable[Seat] | None = None,
) -> LodgedOrders:
    """Return what every seat has lodged; a submission counts until a turn has taken it.

    Args:
        saved: The game.
        with_luck_words: Seats that sent no start form count as having sent the luck words of `game.yaml`.
        held: Seats whose orders the moderator holds back: they stay where they are.
        only: The seats whose files are read; None for all.
    """
    orders = dict(saved.pending)
    submissions: dict[Seat, bytes] = {}
    bad: dict[Seat, BadFile] = {}
    kept: tuple[Seat, ...] = ()
    again: dict[Seat, Mapping[int, Submission]] = {}
    for seat in _seats_with_files(saved, with_luck_words) if only is None else only:
        if seat in held:
            continue
        data = _file_of(saved, seat, with_luck_words=with_luck_words)
        if isinstance(data, BadFile):
            bad[seat] = data
            continue
        if data is None:
            continue
        envelope = open_envelope(data)
        covered = data if isinstance(envelope, list) else mask_key(data, envelope)
        if back := reinstated_orders(saved, seat, covered):
            again[seat] = {turn: read_taken(saved, one) for turn, one in back.items()}
            if (following := back.get(saved.turn + 1)) is None:
                continue
            covered = following
        if sha256(covered) == saved.taken_hashes.get(seat):
            continue
        found = again[seat][saved.turn + 1] if back else _read_lodged(saved, seat, data, envelope)
        if isinstance(found, BadFile):
            bad[seat] = found
        else:
            submissions[seat] = covered
            orders[seat] = merge_orders(orders.get(seat, Orders()), found.orders, keep=found.is_without_lines)
            kept += (seat,) if found.is_without_lines else ()
    press = {
        seat: one.without_duplicates(saved.name, seat, orders.get(seat, Orders()).press)
        for seat, one in waiting_press(saved).items()
    }
    return LodgedOrders(orders, submissions, bad, press, kept, again)


def _file_of(saved: SavedGame, seat: Seat, *, with_luck_words: bool) -> bytes | BadFile | None:
    """Return what is lodged for a seat as it came, or why it is bad; None if nothing is."""
    place = saved.home.orders_file(saved.name, seat)
    kind = saved.home.store.kind(place.path)
    if kind == "other":
        return BadFile(str(place), "wrong", f"{place} is no file")
    try:
        data = place.read_bytes() if kind in ("file", "folder") else None
    except OSError as wrong:
        return BadFile(str(place), "unread", f"{place} cannot be read: {wrong.strerror}")
    return _luck_words(saved, seat) if data is None and with_luck_words else data


def _read_lodged(
    saved: SavedGame, seat: Seat, data: bytes, envelope: Envelope | list[Fault]
) -> Submission | BadFile:
    """Read what is lodged for a seat and no turn has taken."""
    found = envelope if isinstance(envelope, list) else read_envelope(saved, data, envelope, seat)
    if not isinstance(found, list):
        return found

    place, first = saved.home.orders_file(saved.name, seat), found[0]
    told = f"{place}:{fault_text_for_host(saved.name, first)}"
    return BadFile(str(place), "key" if is_key_fault(first) else "wrong", told)


def _seats_with_files(saved: SavedGame, with_luck_words: bool) -> Iterable[Seat]:
    """Return the seats that have lodged something: the folder is read once and not asked for each seat."""
    if with_luck_words:
        return saved.start.seats
    folder = saved.home.orders_file(saved.name, saved.start.seats[0]).parent
    names = {place.name for place in folder.iterdir()} if folder.is_dir() else set()
    return [seat for seat in saved.start.seats if f"{seat}.yaml" in names]


def read_taken(saved: SavedGame, data: bytes) -> Submission:
    """Return orders that a turn had taken, with the key masked, as it read them."""
    envelope = open_envelope(data)
    assert not isinstance(envelope, list), "orders that a turn took can be read"
    found = read_lines(envelope, saved.grammar)
    assert not isinstance(found, list), "orders that a turn took can be read"
    return found


def _luck_words(saved: SavedGame, seat: Seat) -> bytes | None:
    """Return a start form with the luck words that stand in `game.yaml`, if the game was not dealt yet."""
    if seat not in saved.table.luck or saved.position.game is not None:
        return None
    key: dict[str, Json] = {"key": saved.players.key(seat)} if saved.table.key else {}
    do: dict[str, Json] = {"luck": saved.table.luck[seat], **saved.table.answers.get(seat, {})}
    line: dict[str, Json] = {"at": START, "do": do}
    return dump({"game": saved.name, "seat": seat, **key, "orders": [line]}).encode()


def read_envelope(
    saved: SavedGame, data: bytes, envelope: Envelope, seat: Seat | None = None
) -> Submission | list[Fault]:
    """Read an orders file for a game, up to its lines; the view is not asked yet.

    Args:
        saved: The game it should be for.
        data: The file.
        envelope: Its envelope.
        seat: The seat whose file it is by its name, if it has one.
    """
    return envelope_faults(saved, data, envelope, seat) or read_whole(envelope, saved.grammar)


def envelope_faults(
    saved: SavedGame, data: bytes, envelope: Envelope, seat: Seat | None = None
) -> list[Fault]:
    """Say why an orders file is not for a game or of no seat, or which message the game does not allow."""
    seats = ", ".join(saved.start.seats)
    if envelope.game != saved.name:
        text = f"these orders are for {envelope.game!r}"
        return [envelope.fault(("game",), text, f"Expected {saved.name}.", kind="game-other")]
    if envelope.seat not in saved.start.seats:
        text = f"there is no seat {envelope.seat!r} in {saved.name}"
        return [envelope.fault(("seat",), text, f"The seats are {seats}.", kind="seat-unknown")]
    if seat is not None and envelope.seat != seat:
        text = f"these are orders of {envelope.seat}"
        return [envelope.fault(("seat",), text, f"Expected {seat}.", kind="seat-other")]
    if fault := _press_fault(saved, envelope):
        return [fault]
    if saved.table.key and (fault := _key_fault(saved, data, envelope)):
        return [fault]
    return []


def _key_fault(saved: SavedGame, data: bytes, envelope: Envelope) -> Fault | None:
    """Say what is wrong with the key of an orders file, where the game asks for one."""
    if is_key(envelope.key, saved.players.key(envelope.seat)):
        return key_fault(data, envelope)
    if ("key",) in envelope.document.marks:
        text = "the key is missing or wrong"
        return envelope.fault(("key",), text, "You have it from the moderator.", kind="key-wrong")
    hint = "Write `key: ...` below `seat:`; you have your key from the moderator."
    return envelope.fault(("seat",), "the key is missing", hint, kind="key-missing")


def _press_fault(saved: SavedGame, envelope: Envelope) -> Fault | None:
    """Say which message of an orders file this game does not allow."""
    rule, said = saved.table.press, fields_of(envelope.document.value).get("press")
    for number, fields in enumerate(map(fields_of, items_of(said))):
        if rule.deliver == "off" and fields.get("to") not in (MODERATOR, [MODERATOR]):
            text = "this game is played without press between seats"
            return envelope.fault(
                ("press", number), text, f"Only `to: {MODERATOR}` is allowed.", kind="press-off"
            )
        if fields.get("anonymous") is True and not rule.anonymous:
            text = "this game has no anonymous press"
            hint = "Leave `anonymous` out."
            return envelope.fault(("press", number, "anonymous"), text, hint, kind="press-anonymous")
    return None


def secret_in(saved: SavedGame, seat: Seat, press: Press) -> str:
    """Return which secret of its sender stands in a message that others will read: "address", "key" or "".

    What is for the moderator alone may hold it, as a question about an address does.
    """
    if press.to == frozenset([MODERATOR]):
        return ""
    if saved.table.key and bare_key(saved.players.key(seat)) in bare_key(press.say):
        return "key"
    return "address" if mask_tokens(press.say) != press.say else ""


def secret_fault(saved: SavedGame, found: Submission) -> Fault | None:
    """Say which message of orders would tell others a secret of its sender."""
    for number, press in enumerate(found.orders.press):
        if secret := secret_in(saved, found.envelope.seat, press):
            text = SECRET_IN_PRESS.format(secret)
            return found.fault(("press", number, "say"), text, SECRET_HINT, kind="press-secret")
    return None


def stray_files(saved: SavedGame) -> list[BadFile]:
    """Return files beside the orders of a game that are no seat's orders, each with what would be."""
    folder = saved.home.orders_file(saved.name, saved.start.seats[0]).parent
    names = [f"{seat}.yaml" for seat in saved.start.seats]
    return [
        BadFile(str(place), "stray", f"{place} is no seat's orders (expected {', '.join(names)})")
        for place in (folder.iterdir() if folder.is_dir() else ())
        if place.name not in [*names, "press"] and not place.name.startswith(".")
    ]


def reasons_before(saved: SavedGame, found: LodgedOrders) -> tuple[Reason, ...]:
    """Return the reasons that are known before a run."""
    reasons = [Reason("bad-orders", bad.text) for bad in found.bad.values()]
    if reasons and saved.table.key and (seats := seats_without_key(saved)):
        reasons.append(Reason("bad-orders", missing_keys_text(saved.name, seats)))
    for finding in newest_findings(saved.turns, saved.secret.seed):
        reasons.append(Reason("damaged", f"{finding.place}: {finding.text}; `pbem verify` tells more"))
    version = saved.record["rules_version"]
    if isinstance(version, int) and version > saved.rules.version:
        text = f"the game is at version {version} of its rules, installed is {saved.rules.version}"
        reasons.append(Reason("older-rules", text))
    return tuple(reasons)


def reasons_after(
    saved: SavedGame, run: Run[Begun[Any]], shown: Iterable[ReplayMoment]
) -> tuple[Reason, ...]:
    """Return the reasons that a finished run gives not to commit it: a view that tells two worlds apart.

    Args:
        saved: The game before the run.
        run: What it came to.
        shown: The moments of it that the public sees.
    """
    if isinstance(run.ask, Outcome):
        return ()
    reasons = []
    game = run.position.game
    looks = [(one.game, None) for one in shown if one.game is not game]
    for there, seat in (*looks, *((game, seat) for seat in (*saved.start.seats, None))):
        dice = Dice(saved.secret.seed, run.position.steps).apart("another world", seat or "spectator")
        try:
            is_same = saved.opening.view(saved.opening.redeal(there, seat, dice), seat) == saved.view(
                there, seat
            )
        except Exception as fault:
            if there is game:
                raise
            text = f"what the public sees within a step could not be compared ({type(fault).__name__})"
            reasons.append(Reason("leak", f"{text}; report this as a bug"))
            continue
        if not is_same:
            text = f"the view of {seat or 'the spectator'} tells what it must not; report this as a bug"
            reasons.append(Reason("leak", text))
    return tuple(dict.fromkeys(reasons))


SILENCE: Final = {
    "wait": "the game waits for you",
    "hold": "the least that the rules allow is done for you",
    "random": "a bot orders for you",
    "greedy": "a bot orders for you",
}
"""What becomes of a seat that is silent at the deadline, by its policy; the end of a sentence."""


NOTHING_LEFT: Final = "the game waits for you, for nothing can be done in your place"
"""What becomes of a seat for which something should be done where there is nothing to do."""


def silence_clause(saved: SavedGame, position: GamePosition, seat: Seat) -> str:
    """Return what becomes of a seat if nothing of its answers by the deadline; the end of a sentence.

    Of a seat that is not asked nobody can say whether there will be something that can be done for it.
    """
    policy = saved.table.silent[seat]
    if policy != "hold":
        return SILENCE[policy]
    if not _is_asked(saved, position, seat):
        return f"{SILENCE[policy]}, if there is such an order"
    return NOTHING_LEFT if is_left_unanswered(saved, position, seat) else SILENCE[policy]


def has_deadline(saved: SavedGame) -> bool:
    """Tell whether a game has a deadline now, or a schedule that sets more, as far as anything says so."""
    last, table = datetime.datetime.fromisoformat(str(saved.record["at"])), saved.table
    if table.schedule.days or (table.deadline is not None and table.deadline > last):
        return True
    if not saved.home.has_journal:
        return False
    with saved.home.journal() as db:
        notes = db.notes(saved.name)
    moved = [moment for turn, moment in moved_deadlines(notes).items() if turn == saved.turn]
    moved += [moment for _, moment in moved_singles(notes).values()]
    return any(moment > last for moment in moved)


def is_left_unanswered(saved: SavedGame, position: GamePosition, seat: Seat) -> bool:
    """Tell whether a seat is asked and nothing answers for it: by its policy, or for want of an order."""
    policy = saved.table.silent[seat]
    if policy not in ("wait", "hold") or not _is_asked(saved, position, seat):
        return False
    if policy == "wait":
        return True
    view = saved.view(position.game, seat)
    return saved.opening.hold(view) is None and saved.opening.choices(view).only is None


def _is_asked(saved: SavedGame, position: GamePosition, seat: Seat) -> bool:
    """Tell whether a seat is asked, and silence is no answer by the rules themselves."""
    ask = saved.ask_at(position)
    return isinstance(ask, Ask) and seat in ask.seats and ask.silence is None
