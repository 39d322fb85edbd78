"""What a bot makes of the others' Houses, from their bids and what it knows."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import HouseGuess
from pbem.rules.web_of_intrigue.state import HouseId
from pbem.rules.web_of_intrigue.view import View

Beliefs = Mapping[Seat, Mapping[HouseId, int]]
"""For each other player, a weight for each House it may have, above 0."""

BITS_PER_POINT = 3
"""So many points of modifiers, added over its bids, make a House twice as likely."""

NEAR = 0.7
"""A guess that promises so much of the best one is as good."""


def form_beliefs(facts: Facts, view: View) -> Beliefs:
    """Return how likely each House is that a player can have; bids for what it is good at count for it."""
    beliefs: dict[Seat, dict[HouseId, int]] = {}
    for seat, names in view.can_be.items():
        if seat == view.me:
            continue
        bids = view.players[seat].bids.items()
        scores = {
            house.id: sum(house.modifiers[category] * count for category, count in bids)
            for house in map(facts.house, names)
        }
        most = max(scores.values(), default=0)
        beliefs[seat] = {
            house: 1 << max(0, 20 - (most - score) // BITS_PER_POINT) for house, score in scores.items()
        }
    return beliefs


def best_guess(facts: Facts, view: View, beliefs: Beliefs, dice: Dice) -> HouseGuess | None:
    """Return one of the guesses that promise most: a likeliest House, of a player with much income.

    Not always the first of them: all would make the same guess at the same player, and one that it returns
    pays nothing.
    """
    assert view.own is not None, "only seats guess"
    known = view.own.known
    found: list[tuple[float, HouseGuess]] = []
    for seat, weights in beliefs.items():
        if seat not in known and weights:
            most = max(weights.values())
            promise = most / sum(weights.values()) * (view.players[seat].income + 4)
            found += [(promise, HouseGuess(seat, house)) for house in weights if weights[house] == most]
    if not found:
        return None
    first = max(promise for promise, _ in found)
    return dice.pick([guess for promise, guess in found if promise >= NEAR * first], "guess")


def element_chance(facts: Facts, beliefs: Beliefs, seat: Seat, element: str) -> float:
    """Return how likely a player's House is of an element."""
    weights = beliefs.get(seat, {})
    total = sum(weights.values())
    if not total:
        return 0.0
    return sum(weight for house, weight in weights.items() if facts.houses[house].element == element) / total
