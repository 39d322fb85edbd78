"""Words of a mail as parts of orders: names of fields and things, numbers, and what stands between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from pbem.core.interface import Json
from pbem.text.mail.orders.keys import BULLETS
from pbem.text.mail.sayings.orderplaces import Spot, Thing

_GAP: Final = re.compile(r"[\s_-]+")
_BULLET: Final = re.compile(rf"^\s*[-{BULLETS}]\s+")
_NUMBER: Final = r"(?P<number>(?<![\w.-])\d{1,3}(?![\w-]))"
_SIGN: Final = re.compile(
    rf"{_NUMBER}|(?P<word>[^\W\d_]+)|(?P<mark>[,;&+:])|(?P<end>[.!](?=\s|$))|(?P<odd>\S)"
)


@dataclass(frozen=True)
class Token:
    """A part of a text: what it is, and what stands there.

    Attributes:
        kind: "field", "thing", "number", "word", "mark", "end" (of a sentence), or "odd" for what can be
            none of them.
        text: The name of the field, or the word or mark in small letters.
        thing: The thing or the number, as orders have it; "" where several are called so.
    """

    kind: str
    text: str
    thing: Thing = ""


@dataclass(frozen=True)
class Vocabulary:
    """What the words of a game's orders are.

    Attributes:
        spots: The places of an order.
        names: What the things of the game are called, by id.
    """

    spots: tuple[Spot, ...]
    names: Mapping[str, Iterable[str]]

    def tokens(self, text: str) -> list[Token]:
        """Return the parts of a text, all of them."""
        return [self._token(found) for found in self._pattern.finditer(text)]

    def is_named(self, text: str) -> bool:
        """Tell whether a text names a thing or a number, or has a field of orders with its colon."""
        tokens = self.tokens(text)
        is_field = any(one.kind == "field" and two.text == ":" for one, two in pairwise(tokens))
        return is_field or any(one.kind in ("thing", "number") for one in tokens)

    def leaves_out(self, text: str, order: Mapping[str, Json]) -> bool:
        """Tell whether a text names what an order without lists does not have.

        That is a thing, a number, or a field that says all by itself, as `hero` does.
        """
        alone = {spot.path[0] for spot in self.spots if spot.is_true}
        has = {*order, *map(str, order.values())}
        said = (one for one in self.tokens(text) if one.kind in ("thing", "number") or one.text in alone)
        return any((one.text if one.kind == "field" else str(one.thing)) not in has for one in said)

    @cached_property
    def _fields(self) -> Mapping[str, str]:
        return {_folded(name): name for spot in self.spots for name in spot.path}

    @cached_property
    def _things(self) -> Mapping[str, Thing | None]:
        """The things that texts stand for, by the text; None where one stands for several."""
        found: dict[str, set[Thing]] = {}
        ids = {one for spot in self.spots for one in spot.things if isinstance(one, str)}
        for one in sorted({*ids, *self.names}):
            for name in (one, *self.names.get(one, ())):
                found.setdefault(_folded(name), set()).add(one)
        return {text: next(iter(ids)) if len(ids) == 1 else None for text, ids in found.items() if text}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """What finds the next part of a text: fields, also as in "taking", and things, the longest first."""
        ways = [
            (name, "field", rf"{_spaced(name)}|{_spaced(name.removesuffix('e'))}ing") for name in self._fields
        ]
        ways += [(name, "thing", _spaced(name)) for name in self._things]
        ways.sort(key=lambda way: (-len(way[0]), way[1]))
        inner = "|".join(f"(?:{pattern})" for _, _, pattern in ways)
        return re.compile(rf"(?<![\w-])(?P<known>{inner})(?![\w-])|{_SIGN.pattern}", re.IGNORECASE)

    def _token(self, found: re.Match[str]) -> Token:
        kind, text = str(found.lastgroup), _folded(found[0])
        if kind != "known":
            return Token(kind, text, int(text) if kind == "number" else "")
        own, bare = self._fields.get(text), text.removesuffix("ing")
        if own is None and text not in self._things:
            own = self._fields.get(bare) or self._fields.get(f"{bare}e")
        thing = self._things.get(text)
        return Token("field", own) if own else Token("thing", text, "" if thing is None else thing)


def bare_lines(lines: Iterable[str], label: str) -> list[str]:
    """Return lines without the label of the ask in front, as in "red-3: take Da3", and without bullets."""
    own = re.compile(rf"^\s*(?:for\s+)?{re.escape(label)}(?![\w-])\s*[:,.–-]?(?=\s|$)", re.IGNORECASE)
    return [_BULLET.sub("", own.sub("", _BULLET.sub("", line), count=1)) for line in lines]


def _folded(name: str) -> str:
    return _GAP.sub(" ", name).strip().casefold()


def _spaced(name: str) -> str:
    return r"[\s_-]+".join(map(re.escape, name.split(" ")))
