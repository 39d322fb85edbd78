"""What the headers of a mail say, read so strictly that no two readers can read them differently."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from typing import Final

from pbem.text.mail.message.charsets import codec_of
from pbem.text.names.mailaddress import is_plain_address

SINGLE: Final = (
    "from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references",
    "mime-version", "content-type", "content-transfer-encoding",
)  # fmt: skip
"""Headers that a mail has once at most."""

_LOCAL: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_DOMAIN: Final = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_NAME: Final = rf"(?=(?P<name>(?:{_QUOTED}|[^\x00-\x08\x0a-\x1f\x7f\"<>()\[\]:;@,\\])*))(?P=name)"
_COMMENT: Final = r"(?:[ \t]+\([^()<>@,;:\\\"]*\))?"
_FROM: Final = re.compile(
    rf"[ \t]*+(?:(?P<bare>{_LOCAL}@{_DOMAIN})|{_NAME}<(?P<angled>{_LOCAL}@{_DOMAIN})>){_COMMENT}[ \t]*"
)
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_NOT_SHOWN: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_FOLD: Final = re.compile(r"\r?\n(?=[ \t])")
_MAX_FROM: Final = 1000
_MAX_ID: Final = 250
_RESULT: Final = re.compile(r"\s*([a-z0-9-]+)\s*=\s*([a-z]+)(.*)", re.IGNORECASE)
_PROPERTY: Final = re.compile(
    r"\s(?:header\.(?:d|i|from)|smtp\.(?:mailfrom|helo))\s*=\s*\"?(?:[^\s;@\"]*@)?([a-z0-9.-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What the moderator's own mail server found out about a sender, as one method says.

    Attributes:
        method: Such as "spf", "dkim" or "dmarc".
        result: Such as "pass", "fail" or "none".
        domain: The domain that it is about, in lower case; "" if none is named.
    """

    method: str
    result: str
    domain: str


def sender_of(fields: tuple[str, ...]) -> str | None:
    """Return the one plain address of the one From header, its domain in lower case; else None.

    Args:
        fields: Every From header, as it stands in the mail.
    """
    if len(fields) != 1:
        return None
    field = _FOLD.sub("", fields[0])
    found = _FROM.fullmatch(field) if len(field) <= _MAX_FROM else None
    address = (found["bare"] or found["angled"]) if found else ""
    if not found or not is_plain_address(address):
        return None
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.casefold()}"


def message_id_of(fields: tuple[str, ...]) -> str | None:
    """Return a Message-ID that can be answered to, or None."""
    if len(fields) != 1:
        return None
    text = fields[0].strip()
    return text if len(text) <= _MAX_ID and _MESSAGE_ID.fullmatch(text) else None


def in_words(field: str) -> str:
    """Return a header as people read it: encoded words decoded, and everything that is not shown a space.

    A line feed that was encoded must not become one: it would start another header in an answer.
    """
    if "=?" in field:
        try:
            pieces = decode_header(field)
        except (MessageError, ValueError):
            pieces = [(field, None)]
        field = "".join(_decoded(piece, charset) for piece, charset in pieces)
    return collapsed(field)


def collapsed(text: str) -> str:
    """Return a text in one line, its control characters and runs of spaces made one space."""
    return _NOT_SHOWN.sub(" ", text).strip()


def checked_by(server: str, fields: tuple[str, ...]) -> tuple[Checked, ...]:
    """Return what the Authentication-Results headers of one mail server say.

    Args:
        server: The name it gives itself there; "" believes nobody.
        fields: Those of its headers that no other server can have written.
    """
    out: list[Checked] = []
    for field in fields:
        name, *results = re.sub(r"\([^()]*\)", " ", collapsed(field)).split(";")
        if not server or name.strip().split(" ")[0].casefold() != server.casefold():
            continue
        out.extend(filter(None, map(_result, results)))
    return tuple(out)


def _result(text: str) -> Checked | None:
    found = _RESULT.fullmatch(text)
    if not found:
        return None
    method, result, rest = found.groups()
    named = _PROPERTY.search(rest)
    return Checked(method.casefold(), result.casefold(), named[1].casefold() if named else "")


def _decoded(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    return piece.decode(codec_of(charset or "us-ascii") or "utf-8", "replace")
