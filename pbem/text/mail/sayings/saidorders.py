"""Orders that words say, such as "I take Fr1 and put my stone on Ba2", as orders to try."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Final

from pbem.core.interface import Json
from pbem.text.mail.sayings.places import Path, Spot, Thing, Token, Vocabulary, bare_lines, order_of, stem
from pbem.text.mail.sayings.sentences import saying_lines

_MOST_WORDS: Final = 60
MOST_SIGNS: Final = 1000
"""Longer mails are read as no orders in words."""
_MOST_READINGS: Final = 16
_MOST_UNCLEAR: Final = 2

_RELATING: Final = frozenset(
    ["at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "upon", "with"]
)
"""Words that lead from what is done to a thing; between two things they say more than both."""

_JOINING: Final = frozenset(["also", "and", "then", "&", "+"])
_FILLING: Final = _RELATING | frozenset(
    ["a", "also", "an", "and", "first", "my", "now", "please", "so", "the", "then"]
)

Said = dict[Path, "list[Thing] | bool"]


@dataclass(frozen=True)
class Part:
    """What words say of one place.

    Attributes:
        field: The field that they name; "" for none.
        cues: Other words that say what is done, as stems.
        things: The things, in their order.
        is_joined: "and" stands between them, or the like, so that each of them counts.
    """

    field: str = ""
    cues: frozenset[str] = frozenset()
    things: tuple[Thing, ...] = ()
    is_joined: bool = False


def orders_said(
    lines: Sequence[str], known: Vocabulary, label: str, player: str
) -> tuple[tuple[dict[str, Json], ...], ...]:
    """Return the orders that words may say, each in the shapes that it may have; none if they say more.

    No word is passed over but those which are known to say nothing, no thing and no number.

    Args:
        lines: What a player wrote.
        known: The words of the game's orders.
        label: The label of the ask, which may stand in front.
        player: The player's name.
    """
    bare = bare_lines(lines, label)
    if sum(map(len, bare)) > MOST_SIGNS or len(" ".join(bare).split()) > _MOST_WORDS:
        return ()
    tokens = known.tokens("\n".join(saying_lines(bare, player, known.is_named)))
    found = [*filter(None, (_orders_in(reading, known.spots) for reading in _readings(tokens)))]
    return found[0] if len(found) == 1 else ()


def _orders_in(tokens: Iterable[Token], spots: Sequence[Spot]) -> tuple[tuple[dict[str, Json], ...], ...]:
    """Return the orders that tokens may say, each in its shapes; none of too many."""
    parts = _parts(tokens)
    ways = [_spots_for(part, number, parts, spots) for number, part in enumerate(parts or ())]
    tried = islice(product(*ways) if ways else (), _MOST_READINGS + 1)
    said = [*filter(None, (_said(zip(parts or (), own, strict=True)) for own in tried))]
    return tuple(tuple(_shapes(one, spots)) for one in said) if len(said) <= _MOST_READINGS else ()


def _readings(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield tokens with each field that is a common word too as the one and as the other; none of many."""
    below = [*tokens[1:], Token("end", "")] if tokens else []
    unclear = [
        number
        for number, (one, two) in enumerate(zip(tokens, below, strict=True))
        if one.kind == "field" and one.text in _FILLING and two.text != ":"
    ]
    if len(unclear) > _MOST_UNCLEAR or not tokens:
        return
    for words in product((False, True), repeat=len(unclear)):
        as_words = {place for place, is_word in zip(unclear, words, strict=True) if is_word}
        yield [replace(one, kind="word") if place in as_words else one for place, one in enumerate(tokens)]


@dataclass
class _Reader:
    """Reads tokens, one after the other, as what is said place by place.

    Attributes:
        parts: What was said so far.
        before: The kind of the token before.
        is_related: A word such as "with" leads on from the thing before.
        is_joined: "and" stands behind the thing before, or the like.
        is_ended: The sentence ended, so that a thing does not belong to what was said before.
    """

    parts: list[Part] = field(default_factory=list)
    before: str = ""
    is_related: bool = False
    is_joined: bool = False
    is_ended: bool = False

    def takes(self, one: Token) -> bool:
        """Read a token; tell whether that leaves nothing open."""
        is_filling = one.kind == "word" and one.text in _FILLING
        is_fine = one.kind != "odd"
        if one.kind == "field" or (one.kind == "word" and not is_filling):
            self._begin(one)
        elif one.kind in ("thing", "number"):
            is_fine = self._take_thing(one.thing)
        elif is_filling:
            self.is_related = self.is_related or one.text in _RELATING
            self.is_joined = self.is_joined or one.text in _JOINING
            is_fine = one.text != "first" or self._is_of_the_first()
        elif one.text == ":":
            is_fine = self.before not in ("thing", "number")
        else:
            self.is_ended = self.is_ended or one.kind == "end" or one.text == ";"
            self.is_joined = self.is_joined or one.text in _JOINING
        self.before = one.kind
        return is_fine

    def _begin(self, one: Token) -> None:
        """Begin a part with a field, which may stand behind other words, or with such a word."""
        last = self.parts[-1] if self.parts else None
        is_open = last is not None and not last.things
        if one.kind == "field" and last is not None and is_open and not last.field:
            self.parts[-1] = replace(last, field=one.text)
        elif one.kind == "field":
            self.parts.append(Part(one.text))
        elif last is not None and is_open:
            self.parts[-1] = replace(last, cues=last.cues | {stem(one.text)})
        else:
            self.parts.append(Part(cues=frozenset([stem(one.text)])))
        self.is_related = self.is_ended = self.is_joined = False

    def _take_thing(self, thing: Thing) -> bool:
        last = self.parts.pop() if self.parts else Part()
        is_joined = last.is_joined or (bool(last.things) and self.is_joined)
        self.parts.append(replace(last, things=(*last.things, thing), is_joined=is_joined))
        is_open = bool(last.things) and (self.is_related or self.is_ended)
        self.is_related = self.is_joined = False
        return thing != "" and not is_open

    def _is_of_the_first(self) -> bool:
        """Tell whether "first" stands before all things, or right behind the first of them."""
        count = sum(len(part.things) for part in self.parts)
        return not count or (count == 1 and self.before in ("thing", "number"))


def _parts(tokens: Iterable[Token]) -> list[Part] | None:
    """Return what tokens say, place by place; None if they say more, or leave open what belongs together."""
    reader = _Reader()
    if not all(map(reader.takes, tokens)):
        return None
    parts = reader.parts
    if len(parts) > 1 and not (parts[-1].field or parts[-1].things):  # words behind the last thing
        last = parts.pop()
        parts[-1] = replace(parts[-1], cues=parts[-1].cues | last.cues)
    return parts


def _spots_for(
    part: Part, number: int, parts: Sequence[Part] | None, spots: Sequence[Spot]
) -> list[tuple[Spot, ...]]:
    """Return where the things of a part may stand: each way the places of one field, or one place.

    Without a word the things go where each order has some, or where nothing else is said and only they can
    stand. Words other than fields lead to one thing: of several, some might be meant as others.
    """
    if part.field:
        own = tuple(spot for spot in spots if part.field in (spot.path[0], spot.path[-1]))
        return [own] if part.cues <= {word for spot in own for word in spot.words} else []
    able = [spot for spot in spots if not spot.things.isdisjoint(part.things)]
    if part.cues:
        return [(spot,) for spot in able if len(part.things) == 1 and part.cues <= spot.words]
    if number:
        return []
    main = [spot for spot in able if spot.is_main]
    only = len(able) == 1 == len(parts or ()) and able[0].things.issuperset(part.things)
    return [(spot,) for spot in main or able[:only]]


def _said(parts: Iterable[tuple[Part, tuple[Spot, ...]]]) -> Said | None:
    """Return what parts say of each place; None if one says nothing, or cannot be placed."""
    said: Said = {}
    for part, own in parts:
        if not part.things:
            alone = next((spot for spot in own if spot.path == (part.field,)), None)
            if alone is None or not alone.is_true or alone.path in said:
                return None
            said[alone.path] = True
        here = set[Path]()
        for thing in part.things:
            fit = own if len(own) == 1 else [spot for spot in own if thing in spot.things]
            before = said.get(fit[0].path, []) if len(fit) == 1 else True
            if isinstance(before, bool):
                return None
            is_each = bool(before) and (part.is_joined or fit[0].path not in here)
            if is_each and not (fit[0].is_main or fit[0].holds_several):
                return None  # a list may say which one, best first, and not each of them
            said[fit[0].path] = [*before, thing]
            here.add(fit[0].path)
    return None if any(len(path) > 1 and path[:1] in said for path in said) else said


def _shapes(said: Mapping[Path, list[Thing] | bool], spots: Sequence[Spot]) -> Iterator[dict[str, Json]]:
    """Yield the order that has some things at its places: one thing as it is known there, then otherwise."""
    for is_other in (False, True):
        values: dict[Path, Json] = {}
        for spot in spots:
            if spot.path in said:
                things = said[spot.path]
                alone = not isinstance(things, bool) and len(things) == 1 and spot.is_listed == is_other
                values[spot.path] = things if isinstance(things, bool) else things[0] if alone else [*things]
        yield order_of(values)
