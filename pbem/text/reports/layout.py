"""Text in the width of a mail: wrapped, cut, and laid out as a map."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from pbem.core.interface import Json, put_at
from pbem.text.yamlwrite import dump_flow, dump_flow_lines

WIDTH: Final = 72
NAME_LINES: Final = 2
_SPELLED: Final = re.compile(r"(\w{3,}) ([0-9]{2}) (\w{3,}) [0-9]{4}, ([0-9]{2}:[0-9]{2}) (\S+)")


def wrap_text(text: str, indent: str = "", first: str = "") -> str:
    """Return text wrapped at 72 columns; press and names may hold line feeds, which are kept.

    What is quoted with a bar stays so in every line: no press can look like the report around it. Labels,
    roots and names stay whole, so that they can be searched for.

    Args:
        text: The text.
        indent: What stands before every line but the first.
        first: What stands before the first line.
    """
    out: list[str] = []
    for paragraph in plain(text).splitlines() or [""]:
        start = first if not out else indent
        if paragraph and len(start) + len(paragraph) <= WIDTH and _is_single_line(paragraph):
            out.append(start + paragraph)
            continue
        bar = "| " if paragraph.startswith("| ") else ""
        lines = textwrap.wrap(
            paragraph, WIDTH, initial_indent=start, subsequent_indent=indent + bar, break_on_hyphens=False
        )
        out.extend(lines or [(first if not out else indent).rstrip()])
    return "\n".join(out)


def joined(text: str) -> str:
    """Return what a template made of a letter: a line for each paragraph, and for each item of a list.

    A line that begins with a dash begins an item; all others of a paragraph belong to the line before.
    """
    paragraphs = list[str]()
    for paragraph in text.split("\n\n"):
        lines = list[str]()
        for line in filter(None, map(str.strip, paragraph.splitlines())):
            if lines and not line.startswith("- "):
                lines[-1] = f"{lines[-1]} {line}"
            else:
                lines.append(line)
        paragraphs.append("\n".join(lines))
    return "\n\n".join(filter(None, paragraphs))


def wrap_letter(words: str) -> str:
    """Return the words of a letter, from `joined`, wrapped at 72 columns."""
    lines = (wrap_text(line, "  " if line.startswith("- ") else "") for line in words.split("\n"))
    return "\n".join(lines)


def commented(text: str, indent: str = "", first: str = "") -> str:
    """Return a line of help cut at spaces into lines of 72 columns; what can be ordered is cut `by_entries`.

    Args:
        text: The line.
        indent: What stands before every line but the first; deeper than the first.
        first: What stands before the first line.
    """
    text = plain(text)
    if len(first) + len(text) <= WIDTH and _is_single_line(text):
        return first + text
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(lines)


def by_entries(value: Json, first: str, indent: str) -> str:
    """Return a value as YAML in lines of 72 columns that are cut between entries alone.

    Args:
        value: An order, a line of orders, or a condition.
        first: What stands before the first line.
        indent: What stands before every other line.
    """
    return "\n".join(dump_flow_lines(value, WIDTH, first, indent))


def named(value: Json, names: Mapping[str, str]) -> Json:
    """Return a value with every text in it that is an id as its name; the names of fields stay as they are.

    Args:
        value: An id, an order, or a part of one.
        names: The names by id.
    """
    if isinstance(value, dict):
        return {field: named(part, names) for field, part in value.items()}
    if isinstance(value, list):
        return [named(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def named_facts(condition: dict[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """Return a condition with every id in its paths and its values as its name.

    Args:
        condition: What must be found, by path: `{sites.koeln: free}`.
        names: The names by id; one with a dot in it stays as it is in a path.
    """
    return {
        ".".join(_path_name(part, names) for part in path.split(".")): named(wanted, names)
        for path, wanted in condition.items()
    }


def named_line(line: dict[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """Return a line that is ready for an ask, as an orders file has it, with every id as its name.

    Args:
        line: `do` and, where it has them, `at`, `until`, `keep` and `when`; its note is left out.
        names: The names by id.
    """
    condition = line.get("when")
    whole = {
        "at": line.get("at"),
        "until": line.get("until"),
        "keep": line.get("keep"),
        "when": named_facts(condition, names) if isinstance(condition, dict) else None,
        "do": named(line["do"], names),
    }
    return {field: value for field, value in whole.items() if value is not None}


def own_line(order: dict[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """Return a line of the reader that stands as an orders file has it, its condition as it was written.

    Args:
        order: The line, as the facts of a report have it.
        names: The names by id, for its order.
    """
    stays = "until" if order.get("until") else "keep"
    fields = {name: order.get(name) for name in ("at", stays, "when", "if_silent")}
    return {**{name: one for name, one in fields.items() if one}, "do": named(order["do"], names)}


def _path_name(part: str, names: Mapping[str, str]) -> str:
    name = names.get(part, part)
    return part if "." in name else name


def truncate_line(text: str, width: int) -> str:
    """Return text cut to a width, with an ellipsis where something was left out."""
    text = plain(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def bare(order: Json) -> str:
    """Return what a menu offers as YAML in a line, its fields without the braces: `play: N1, hero: true`."""
    text = dump_flow(order)
    return text[1:-1] if isinstance(order, dict) else text


def entry_in_order(entry: Json, paths: Sequence[str]) -> Json:
    """Return an entry of a menu as it stands in an order: `5` of a menu for `bid` is `{bid: 5}`.

    Args:
        entry: A whole order, or what stands at a place.
        paths: The places of its menu, dotted; the first one is taken. "" is the whole order.
    """
    return entry if "" in paths else put_at({}, paths[0], entry)


def layout_map(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as a map of 72 columns at most, an empty line between rows.

    Args:
        rows: The rows, each with its cells' texts; each line of a text gets up to two lines on the map. Rows
            may differ in length, and a text may be empty.
    """
    width = WIDTH // max((len(row) for row in rows), default=1) - 1
    return "\n\n".join(_row([fold_lines(text, width) for text in row], width) for row in rows)


def _is_single_line(text: str) -> bool:
    """Tell whether wrapping would leave a short text as it is."""
    return bool(text) and "\t" not in text and not text[0].isspace() and not text[-1].isspace()


def plain(text: str) -> str:
    """Return text as it is read: what a page has escaped already is put back, to be escaped once."""
    return (text.unescape() if "&" in text else str(text)) if isinstance(text, Markup) else str(text)


def _row(cells: Sequence[Sequence[str]], width: int) -> str:
    height = max((len(cell) for cell in cells), default=0)
    lines = [
        " ".join(f"{cell[number] if number < len(cell) else '':{width}}" for cell in cells)
        for number in range(height)
    ]
    return "\n".join(line.rstrip() for line in lines)


def fold_lines(text: str, width: int, most: int = NAME_LINES) -> list[str]:
    """Return text as lines of a width, each of its own lines folded into a few at most.

    Args:
        text: The text.
        width: The most letters of a line.
        most: The most lines that one line of the text becomes; an ellipsis stands for what is left out.
    """
    lines: list[str] = []
    for paragraph in plain(text).strip().splitlines():
        if len(paragraph) <= width and _is_single_line(paragraph):
            lines.append(paragraph)
            continue
        found = textwrap.wrap(paragraph, width)
        if len(found) > most:
            last = found[most - 1]
            found[most - 1 :] = [truncate_line(f"{last} …" if len(last) < width - 1 else f"{last}…", width)]
        lines += found
    return lines


def brief_deadline(deadline: str) -> str:
    """Return a deadline that stands in a report as short as a subject wants it: "Tue 24 Nov 20:00 EET"."""
    found = _SPELLED.match(deadline)
    return " ".join((found[1][:3], str(int(found[2])), found[3][:3], *found.group(4, 5))) if found else ""
