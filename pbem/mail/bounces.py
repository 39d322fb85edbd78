"""Mails of ours that came back: the outbox knows which were sent with the address that a bounce comes to."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from pbem.mail.addresses import Recipient
from pbem.mail.settings import MailSettings
from pbem.store.journal import Journal
from pbem.store.records import Act, iso
from pbem.text.mailaddress import mask

_WORDS: Final = 200


@dataclass(frozen=True, slots=True)
class CameBack:
    """What a bounce is about.

    Attributes:
        game: The game.
        seat: The seat whose mails came back.
        turn: The turn that they were about.
        sender: The sender of their envelopes, as the outbox has it.
    """

    game: str
    seat: str
    turn: int
    sender: str


def about(db: Journal, settings: MailSettings, recipient: Recipient) -> CameBack | None:
    """Return which mails were sent with this sender of their envelope; None if there are none.

    Letters may have been made large or small on the way. A mail of an older version is found as well: what
    it was sent with stands in the outbox.
    """
    if recipient.kind != "bounce":
        return None
    sender = f"{settings.local}+{recipient.token}@{settings.domain}"
    found = db.with_sender(sender)
    return CameBack(found.game, found.seat, found.turn, found.envelope_from) if found else None


def note_bounce(db: Journal, found: CameBack, why: str, now: datetime.datetime) -> bool:
    """Mark the mails that came back, and tell the moderator with the next digest.

    Args:
        db: The journal.
        found: What the bounce is about.
        why: What the bounce says, in words; any stranger's, so it is shown to nobody but the moderator.
        now: The moment.

    Returns:
        Whether it is about a mail that was sent and is not known to have come back.
    """
    text = mask(" ".join(why.split()))[:_WORDS]
    with db.writing():
        if not db.set_bounced(found.sender, text):
            return False
        detail = f"mail of turn {found.turn} to {found.seat} came back: {text}"
        db.act(Act(iso(now), "host", found.game, "mail bounced", detail, 0))
    return True
