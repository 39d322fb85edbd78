"""One set of orders that was found in a mail: its text, what it says, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from pbem.core.interface import Json
from pbem.text.envelope import TOP, names_as_text
from pbem.text.mail.blocks import Block
from pbem.text.mail.repairs import Reading, is_unambiguous, readings, relaid_readings
from pbem.text.mail.rows import FORM, Row, Spot
from pbem.text.strictyaml import Document, YamlProblem, dump_flow, parse

_EMPTY_DO: Final = re.compile(r"^[ -]*\bdo\s*:\s*(?:\{\s*\}|~|null|)\s*(?:#.*)?$", re.MULTILINE)
_DO: Final = re.compile(r"\bdo\s*:")
_NO_LETTER: Final = re.compile(r"[\W_]+")
_HEAD: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*---[ \t]*\n")
_NAMED: Final = re.compile(r"^(game|seat)\s*:", re.MULTILINE)
_NOBODY: Final = (Spot(0, 0, 0),)


def fit_any_document(document: Document) -> bool:
    """Fit whatever is YAML: for who does not know the game."""
    return True


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """What is looked for.

    Attributes:
        game: The game of the address that the mail came to; written into orders that do not name one.
        seat: The seat of that address, likewise.
        known: The words that can stand right under `do`; capitals in them are put right.
        fits: Tells whether orders are whole: everything in them has its place in the game's own shape.
    """

    game: str = ""
    seat: str = ""
    known: Collection[str] = ()
    fits: Callable[[Document], bool] = fit_any_document

    def finished(self, candidate: Candidate) -> Candidate:
        """Return orders with what is written in for their sender, and without what is still empty."""
        return candidate.named(self.game, self.seat).with_small_words(self.known).without_blank_orders()


@dataclass(frozen=True)
class Candidate:
    """A set of orders.

    Attributes:
        rows: Its lines.
        lines: The lines of the text that it stands in, as they stand there.
        depth: How deep it is quoted.
        marker: The marker line that it opens with, or "".
        origin: Where it was found, in words.
        notes: What was done to it.
        fits: Tells whether orders are whole.
        doubt: Why nobody can say whether it is the sender's; see `Block`.
        lost: Lines that look like a part of it and stand outside of it.
    """

    rows: tuple[Row, ...]
    lines: tuple[str, ...] = field(repr=False)
    depth: int
    marker: str
    origin: str
    notes: tuple[str, ...] = ()
    fits: Callable[[Document], bool] = field(default=fit_any_document, repr=False, compare=False)
    doubt: str = ""
    lost: tuple[Row, ...] = ()

    @cached_property
    def text(self) -> str:
        """The orders file that it is."""
        return "\n".join(row.whole for row in self.rows) + "\n"

    @cached_property
    def seen(self) -> str:
        """Its lines as far as patterns may read them."""
        return "\n".join(row.text for row in self.rows) + "\n"

    @cached_property
    def document(self) -> Document | None:
        """What it says, or None if it is no YAML."""
        try:
            return parse(self.text)
        except YamlProblem:
            return None

    @cached_property
    def is_whole(self) -> bool:
        """Tell whether everything in it has its place in the game's own shape of orders."""
        return self.document is not None and self.fits(self.document)

    @property
    def first_line(self) -> int:
        """The line of their text that it starts in."""
        return next((row.spots[0].line for row in self.rows if row.spots[0].line), 0)

    @property
    def is_hidden(self) -> bool:
        """Tell whether a page asks not to show some of it."""
        return any(row.is_hidden for row in self.rows)

    @cached_property
    def is_blank(self) -> bool:
        """Tell whether it says nothing: a form that nobody filled in."""
        written = "\n".join(row.text for row in self.rows if not row.text.lstrip().startswith("#"))
        if not _EMPTY_DO.search(written) and _DO.search(written):
            return False
        if all(row.is_full_match(FORM) for row in self.rows):
            return True
        value = self.document.value if self.document else None
        return (
            isinstance(value, dict)
            and value.keys() <= set(TOP)
            and _has_no_order(value)
            and not (value.get("press") or value.get("stop_if"))
        )

    def named(self, game: str, seat: str) -> Candidate:
        """Return the orders with the game and the seat in them, where they are not."""
        has = {found[1] for found in _NAMED.finditer(self.seen)}
        missing = [
            Row(f"{name}: {dump_flow(value)}", 0, _NOBODY)
            for name, value in (("game", game), ("seat", seat))
            if value and name not in has
        ]
        if not missing or self.text.lstrip().startswith("{"):
            return self
        head = _HEAD.match(self.seen)
        at = self.seen.count("\n", 0, head.end()) if head else 0
        return replace(self, rows=(*self.rows[:at], *missing, *self.rows[at:]))

    def said(self, name: str) -> Json:
        """Return what a field of the whole says, or None."""
        value = self.document.value if self.document else None
        return value.get(name) if isinstance(value, dict) else None

    def with_small_words(self, known: Collection[str]) -> Candidate:
        """Return the orders with each word right under `do` in small letters, if only that is known."""
        if not known:
            return self
        rows, notes = list(self.rows), list(self.notes)
        keys = self.document.keys if self.document else {}
        for path, mark in keys.items():
            word, small = str(path[-1]), str(path[-1]).lower()
            if len(path) != 4 or (path[0], path[2]) != ("orders", "do") or word in known:
                continue
            row, at = rows[mark.line - 1], mark.column - 1
            is_free = small in known and (*path[:3], small) not in keys
            if is_free and row.text.startswith(word, at):
                rows[mark.line - 1] = row._replace(text=row.text[:at] + small + row.text[at + len(word) :])
                notes.append(f"`{word}` was read as `{small}` in line {row.spots[0].line}.")
        return replace(self, rows=tuple(rows), notes=tuple(notes)) if rows != list(self.rows) else self

    def without_blank_orders(self) -> Candidate:
        """Return what is left if the lines of orders are still empty and something else is not."""
        if (
            not _EMPTY_DO.search(self.seen)
            or self.document is None
            or not isinstance(self.document.value, dict)
        ):
            return self
        value = self.document.value
        if not value.get("orders") or not _has_no_order(value):
            return self
        starts = sorted(mark.line for path, mark in self.document.keys.items() if len(path) == 1)
        first = self.document.keys[("orders",)].line
        behind = next((line for line in starts if line > first), len(self.rows) + 1)
        note = "The lines for orders are still empty, so only the rest of the form was read."
        return replace(self, rows=self.rows[: first - 1] + self.rows[behind - 1 :], notes=(*self.notes, note))

    def has_same_meaning(self, other: Candidate, *, but_for_words: bool = False) -> bool:
        """Tell whether two sets of orders are the same orders, as the host reads names and numbers.

        Args:
            other: The other set.
            but_for_words: The texts of messages may differ.
        """
        if self.document is None or other.document is None:
            return self.text == other.text
        one, two = _comparable_value(self.document.value), _comparable_value(other.document.value)
        return _drop_messages(one) == _drop_messages(two) if but_for_words else one == two

    def has_same_letters(self, other: Candidate) -> bool:
        """Tell whether two sets of orders are the same letters and digits, whatever stands between them."""
        return _NO_LETTER.sub("", self.text).casefold() == _NO_LETTER.sub("", other.text).casefold()


def read_block(block: Block, lines: tuple[str, ...], origin: str, wanted: OrderQuery) -> Candidate:
    """Return the orders that a block holds: the likeliest reading that is whole, or else that is YAML."""
    first: Candidate | None = None
    sound: Candidate | None = None
    if block.marker and all(row.is_full_match(FORM) for row in block.rows):
        return _read_candidate(Reading(tuple(block.rows)), block, lines, origin, wanted)
    if is_unambiguous(block):
        first = _candidate(Reading(tuple(block.rows)), block, lines, origin, wanted)
        if first.is_whole or first.is_blank:
            return first
        sound = first if first.document else None
    ways = relaid_readings(Reading(tuple(block.rows))) if first else readings(block, wanted.known)
    for reading in ways:
        candidate = _candidate(reading, block, lines, origin, wanted)
        if candidate.is_whole or (first is None and candidate.is_blank):
            return candidate
        sound = sound or (candidate if candidate.document else None)
        first = first or candidate
    assert first is not None, "a block can be read in one way at least"
    return sound or first


def whole(lines: tuple[str, ...], origin: str, wanted: OrderQuery) -> Candidate:
    """Return a file that is nothing but orders."""
    rows = [Row(line, 0, (Spot(0, number, 0),)).bounded() for number, line in enumerate(lines, 1)]
    return read_block(Block(0, "", rows), lines, origin, wanted)


def _candidate(
    reading: Reading, block: Block, lines: tuple[str, ...], origin: str, wanted: OrderQuery
) -> Candidate:
    return wanted.finished(_read_candidate(reading, block, lines, origin, wanted))


def _read_candidate(
    reading: Reading, block: Block, lines: tuple[str, ...], origin: str, wanted: OrderQuery
) -> Candidate:
    """Return orders as they stand there."""
    return Candidate(
        reading.rows,
        lines,
        block.depth,
        block.marker,
        origin,
        reading.notes,
        wanted.fits,
        block.doubt,
        tuple(block.lost),
    )


def _comparable_value(value: Json) -> Json:
    """Return what orders say, as the host reads names that look like numbers, and `none` in any case."""
    if not isinstance(value, dict):
        return value
    named = names_as_text(value)
    orders = named.get("orders")
    return {**named, "orders": orders.casefold()} if isinstance(orders, str) else named


def _drop_messages(value: Json) -> Json:
    """Return what orders say without the texts of messages."""
    press = value.get("press") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(press, list):
        return value
    return {**value, "press": [{**one, "say": ""} if isinstance(one, dict) else one for one in press]}


def _has_no_order(value: dict[str, Json]) -> bool:
    orders = value.get("orders")
    if orders in (None, [], {}, ""):
        return True
    return isinstance(orders, list) and all(
        isinstance(line, dict) and "do" in line and line["do"] in (None, {}, "") for line in orders
    )
