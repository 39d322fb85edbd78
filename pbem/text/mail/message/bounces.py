"""Notices of delivery: whether a mail failed for good, waits still, or arrived."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import chain, islice
from typing import Final

_DAEMONS: Final = ("mailer-daemon@", "postmaster@")
_STATUS_PARTS: Final = ("message/delivery-status", "message/global-delivery-status")
_BLANK_LINE: Final = re.compile(rb"\r?\n[ \t]*\r?\n")
_MOST_PARTS: Final = 4
_MOST: Final = 100
_MOST_LETTERS: Final = 64 * 1024
"""So many parts, groups, fields and letters of a notice are looked at."""

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
    groups = chain.from_iterable(map(_groups, islice(_status_parts(message), _MOST_PARTS)))
    fates = set(map(_fate_of, groups))
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
    boxed, lines = part.get_payload(), list[str]()
    for one in boxed[:_MOST] if isinstance(boxed, list) else ():
        if isinstance(one, Message):
            lines += [f"{name}: {value}" for name, value in islice(one.raw_items(), _MOST)]
            lines += ["", rest if isinstance(rest := one.get_payload(), str) else "", ""]
    body = Message()
    body["Content-Transfer-Encoding"] = str(part.get("content-transfer-encoding", "7bit"))
    body.set_payload("\n".join(lines)[:_MOST_LETTERS])
    data = body.get_payload(decode=True)
    for group in _BLANK_LINE.split(data if isinstance(data, bytes) else b"", maxsplit=_MOST):
        yield BytesHeaderParser(policy=compat32).parsebytes(group.lstrip())


def _fate_of(group: Message) -> str:
    """Return what became of a mail for one reader; "unknown" for another action, "" for no group of a reader.

    Source: RFC 3464, 2.3.3 (Action) and 2.3.4 (Status, which stands for an action that is missing).
    """
    if word := _WORD.match(str(group.get("action", "")).strip()):
        return _FATES.get(word[0].casefold(), "unknown")
    return _CLASSES.get(str(group.get("status", "")).strip()[:1], "")
