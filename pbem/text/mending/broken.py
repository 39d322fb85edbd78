"""Lines that are no YAML, as they can only be meant: braces lost, words without quotes or after a `#`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from pbem.core.conditions import close_matches
from pbem.text.envelope import OF_ORDERS, OF_PRESS, TOP
from pbem.text.mending.drafts import Draft, Edit, Sheet, parse_sheet, shorten_text
from pbem.text.mending.lines import add_luck_comma, move_into_braces, remove_empty_do, split_line_fields
from pbem.text.mending.names import KnownGame
from pbem.text.plaintext import TextProblem, clean_text
from pbem.text.strictyaml import YamlProblem

SAID: Final = ("say", "luck", "text", "message", "words")
_WORDS: Final = rf"(?:{'|'.join(SAID)})"
_ALONE: Final = re.compile(rf"^([ \t]*(?:- +)*{_WORDS}\s*:[ \t]+)(\S.*?)[ \t]*$", re.IGNORECASE)
_IN_BRACES: Final = re.compile(rf"([{{,]\s*{_WORDS}\s*:[ \t]*)(?![\[{{])(\S.*)$", re.IGNORECASE)
_HEAD: Final = re.compile(r"^([ \t]*(?:- +)*)([A-Za-z_][\w-]*)[ \t]*:[ \t]+(?![\[{\"'|>#&*!])(\S.*)$")
_FIELD_AFTER_COMMA: Final = re.compile(r",\s*([A-Za-z_]\w*)\s*:\s")
_FIELD_BEHIND: Final = re.compile(
    r"""(?:'[^']*'|"[^"]*")\s*,\s*[A-Za-z_]\w*\s*:\s|.*,\s*[A-Za-z_]\w*\s*:\s*(?:true|false)\s*$"""
)
_PAIR: Final = re.compile(r"[A-Za-z_][\w.]*\s*:\s")
_COMMENT: Final = re.compile(r"\s+#.*$")
_TABS: Final = re.compile(r"^ *\t[ \t]*")
_CURLY: Final = re.compile(r"[“”„«»]")
_NO_SPACE: Final = re.compile(r"(?<![\w:/])([A-Za-z_][\w]*):(?=[^\s/:])")
_NO_DASH_SPACE: Final = re.compile(r"^([ \t]*)-(?=[A-Za-z{])")


_MOST_HELP: Final = 60


def mend_line(draft: Draft, problem: YamlProblem, words: Collection[str] = ()) -> Draft | None:
    """Return the text with one line near a problem mended so that reading comes further; None if none does.

    Args:
        draft: The text.
        problem: What reading it stumbled over.
        words: The fields of the rules.
    """
    lines = draft.text.split("\n")
    if laid_out := remove_empty_do(draft, problem) or remove_braces(draft, problem):
        return laid_out
    end = next(iter(_nearest_lines(lines, len(lines) - 1)), -1)
    for number in _nearest_lines(lines, problem.mark.line - 1):
        for new, note in _line_repairs(lines[number], words):
            if number == end and is_cut_in_list(lines[number], new):
                continue
            tried = draft.replace_lines({number: new}, note)
            if tried.is_read_further(problem):
                return tried
    return None


def _nearest_lines(lines: list[str], at: int) -> list[int]:
    """Return the three nearest lines, at or above one, that are not empty and no help of the form."""
    last = min(at, len(lines) - 1)
    above = range(last, max(-1, last - _MOST_HELP), -1)
    return [n for n in above if lines[n].strip() and not lines[n].lstrip().startswith("#")][:3]


def _line_repairs(line: str, words: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what a line may be meant as, with what is told of it."""
    for way in (_replace_tabs, split_line_fields, move_into_braces, *_WAYS, close_brackets):
        if (found := way(line, words)) is not None and found[0] != line:
            yield found


def _replace_tabs(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Tabs at the start of a line are two spaces each."""
    found = _TABS.match(line)
    if found is None:
        return None
    return found.group().replace("\t", "  ") + line[found.end() :], "Tabs were read as two spaces each"


def _split_fields(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Words of a player and other fields behind them: `- luck: red shoes, target: 280`, a line each."""
    found = _ALONE.match(line)
    if found is None or _is_quoted(found[2]):
        return None
    starts = [one.start() for one in _FIELD_AFTER_COMMA.finditer(found[2]) if one[1] in {*OF_PRESS, *words}]
    if not starts:
        return None
    said, *rest = (found[2][a:b] for a, b in pairwise([0, *starts, len(found[2])]))
    deeper = " " * (len(line) - len(line.lstrip(" \t-")))
    fields = [one.lstrip(", ") for one in rest]
    new = "\n".join([found[1] + quote_text(said), *(deeper + one for one in fields)])
    return new, f"`{shorten_text(', '.join(fields))}` was read as fields of their own"


def _add_commas(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields behind luck words without a comma before them, in braces or in lines of their own then."""
    found = add_luck_comma(line, words)
    if found is None or found[0] == line:
        return None
    return _split_fields(found[0], words) or _add_braces(found[0], words) or found


def _quote_whole_line(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Words of a player that stand in a line of their own: `say: Note: hold`, `say: 'tis mine`."""
    found = _ALONE.match(line)
    if found is None or _is_quoted(found[2]):
        return None
    return found[1] + quote_text(found[2]), f"`{shorten_text(found[2])}` was put in quotes"


def _quote_in_braces(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Words of a player in braces: `{to: [red], say: Well, that hurts}`, `{luck: #1 fan}`."""
    found = _IN_BRACES.search(line)
    if found is None:
        return None
    end = None
    for end in _end_pattern(frozenset(words)).finditer(found[2]):
        if "," in end.group()[: len(end.group()) - len(end.group().lstrip()) + 1]:
            break
    if end is None or _is_quoted(said := found[2][: end.start()]):
        return None
    head = line[: found.start()] + found[1].rstrip() + " "
    return head + quote_text(said) + found[2][end.start() :], f"`{shorten_text(said)}` was put in quotes"


def _add_braces(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields without their braces: `do: play: S3, hero: true`."""
    found = _HEAD.match(line)
    if found is None or found[2].lower() in SAID or not _PAIR.match(found[3]):
        return None
    comment = _COMMENT.search(found[3])
    rest = found[3][: comment.start()] if comment else found[3]
    tail = comment.group() if comment else ""
    inner = rest.strip()
    below = _HEAD.match(inner)
    if below is not None and _PAIR.match(below[3]):
        inner = f"{below[2]}: {{{below[3].strip()}}}"
    return f"{found[1]}{found[2]}: {{{inner}}}{tail}", f"Braces were put around `{shorten_text(inner)}`"


def _add_spaces(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """A colon or a dash without a space behind it: `do:{play:N2}`, `-at: red-3`."""
    known = {*TOP, *OF_ORDERS, *OF_PRESS, *words}

    def put(found: re.Match[str]) -> str:
        return f"{found[1]}: " if found[1] in known else found.group()

    said = re.search(rf"\b{_WORDS}\s*:", line)
    head, rest = (line[: said.end()], line[said.end() :]) if said else (line, "")
    new = _NO_DASH_SPACE.sub(r"\1- ", _NO_SPACE.sub(put, head))
    if said and rest and not rest.startswith(" "):
        rest = f" {rest}"
    return new + rest, "A space was added after a colon or a dash"


def _drop_number_signs(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Numbers with the sign for numbers, which begins a comment: `[#9, #22]`."""
    new = re.sub(r"(?<=[\[,:{])(\s*)#(?=[0-9])", r"\1", line)
    return new, "`#` before a number was left out"


def _straighten_quotes(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Curly quotation marks are straight ones."""
    return (_CURLY.sub('"', line), "Quotation marks were made straight") if _CURLY.search(line) else None


def _replace_semicolons(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields in braces with a semicolon between them: `{for: Spain; points: 3}`."""
    new = re.sub(r";(?=\s*[A-Za-z_]\w*\s*:\s)", ",", line)
    return None if re.search(rf"\b{_WORDS}\s*:", line) else (new, "`;` between fields was read as a comma")


def _add_colon(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """A field and its value without the colon between: `seat red`, `at = red-3`."""
    known = "|".join([*TOP, *OF_ORDERS, *OF_PRESS])
    found = re.match(rf"^([ \t]*(?:- +)*)({known})[ \t]*(?:=|[ \t])[ \t]*(\S.*)$", line)
    if found is None or found[3].startswith(":"):
        return None
    return f"{found[1]}{found[2]}: {found[3]}", f"The colon after `{found[2]}` was added"


def space_dashes(draft: Draft) -> Draft:
    """Return a text with a space behind each dash that lacks it, and what belongs to it moved along."""
    edits: list[Edit] = []
    start, deep = 0, -1
    for line in draft.text.split("\n"):
        if (found := _NO_DASH_SPACE.match(line)) is not None:
            deep = len(found[1])
            edits.append(
                Edit(start + found.end(), start + found.end(), " ", "A space was added after the dash")
            )
        elif line.strip() and deep >= 0:
            indent = len(line) - len(line.lstrip())
            if indent == deep + 1:
                edits.append(Edit(start, start, " "))
            elif indent <= deep:
                deep = -1
        start += len(line) + 1
    return draft.edited(edits) if edits else draft


_Way = Callable[[str, Collection[str]], tuple[str, str] | None]
_WAYS: Final[tuple[_Way, ...]] = (
    _add_commas, _quote_in_braces, _split_fields, _quote_whole_line, _add_braces, _add_spaces,
    _straighten_quotes, _add_colon, _drop_number_signs, _replace_semicolons,
)  # fmt: skip


@cache
def _end_pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Return where words of a player in braces end: at another known field, or at the brace."""
    fields = "|".join(map(re.escape, sorted({*OF_PRESS, *words})))
    return re.compile(rf"\s*,\s*(?:{fields})\s*:|\s*\}}+\s*\]?\s*(?:#.*)?$")


def quote_player_texts(draft: Draft, words: Collection[str]) -> Iterator[Edit]:
    """Yield the change of each line in which a player's words lack the quotes that they need.

    Such lines may be YAML and say something else: `{to: [red], say: Well, that hurts}`, `luck: #1 fan`.
    """
    start = 0
    for line in draft.text.split("\n"):
        for way in (_quote_in_braces, _quote_whole_line):
            found = way(line, words)
            if found is not None and _has_to_be_quoted(line, way is _quote_in_braces, words):
                yield Edit(start, start + len(line), *found)
                break
        start += len(line) + 1


def _has_to_be_quoted(line: str, in_braces: bool, words: Collection[str]) -> bool:
    if line.lstrip().startswith("#"):
        return False
    found = (_IN_BRACES.search if in_braces else _ALONE.match)(line)
    said = found[2] if found else ""
    if in_braces:
        end = _end_pattern(frozenset(words)).search(said)
        inner = said[: end.start()] if end else said
        if _FIELD_BEHIND.match(inner):
            return False  # it is told: {say: 'Peace?', private: true}
        if any(_is_mistyped(field, words) for field in _FIELD_AFTER_COMMA.findall(inner)):
            return False  # it is told: {luck: a red hen, targt: 250}
        return "," in inner or said.startswith(("#", "'", "&", "*", "!", "@", "%", "`")) or ":" in inner
    return said.startswith(("#", "&", "*", "!", "@", "%", "`"))


def _is_mistyped(field: str, words: Collection[str]) -> bool:
    return bool(close_matches(field.casefold(), [*OF_PRESS, *words]))


def quote_text(text: str) -> str:
    """Return a text in double quotes."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        bare = bare[1:-1]
    inner = bare.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


def _is_quoted(text: str) -> bool:
    """Tell whether a text stands in quotes that hold to its end."""
    bare = _COMMENT.sub("", text).strip() if text[:1] in "\"'" else text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == '"':
        return re.fullmatch(r'"(?:[^"\\]|\\.)*"', bare) is not None
    if len(bare) > 1 and bare[0] == bare[-1] == "'":
        return re.fullmatch(r"'(?:[^']|'')*'", bare) is not None
    return bare in ("|", ">", "|-", ">-")


_OPENS: Final = re.compile(r"^([ \t]*(?:- +)*)([A-Za-z_]\w*[ \t]*:)[ \t]*\{[ \t]*([^{}#]*?)[ \t]*(?:#.*)?$")
_CLOSES: Final = re.compile(r"^[ \t]*+((?:.*?[^ \t])??)[ \t]*+\}[ \t]*(?:#[^{}]*)?$")
_FIELD: Final = re.compile(r"^[ \t]*[A-Za-z_]\w*[ \t]*:(?:[ \t]|$)")
_MOST: Final = 40


def remove_braces(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return the text with one such pair of braces left out, so that reading comes further; None otherwise.

    Args:
        draft: The text.
        problem: What reading it stumbled over: between the braces, or at the second one.
    """
    lines = draft.text.split("\n")
    last = min(problem.mark.line, len(lines)) - 1
    for first in range(last, max(-1, last - _MOST), -1):
        opening = _OPENS.match(lines[first])
        if opening is None:
            continue
        end = _closing_line(lines, first)
        closing = None if end is None else _CLOSES.match(lines[end])
        if end is None or closing is None:
            return None
        inner = [opening[3], *lines[first + 1 : end], closing[1]]
        fields = [one for one in inner if one.strip() and not one.lstrip().startswith("#")]
        if len(fields) < 2 or not all(_FIELD.match(one) for one in fields):
            return None
        return _fields_without_braces(draft, lines, (first, end), (opening, closing), problem)
    return None


def close_brackets(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """A bracket at the end of a line that was not closed, or closed once too often."""
    bare = _COMMENT.sub("", line)
    if '"' in bare or "'" in bare:
        return None
    stack: list[str] = []
    for sign in bare:
        if sign in "[{":
            stack.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if not stack or stack[-1] != sign:
                if not stack and bare.rstrip().endswith(sign):
                    return bare.rstrip()[:-1] + line[len(bare) :], f"One `{sign}` too many was left out"
                return None
            stack.pop()
    if not stack:
        return None
    end = "".join(reversed(stack))
    return bare.rstrip() + end + line[len(bare) :], f"`{end}` was added at the end"


def is_cut_in_list(line: str, closed: str) -> bool:
    """Tell whether a last line, closed now, broke off in a list: more may have followed."""
    return closed.startswith(line.rstrip()) and "]" in closed[len(line.rstrip()) :]


def close_last_line(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return a text that breaks off in a list with its last line closed: what it may say, to be asked about.

    Args:
        draft: The text.
        problem: What reading it stumbled over.
    """
    rows = draft.text.split("\n")
    written = [n for n, row in enumerate(rows) if row.strip() and not row.lstrip().startswith("#")]
    if not written:
        return None
    row = rows[written[-1]].rstrip(" \t,")
    found = close_brackets(row, ())
    if found is None or not is_cut_in_list(row, found[0]):
        return None
    tried = draft.replace_lines({written[-1]: found[0]}, "")
    return tried if tried.is_read_further(problem) else None


def _closing_line(lines: list[str], first: int) -> int | None:
    """Return the number of the line in which the brace is closed that a line opens."""
    depth = 1
    for number in range(first + 1, min(len(lines), first + _MOST)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return None


def _fields_without_braces(
    draft: Draft,
    lines: list[str],
    ends: tuple[int, int],
    braces: tuple[re.Match[str], re.Match[str]],
    problem: YamlProblem,
) -> Draft | None:
    (first, end), (opening, closing) = ends, braces
    deeper = " " * (len(opening[1]) + 2)
    between = [one for one in lines[first + 1 : end] if one.strip()]
    least = min((len(one) - len(one.lstrip()) for one in between), default=0)
    head = f"{opening[1]}{opening[2]}" + (f"\n{deeper}{_strip_comma(opening[3])}" if opening[3] else "")
    new = [
        head,
        *(deeper + _strip_comma(one[least:]) if one.strip() else one for one in lines[first + 1 : end]),
    ]
    new.append(deeper + _strip_comma(closing[1]) if closing[1] else "")
    laid_out = dict(zip(range(first, end + 1), new, strict=True))
    tried = draft.replace_lines(laid_out, "The fields between the braces were read as a line each")
    return tried if tried.is_read_further(problem) else None


def _strip_comma(line: str) -> str:
    """Return a line without a comma at its end, which only braces need."""
    return re.sub(r"[ \t]*,[ \t]*$", "", line)


_TAIL: Final = re.compile(r"[ \t]+#[^\s#][^\n]*")
_CUT: Final = re.compile(rb"[ \t]#[^\s#]")
_COMMENT_TAIL: Final = re.compile(r"[ \t]+#(?:[\s#].*)?$")


def quote_cut_words(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Put words of a player in quotes that go on behind a ` #` with something right after it.

    A comment has a space behind its #, as all comments of forms have, and stays one.
    """
    for path, node in page.values.items():
        if not path or path[-1] not in SAID or node.style or not isinstance(page.at(path), str | int):
            continue
        found = _TAIL.match(page.text, node.end)
        if found is None or node.end == node.start:
            continue
        said = _COMMENT_TAIL.sub("", page.text[node.start : found.end()]).rstrip()
        edit = page.put(path, quote_text(said), f"`{shorten_text(said)}` was put in quotes")
        yield replace(edit, end=node.start + len(said))


def has_cut_words(data: bytes) -> bool:
    """Tell whether words of a player in an orders file are cut off at a ` #`."""
    if not _CUT.search(data):
        return False
    try:
        page = parse_sheet(clean_text(data))
    except (TextProblem, YamlProblem):
        return False
    return any(quote_cut_words(page, KnownGame()))
