"""A board in fewer bytes for a page with a style of its own: what comes again and again is said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from textwrap import wrap
from typing import Final

_LOOKS: Final = frozenset(
    [
        "fill", "fill-opacity", "font-size", "font-style", "font-weight", "opacity", "stroke",
        "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width",
        "text-anchor",
    ]
)  # fmt: skip
"""Attributes that mean the same as properties of a style; a size of letters needs its unit there."""

_TAG: Final = re.compile(r"<(\w+)((?: [\w:-]+=\"[^\"<>]*\")+)( ?/?>)")
_GIVEN: Final = re.compile(r" ([\w:-]+)=\"([^\"]*)\"")
_PLAIN: Final = re.compile(r"[\w#(),.%:; -]+")
_BARE: Final = re.compile(r"=\"([\w.,#-]+)\"")
_DESCRIBED: Final = re.compile(r"<desc id=\"([^\"]*)\">[^<]*</desc>\s*")
_GROUP: Final = re.compile(r"<g((?: [\w:-]+=\"[^\"<>]*\")*)>([^<]*(?:<(?!/?g[ >])[^<]*)*)</g>")
_FIRST: Final = re.compile(r"<rect x=\"(-?[0-9.]+)\" y=\"(-?[0-9.]+)\"")
_PLACE: Final = re.compile(r"(?<= )(c?)([xy])=\"(-?[0-9.]+)\"")
_FIXED: Final = re.compile(r"<(?!/|(?:title|rect|text|circle)[ >])|transform=")
_INNER: Final = re.compile(r"(<g(?: [^<>]*)?>)((?:\s*<(?:rect|circle|path) [^<>]*/>)+)(?=\s*</g>)")
_SHAPE: Final = re.compile(r"<(?:rect|circle|path)(?: [\w:-]+=\"[^\"<>]*\")+ ?/>")
_SHIFTED: Final = re.compile(r" transform=\"translate\((-?[0-9.]+) (-?[0-9.]+)\)\"")
_LONG: Final = 60
_OFTEN: Final = 3
_LINE: Final = 800
"""So many characters of a row, so that a mail can hold it as it stands (RFC 5322, 2.1.1: 998)."""


def slim(svg: str) -> tuple[str, str]:
    """Return a picture that looks the same, and the style that it needs; of no picture nothing.

    What the picture as a whole is said to show goes where its places say it one by one.

    Args:
        svg: A picture that stands in a page, with attributes in double quotes.
    """
    svg = _GROUP.sub(_moved, _undescribed(svg))
    drawn: dict[str, str] = {}
    svg = _reused(svg, drawn)
    often = Counter(given for tag, given, _ in _TAG.findall(svg) if tag == "text")
    classes: dict[str, str] = {}

    known: dict[str, str] = {}

    def short(found: re.Match[str]) -> str:
        if (tag := known.get(found[0])) is None:
            tag = known[found[0]] = _shortened(found, often, classes)
        return tag

    if drawn:
        head, end, rest = svg.partition(">")
        shapes = "".join(f'<g id="{name}">{shape}</g>' for shape, name in drawn.items())
        svg = f"{head}{end}<defs>{shapes}</defs>{rest}"
    slimmed = _TAG.sub(short, svg)
    return "\n".join(_rows(slimmed)), "".join(f".{name}{{{looks}}}\n" for looks, name in classes.items())


def _shortened(found: re.Match[str], often: Mapping[str, int], classes: dict[str, str]) -> str:
    """Return a tag with a class for its looks, and without the quotes that HTML does not need.

    Args:
        found: The tag: its name, its attributes, and how it ends.
        often: How often texts with these attributes come.
        classes: Classes by their style; more are added.
    """
    tag, given, end = found.groups()
    if tag != "svg" and ' class="' not in given:
        attributes = _GIVEN.findall(given)
        is_often = tag == "text" and often[given] >= _OFTEN and "transform" not in given
        looks = _style(attributes, is_often)
        if _PLAIN.fullmatch(looks):
            gone = (*_LOOKS, "x", "y") if is_often else _LOOKS
            rest = "".join(f' {name}="{value}"' for name, value in attributes if name not in gone)
            given = f' class="{classes.setdefault(looks, f"s{len(classes)}")}"{rest}'
    bare = _BARE.sub(r"=\1", given)
    if not end.endswith("/>"):
        return f"<{tag}{bare}>"
    return f"<{tag}{bare}/>" if bare.endswith('"') else f"<{tag}{bare} />"


def _reused(svg: str, drawn: dict[str, str]) -> str:
    """Return a picture in which what is drawn often is drawn once, and the names of what is drawn so.

    These are what stands in a group without words, and single shapes, also where they are moved.
    """

    def used(shape: str, place: str = "") -> str:
        return f'<use href="#{drawn.setdefault(shape, f"u{len(drawn)}")}"{place}/>'

    groups = Counter(inside for _, inside in _INNER.findall(svg))

    def group_of(found: re.Match[str]) -> str:
        head, inside = found.groups()
        return f"{head}{used(inside)}" if groups[inside] >= _OFTEN and len(inside) > _LONG else found[0]

    svg = _INNER.sub(group_of, svg)
    shapes = Counter(_SHIFTED.sub("", shape) for shape in _SHAPE.findall(svg))

    def shape_of(found: re.Match[str]) -> str:
        shape = _SHIFTED.sub("", found[0])
        if shapes[shape] < _OFTEN or " id=" in shape or "transform" in shape:
            return found[0]
        shift = _SHIFTED.search(found[0])
        return used(shape, f' x="{shift[1]}" y="{shift[2]}"' if shift else "")

    return _SHAPE.sub(shape_of, svg)


def _style(attributes: list[tuple[str, str]], is_often: bool) -> str:
    """Return the looks of an element as a style, of a text that comes often with its place."""
    looks = [f"{name}:{_sized(name, value)}" for name, value in attributes if name in _LOOKS]
    given = dict(attributes)
    if is_often and {"x", "y"} <= given.keys():
        looks.append(f"transform:translate({given['x']}px,{given['y']}px)")
    return ";".join(looks)


def _sized(name: str, value: str) -> str:
    return f"{value}px" if name == "font-size" and value[-1:].isdigit() else value


def _moved(found: re.Match[str]) -> str:
    """Return a group drawn from where its first rectangle stands, so that groups of one kind are the same."""
    given, inside = found.groups()
    first = _FIRST.search(inside)
    if not first or _FIXED.search(inside) or "transform" in given:
        return found[0]
    start = dict(zip("xy", first.groups(), strict=True))

    def shifted(place: re.Match[str]) -> str:
        return f'{place[1]}{place[2]}="{_less(place[3], start[place[2]])}"'

    moved = f"translate({_less(start['x'])} {_less(start['y'])})"
    return f'<g{given} transform="{moved}">{_PLACE.sub(shifted, inside)}</g>'


@lru_cache(maxsize=4096)
def _less(value: str, start: str = "0") -> str:
    return f"{round(float(value) - float(start), 2) or 0.0:.2f}".rstrip("0").rstrip(".")


def _rows(svg: str) -> Iterator[str]:
    """Yield a picture in rows as long as may be; where a row ends, space stood before and means nothing."""
    row = ""
    for line in filter(None, map(str.strip, svg.splitlines())):
        if len(row) + len(line) <= _LINE and row.endswith(">") and line.startswith("<"):
            row += line
            continue
        if row:
            yield row
        row = line
        if len(line) > _LINE:
            *full, row = wrap(line, _LINE, break_long_words=False, break_on_hyphens=False)
            yield from full
    yield row


def _undescribed(svg: str) -> str:
    """Return a picture without its description where its places have titles, to be read one by one."""
    if "<g><title>" not in svg and not re.search(r"<g [^>]*><title>", svg):
        return svg
    if not (found := _DESCRIBED.search(svg)):
        return svg
    named = svg.replace(found[0], "", 1).replace(f' {found[1]}"', '"', 1)
    return named.replace(' role="img"', ' role="group"', 1)
