"""The greedy bot: it takes the specials that help, and the three bids that promise the most points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from pbem.core.dice import Dice
from pbem.rules.web_of_intrigue.beliefs import best_guess, element_chance, form_beliefs
from pbem.rules.web_of_intrigue.facts import Facts, Special
from pbem.rules.web_of_intrigue.modifiers import distance_modifier
from pbem.rules.web_of_intrigue.orders import three
from pbem.rules.web_of_intrigue.roaming import best_square, least_known
from pbem.rules.web_of_intrigue.state import Bid, Enact, Move, Square, TileId
from pbem.rules.web_of_intrigue.view import Offer, Own, View

CANDIDATES: Final = 6
"""Objects that are weighed against each other."""
FROM_RIVAL: Final = 1.4
"""What a point is worth that a rival loses by it."""
WORTH: Final[Mapping[str, float]] = {
    "points_next_turn": 0.9,
    "random_guess": 0.8,
    "reveal_player": 0.3,
    "view_radius": 0.3,
    "reveal_tile": 0.2,
    "obscure_tile": 0.1,
}
"""Points that specials are worth which change no bid of this turn."""
LEAST_GAIN: Final = 0.15
LUCK: Final = 1
"""What other won bids may add; objects out of reach even so are left alone."""


def think(facts: Facts, view: View, dice: Dice) -> Move:
    """Return orders that spend all action points."""
    assert view.own is not None, "only seats are asked"
    return _Thought(facts, view, view.own, dice).orders()


@dataclass(frozen=True, slots=True)
class _Aid:
    """A special that may help.

    Attributes:
        order: How it would be enacted; the points come later.
        gain: Expected victory points it adds by itself.
        odds: For the objects it helps: what it adds, with which probability.
    """

    order: Enact
    gain: float
    odds: Mapping[TileId, tuple[int, float]]


class _Thought:
    """One seat's thinking about one turn."""

    def __init__(self, facts: Facts, view: View, own: Own, dice: Dice) -> None:
        self.facts = facts
        self.view = view
        self.own = own
        self.dice = dice
        self.sides = facts.numbers.sides
        self.beliefs = form_beliefs(facts, view)
        self.wanted = {tile: offer for tile, offer in view.objects.items() if offer.controller != view.me}

    def orders(self) -> Move:
        """Return the best orders found."""
        aids = self._best_aids()
        bids = self._best_bids(aids)
        points = self._points(len(aids), bids)
        goal = best_square(self.facts, self.view, self.own, set(bids[:2]), self.dice)
        left = iter(points)
        return Move(
            specials=three([replace(aid.order, points=next(left)) for aid in aids[: len(points)]]),
            bids=three([Bid(tile, share) for tile, share in zip(bids, left, strict=False)]),
            guess=best_guess(self.facts, self.view, self.beliefs, self.dice),
            goal=goal,
        )

    def _best_aids(self) -> list[_Aid]:
        """Return up to three specials, the most helpful first; two exchanges would undo each other."""
        aids = sorted((aid for aid in map(self._aid, self.view.specials) if aid), key=lambda aid: -aid.gain)
        exchanges = [aid for aid in aids if aid.order.squares is not None]
        return [aid for aid in aids if aid not in exchanges[1:]][:3]

    def _worth(self, offer: Offer) -> float:
        return offer.vp * (FROM_RIVAL if offer.controller is not None else 1.0)

    def _chance(self, needed: int) -> float:
        return max(0, min(self.sides, self.sides + 1 - needed)) / self.sides

    def _aid(self, name: TileId) -> _Aid | None:
        """Return how a special would best be enacted, or None if it is not worth a point."""
        special = self.facts.specials[name]
        odds, order = self._odds(special)
        gains = sorted(
            (
                self._worth(offer)
                * chance
                * (self._chance(offer.needed - value) - self._chance(offer.needed))
                for tile, (value, chance) in odds.items()
                for offer in (self.wanted[tile],)
            ),
            reverse=True,
        )
        gain = sum(gains[:3]) + WORTH.get(special.effect.kind, 0.0)
        return _Aid(order, gain, odds) if gain >= LEAST_GAIN else None

    def _odds(self, special: Special) -> tuple[dict[TileId, tuple[int, float]], Enact]:
        """Return what a special adds for which objects, how likely, and how to enact it."""
        effect, order = special.effect, Enact(special.id, None)
        spot = self.view.specials[special.id].square
        found: dict[TileId, tuple[int, float]] = {}
        if effect.kind == "exchange_tiles":
            return self._bring_near(order)
        for tile, offer in self.wanted.items():
            value, chance = effect.value, 1.0
            match effect.kind:
                case "category_bonus":
                    chance = float(offer.category == effect.category and not self._is_barred(special))
                case "adjacent_bonus":
                    chance = float(self.facts.grid.distance(spot, offer.square) == 1)
                case "ignore_distance":
                    value = -distance_modifier(self.facts, offer.distance)
                case "element_bonus" if offer.controller is not None:
                    chance = element_chance(self.facts, self.beliefs, offer.controller, effect.element)
                case _:
                    chance = 0.0
            if value * chance > 0:
                found[tile] = (value, chance)
        return found, self._with_subject(special, order)

    def _is_barred(self, special: Special) -> bool:
        return any(
            owned.controller == self.view.me and owned.category == special.effect.unless
            for owned in self.view.owners.values()
        )

    def _bring_near(self, order: Enact) -> tuple[dict[TileId, tuple[int, float]], Enact]:
        """Return the exchange of the tile underfoot with the object that gains most by it."""
        best, most = None, 0.0
        for tile, offer in self.wanted.items():
            value = -distance_modifier(self.facts, offer.distance)
            gain = self._worth(offer) * (self._chance(offer.needed - value) - self._chance(offer.needed))
            if gain > most:
                best, most = (tile, offer.square, value), gain
        if best is None or self.view.web[self.own.square] not in (*self.view.objects, *self.view.specials):
            return {}, order
        tile, square, value = best
        return {tile: (value, 1.0)}, replace(order, squares=(square, self.own.square))

    def _with_subject(self, special: Special, order: Enact) -> Enact:
        """Return the order with what it works on: the leader, or the square least known."""
        match special.effect.subject:
            case "player":
                others = [seat for seat in self.view.players if seat != self.view.me]
                leader = max(
                    others, key=lambda seat: (self.view.players[seat].points, self.view.players[seat].income)
                )
                return replace(order, player=leader)
            case "square" if special.effect.kind == "reveal_tile":
                return replace(order, square=least_known(self.facts, self.view, self.own, self.dice))
            case "square":
                seen: list[Square] = [offer.square for offer in self.view.objects.values()]
                return replace(order, square=max(seen or [self.view.specials[special.id].square]))
            case _:
                return order

    def _best_bids(self, aids: Sequence[_Aid]) -> tuple[TileId, ...]:
        """Return up to three objects in the order of bids that promises most."""
        most = {
            tile: self._worth(offer) * self._chance(offer.needed - self._help(aids, tile) - LUCK)
            for tile, offer in self.wanted.items()
        }
        first = sorted((tile for tile in most if most[tile]), key=lambda tile: -most[tile])[:CANDIDATES]
        rows = list(permutations(first, min(3, len(first)))) or [()]
        return max(rows, key=lambda row: self._promise(aids, row))

    def _help(self, aids: Sequence[_Aid], tile: TileId) -> int:
        return sum(round(value * chance) for aid in aids for value, chance in [aid.odds.get(tile, (0, 0.0))])

    def _promise(self, aids: Sequence[_Aid], row: Sequence[TileId]) -> float:
        """Return the points that a row of bids promises, what one gives the next included."""
        total, likely = 0.0, dict[TileId, float]()
        for number, tile in enumerate(row):
            offer = self.wanted[tile]
            given = sum(
                value * likely[holder] for holder, value in self.facts.gains[tile].items() if holder in likely
            )
            needed = offer.needed - self._help(aids[: number + 1], tile) - round(given)
            likely[tile] = self._chance(needed)
            total += self._worth(offer) * likely[tile]
        return total

    def _points(self, specials: int, bids: Sequence[TileId]) -> tuple[int, ...]:
        """Return the action points for each special and bid: 1 for a special, by worth for the bids."""
        have, parts = self.own.action_points, specials + len(bids)
        if have <= parts:
            return (1,) * have
        if not bids:
            return (have - specials + 1, *(1,) * (specials - 1)) if specials else ()
        spare = have - parts
        worth = [self._worth(self.wanted[tile]) for tile in bids]
        shares = [int(spare * one / sum(worth)) for one in worth]
        shares[self.dice.below(len(shares), "spare")] += spare - sum(shares)
        return (*(1,) * specials, *(1 + share for share in shares))
