"""Mails that a person must read, words beside orders, and mails that only thank: who reads them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from email.utils import format_datetime
from itertools import takewhile
from typing import Final, Literal

from pbem.core.interface import Json, Outcome
from pbem.host.notices import questions
from pbem.host.notices.questions import Question, note_question, open_questions
from pbem.host.notices.queue import render_paragraphs, tell_moderator
from pbem.host.people.seatorders import missing_orders_text
from pbem.host.run.notes import read_notes
from pbem.host.time.deadlines import owing_seats, present_label
from pbem.mail.account.addresses import answer_address
from pbem.mail.arrivals.cases import Case, MailOutcome, case_of, mail_fingerprint
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Inspection, is_an_attempt
from pbem.mail.conversation import commands, replies
from pbem.mail.conversation.offering import Offer, find_offer, is_only_thanks, why_no_orders
from pbem.mail.conversation.pressmail import MOST_LETTERS, MOST_LINES, quote_refusal, standing_orders
from pbem.mail.conversation.pressmail import refusal_words as words_of_press
from pbem.mail.conversation.replies import Reply, orders_file_text
from pbem.mail.outgoing.letters import current_form, outbox_row
from pbem.play.submissions.anyfile import explain_no_orders
from pbem.store.errors import RequestRefused
from pbem.store.mailout import OutboundMail
from pbem.store.records import WITH_OLDER_MAIL, Intake, facts_of, iso
from pbem.text.mail.compose import Outgoing
from pbem.text.mail.findorders import NoOrders
from pbem.text.mail.letter import own_headers
from pbem.text.mail.plainwords import (
    has_question_mark,
    is_about_absence,
    is_bare_thanks,
    is_only_symbols,
    own_subject,
    person_lines,
)
from pbem.text.mail.rows import NAMES_READERS
from pbem.text.names import mask_tokens
from pbem.text.plaintext import printable_text
from pbem.text.reports.layout import truncate_line, wrap_text

MOST_AT_ONCE: Final = 5
"""So many mails of a seat go to the moderator at once within a day; more of them stand in the digest only."""

MOST_OPEN: Final = 20
"""So many mails of a seat wait for the moderator at most."""

Passed = Literal["at once", "digest", "before", "full"]
"""How a mail reaches the moderator. before: the same words wait there. full: too many of the seat wait."""

_DAY: Final = datetime.timedelta(days=1)
_MOST_FILES: Final = 10
_ASIDE: Final = ("aside", "put aside")


def handle_question(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Pass a mail on to the moderator, and tell its player so, and what to do without waiting.

    The same words are answered once a day, as a robot writes them.
    """
    case = case_of(desk, intake, looked)
    offer = None if looked.mail.to_moderator else find_offer(case)
    if looked.quotes:
        return replace(
            case.carried("refused", lambda: case.answer(_unread_reply(case, offer))), rule=WITH_OLDER_MAIL
        )

    def tell() -> None:
        passed = forward_to_moderator(case, is_meant=offer is not None and offer.is_deliberate)
        case.answer(
            _sent_reply(case, passed) if looked.mail.to_moderator else _no_orders_reply(case, passed, offer)
        )

    return case.carried("question", tell)


def answer_empty(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Tell a player that there are no orders in a mail, and nothing that a person must read.

    It is told once a day for the same words. Other files are another try, and where there are no words
    another subject is.
    """
    case = case_of(desk, intake, looked)
    offer = find_offer(case)
    return case.carried("empty", lambda: case.answer(_no_orders_reply(case, None, offer)))


def refuse_two_sets(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Tell a player that of different orders in a mail none were taken; which count, nobody else can say."""
    case = case_of(desk, intake, looked)
    return case.carried("refused", lambda: case.answer(_no_orders_reply(case, None, None)))


def handle_moderator_answer(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Send the moderator's answer on to the player who had written; or let the mail wait no longer."""
    asked, text = looked.question, "\n".join(printable_text(line).rstrip() for line in looked.words)
    assert asked is not None, "the screening has seen that it answers one"
    is_aside = text.strip().rstrip(".!").casefold() in _ASIDE

    def refuse(why: str) -> None:
        title, about = f"Your answer to mail {asked.number} went to nobody", f"unanswered {intake.id}"
        facts, of = facts_of("answer-refused", name=asked.name), (desk.home, desk.db, desk.now)
        tell_moderator(*of, "notice", about, title, mask_tokens(why), asked.game, facts=facts)

    def tell() -> None:
        try:
            if is_aside:
                questions.close_question(desk.db, asked.number)
            elif looked.quotes:
                refuse(words_of_press(desk.home, quote_refusal(looked.quotes)))
            else:
                _, rows = questions.answer(desk.home, desk.db, asked.number, text, desk.now, by_mail=True)
                desk.db.write(rows)
        except RequestRefused as wrong:
            refuse(str(wrong))

    verdict = "put-aside" if is_aside else "refused" if looked.quotes else "answered"
    return MailOutcome(verdict, asked.game, "", looked.identity, tell)


def forward_to_moderator(case: Case, press: str = "", *, is_meant: bool = False) -> Passed:
    """Note that a mail waits for the moderator, and send it there if the game wants that; say how it goes.

    What a player wrote to the moderator goes there at once, whatever the game wants.

    Args:
        case: The mail.
        press: Its words, if it is press to the moderator alone; "" if it is none.
        is_meant: It says which orders its player means, though it holds none.
    """
    desk, saved = case.desk, case.saved
    to_moderator, code = (
        case.looked.mail.to_moderator or bool(press),
        mail_fingerprint(case.looked.lines, case.letter),
    )
    waiting = [one for one in open_questions(desk.db, [saved.name]) if one.seat == case.seat]
    newest = [one for one in waiting if one.at > iso(desk.now - _DAY)]
    if any(one.code == code for one in newest):
        return "before"
    if len(waiting) >= MOST_OPEN:
        return "full"
    is_tried = is_meant or ((found := case.looked.found) is not None and is_an_attempt(found))
    asked = Question(
        number=case.intake.id,
        game=saved.name,
        seat=case.seat,
        player=saved.players.holder(case.seat),
        at=iso(case.intake.moment),
        words=questions.cut(mask_tokens(press or _readable_text(case))),
        reply_to=answer_address(desk.settings, saved, case.intake.id),
        for_moderator=to_moderator,
        raw=case.intake.raw,
        code=code,
        tried=is_tried and not (to_moderator or has_question_mark(case.looked.words)),
        subject=truncate_line(mask_tokens(printable_text(case.letter.subject)), 100) if case.letter else "",
        who=saved.tenures.current(case.seat).who,
    )
    note_question(desk.db, asked)
    wanted = saved.table.questions or str(desk.home.settings().get("questions", "digest"))
    is_at_once = (to_moderator or wanted == "at once") and len(newest) < MOST_AT_ONCE
    if not is_at_once or not desk.settings.moderator:
        return "digest"
    desk.db.put(_to_the_moderator(case, asked), desk.now)
    return "at once"


def _readable_text(case: Case) -> str:
    """Return what a person should read of a mail: its words, and which files came along."""
    letter, lines = case.letter, [printable_text(line).rstrip() for line in case.looked.words]
    if not lines and letter is not None:
        lines = [printable_text(line).rstrip() for line in case.looked.lines]
    found = case.looked.found
    unread = ""
    if isinstance(found, NoOrders) and is_an_attempt(found):
        unread = f"(orders that cannot be understood: {explain_no_orders(case.desk.home, found).told})"
    return "\n".join(filter(None, ("\n".join(lines), _attached_files_text(case), unread))) or "(no words)"


def _attached_files_text(case: Case) -> str:
    """Return which files came along with a mail, in brackets; "" if none did."""
    parts = case.letter.parts if case.letter else ()
    names = [printable_text(part.filename)[:60] for part in parts if part.filename]
    return f"(with it came: {', '.join(names[:_MOST_FILES])})" if names else ""


def daily_answer_name(case: Case) -> str:
    """Return what the Message-ID of an answer is made of that is given once a day for the same words."""
    return f"empty-{mail_fingerprint(case.looked.lines, case.letter)}.{case.desk.now:%Y%m%d}"


def _unread_reply(case: Case, offer: Offer | None) -> Reply:
    """Return the answer to a mail among whose words one of ours stands: nobody reads them."""
    home, told = case.desk.home, words_of_press(case.desk.home, quote_refusal(case.looked.quotes))
    if case.looked.mail.to_moderator:
        return replies.template_reply(
            home, "not-asked", case.seat, daily_answer_name(case), case.letter, {"why": told}
        )
    lost = _no_orders_reply(case, None, offer)
    why = " ".join(filter(None, (str(lost.facts["why"]), *told.split("\n\n"))))
    return replace(lost, facts={**lost.facts, "why": why})


def _no_orders_reply(case: Case, passed: Passed | None, offer: Offer | None) -> Reply:
    """Return the answer to a mail without orders: what was read, who reads it, and every way out."""
    letter, over = case.letter, _game_over_text(case)
    orders = "" if over else standing_orders(case.desk, case.saved, case.seat)
    file = (
        orders_file_text(case.saved, case.seat, offer.lines)
        if offer is not None and offer.is_deliberate
        else ""
    )
    facts: dict[str, Json] = {
        "over": over,
        "why": why_no_orders(case, offer),
        "words": _quoted_text(case),
        "passed": passed or "",
        **moderator_facts(case.desk),
        "away": commands.example_absence(case.desk.now) if is_about_absence(case.looked.lines) else "",
        "standing": orders,
        "form": _mailed_form(case) if not over and (passed or not is_only_thanks(case)) else "",
        "wrong": [*offer.wrong] if offer and _has_mistakes_to_tell(case, offer) else [],
        "offer": offer.lines if offer else "",
        "is_meant": offer is not None and offer.is_deliberate,
    }
    passed_on = "" if passed is None or passed == "full" else "; your mail went to the moderator"
    subject = "Orders NOT accepted: two different sets" if case.has_two_sets else "No orders found"
    subject = "The game is over" if over else subject
    return Reply(
        case.seat,
        daily_answer_name(case),
        f"{subject}{passed_on}",
        "lost.txt.j2",
        facts,
        letter=letter,
        offer=file,
    )


def _game_over_text(case: Case) -> str:
    """Return that no orders are taken any more, as a sentence; "" while the game goes on."""
    if case.saved.cancelled is not None:
        return f"{case.saved.cancelled.sentence()} No orders are taken any more."
    return "The game is over. No orders are taken any more." if isinstance(case.saved.ask, Outcome) else ""


def _mailed_form(case: Case) -> str:
    return current_form(case.saved, case.seat, case.desk.db)


def _has_mistakes_to_tell(case: Case, offer: Offer) -> bool:
    is_headless = isinstance(case.looked.found, NoOrders) and case.looked.found.is_headless
    return bool(offer.is_deliberate or is_headless)


def _sent_reply(case: Case, passed: Passed) -> Reply:
    """Return the answer to a mail for the moderator."""
    facts: dict[str, Json] = {"words": _quoted_text(case), "passed": passed, **moderator_facts(case.desk)}
    subject = f"Your mail {'did NOT reach' if passed == 'full' else 'went to'} the moderator"
    return Reply(case.seat, daily_answer_name(case), subject, "asked.txt.j2", facts, letter=case.letter)


def _quoted_text(case: Case) -> str:
    """Return what a player is reminded of; of two sets of orders the lines of a form are shown too."""
    looked, is_two = case.looked, case.has_two_sets
    words, files = (looked.lines, _attached_files_text(case)) if is_two else (looked.words, "")
    lines = [truncate_line(printable_text(line).rstrip(), 160) for line in words]
    return "\n".join([*questions.first_lines(lines, questions.MOST_SHOWN), *filter(None, [files])])


def moderator_facts(desk: Desk) -> dict[str, Json]:
    """Return who reads what players write, in words, and whether a digest goes there by mail."""
    host = f"the moderator ({name})" if (name := desk.home.settings().get("moderator")) else "the moderator"
    return {"host": host, "has_digest": bool(desk.settings.moderator)}


def _to_the_moderator(case: Case, asked: Question) -> OutboundMail:
    """Return the mail that brings a player's words to the moderator; an answer to it reaches the player."""
    settings, saved = case.desk.settings, case.saved
    shown = asked.barred() if asked.for_moderator or questions.may_show_words(saved) else questions.UNTOLD
    whose = f"{asked.seat} ({asked.player})"
    told: dict[str, Json] = {
        "whose": whose,
        "game": saved.name,
        "number": asked.number,
        "player": asked.player,
    }
    above, below = render_paragraphs(case.desk.home, "notices/question", told).split("\n\n")
    text = f"{above}\n\n{shown}\n\n{below}"
    mail = Outgoing(
        kind="notice",
        notice="question",
        envelope_from=settings.address,
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        reply_to=asked.reply_to,
        subject=f"[{saved.name}] {whose} {'writes to you' if asked.for_moderator else 'asks'}",
        message_id=replies.message_id_of(saved, f"question-{asked.number}.{asked.seat}", settings.domain),
        date=format_datetime(case.desk.now),
        text=f"{wrap_text(text)}\n",
        headers=own_headers(settings.address, f"{saved.name}.{settings.domain}"),
    )
    return outbox_row(mail, "notice", saved.name, saved.turn, "")


_LONGEST_QUOTE: Final = 40
_ANONYMOUS: Final = re.compile(r"anonymous\s*:", re.IGNORECASE)


def forward_side_words(case: Case, answer: Reply) -> Reply:
    """Pass on what stands beside orders for the moderator, and return their receipt with a note of it.

    Press beside orders goes to nobody, for others would read the orders: it is shown as it can be sent.
    """
    mail, host, notes = case.looked.mail, moderator_facts(case.desk)["host"], answer.facts.get("notes")
    press = press_around_orders(case)
    if mail.automatic or not (mail.to_moderator or press or case.has_side_question):
        return answer
    told: list[str] = []
    shown = "\n".join(press)
    is_sendable = len(press) > 1 and len(shown) <= MOST_LETTERS and len(press) <= MOST_LINES
    passed = forward_to_moderator(case) if mail.to_moderator else ""
    if passed or not press:
        told.append(
            render_paragraphs(case.desk.home, "answers/words-beside", {"passed": passed, "host": host})
        )
    if press:
        facts: dict[str, Json] = {"first": truncate_line(press[0], _LONGEST_QUOTE), "is_shown": is_sendable}
        told.append(render_paragraphs(case.desk.home, "answers/press-beside", facts))
    kept = notes if isinstance(notes, list) else []
    noted = {**answer.facts, "notes": [*kept, *told], "unsent": shown if is_sendable else ""}
    return replace(answer, facts=noted)


def press_around_orders(case: Case) -> list[str]:
    """Return press that stands above or below the orders of a mail, from its line `to:` on; [] without any.

    What is for the moderator alone, as the first line says, is none.
    """
    lines, ordered = case.looked.lines, {line.strip() for line in case.order_lines} - {""}
    head = 1 if case.looked.mail.to_moderator else 0
    filled = [number for number, line in enumerate(lines) if line.strip()][head:]
    own = (number for number in filled if lines[number].strip() not in ordered)
    start = next((number for number in own if NAMES_READERS.match(lines[number].strip())), None)
    if start is None:
        return []
    above = takewhile(_ANONYMOUS.match, (lines[number] for number in reversed(filled) if number < start))
    said = takewhile(lambda line: line.strip() not in ordered, lines[start + 1 :])
    return _split_press([printable_text(line).rstrip() for line in (lines[start].strip(), *above, *said)])


def _split_press(lines: Sequence[str]) -> list[str]:
    """Return press with an empty line between whom it is for and what it says."""
    fields = 1
    while fields < len(lines) and _ANONYMOUS.match(lines[fields]):
        fields += 1
    said = "\n".join(lines[fields:]).strip().splitlines()
    return [*lines[:fields], *(["", *said] if said else [])]


def handle_empty(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Answer a mail that asks for nothing: with what can be done, or if it is thanks, with what is missing.

    The answer to thanks is one sentence, and there is none where no orders are missing.
    """
    case = case_of(desk, intake, looked)
    if not _is_only_thanks(case):
        return answer_empty(desk, intake, looked)
    saved, seat = case.saved, case.seat
    notes = read_notes(desk.db, saved.home, saved.name)
    if notes.cancelled is not None or seat in notes.held or seat not in owing_seats(saved, notes):
        return case.carried("empty")
    said, name = missing_orders_text(present_label(saved)), daily_answer_name(case)
    answer = replies.note_reply("orders-missing", seat, name, "Your orders are missing", case.letter, said)
    return case.carried("empty", lambda: case.answer(answer))


def _is_only_thanks(case: Case) -> bool:
    """Tell whether a mail is nothing but thanks and greetings, its subject too."""
    letter, saved = case.letter, case.saved
    subject = own_subject(letter.subject, saved.name) if letter else ""
    names = (saved.players.holder(case.seat), str(case.desk.home.settings().get("moderator", "")))
    lines = (*person_lines(case.looked.lines), subject)
    is_bare = is_only_symbols(lines) or is_bare_thanks(lines, names, saved.system.order_words)
    return not case.looked.words and (is_bare or (letter is not None and letter.is_reaction))
