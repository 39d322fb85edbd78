"""Whether a mail must not be answered (RFC 3834), and what says so of ours: machines answer for ever."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

MOST_RECEIVED: Final = 30

NAMED_AS_ROBOT: Final = "its sender is nobody who reads answers"
"""Said where nothing but the name of its sender speaks for a machine: a player may have such an address."""

_MACHINE: Final = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|owner-.*|.*-request|.*-owner|bounces?(?:[+-].*)?)@.*",
    re.IGNORECASE,
)
_REPLIERS: Final = (
    "x-autoreply", "x-autorespond", "x-auto-reply", "x-autoresponder", "x-mail-autoreply",
    "x-fc-machinegenerated",
)  # fmt: skip
_BULK: Final = frozenset(["bulk", "junk", "list", "auto_reply", "autoreply"])
_SUPPRESSED: Final = frozenset(["all", "dr", "autoreply"])
_COMMENT: Final = re.compile(r"\([^()]*\)")


def why_automatic(
    headers: Mapping[str, tuple[str, ...]],
    sender: str | None,
    own: Collection[str] = (),
    *,
    null_sender: bool = False,
) -> str:
    """Return why a mail must not be answered, or "".

    Args:
        headers: Its headers, by their names in lower case.
        sender: The address of its From header; None if it cannot be relied on, which says nothing of a
            machine. Answers go to the registered address.
        own: What our own mails carry in X-Loop or List-Id.
        null_sender: The envelope names nobody to answer to.
    """
    if null_sender:
        return "the envelope names no sender"
    if any(word not in ("", "no") for word in _words(headers, "auto-submitted")):
        return "Auto-Submitted says that a program sent it"
    if is_own(headers, own):
        return "it is a mail of our own that came back"
    if "multipart/report" in _words(headers, "content-type"):
        return "it is a report that a program wrote, such as one that a mail was read"
    if any(headers.get("list-id", ())) or not _BULK.isdisjoint(_words(headers, "precedence")):
        return "it came through a mailing list or in bulk"
    wishes = ",".join(_words(headers, "x-auto-response-suppress")).split(",")
    if not _SUPPRESSED.isdisjoint(map(str.strip, wishes)):
        return "X-Auto-Response-Suppress asks for none"
    if any(name in headers for name in _REPLIERS):
        return "an autoresponder sent it"
    if len(headers.get("received", ())) > MOST_RECEIVED:
        return "it went through too many servers"
    return NAMED_AS_ROBOT if sender is not None and _MACHINE.fullmatch(sender) else ""


def own_headers(address: str, about: str = "", *, is_answer: bool = False) -> tuple[tuple[str, str], ...]:
    """Return the headers by which no robot answers a mail of ours, and we know it again.

    Args:
        address: The host's address.
        about: What mail programs list it under, such as the game with the host's domain; "" for nothing.
        is_answer: A mail of somebody made it, and not the program by itself.
    """
    said = "auto-replied" if is_answer else "auto-generated"
    listed = (("List-Id", f"<{about}>"),) if about else ()
    return (("Auto-Submitted", said), ("X-Auto-Response-Suppress", "All"), ("X-Loop", address), *listed)


def is_own(headers: Mapping[str, tuple[str, ...]], own: Collection[str]) -> bool:
    """Tell whether a mail carries the mark of our own mails."""
    marks = {mark.casefold() for mark in own if mark}
    found = (*headers.get("x-loop", ()), *headers.get("list-id", ()))
    return any(mark in field.casefold() for field in found for mark in marks)


def _words(headers: Mapping[str, tuple[str, ...]], name: str) -> tuple[str, ...]:
    """Return the values of a header without comments and parameters, in lower case."""
    values = headers.get(name, ())
    return tuple(_COMMENT.sub(" ", value).partition(";")[0].strip().casefold() for value in values)
