"""A mail of ours that came back: its address names game, seat and turn, and cannot be guessed."""

from __future__ import annotations

import datetime
from typing import Final

from pbem.edge.home import Home
from pbem.edge.mail.addresses import Recipient, mask, seat_of_bounce
from pbem.edge.mail.db import Act, MailDb, iso
from pbem.edge.saved import SavedGame

_WORDS: Final = 200


def note_bounce(home: Home, db: MailDb, recipient: Recipient, why: str, now: datetime.datetime) -> bool:
    """Mark the mails that came back, and tell the moderator with the next digest.

    Args:
        home: The home.
        db: Its mail database.
        recipient: The address that the bounce came to.
        why: What the bounce says, in words; any stranger's, so it is shown to nobody but the moderator.
        now: The moment.

    Returns:
        Whether it is about a mail that was sent and is not known to have come back.
    """
    if recipient.kind != "bounce" or not home.has(recipient.game):
        return False
    seat = seat_of_bounce(SavedGame(home, recipient.game), recipient)
    sql = (
        "UPDATE outbox SET state = 'bounced', why = ? "
        "WHERE game = ? AND seat = ? AND turn = ? AND revision = ? AND envelope_from <> '' "
        "AND state IN ('sent', 'claimed')"
    )
    text = mask(" ".join(why.split()))[:_WORDS]
    with db.writing():
        found = db.run(sql, text, recipient.game, seat or "", recipient.turn, recipient.revision).rowcount
        if seat is None or not found:
            return False
        detail = f"mail of turn {recipient.turn} to {seat} came back: {text}"
        db.act(Act(iso(now), "host", recipient.game, "mail bounced", detail, 0))
    return True
