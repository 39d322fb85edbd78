"""The orders in a mail, wherever they stand; or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.text.mail.blocks import blocks
from pbem.text.mail.bodies import Text, text_of
from pbem.text.mail.candidates import Candidate, read_block, whole
from pbem.text.mail.letter import Letter, Part
from pbem.text.mail.limits import Refused
from pbem.text.mail.rows import Spot
from pbem.text.plaintext import MAX_BYTES
from pbem.text.strictyaml import Document

_YAML_TYPES: Final = frozenset(
    ["text/x-yaml", "application/yaml", "application/x-yaml", "text/yaml", "text/vnd.yaml", "text/x-yml"]
)
_YAML_NAMES: Final = (".yml", ".yaml")
_NEVER_READ: Final = (
    ".zip", ".gz", ".7z", ".rar", ".tar", ".doc", ".docx", ".odt", ".rtf", ".pdf", ".pages", ".xls", ".xlsx",
)  # fmt: skip


_PAGES: Final = (".html", ".htm", ".xhtml", ".mhtml")
_FORM_PAGE: Final = "orders-"


@dataclass(frozen=True, slots=True)
class FoundOrders:
    """Orders that were found; whether they are right is for others to say.

    Attributes:
        text: An orders file.
        lines: Where each of its lines came from, piece by piece, in their text.
        origin: "attachment NAME", "body", "quoted form" or "html".
        notes: What was mended, dropped or passed over, one sentence each.
        theirs: The lines of the text that they were found in, as they stand there.
        document: What they say, as they were read already; None if they are no YAML.
    """

    text: bytes
    lines: tuple[tuple[Spot, ...], ...]
    origin: str
    notes: tuple[str, ...] = ()
    theirs: tuple[str, ...] = field(default=(), repr=False)
    document: Document | None = field(default=None, repr=False, compare=False)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the line and column in their text of a place in the orders file.

        What was written in for them, such as the name of the game, is at line 0.
        """
        if not 0 < line <= len(self.lines):
            return 0, column
        spots = self.lines[line - 1]
        spot = next((one for one in reversed(spots) if one.start < column), spots[0])
        return spot.line, max(column - spot.start + spot.shift, spot.shift + 1)

    def shown(self, line: int, column: int = 1) -> str:
        """Return the line of their text that a place in the orders file came from, as it stands there."""
        number, _ = self.place(line, column)
        return self.theirs[number - 1] if 0 < number <= len(self.theirs) else ""


@dataclass(frozen=True, slots=True)
class NoOrders:
    """No orders were found, or none that can be told from others.

    Attributes:
        reason: Why, as a short name: "blank-form", "charset", "doubled-header", "encrypted", "forwarded",
            "hidden", "no-orders", "not-text", "old-form", "only-quoted", "too-long" or "two-orders".
        text: Why, in words for the player, and what would do.
    """

    reason: str
    text: str


_WORDS: Final = {
    "blank-form": "The form in your mail is not filled in. Write your orders in place of {}.",
    "encrypted": "Your mail is encrypted, and nobody here can read it. Send it signed or plain.",
    "forwarded": "Your mail holds another mail, which is not searched. Write a mail of your own.",
    "hidden": "Some of the orders in your mail are hidden from its readers. Send them as plain text.",
    "no-orders": "There are no orders in your mail. Fill in the form of your report, or write `orders:` and "
    "what follows it as the form shows.",
    "old-form": "The form that you filled in is for an earlier turn or another seat. Take the one of your "
    "newest report.",
    "only-quoted": "There are orders in what you quoted only, without the first line of the form (`# pbem "
    "form ...`). Write them above the quote, or keep that line.",
}


@dataclass(slots=True)
class _Search:
    """What was found in a mail so far."""

    marker_ok: Callable[[str], bool]
    good: list[Candidate] = field(default_factory=list)
    reasons: list[NoOrders] = field(default_factory=list)

    def add(self, candidate: Candidate) -> None:
        if candidate.is_blank:
            self.miss("blank-form")
        elif candidate.is_hidden:
            self.miss("hidden")
        elif candidate.depth and not candidate.marker:
            self.miss("only-quoted")
        elif candidate.depth and not self.marker_ok(candidate.marker):
            self.miss("old-form")
        else:
            self.good.append(candidate)

    def miss(self, reason: str, text: str = "") -> None:
        self.reasons.append(NoOrders(reason, text or _WORDS[reason]))


def find_orders(
    letter: Letter,
    marker_ok: Callable[[str], bool],
    *,
    game: str = "",
    seat: str = "",
    known: Collection[str] = (),
) -> FoundOrders | NoOrders:
    """Find the orders in a mail.

    Args:
        letter: The mail.
        marker_ok: Tells whether a marker line is that of a form of this seat for an ask that is open.
        game: The game of the address that the mail came to; written into orders that do not name one.
        seat: The seat of that address, likewise.
        known: The words that can stand right under `do`; capitals in them are put right.
    """
    if letter.doubled:
        named = ", ".join(letter.doubled)
        return NoOrders("doubled-header", f"Your mail has more than one header of a kind: {named}.")
    search = _Search(marker_ok)
    for part in letter.parts:
        if part.is_attached:
            _search_attachment(search, part)
    plain = [part for part in letter.parts if part.content_type == "text/plain" and not part.is_attached]
    pages = [part for part in letter.parts if part.content_type == "text/html" and not part.is_attached]
    _search_bodies(search, plain, pages)
    good = [one.named(game, seat).with_small_words(known) for one in search.good]
    return _settled(good) if good else _why_none(search, letter)


def _search_attachment(search: _Search, part: Part) -> None:
    name = part.filename.casefold()
    if part.content_type == "text/html" or name.endswith(_PAGES):
        search.miss("not-text", _why_no_page(part.filename))
        return
    is_yaml = part.content_type in _YAML_TYPES or name.endswith(_YAML_NAMES)
    if not (is_yaml or part.content_type == "text/plain" or name.endswith(".txt")):
        if name.endswith(_NEVER_READ) or name == "winmail.dat":
            search.miss("not-text", f"The attachment {part.filename} is not read. Send plain text.")
        return
    if len(part.data) > MAX_BYTES:
        search.miss("too-long", f"The attachment {part.filename} is longer than {MAX_BYTES // 1024} KiB.")
        return
    text = text_of(part)
    origin = f"attachment {part.filename}".rstrip()
    if isinstance(text, Refused):
        search.miss(text.reason, text.text)
    elif is_yaml:
        if any(line.strip() for line in text.lines):
            search.add(_noted(whole(text.lines, origin), text))
    else:
        for candidate in _candidates(text, origin):
            search.add(candidate)


def _why_no_page(name: str) -> str:
    """Say that a page is not read as a file, and what is."""
    text = " ".join(["The attached page", *name.split(), "itself is not read."])
    if name.casefold().startswith(_FORM_PAGE):
        return f"{text} Open it in a browser, fill it in, and send what its Copy or Save button gives."
    return f"{text} Send plain text; of the page of a form, send what its Copy or Save button gives."


def _search_bodies(search: _Search, plain: list[Part], pages: list[Part]) -> None:
    """Search the plain text, and the page if nothing that can be read stands in the text."""
    before = len(search.good)
    for parts, origin in ((plain, "body"), (pages, "html")):
        found: list[Candidate] = []
        for part in parts:
            text = text_of(part)
            if isinstance(text, Refused):
                search.miss(text.reason, text.text)
            else:
                found += _candidates(text, origin)
        if origin == "html" and len(search.good) > before and not any(one.document for one in found):
            return
        if origin == "html":
            del search.good[before:]
        for candidate in found:
            search.add(candidate)
        now = search.good[before:]
        if now and all(_is_sound(one) for one in now):
            return


def _is_sound(candidate: Candidate) -> bool:
    return candidate.document is not None


def _candidates(text: Text, origin: str) -> list[Candidate]:
    """Return all sets of orders in a text, as the first reading has it in which all of them are YAML."""
    first: list[Candidate] | None = None
    for rows, wrapped in text.readings():
        found = [
            _noted(read_block(block, text.lines, origin), text) for block in blocks(rows, wrapped=wrapped)
        ]
        if first is None:
            first = found
        if found and all(one.is_blank or one.document is not None for one in found):
            return found
    return first or []


def _noted(candidate: Candidate, text: Text) -> Candidate:
    """Return a candidate with what is to be told of its text."""
    notes = [*text.notes]
    spots = (spot for row in candidate.rows for spot in row.spots) if text.cleaned else ()
    if cleaned := sorted({spot.line for spot in spots} & text.cleaned):
        named = ", ".join(map(str, cleaned[:8]))
        notes.append(f"Invisible characters were dropped from line{'s' if len(cleaned) > 1 else ''} {named}.")
    return replace(candidate, notes=(*notes, *candidate.notes)) if notes else candidate


def _settled(named: list[Candidate]) -> FoundOrders | NoOrders:
    near = [one for one in named if one.depth < 2] or named
    notes = [
        f"The orders quoted at line {one.first_line} were passed over." for one in named if one not in near
    ]
    best = near[0]
    for other in near[1:]:
        if not best.says_the_same(other):
            text = (
                f"There are two different sets of orders in your mail, {_where(best)} and {_where(other)}. "
                f"{_way_out(best, other)}"
            )
            return NoOrders("two-orders", text)
    return _found(best.without_blank_orders(), notes)


def _way_out(one: Candidate, other: Candidate) -> str:
    """Say what to do about two sets of orders."""
    for name in ("game", "seat"):
        if None not in (said := (one.said(name), other.said(name))) and said[0] != said[1]:
            return f"They name two {name}s: send one mail for each {name}, each to its own address."
    return "Send one only."


def _where(one: Candidate) -> str:
    place = f"at line {one.first_line}"
    return f"{place} of the {one.origin}" if one.origin.startswith("attachment") else f"{place} of the text"


def _found(one: Candidate, notes: list[str]) -> FoundOrders:
    origin = "quoted form" if one.depth else one.origin
    lines = tuple(row.spots for row in one.rows)
    text = one.text.encode("utf-8", "replace")
    return FoundOrders(text, lines, origin, (*one.notes, *notes), one.lines, one.document)


def _why_none(search: _Search, letter: Letter) -> NoOrders:
    """Return the reason that helps most."""
    found = {one.reason: one for one in reversed(search.reasons)}
    for reason in ("hidden", "old-form", "only-quoted", "charset", "too-long", "not-text", "blank-form"):
        if reason in found:
            return found[reason]
    kinds = {part.content_type for part in letter.parts}
    if "application/pgp-encrypted" in kinds or "application/pkcs7-mime" in kinds:
        return NoOrders("encrypted", _WORDS["encrypted"])
    if "message/rfc822" in kinds:
        return NoOrders("forwarded", _WORDS["forwarded"])
    return NoOrders("no-orders", _WORDS["no-orders"])
