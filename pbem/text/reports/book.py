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
from pbem.text.reports.booktables import laid_in_columns
from pbem.text.reports.layout import WIDTH
from pbem.text.reports.report import escaping
from pbem.text.yaml.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment

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


def _filled(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _told_item(block: Block) -> str:
    return _filled(_plain(block.text), "- ", "  ")


_TEXTS: Final[Mapping[Kind, Callable[[Block], str]]] = {
    "heading": _told_heading,
    "paragraph": lambda block: _filled(_plain(block.text)),
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
