"""The orders in a mail, wherever they stand; or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.text.mail.blocks import blocks
from pbem.text.mail.bodies import Text, is_page, is_text, text_of
from pbem.text.mail.candidates import Candidate, OrderQuery, fit_any_document, read_block, whole
from pbem.text.mail.headers import RefusedMail
from pbem.text.mail.letter import Letter, Part
from pbem.text.mail.noorders import (
    NoOrders,
    headless,
    no_agreeing_texts,
    no_unquoted_orders,
    no_whole_orders,
    passed_over_note,
    press_alone_reason,
    two_sets_reason,
    unclear_lines_reason,
    unread_file_note,
    unread_page_note,
    why_none,
)
from pbem.text.mail.rows import Spot
from pbem.text.plaintext import MAX_BYTES
from pbem.text.strictyaml import Document

__all__ = ["FoundOrders", "NoOrders", "find_orders"]

_YAML_TYPES: Final = frozenset(
    ["text/x-yaml", "application/yaml", "application/x-yaml", "text/yaml", "text/vnd.yaml", "text/x-yml"]
)
_YAML_NAMES: Final = (".yml", ".yaml")
_PAGES: Final = (".html", ".htm", ".xhtml", ".mhtml")


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


@dataclass(slots=True)
class _PartOrders:
    """What was found in one place of a mail: the files beside it, its text, or its page."""

    marker_ok: Callable[[str], bool]
    wanted: OrderQuery
    good: list[Candidate] = field(default_factory=list)
    doubted: list[Candidate] = field(default_factory=list)
    broken: list[NoOrders] = field(default_factory=list)
    reasons: list[NoOrders] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Tell whether it holds orders, and nothing but whole ones."""
        return bool(self.good) and all(one.is_whole for one in self.good) and not self.is_partial

    @property
    def is_partial(self) -> bool:
        """Tell whether something was passed over that may belong to what was read."""
        return bool(self.broken) or any(_find_missing_orders(one, self.doubted) for one in self.good)

    def add(self, candidate: Candidate) -> None:
        if candidate.doubt == "many":
            self.broken.append(NoOrders("too-many"))
        elif candidate.doubt == "headless":
            self.reasons.append(headless(candidate))
        elif candidate.doubt:
            self.doubted.append(candidate)
            self.reasons.append(unclear_lines_reason(candidate))
        elif candidate.depth and not candidate.marker:
            self.miss("blank-form") if candidate.is_blank else self.reasons.append(
                no_unquoted_orders(candidate)
            )
        elif candidate.lost and (not candidate.depth or self.marker_ok(candidate.marker)):
            self.broken.append(no_whole_orders(candidate))
        elif candidate.is_blank:
            self.miss("blank-form")
        elif candidate.is_hidden:
            self.miss("hidden")
        elif candidate.depth and not self.marker_ok(candidate.marker):
            self.miss("old-form")
        else:
            self.good.append(candidate)

    def miss(self, reason: str, **said: str) -> None:
        self.reasons.append(NoOrders(reason, said))


def find_orders(
    letter: Letter,
    marker_ok: Callable[[str], bool],
    *,
    game: str = "",
    seat: str = "",
    known: Collection[str] = (),
    fits: Callable[[Document], bool] = fit_any_document,
) -> FoundOrders | NoOrders:
    """Find the orders in a mail: all of them, or none.

    Args:
        letter: The mail.
        marker_ok: Tells whether a marker line is that of a form of this seat for an ask that is open.
        game: The game of the address that the mail came to; written into orders that do not name one.
        seat: The seat of that address, likewise.
        known: The words that can stand right under `do`; capitals in them are put right.
        fits: Tells whether orders are whole, with the game's own shape; it decides between several readings.
    """
    if letter.doubled:
        named = ", ".join(letter.doubled)
        return NoOrders("doubled-header", {"named": named})
    wanted = OrderQuery(game, seat, known, fits)
    files, text, page = (_PartOrders(marker_ok, wanted) for _ in range(3))
    for part in letter.parts:
        if part.is_attached:
            _search_attachment(files, part)
        elif part.content_type == "text/plain":
            _search_text(text, part, "body")
        elif part.content_type == "text/html":
            _search_text(page, part, "html")
        elif not part.inside and (why := unread_file_note(part)):
            text.miss("not-text", why=why)
    body = _choose_source(text, page)
    return body if isinstance(body, NoOrders) else _choose_orders(files, body, [text, page], letter)


def _choose_source(text: _PartOrders, page: _PartOrders) -> _PartOrders | NoOrders:
    """Return what counts of a text and a page that a mail program made of the same words.

    Only the page shows what its sender has struck out.
    """
    struck = [one for one in page.reasons if one.reason == "hidden"]
    if struck and text.good and not page.good:
        return struck[0]
    if not text.is_whole:
        if page.is_whole or not (text.good or text.broken):
            return page
        is_better = page.good and not page.is_partial and not _is_complete(text) and _is_complete(page)
        return page if is_better else text
    if page.is_whole:
        one, other = text.good[0], page.good[0]
        if not one.has_same_meaning(other):
            return page if one.has_same_meaning(other, but_for_words=True) else no_agreeing_texts(one, other)
    return text


def _is_complete(heap: _PartOrders) -> bool:
    return not heap.is_partial and all(one.document for one in heap.good)


def _choose_orders(
    files: _PartOrders, body: _PartOrders, both: list[_PartOrders], letter: Letter
) -> FoundOrders | NoOrders:
    """Return the one set of orders of a mail, or why there is none that counts."""
    good, broken = [*files.good, *body.good], [*files.broken, *body.broken]
    doubted = [*files.doubted, *body.doubted]
    if broken:
        return broken[0]
    if not good:
        return why_none([one for heap in (files, *both) for one in (*heap.broken, *heap.reasons)], letter)
    found = _choose_candidate(good)
    if isinstance(found, NoOrders):
        return found
    if missed := _find_missing_orders(found, doubted):
        return press_alone_reason(found, missed)
    return _found_orders(found, [*_quoted_orders_notes(found, good), *map(passed_over_note, doubted)])


def _find_missing_orders(found: Candidate, doubted: list[Candidate]) -> Candidate | None:
    """Return the doubtful lines that may be the orders which a set of orders does not have."""
    return None if found.said("orders") else next(iter(doubted), None)


def _search_attachment(heap: _PartOrders, part: Part) -> None:
    name, data = part.filename.casefold(), part.data
    is_named = name.endswith((*_YAML_NAMES, ".txt"))
    if name.endswith(_PAGES) or (part.content_type == "text/html" and not (is_named and not is_page(data))):
        heap.miss("not-text", why=unread_page_note(part.filename))
        return
    is_yaml = name.endswith(_YAML_NAMES) or (part.content_type in _YAML_TYPES and not is_named)
    if is_named and part.content_type == "text/html":
        part = replace(part, content_type="text/plain")
    if not (is_yaml or is_named or part.content_type == "text/plain") or not is_text(data):
        if why := unread_file_note(part):
            heap.miss("not-text", why=why)
        return
    if len(data) > MAX_BYTES:
        heap.miss("too-long", why=f"The attachment {part.filename} is longer than {MAX_BYTES // 1024} KiB.")
        return
    text = text_of(part)
    origin = f"attachment {part.filename}".rstrip()
    if isinstance(text, RefusedMail):
        heap.miss(text.reason, why=text.text)
    elif is_yaml:
        if any(line.strip() for line in text.lines):
            heap.add(_add_notes(whole(text.lines, origin, heap.wanted), text))
    else:
        for candidate in _candidates(text, origin, heap.wanted):
            heap.add(candidate)


def _search_text(heap: _PartOrders, part: Part, origin: str) -> None:
    text = text_of(part)
    if isinstance(text, RefusedMail):
        heap.miss(text.reason, why=text.text)
        return
    for candidate in _candidates(text, origin, heap.wanted):
        heap.add(candidate)


def _candidates(text: Text, origin: str, wanted: OrderQuery) -> list[Candidate]:
    """Return all sets of orders in a text: in the first reading in which all are whole, best without mending.

    If there is none, in the first in which all of them are YAML.
    """
    mended: list[Candidate] | None = None
    read: list[list[Candidate]] = []
    for rows, wrapped in text.readings():
        found = [
            _add_notes(read_block(block, text.lines, origin, wanted), text)
            for block in blocks(rows, wrapped=wrapped, shown=text.is_page, words=wanted.known)
        ]
        if found and all(one.is_blank or one.is_whole for one in found):
            if not any(one.notes for one in found):
                return found
            mended = mended or found
        read.append(found)
    if mended is not None:
        return mended
    sound = (found for found in read if found and all(one.is_blank or one.document for one in found))
    return next(sound, read[0])


def _add_notes(candidate: Candidate, text: Text) -> Candidate:
    """Return a candidate with what is to be told of its text."""
    notes = [*text.notes]
    spots = (spot for row in candidate.rows for spot in row.spots) if text.cleaned else ()
    if cleaned := sorted({spot.line for spot in spots} & text.cleaned):
        named = ", ".join(map(str, cleaned[:8]))
        notes.append(f"Invisible characters were dropped from line{'s' if len(cleaned) > 1 else ''} {named}.")
    return replace(candidate, notes=(*notes, *candidate.notes)) if notes else candidate


def _choose_candidate(named: list[Candidate]) -> Candidate | NoOrders:
    near = [one for one in named if one.depth < 2] or named
    best = near[0]
    for other in near[1:]:
        if best.has_same_meaning(other):
            continue
        if best.is_whole == other.is_whole or not best.has_same_letters(other):
            return two_sets_reason(best, other)
        best = best if best.is_whole else other
    return best


def _quoted_orders_notes(found: Candidate, named: list[Candidate]) -> list[str]:
    """Return what is told of older orders in deeper quotes."""
    if found.depth >= 2:
        return []
    return [
        f"The orders quoted at line {one.first_line} were passed over." for one in named if one.depth >= 2
    ]


def _found_orders(one: Candidate, notes: list[str]) -> FoundOrders:
    origin = "quoted form" if one.depth else one.origin
    lines = tuple(row.spots for row in one.rows)
    text = one.text.encode("utf-8", "replace")
    return FoundOrders(text, lines, origin, (*one.notes, *notes), one.lines, one.document)
