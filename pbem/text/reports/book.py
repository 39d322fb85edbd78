"""The game book: one text with headings, lists, tables and examples; as plain text, as a page, in a guide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from markupsafe import escape

from pbem.core.interface import Json
from pbem.text.reports.layout import WIDTH
from pbem.text.reports.report import escaping
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment


GAP: Final = 2
LEAST: Final = 8
"""No column is made narrower than so many letters."""

_UNTOLD: Final = frozenset(["id", "status"])


def laid_in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table of 72 columns; cells that are too wide are wrapped.

    Args:
        rows: The rows, the heading first; a line is drawn below it.
    """
    count = max(len(row) for row in rows)
    full = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = _widths(full)
    ruler = ["-" * width for width in widths]
    lines = [line for row in (full[0], ruler, *full[1:]) for line in _lines(row, widths)]
    return "\n".join(lines)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how wide each column is: what it needs, and less of the widest if all is too wide."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in columns]
    while sum(widths) + GAP * (len(widths) - 1) > WIDTH and max(widths) > LEAST:
        whole = [width for width, word in zip(widths, words, strict=True) if width > word]
        widest = max(whole, default=0) or max(widths)  # words are cut only where nothing else helps
        place = next(
            n for n, width in enumerate(widths) if width == widest and (not whole or width > words[n])
        )
        widths[place] -= 1
    return widths


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, cells))):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        line = (" " * GAP).join(f"{part:{width}}" for part, width in zip(parts, widths, strict=True))
        yield line.rstrip()


def told_tables(data: Mapping[str, Json], schema: Mapping[str, Json]) -> list[Json]:
    """Return data tables as a game book shows those that no template knows.

    Args:
        data: The tables in force.
        schema: Their schema, for titles and descriptions.

    Returns:
        A table each: `title`, `says`, `head` and `rows`, all of it texts. What has an id and a name is called
        by its name everywhere.
    """
    names = names_of(data)
    fields = schema.get("properties")
    known = fields if isinstance(fields, dict) else {}
    return [_told(key, value, known.get(key), names) for key, value in data.items()]


def _told(key: str, value: Json, schema: Json, names: Mapping[str, str]) -> dict[str, Json]:
    about = schema if isinstance(schema, dict) else {}
    head, rows = _rows(value, names)
    title = about.get("title") or key.replace("_", " ").capitalize()
    told: dict[str, Json] = {"title": title, "says": about.get("description") or ""}
    return {**told, "head": list[Json](head), "rows": [list[Json](row) for row in rows]}


def _rows(value: Json, names: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of one table."""
    if isinstance(value, dict) and isinstance(value.get("list"), list) and value["list"]:
        value = value["list"]
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        rows = [one for one in value if isinstance(one, dict)]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        named = any("name" in row for row in rows)
        keys = [key for key in keys if key != "status" and not (named and key == "id")]
        head = [key.replace("_", " ") for key in keys]
        return head, [[_cell(row.get(key, ""), names) for key in keys] for row in rows]
    if isinstance(value, list) and value and all(isinstance(one, list) for one in value):
        return ["value"], [[_cell(one, names)] for one in value]
    if isinstance(value, dict):
        told = [(key, one) for key, one in value.items() if key not in _UNTOLD]
        return ["what", "value"], [
            [names.get(key, key.replace("_", " ")), _cell(one, names)] for key, one in told
        ]
    return ["value"], [[_cell(value, names)]]


def _cell(value: Json, names: Mapping[str, str]) -> str:
    """Return a value in a few words."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        return ", ".join(_cell(one, names) for one in value)
    return dump_flow(_named(value, names))


def _named(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    if isinstance(value, dict):
        return {names.get(key, key): _named(one, names) for key, one in value.items()}
    return value


def names_of(data: Mapping[str, Json]) -> dict[str, str]:
    """Return the name of whatever has an id and a name in data tables, by its id."""
    return dict(_names(dict(data)))


def _names(value: Json) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of whatever has both."""
    if isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, dict):
        if isinstance(value.get("id"), str) and isinstance(value.get("name"), str):
            yield str(value["id"]), str(value["name"])
        for one in value.values():
            yield from _names(one)


_MARKS: Final = "\\`*|#\n"
_HIDDEN: Final = {ord(mark): chr(0xE010 + number) for number, mark in enumerate(_MARKS)}
_SHOWN: Final = {ord(there): chr(mark) for mark, there in _HIDDEN.items()}
_IN_A_GUIDE: Final = {ord(there): f"\\{chr(mark)}" for mark, there in _HIDDEN.items()} | {
    ord(_HIDDEN[ord("\n")]): " ",
    ord(_HIDDEN[ord("#")]): "#",
}
"""Marks that stand in the data mean themselves: they are hidden while the template and the text are read."""

_STRONG: Final = re.compile(r"\*\*([^*]+)\*\*")
_SLANTED: Final = re.compile(r"\*([^*]+)\*")
_CODE: Final = re.compile(r"`([^`]+)`")
_RULE: Final = re.compile(r"[|\s:-]+")

Kind = Literal["heading", "paragraph", "item", "table", "example"]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a game book.

    Attributes:
        kind: What it is.
        text: Its text; of an example with its line feeds, of a table "".
        level: Of a heading: 1 is the book's title.
        rows: Of a table, its heading first.
    """

    kind: Kind
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = field(default=())


def book(environment: Environment, facts: Mapping[str, Json]) -> str:
    """Return the game book as its template writes it: a small part of Markdown.

    Args:
        environment: The templates of the rules.
        facts: What is told of the game, as JSON.
    """
    names = [f"{facts['rules']}/book.md.j2", "common/book.md.j2"]
    templates = _of_books(environment)
    told = {name: _translated(value, _HIDDEN) for name, value in facts.items()}
    return templates.select_template(names).render(told)


@lru_cache(maxsize=16)
def _of_books(environment: Environment) -> Environment:
    """Return the environment of books: what is written as in orders is so with all its marks."""
    made = environment.overlay()
    made.filters = {**environment.filters, "flow": _flow}
    return made


def _flow(value: Json) -> str:
    return dump_flow(_translated(value, _SHOWN)).translate(_HIDDEN)


def _translated(value: Json, table: Mapping[int, str]) -> Json:
    """Return JSON with the marks of Markdown in its texts hidden, or shown again."""
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, list):
        return [_translated(one, table) for one in value]
    if isinstance(value, dict):
        return {key.translate(table): _translated(one, table) for key, one in value.items()}
    return value


def blocks(markup: str) -> tuple[Block, ...]:
    """Return the blocks of a game book in their order."""
    return tuple(_blocks(iter([*markup.splitlines(), ""])))


def as_text(markup: str) -> str:
    """Return a game book as plain text of 72 columns."""
    parts: list[str] = []
    last = ""
    for block in blocks(markup):
        told = _TEXTS[block.kind](block)
        close = block.kind == "item" == last
        parts.append(told if not parts else f"\n{told}" if close else f"\n\n{told}")
        last = block.kind
    return "".join(parts).translate(_SHOWN) + "\n"


def as_page(environment: Environment, facts: Mapping[str, Json], markup: str) -> str:
    """Return a game book as one page, which prints well and loads nothing."""
    found = blocks(markup)
    title = next((_bare(block.text) for block in found if block.level == 1), str(facts["rules"]))
    body = "\n".join(_pages(found)).translate(_SHOWN)
    template = escaping(environment).get_template("common/book.html.j2")
    return template.render(title=title.translate(_SHOWN), body=body)


def section(markup: str, heading: str) -> str:
    """Return what stands below a heading, up to the next one that is as high, as a guide has it.

    Raises:
        ValueError: There is no such heading.
    """
    lines = iter(markup.splitlines())
    level = next((len(line.split(" ")[0]) for line in lines if line.lstrip("#") == f" {heading}"), 0)
    if not level:
        raise ValueError(f"the game book has no heading {heading!r}")
    found: list[str] = []
    for line in lines:
        depth = len(line) - len(line.lstrip("#"))
        if 0 < depth <= level:
            break
        found.append(line)
    return "\n".join(found).strip().translate(_IN_A_GUIDE) + "\n"


def _blocks(lines: Iterator[str]) -> Iterator[Block]:
    """Yield the blocks of lines of which the last is empty."""
    kind: Kind = "paragraph"
    held: list[str] = []
    for line in lines:
        starts = _start(line)
        if held and (not line.strip() or starts not in ("", kind) or starts == "item"):
            yield _block(kind, held)
            held = []
        if line.startswith("```"):
            inside = iter(lambda: next(lines), "```")
            yield Block("example", "\n".join(inside))
        elif line.startswith("#"):
            marks, _, text = line.partition(" ")
            yield Block("heading", text.strip(), len(marks))
        elif line.strip():
            kind = kind if held else starts or "paragraph"
            held.append(line.strip())


def _start(line: str) -> Kind | Literal[""]:
    """Return what a line begins, or "" where it goes on."""
    if line.startswith("```"):
        return "example"
    if line.startswith("#"):
        return "heading"
    return "table" if line.startswith("|") else "item" if line.startswith("- ") else ""


def _block(kind: Kind, lines: Sequence[str]) -> Block:
    if kind != "table":
        text = " ".join(lines)
        return Block(kind, text[2:] if kind == "item" else text)
    rows = [line.strip("|").split("|") for line in lines if not _RULE.fullmatch(line)]
    return Block(kind, rows=tuple(tuple(cell.strip() for cell in row) for row in rows))


def _plain(text: str) -> str:
    """Return text without marks, but for those of words that are written as they stand."""
    return _SLANTED.sub(r"\1", _STRONG.sub(r"\1", text))


def _bare(text: str) -> str:
    """Return text without any marks."""
    return _plain(_CODE.sub(r"\1", text))


def _told_table(block: Block) -> str:
    """Return a table in columns; its first is a heading for each row."""
    return laid_in_columns([[_bare(row[0]), *map(_plain, row[1:])] for row in block.rows])


def _told_heading(block: Block) -> str:
    text = _bare(block.text)
    if block.level > 2:
        return text + "\n" + "-" * len(text)
    return text.upper() + ("\n" + "=" * len(text) if block.level == 1 else "")


def _wrap_text(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _told_item(block: Block) -> str:
    return _wrap_text(_plain(block.text), "- ", "  ")


_TEXTS: Final[Mapping[Kind, Callable[[Block], str]]] = {
    "heading": _told_heading,
    "paragraph": lambda block: _wrap_text(_plain(block.text)),
    "item": _told_item,
    "table": _told_table,
    "example": lambda block: textwrap.indent(block.text, "    "),
}


def _pages(found: Sequence[Block]) -> Iterator[str]:
    """Yield the blocks as HTML."""
    for number, block in enumerate(found):
        if block.kind == "heading":
            yield f"<h{block.level}>{_inline(block.text)}</h{block.level}>"
        elif block.kind == "item":
            first = number == 0 or found[number - 1].kind != "item"
            last = number + 1 == len(found) or found[number + 1].kind != "item"
            yield f"{'<ul>' if first else ''}<li>{_inline(block.text)}</li>{'</ul>' if last else ''}"
        elif block.kind == "table":
            yield _table(block)
        elif block.kind == "example":
            yield f'<pre tabindex="0">{escape(block.text)}</pre>'
        else:
            yield f"<p>{_inline(block.text)}</p>"


def _table(block: Block) -> str:
    head, *rows = block.rows
    named = "".join(f'<th scope="col">{_inline(cell)}</th>' if cell else "<td></td>" for cell in head)
    told = "\n".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table>\n<thead><tr>{named}</tr></thead>\n<tbody>\n{told}\n</tbody>\n</table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


def _inline(text: str) -> str:
    text = _CODE.sub(r"<code>\1</code>", str(escape(text)))
    return _SLANTED.sub(r"<em>\1</em>", _STRONG.sub(r"<b>\1</b>", text))
