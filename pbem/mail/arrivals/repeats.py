"""Whether a mail came before, and by what it is recognised."""

from __future__ import annotations

import hashlib
from typing import Final

from pbem.core.events import Seat
from pbem.mail.arrivals.openpgp import Signed
from pbem.store.journals.journal import Journal
from pbem.store.journals.records import Intake
from pbem.text.mail.message.letter import Letter

_UNDATED: Final = "@no-date>"
_WRITTEN: Final = ("from", "to", "cc", "reply-to", "subject", "in-reply-to", "references")
"""The headers that a sender writes: others may be added on the way."""


def identity_of(letter: Letter, raw: bytes, orders: bytes | None, *, is_command: bool) -> tuple[str, str]:
    """Return what a mail is recognised by when it comes again, and the hash of its orders.

    Args:
        letter: The mail.
        raw: Its bytes.
        orders: The orders in it, or None.
        is_command: It gives a command: the same one may be meant again.

    Returns:
        Its Message-ID, or a hash in its place: of its sender, its date and what it says; where it has no date
        either, of all that its sender wrote, or of a command as it came. Beside it the hash of date and
        orders, or "".
    """
    sender, written = (letter.sender or "").casefold(), letter.header("date")
    if not written and not (is_command and orders is None):
        body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
        head = (letter.header(name).encode(errors="replace") for name in _WRITTEN)
        whole = hashlib.sha256(b"\0".join([*head, body])).hexdigest()
        return letter.message_id or f"<{whole}{_UNDATED}", ""
    said = written.encode() + b"\0" + (raw if orders is None else orders)
    identity = hashlib.sha256(sender.encode() + b"\0" + said).hexdigest()
    content = hashlib.sha256(said).hexdigest()
    return letter.message_id or f"<{identity}@no-id>", "" if orders is None else content


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
        return "whole" if identity.endswith(_UNDATED) else "message-id"
    if signed is not None and signed.made <= int(db.note(game, f"signed:{seat}") or "0"):
        return "signature"
    heard = db.note(game, f"heard:{seat}:{content[:32]}") if content else None
    return "content" if heard is not None and heard != str(intake.id) else ""
