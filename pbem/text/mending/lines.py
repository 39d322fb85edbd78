"""Lines as people and mail programs leave them: joined, with a menu's words, bare names, an empty `do`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from pbem.text.envelope import BULLETS, OF_ORDERS
from pbem.text.mending.drafts import Draft, Edit, Sheet, shortened
from pbem.text.mending.names import Names
from pbem.text.mending.values import meant
from pbem.text.orders import Shape
from pbem.text.strictyaml import Path, YamlProblem, dump_flow, parse
from pbem.text.yamlwrite import plain_value

_ABOVE: Final = ("game", "seat", "key", "orders")
_KEY: Final = re.compile(
    rf"(?:^|(?<=[\s,;]))(-[ \t]+)?({'|'.join((*_ABOVE, *OF_ORDERS))})[ \t]*:(?=[ \t{{]|$)"
)
_QUOTED: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_LUCK: Final = re.compile(r"(?:^|[\s{,])luck[ \t]*:[ \t]+(?![\"'\[{|>])", re.IGNORECASE)
_EMPTY: Final = re.compile(r"^([ \t]*(?:- +)*do[ \t]*:[ \t]*)\{[ \t]*\}[ \t]*([^\s#].*)$", re.IGNORECASE)


def apart(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields of a line of orders that stand in one line: `- at: red-1, do: {play: N2}`, a line each."""
    found = list(_fields(line))
    if len(found) < 2:
        return None
    base = line[: len(line) - len(line.lstrip())]
    out, item, has = list[str](), "", set[str]()
    ends = [one.start() for one in found[1:]] + [len(line)]
    for one, end in zip(found, ends, strict=True):
        dash, key, value = one[1], one[2], line[one.end() : end].strip(" \t,;")
        if dash or key in _ABOVE:
            has = set()
            item = "  " if dash else ""
        if key in has:
            return None
        has.add(key)
        start = "- " if dash else item
        out.append(f"{base}{start}{key}:{' ' if value else ''}{value}")
    return "\n".join(out), "Fields that stood in one line were put into lines of their own"


def _fields(line: str) -> Iterator[re.Match[str]]:
    """Yield where the fields of a line begin that stand in no braces, and in no words of a player."""
    if not _KEY.match(line.lstrip()):
        return
    covered = _QUOTED.sub(lambda found: "x" * len(found.group()), line)
    last = ""
    for found in _KEY.finditer(covered):
        before = covered[: found.start()]
        is_inside = any(before.count(one) > before.count(other) for one, other in ("{}", "[]"))
        is_in_do = last == "do" and not found[1] and "}" not in before[before.rfind("do") :]
        if not (is_inside or is_in_do):
            last = found[2]
            yield found


def with_commas(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields behind luck words that nothing parts from them: `{luck: red shoes target: 280}`."""
    found = _LUCK.search(line)
    others = "|".join(sorted((re.escape(word) for word in words if word != "luck"), key=len, reverse=True))
    if found is None or not others:
        return None
    behind = line[found.end() :]
    parted = re.sub(rf"(?<=\S)(?:\s*[;{BULLETS}])?\s+(?=(?:{others})\s*:(?:\s|$))", ", ", behind)
    parted = parted.replace(",, ", ", ")
    return f"{line[: found.end()]}{parted}", "A comma was put before each field that stood behind luck words"


def within(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """What stands behind the empty braces of a form belongs between them: `do: {} play: N2`."""
    found = _EMPTY.match(line)
    if found is None:
        return None
    inner = found[2].strip()
    braced = inner if inner.startswith("{") else f"{{{inner}}}"
    return f"{found[1]}{braced}", f"`{shortened(inner)}` was put between the braces"


_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
_WORD: Final = re.compile(r"[^\s,;()]+")
_FIELDS: Final = re.compile(
    r"(?P<fields>[a-z_]\w*: [^\s:,]+(?:, [a-z_]\w*: [^\s:,]+)+)(?P<told> {2,}\S.*)?\s*"
)
_BEYOND: Final = re.compile(r"(?:,[^:,{}\[\]\"'#\n]*)+(?=\})")
_ONLY_TOLD: Final = ", which only describes the move, was left out"


def without_description(page: Sheet, path: Path, shape: Shape) -> Edit | None:
    """Return the change that leaves out what stands behind a value and two blanks or more.

    None if the value would not do without it, or if a word behind it would do as well.
    """
    node = page.values[path]
    written = page.text[node.start : node.end]
    gap = _GAP.search(written)
    if node.style or gap is None or "\n" in written:
        return None
    beyond = _BEYOND.match(page.text, node.end)  # a comma within it ends the value, not the description
    end = beyond.end() if beyond else node.end
    told = page.text[node.start + gap.end() : end].rstrip()
    value = plain_value(written[: gap.start()])
    if not (shape.takes(value) or shape.takes(meant(value, shape))):
        return None
    if any(shape.takes(one) for word in _WORD.findall(told) for one in (word, plain_value(word))):
        return None
    return Edit(node.start + gap.start(), end, "", f"`{shortened(told)}`{_ONLY_TOLD}")


def fields_of_menu(line: str) -> tuple[str, str] | None:
    """Return the fields of a line of a menu that has several, and what is said of reading it.

    None if it is no such line.
    """
    found = _FIELDS.fullmatch(line.strip())
    if found is None:
        return None
    note = f"`{found['fields']}` was put between the braces"
    return found["fields"], f"{note}, and its description left out" if found["told"] else note


_EMPTY_DO: Final = re.compile(r"^( +do:)[ \t]*\{[ \t]*\}[ \t]*(?:#.*)?$")
_DO: Final = re.compile(r"^ +do:(?: |$)")
_FIELD: Final = re.compile(r"^ +[A-Za-z_]\w*:(?: |$)")
_LEFT_OUT: Final = "The empty `do` of the form was left out"
_FILLED: Final = "The empty braces of the form were left out"


def without_empty_do(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return the text without the empty `do` that stands above another, or above fields; None if none does.

    Args:
        draft: The text.
        problem: What reading it stumbled over: the second `do`, or a line that is deeper than the first.
    """
    lines = draft.text.split("\n")
    at = problem.mark.line - 1
    if problem.again is not None and problem.again[0] == "do":
        empty = [n for n in (problem.again[1] - 1, at) if n < len(lines) and _EMPTY_DO.match(lines[n])]
        return draft.with_lines({empty[0]: ""}, _LEFT_OUT) if empty else None
    above = next((n for n in range(min(at, len(lines)) - 1, -1, -1) if _says(lines[n])), None)
    if above is None or at >= len(lines) or not (empty_do := _EMPTY_DO.match(lines[above])):
        return None
    deeper = _indent(lines[at]) - _indent(lines[above])
    if deeper <= 0 or not _FIELD.match(lines[at]):
        return None

    if _DO.match(lines[at]):
        end = next((n for n in range(at + 1, len(lines)) if _ends(lines[n], lines[at])), len(lines))
        moved = {n: lines[n][deeper:] for n in range(at, end) if _says(lines[n])}
        tried = draft.with_lines({above: "", **moved}, _LEFT_OUT)
    elif (menu := fields_of_menu(lines[at])) is not None:
        fields, note = menu
        tried = draft.with_lines({above: f"{empty_do[1]} {{{fields}}}", at: ""}, note)
    else:
        tried = draft.with_lines({above: empty_do[1]}, _FILLED)
    return tried if tried.reads_further(problem) else None


def _says(line: str) -> bool:
    """Tell whether a line is neither empty nor help of the form."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _ends(line: str, first: str) -> bool:
    """Tell whether a line belongs no more to the block that another line begins."""
    return _says(line) and _indent(line) <= _indent(first)


_SIGNS: Final = re.compile(r"[:#,'\"\[\]{}&*!|>%@`]")
_QUOTE: Final = "['\"‘’“”]?"
"""Quotation marks within a name may be left out, or curly."""
_BEFORE: Final = r"(?P<before>(?:[\[{,]|:[ \t]|-[ \t])[ \t]*)"
_BEHIND: Final = r"(?=[ \t]*(?:[,}\]]|$)|[ \t]+#)"


def names_quoted(draft: Draft, things: Names) -> Draft:
    """Return a text that is no YAML with quotes around names that need them, if it has any.

    Args:
        draft: The text.
        things: What things are called.
    """
    edits = [edit for name in _needy(things) for edit in _quoted(draft.text, name)]
    return draft.edited(edits) if edits else draft


def _needy(things: Names) -> list[str]:
    """Return the names that are no text in YAML as they stand, longest first."""
    every = {name for names in things.ids.values() for name in names if _SIGNS.search(name)}
    return sorted((name for name in every if not _is_text(name)), key=len, reverse=True)


def _is_text(name: str) -> bool:
    try:
        value = parse(f"of: [{name}]").value
    except YamlProblem:
        return False
    found = value.get("of") if isinstance(value, dict) else None
    return isinstance(found, list) and len(found) == 1 and isinstance(found[0], str)


def _quoted(text: str, name: str) -> Iterator[Edit]:
    """Yield the change for each place where a name stands bare as a value, outside comments."""
    parts = (_QUOTE if sign in "'\"" else r"\s+" if sign == " " else re.escape(sign) for sign in name)
    pattern = re.compile(f"{_BEFORE}(?P<name>{''.join(parts)}){_BEHIND}", re.IGNORECASE | re.MULTILINE)
    for found in pattern.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not line.lstrip().startswith("#"):
            note = f"`{shortened(found['name'])}` was put in quotes"
            yield Edit(found.start("name"), found.end("name"), dump_flow(name), note)
