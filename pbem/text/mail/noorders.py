"""Why a mail holds no orders that count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.core.interface import Json
from pbem.core.wording import most_similar_name
from pbem.text.envelope import BULLET, OF_ORDERS
from pbem.text.mail.bodies import text_of
from pbem.text.mail.candidates import Candidate
from pbem.text.mail.headers import MAX_LINE, RefusedMail
from pbem.text.mail.letter import Letter, Part, read_letter
from pbem.text.mail.quotes import own_lines
from pbem.text.mail.rows import Row

_HEAD: Final = re.compile(r"\s*(?!orders\s*:)([A-Za-z]{4,8})\s*[:;=.,]?\s*", re.IGNORECASE)
_KEYS: Final = "|".join(OF_ORDERS)
_BELOW: Final = re.compile(
    rf"[^\S\n]*(?:(?:{BULLET}\s*\{{?|\{{)\s*(?:{_KEYS})\b|(?:{_KEYS})\s*:|at\s+\S+\n\s*(?:{_KEYS})\s*:)",
    re.IGNORECASE,
)
"""What shows that orders stand there: a bullet, a brace or a colon at their words, or below "at red-1"."""
_ALIKE: Final = 0.75
_PLAIN: Final = b"Content-Type: text/plain; charset=utf-8\n\n"


@dataclass(frozen=True, slots=True)
class MisspeltHead:
    """A line that was meant as `orders:`.

    Attributes:
        line: Its number in the text of the mail.
        text: What stands there.
        letter: The text of the mail with `orders:` in its place; its lines have the same numbers.
    """

    line: int
    text: str
    letter: Letter


def find_misspelt_head(letter: Letter) -> MisspeltHead | None:
    """Return the line of a plain text that was meant as `orders:`, with what orders have below it."""
    own = set(own_lines(letter))
    for part in letter.parts:
        if part.content_type != "text/plain" or part.is_attached:
            continue
        text = text_of(part)
        lines = [] if isinstance(text, RefusedMail) else [line.rstrip()[:MAX_LINE] for line in text.lines]
        for number, line in enumerate(lines, 1):
            below = "\n".join(lines[number : number + 2])
            if line in own and _is_misspelt_head(line) and _BELOW.match(below):
                mended = "\n".join([*lines[: number - 1], "orders:", *lines[number:]])
                anew = read_letter(_PLAIN + mended.encode("utf-8", "replace"))
                return MisspeltHead(number, line.strip(), anew) if isinstance(anew, Letter) else None
    return None


def _is_misspelt_head(line: str) -> bool:
    word = _HEAD.fullmatch(line)
    return word is not None and word[1][0] in "oO" and bool(most_similar_name(word[1], ("orders",), _ALIKE))


@dataclass(frozen=True, slots=True)
class NoOrders:
    """No orders were found, or none that can be told from others.

    Attributes:
        reason: Why: a template of `mail/noorders` says it.
        said: What it names of the mail.
        quoted: The lines of orders that stand in what is quoted only, without its marks.
    """

    reason: str
    said: Mapping[str, Json] = field(default_factory=dict)
    quoted: tuple[str, ...] = ()

    @property
    def is_headless(self) -> bool:
        """Tell whether lines look like orders, and nothing above them says so."""
        return self.reason in ("headless", "nearly-headed")

    @property
    def is_two_sets(self) -> bool:
        """Tell whether there are different orders, each of which could be read."""
        return self.reason in ("two-texts", "two-orders")


_SEALED: Final = frozenset(
    ["application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"]
)
_OPEN: Final = frozenset(["signed-data", "compressed-data", "certs-only"])
"""What an S/MIME type says of a mail that is not encrypted (RFC 8551, 3.2.2), and packed all the same."""

_PICTURES: Final = ("image/", "audio/", "video/")
_NEVER_READ: Final = (
    ".zip", ".gz", ".7z", ".rar", ".tar", ".doc", ".docx", ".odt", ".rtf", ".pdf", ".pages", ".xls", ".xlsx",
)  # fmt: skip
_AS_TEXT: Final = (".yml", ".yaml", ".txt")
_SHOWN: Final = 40
_FORM_PAGE: Final = "orders-"
_HELPS_MOST: Final = (
    "hidden", "headless", "unclear", "old-form", "only-quoted", "charset", "too-long", "not-text",
    "blank-form",
)  # fmt: skip
_SAYS_LITTLE: Final = ("blank-form", "only-quoted")
_NEARLY_NONE: Final = re.compile(r"\W{0,4}orders\W{0,3}:\W{0,4}none\b", re.IGNORECASE)


def unclear_lines_reason(candidate: Candidate) -> NoOrders:
    """Say that nobody can tell whether lines are their sender's own."""
    return NoOrders("unclear", {"line": _first_line_text(candidate)})


def headless(candidate: Candidate) -> NoOrders:
    """Say that lines look like orders, and that nothing above them says so."""
    row = _first_row(candidate)
    first = re.sub(rf"^{BULLET}\s+", "", row.text.strip())
    key = first.partition(":")[0].strip()
    is_line = first[:1] == "{" or key.lower() in (*OF_ORDERS, "to")
    braced = "" if is_line else f", and put them in braces: `- do: {{{_shorten(key)}: ...}}`"
    return NoOrders("headless", {"line": _row_text(row, candidate), "braced": braced})


def no_unquoted_orders(candidate: Candidate) -> NoOrders:
    """Say that orders stand in what is quoted only, and which."""
    return NoOrders("only-quoted", quoted=tuple(row.text for row in candidate.rows))


def no_whole_orders(candidate: Candidate) -> NoOrders:
    """Say that orders were found without lines that look like a part of them."""
    line = _row_text(candidate.lost[0], candidate)
    return NoOrders("not-whole", {"number": candidate.first_line, "line": f"{line[:1].lower()}{line[1:]}"})


def press_alone_reason(found: Candidate, passed: Candidate) -> NoOrders:
    """Say that press was found, and that orders may stand where nobody can tell whose they are."""
    return NoOrders("press-alone", {"number": found.first_line, "line": _first_line_text(passed)})


def passed_over_note(candidate: Candidate) -> str:
    """Say in a note that lines did not count."""
    line = _first_line_text(candidate)
    return f"{line} stands directly below a line that you quoted, was taken for its end and did not count."


def unread_file_note(part: Part) -> str:
    """Say that a file which came with a mail, or is all of it, is not read; "" if nobody wrote it to be read.

    A picture within a mail may be one of our report, which came back with it.
    """
    kind, name = part.content_type, part.filename
    if kind.startswith("multipart/"):
        return (
            "Your mail could not be taken apart: it does not say what separates its parts. Send plain text."
        )
    is_alone = not part.inside and not kind.startswith(("message/", "text/")) and kind not in _SEALED
    is_picture = kind.startswith(_PICTURES) and part.disposition == "attachment"
    is_known = name.casefold().endswith((*_NEVER_READ, *_AS_TEXT)) or name.casefold() == "winmail.dat"
    if not (is_alone or is_picture or is_known):
        return ""
    return f"The attachment {name or f'of the type {kind}'} is not read. Send plain text."


def unread_page_note(name: str) -> str:
    """Say that a page is not read as a file, and what is."""
    text = " ".join(["The attached page", *name.split(), "itself is not read."])
    if name.casefold().startswith(_FORM_PAGE):
        return f"{text} Open it in a browser, fill it in, and send what its Copy or Save button gives."
    return f"{text} Send plain text; of the page of a form, send what its Copy or Save button gives."


def no_agreeing_texts(one: Candidate, other: Candidate) -> NoOrders:
    """Say that the text and the page of one mail do not say the same."""
    return NoOrders("two-texts", {"number": one.first_line, "other": other.first_line})


def two_sets_reason(one: Candidate, other: Candidate) -> NoOrders:
    """Say that there are two sets of orders in one mail, and what to do about them."""
    said = {
        "one": _candidate_place(one),
        "other": _candidate_place(other),
        "way": _two_sets_advice(one, other),
    }
    return NoOrders("two-orders", said)


def why_none(reasons: list[NoOrders], letter: Letter) -> NoOrders:
    """Return the reason that helps most."""
    found = {one.reason: one for one in reversed(reasons)}
    best = next((found[reason] for reason in _HELPS_MOST if reason in found), None)
    if best is None or best.reason in _SAYS_LITTLE:
        best = _near_withdrawal_reason(letter) or best
    if best is None or best.is_headless or best.reason in _SAYS_LITTLE:
        best = _near_head_reason(letter) or best
    if best is not None:
        return best
    kinds = {part.content_type for part in letter.parts}
    sealed = {part.smime for part in letter.parts if part.content_type in _SEALED}
    if sealed:
        return NoOrders("packed" if sealed <= _OPEN else "encrypted")
    return NoOrders("forwarded" if "message/rfc822" in kinds else "no-orders")


def _near_withdrawal_reason(letter: Letter) -> NoOrders | None:
    """Say what withdraws orders to a player who wrote nearly that."""
    line = next((line.strip() for line in own_lines(letter) if _NEARLY_NONE.match(line[:MAX_LINE])), None)
    return None if line is None else NoOrders("nearly-none", {"line": _shorten(line)})


def _near_head_reason(letter: Letter) -> NoOrders | None:
    """Ask a player for `orders:` who wrote nearly that above what orders have."""
    near = find_misspelt_head(letter)
    return None if near is None else NoOrders("nearly-headed", {"number": near.line, "line": near.text})


def _first_line_text(candidate: Candidate) -> str:
    return _row_text(_first_row(candidate), candidate)


def _first_row(candidate: Candidate) -> Row:
    return next((row for row in candidate.rows if row.spots[0].line), candidate.rows[0])


def _row_text(row: Row, candidate: Candidate) -> str:
    text = _shorten(row.text.strip())
    place = f" of the {candidate.origin}" if candidate.origin.startswith("attachment") else ""
    return f"Line {row.spots[0].line}{place} (`{text}`)"


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _two_sets_advice(one: Candidate, other: Candidate) -> str:
    """Say what to do about two sets of orders."""
    for name in ("game", "seat"):
        if None not in (said := (one.said(name), other.said(name))) and str(said[0]) != str(said[1]):
            return f"They name two {name}s: send one mail for each {name}, each to its own address."
    return "Send one only."


def _candidate_place(one: Candidate) -> str:
    place = f"at line {one.first_line}"
    return f"{place} of the {one.origin}" if one.origin.startswith("attachment") else f"{place} of the text"
