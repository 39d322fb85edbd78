"""Acts that the moderator mails: tried first, asked back where there is no way back, done once, answered."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from textwrap import wrap
from typing import Final

from pbem.host.notices.queue import notice_words, tell_moderator
from pbem.host.office.acts import copy_to_memory
from pbem.mail.arrivals.cases import MailOutcome
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Inspection
from pbem.mail.conversation.acts import (
    FORGOTTEN,
    LONGEST_WAIT,
    NO_CLEAR_YES,
    WAITS,
    ActLine,
    act_place_text,
    acts_summary,
    answered_number,
    read_acts,
    read_confirmation,
    reply_address,
    secret_of,
)
from pbem.mail.conversation.pressmail import quote_refusal
from pbem.mail.conversation.pressmail import refusal_words as words_of_press
from pbem.mail.outgoing.letters import outbox_row
from pbem.play.homes.home import Home
from pbem.store.errors import (
    GateClosedError,
    JournalRefused,
    Reason,
    RequestRefused,
    UnfinishedChange,
    WrongInput,
)
from pbem.store.records import MODERATOR, Intake, facts_of, iso
from pbem.store.stamped import DONE, act_key, forget_acts, store_with_stamp
from pbem.text.mail.compose import Outgoing
from pbem.text.mail.letter import Letter, own_headers
from pbem.text.mail.plainwords import person_lines
from pbem.text.names import mask_tokens
from pbem.text.plaintext import printable_text
from pbem.text.reports.layout import WIDTH, truncate_line, wrap_text


@dataclass(frozen=True, slots=True)
class Section:
    """An act as it was written, and what it came to."""

    line: str
    said: str

    def text(self) -> str:
        """Return it as it stands in a mail: nobody takes it for an act when it is quoted."""
        given = f"> {truncate_line(printable_text(self.line.strip()), 160)}"
        return "\n".join([given, *(one for line in self.said.splitlines() for one in _wrap_line(line))])


def _wrap_line(line: str) -> list[str]:
    """Return a line in the width of a mail; what does not fit stands below, further in."""
    start = " " * (4 + len(line) - len(line.lstrip()))
    return wrap(
        line.strip(),
        WIDTH + 6,
        initial_indent=start,
        subsequent_indent=f"{start}  ",
        break_on_hyphens=False,
        break_long_words=False,
    ) or [""]


def answer(
    desk: Desk,
    intake: Intake,
    looked: Inspection,
    subject: str,
    text: str,
    sections: Iterable[Section] = (),
    *,
    about: int = 0,
) -> None:
    """Queue the answer, in the transaction in which the mail ends.

    What is written back to it answers the mail of that number (`about`), or else this one.
    """
    settings, secret = desk.settings, secret_of(desk.db)
    assert secret is not None, "the mail was proven by it"
    letter = looked.letter if isinstance(looked.letter, Letter) else None
    answered = letter.message_id if letter and letter.message_id else ""
    parts = [wrap_text(mask_tokens(text))] if text else []
    parts += [mask_tokens(one.text()) for one in sections]
    mail = Outgoing(
        kind="receipt",
        notice="acts-answer",
        envelope_from="",
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        reply_to=reply_address(settings, secret, about or intake.id),
        subject=f"[pbem] {mask_tokens(subject)}",
        message_id=f"<acts.in{intake.id}@{settings.domain}>",
        date=format_datetime(desk.now),
        text="\n\n".join(parts) + "\n",
        in_reply_to=answered,
        references=(answered,) if answered else (),
        headers=own_headers(settings.address, is_answer=True),
    )
    if desk.db.put(outbox_row(mail, "receipt", "", 0, MODERATOR), desk.now):
        desk.answered("", looked.seat)


Moment = datetime.datetime

HELD_SECONDS: Final = 2.0
"""So long a mail waits for another program that holds its game; then it waits for the next time."""

SOON: Final = datetime.timedelta(minutes=10)
"""So long a run or a status that was mailed waits for mails that came in at the same time."""


def handle_acts(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Do what the moderator asks for, or ask back, or say what is wrong with it."""
    if looked.quotes:
        return _refuse_acts(
            desk,
            intake,
            looked,
            f"Nothing was done. {words_of_press(desk.home, quote_refusal(looked.quotes))}",
        )
    number = _answered_mail(looked)
    said = read_confirmation(desk.commands, looked.lines) if number else ""
    try:
        if number:
            _refuse_old_answer(desk, number)
        if said == "yes":
            return _confirm(desk, intake, looked)
        if said == "no":
            text = "Nothing was done, and what you had asked for is forgotten."
            return _refuse_acts(desk, intake, looked, text, "Forgotten", forgets=True)
        if said == "unclear" and desk.db.note("", f"{WAITS}{number}") is not None:
            return _refuse_acts(desk, intake, looked, NO_CLEAR_YES, about=number)
        subject = looked.letter.subject if isinstance(looked.letter, Letter) and not number else ""
        name = str(desk.home.settings().get("moderator", ""))
        wanted = tuple(read_acts(desk.commands, subject, looked.lines, name))
        if not any(one.asks_first for one in wanted):
            if not _was_partly_done(desk, intake.id, wanted) and len(wanted) > 1:
                _try_acts(desk, wanted, intake.moment)
            return _do_acts(desk, intake, looked, intake.id, wanted, intake.moment)
        sections = _try_acts(desk, wanted, intake.moment)
    except (JournalRefused, UnfinishedChange):
        raise
    except WrongInput as wrong:
        return _refuse_acts(desk, intake, looked, f"Nothing was done: {wrong}")
    return _ask_back(desk, intake, looked, wanted, sections)


def unacted(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Tell the moderator that somebody mailed acts without proof: once a day, and for each late yes."""
    number = _answered_mail(looked) if looked.mail.unproven == "token" else 0
    if desk.db.note("", f"{WAITS}{number}") != FORGOTTEN:
        number = 0
    why = "forgotten" if number else looked.mail.unproven
    about = f"unacted {looked.mail.unproven} {number or ''} {desk.now:%Y%m%d}"
    title, text = notice_words(desk.home, "acts-unproven", {"why": why})

    def tell() -> None:
        facts = facts_of("acts-unproven", sign=looked.mail.unproven)
        tell_moderator(desk.home, desk.db, desk.now, "notice", about, title, text, facts=facts)

    return MailOutcome("warned", "", MODERATOR, looked.identity, tell)


def _refuse_old_answer(desk: Desk, number: int) -> None:
    """Refuse a mail to the address of an answer that is old.

    Raises:
        RequestRefused: It is so.
    """
    if desk.now - desk.db.intake(number).moment > LONGEST_WAIT:
        raise RequestRefused(
            "this answers a mail of more than three days ago.", "Write to your address for acts."
        )


def _answered_mail(looked: Inspection) -> int:
    """Return the number of the moderator's own mail whose answer this one answers, or 0."""
    return answered_number(looked.mail.recipient.token) if looked.mail.recipient is not None else 0


def _was_partly_done(desk: Desk, number: int, wanted: Iterable[ActLine]) -> bool:
    """Tell whether some acts of a mail were done before; an act that was cut off is finished first."""
    for game in {one.game for one in wanted if not one.is_look and desk.home.has(one.game)}:
        with desk.home.held(game, wait_seconds=HELD_SECONDS):
            pass
    return bool(desk.db.notes("", act_key(number, "")))


def _try_acts(desk: Desk, wanted: Sequence[ActLine], said: Moment) -> list[Section]:
    """Return what acts would come to, one after the other; raises WrongInput for one that cannot be."""
    trial = copy_to_memory(desk.home, {one.game for one in wanted if one.game})
    out: list[Section] = []
    for number, one in enumerate(wanted):
        where = desk.home if one.is_look else trial
        try:
            if one.game:
                desk.home.game(one.game)  # which knows the names of all games
            out.append(Section(one.line, one.run(where, desk.now, said, True)))
        except JournalRefused:
            raise
        except WrongInput as wrong:
            place = act_place_text(number, one.line) if len(wanted) > 1 else ""
            raise RequestRefused(f"{place}{wrong}") from None
    return out


def _ask_back(
    desk: Desk, intake: Intake, looked: Inspection, wanted: tuple[ActLine, ...], sections: list[Section]
) -> MailOutcome:
    """Keep acts until the moderator says yes, and say what they would come to."""
    lines = [[one.line, one.text] for one in wanted]
    turns = {one.game: _game_standing(desk, one.game) for one in wanted if one.game}
    waiting = json.dumps({"acts": lines, "said": iso(intake.moment), "turns": turns})

    def tell() -> None:
        desk.db.set_note("", f"{WAITS}{intake.id}", waiting)
        words = notice_words(desk.home, "acts-asked", {"what": acts_summary(wanted)})
        answer(desk, intake, looked, *words, sections)

    return MailOutcome("asked", "", MODERATOR, looked.identity, tell)


def _game_standing(desk: Desk, game: str) -> str:
    turns = desk.home.turns(game)
    return f"{turns.newest()}.{turns.revision(turns.newest())}"


def _confirm(desk: Desk, intake: Intake, looked: Inspection) -> MailOutcome:
    """Do the acts that a yes is about; each once, however often yes is said."""
    number = _answered_mail(looked)
    noted = desk.db.note("", f"{WAITS}{number}")
    if noted is None:
        text = "Nothing waits for a yes to this mail: it was done before, forgotten, or never asked."
        return _refuse_acts(desk, intake, looked, text)
    found = json.loads(noted)
    wanted = tuple(desk.commands.read(line, text) for line, text in found["acts"])
    if not _was_partly_done(desk, number, wanted):
        if moved := [game for game, turn in found["turns"].items() if _game_standing(desk, game) != turn]:
            went = f"{' and '.join(moved)} went on since you asked"
            text = f"Nothing was done: {went}. Ask again if it still holds."
            return _refuse_acts(desk, intake, looked, text, forgets=True)
        _try_acts(desk, wanted, Moment.fromisoformat(found["said"]))
    return _do_acts(desk, intake, looked, number, wanted, Moment.fromisoformat(found["said"]))


def _do_acts(
    desk: Desk, intake: Intake, looked: Inspection, number: int, wanted: tuple[ActLine, ...], said: Moment
) -> MailOutcome:
    """Do acts in order; what was done before this program or another was stopped is not done again.

    Raises:
        GateClosedError: Another program holds a game, or mails came that its run must look at first: the
            mail waits, and goes on where it stopped.
    """
    sections: list[Section] = []
    failed = ""
    for place, one in enumerate(wanted):
        try:
            if one.verb == "status" and desk.now - intake.moment < SOON:
                _refuse_unread(desk, one.game)
            sections.append(Section(one.line, _do_once(desk, act_key(number, place), one, said)))
        except (JournalRefused, UnfinishedChange):
            raise
        except GateClosedError as closed:
            why, *_ = closed.reasons
            if why.name == "locked" or (why.name == "unread" and desk.now - intake.moment < SOON):
                raise
            failed = why.text
        except WrongInput as wrong:
            failed = str(wrong)
        if failed:
            sections.append(Section(one.line, f"NOT done: {failed}"))
            break
    subject = "Not all was done" if failed or len(sections) < len(wanted) else f"Done: {acts_summary(wanted)}"
    if failed and len(sections) == 1:
        subject = "Nothing was done"
    sections += [Section(one.line, "NOT done, because it came after.") for one in wanted[len(sections) :]]

    def tell() -> None:
        answer(desk, intake, looked, subject, "", sections)
        desk.db.set_note("", f"{WAITS}{number}", None)
        forget_acts(desk.db, number)

    return MailOutcome("acts" if not failed else "refused", "", MODERATOR, looked.identity, tell)


def _refuse_unread(desk: Desk, game: str) -> None:
    """Refuse to tell how games stand while mails wait whose orders count for it, behind the one that asks.

    Raises:
        GateClosedError: It is so; the mail that asks is looked at again when these were.
    """
    for name in [game] if game else desk.home.games():
        new, late = desk.db.count_waiting(name)
        if new > late:
            raise GateClosedError((Reason("unread", f"mails that may be for {name} are read first"),))


def _do_once(desk: Desk, key: str, one: ActLine, said: Moment) -> str:
    """Do an act unless it was done; return what it came to."""
    db, noted = desk.db, desk.db.note("", key)
    if noted == DONE:
        return "Done; the program was stopped before it could say more."
    if one.verb == "run" and desk.home.has(one.game):
        newest = desk.home.turns(one.game).newest()
        if noted is None:
            db.set_note("", key, str(newest))
        elif int(noted) < newest:
            return f"{one.game}: turn {newest} was run."
    home = Home(store_with_stamp(desk.home.store, key)) if one.verb != "run" else desk.home
    return one.run(home, desk.now, said, False)


def _refuse_acts(
    desk: Desk,
    intake: Intake,
    looked: Inspection,
    text: str,
    subject: str = "Nothing was done",
    *,
    forgets: bool = False,
    about: int = 0,
) -> MailOutcome:
    """Say that nothing was done, and why; what waited for a yes to the mail that this one answers may go."""
    number = _answered_mail(looked)

    def tell() -> None:
        if forgets:
            desk.db.set_note("", f"{WAITS}{number}", None)
        lines = [line for line in person_lines(looked.lines) if line.strip(" >")]
        shown = [] if number else [Section(line, "") for line in lines[:10]]
        answer(desk, intake, looked, subject, text, shown, about=about)

    return MailOutcome("refused", "", MODERATOR, looked.identity, tell)
