"""Tables of a game book: laid in columns as text, and made of data of which only the schema is known."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.core.interface import Json
from pbem.text.reports.layout import WIDTH
from pbem.text.yaml.strictyaml import dump_flow

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
