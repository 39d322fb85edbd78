"""The places of an order as words can name them: fields, things, numbers, and what stands between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from pbem.core.interface import Json, Menu
from pbem.text.codec import fields_of
from pbem.text.mail.keys import BULLETS

_WORD: Final = re.compile(r"\b[^\W\d_]{3,}(?<!ed)(?<!taken)\b")
_CLAUSE: Final = re.compile(
    r"[.,:;(\[]|\b(?:for|if|in|of|that|until|when|where|which|whom|with)\b", re.IGNORECASE
)
_VAGUE: Final = frozenset(
    [
        "after", "again", "all", "another", "any", "are", "back", "before", "best", "but", "can", "could",
        "each", "else", "first", "for", "four", "free", "from", "further", "had", "has", "have", "her", "his",
        "how", "if", "instead", "its", "last", "legal", "likeliest", "may", "must", "need", "next", "not",
        "nothing", "one", "only", "or", "other", "others", "rather", "she", "should", "some", "than", "that",
        "the", "their", "them", "then", "these", "they", "this", "those", "three", "too", "two", "unless",
        "until", "was", "were", "what", "when", "where", "which", "who", "whom", "will", "with", "without",
        "you", "your", "yours",
    ]
)  # fmt: skip
"""Words that say nothing of what is done, or leave it open: a player who writes one may mean anything."""

Path = tuple[str, ...]
Thing = str | int


@dataclass(frozen=True)
class Spot:
    """A place of an order.

    Attributes:
        path: Its fields, from the order down; at most two.
        schema: Its own schema.
        things: What is known to stand there, alone or in a list.
        is_listed: Lists are known to stand there, and not only one thing.
        holds_several: Several things are known to stand there at once, each of which counts.
        is_main: Each whole order that is known has something there.
        words: The words that the rules have for it, as `stem` has them.
    """

    path: Path
    schema: Mapping[str, Json] = field(default_factory=dict)
    things: frozenset[Thing] = frozenset()
    is_listed: bool = False
    holds_several: bool = False
    is_main: bool = False
    words: frozenset[str] = frozenset()

    @property
    def is_true(self) -> bool:
        """Tell whether it may be told without a thing: `skip` for `skip: true`."""
        return _may_be_true(self.schema)


def spots_of(menus: Sequence[Menu], schema: Mapping[str, Json]) -> tuple[Spot, ...]:
    """Return the places of an order, in the order of its schema.

    Args:
        menus: What may stand in each place now, and whole orders.
        schema: The schema of the order.
    """
    found: dict[Path, set[Thing]] = {}
    listed, several = set[Path](), set[Path]()
    for path, value in _entries(menus):
        found.setdefault(path, set()).update(_things_in(value))
        listed |= {path} if isinstance(value, list) else set()
        several |= {path} if isinstance(value, list) and len(value) > 1 else set()
    told = ({path for path, value in _within((), item) if value is not True} for item in _whole(menus))
    whole = [*filter(None, told)]
    schemas = {path: one for path, one in _schemas(schema) if path[:1] and len(path) <= 2}
    inner = {path[:1] for path in schemas if len(path) > 1}
    return tuple(
        Spot(
            path=path,
            schema=one,
            things=frozenset(found.get(path, ())),
            is_listed=path in listed,
            holds_several=path in several,
            is_main=bool(whole) and all(path in said for said in whole),
            words=_words_for(path, schemas, menus),
        )
        for path, one in schemas.items()
        if path not in inner or _may_be_true(one)
    )


def _may_be_true(schema: Mapping[str, Json]) -> bool:
    kinds = schema.get("type")
    return schema.get("const") is True or "boolean" in (kinds if isinstance(kinds, list) else [kinds])


def stem(word: str) -> str:
    """Return a word in small letters, without the s of a plural."""
    return word.casefold().removesuffix("s")


def order_of(said: Mapping[Path, Json]) -> dict[str, Json]:
    """Return the order that has some values at some places."""
    order: dict[str, Json] = {}
    for path, value in said.items():
        first, *below = path
        order[first] = {**fields_of(order.get(first)), below[0]: value} if below else value
    return order


def _entries(menus: Sequence[Menu]) -> Iterator[tuple[Path, Json]]:
    """Yield the places of menus and of the whole orders in them, with each entry."""
    for menu in menus:
        for item in menu.items:
            for path in menu.paths:
                yield from _within(tuple(path.split(".")) if path else (), item.order)


def _whole(menus: Sequence[Menu]) -> Iterator[Json]:
    return (item.order for menu in menus if "" in menu.paths for item in menu.items)


def _words_for(
    path: Path, schemas: Mapping[Path, Mapping[str, Json]], menus: Sequence[Menu]
) -> frozenset[str]:
    """Return the words with which titles and a description begin, before a clause that tells more."""
    own = [schemas[path], *(schemas[one] for one in (path[:1],) if one != path)]
    texts = [str(one.get("title", "")) for one in own]
    texts += [str(one.get("description", "")) for one in own]
    texts += [menu.title for menu in menus if ".".join(path) in menu.paths]
    words = (word for text in texts for word in _WORD.findall(_CLAUSE.split(text)[0]))
    return frozenset(stem(word) for word in words if word.casefold() not in _VAGUE)


def _within(path: Path, value: Json) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict) and len(path) < 2:
        for name, one in value.items():
            yield from _within((*path, name), one)
    elif path:
        yield path, value


def _things_in(value: Json) -> Iterator[Thing]:
    if isinstance(value, list):
        for one in value:
            yield from _things_in(one)
    elif isinstance(value, str) or type(value) is int:
        yield value


def _schemas(schema: Mapping[str, Json]) -> Iterator[tuple[Path, Mapping[str, Json]]]:
    """Yield each field of an order, and each of a field that is an object, with its schema."""
    for name, one in fields_of(schema.get("properties")).items():
        top = fields_of(one)
        yield (name,), top
        for below, inner in _fields_below(top, fields_of(schema.get("$defs"))).items():
            yield (name, below), fields_of(inner)


def _fields_below(schema: Mapping[str, Json], shared: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields of a place that holds an object, or may hold one in place of a list."""
    ways: Sequence[Json] = (dict(schema), schema.get("then"), schema.get("else"))
    for way in map(fields_of, ways):
        name = str(way.get("$ref", "")).removeprefix("#/$defs/")
        if found := fields_of((fields_of(shared.get(name)) if name else way).get("properties")):
            return found
    return {}


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
