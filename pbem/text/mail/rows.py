"""Rows: a text of a mail line by line, with the characters that mail programs change by themselves."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from pbem.text.envelope import BULLET, BULLETS, LINE, OF_ORDERS, TOP
from pbem.text.mail.headers import MAX_LINE
from pbem.text.plaintext import with_plain_hyphens

_YES_OR_NO: Final = r"(?=\s*:\s*(?:true|false|yes|no|on|off)\b)"  # for somebody may write "Wait: ..."
_MESSAGES: Final = r"messages(?=\s*:[ \t]*(?:[\[{#\n]|$))"  # for somebody may write "Messages: ..."
_LENGTH: Final = r"(?=\s*:\s*(?:short|full)\b)"  # for somebody may write "Detail: ..."
_ONLY: Final = {"wait": _YES_OR_NO, "detail": _LENGTH}
_KEYS: Final = "|".join([*(key + _ONLY.get(key, "") for key in TOP), _MESSAGES])
MEANT: Final = {"messages": "press"}
"""Another word that many write for one of them."""

TOP_KEY: Final = re.compile(rf"({_KEYS})\s*:", re.IGNORECASE)
ORDERS_START: Final = re.compile(rf" {{0,4}}(?:#\s*pbem form\s|(?:{_KEYS})\s*:)", re.IGNORECASE)
LINE_KEY: Final = re.compile(rf"(?:{'|'.join(LINE)})\s*:(?:\s|$)", re.IGNORECASE)
ANY_KEY: Final = re.compile(rf"( *(?:- +)*(?:\{{ *)?)({'|'.join((*TOP, *LINE))})(?=\s*:)", re.IGNORECASE)
WORD: Final = re.compile(r"[\w']+\s*:(?:\s|$)")
ITEM: Final = re.compile(rf"{BULLET}(?:\s|$)")
BARE_DO: Final = re.compile(rf"(?:{BULLET}\s+)?do\s*:\s*(?:#.*)?$", re.IGNORECASE)
OPENS: Final = re.compile(r":\s*(?:$|[\[{#|>~-]|[\"']?none[\"']?\s*(?:#|$))", re.IGNORECASE)
NONE: Final = re.compile(r"orders\s*:\s*[\"']?none[\"']?\s*(?:#.*)?$", re.IGNORECASE)
"""The row that withdraws everything."""
STRAY: Final = re.compile(
    rf" *(?:do\s*:\s*(?:\{{|$)|{BULLET} +(?:{'|'.join((*OF_ORDERS, 'to'))})\s*:"
    rf"|{BULLET} +\{{ *(?:{'|'.join((*OF_ORDERS, 'to'))})\b)",
    re.IGNORECASE,
)
NAMES_READERS: Final = re.compile(r"to\s*:\s*[^\s@|>\[{][^@]{0,79}$", re.IGNORECASE)
"""The line that opens press in a mail, and stands in no orders: those have it further right, or in a list."""
SIGNATURE: Final = re.compile(r"--[ \xa0]?")
"""The line above a signature."""
FORM: Final = re.compile(
    r"\s*(?:#.*|(?:- +)?(?:game|seat|key|at)\s*:.*|(?:- +)?(?:orders|do)\s*:\s*(?:\{\s*\})?\s*(?:#.*)?)?"
)
"""A line of a form that nobody has filled in."""
MAY_COUNT: Final = re.compile(
    rf"\n[ >|]*+(?=[#m{''.join(sorted({key[0] for key in TOP}))}{BULLETS}0-9d-])"
    rf"(?=#\s*pbem form\s|(?:{_KEYS})\s*:|[-{BULLETS}] |[0-9]{{1,2}}[.)] |do\s*:)",
    re.IGNORECASE,
)
"""Finds in a whole text each line that `ORDERS_START` or `STRAY` may match, and some more."""


@lru_cache(maxsize=64)
def rules_key_pattern(words: frozenset[str]) -> re.Pattern[str] | None:
    """Return what finds in a whole text each line that begins with a key of the rules, if there are any.

    A mark of a list may stand before the key.
    """
    if not words:
        return None
    named = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"\n[ >|]*+(?=(?:{BULLET} +)?(?:{named})\s*:(?:\s|$))", re.IGNORECASE)


def is_key(text: str, words: Collection[str]) -> bool:
    """Tell whether a row looks like a part of orders: an item, or a key of the envelope or of the rules."""
    bare = text.lstrip()
    if ITEM.match(bare) or ANY_KEY.match(text):
        return True
    word = bare.partition(":")
    return bool(word[1]) and word[0].strip().lower() in words


_MARKS: Final = re.compile(r" ?[>|](?: ?[>|])*")


class Spot(NamedTuple):
    """Where a piece of a line came from; all three are counted from 0 but the line.

    Attributes:
        start: Where the piece starts in its line.
        line: The line of their text that it stands in, from 1.
        shift: Where it starts there.
    """

    start: int
    line: int
    shift: int


class Row(NamedTuple):
    """A line of a text.

    Attributes:
        text: The line without the marks of quoting, as far as patterns may read it.
        depth: How often it is quoted.
        spots: Where its pieces came from, left to right.
        is_hidden: A page asks not to show some of it.
        is_barred: The last mark before it is a bar.
        rest: What stands behind `text` in a line longer than MAX_LINE: no pattern reads it.
    """

    text: str
    depth: int
    spots: tuple[Spot, ...]
    is_hidden: bool = False
    is_barred: bool = False
    rest: str = ""

    @property
    def whole(self) -> str:
        """The line as it goes on to who reads no patterns in it."""
        return self.text + self.rest

    def bounded(self) -> Row:
        """Return the row with no more in its text than patterns may read."""
        if len(self.text) <= MAX_LINE:
            return self
        return self._replace(text=self.text[:MAX_LINE], rest=self.text[MAX_LINE:] + self.rest)

    def is_full_match(self, pattern: re.Pattern[str]) -> bool:
        """Tell whether the whole line is what a pattern says."""
        return not self.rest and pattern.fullmatch(self.text) is not None

    def has_bar(self, depth: int) -> bool:
        """Tell whether it stands behind a bar that a line of this depth does not have."""
        return self.text.lstrip().startswith("|") or (self.is_barred and self.depth > depth)

    def cut(self, count: int) -> Row:
        """Return the row without its first characters."""
        if not count:
            return self
        if len(self.spots) > 1 or self.spots[0].start:
            return self.put("", count)
        _, line, shift = self.spots[0]
        return self._replace(text=self.text[count:], spots=(Spot(0, line, shift + count),))

    def put(self, start: str, count: int) -> Row:
        """Return the row with other characters in place of its first ones."""
        more = len(start) - count
        moved = [Spot(spot.start + more, spot.line, spot.shift) for spot in self.spots]
        kept = [
            spot
            for number, spot in enumerate(moved)
            if number + 1 == len(moved) or moved[number + 1].start > 0
        ]
        first = kept[0]
        if first.start < 0:
            kept[0] = Spot(0, first.line, first.shift - first.start)
        return self._replace(text=start + self.text[count:], spots=tuple(kept))

    def joined(self, other: Row, between: str = "") -> Row:
        """Return the row with another one behind it."""
        start = len(self.whole) + len(between)
        spots = tuple(Spot(spot.start + start, spot.line, spot.shift) for spot in other.spots)
        text = f"{self.whole}{between}{other.whole}"
        return Row(text, self.depth, (*self.spots, *spots), self.is_hidden or other.is_hidden).bounded()


class Rows:
    """The rows of a text. Each is made when it is asked for: of a long quote hardly any ever is.

    Attributes:
        text: All lines as far as patterns may read them, each behind a line feed, to be searched at once.
    """

    def __init__(self, lines: Sequence[str], made: Sequence[Row] = ()) -> None:
        """Take lines as they came, or the texts of rows together with the rows."""
        self._lines = [line[:MAX_LINE] for line in lines]
        self._rests = {number: line[MAX_LINE:] for number, line in enumerate(lines) if len(line) > MAX_LINE}
        self.text = "\n".join(["", *self._lines])
        self._was_made = bool(made)
        self._made: list[Row | None] = [row.bounded() for row in made] if made else [None] * len(lines)

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Rows:
        """Return rows that are made already."""
        return cls([row.text for row in rows], rows)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> Row:
        row = self._made[number]
        if row is None:
            row = row_of(self._lines[number], number + 1)._replace(rest=self._rests.get(number, ""))
            self._made[number] = row
        return row

    def __iter__(self) -> Iterator[Row]:
        return map(self.__getitem__, range(len(self)))

    def some(self, start: int, stop: int) -> list[Row]:
        """Return the rows from one position up to another, as far as there are any."""
        return [self[number] for number in range(max(start, 0), min(stop, len(self)))]

    def found(self, pattern: re.Pattern[str]) -> Iterator[int]:
        """Yield the positions of rows that a pattern finds in the text; it finds each where it ends."""
        number, before = -1, 0
        for found in pattern.finditer(self.text):
            number += self.text.count("\n", before, found.end())
            before = found.end()
            yield number

    def comments(self, start: int, stop: int) -> int:
        """Return how many comments follow each other behind the same marks from one position on.

        Args:
            start: The position of the first.
            stop: The position at which to end.
        """
        if self._was_made or stop <= start:
            return 0
        line = self._lines[start]
        width = self[start].spots[0].shift
        found = _comment_pattern(line[:width]).match(self.text, self._line_offsets[start] + start)
        return min(self.text.count("\n", found.start(), found.end()), stop - start) if found else 0

    @cached_property
    def _line_offsets(self) -> list[int]:
        """How many characters stand before each line, line feeds not counted."""
        return list(accumulate(map(len, self._lines), initial=0))


@lru_cache(maxsize=16)
def _comment_pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\n{re.escape(mark)} *+#(?! ?pbem form)[^\n]*+)+")


def flowed_rows(lines: Iterable[str], *, delsp: bool, join: bool = True, stuffed: bool = True) -> Rows:
    """Return the rows of a text that is `format=flowed` (RFC 3676).

    Args:
        lines: The lines as they came.
        delsp: The space at the end of a line that goes on in the next is none of the text's.
        join: Lines that end in a space go on in the next.
        stuffed: The first space of a line is none of the text's.
    """
    out: list[list[Row]] = []
    goes_on = False
    for number, line in enumerate(lines, 1):
        row = row_of(line, number)
        if stuffed and row.text.startswith(" "):
            row = row.cut(1)
        is_signature = row.text == "-- "
        if goes_on and not is_signature and out[-1][-1].depth == row.depth:
            out[-1].append(row)
        else:
            out.append([row])
        goes_on = join and row.text.endswith(" ") and not is_signature
    return Rows.of([_join_flowed(rows, delsp=delsp) for rows in out])


def _join_flowed(rows: list[Row], *, delsp: bool) -> Row:
    """Return the pieces of a flowed line as one row."""
    if len(rows) == 1:
        row = rows[0]
        return row._replace(text=row.text.rstrip(" ")) if row.text.endswith(" ") else row
    pieces, spots, start = [], [], 0
    for number, row in enumerate(rows, 1):
        piece = row.text[:-1] if delsp and number < len(rows) else row.text
        spots += [Spot(spot.start + start, spot.line, spot.shift) for spot in row.spots]
        pieces.append(piece)
        start += len(piece)
    return Row("".join(pieces).rstrip(" "), rows[0].depth, tuple(spots))


def strip_quote_marks(row: Row) -> Row:
    """Return a row of a page, in which a program wrote the marks of quoting as text, without them."""
    bare = row_of(row.text, row.spots[0].line)
    if not bare.depth or row.text.startswith("|"):
        return row
    return bare._replace(depth=row.depth + bare.depth, is_hidden=row.is_hidden)


def row_of(line: str, number: int) -> Row:
    """Return a line without marks of quoting; the space behind them is left to who knows the first column."""
    start = line[:3]
    if start[:2] == "> " and start[2:] not in (">", "|"):
        return Row(line[1:], 1, (Spot(0, number, 1),))
    if start[:1] in (">", "|") or start[:2] in (" >", " |"):
        marks = _MARKS.match(line[:MAX_LINE])
        if marks:
            found = marks.group()
            depth = found.count(">") + found.count("|")
            return Row(
                line[marks.end() :], depth, (Spot(0, number, marks.end()),), is_barred=found[-1] == "|"
            )
    return Row(line, 0, (Spot(0, number, 0),))


_ITEM: Final = re.compile(
    rf"( *)(?:[{BULLETS}]|[0-9]{{1,2}}[.)])\s+(?=\{{|(?:{'|'.join(LINE)})\s*:)|( *)[–—•·]\s+(?=\w)",
    re.IGNORECASE,
)
_CURLY: Final = re.compile(
    r"(?P<before>[:\[{,-]\s*)(?:[“”„«](?P<double>[^“”„«»\"\\]*)[“”»]|[‘’‚](?P<single>[^‘’‚']*)[‘’])"
    r"(?=\s*(?:[,\]}:]|#|$))"
)
_WORDS: Final = re.compile(r"\s*(?:- +)*(?:\{.*)?\b(?:say|luck)\s*:")
_SAID: Final = re.compile(
    r"(\b(?:say|luck)\s*:\s*)[“”„«»‘’‚‹›\"]([^\x00]{0,8000}?)[“”«»‘’‹›\"]"
    r"(?=\s*(?:\}|,\s*(?:to|anonymous|luck|\w+)\s*:|\n *(?:- |[a-z_]+\s*:)|\s*\Z))",
    re.IGNORECASE,
)
_CURLED: Final = re.compile("[“”„«»‘’‚‹›]")
_COMMENT: Final = re.compile(r"\s*#")


def repair_rows(rows: Sequence[Row], *, words: bool) -> tuple[Row, ...]:
    """Return lines with bullets, dashes, quotation marks and capitals as YAML has them.

    Args:
        rows: The lines.
        words: Quotation marks around what is said too, where they may be meant.
    """
    out = tuple(
        row._replace(text=text) if (text := _plain_text(row.text)) != row.text else row for row in rows
    )
    is_said = words and any(_CURLED.search(row.text) for row in out)
    return _straighten_quotes(out) if is_said and not any(row.rest for row in out) else out


def _plain_text(text: str) -> str:
    if _COMMENT.match(text):
        return text
    if _ITEM.match(text):
        text = _ITEM.sub(lambda found: f"{found[1] or found[2] or ''}- ", text, count=1)
    if not text.isascii() and not _WORDS.match(text):
        text = with_plain_hyphens(_CURLY.sub(_straighten_mark, text))
    found = ANY_KEY.match(text)
    return text[: found.start(2)] + found[2].lower() + text[found.end(2) :] if found else text


def _straighten_mark(found: re.Match[str]) -> str:
    if found["double"] is not None:
        return f'{found["before"]}"{found["double"]}"'
    return f"{found['before']}'{found['single']}'"


def _straighten_quotes(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return lines with straight marks around what curly ones stand around, over several lines too."""
    text = "\n".join(row.text for row in rows)
    changed = _SAID.sub(_straighten_quote, text)
    lines = changed.split("\n")
    return tuple(
        row if row.text == line else row._replace(text=line) for row, line in zip(rows, lines, strict=True)
    )


def _straighten_quote(found: re.Match[str]) -> str:
    if not _CURLED.search(found.group()):
        return found.group()
    inner = found[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{found[1]}"{inner}"'
