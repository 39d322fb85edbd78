"""How deep each row is quoted, also where a mail program puts no marks before what it quotes."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mail.rows import Rows

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
# Finds in a whole text what may begin a quote: the line of a sender, a rule, and the words above a quote.
_MAY_HEAD: Final = re.compile(
    rf"\n[ >|]*+(?=[{_FROM_FIRST}*_\s-])"
    rf"(?=[ >*_]{{0,3}}+(?:{_NAMES['from']})[*_\xa0 ]{{0,3}}[:：]|[^\S\n]*+(?:__|--))",
    re.IGNORECASE,
)
_MAY_SAY: Final = re.compile(r":(?=[^\S\n]*+(?:\n|\Z))")
_MAY_SAY_WIDELY: Final = re.compile(r"：(?=[^\S\n]*+(?:\n|\Z))")
_FIELD: Final = re.compile(r"[*_ ]{0,3}[^\W\d_][^:：\n]{0,24}[:：]\s*\S")
_OURS: Final = re.compile(r" {0,3}(?:game|seat|key|orders|stop_if|press|partial)\s*:", re.IGNORECASE)
_DATED_ADDRESS: Final = re.compile(r"[^0-9]*+[0-9].*[^\s<>@]@[^\s<>@]+\.[^\s<>@]+[>)]?.{0,40}[:：]$")
_DIGIT: Final = re.compile(r"[0-9]")
_NEAR: Final = 8
_LONGEST: Final = 300


class Depths:
    """How deep each row of a text is quoted.

    Marks count, and so does everything below the headers, the rule or the words with which a program begins
    what it quotes without marks.

    Attributes:
        first: The position of the first row that begins such a quote; above it only marks count.
    """

    __slots__ = ("_below", "_rows", "first")

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        begins = _beginnings(rows)
        self.first = min(begins, default=len(rows))
        self._below = _below(rows, self.first, begins)

    def __getitem__(self, number: int) -> int:
        depth = self._rows[number].depth
        return depth if number < self.first else depth + self._below[number - self.first]


def _beginnings(rows: Rows) -> set[int]:
    """Return the positions of all rows that `begins_quote`."""
    patterns = (_MAY_HEAD, _MAY_SAY, *((_MAY_SAY_WIDELY,) if "：" in rows.text else ()))
    near = {number for pattern in patterns for number in rows.found(pattern)}
    return {number for number in near if begins_quote(rows, number)}


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
            below.append(row.depth)
        out.append(len(below))
    return out


def begins_quote(rows: Rows, number: int) -> bool:
    """Tell whether a mail program begins at this row what it quotes without marks."""
    text = rows[number].text
    if text.lstrip()[:1] == "#":  # a comment of a form
        return False
    if ":" in text or "：" in text:
        if found := _HEADER.match(text):
            return found.lastgroup == "from" and _is_header(rows, number)
        is_said = text.rstrip().endswith((":", "：")) and len(text) <= _LONGEST
        is_said = is_said and bool(_WROTE.fullmatch(text))
        return is_said and _is_dated(rows, number) and _is_bare(rows, number)
    is_rule = text.lstrip()[:2] in ("__", "--") and len(text) <= _LONGEST and _RULED.fullmatch(text)
    return bool(is_rule) and _heads_fields(rows, number)


def introduces(rows: Rows, number: int) -> int:
    """Return how many rows from this one on are the words above a quote with marks: `On Monday, Ann wrote:`.

    A mail program may have wrapped them into two lines.
    """
    if not rows[number].text.strip():
        return 0
    depth, text = rows[number].depth, ""
    for count, row in enumerate(rows.some(number, number + 3), 1):
        text = f"{text} {row.text[:_LONGEST]}".strip()
        if row.depth != depth or not row.text.strip() or len(text) >= _LONGEST:
            return 0
        if not text.endswith((":", "：")):
            continue
        near = rows.some(number + count, number + count + _NEAR)
        below = next((one for one in near if one.text.strip() or one.depth > depth), None)
        is_said = _WROTE.fullmatch(text) or _DATED_ADDRESS.match(text)
        return count if is_said and below is not None and below.depth > depth else 0
    return 0


def _is_header(rows: Rows, number: int) -> bool:
    """Tell whether the line of a sender stands among at least two others of a header."""
    depth, kinds = rows[number].depth, set[str]()
    for row in rows.some(number, number + _NEAR):
        if row.depth != depth or not row.text.strip():
            break
        found = _HEADER.match(row.text)
        if found and found.lastgroup:
            kinds.add(found.lastgroup)
    return len(kinds) >= 3


def _heads_fields(rows: Rows, number: int) -> bool:
    """Tell whether a rule stands above what looks like the header of a mail, in whatever language."""
    near = [row.text for row in rows.some(number + 1, number + 1 + _NEAR) if row.text.strip()]
    return sum(1 for text in near if _FIELD.match(text) and not _OURS.match(text)) >= 3


def _is_dated(rows: Rows, number: int) -> bool:
    """Tell whether a number stands in the words of a quote: the day or the hour, or part of an address."""
    return any(_DIGIT.search(row.text) for row in rows.some(number - 1, number + 1))


def _is_bare(rows: Rows, number: int) -> bool:
    """Tell whether what follows the words of a quote has no marks."""
    after = (row for row in rows.some(number + 1, number + 1 + _NEAR) if row.text.strip())
    following = next(after, None)
    return following is not None and following.depth == rows[number].depth
