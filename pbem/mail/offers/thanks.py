"""Mails that are nothing but thanks and greetings: no question, and answered only if orders are missing."""

from __future__ import annotations

from pbem.host.run.notes import read_notes
from pbem.host.time.deadlines import asked_now, owing_seats
from pbem.host.undo.undowords import missing
from pbem.mail.arrivals.cases import Carried, Case, case_of
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Looked
from pbem.mail.conversation import asking, replies
from pbem.store.journals.records import Intake
from pbem.text.mail.sayings.plainwords import is_bare_thanks, is_sign, own_subject, words_of


def empty(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Answer a mail that asks for nothing: with what can be done, or if it is thanks, with what is missing.

    The answer to thanks is one sentence, and there is none where no orders are missing.
    """
    case = case_of(desk, intake, looked)
    if not _is_bare(case):
        return asking.empty(desk, intake, looked)
    saved, seat = case.saved, case.seat
    notes = read_notes(desk.db, saved.home, saved.name)
    if notes.cancelled is not None or seat in notes.held or seat not in owing_seats(saved, notes):
        return case.carried("empty")
    said, name = missing(asked_now(saved)), asking.name_of(case)
    answer = replies.note("orders-missing", seat, name, "Your orders are missing", case.letter, said)
    return case.carried("empty", lambda: case.answer(answer))


def _is_bare(case: Case) -> bool:
    """Tell whether a mail is nothing but thanks and greetings, its subject too."""
    letter, saved = case.letter, case.saved
    subject = own_subject(letter.subject, saved.name) if letter else ""
    names = (saved.players.holder(case.seat), str(case.desk.home.settings().get("moderator", "")))
    lines = (*words_of(case.looked.lines), subject)
    is_bare = is_sign(lines) or is_bare_thanks(lines, names, saved.system.order_words)
    return not case.looked.words and (is_bare or (letter is not None and letter.is_reaction))
