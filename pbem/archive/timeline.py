"""One picture of many: each part of a board is drawn once, and tells from when and until when it stands."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final
from xml.etree import ElementTree

_SVG: Final = "{http://www.w3.org/2000/svg}"
_WORDS: Final = frozenset({"text", "tspan", "title", "desc"})
"""Elements that are taken as one piece: what they say does not change in part."""

_TAG: Final = re.compile(r"<[\w-]+")
_STYLED: Final = re.compile(r'<[^>]* (?:class|style|opacity)="')
_REFERENCE: Final = re.compile(r'(url\(#|href="#|id=")([^")]+)')
_QUOTED: Final = re.compile(r'(?<==)"([\w.#%+-]+)"(?= [\w-]+=[^<]*>)')
"""A value that needs no quotes in HTML; the last one of a tag keeps them, as `/` would belong to it."""


@dataclass(frozen=True, slots=True)
class _SvgElement:
    """An element of a picture.

    Attributes:
        start: Its start tag without the sign that closes it.
        end: Its end tag.
        title: Its own title, which a reader sees when he points at it.
        parts: The elements in it; none in what is taken as one piece.
        whole: All of it as text.
    """

    start: str
    end: str
    title: str
    parts: tuple[_SvgElement, ...]
    whole: str


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A sheet at one moment.

    Attributes:
        name: What it shows, in words; "" of a picture that is one sheet.
        box: Its left, upper, right and lower end.
        parts: What is drawn on it.
    """

    name: str
    box: tuple[float, float, float, float]
    parts: tuple[_SvgElement, ...]


@dataclass(slots=True, eq=False)
class _Slot:
    """A part of the merged picture.

    Attributes:
        part: The part as it stands at present.
        since: The moment from which it stands.
        until: The moment from which it does not; None while it stands.
        changes: The moments at which something in it changed, with what it was then.
    """

    part: _SvgElement
    since: int
    until: int | None = None
    changes: list[tuple[int, _SvgElement]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a picture that a page may show beside the others.

    Attributes:
        name: What it shows, in words; "" of a picture that is one sheet.
        drawn: The part as SVG, in an HTML page.
        width: How wide it is, in its own units.
        height: How high.
    """

    name: str
    drawn: str
    width: float
    height: float


def merge_boards(boards: Sequence[str]) -> tuple[Sheet, ...]:
    """Return one picture of many, which a page shows as any of them was.

    Each part that does not stand all the time has the class `x`, and tells by the CSS properties `--a` and
    `--b` from which moment and until which it stands; without `--b` to the end. A page hides it at others.

    Args:
        boards: A board for each moment, as SVG; "" where there is none yet.

    Returns:
        The picture sheet by sheet, as parts of an HTML page: a board that consists of `svg` elements has a
        sheet for each, others have one. Each is as high as the highest of its moments. None if there is no
        board at all.

    Raises:
        ValueError: One of them is no SVG.
    """
    variants: dict[str, list[str]] = {}
    roots: list[ElementTree.Element] = []
    changes: list[tuple[int, list[_Drawing]]] = []
    before = ""
    for moment, board in enumerate(boards):
        if board != before:
            root = _parse_board(board) if board else None
            roots += [root] if root is not None else []
            changes.append((moment, _with_own_names(_drawings(root) if root is not None else [], variants)))
        before = board
    count = max((len(drawings) for _, drawings in changes), default=0)
    sheets = [[(moment, one[n : n + 1]) for moment, one in changes] for n in range(count)]
    title = next((one.text or "" for root in roots[-1:] for one in root if one.tag == f"{_SVG}title"), "")
    return tuple(_merge_sheet(one, roots[-1], title, len(boards)) for one in sheets)


def _parse_board(board: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(board)
    except ElementTree.ParseError as fault:
        raise ValueError(f"the board is no SVG: {fault}") from fault


def _drawings(root: ElementTree.Element) -> list[_Drawing]:
    """Return what a picture draws, sheet by sheet: what its sheets share stands with the first."""
    # Titles and descriptions of the whole are said otherwise.
    parts = [one for one in root if one.tag not in (f"{_SVG}title", f"{_SVG}desc")]
    shared = tuple(_svg_element(one) for one in parts if one.tag != f"{_SVG}svg")
    sheets = [
        _Drawing(one.get("aria-label", ""), _box(one), tuple(map(_svg_element, one)))
        for one in parts
        if one.tag == f"{_SVG}svg"
    ] or [_Drawing("", _box(root), ())]
    first = _Drawing(sheets[0].name, sheets[0].box, shared + sheets[0].parts)
    return [first, *sheets[1:]]


def _box(element: ElementTree.Element) -> tuple[float, float, float, float]:
    left, top, wide, high = (float(one) for one in element.get("viewBox", "0 0 0 0").split())
    return left, top, left + wide, top + high


def _merge_sheet(
    changes: Sequence[tuple[int, Sequence[_Drawing]]], root: ElementTree.Element, title: str, last: int
) -> Sheet:
    """Return a sheet of all moments: as wide and as high as the largest.

    Args:
        changes: The sheet, or none, from each moment at which the board changed.
        root: The last picture of all.
        title: Its title.
        last: How many moments there are.
    """
    drawn = [one for _, found in changes for one in found]
    begins = next(moment for moment, found in changes if found)
    left, top = (min(one.box[n] for one in drawn) for n in (0, 1))
    wide, high = max(one.box[2] for one in drawn) - left, max(one.box[3] for one in drawn) - top
    since = "" if begins == 0 else f" class=x style=--a:{begins}"
    known = ("viewBox", "width", "height", "role", "aria-label", "aria-labelledby")
    rest = "".join(f" {_attribute(name, value)}" for name, value in root.items() if name not in known)
    named = html.escape(": ".join(filter(None, (title, drawn[-1].name))))
    tall = round(high * 600 / (wide or 1))
    size = f'viewBox="{left:g} {top:g} {wide:g} {high:g}" width="600" height="{tall}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size}{since} role="img" aria-label="{named}"{rest}>'
    parts = [(moment, tuple(part for one in found for part in one.parts)) for moment, found in changes]
    inner = _merge([one for one in parts if one[0] >= begins], begins, last, last)
    return Sheet(drawn[-1].name, _QUOTED.sub(r"\1", f"{start}{''.join(inner)}</svg>"), wide, high)


def _svg_element(element: ElementTree.Element) -> _SvgElement:
    tag = element.tag.removeprefix(_SVG)
    shown = [(name, value) for name, value in element.items() if not name.startswith("data-")]
    start = f"<{tag}" + "".join(f" {_attribute(name, value)}" for name, value in shown)
    if tag in _WORDS or not len(element):
        inner = _inner_markup(element)
        return _SvgElement(start, f"</{tag}>", "", (), f"{start}>{inner}</{tag}>" if inner else f"{start}/>")
    parts = tuple(_svg_element(child) for child in element if child.tag != f"{_SVG}title")
    title = "".join(f"<title>{_inner_markup(one)}</title>" for one in element if one.tag == f"{_SVG}title")
    whole = f"{start}>{title}{''.join(part.whole for part in parts)}</{tag}>"
    return _SvgElement(start, f"</{tag}>", title, parts, whole)


def _attribute(name: str, value: str) -> str:
    return f'{name}="{html.escape(value)}"'


def _inner_markup(element: ElementTree.Element) -> str:
    """Return what an element that is taken as one piece says, with the elements in it."""
    said = html.escape(element.text or "", quote=False)
    for child in element:
        inner = _svg_element(child)
        said += inner.whole + html.escape(child.tail or "", quote=False)
    return said if said.strip() or not len(element) else said.strip()


def _with_own_names(drawings: Sequence[_Drawing], variants: dict[str, list[str]]) -> list[_Drawing]:
    """Return drawings whose ids mean the same at all moments: what came out otherwise is called otherwise."""
    renamed: dict[str, str] = {}
    for one in _named_parts(part for drawing in drawings for part in drawing.parts):
        name = one.start.split(' id="', 1)[1].split('"', 1)[0]
        known = variants.setdefault(name, [])
        if one.whole not in known:
            known.append(one.whole)
        if (place := known.index(one.whole)) > 0:
            renamed[name] = f"{name}-v{place}"
    if not renamed:
        return list(drawings)
    return [
        _Drawing(one.name, one.box, tuple(_rename_part(part, renamed) for part in one.parts))
        for one in drawings
    ]


def _named_parts(parts: Iterable[_SvgElement]) -> Iterable[_SvgElement]:
    for part in parts:
        if ' id="' in part.start:
            yield part
        yield from _named_parts(part.parts)


def _rename_part(part: _SvgElement, names: dict[str, str]) -> _SvgElement:
    def other(text: str) -> str:
        return _REFERENCE.sub(lambda found: found[1] + names.get(found[2], found[2]), text)

    parts = tuple(_rename_part(one, names) for one in part.parts)
    return _SvgElement(other(part.start), part.end, part.title, parts, other(part.whole))


def _merge(
    changes: Sequence[tuple[int, tuple[_SvgElement, ...]]], start: int, end: int, last: int
) -> Iterable[str]:
    """Yield the merged parts of a container that stands from `start` until `end`.

    Args:
        changes: What it holds, from each moment at which that changed.
        start: The first moment.
        end: The moment until which it stands.
        last: The moment after all.
    """
    slots: list[_Slot] = []
    standing: list[_Slot] = []
    for moment, parts in changes:
        standing = _next_slots(slots, standing, parts, moment)
    for (since, until), together in groupby(slots, key=lambda one: (one.since, one.until or end)):
        drawn = [_slot_markup(slot, until, last) for slot in together]
        span = f"--a:{since}" + ("" if until == last else f";--b:{until}")
        yield from drawn if (since, until) == (start, end) else _mark_spans(drawn, span)


def _next_slots(
    slots: list[_Slot], standing: list[_Slot], parts: tuple[_SvgElement, ...], moment: int
) -> list[_Slot]:
    """Return what stands after a moment; what is new is put into its place among all slots."""
    after: list[_Slot] = []

    def place(slot: _Slot) -> None:
        if slot.since == moment and slot not in slots:
            slots.insert(slots.index(after[-1]) + 1 if after else 0, slot)
        after.append(slot)

    old, new = [slot.part.whole for slot in standing], [part.whole for part in parts]
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            for same in standing[a:b]:
                place(same)
            continue
        for slot, part in _pair_slots(standing[a:b], parts[c:d]):
            if slot is None and part is not None:
                place(_Slot(part, moment, None, [(moment, part)]))
            elif slot is not None and part is None:
                slot.until = moment
            elif slot is not None and part is not None:
                slot.part = part
                slot.changes.append((moment, part))
                place(slot)
    return after


def _pair_slots(
    old: Sequence[_Slot], new: Sequence[_SvgElement]
) -> Iterable[tuple[_Slot, None] | tuple[None, _SvgElement] | tuple[_Slot, _SvgElement]]:
    """Yield what became of some slots: with what they are now if they changed inside, or alone."""
    waiting = list(old)
    for part in new:
        place = next((n for n, slot in enumerate(waiting) if _is_same_container(slot.part, part)), None)
        if place is None:
            yield None, part
            continue
        yield from ((gone, None) for gone in waiting[:place])
        yield waiting[place], part
        del waiting[: place + 1]
    yield from ((gone, None) for gone in waiting)


def _is_same_container(old: _SvgElement, new: _SvgElement) -> bool:
    """Tell whether a container is the same as before, with something else in it."""
    if not new.parts or (old.start, old.title) != (new.start, new.title):
        return False
    kept = {(one.start, one.title) for one in old.parts} & {(one.start, one.title) for one in new.parts}
    return bool(old.title) or 2 * len(kept) >= len(new.parts)


def _slot_markup(slot: _Slot, until: int, last: int) -> str:
    """Return a part with all that it ever holds, or as it always is."""
    if len(slot.changes) == 1:
        return slot.part.whole
    part = slot.part
    inner = _merge([(moment, one.parts) for moment, one in slot.changes], slot.since, until, last)
    return f"{part.start}>{part.title}{''.join(inner)}{part.end}"


def _mark_spans(drawn: Sequence[str], span: str) -> Iterable[str]:
    """Yield parts that stand for the same time, so that a page can tell it."""
    mark = f" class=x style={span}"
    if len(drawn) > 1 or _STYLED.match(drawn[0]):
        yield f"<g{mark}>{''.join(drawn)}</g>"
        return
    tag = _TAG.match(drawn[0])
    assert tag is not None, "every part begins with its tag"
    yield f"{tag[0]}{mark}{drawn[0][tag.end() :]}"
