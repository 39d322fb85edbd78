"""What the host writes by itself: notices to the players of a game, and to its moderator."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable
from email.utils import format_datetime

from pbem.core.events import Seat
from pbem.edge.home import Home
from pbem.edge.mail.addresses import bounce_address, orders_address, report_id, token_of
from pbem.edge.mail.db import MailDb
from pbem.edge.mail.rows import Kind, Outbound
from pbem.edge.mail.settings import MailSettings, has_mail, mail_settings
from pbem.edge.saved import SavedGame
from pbem.text.layout import wrapped
from pbem.text.mail.compose import Outgoing, compose

_NO_ANSWERS = (("Auto-Submitted", "auto-generated"), ("X-Auto-Response-Suppress", "All"))


def tell_all(
    saved: SavedGame, db: MailDb, now: datetime.datetime, about: str, title: str, words: Callable[[Seat], str]
) -> int:
    """Queue a notice to every player of a game; return how many are new. Without mail there are none.

    Args:
        saved: The game.
        db: The mail database.
        now: The moment.
        about: What it is about: the same notice is never sent twice.
        title: The subject, without the game.
        words: What a seat is told.
    """
    return sum(tell(saved, db, now, seat, "notice", about, title, words(seat)) for seat in players(saved))


def players(saved: SavedGame) -> list[Seat]:
    """Return the seats that people play, in seating order."""
    return [seat for seat in saved.start.seats if seat not in {*saved.table.bots, *saved.table.free}]


def tell(
    saved: SavedGame,
    db: MailDb,
    now: datetime.datetime,
    seat: Seat,
    kind: Kind,
    about: str,
    title: str,
    text: str,
) -> bool:
    """Queue a mail to one player; tell whether it is new. Without mail or an address there is none."""
    return _tell_holder(saved, db, now, seat, kind, about, title, text, is_theirs=True)


def tell_former(
    saved: SavedGame, db: MailDb, now: datetime.datetime, seat: Seat, about: str, title: str, text: str
) -> bool:
    """Queue a notice to the player who has just lost a seat; tell whether it is new.

    It names no address of the seat, and if it comes back, no mail to the seat is thought to have come back.

    Args:
        saved: The game as it was when the seat was still theirs.
        db: The mail database.
        now: The moment.
        seat: The seat.
        about: What it is about: the same notice is never sent twice.
        title: The subject, without the game.
        text: What they are told.
    """
    return _tell_holder(saved, db, now, seat, "notice", about, title, text, is_theirs=False)


def tell_moderator(
    home: Home,
    db: MailDb,
    now: datetime.datetime,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    game: str = "",
) -> bool:
    """Queue a mail to the moderator; tell whether it is new. Without an address there is none."""
    if not has_mail(home) or not (settings := mail_settings(home)).moderator:
        return False
    mail = Outgoing(
        kind=kind,
        envelope_from=settings.address,
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        subject=f"[{game}] {title}" if game else title,
        message_id=_message_id(settings, game or "host", 0, "moderator", kind, about),
        date=format_datetime(now),
        text=_pages(text),
        headers=_headers(settings, game or "host"),
    )
    return _put(db, now, mail, game, 0, "")


def _tell_holder(
    saved: SavedGame,
    db: MailDb,
    now: datetime.datetime,
    seat: Seat,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    *,
    is_theirs: bool,
) -> bool:
    """Queue a mail to the holder of a seat; one that is theirs no longer holds no address of the seat."""
    address = saved.address(seat)
    if not has_mail(saved.home) or not address:
        return False
    settings = mail_settings(saved.home)
    mail = Outgoing(
        kind=kind,
        envelope_from=bounce_address(settings, saved, seat, saved.turn, 0) if is_theirs else "",
        to=address,
        to_name=saved.holder(seat),
        from_=settings.address,
        from_name=settings.name,
        reply_to=orders_address(settings, saved.name, token_of(saved, seat, db)) if is_theirs else "",
        subject=f"[{saved.name}] {title}",
        message_id=_message_id(settings, saved.name, saved.turn, seat, kind, about),
        date=format_datetime(now),
        text=_pages(text),
        references=(report_id(settings, saved.name, 0, seat, "invitation", 0),),
        headers=_headers(settings, saved.name),
    )
    return _put(db, now, mail, saved.name, saved.turn, seat)


def _put(db: MailDb, now: datetime.datetime, mail: Outgoing, game: str, turn: int, seat: str) -> bool:
    kind: Kind = "notice"
    for one in ("reminder", "digest"):
        kind = one if mail.kind == one else kind
    row = Outbound(game, turn, seat, kind, 0, mail.to, mail.envelope_from, mail.message_id, compose(mail))
    return db.put(row, now)


def _message_id(settings: MailSettings, game: str, turn: int, reader: str, kind: str, about: str) -> str:
    """Return the Message-ID of a mail: the same for the same mail, always."""
    told = hashlib.sha256(f"{game}\n{turn}\n{reader}\n{kind}\n{about}".encode()).hexdigest()[:20]
    return f"<{game}.t{turn}.{kind}.{told}@{settings.domain}>"


def _headers(settings: MailSettings, game: str) -> tuple[tuple[str, str], ...]:
    return (*_NO_ANSWERS, ("X-Loop", settings.address), ("List-Id", f"<{game}.{settings.domain}>"))


def _pages(text: str) -> str:
    """Return a text in the width of a mail."""
    out = []
    for line in text.rstrip().splitlines():
        start = line[: len(line) - len(line.lstrip())]
        out.append(wrapped(line, f"{start}  " if start else "") if line.strip() else "")
    return "".join(f"{one}\n" for one in out)
