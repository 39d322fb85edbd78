"""What is to be told becomes letters: each telling of the journal one mail of the outbox, once."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from email.utils import format_datetime

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.people.names import names_of
from pbem.host.people.voting import is_open
from pbem.host.run.notes import read_notes
from pbem.host.time.newdeadline import is_in_force
from pbem.host.time.reminding import is_owed
from pbem.mail.account.addresses import bounce_address, report_id
from pbem.mail.account.settings import MailSettings
from pbem.mail.outgoing.reportmails import Post, as_row, newest_again
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.journal import Journal
from pbem.store.journals.kinds import NEWEST_ONLY, kind_of
from pbem.store.journals.outgoing import Outbound
from pbem.store.journals.records import ABOUT_NOW, Telling
from pbem.text.mail.message.auto import own_headers
from pbem.text.mail.message.compose import Outgoing
from pbem.text.reports.layout import wrapped

Aside = Callable[[str, Exception], None]


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
    written, waiting = 0, list(db.untold(game))
    last = {_about(told): number for number, told in waiting}
    for number, told in waiting:
        try:
            if is_before_reports and not (told.game and told.turn < home.turns(told.game).newest()):
                continue
            is_newest = last[_about(told)] == number
            letter = _letter(home, db, settings, told) if is_newest else None
            with db.writing():
                if db.set_told(number) and letter is not None:  # else it was taken back meanwhile
                    written += db.put(letter, now)
                    if kind_of(told.facts) == NEWEST_ONLY:
                        db.supersede(letter, NEWEST_ONLY)
        except Exception as wrong:
            aside(f"{told.game or 'host'}: the {told.kind} {told.title!r} is not written", wrong)
    return written


def is_still_so(home: Home, db: Journal, told: Telling, now: datetime.datetime) -> bool:
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
        return is_owed(saved, told, now)
    return is_in_force(saved, notes, told) if told.kind == "deadline" else is_open(saved, notes, told)


def _about(told: Telling) -> tuple[str, ...]:
    """Return what makes a telling one with others, of which the newest says all; else its name."""
    if told.kind == "report":
        return told.game, told.seat, told.reader, told.kind
    if kind_of(told.facts) == NEWEST_ONLY:
        return told.game, told.seat, told.reader, NEWEST_ONLY
    return (told.name,)


def _letter(home: Home, db: Journal, settings: MailSettings, told: Telling) -> Outbound | None:
    """Return a letter, or None if it is for nobody any more."""
    if not told.seat:
        return _to_the_moderator(settings, told)
    saved, seat = SavedGame(home, told.game), Seat(told.seat)
    post = Post(settings, saved, db)
    if not told.is_theirs:
        return _to_a_reader(post, told, told.address, is_theirs=False)
    if told.reader not in names_of(saved, seat, db) or not saved.players.address(seat):
        return None  # the seat is another's, whose secret its former player must not read
    if told.kind == "report":
        return newest_again(post, seat, told.title, datetime.datetime.fromisoformat(told.at))
    return _to_a_reader(post, told, saved.players.address(seat), is_theirs=True)


def _to_a_reader(post: Post, told: Telling, address: str, *, is_theirs: bool) -> Outbound:
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
        text=_pages(told.words),
        references=(report_id(settings, saved.name, 0, seat, "invitation", 0),),
        headers=post.headers(),
        notice=kind_of(told.facts),
    )
    return as_row(mail, told.kind, told.game, told.turn, told.seat)


def _to_the_moderator(settings: MailSettings, told: Telling) -> Outbound | None:
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
        text=_pages(told.words),
        headers=own_headers(settings.address, f"{told.game or 'host'}.{settings.domain}"),
        notice=kind_of(told.facts),
    )
    return as_row(mail, told.kind, told.game, told.turn, told.seat)


def _message_id(settings: MailSettings, told: Telling) -> str:
    return f"<{told.name}@{settings.domain}>"


def _date(told: Telling) -> str:
    return format_datetime(datetime.datetime.fromisoformat(told.at))


def _pages(text: str) -> str:
    """Return a text in the width of a mail."""
    out = []
    for line in text.rstrip().splitlines():
        start = line[: len(line) - len(line.lstrip())]
        out.append(wrapped(line, f"{start}  " if start else "") if line.strip() else "")
    return "".join(f"{one}\n" for one in out)
