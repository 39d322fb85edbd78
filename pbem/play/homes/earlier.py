"""What an older pbem wrote into the journal and records of turns: acts in sentences, names of players."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.store.records import Act, read_facts

_LODGED: Final = re.compile(
    r"(?:orders for (\S+)|.*\((\S+)\)) were lodged by the moderator, receipt ([0-9]+)\."
)
_OF_TURN: Final = {
    "turn-undone": re.compile(r"turn ([0-9]+) was taken back\."),
    "turn-remade": re.compile(r"turn ([0-9]+) was lost and made again: .*"),
}


def facts_of_old_sentence(sentence: str) -> dict[str, Json]:
    """Return the facts in a sentence of an older pbem, as far as something depends on them."""
    if lodged := _LODGED.fullmatch(sentence):
        seat, named, receipt = lodged.groups()
        return {"kind": "orders-lodged-for", "seat": seat or named, "receipt": int(receipt)}
    for kind, pattern in _OF_TURN.items():
        if of := pattern.fullmatch(sentence):
            return {"kind": kind, "turn": int(of[1])}
    return {"kind": "earlier"}


def facts_of_act(act: Act) -> dict[str, Json]:
    """Return the facts of an act that the journal holds, whichever pbem noted it."""
    return read_facts(act.facts) if act.facts else facts_of_old_sentence(act.detail)


_FORMER: Final = "former names"
"""The key of a game's note that lists the names that players had who left, or are called otherwise now."""

_NAMES_BEFORE: Final = "names:"
"""Before a seat: the names that its player has had, where an older version noted them."""

_PAST: Final = "past names:"
"""Before a seat: the names of each of its players who left, where an older version noted them."""


class OlderNames(NamedTuple):
    """What an older version noted of names.

    Attributes:
        groups: Of each seat the names that were one player's, the present one last.
        left: The names of who left by a command, or is called otherwise now.
    """

    groups: Mapping[Seat, Sequence[tuple[str, ...]]] = {}
    left: frozenset[str] = frozenset()

    def group(self, seat: Seat, name: str) -> tuple[str, ...]:
        """Return the names that the player of this name has had in a seat, up to this name."""
        found = next((one for one in reversed(self.groups.get(seat, ())) if name in one), (name,))
        return found[: found.index(name) + 1]


def read_older(notes: Mapping[str, str], seats: Iterable[Seat]) -> OlderNames:
    """Return what an older version noted of the names of a game's players."""
    groups: dict[Seat, list[tuple[str, ...]]] = {}
    for seat in seats:
        past = [tuple(map(str, one)) for one in json.loads(notes.get(f"{_PAST}{seat}", "[]"))]
        groups[seat] = [*past, tuple(map(str, json.loads(notes.get(f"{_NAMES_BEFORE}{seat}", "[]"))))]
    return OlderNames(groups, frozenset(map(str, json.loads(notes.get(_FORMER, "[]")))))
