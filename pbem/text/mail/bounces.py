"""Notices of delivery: whether a mail failed for good, waits still, or arrived."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

_DAEMONS: Final = ("mailer-daemon@", "postmaster@")
_STATUS_PARTS: Final = ("message/delivery-status", "message/global-delivery-status")
_BLANK_LINE: Final = re.compile(rb"\r?\n[ \t]*\r?\n")
_WORD: Final = re.compile(r"[a-z]{1,20}", re.IGNORECASE)
_FATES: Final[Mapping[str, str]] = {
    "failed": "failed",
    "delayed": "delayed",
    "delivered": "arrived",
    "relayed": "arrived",
    "expanded": "arrived",
}
_CLASSES: Final[Mapping[str, str]] = {"5": "failed", "4": "delayed", "2": "arrived"}
_GRAVEST: Final = ("failed", "delayed", "arrived")


def bounce_of(
    message: Message, headers: Mapping[str, tuple[str, ...]], sender: str | None, *, null_sender: bool
) -> str:
    """Return "failed", "delayed", "arrived" or "unknown" for a notice of delivery; "" for other mails."""
    fates = {_fate_of(group) for part in _status_parts(message) for group in _groups(part)}
    if found := next((fate for fate in _GRAVEST if fate in fates), ""):
        return found
    kind = headers.get("content-type", ("",))[0].casefold()
    if fates - {""} or (kind.startswith("multipart/report") and "delivery-status" in kind):
        return "unknown"
    is_daemon = sender is not None and sender.casefold().startswith(_DAEMONS)
    return "unknown" if null_sender and is_daemon else ""


def _status_parts(message: Message) -> Iterator[Message]:
    """Yield the machine-readable parts of a notice; not those of a mail that it holds."""
    kind = message.get_content_type()
    if kind in _STATUS_PARTS:
        yield message
    elif kind.startswith("multipart/") and isinstance(parts := message.get_payload(), list):
        for part in parts:
            if isinstance(part, Message):
                yield from _status_parts(part)


def _groups(part: Message) -> Iterator[Message]:
    """Yield the groups of fields of such a part: that of the mail first, then one for each reader.

    The parser of the standard library knows the groups of one of the two types, and never an encoded part.

    Source: RFC 3464, 2.1; RFC 6533, 4 (which lets the part be encoded).
    """
    body = Message()
    body["Content-Transfer-Encoding"] = str(part.get("content-transfer-encoding", "7bit"))
    whole = part.as_bytes(policy=compat32)
    body.set_payload(_BLANK_LINE.split(whole, maxsplit=1)[-1].decode("ascii", "surrogateescape"))
    data = body.get_payload(decode=True)
    for group in _BLANK_LINE.split(data if isinstance(data, bytes) else b""):
        yield BytesHeaderParser(policy=compat32).parsebytes(group.lstrip())


def _fate_of(group: Message) -> str:
    """Return what became of a mail for one reader; "unknown" for another action, "" for no group of a reader.

    Source: RFC 3464, 2.3.3 (Action) and 2.3.4 (Status, which stands for an action that is missing).
    """
    if word := _WORD.match(str(group.get("action", "")).strip()):
        return _FATES.get(word[0].casefold(), "unknown")
    return _CLASSES.get(str(group.get("status", "")).strip()[:1], "")
