"""Whether a mail came before, and by what it is recognised."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.mail.openpgp import Signed
from pbem.store.journal import Journal
from pbem.store.records import Intake


def repeated_by(
    db: Journal,
    intake: Intake,
    whose: tuple[str, Seat],
    identity: str,
    content: str,
    signed: Signed | None,
) -> str:
    """Say by what a mail is recognised as one that came before, or "".

    Args:
        db: The journal.
        intake: The mail.
        whose: The game and the seat that it comes from.
        identity: Its Message-ID, or what stands for one.
        content: The hash of what it says, or "".
        signed: What is signed of it, if its game demands a signature.
    """
    game, seat = whose
    if db.came_before(identity, game, seat, intake.id):
        return "message-id"
    if signed is not None and signed.made <= int(db.note(game, f"signed:{seat}") or "0"):
        return "signature"
    heard = db.note(game, f"heard:{seat}:{content[:32]}") if content else None
    return "content" if heard is not None and heard != str(intake.id) else ""
