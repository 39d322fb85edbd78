"""Heads of mails, and what is read in each: who wrote it, whether to answer, what a server says of it.

Usage: python -m tests.behaviour.heads

writes down anew what is read in each head of `heads.yaml`.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from pbem.core.interface import Json
from pbem.mail.account.settings import MailSettings
from pbem.mail.arrivals.sources import envelope_of
from pbem.text.mail.letter import RefusedMail, read_letter
from tests.behaviour import corpus
from tests.written import yaml_beside

FILE: Final = "heads.yaml"
OWN: Final = ("host@pbem.example",)
SERVER: Final = "mx.pbem.example"
SETTINGS: Final = MailSettings(
    address=OWN[0], name="", moderator="", zone="UTC", authserv=SERVER, maildir=None, imap=None, smtp=None,
    sendmail=None, per_minute=0, archive=None, archive_address="", orders_per_hour=30, receipts_per_hour=10,
)  # fmt: skip
WRITTEN: Final = ("head", "raw", "base64", "server", "envelope")
"""The fields of a row that somebody writes; the others are what is read."""

Row = dict[str, Any]


def rows() -> list[Row]:
    """Return the heads."""
    found: list[Row] = yaml_beside(__file__, FILE)
    return found


def read_in(row: Row) -> dict[str, Json]:
    """Return what is read in a head; what is empty is left out."""
    raw = corpus.raw_of(row)
    letter = read_letter(raw, envelope_from=row.get("envelope"), authserv=row.get("server", SERVER), own=OWN)
    envelope = envelope_of(raw, SETTINGS)
    if isinstance(letter, RefusedMail):
        return {"refused": letter.reason}
    found: dict[str, Json] = {
        "sender": letter.sender,
        "subject": letter.subject,
        "id": letter.message_id,
        "doubled": [*letter.doubled],
        "automatic": bool(letter.auto),
        "bounce": letter.bounce,
        "checked": [[one.method, one.result, one.domain] for one in letter.authentication],
        "signed in part": letter.has_signature_with_length,
        "arrives": [*envelope] if any(envelope) else [],
        "files": [part.filename for part in letter.parts if part.filename],
    }
    return {name: value for name, value in found.items() if value}


def main() -> int:
    """Write down anew what is read in each head."""
    asked = [{name: value for name, value in row.items() if name in WRITTEN} for row in rows()]
    corpus.write(FILE, [{**row, **read_in(row)} for row in asked])
    return 0


if __name__ == "__main__":
    sys.exit(main())
