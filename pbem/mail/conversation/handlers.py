"""What each verdict means: what is done with a mail, and what its player is told; one function a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pbem.core.book import Press
from pbem.core.events import ALL, MODERATOR
from pbem.core.interface import Json, Outcome
from pbem.host.notices.questions import note_orders_lodged
from pbem.host.run.notes import read_notes
from pbem.host.time.deadlines import is_late
from pbem.mail.account.addresses import seat_of_old_token
from pbem.mail.arrivals.cases import Case, MailOutcome, case_of
from pbem.mail.arrivals.desk import Desk, forget_plan, sender_of
from pbem.mail.arrivals.identify import Inspection, Verdict, orders_in
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.mail.arrivals.proof import stray_orders_advice
from pbem.mail.conversation import asking, commands, moderating, pressmail, replies, signup
from pbem.mail.conversation.replies import LATE, Reply, note_reply, queue_reply, template_reply
from pbem.mail.outgoing.bounces import (
    ARRIVED,
    NO_WORDS,
    find_bounced_mail,
    find_claimed_mail,
    find_reported_mail,
    note_bounce,
    read_fate,
    server_words,
)
from pbem.play.homes.saves import sha256
from pbem.play.submissions.lodging import Receipt, lodge, lodge_message
from pbem.play.submissions.reinstated import MOST_WAITING
from pbem.store.records import TOLD_BEFORE, WITH_ORDERS, Intake
from pbem.store.stamped import forget_acts
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter, RefusedMail
from pbem.text.mail.quotes import own_lines


def is_late_mail(desk: Desk, intake: Intake, looked: Inspection) -> bool:
    """Tell whether a mail came after the deadline, whose run is still to be made."""
    saved = case_of(desk, intake, looked).saved
    return is_late(saved, read_notes(desk.db, saved.home, saved.name), intake.moment, desk.now)


def refuse_late_orders(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Say that orders came after the deadline."""
    case = case_of(desk, intake, looked)
    answer = template_reply(desk.home, "late", case.seat, f"late{intake.id}", case.letter, {})
    answer = replace(answer, facts={**answer.facts, "state": LATE})
    return case.carried("late", lambda: case.answer(answer))


def _drop(desk: Desk, _intake: Intake, looked: Inspection) -> MailOutcome:
    """Do nothing with a mail; one that knows a secret which a seat had before is told to the moderator."""
    mail, saved = looked.mail, looked.saved
    token = mail.recipient.token if mail.kind in ("orders", "press") and mail.recipient else ""
    if saved is not None and token and not (mail.automatic or mail.is_own):
        seat = seat_of_old_token(saved, token, desk.db)
        if seat is not None:
            return MailOutcome("old-secret", saved.name, seat)
    return MailOutcome("dropped", mail.game, looked.seat, looked.identity)


def _handle_former_player(_desk: Desk, _intake: Intake, looked: Inspection) -> MailOutcome:
    """Leave a mail of a former player to the digest: it is none of the seat."""
    return MailOutcome("former", looked.mail.game)


def _drop_excess_mail(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Do nothing with a mail that came after too many, and tell its player so."""
    case = case_of(desk, intake, looked)
    return case.carried("dropped", case.mute)


def _note_bounce(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Note that a report did not arrive; the address of the bounce, or what it shows, says whose it was.

    Anybody can write the rest of it: what only claims to have come back, or does not say what became of a
    mail, is told, and nothing is marked.
    """
    recipient, letter, notice = looked.mail.recipient, looked.letter, read_raw_mail(desk.home, intake)
    found = find_bounced_mail(desk.db, desk.settings, recipient) if recipient else None
    found = found or find_reported_mail(desk, notice)
    shown = read_fate(desk, letter, found)
    if found is None and shown.fate in ("failed", "unknown") and looked.mail.kind != "bounce":
        claimed = find_claimed_mail(desk, notice)
        return MailOutcome("doubted", claimed.game, claimed.seat) if claimed else MailOutcome("bounced")
    if shown.fate in ARRIVED:
        game, seat = (found.game, found.seat) if found else ("", "")
        return MailOutcome("dropped", game, seat, rule=shown.fate)
    if found is None:
        return MailOutcome("bounced")
    if shown.fate != "failed":
        return MailOutcome("delayed" if shown.fate == "delayed" else "doubted", found.game, found.seat)

    def tell() -> None:
        note_bounce(desk.db, found, server_words(notice) or shown.line or NO_WORDS, desk.now, notice)

    return MailOutcome("bounced", found.game, found.seat, "", tell)


def _warn_of_missing_proof(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Tell a seat's player, once a day, that somebody wrote for it without the proof that is demanded."""
    case = case_of(desk, intake, looked)
    missing = looked.mail.unproven
    name, is_told = _daily_warning(case, f"unproven-{missing}")
    if missing == "sender" and (case.letter is None or case.letter.sender is None):
        missing = "readable sender"
    doubled = case.letter.doubled if case.letter else ()
    if missing == "sender" and doubled:
        missing = "single headers"
    facts: dict[str, Json] = {"missing": missing, "doubled": ", ".join(map(str.title, doubled))}
    titles = {
        "single headers": "A mail with a header twice",
        "sender": "A mail from another address",
        "both": "A mail from an old address",
    }
    title = titles.get(missing, "A mail that was not accepted")
    warning = Reply(case.seat, name, title, "unproven.txt.j2", facts, kind="notice")

    def tell() -> None:
        if not is_told:
            queue_reply(desk, case.saved, warning)

    rule = f"unproven{WITH_ORDERS * _has_orders(case)}{TOLD_BEFORE * is_told}"
    return replace(case.carried("warned", tell), rule=rule)


def _has_orders(case: Case) -> bool:
    """Tell whether orders stand in a mail; of one that lacks the secret of its seat too."""
    letter, found = case.letter, case.looked.found
    if found is None and letter is not None:
        found = orders_in(letter, own_lines(letter), case.saved, case.seat)
    return isinstance(found, FoundOrders)


def _daily_warning(case: Case, what: str) -> tuple[str, bool]:
    """Return how a warning of today is named, and whether it went to the present address of its seat before.

    What went to another address, which was mended since, does not count.
    """
    saved, day = case.saved, f"{what}.{case.desk.now:%Y%m%d}"
    address = saved.players.address(case.seat)
    is_told = case.desk.db.has_mail_with_id_prefix(saved.name, case.seat, f"<{saved.name}.{day}.", address)
    return f"{day}.{sha256(address.casefold().encode())[:8]}", is_told


def _refuse_unreadable(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Tell a player whose mail could not be read, once a day for each reason."""
    case, letter = case_of(desk, intake, looked), looked.letter
    assert isinstance(letter, RefusedMail), "only such mails come here"
    name, is_told = _daily_warning(case, f"unreadable-{letter.reason}")
    answer = template_reply(desk.home, "unreadable", case.seat, name, None, {"why": letter.text})

    def tell() -> None:
        if not is_told:
            queue_reply(desk, case.saved, replace(answer, kind="notice"))

    return case.carried("refused", tell)


def _answer_repeated(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    case = case_of(desk, intake, looked)
    answer = template_reply(desk.home, "repeated", case.seat, case.name, case.letter, {})
    return case.carried("repeated", lambda: case.answer(answer))


def _lodge_mail_orders(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Lodge orders; the receipt says what will run, or what is wrong."""
    case, found = case_of(desk, intake, looked), looked.found
    if case.saved.cancelled is not None:  # the foot of the answer says how and why
        ended = template_reply(desk.home, "game-ended", case.seat, case.name, case.letter, {})
        return case.carried("refused", lambda: case.answer(ended))
    assert isinstance(found, FoundOrders) and case.letter is not None, "the screening has seen them"
    letter, saved, seat = case.letter, case.saved, case.seat
    sender = sender_of(desk, intake, saved, seat, gets_receipt=True)
    done = lodge(desk.home, found.text, sender, looked.envelope)
    desk.looked_at(saved.name, seat)
    if isinstance(done, list):
        if elsewhere := stray_orders_advice(desk, saved, seat, found):
            refusal = note_reply("refused", seat, case.name, "Orders NOT accepted", letter, elsewhere)
        else:
            standing = pressmail.standing_orders(desk, saved, seat)
            refusal = replies.refusal(seat, standing, done, found, letter, case.name)
        return case.carried("refused", lambda: case.answer(asking.forward_side_words(case, refusal)))

    def tell() -> None:
        said = done.judged.submission.orders.press
        of = (desk, intake, done.judged.saved, seat, said)
        way = pressmail.deliver(*of, is_mailed=not looked.mail.too_many).in_words()
        if isinstance(done, Receipt):
            note_orders_lodged(desk.db, saved.name, seat, desk.now)
            told = replies.receipt(done.judged.saved, done, way, found, letter, case.name)
        else:
            told = replies.press_receipt(done, way, found, letter, case.name)
        case.answer(asking.forward_side_words(case, told))
        forget_plan(desk, intake, saved, seat)
        if looked.content:
            desk.db.set_note(saved.name, f"heard:{seat}:{looked.content[:32]}", str(intake.id))
        if looked.signed is not None:
            desk.db.set_note(saved.name, f"signed:{seat}", str(looked.signed.made))

    lodged = "withdrawn" if isinstance(done, Receipt) and done.withdraws else "lodged"
    return case.carried(lodged if isinstance(done, Receipt) else "press", tell)


def _press(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Lodge press for the next report, and send it on where the game delivers at once."""
    case = case_of(desk, intake, looked)
    letter, saved, seat = case.letter, case.saved, case.seat
    assert letter is not None, "the screening has seen it"
    referred = (letter.header("in-reply-to"), *letter.header("references").split())
    answered = pressmail.sender_of(saved, desk.settings.domain, referred, seat)
    strayed = pressmail.orders_refusal(looked.found, looked.lines)
    older = pressmail.quote_refusal(looked.older[0]) if looked.older else None
    said = strayed or older or pressmail.read_press(saved, seat, looked.lines, answered)
    if isinstance(said, Press):
        said = pressmail.older_mail_refusal(said, desk.settings.address) or said
    if isinstance(said, pressmail.PressRefusal):
        told: dict[str, Json] = {"told": pressmail.refusal_words(desk.home, said), "ready": bool(said.ready)}
        of = (desk.home, "press-refused", seat, case.name, letter, told)
        wrong = replace(template_reply(*of, quoted=said.ready), about_press=not said.is_orders)
        return replace(case.carried("refused", lambda: case.answer(wrong)), rule=said.rule)
    is_over = isinstance(saved.ask, Outcome) or saved.cancelled is not None
    sender = sender_of(desk, intake, saved, seat, gets_receipt=False)
    if not is_over and not lodge_message(desk.home, said, sender):
        full = template_reply(desk.home, "press-full", seat, case.name, letter, {"most": MOST_WAITING})
        return case.carried("refused", lambda: case.answer(replace(full, about_press=True)))

    def tell() -> None:
        is_asked = said.to == frozenset([MODERATOR]) and not said.anonymous
        passed = asking.forward_to_moderator(case, said.say) if is_asked else "full"
        if passed == "full":
            way = pressmail.deliver(desk, intake, saved, seat, [said])
        else:
            way = pressmail.Delivery((MODERATOR,) if passed == "at once" else (), passed != "at once")
        readers = [ALL] if said.to == ALL else sorted(said.to)
        how = "went out now" if sorted(way.now) == readers else way.in_words(is_over=is_over)
        sent: dict[str, Json] = {"readers": [*readers], "how": how}
        case.answer(template_reply(desk.home, "press-sent", seat, case.name, letter, sent, quoted=said.say))
        forget_plan(desk, intake, saved, seat)

    return case.carried("press", tell)


def _command(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    case, given = case_of(desk, intake, looked), looked.command
    assert given is not None, "the screening has seen it"
    told = commands.carry_out(desk, case.saved, case.seat, given, intake.id)
    asking = filter(None, [commands.ignored_words_note(given, looked.lines)])
    kind = f"command-{given.word}" if told.is_done else "command-refused"
    words = (*told.paragraphs, *asking)
    said = note_reply(kind, case.seat, case.name, told.subject, case.letter, *words, quoted=told.quoted)
    known = {**said.facts, "is_listed": given.word == "help", **({"state": ""} if told.tells_end else {})}
    answer = replace(said, facts=known, attachments=told.attachments)
    verdict = kind if told.is_done else "refused"

    def tell() -> None:
        case.answer(answer)
        forget_acts(desk.db, intake.id)

    return case.carried(verdict, tell)


def _join(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Give somebody a seat of an open game, once they have shown that they read the mail of their address."""
    saved, letter, recipient = looked.saved, looked.letter, looked.mail.recipient
    if saved is None or not isinstance(letter, Letter) or letter.sender is None or recipient is None:
        return MailOutcome("dropped")
    wish = signup.SeatRequest(saved, letter, looked.lines, recipient.token, intake.id)
    verdict, tell = signup.carry_out_signup(desk, wish)
    return MailOutcome(verdict, saved.name, "", "", tell)


CARRY_OUT: Final[Mapping[Verdict, Callable[[Desk, Intake, Inspection], MailOutcome]]] = {
    "dropped": _drop,
    "bounced": _note_bounce,
    "warned": _warn_of_missing_proof,
    "refused": _refuse_unreadable,
    "repeated": _answer_repeated,
    "join": _join,
    "later": _lodge_mail_orders,
    "orders": _lodge_mail_orders,
    "muted": _drop_excess_mail,
    "press": _press,
    "command": _command,
    "two-sets": asking.refuse_two_sets,
    "question": asking.handle_question,
    "empty": asking.handle_empty,
    "answered": asking.handle_moderator_answer,
    "acts": moderating.handle_acts,
    "unacted": moderating.unacted,
    "former": _handle_former_player,
}
