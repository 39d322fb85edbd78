"""Reports, invitations and all that is to be told become mails of the outbox, each once."""

from __future__ import annotations

import datetime
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from email.utils import format_datetime
from functools import cached_property
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.host.notices.coverletter import CoverFacts
from pbem.host.notices.queue import FOR_NEW_PLAYER, notice_to_player, tell_of_overrides
from pbem.host.notices.reports import correction_notice, turn_stands_notice
from pbem.host.people.seats import removed_player_notices
from pbem.host.people.votes import is_vote_open
from pbem.host.run.losses import REPORTED, Aside, earlier_report, has_same_report, unqueued_report_turns
from pbem.host.run.notes import read_notes, standby_replacements
from pbem.host.time.deadlines import is_closed, moved_since_report
from pbem.host.time.extensions import is_deadline_current, is_reminder_due
from pbem.mail.account.addresses import bounce_address, orders_address, report_id, token_of
from pbem.mail.account.settings import MailSettings
from pbem.play.config.templates import faults_of_overrides, mail_templates, translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import Turns
from pbem.play.reports.books import book_of
from pbem.play.reports.formpages import embed_pictures, page_of
from pbem.play.reports.reading import (
    CoveringLetter,
    current_form_text,
    page_with_letter,
    pages_of_report,
    with_letter,
)
from pbem.play.turn.turnfiles import welcome_facts
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.journal import Journal
from pbem.store.mailout import OutboundMail
from pbem.store.records import ABOUT_NOW, NEWEST_ONLY, Kind, QueuedNotice, facts_of, kind_of
from pbem.text.mail.compose import Attachment, Outgoing, compose
from pbem.text.mail.letter import own_headers
from pbem.text.reports.layout import brief_deadline, wrap_text
from pbem.text.reports.report import BOARD, BRIEF_BOARD, PLOTS

_LONGEST_NAME: Final = 70  # of a form, without its ending; mails take eighty letters with it


@dataclass(frozen=True)
class LetterContext:
    """What mails to the seats of one game are made with."""

    settings: MailSettings
    saved: SavedGame
    db: Journal

    @cached_property
    def book(self) -> tuple[Attachment, Attachment]:
        """The game book as a page and as plain text, the same for every seat."""
        book = book_of(self.saved)
        page = Attachment(f"{book.file}.html", "text/html", book.page.encode())
        return page, Attachment(f"{book.file}.txt", "text/plain", book.text.encode())

    @cached_property
    def covering(self) -> CoverFacts:
        """What the covering letters of its reports are written from."""
        return CoverFacts(self.saved, read_notes(self.db, self.saved.home, self.saved.name))

    def message_id(self, turn: int, seat: str, kind: str, revision: int) -> str:
        """Return the Message-ID of a mail to a seat: the same for the same mail, always."""
        return report_id(self.settings, self.saved.name, turn, seat, kind, revision)

    def thread(self, seat: Seat) -> str:
        """Return the Message-ID that all mails of a game to a seat refer to."""
        return self.message_id(0, seat, "invitation", 0)

    def headers(self, *, is_answer: bool = False) -> tuple[tuple[str, str], ...]:
        """Return the headers that all mails about the game carry; an answer says that it is one."""
        about = f"{self.saved.name}.{self.settings.domain}"
        return own_headers(self.settings.address, about, is_answer=is_answer)

    def reply_to(self, seat: Seat) -> str:
        """Return the address that a seat answers to; it holds the seat's token."""
        return orders_address(self.settings, self.saved.name, token_of(self.saved, seat, self.db))


def queue_reports(
    home: Home,
    db: Journal,
    settings: MailSettings,
    game: str,
    now: datetime.datetime,
    aside: Aside | None = None,
) -> int:
    """Queue what was committed of a game and not queued before; return how many reports are new.

    The first time only the newest turn is told: what was before that, the moderator has told by other means.

    Args:
        home: The home.
        db: Its journal.
        settings: What it says about mail.
        game: The id of the game.
        now: The moment.
        aside: Told of a mail that cannot be made; those of the other seats are queued, and it is tried again
            the next time. None: what is wrong is raised.

    Raises:
        GateClosedError: A run of the game does not end.
        WrongInput: The game is damaged.
    """
    turns = home.turns(game)
    _withdraw(turns, db)
    if not unqueued_report_turns(turns, db.notes(game, REPORTED)):
        return 0
    with home.held(game, wait_seconds=WAIT_SECONDS):
        new = 0
        for turn, revision in unqueued_report_turns(turns, db.notes(game, REPORTED)).items():
            post = LetterContext(settings, SavedGame(home, game, at_turn=turn), db)
            mails, is_whole = _reports(post, revision, aside)  # takes its time, and locks nobody out
            gone = tuple(removed_player_notices(post.saved, now, revision)) if is_whole else ()
            with db.writing():
                tell_of_overrides(home, db, now, faults_of_overrides(post.saved.environment))
                new += sum(db.put(mail, now) for mail in mails)
                if is_whole:
                    db.write(gone)
                    _notify_others(post, revision, now, {mail.seat for mail in mails})
                    db.set_note(game, f"{REPORTED}{turn}", str(revision))
        return new


def _withdraw(turns: Turns, db: Journal) -> None:
    """Keep back reports that wait to be sent and are of a turn that was taken back."""
    there = turns.numbers()
    for turn, revision in db.waiting_reports(turns.game):
        if turn not in there or turns.revision(turn) != revision:
            db.withdraw_reports(turns.game, turn, revision)


def _reports(post: LetterContext, revision: int, aside: Aside | None) -> tuple[list[OutboundMail], bool]:
    """Return the mails of a turn, and whether these are all.

    A mail goes to every seat that has an address and something new to read.
    """
    saved, mails, is_whole = post.saved, [], True
    seated = standby_replacements(saved)
    for seat in saved.start.seats:
        if not (address := saved.players.address(seat)):
            continue
        try:
            if seat in seated or not has_same_report(saved, post.db, seat):
                mails.append(_report(post, revision, seat, address, is_new=seat in seated))
        except Exception as wrong:
            if aside is None or isinstance(wrong, WrongInput):  # a damaged game is so for all its seats
                raise
            is_whole = False
            aside(f"{saved.name}: the mail of turn {saved.turn} to {seat} is not queued", wrong)
    return mails, is_whole


def _notify_others(
    post: LetterContext, revision: int, now: datetime.datetime, mailed: Container[str]
) -> None:
    """Tell those who get no report, for it is the same after a turn was run again, that it counts."""
    saved = post.saved
    for seat in saved.start.seats if revision else ():
        if saved.players.address(seat) and seat not in mailed:
            about, facts = f"stands r{revision}", facts_of("turn-stands", turn=saved.turn)
            stands = turn_stands_notice(saved)
            post.db.write(notice_to_player(saved, now, seat, "notice", about, *stands, facts=facts))


def newest_report(post: LetterContext, seat: Seat, asked: str, now: datetime.datetime) -> OutboundMail | None:
    """Return the newest report of a seat as a mail of its own, or None if it has no address.

    Args:
        post: The game as it stands.
        seat: The seat.
        asked: What tells this request from others: the same again is the same mail.
        now: The moment; a deadline that has passed stands in no subject.
    """
    saved, address = post.saved, post.saved.players.address(seat)
    if not address:
        return None
    is_new = saved.turn > 0 and (asked.startswith(FOR_NEW_PLAYER) or seat in standby_replacements(saved))
    return _report(post, saved.revision, seat, address, f"-again-{asked}", is_new=is_new, now=now)


def _report(
    post: LetterContext,
    revision: int,
    seat: Seat,
    address: str,
    again: str = "",
    *,
    is_new: bool = False,
    now: datetime.datetime | None = None,
) -> OutboundMail:
    saved, settings, turn = post.saved, post.settings, post.saved.turn
    covering = post.covering
    before = post.db.last_report(saved.name, seat)
    is_new = is_new and isinstance(saved.ask, Ask)
    is_first = is_new or _is_first(saved, seat, post.db)
    passed = now is not None and is_closed(saved, covering.notes, now)
    earlier = earlier_report(saved, post.db, seat)
    corrected = correction_notice(saved, seat, earlier).text if earlier else ""
    letter = covering.letter(seat, corrected)
    folder = saved.turns.at(turn) / "reports" / seat
    facts, form = saves.read_json(folder / "report.json"), current_form_text(saved, seat, letter.due)
    welcome = {"welcome": welcome_facts(saved, seat)} if is_first and turn else {}
    pages = pages_of_report(saved, turn, seat, (BRIEF_BOARD, PLOTS))
    page = page_with_letter(saved, seat, letter, **welcome)
    above = _introduction(post, {**facts, **welcome}, letter) if welcome else ""
    kind: Kind = "report" if turn else "invitation"
    message_id = post.message_id(turn, seat, f"{kind}{again}", revision)
    drawn = {name: svg for name, svg in ((BOARD, pages[BRIEF_BOARD]), (PLOTS, pages[PLOTS])) if svg}
    page, shown = embed_pictures(page, drawn, message_id)
    mail = Outgoing(
        kind=kind,
        envelope_from=bounce_address(settings, saved, seat, turn, revision),
        to=address,
        to_name=saved.players.holder(seat),
        from_=settings.address,
        from_name=settings.name,
        reply_to=post.reply_to(seat),
        subject=subject_of(facts, letter, revision if earlier else 0, invites=is_new, passed=passed),
        message_id=message_id,
        date=format_datetime(datetime.datetime.fromisoformat(str(saved.record["at"]))),
        text=with_letter(above + (folder / "report.txt").read_text(), letter),
        html=page,
        in_reply_to=before,
        references=tuple(dict.fromkeys(filter(None, (post.thread(seat), before)))) if turn else (),
        headers=post.headers(),
        attachments=(
            *shown,
            *(_form_files(post, facts, seat, form, letter.due) if form else ()),
            *(post.book[:1] if turn == 0 or is_first else ()),
        ),
    )
    return outbox_row(mail, kind, saved.name, turn, seat, revision)


def _introduction(post: LetterContext, facts: Mapping[str, Json], letter: CoveringLetter) -> str:
    """Return what stands above the first report of somebody who was not invited before.

    Args:
        post: The game.
        facts: What the report and the welcome are made of.
        letter: The letter that stands above it.
    """
    told = {**facts, **({"deadline": letter.due} if letter.due else {})}
    told |= {"orders": letter.orders} if letter.orders is not None else {}
    with translate_template_errors():
        page = post.saved.environment.get_template("common/dealt.txt.j2")
        return page.render(told, is_due_told=bool(letter.due)).lstrip("\n") + "\n"


def outbox_row(
    mail: Outgoing, kind: Kind, game: str, turn: int, seat: str, revision: int = 0
) -> OutboundMail:
    """Return a mail that was written as a row of the outbox."""
    raw = compose(mail)
    return OutboundMail(game, turn, seat, kind, revision, mail.to, mail.envelope_from, mail.message_id, raw)


def subject_of(
    facts: Mapping[str, Json], letter: CoveringLetter, revision: int, *, invites: bool, passed: bool
) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it the label of the ask.

    What matters stands in the first 40 letters, which is what lists of mails show of it. The number of the
    turn is left out: it is not that of the label, which orders name.

    Args:
        facts: What the report is made of.
        letter: Its covering letter.
        revision: How often its turn was taken back.
        invites: It is the first mail of somebody who has taken a seat of a running game.
        passed: The deadline has passed.
    """
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    due = "" if passed or not ask["mine"] else brief_deadline(letter.due or str(facts["deadline"]))
    label = f" ({ask['label']})"
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif facts["turn"] == 0:
        what = f"Your invitation{f', answer by {due}' if due else ''}"
    elif invites:
        what = f"Your invitation{f', orders by {due}' if due else ''}"
        label = label if ask["mine"] else ""
    elif letter.is_answered:
        what = f"Your orders count{f', change them by {due}' if due else ''}"
    elif ask["mine"]:
        what = f"Your orders{f' by {due}' if due else ''}, please"
    else:
        what = "Others are asked, nothing to do"
    corrected = "Corrected: " if revision and not invites else ""
    return f"[{facts['game']}] {corrected}{what}{label}"


def _is_first(saved: SavedGame, seat: Seat, db: Journal) -> bool:
    """Tell whether a report of the deal is the first of a seat: nobody was invited before it."""
    is_of_deal = saved.turn == 1 and saved.is_dealt and isinstance(saved.ask, Ask)
    return is_of_deal and seat not in db.queued_reports(saved.name, 0, 0)


def _form_files(post: LetterContext, facts: Json, seat: Seat, form: str, due: str) -> tuple[Attachment, ...]:
    """Return the orders form as a file to fill in, and for a seat that is asked as a page to click in."""
    plain = Attachment(f"{_form_file_name(post.saved, facts, seat)}.yaml", "text/x-yaml", form.encode())
    ask = post.saved.ask
    is_asked = isinstance(ask, Ask) and seat in ask.seats | ask.optional
    return (plain, form_page_file(post, seat, due)) if is_asked else (plain,)


def form_page_file(post: LetterContext, seat: Seat, due: str) -> Attachment:
    """Return the form page of a seat for the newest turn, as it comes with a mail to its player.

    Args:
        post: The game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    saved = post.saved
    page = page_of(saved, seat, post.reply_to(seat), due)
    facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / seat / "report.json")
    return Attachment(f"{_form_file_name(saved, facts, seat)}.html", "text/html", page.encode())


def current_form(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the form of a seat's newest report with the deadline that is in force; "" if the game is over.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    moved = moved_since_report(saved, read_notes(db, saved.home, saved.name), seat)
    return current_form_text(saved, seat, moved)


def _form_file_name(saved: SavedGame, facts: Json, seat: Seat) -> str:
    """Return the name of the forms' files: the game, and the ask as orders and subject name it."""
    assert isinstance(facts, dict), "a report is made from facts"
    assert isinstance(facts["ask"], dict), "every report has one"
    label = str(facts["ask"]["next"])
    whose = label if label.startswith(f"{seat}-") else f"{seat}-{label}"
    name = re.sub(r"[^A-Za-z0-9-]", "-", f"orders-{saved.name}-{whose}")
    return name if len(name) <= _LONGEST_NAME else f"orders-{saved.name}-{saved.turn}"


def write_letters(
    home: Home,
    db: Journal,
    settings: MailSettings,
    now: datetime.datetime,
    aside: Aside,
    *,
    game: str | None = None,
    is_before_reports: bool = False,
) -> int:
    """Write to their readers what is to be told; return how many letters that makes.

    Args:
        home: The home.
        db: Its journal.
        settings: What it says about mail.
        now: The moment.
        aside: Told of what cannot be written; it is tried again the next time, and the others go on.
        game: Write what is to be told about this game, or about none if it is ""; None: about all.
        is_before_reports: Write only what came before the newest turn, and must be read before its report.
    """
    with db.writing():
        tell_of_overrides(home, db, now, faults_of_overrides(mail_templates(home.templates)))
    written, waiting = 0, list(db.untold(game))
    last = {_telling_topic(told): number for number, told in waiting}
    for number, told in waiting:
        try:
            if is_before_reports and not (told.game and told.turn < home.turns(told.game).newest()):
                continue
            is_newest = last[_telling_topic(told)] == number
            letter = _letter(home, db, settings, told) if is_newest else None
            with db.writing():
                if db.mark_notice_written(number) and letter is not None:  # else it was taken back meanwhile
                    written += db.put(letter, now)
                    if kind_of(told.facts) == NEWEST_ONLY:
                        db.supersede(letter, NEWEST_ONLY)
        except Exception as wrong:
            aside(f"{told.game or 'host'}: the {told.kind} {told.title!r} is not written", wrong)
    return written


def is_notice_true(home: Home, db: Journal, told: QueuedNotice, now: datetime.datetime) -> bool:
    """Tell whether what a notice tells is so at a moment; what tells of the past always is.

    Args:
        home: The home.
        db: Its journal.
        told: The notice; its words are not looked at.
        now: The moment.

    Raises:
        WrongInput: Its game is gone or damaged.
    """
    if told.kind not in ABOUT_NOW:
        return True
    saved, notes = SavedGame(home, told.game), read_notes(db, home, told.game)
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return False
    if told.kind == "reminder":
        return is_reminder_due(saved, told, now)
    is_true = is_deadline_current if told.kind == "deadline" else is_vote_open
    return is_true(saved, notes, told)


def _telling_topic(told: QueuedNotice) -> tuple[str, ...]:
    """Return what makes a telling one with others, of which the newest says all; else its name."""
    if told.kind == "report":
        return told.game, told.seat, told.reader, told.kind
    if kind_of(told.facts) == NEWEST_ONLY:
        return told.game, told.seat, told.reader, NEWEST_ONLY
    return (told.name,)


def _letter(home: Home, db: Journal, settings: MailSettings, told: QueuedNotice) -> OutboundMail | None:
    """Return a letter, or None if it is for nobody any more."""
    if not told.seat:
        return _moderator_mail(settings, told)
    saved, seat = SavedGame(home, told.game), Seat(told.seat)
    post = LetterContext(settings, saved, db)
    if not told.is_theirs:
        return _to_a_reader(post, told, told.address, is_theirs=False)
    if not saved.tenures.is_present(seat, told.reader) or not saved.players.address(seat):
        return None  # the seat is another's, whose secret its former player must not read
    if told.kind == "report":
        return newest_report(post, seat, told.title, datetime.datetime.fromisoformat(told.at))
    return _to_a_reader(post, told, saved.players.address(seat), is_theirs=True)


def _to_a_reader(post: LetterContext, told: QueuedNotice, address: str, *, is_theirs: bool) -> OutboundMail:
    saved, settings, seat = post.saved, post.settings, Seat(told.seat)
    mail = Outgoing(
        kind=told.kind,
        envelope_from=bounce_address(settings, saved, seat, told.turn, 0) if is_theirs else "",
        to=address,
        to_name=saved.players.holder(seat) if is_theirs else told.reader,
        from_=settings.address,
        from_name=settings.name,
        reply_to=post.reply_to(seat) if is_theirs else "",
        subject=f"[{saved.name}] {told.title}",
        message_id=_message_id(settings, told),
        date=_date(told),
        text=_wrap_mail_text(told.words),
        references=(report_id(settings, saved.name, 0, seat, "invitation", 0),),
        headers=post.headers(),
        notice=kind_of(told.facts),
    )
    return outbox_row(mail, told.kind, told.game, told.turn, told.seat)


def _moderator_mail(settings: MailSettings, told: QueuedNotice) -> OutboundMail | None:
    if not settings.moderator:
        return None
    mail = Outgoing(
        kind=told.kind,
        envelope_from=settings.address,
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        subject=f"[{told.game}] {told.title}" if told.game else told.title,
        message_id=_message_id(settings, told),
        date=_date(told),
        text=_wrap_mail_text(told.words),
        headers=own_headers(settings.address, f"{told.game or 'host'}.{settings.domain}"),
        notice=kind_of(told.facts),
    )
    return outbox_row(mail, told.kind, told.game, told.turn, told.seat)


def _message_id(settings: MailSettings, told: QueuedNotice) -> str:
    return f"<{told.name}@{settings.domain}>"


def _date(told: QueuedNotice) -> str:
    return format_datetime(datetime.datetime.fromisoformat(told.at))


def _wrap_mail_text(text: str) -> str:
    """Return a text in the width of a mail."""
    out = []
    for line in text.rstrip().splitlines():
        start = line[: len(line) - len(line.lstrip())]
        out.append(wrap_text(line, f"{start}  " if start else "") if line.strip() else "")
    return "".join(f"{one}\n" for one in out)
