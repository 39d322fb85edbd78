"""Names as people write them, yes and no, numbers; and what is known of a game while orders are mended."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from pbem.core.book import next_label, parts
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Problem
from pbem.core.predicates import Predicates
from pbem.text.names import unambiguous_names
from pbem.text.orders import Grammar

_LETTERS: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i"}
)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
_LEAST_PART: Final = 3
"""So many letters a part of a name has at least."""


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name in plain small letters: "Mont Saint-Michel" is mont, saint, michel."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    spaced = "".join(
        sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign) and sign != "'"
    )
    return tuple(word for word in spaced.split() if word != "the")


def normalize_name(text: str) -> str:
    """Return a name as names are compared: "Mont Saint-Michel" and mont_saint_michel are the same."""
    return "".join(words_of(text))


def plain_forms(text: str) -> frozenset[str]:
    """Return the plain forms of a name: ä is a or ae, as people write it who have no such key."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return frozenset(filter(None, (normalize_name(text), normalize_name(composed.translate(_UMLAUTS)))))


@dataclass(frozen=True)
class ThingNames:
    """What things are called: each id with the names that stand for it.

    Attributes:
        ids: The names of each id, itself among them.
        kinds: The ids of each table that they come from.
    """

    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: tuple[frozenset[str], ...] = ()

    @cached_property
    def _exact(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for one, names in self.ids.items():
            for name in (one, *names):
                for way in plain_forms(name):
                    found.setdefault(way, set()).add(one)
        return found

    def called(self, text: str) -> tuple[str, ...]:
        """Return the ids of what is called so, in order; none if nothing is."""
        return tuple(sorted({one for way in plain_forms(text) for one in self._exact.get(way, ())}))

    def ids_by_part(self, text: str) -> tuple[str, ...]:
        """Return the ids of what has these words in its name, each whole or its beginning, in order."""
        parts = words_of(text)
        if not parts or sum(map(len, parts)) < _LEAST_PART:
            return ()
        return tuple(
            sorted(
                one
                for one, names in self.ids.items()
                if any(_has_words(words_of(name), parts) for name in (one, *names))
            )
        )


def _has_words(words: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return all(any(word.startswith(part) for word in words) for part in parts)


def names_in(data: Json) -> ThingNames:
    """Return what the things of data tables are called: whatever has an `id`, or is a key with a `name`.

    Args:
        data: The tables of a game, as they are in force.
    """
    found: dict[str, set[str]] = {}
    kinds: set[frozenset[str]] = set()
    waiting: list[Json] = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
            own, name = one.get("id"), one.get("name")
            if isinstance(own, str | int) and not isinstance(own, bool):
                found.setdefault(str(own), set()).update([name] if isinstance(name, str) else [])
            for key, row in one.items():
                if isinstance(row, dict) and isinstance(row.get("name"), str) and "id" not in row:
                    found.setdefault(key, set()).add(str(row["name"]))
            kinds.add(frozenset(key for key, row in one.items() if isinstance(row, dict) and "name" in row))
        elif isinstance(one, list):
            waiting.extend(one)
            kinds.add(frozenset(str(row["id"]) for row in one if isinstance(row, dict) and "id" in row))
    names = {one: tuple(sorted(names)) for one, names in sorted(found.items())}
    return ThingNames(names, tuple(sorted(filter(None, kinds), key=sorted)))


def seat_names(seats: Iterable[str], holders: Mapping[str, str]) -> ThingNames:
    """Return what seats are called: by their own name, as "Player 3", and by their player's name.

    Args:
        seats: The seats.
        holders: The players' names, by seat; a name that means anything else too stands for nobody.
    """
    seats = tuple(seats)
    own = unambiguous_names(
        [Seat(seat) for seat in seats], {Seat(seat): name for seat, name in holders.items()}
    )
    return ThingNames({seat: (f"Player {seat}", f"seat {seat}", own.get(Seat(seat), seat)) for seat in seats})


_YES: Final = """
yes y true on x ok okay ja wahr jawohl oui vrai si sí vero verdadero cierto sim verdadeiro tak prawda да
kyllä tosi da sand sant
"""
_NO: Final = """
no n false off nein falsch non faux falso não nie fałsz нет ei epätosi nej falsk never not
"""
_COUNTED: Final = (
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    """,
    """
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn zwanzig
    """,
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
)

YES: Final = frozenset(_YES.split())
NO: Final = frozenset(_NO.split())
NUMBERS: Final[Mapping[str, int]] = {
    word: number for words in _COUNTED for number, word in enumerate(words.split())
}


_DEEPEST_VIEW: Final = 6


def child_names(here: object) -> list[str]:
    """Return the fields of a part of a view, or the keys of a table in it; none of anything else."""
    if dataclasses.is_dataclass(here):
        return [one.name for one in dataclasses.fields(here)]
    return [str(key) for key in here] if isinstance(here, Mapping) else []


def below(here: object, name: str) -> object:
    """Return what stands below a field or a key that `names_at` tells; None if nothing does."""
    if dataclasses.is_dataclass(here):
        return getattr(here, name, None)
    if isinstance(here, Mapping):
        return next((value for key, value in here.items() if str(key) == name), None)
    return None


def texts_in(view: object) -> frozenset[str]:
    """Return all texts of a view: those it holds, and the keys of its tables."""
    found: set[str] = set()
    waiting: list[tuple[object, int]] = [(view, 0)]
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, Mapping):
            found.update(map(str, here))
        if depth < _DEEPEST_VIEW:
            waiting.extend((one, depth + 1) for one in _values_inside(here))
        if isinstance(here, str):
            found.add(str(here))
    return frozenset(found)


def texts_at(view: object, path: Iterable[str]) -> frozenset[str]:
    """Return the texts that a place of a view can hold, as far as it and the places like it tell.

    The places like `sites.mainz` are all of `sites`; a list holds its items, a table its keys.
    """
    level = [view]
    for name in path:
        after: list[object] = []
        for here in level:
            if isinstance(here, Mapping):
                after.extend(here.values())
            elif name in child_names(here):
                after.append(below(here, name))
        level = after
    found: set[str] = set()
    for here in level:
        if isinstance(here, str):
            found.add(str(here))
        elif isinstance(here, Mapping):
            found.update(map(str, here))
        elif isinstance(here, tuple | frozenset):
            found.update(str(one) for one in here if isinstance(one, str))
    return frozenset(found)


def _values_inside(here: object) -> Iterable[object]:
    if isinstance(here, Mapping):
        return here.values()
    if isinstance(here, tuple | frozenset):
        return here
    return [below(here, name) for name in child_names(here)]


NOBODY: Final = Seat("")


def no_problems(line: Mapping[str, Json]) -> tuple[Problem, ...]:
    """Find nothing wrong: where the rules cannot be asked."""
    return ()


def are_never_equal(one: Json, other: Json) -> bool:
    """Take no two orders for the same: where the rules cannot be asked."""
    return False


@dataclass(frozen=True)
class KnownGame:
    """A game as one seat may know it.

    Attributes:
        games: The ids of the games of the home.
        grammar: What orders of the game may look like; None as long as the game is not known.
        seats: What the seats are called.
        seat: Whose orders these are; "" as long as it is not known.
        ask: Whom the game waits for.
        asked: The highest count asked so far, by owner of the label.
        things: What the things of the game are called.
        view: What the seat sees; None before the deal.
        problems: What the rules find wrong with a line of orders now, or for good.
        same: Tells whether the rules read two orders as the same.
        said: Says a name as reports write it.
        predicates: The conditions that the rules declare.
    """

    games: tuple[str, ...] = ()
    grammar: Grammar | None = None
    seats: ThingNames = field(default_factory=ThingNames)
    seat: Seat = NOBODY
    ask: Ask | Outcome | None = None
    asked: Mapping[str, int] = field(default_factory=dict)
    things: ThingNames = field(default_factory=ThingNames)
    view: object = None
    problems: Callable[[Mapping[str, Json]], tuple[Problem, ...]] = no_problems
    same: Callable[[Json, Json], bool] = are_never_equal
    said: Callable[[str], str] = str
    predicates: Predicates = field(default_factory=dict)

    @cached_property
    def shown(self) -> ThingNames:
        """The texts in the seat's view, each with the words that reports have for it."""
        return ThingNames({one: (self.said(one),) for one in sorted(texts_in(self.view)) if one})

    @cached_property
    def kinds(self) -> tuple[frozenset[str], ...]:
        """What is of one kind: the ids of each table of the game, and the seats."""
        return (*self.things.kinds, frozenset(self.seats.ids))

    @property
    def here(self) -> Label | None:
        """The label under which the seat is asked next, now or later; None when the game is over."""
        if not isinstance(self.ask, Ask) or not self.seat:
            return None
        return next_label(self.ask, self.asked, self.seat) or None

    def label(self, number: int) -> Label | None:
        """Return the seat's own label of a number: `red-36`, or `turn-6` where all order at once."""
        own = self.owner
        return Label(f"{own}-{number}") if own and 0 < number < 1_000_000 else None

    @property
    def owner(self) -> str:
        """What stands before the number in the seat's own labels; "" if nobody knows."""
        found = parts(self.here or "")
        if found is None or isinstance(self.ask, Outcome | None):
            return ""
        return "turn" if found.owner == "turn" else str(self.seat)

    def after(self, label: Label) -> Label | None:
        """Return the seat's next label after one of its own."""
        found = parts(label)
        return self.label(found.count + 1) if found else self.label(1)
