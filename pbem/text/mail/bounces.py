"""Mails that tell of mails of ours: whether one failed for good, waits still, or nobody can say."""

from __future__ import annotations

from collections.abc import Mapping
from email.message import Message
from typing import Final

_DAEMONS: Final = ("mailer-daemon@", "postmaster@")


def bounce_of(
    message: Message, headers: Mapping[str, tuple[str, ...]], sender: str | None, *, null_sender: bool
) -> str:
    """Return "failed", "delayed" or "unknown" for a notice of delivery (RFC 3464); "" for other mails."""
    action = _action(message)
    if action:
        return {"failed": "failed", "delayed": "delayed"}.get(action, "unknown")
    kind = headers.get("content-type", ("",))[0].casefold()
    if kind.startswith("multipart/report") and "delivery-status" in kind:
        return "unknown"
    is_daemon = sender is not None and sender.casefold().startswith(_DAEMONS)
    return "unknown" if null_sender and is_daemon else ""


def _action(message: Message) -> str:
    """Return the last thing that a report of delivery says was done, or ""."""
    if message.get_content_type() != "multipart/report":
        return ""
    parts = message.get_payload()
    found = ""
    for part in parts if isinstance(parts, list) else []:
        if not isinstance(part, Message) or part.get_content_type() != "message/delivery-status":
            continue
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else []:
            if isinstance(group, Message) and (action := group.get("action")):
                found = str(action).strip().casefold()
    return found
