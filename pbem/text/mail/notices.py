"""Notices of delivery that are written for people alone: what they show of a mail that did not arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Final, NamedTuple

from pbem.text.mail.bodies import rows_of
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import is_about_absence

_MOST_LINES: Final = 80
_MOST_LETTERS_OF_ROW: Final = 240
"""So much is looked at of a notice, and of each line."""

_RETURNED: Final = re.compile(r"(?:>? ?)(?:return-path|received|message-id|mime-version|x-\w[\w-]*):", re.I)
"""A header: here begins the mail that came back, which may hold anything."""

_CODE: Final = re.compile(r"(?<![\d.,:])(?:([45])\.\d{1,3}\.\d{1,3}(?![.\d])|([45])[0-5]\d(?=[ -]))")
"""An enhanced status code (RFC 3463), or the reply of a server (RFC 5321, 4.2)."""

_WAITS: Final = re.compile(
    r"\bdelay(?:ed)?\b|\bnot yet been delivered|\bstill (?:be )?(?:trying|queued)|\bwill (?:keep|continue)\b"
    r"|\bwill (?:be )?retr|\bto be retried|\bdeferred\b|\bno action is required\b",
    re.IGNORECASE,
)
_FAILED: Final = re.compile(
    r"\bundeliver|\bfail(?:ed|ure)\b|\breturned (?:mail|to sender)|\b(?:not|n't) be (?:delivered|sent|found)"
    r"|\b(?:unknown|invalid|no such|unable|disabled|rejected|bounced?|non.?existent|permanent)\b"
    r"|\b(?:not|n't) (?:exist|found|known|listed|reach|deliver)|\bover ?quota|\bquota exceeded|\bfull\b",
    re.IGNORECASE,
)


class Shown(NamedTuple):
    """What a notice shows: "failed", "delayed" or "", and the line that shows it."""

    fate: str
    line: str


def shown_in(letter: Letter) -> Shown:
    """Return what a notice shows of a mail that went to somebody.

    A notice that says that a mail waits is none of a failure, though it tells why it waits.
    """
    lines = [line.strip(" .") for line in (*_lines(letter), letter.subject[:_MOST_LETTERS_OF_ROW])]
    coded = [(found[1] or found[2], line) for line in lines if (found := _CODE.search(line))]
    final = next((line for digit, line in coded if digit == "5"), None)
    passing = next((line for digit, line in coded if digit == "4"), None)
    if final is None and any(
        is_about_absence([line]) for line in lines
    ):  # a person's robot, from an address that is not known
        return Shown("", "")
    waits = next(filter(_WAITS.search, lines), None)
    failed = next(filter(_FAILED.search, lines), None)
    if waits is not None:
        return Shown("delayed", passing or waits)
    if letter.header("x-failed-recipients") or final is not None or failed is not None:
        return Shown("failed", final or failed or "")
    return Shown("delayed", passing) if passing is not None else Shown("", "")


def _lines(letter: Letter) -> Iterator[str]:
    """Yield the lines of a notice above the mail that came back, each cut."""
    for kind in ("text/plain", "text/html"):
        texts = [
            [row.text[:_MOST_LETTERS_OF_ROW] for row in islice(rows, _MOST_LINES)]
            for rows in rows_of(letter, kind)
        ]
        if texts:
            yield from takewhile(
                lambda line: not _RETURNED.match(line), (line for text in texts for line in text)
            )
            return
