"""What a mail address may be, and its secrets, starred in what others may read: logs, acts, faults."""

from __future__ import annotations

import re
from typing import Final

LONGEST_LOCAL: Final = 64
LONGEST: Final = 254

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

PLAIN: Final = (
    rf"^(?!.{{{LONGEST + 1}}})(?![^@]{{{LONGEST_LOCAL + 1}}})(?!.*=\?)"
    rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*(?!\n)$"
)
"""A dot-string, an @ and a domain (RFC 5321, 4.1.2 and 4.5.3.1), as a pattern of a schema.

Without `=?`, with which an encoded word begins.
"""


def is_plain_address(text: str) -> bool:
    """Tell whether a text is one plain address and nothing else."""
    return bool(re.match(PLAIN, text))


def mailbox_of(address: str) -> str:
    """Return what an address has in common with others that lead to the same mailbox (RFC 5233: `ann+x@`)."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_of_one_machine(text: str) -> bool:
    """Tell whether a plain address has no dot behind its @, so that no other machine knows where it is."""
    domain = text.rpartition("@")[2]
    return "." not in domain and domain.casefold() != "localhost"


_TOKEN: Final = (
    r"(?:(?<=\.)|(?<=\+[bm]_))[a-z2-7]{16}(?![a-z0-9])|(?<![a-z0-9])(?=[a-z]*[2-7])[a-z2-7]{16}(?![a-z0-9])"
)


def mask(text: str) -> str:
    """Return a text for a log or for other eyes: whatever looks like a token is starred."""
    return re.sub(_TOKEN, "*" * 4, text, flags=re.IGNORECASE)
