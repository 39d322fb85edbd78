"""Orders in words that name their fields, such as "take Fr1, claim Ba2", as orders to try."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.core.interface import Json
from pbem.text.mail.keys import BULLETS
from pbem.text.mail.orderplaces import Path, Spot, Thing, order_of

MOST_WORDS: Final = 60
MOST_SIGNS: Final = 1000

_FILLING: Final = frozenset(["and", "please", "then"])
_GAP: Final = re.compile(r"[\s_-]+")
_BULLET: Final = re.compile(rf"^\s*[-{BULLETS}]\s+")
_NUMBER: Final = r"(?P<number>(?<![\w.-])\d{1,3}(?![\w-]))"
_SIGN: Final = re.compile(rf"{_NUMBER}|(?P<word>[^\W\d_]+)|(?P<mark>[,;&+:])|(?P<end>[.!](?=\s|$))")


@dataclass(frozen=True)
class Token:
    """A part of a text: what it is, and what stands there.

    Attributes:
        kind: "field", "thing", "number", "word", "mark" or "end" (of a sentence).
        text: The name of the field, or the word or mark in small letters.
        thing: The thing or the number, as orders have it.
    """

    kind: str
    text: str
    thing: Thing = ""


@dataclass(frozen=True)
class Part:
    """A field that words name, with the things that stand behind it."""

    field: str
    things: tuple[Thing, ...]


def orders_in_fields(
    lines: Sequence[str], spots: Sequence[Spot], names: Mapping[str, Iterable[str]], label: str
) -> tuple[dict[str, Json], ...]:
    """Return the order that words say which name its fields, in each shape that it may have; or none.

    Nothing else may stand there: no word, no number and no mark is passed over but those around a list.

    Args:
        lines: What a player wrote.
        spots: The places of an order.
        names: What the things of the game are called, by id.
        label: The label of the ask, which may stand in front.
    """
    tokens = tokens_of(lines, spots, names, label)
    parts = _parts(tokens) if tokens else None
    said = said_by(parts, spots) if parts else None
    return tuple(shapes(said, spots)) if said else ()


def bare_lines(lines: Iterable[str], label: str) -> list[str]:
    """Return lines without the label of the ask in front, as in "red-3: take Da3", and without bullets."""
    own = re.compile(rf"^\s*(?:for\s+)?{re.escape(label)}(?![\w-])\s*[:,.–-]?(?=\s|$)", re.IGNORECASE)
    return [_BULLET.sub("", own.sub("", _BULLET.sub("", line), count=1)) for line in lines]


def tokens_of(
    lines: Sequence[str], spots: Sequence[Spot], names: Mapping[str, Iterable[str]], label: str
) -> list[Token] | None:
    """Return the parts of a text; None if it is long, or holds what is none of them."""
    text = "\n".join(bare_lines(lines, label))
    if len(text) > MOST_SIGNS or len(text.split()) > MOST_WORDS:
        return None
    fields = {_folded(name): name for spot in spots for name in spot.path}
    things = _things(spots, names)
    wanted = re.compile(_alternatives(fields, things), re.IGNORECASE)
    out: list[Token] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        found = wanted.match(text, place) or _SIGN.match(text, place)
        if found is None:
            return None
        token = _token(found, fields, things)
        if token is None:
            return None
        out.append(token)
        place = found.end()
    return out


def leaves_out(
    text: str, spots: Sequence[Spot], names: Mapping[str, Iterable[str]], order: Mapping[str, Json]
) -> bool:
    """Tell whether a text names a field, a thing or a number that an order of few fields does not have."""
    fields = {_folded(spot.path[0]): spot.path[0] for spot in spots}
    things, has = _things(spots, names), {*order, *map(str, order.values())}
    wanted = re.compile(rf"{_alternatives(fields, things)}|{_NUMBER}", re.IGNORECASE)
    said = (_token(found, fields, things) for found in wanted.finditer(text))
    return any(
        one is None or (one.text if one.kind == "field" else str(one.thing)) not in has for one in said
    )


def said_by(parts: Iterable[Part], spots: Sequence[Spot]) -> dict[Path, list[Thing] | bool] | None:
    """Return what parts say of each place; None if one says nothing, or cannot be placed."""
    said: dict[Path, list[Thing] | bool] = {}
    for part in parts:
        own = [spot for spot in spots if part.field in (spot.path[0], spot.path[-1])]
        if not part.things:
            alone = next((spot for spot in own if spot.path == (part.field,)), None)
            if alone is None or not alone.is_true or alone.path in said:
                return None
            said[alone.path] = True
        for thing in part.things:
            fit = own if len(own) == 1 else [spot for spot in own if thing in spot.things]
            before = said.setdefault(fit[0].path, []) if len(fit) == 1 else True
            if isinstance(before, bool):
                return None
            before.append(thing)
    return said


def shapes(said: Mapping[Path, list[Thing] | bool], spots: Sequence[Spot]) -> Iterator[dict[str, Json]]:
    """Yield the order that has some things at its places: one thing as it is known there, then otherwise."""
    for is_other in (False, True):
        values: dict[Path, Json] = {}
        for spot in spots:
            if spot.path in said:
                things = said[spot.path]
                alone = not isinstance(things, bool) and len(things) == 1 and spot.is_listed == is_other
                values[spot.path] = things if isinstance(things, bool) else things[0] if alone else [*things]
        yield order_of(values)


def _parts(tokens: Iterable[Token]) -> list[Part] | None:
    """Return the fields that tokens name, each with its things; None if anything else is said."""
    out: list[Part] = []
    before = ""
    for token in tokens:
        is_thing = token.kind in ("thing", "number")
        if token.kind == "field":
            out.append(Part(token.text, ()))
        elif is_thing and out:
            out[-1] = Part(out[-1].field, (*out[-1].things, token.thing))
        elif is_thing or (token.kind == "word" and token.text not in _FILLING) or _is_odd(token, before):
            return None
        before = token.kind
    return out


def _is_odd(token: Token, before: str) -> bool:
    """Tell whether a token is a colon that stands behind no field."""
    return token.text == ":" and before != "field"


def _folded(name: str) -> str:
    return _GAP.sub(" ", name).strip().casefold()


def _things(spots: Iterable[Spot], names: Mapping[str, Iterable[str]]) -> dict[str, Thing | None]:
    """Return the things that texts stand for, by the text; None where one stands for several."""
    found: dict[str, set[Thing]] = {}
    ids = {one for spot in spots for one in spot.things if isinstance(one, str)}
    for one in sorted({*ids, *names}):
        for name in (one, *names.get(one, ())):
            found.setdefault(_folded(name), set()).add(one)
    return {text: next(iter(ids)) if len(ids) == 1 else None for text, ids in found.items() if text}


def _alternatives(fields: Iterable[str], things: Iterable[str]) -> str:
    """Return a pattern of fields, also as in "taking", and things, the longest first."""
    ways = [(name, "field", rf"{_spaced(name)}|{_spaced(name.removesuffix('e'))}ing") for name in fields]
    ways += [(name, "thing", _spaced(name)) for name in things]
    ways.sort(key=lambda way: (-len(way[0]), way[1]))
    inner = "|".join(f"(?:{pattern})" for _, _, pattern in ways)
    return rf"(?<![\w-])(?P<known>{inner})(?![\w-])"


def _spaced(name: str) -> str:
    return r"[\s_-]+".join(map(re.escape, name.split(" ")))


def _token(
    found: re.Match[str], fields: Mapping[str, str], things: Mapping[str, Thing | None]
) -> Token | None:
    kind, text = str(found.lastgroup), _folded(found[0])
    if kind != "known":
        return Token(kind, text, int(text) if kind == "number" else "")
    stem = text.removesuffix("ing")
    name = fields.get(text) or (fields.get(stem) or fields.get(f"{stem}e") if text not in things else None)
    if name:
        return Token("field", name)
    thing = things.get(text)
    return Token("thing", text, thing) if thing is not None else None
