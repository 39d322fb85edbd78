"""What the moderator is told by mail, as it comes: press, and requests that only a person can decide."""

from __future__ import annotations

from email.utils import format_datetime

from pbem.edge.mail.answers import message_id_of
from pbem.edge.mail.db import Outbound
from pbem.edge.mail.desk import Desk
from pbem.edge.mail.outgoing import NO_ANSWERS
from pbem.edge.saved import SavedGame
from pbem.text.layout import wrapped
from pbem.text.mail.compose import Outgoing, compose


def tell_moderator(desk: Desk, saved: SavedGame, name: str, subject: str, quoted: str) -> bool:
    """Queue a mail to the moderator; False if no address is known, or the mail is there already."""
    settings = desk.settings
    if not settings.moderator:
        return False
    message_id = message_id_of(saved, f"{name}.moderator", settings.domain)
    text = "\n".join(wrapped(f"| {line}") for line in quoted.splitlines())
    mail = Outgoing(
        kind="notice",
        envelope_from="",
        to=settings.moderator,
        from_=settings.address,
        from_name=settings.name,
        subject=f"[{saved.name}] {subject}",
        message_id=message_id,
        date=format_datetime(desk.now),
        text=f"{subject}:\n\n{text}\n",
        headers=(*NO_ANSWERS, ("X-Loop", settings.address)),
    )
    row = Outbound(saved.name, saved.turn, "", "notice", 0, settings.moderator, "", message_id, compose(mail))
    return desk.db.put(row, desk.now)
