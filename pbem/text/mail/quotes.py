"""How deep each row is quoted, whose it is, and what the sender of a mail wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from pbem.text.mail.bodies import rows_of
from pbem.text.mail.headers import once
from pbem.text.mail.letter import Letter
from pbem.text.mail.rows import OPENS, SIGNATURE, Row, Rows
from pbem.text.mail.rows import ORDERS_START as START

LAST_LINE: Final = "Keep it: when the game is over, it can prove that nothing was changed."
"""How every report ends: known to be whole, and longer than any name that somebody can choose."""
LAST_LINES: Final = (
    LAST_LINE,
    "Keep it: it can prove that nothing was changed (`pbem proof FILE`).",
    "Keep it: with it you can prove later that nothing was changed.",
)
"""The same, with how reports of earlier versions end."""
HOST_LINES: Final = (
    "Proof of what you sent: ",
    "Keep this mail: when the game is over, it can be checked",
    "A mail with one word as its subject brings: ",
    "One that begins with `to: moderator` goes to a person.",
    "- A mail that begins with `to: moderator` goes to a person",
    "A reply to this mail is press to ",
    "A reply to this mail goes to ",
    *LAST_LINES,
)
"""How lines begin that our mails hold, and nobody writes."""
UNDER_TITLE: Final = re.compile(r"\n={60,}+(?=\n)")
"""Finds the rule below the title of a report."""

_HOST_LINE: Final = re.compile(
    rf" {{0,4}}+(?:={{60,}}+\s*$|Root of turn [0-9]|#\s*pbem form\s|{'|'.join(map(re.escape, HOST_LINES))})"
)
_MAY_BE_OURS: Final = re.compile(
    r"\n {0,4}+(?=[=RPKAO#-])(?=={60}|Root of|Proof of|Keep |A |One |- A |#[^\S\n]*+pbem)"
)

_NAMES: Final = {
    "from": "from|von|de|da|van|från|fra|od|от|от кого|lähettäjä|saatja|feladó|kimden|差出人|发件人|寄件者|"
    "보낸 사람",
    "sent": "sent|date|gesendet|datum|envoyé|enviado(?: el| em)?|enviada em|fecha|data|inviato|verzonden|"
    "skickat|sendt|dato|lähetetty|päivämäärä|saadetud|отправлено|дата|wysłan[oe]|odesláno|odoslané|elküldve|"
    "gönderildi|tarih|trimis|发送时间|日期|送信日時|日付|보낸 날짜|날짜",
    "to": "to|an|à|para|aan|till|til|a|vastaanottaja|saaja|кому|do|komu|címzett|kime|către|收件人|宛先|"
    "받는 사람",
    "subject": "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|teema|тема|temat|"
    "předmět|predmet|tárgy|konu|subiect|主题|主旨|件名|제목",
}
"""The fields of heads that show no address: only in a known language can they be told from other lines."""
# The first letters come first: there are many names, and hardly any line begins with one.
_ANY_FIRST: Final = "".join({name[0] for names in _NAMES.values() for name in names.split("|")})
_FROM_FIRST: Final = "".join({name[0] for name in _NAMES["from"].split("|")})
_HEADER: Final = re.compile(
    rf"[ >*_]{{0,3}}+(?=[{_ANY_FIRST}])(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in _NAMES.items())
    + r")[*_\xa0 ]{0,3}[:：]",
    re.IGNORECASE,
)
_RULED: Final = re.compile(r"\s*(?:_{20,}|-{3,} ?(?!BEGIN|END)[^\W_][^-]{3,60}[^-\s] ?-{3,})\s*")
_WROTE: Final = re.compile(
    r".*(?:\b(?=[wsaehkпнpníy])(?:wrote|schrieb\b.*|a écrit|escribió|escreveu|ha scritto|scrisse|schreef\b.*"
    r"|skrev\b.*|kirjoitti|пишет|написал.*|pisze|napisał.*|napsal.*|írta|yazdı|a scris)"
    r"|写道|書きました|작성)\s*[:：]\s*",
    re.IGNORECASE,
)
# Finds in a whole text what may stand in a head: an address, the line of a sender, or a rule.
_MAY_HEAD: Final = re.compile(
    rf"[^\s<>@]@(?=[^\s<>@])|\n[ >|]*+(?=[{_FROM_FIRST}*_\s-])"
    rf"(?=[ >*_]{{0,3}}+(?:{_NAMES['from']})[*_\xa0 ]{{0,3}}[:：]|[^\S\n]*+(?:__|--))",
    re.IGNORECASE,
)
_MAY_SAY: Final = re.compile(r":(?=[^\S\n]*+(?:\n|\Z))")
_MAY_SAY_WIDELY: Final = re.compile(r"：(?=[^\S\n]*+(?:\n|\Z))")
_FIELD: Final = re.compile(
    r"[*_ ]{0,3}+(?!(?:game|seat|key|orders|stop_if|press|partial|at|do|say)\s*:)"
    r"[^\W\d_][^:：|\n]{0,30}(?:[:：]|\|)\s*\S",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"[^\s\d.,;!?()][*_]{0,2}[:：]\s")
_ADDRESS: Final = re.compile(r"[^\s<>()\[\]@:,;|]{1,64}@[^\s<>()\[\]@:,;|]{1,255}")
_DATE: Final = re.compile(r"\d{4}|\d[.:/-]\s?\d")
_DIGIT: Final = re.compile(r"[0-9]")
_ENDS: Final = (":", "：")
_FEWEST: Final = 3
_NEAR: Final = 8
_MOST_WRAPPED: Final = 3
_LONGEST: Final = 300


class Depths:
    """How deep each row of a text is quoted.

    Marks count, and so does everything below the head with which a program begins what it quotes without
    marks.

    Attributes:
        first: The position of the first row that begins such a quote; above it only marks count.
        near: The positions of rows where a head may begin; at no other does one.
    """

    __slots__ = ("_below", "_rows", "first", "near")

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.near = _possible_heads(rows)
        begins = quote_starts(rows, sorted(self.near))
        self.first = min(begins, default=len(rows))
        self._below = _below(rows, self.first, begins)

    def __getitem__(self, number: int) -> int:
        depth = self._rows[number].depth
        return depth if number < self.first else depth + self._below[number - self.first]


def host_lines(rows: Rows, deep: Depths) -> Iterator[int]:
    """Yield the positions of rows without marks, and below no head, that only mails of ours hold.

    Args:
        rows: The text.
        deep: How deep its rows are quoted.
    """
    near = rows.found(_MAY_BE_OURS)
    return (one for one in near if not deep[one] and _HOST_LINE.match(rows[one].text))


def is_form(line: str) -> bool:
    """Tell whether a line of ours is the first of a form, which a player may send back."""
    return line.lstrip()[:1] == "#"


def _possible_heads(rows: Rows) -> set[int]:
    """Return the positions of all rows where a head may begin."""
    near = {place for number in rows.found(_MAY_HEAD) for place in range(max(number - _NEAR, 0), number + 1)}
    for pattern in (_MAY_SAY, *((_MAY_SAY_WIDELY,) if "：" in rows.text else ())):
        near |= {place for number in rows.found(pattern) for place in range(max(number - 2, 0), number + 1)}
    return near


def quote_starts(rows: Rows, near: Iterable[int]) -> set[int]:
    """Return those of ascending positions at which a head begins a quote, and does not go on."""
    begins, passed = set[int](), 0
    for number in near:
        if number >= passed and (count := head(rows, number)):
            passed = number + count
            if _has_unquoted_body(rows, number, count):
                begins.add(number)
    return begins


def _below(rows: Rows, first: int, begins: set[int]) -> list[int]:
    """Return how many quotes without marks are open at each row from the first that begins one."""
    below: list[int] = []
    out: list[int] = []
    for number in range(first, len(rows)):
        row = rows[number]
        if below and row.text.strip():
            while below and below[-1] > row.depth:
                below.pop()
        if number in begins:
            is_cell = row.is_barred and row.text.rstrip().endswith("|")  # its bars are a table's, no marks
            below.append(row.depth - is_cell)
        out.append(len(below))
    return out


def quote_head_length(rows: Rows, number: int) -> int:
    """Return how many rows from this one on are the head of a quote with marks: `On Monday, Ann wrote:`."""
    count = head(rows, number)
    return 0 if not count or _has_unquoted_body(rows, number, count) else count


def head(rows: Rows, number: int) -> int:
    """Return how many rows from this one on are what a mail program writes above a quote; 0 if they are not.

    It is fields such as `From: ...`, a rule above them, or words that end in a colon, with an address and a
    date; or, in a language that is known, without them.
    """
    text = rows[number].text
    if not text.strip() or text.lstrip()[:1] == "#":  # a comment of a form
        return 0
    return _count_ruled_rows(rows, number) or _fields(rows, number) or _count_intro_rows(rows, number)


def _count_ruled_rows(rows: Rows, number: int) -> int:
    """Return how many rows are a rule, and below it fields in whatever language."""
    text = rows[number].text
    if text.lstrip()[:2] not in ("__", "--") or len(text) > _LONGEST or not _RULED.fullmatch(text):
        return 0
    near = rows.some(number + 1, number + 1 + _NEAR)
    fields = [place for place, row in enumerate(near, 1) if _FIELD.match(row.text[:_LONGEST])]
    return fields[-1] + 1 if len(fields) >= _FEWEST else 0


def _fields(rows: Rows, number: int) -> int:
    """Return how many rows are fields of a head, each in a row, or all in one."""
    if not _head_line(rows[number].text[:_LONGEST]).is_field:
        return 0
    depth, kinds, fields, last = rows[number].depth, set[str | None](), 0, 0
    shows = is_dated = False
    for place, row in enumerate(rows.some(number, number + _NEAR), 1):
        text = row.text[:_LONGEST]
        if row.depth != depth or not text.strip():
            break
        seen = _head_line(text)
        kind = seen.kind
        if seen.is_field:
            kinds.add(kind)
            fields, last = fields + 1, place
        shows = shows or seen.shows
        is_dated = is_dated or seen.is_dated
        begins = kind in ("from", "sent") or ((shows or is_dated) and text[:2] != "  ")
        if place == 1 and not begins:  # it may be the sender's own, above the head
            return 0
        if place == 1 and shows and is_dated and len(_LABEL.findall(text)) >= _FEWEST:
            return 1
    is_known = "from" in kinds and len(kinds - {None}) >= _FEWEST
    return last if is_known or (fields >= _FEWEST and shows and is_dated) else 0


class _HeadLine(NamedTuple):
    """What of a head stands in a line: a field, of a known kind, an address, a date beside it."""

    is_field: bool
    kind: str | None
    shows: bool
    is_dated: bool


@lru_cache(maxsize=4 * _NEAR)
def _head_line(text: str) -> _HeadLine:
    """Look at a line once, though each of the lines above it asks whether it begins a head."""
    is_field = bool(_FIELD.match(text))
    found = _HEADER.match(text) if is_field else None
    bare = _ADDRESS.sub("", text) if "@" in text else text
    return _HeadLine(is_field, found.lastgroup if found else None, bare != text, bool(_DATE.search(bare)))


def _count_intro_rows(rows: Rows, number: int) -> int:
    """Return how many rows are the words above a quote; a mail program may have wrapped them."""
    depth, text = rows[number].depth, ""
    for count in range(1, min(_MOST_WRAPPED, len(rows) - number) + 1):
        row = rows[number + count - 1]
        text = f"{text} {row.text[:_LONGEST]}".strip()
        if row.depth != depth or not row.text.strip() or len(text) >= _LONGEST:
            return 0
        if text.endswith(_ENDS):
            return count if _is_intro(rows, number, count, text) else 0
        if not _DIGIT.search(row.text[:_LONGEST]):
            return 0
    return 0


def _is_intro(rows: Rows, number: int, count: int, text: str) -> bool:
    """Tell whether words that end in a colon are those above a quote."""
    shows, wrote = bool(_ADDRESS.search(text)), bool(_WROTE.fullmatch(text))
    if not (shows or wrote):
        return False
    if shows and (wrote or _DATE.search(_ADDRESS.sub("", text))):
        return True
    if not _has_unquoted_body(rows, number, count):
        return wrote or (shows and bool(_DIGIT.search(text)))
    near = [*rows.some(number - 1, number), *rows.some(number, number + count)]
    is_dated = any(_DIGIT.search(row.text[:_LONGEST]) for row in near)
    return wrote and is_dated and _next_filled_row(rows, number + count, rows[number].depth) is not None


def _has_unquoted_body(rows: Rows, number: int, count: int) -> bool:
    """Tell whether what follows a head of so many rows has no marks."""
    depth = rows[number].depth
    following = _next_filled_row(rows, number + count, depth)
    return following is None or following.depth <= depth


def _next_filled_row(rows: Rows, number: int, depth: int) -> Row | None:
    """Return the first row from a position on that has text, or is quoted deeper; None if none is near."""
    near = rows.some(number, number + _NEAR)
    return next((row for row in near if row.text.strip() or row.depth > depth), None)


def own_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines that the sender of a mail wrote; those of its page if it has no plain text."""
    return _sender_text(letter)[2]


def host_lines_in(letter: Letter) -> tuple[str, ...]:
    """Return the lines of older mails of ours that stand where a mail's sender writes.

    Where there are any, nobody can tell which of the lines above them are its sender's own.
    """
    rows, deep, _ = _sender_text(letter)
    return tuple(rows[number].text.strip() for number in host_lines(rows, deep))


@once
def _sender_text(letter: Letter) -> tuple[Rows, Depths, tuple[str, ...]]:
    """Return the text in which a mail's sender wrote something, and those lines; none if that is nowhere."""
    for kind in ("text/plain", "text/html"):
        rows = Rows.of([*chain.from_iterable(rows_of(letter, kind))])
        deep = Depths(rows)
        lines = _own_lines(rows, deep)
        if any(line.strip() for line in lines):
            return rows, deep, lines
    return (none := Rows([])), Depths(none), ()


def plain_text(letter: Letter) -> bytes:
    """Return the bytes of the first plain text of a mail, as its signature (OpenPGP) covers them."""
    plain = (one for one in letter.parts if one.content_type == "text/plain" and not one.is_attached)
    return next((one.data for one in plain), b"")


def _own_lines(rows: Rows, deep: Depths) -> tuple[str, ...]:
    out: list[str] = []
    passed = 0
    for number, row in enumerate(rows):
        if deep[number]:
            continue
        if SIGNATURE.fullmatch(row.text):
            break
        if number in deep.near:
            passed = max(passed, number + quote_head_length(rows, number))
        if number >= passed and not row.is_hidden:
            out.append(row.whole.rstrip())
    while out and not out[-1].strip():
        out.pop()
    return tuple(out)


WRAPPED: Final = 66
"""No mail program wraps lines that are shorter than this."""
_HARMLESS: Final = re.compile(r" *(?:game|seat)\s*:\s*\S", re.IGNORECASE)
_BARE: Final = re.compile(r" *(?:orders|press|stop_if)\s*:\s*(?:#.*)?$", re.IGNORECASE)
_NEAR_TAIL: Final = 5


def doubt(rows: Rows, deep: Depths, number: int, *, shown: bool) -> str:
    """Say why a line may be the end of a quoted one: "bar" or "tail"; "" if it is not.

    What others say stands behind a bar; no line below it, up to the next blank one, can be its reader's.

    Args:
        rows: The text.
        deep: How deep its rows are quoted.
        number: The position of the line.
        shown: The text is a page, which quotes without marks, so that nothing is wrapped.
    """
    if not number:
        return ""
    row, before = rows[number], rows[number - 1]
    for near in reversed(rows.some(number - _NEAR_TAIL, number)):
        if not near.text.strip():
            break
        if near.has_bar(row.depth) and not (shown and near.depth > row.depth):
            return "bar"
    if shown or deep[number] >= before.depth or not was_wrapped(before, row):
        return ""
    return "" if before.text.strip() in LAST_LINES or _is_continued(rows, number) else "tail"


def was_wrapped(before: Row, after: Row) -> bool:
    """Tell whether the first word of a line would not have fitted into the line before."""
    words = after.text.split(None, 1)
    width = len(before.text) + before.spots[-1].shift
    return bool(words) and width + 1 + len(words[0]) > WRAPPED


def _is_continued(rows: Rows, number: int) -> bool:
    """Tell whether a line orders nothing by itself, and goes on in the next as no wrapped line does."""
    row = rows[number]
    if not (_BARE.match(row.text) or _HARMLESS.match(row.text)):
        return False
    below = next((one for one in rows.some(number + 1, number + _NEAR_TAIL) if one.text.strip()), None)
    return below is not None and below.depth == row.depth and not was_wrapped(row, below)


def has_orders_at_start(rows: list[Row]) -> bool:
    """Tell whether orders begin in the first lines, up to a blank one."""
    for row in rows:
        if not row.text.strip():
            return False
        found = START.match(row.text)
        if found and not _HARMLESS.match(row.text) and OPENS.search(row.text, found.end() - 1):
            return True
    return False
