"""Names as people write them: without regard to capitals, accents, spaces and hyphens, and in part."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.text.names.playernames import clear_names

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


def folded(text: str) -> str:
    """Return a name as names are compared: "Mont Saint-Michel" and mont_saint_michel are the same."""
    return "".join(words_of(text))


def ways(text: str) -> frozenset[str]:
    """Return the plain forms of a name: ä is a or ae, as people write it who have no such key."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return frozenset(filter(None, (folded(text), folded(composed.translate(_UMLAUTS)))))


@dataclass(frozen=True)
class Names:
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
                for way in ways(name):
                    found.setdefault(way, set()).add(one)
        return found

    def called(self, text: str) -> tuple[str, ...]:
        """Return the ids of what is called so, in order; none if nothing is."""
        return tuple(sorted({one for way in ways(text) for one in self._exact.get(way, ())}))

    def in_part(self, text: str) -> tuple[str, ...]:
        """Return the ids of what has these words in its name, each whole or its beginning, in order."""
        parts = words_of(text)
        if not parts or sum(map(len, parts)) < _LEAST_PART:
            return ()
        return tuple(
            sorted(
                one
                for one, names in self.ids.items()
                if any(_has(words_of(name), parts) for name in (one, *names))
            )
        )


def _has(words: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return all(any(word.startswith(part) for word in words) for part in parts)


def names_in(data: Json) -> Names:
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
    return Names(names, tuple(sorted(filter(None, kinds), key=sorted)))


def seat_names(seats: Iterable[str], holders: Mapping[str, str]) -> Names:
    """Return what seats are called: by their own name, as "Player 3", and by their player's name.

    Args:
        seats: The seats.
        holders: The players' names, by seat; a name that means anything else too stands for nobody.
    """
    seats = tuple(seats)
    own = clear_names([Seat(seat) for seat in seats], {Seat(seat): name for seat, name in holders.items()})
    return Names({seat: (f"Player {seat}", f"seat {seat}", own.get(Seat(seat), seat)) for seat in seats})
