"""Orders judged and lodged, wherever they came from: a file, or a mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pbem.core.book import Orders, Press
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame, cancelled
from pbem.play.homes.saves import receipt_proof
from pbem.play.submissions import gate
from pbem.play.submissions.meaning import Learner, judge_as_meant, judge_without_help
from pbem.play.submissions.receipts import (
    JudgedOrders,
    LodgingPlan,
    PressReceipt,
    Receipt,
    last_receipt,
    orders_of_turns,
    plan_of,
)
from pbem.play.submissions.reinstated import (
    MOST_WAITING,
    has_room,
    is_kept,
    next_number,
    press_folder,
    press_to_keep,
    taken_press_numbers,
    waiting_press_number,
)
from pbem.play.submissions.seatkeys import former_player_fault
from pbem.store.interface import WAIT_SECONDS, Change, Place
from pbem.store.records import Act, Row
from pbem.text.codec import (
    canonical_yaml,
    receipt_of,
    strip_receipt,
    write_receipt,
)
from pbem.text.judging import Judge, Verdict
from pbem.text.orders import MOST_FAULTS, Envelope, Fault, mask_key, open_envelope, read_in_part, read_whole
from pbem.text.schema import near

__all__ = [
    "JudgedOrders",
    "KnownSender",
    "LodgingPlan",
    "PressReceipt",
    "Receipt",
    "check_submission",
    "lodge",
    "lodge_message",
]

Noting: TypeAlias = Callable[[JudgedOrders, int], tuple[Row, ...]]
"""Returns what is noted of orders in the same change, from what was judged and the receipt's number, 0 for
press."""


@dataclass(frozen=True, slots=True)
class KnownSender:
    """Whose orders these must be, where that is known from elsewhere, and what was tried before.

    Attributes:
        game: The id of the game.
        seat: The seat.
        plan: What an interrupted try was going to store, or None.
        note: Writes down, durably, what is going to be stored.
    """

    game: str
    seat: Seat
    plan: LodgingPlan | None
    note: Callable[[LodgingPlan], None]


def check_submission(
    home: Home, data: bytes, opened: dict[str, SavedGame] | None = None
) -> JudgedOrders | list[Fault]:
    """Check orders against their game as it stands; changes nothing.

    Args:
        home: The home.
        data: The orders file.
        opened: Games that were opened before, by id; a game opened now is added.

    Returns:
        The judged orders, or their mistakes in the order of lines.

    Raises:
        WrongInput: The home is damaged.
    """
    data = strip_receipt(data)
    envelope = open_envelope(data)
    game = envelope.game if isinstance(envelope, Envelope) else ""
    if home.has(game) and (wrong := _ended_game_faults(home, game, envelope)):
        return wrong
    return _judge_mended(Learner(home, {} if opened is None else opened), data, None, envelope)


def lodge(
    home: Home,
    data: bytes,
    sender: KnownSender | None = None,
    envelope: Envelope | list[Fault] | None = None,
    noting: Noting | None = None,
) -> Receipt | PressReceipt | list[Fault]:
    """Check orders and lodge them: lines as their seat's newest submission, press alone beside it.

    They are judged once, while nobody else can change their game.

    Args:
        home: The home.
        data: The orders file.
        sender: Whose orders these must be; None takes the file's word for it.
        envelope: The file's envelope, if it was opened before.
        noting: What is noted with it; acts that are noted of these very orders already are not noted twice.

    Returns:
        The receipt, or the mistakes; then nothing was changed.
    """
    data = strip_receipt(data)  # a receipt is ours to give
    envelope = open_envelope(data) if envelope is None else envelope
    only = (sender.game, sender.seat) if sender else None
    game = sender.game if sender else envelope.game if isinstance(envelope, Envelope) else ""
    if not home.has(game):  # nobody can say yet which game is to be held
        found = _judge_mended(Learner(home, {}, only), data, sender, envelope)
        if isinstance(found, list):
            return found
        game = found.saved.name
    with home.held(game, wait_seconds=WAIT_SECONDS):
        if sender and sender.plan and (before := _lodged_before(home, data, sender)):
            return before
        if wrong := _ended_game_faults(home, game, envelope):
            return wrong
        judged = _judge_mended(Learner(home, {}, only), data, sender, envelope)
        if isinstance(judged, list):
            return judged
        assert judged.saved.name == game, "orders are for the game that is held"
        home.store.tidy(f"orders/{game}", press_folder(judged.saved).path)
        if judged.submission.is_without_lines:
            return _store_press(judged, sender, noting)
        return _store_orders(judged, sender, noting)


def _judge_mended(
    learn: Learner, data: bytes, sender: KnownSender | None, opened: Envelope | list[Fault]
) -> JudgedOrders | list[Fault]:
    """Judge an orders file as it can only be meant; its envelope was opened before."""

    def judge(one: bytes) -> JudgedOrders | list[Fault]:
        return _judge_strictly(learn, one, sender, opened if one is data else open_envelope(one))

    return judge_without_help(judge_as_meant(data, judge, learn), data, judge, learn)


def _judge_strictly(
    learn: Learner, data: bytes, sender: KnownSender | None, envelope: Envelope | list[Fault]
) -> JudgedOrders | list[Fault]:
    """Judge an orders file as it stands, with no slip mended."""
    if faults := _sender_faults(sender, envelope) or _unknown_game_faults(learn.home, envelope):
        return faults
    assert isinstance(envelope, Envelope), "its mistakes were returned"
    saved = learn.game(envelope.game)
    assert saved is not None, "there is such a game"
    return _judge_orders(saved, data, envelope, is_handed_in=sender is None)


def _judge_orders(
    saved: SavedGame, data: bytes, envelope: Envelope, *, is_handed_in: bool
) -> JudgedOrders | list[Fault]:
    """Judge orders on the view of their seat; `partial: true` leaves out lines until the others are right.

    Of orders in a file that is handed in, the form tells whose they are; who mails them is known by the mail.
    """
    if faults := gate.envelope_faults(saved, data, envelope):
        return faults
    if is_handed_in and (told := former_player_fault(saved, envelope, data)):
        return [told]
    submission = read_whole(envelope, saved.grammar)
    at, seat = saved.position, envelope.seat
    if seat not in saved.judges:
        players = {one: saved.players.holder(one) for one in saved.start.seats}
        saved.judges[seat] = Judge(saved.opening, at.game, at.asked, seat, at.outcome, players)
    judge = saved.judges[seat]
    if isinstance(submission, list):
        good, bad = read_in_part(envelope, saved.grammar, submission)
        more = [*judge.verdict(good).faults, *judge.around(bad)]
        return sorted([*submission, *more])[:MOST_FAULTS]
    if told := gate.secret_fault(saved, submission):
        return [told]
    while not isinstance(submission, list):
        verdict = judge.verdict(submission)
        if not verdict.faults:
            return JudgedOrders(saved, submission, verdict, data)
        smaller = submission.envelope.without_first_fault(verdict.faults)
        if smaller is None:
            return sorted([*submission.envelope.dropped, *verdict.faults])
        submission = read_whole(smaller, saved.grammar)
    return submission


def _unknown_game_faults(home: Home, envelope: Envelope | list[Fault]) -> list[Fault]:
    """Say that orders cannot be read at all, or are for no game here."""
    if isinstance(envelope, list):
        return envelope
    if not home.has(envelope.game):
        text = f"there is no game {envelope.game!r} here"
        hint = near(envelope.game, home.games()).hint
        return [envelope.fault(("game",), text, hint, kind="game-unknown")]
    return []


def _ended_game_faults(home: Home, game: str, envelope: Envelope | list[Fault]) -> list[Fault]:
    """Say that orders come for a game which its moderator has ended."""
    how = cancelled(home, game)
    if how is None:
        return []
    text, hint = how.told(), "No orders are taken any more."
    if isinstance(envelope, Envelope):
        return [envelope.fault(("game",), text, hint, kind="game-cancelled")]
    return [Fault(1, 1, text, hint, kind="game-cancelled")]


def lodge_message(home: Home, press: Press, sender: KnownSender) -> bool:
    """Lodge a message that came by itself; a second try of the same changes nothing.

    Returns:
        Whether there was room for it.
    """
    with home.held(sender.game, wait_seconds=WAIT_SECONDS):
        saved = SavedGame(home, sender.game)
        home.store.tidy(press_folder(saved).path)
        if sender.plan and is_kept(saved, sender.seat, sender.plan.number, [press]):
            return True
        if not has_room(saved, sender.seat, [press]):
            return False
        number = next_number(saved, sender.seat)
        sender.note(LodgingPlan(number))
        _store_file(saved, *press_to_keep(saved, sender.seat, number, [press]))
        return True


def _store_orders(judged: JudgedOrders, sender: KnownSender | None, noting: Noting | None) -> Receipt:
    saved, seat = judged.saved, judged.seat
    place = saved.home.orders_file(saved.name, seat)
    last = last_receipt(saved, place, seat)
    if noting and _is_lodged_already(judged, place, last, noting):
        return _receipt(judged, plan_of(judged, last))
    plan = plan_of(judged, last + 1)
    if sender:
        sender.note(plan)
    data = write_receipt(judged.data, plan.number, plan.without)
    _store_file(saved, place.path, data, noting(judged, plan.number) if noting else ())
    return _receipt(judged, plan)


def _store_press(
    judged: JudgedOrders, sender: KnownSender | None, noting: Noting | None
) -> PressReceipt | list[Fault]:
    saved, seat, press = judged.saved, judged.seat, judged.submission.orders.press
    number = waiting_press_number(
        saved, seat, press
    )  # the same words in a second mail, or a command given again
    if not number and not has_room(saved, seat, press):
        text = f"{MOST_WAITING} messages at most wait for the next report, and with these there would be more"
        return [judged.submission.fault(("press",), text, kind="press-full")]
    plan = plan_of(judged, number or next_number(saved, seat))
    if sender:
        sender.note(plan)
    if not number:
        rows = noting(judged, 0) if noting else ()
        _store_file(saved, *press_to_keep(saved, seat, plan.number, press), rows)
    return _press_receipt(judged, plan)


def _is_lodged_already(judged: JudgedOrders, place: Place, number: int, noting: Noting) -> bool:
    """Tell whether just these orders are lodged under a number, and the acts that go with them are noted."""
    stored = place.read_bytes() if place.exists() else b""
    if not _are_same(stored, judged.data):
        return False
    acts = {(row.act, row.facts) for row in noting(judged, number) if isinstance(row, Act)}
    if not acts:
        return False
    with judged.saved.home.journal() as db:
        return acts <= {(one.act, one.facts) for one in db.acts(judged.saved.name)}


def _store_file(saved: SavedGame, name: str, data: bytes, rows: tuple[Row, ...] = ()) -> None:
    """Keep a file, and what is noted of it with it."""
    if not rows:
        saved.home.store.lodge(name, data)
        return
    what: dict[str, Json] = {"words": "lodging what was handed in", "lodged": name}
    saved.home.store.change(saved.name, Change(what, {name: data}, rows=rows))


def _are_same(stored: bytes, data: bytes) -> bool:
    """Tell whether two orders files say the same, apart from receipts."""
    return strip_receipt(stored).rstrip(b"\n") == strip_receipt(data).rstrip(b"\n")


def _receipt(judged: JudgedOrders, plan: LodgingPlan, *, taken: bool = False) -> Receipt:
    saved = judged.saved
    accepted = canonical_yaml(judged.submission.orders)
    proof = receipt_proof(saved.secret.seed, saved.name, judged.seat, plan.number, accepted)
    return Receipt(
        judged,
        plan.left_out,
        plan.number,
        proof,
        accepted,
        plan.before,
        plan.forecast,
        plan.cautions,
        taken,
    )


def _press_receipt(judged: JudgedOrders, plan: LodgingPlan, *, taken: bool = False) -> PressReceipt:
    press = canonical_yaml(Orders(press=judged.submission.orders.press)).removeprefix("press:\n")
    return PressReceipt(judged, plan.left_out, press, plan.before, plan.forecast, taken)


def _sender_faults(sender: KnownSender | None, envelope: Envelope | list[Fault]) -> list[Fault]:
    """Say that orders are for another game or seat than their sender's."""
    if sender is None or isinstance(envelope, list):
        return []
    if envelope.game != sender.game:
        text = f"these orders are for {envelope.game!r}"
        return [envelope.fault(("game",), text, f"Expected {sender.game}.", kind="game-other")]
    if envelope.seat != sender.seat:
        text = f"these are orders of {envelope.seat!r}"
        return [envelope.fault(("seat",), text, f"Expected {sender.seat}.", kind="seat-other")]
    return []


def _lodged_before(home: Home, data: bytes, sender: KnownSender) -> Receipt | PressReceipt | None:
    """Return the receipt of what an interrupted try had stored already, or None if it had not."""
    saved, seat, plan = SavedGame(home, sender.game), sender.seat, sender.plan
    assert plan is not None, "the caller has looked"
    data = plan.text.encode() or data
    noted = write_receipt(data, plan.number, plan.without)
    if isinstance(opened := open_envelope(noted), list):
        return None
    if isinstance(submission := gate.read_envelope(saved, noted, opened), list):
        return None
    judged = JudgedOrders(saved, submission, Verdict((), {}, ()), data, plan.notes)
    if submission.is_without_lines:
        if not is_kept(saved, seat, plan.number, submission.orders.press):
            return None
        return _press_receipt(
            judged, plan, taken=plan.number <= taken_press_numbers(saved.record).get(seat, 0)
        )
    place = home.orders_file(saved.name, seat)
    stored = place.read_bytes() if place.exists() else b""
    taken = next((one for number, one in orders_of_turns(saved, seat) if number == plan.number), b"")
    if receipt_of(stored) == plan.number:
        is_there = _are_same(stored, data)
    elif taken:
        is_there = _are_same(taken, mask_key(data, submission.envelope))
    else:
        is_there = last_receipt(saved, place, seat) > plan.number  # and later orders took its place
    return _receipt(judged, plan, taken=bool(taken)) if is_there else None
