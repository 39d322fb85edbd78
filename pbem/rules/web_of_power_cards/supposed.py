"""What the condition of an order supposes of a later ask, and whether it can come about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from pbem.core.conditions import holds
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION
from pbem.core.interface import Json, Problem
from pbem.rules.kit.supposed import why_unfit
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power_cards.reach import Until
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.view import ON_TABLE, Place, Side, View

N = TypeVar("N", bound=str)

FIXED: Final = ("me", "countries", "names", "law_names", "numbers")
"""Facts of a view that stay as they are for the whole game."""
OF_CARDS: Final = ("country", "symbol", "symbols", "route")
"""Facts of a card that stay."""
OWN: Final = ("cards", "lands", "routes", "removed", "laws")
"""Facts of a seat that only its own turns change."""


def impossible(view: View, me: Seat, own_turns: int, then: Until, when: Mapping[str, Json]) -> Problem | None:
    """Say why a condition cannot hold at a later ask of a seat; None if it may.

    Args:
        view: What the seat knows now.
        me: The seat.
        own_turns: How many own turns come before that ask.
        then: What is certain of the table at that ask.
        when: The condition.
    """
    supposed = _Supposed(view, me, own_turns, then)
    for path, wanted in when.items():
        if text := supposed.why_not(path, wanted):
            return Problem((*CONDITION, path), text)
    return None


class _Supposed:
    """Conditions of one order, looked at from its owner's view."""

    def __init__(self, view: View, me: Seat, own_turns: int, then: Until) -> None:
        self.view = view
        self.me = me
        self.own_turns = own_turns
        self.then = then

    def why_not(self, path: str, wanted: Json) -> str:
        """Say why what is wanted cannot stand at a path then; "" if it may, or if that is not known."""
        parts = path.split(".")
        if parts[0] in FIXED or (parts[0] == "laws" and self._keeps()):
            return "" if holds({path: wanted}, self.view) else f"{path} stays as it is until then"
        match parts:
            case ["cards", name, fact]:
                card = _meant(self.view.cards, name)
                return "" if card is None else self._card(path, card, fact, wanted)
            case ["players", name, fact, *_]:
                seat = _meant(self.view.players, name)
                return "" if seat is None else self._player(path, seat, fact, wanted)
            case ["ends" | "can_take"]:
                return self._ends(wanted)
        return _unfit(path, self._values(parts), wanted)

    def _values(self, parts: list[str]) -> Collection[object] | None:
        """Return everything that may stand at a path then; None if that is not bounded."""
        match parts:
            case ["to_move"]:
                return (self.me,)
            case ["left"]:
                return range(1, self.then.most_left() + 1)
            case ["unseen", law]:
                known = _meant(self.view.unseen, law)
                return range(1 + (self.view.unseen[known] if known else 0))
            case ["lost_claim"]:
                return self._lost_claim()
        return None

    def _keeps(self) -> bool:
        """Tell whether no own turn comes before the ask, so that what lies before the seat stays."""
        return not self.own_turns and self.view.to_move != self.me

    def _lost_claim(self) -> Collection[object] | None:
        """Others take cards under own stones only where one lies; it is told until the own turn."""
        if self.then.own_open:
            return None
        if self._keeps() and self.view.lost:
            return (True,)
        return None if self.then.table.lying(self.me) else (False,)

    def _card(self, path: str, card: Card, fact: str, wanted: Json) -> str:
        place = self.view.cards[card]
        if fact in OF_CARDS:
            return "" if holds({path: wanted}, self.view) else f"{path} stays as it is"
        return _unfit(path, self._card_values(card, place, fact), wanted)

    def _card_values(self, card: Card, place: Place, fact: str) -> Collection[object] | None:
        """Return everything that a fact of a card may be then."""
        then = self.then
        if place.holder != ON_TABLE:
            return {"holder": (place.holder,), "law": (False,)}.get(fact, (None,))
        if not then.lies(card):
            return {"holder": (self.me,), "law": (False,)}.get(fact, (None,))
        may_go = then.may_be_taken(card)
        match fact:
            case "holder":
                return (ON_TABLE, *(then.turns_of if may_go else ()))
            case "depth":
                return (*then.depths(card), *([None] if may_go else []))
            case "law":
                return (place.law, False) if may_go else (place.law,)
            case "stone" if self._keeps() and place.stone != self.me:
                return (None, *(seat for seat in self.view.players if seat != self.me))
        return None

    def _ends(self, wanted: Json) -> str:
        """Say which card that is wanted at an end cannot lie there then."""
        if not isinstance(wanted, dict):
            return ""
        for card in self._named(wanted.get("has")):
            if not self.then.lies(card):
                return f"{card} does not lie on the table then"
            if not self.then.may_be_at_end(card):
                return f"{card} cannot come to an end of its row by then"
        return ""

    def _named(self, wanted: Json) -> Iterator[Card]:
        names = {str(one).casefold() for one in as_list(wanted)}
        yield from (card for card in self.view.cards if card.casefold() in names)

    def _player(self, path: str, seat: Seat, fact: str, wanted: Json) -> str:
        side = self.view.players[seat]
        if seat == self.me and fact in OWN and self._keeps():
            return "" if holds({path: wanted}, self.view) else f"{path} stays as it is until then"
        if fact == "cards" and isinstance(wanted, dict):
            return self._holds(seat, wanted)
        return _unfit(path, self._side_values(path, seat, side), wanted)

    def _holds(self, seat: Seat, wanted: dict[str, Any]) -> str:
        """Say which card that a seat should hold another one keeps."""
        for card in self._named(wanted.get("has")):
            holder = self.view.cards[card].holder
            if holder not in (ON_TABLE, seat):
                return f"{card} stays with {holder}"
            if holder == ON_TABLE and self.then.lies(card) and not self.then.may_be_taken(card):
                return f"{card} cannot be taken by then"
        return ""

    def _side_values(self, path: str, seat: Seat, side: Side) -> Collection[object] | None:
        match path.split(".")[2:]:
            case ["asks"]:
                before = side.asks - (self.view.to_move == seat)
                return (before + self._turns_before(seat) + (seat == self.me),)
            case ["lands" | "routes", name]:
                counts = {str(one): n for one, n in (*side.lands.items(), *side.routes.items())}
                known = _meant(counts, name)
                return None if known is None else range(counts[known], counts[known] + self.view.left + 1)
        return None

    def _turns_before(self, seat: Seat) -> int:
        return self.own_turns if seat == self.me else self.then.turns_of.get(seat, 0)


def _meant(names: Iterable[N], word: str) -> N | None:
    """Return the name that a word of a condition means, whose case does not count; None if there is none."""
    return next((name for name in names if name.casefold() == word.casefold()), None)


def _unfit(path: str, values: Collection[object] | None, wanted: Json) -> str:
    unfit = why_unfit(values, wanted)
    return f"{path} {unfit} then" if unfit else ""
