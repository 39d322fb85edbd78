"""Small pictures of boards: without words, drawn in few bytes, and many of them on one page."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

_SVG: Final = "{http://www.w3.org/2000/svg}"
_WORDS: Final = frozenset(
    f"{_SVG}{name}" for name in ("text", "title", "desc", "metadata", "style", "script", "a", "image")
)
_KEPT: Final = re.compile(
    "cx|cy|d|height|href|id|opacity|points|r|rx|ry|transform|width|x|x1|x2|y|y1|y2"
    "|fill(-opacity|-rule)?|stroke(-dasharray|-linecap|-linejoin|-opacity|-width)?"
)
"""What is kept of how a part is drawn; all else is for readers, or for who orders by clicks."""

_PLACES: Final = frozenset({"cx", "cy", "d", "points", "transform", "x", "y"})
_FRACTION: Final = re.compile(r"-?\d*\.\d+")
_PAINT: Final = re.compile(r"url\(#?([^)]*)\)")
_MOVED: Final = re.compile(r"translate\(\s*[-\d.]+[ ,]+([-\d.]+)\s*\)")
_BEGUN: Final = re.compile(r"\s*M\s*[-\d.]+[ ,]*(-?[\d.]+)")
_HIGH: Final = 4 / 3
"""A small picture is at most so many times as high as it is wide: what lies below is mostly tables."""

_FEWEST: Final = 5
"""A picture of fewer parts says all with its words, and is none without them."""

_LONGEST: Final = 20_000
_SHARED: Final = 60
"""A part that is shorter is not shared, for pointing at it takes as long."""


def thumbnail(board: str) -> str:
    """Return a small picture of a board as SVG, one part a line; "" if little would be left of it.

    Args:
        board: The board as SVG; what has the class `fine` is too fine for a small one. Of one that consists
            of sheets the first is shown, if it is the only one of its name: a list that goes on in a second
            column says nothing without its words.
    """
    try:
        root = ElementTree.fromstring(board)
        left, top, wide, high = map(float, _box_of_sheet(root).split())
    except (ElementTree.ParseError, ValueError):
        return ""
    bottom = top + min(high, wide * _HIGH)
    _remove_fine_parts(root, _pattern_colours(root), bottom)
    known = {found: one for one in root.iter() if (found := one.get("id"))}
    names = _SharedParts(known)
    drawn = [_part_markup(part, names) for part in root if part.tag != f"{_SVG}defs" and names.draws(part)]
    shapes = (
        one for part in root if part.tag != f"{_SVG}defs" for one in part.iter() if one.tag != f"{_SVG}g"
    )
    parts = sum(1 for _ in shapes)
    fill = f' fill="{root.get("fill")}"' if re.fullmatch(r"#[0-9a-fA-F]{3,6}", root.get("fill", "")) else ""
    box = f'viewBox="{left:g} {top:g} {wide:g} {bottom - top:g}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {box}{fill}>'
    told = "\n".join([start, "<defs>", *names.told(), "</defs>", *drawn, "</svg>\n"])
    return told if parts >= _FEWEST and len(told) <= _LONGEST else ""


def _box_of_sheet(root: ElementTree.Element) -> str:
    """Leave the first sheet alone in a picture, if it has any; return the box of what is shown, or ""."""
    sheets = root.findall(f"{_SVG}svg")
    names = [one.get("aria-label") for one in sheets]
    if not sheets or names.count(names[0]) > 1:
        return "" if sheets else root.get("viewBox", "")
    for sheet in sheets[1:]:
        root.remove(sheet)
    box = sheets[0].get("viewBox", "")
    sheets[0].tag = f"{_SVG}g"
    sheets[0].attrib.clear()
    return box


def _pattern_colours(root: ElementTree.Element) -> dict[str, str]:
    """Return a plain colour for each pattern of a picture: that of its ground."""
    return {
        str(pattern.get("id")): next(
            (one.get("fill", "") for one in pattern.iter() if one.get("fill")), "none"
        )
        for pattern in root.iter(f"{_SVG}pattern")
    }


def _remove_fine_parts(whole: ElementTree.Element, paints: Mapping[str, str], bottom: float) -> None:
    """Take out of a picture what no small one shows."""
    for part in list(whole):
        below = part.tag != f"{_SVG}defs" and not part.get("id") and _top_edge(part) > bottom
        is_fine = "fine" in part.get("class", "").split() or part.tag in _WORDS
        if below or is_fine or part.tag == f"{_SVG}pattern" or not part.tag.startswith(_SVG):
            whole.remove(part)
            continue
        inner = bottom if "transform" not in part.attrib and not part.get("id") else float("inf")
        _remove_fine_parts(part, paints, inner)
        for name in list(part.attrib):
            short = name.rpartition("}")[2]
            value = part.attrib.pop(name)
            if _KEPT.fullmatch(short):
                value = _PAINT.sub(lambda found: paints.get(found[1], "none"), value)
                part.set(short, _FRACTION.sub(_shorten_number, value) if short in _PLACES else value)
        if part.tag in (f"{_SVG}g", f"{_SVG}defs") and not len(part):
            whole.remove(part)
        elif part.tag == f"{_SVG}g" and len(part) == 1 and not part.attrib and part[0].tag != f"{_SVG}defs":
            whole[list(whole).index(part)] = part[0]


def _top_edge(part: ElementTree.Element) -> float:
    """Return about where a part begins; minus infinity if that is not plain."""
    found = _MOVED.fullmatch(part.get("transform", "")) or _BEGUN.match(part.get("d", ""))
    told = found[1] if found else part.get("y", part.get("cy", "")) if "transform" not in part.attrib else ""
    try:
        return float(told) if told else float("-inf")
    except ValueError:
        return float("-inf")


def _shorten_number(found: re.Match[str]) -> str:
    """Return a number with less behind its point, and apart from one that it was written against."""
    value = float(found[0])
    short = f"{round(value) if abs(value) >= 10 else round(value, 1):g}"
    is_apart = short.startswith("-") or not found.string[: found.start()][-1:].isdigit()
    return short if is_apart else f" {short}"


class _SharedParts:
    """Calls what is drawn several times by its looks, so that many pictures on a page can share it."""

    def __init__(self, known: Mapping[str, ElementTree.Element]) -> None:
        self.known = known
        self.named: dict[str, str] = {}
        self.lines: dict[str, str] = {}

    def of(self, old: str) -> str:
        """Return the name of a part; "" if there is none, or if it holds itself."""
        if old not in self.named and old in self.known:
            self.named[old] = ""
            look = _part_markup(self.known[old], self)
            name = f"t{hashlib.sha256(look.encode()).hexdigest()[:8]}"
            self.named[old] = name
            self.lines[name] = look.replace(" ", f' id="{name}" ', 1)
        return self.named.get(old, "")

    def draws(self, part: ElementTree.Element) -> bool:
        """Tell whether a part draws anything: what it points at may have been too fine."""
        return part.tag != f"{_SVG}use" or bool(self.of(part.get("href", "").removeprefix("#")))

    def told(self) -> list[str]:
        """Return those that are used, one a line."""
        return [*self.lines.values()]


def _part_markup(part: ElementTree.Element, names: _SharedParts) -> str:
    """Return a part as text in one line; what it holds of parts that have names is called by the new ones."""
    tag = part.tag.removeprefix(_SVG)
    told = "".join(_attributes(part, names))
    inner = "".join(_part_markup(one, names) for one in part if one.tag != f"{_SVG}defs" and names.draws(one))
    return f"<{tag} {told}>{inner}</{tag}>" if inner else f"<{tag} {told}/>"


def _attributes(part: ElementTree.Element, names: _SharedParts) -> Iterator[str]:
    for name, told in part.attrib.items():
        value = f"#{names.of(told.removeprefix('#'))}" if name == "href" else told
        if name != "id":
            plain = re.sub(r'[\s<>&"]+', " ", value).strip()
            yield f'{name}="{plain}" '


@dataclass(frozen=True, slots=True)
class Boards:
    """The small pictures of the games of an archive.

    Attributes:
        keys: What each was made from, in a hash, by its game.
        read: Reads those of some games, as many as a page has room for.
    """

    keys: Mapping[str, str]
    read: Callable[[Sequence[str]], Mapping[str, str]]


class Sheet:
    """Small pictures that stand on one page, and share what they have in common.

    Attributes:
        shared: What all of them need, as a picture that shows nothing; it stands before them.
        pictures: The pictures, each as the page shows it.
    """

    def __init__(self, thumbnails: Mapping[str, str]) -> None:
        """Take them by their games."""
        split = {game: _split(text) for game, text in thumbnails.items()}
        counted = Counter(line for _, _, drawn in split.values() for line in set(drawn))
        often = [line for line, count in counted.items() if count > 1 and len(line) > _SHARED]
        names = {line: f"s{hashlib.sha256(line.encode()).hexdigest()[:8]}" for line in often}
        defined = dict.fromkeys(line for _, definitions, _ in split.values() for line in definitions)
        told = [*defined, *(f'<g id="{name}">{line}</g>' for line, name in names.items())]
        hidden = '<svg class="aloud" aria-hidden="true" width="1" height="1"><defs>'
        self.shared = f"{hidden}{''.join(told)}</defs></svg>" if told else ""
        self.pictures = {game: _picture(start, drawn, names) for game, (start, _, drawn) in split.items()}


def _split(text: str) -> tuple[str, Sequence[str], Sequence[str]]:
    """Return the start of a small picture, what it draws with, and what it draws."""
    start, _, *lines = text.splitlines()
    end = lines.index("</defs>")
    return start, lines[:end], lines[end + 1 : -1]


def _picture(start: str, drawn: Sequence[str], names: Mapping[str, str]) -> str:
    parts = (f'<use href="#{names[line]}"/>' if line in names else line for line in drawn)
    place = start.replace(' xmlns="http://www.w3.org/2000/svg"', ' aria-hidden="true"', 1)
    return f"{place}{''.join(parts)}</svg>"
