"""What the greedy bot thinks a position is worth to its seat, in victory points."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

from pbem.rules.game_of_powers.actions import cost
from pbem.rules.game_of_powers.facts import Facts, minus, total
from pbem.rules.game_of_powers.state import Card, City, Direction, Tokens
from pbem.rules.game_of_powers.tasks import lacking
from pbem.rules.game_of_powers.view import View

LATER: Final = 0.9
"""What a point is worth that can be had a turn later."""
UNPAID: Final = 0.2
"""What a point of a card is worth that cannot be paid yet."""
CARD: Final = 0.1
"""What any card in hand is worth besides."""
TOKEN: Final = 0.4
"""What a token is worth that no card of the hand needs."""
STEP: Final = 0.62
"""What a task is worth for each card that is missing, of what it is worth with one less."""
IN_HAND: Final = 0.3
"""How much of that a card in hand does, compared with one that was played."""
TASK: Final = 0.7
"""How much of a task's points is counted before they are collected."""


class Standing(NamedTuple):
    """What a seat would have: its cards, tokens and played cards, and where its ship would be."""

    hand: tuple[Card, ...]
    tokens: Tokens
    played: tuple[Card, ...]
    city: City
    direction: Direction


class Appraiser:
    """A seat that thinks about what it could have."""

    def __init__(self, facts: Facts, view: View) -> None:
        self.facts = facts
        self.view = view
        seats = len(view.order)
        self.turns_left = 1 if view.last_round else 1 + ceil(view.pile / seats)
        mine, lying = view.own.tasks, view.tasks.items()
        self.tasks = [(facts.tasks[one], left[0]) for one, left in lying if left and one not in mine]
        self._missing: dict[tuple[Card, ...], list[int]] = {}
        self._turns_to: dict[tuple[City, Direction], list[tuple[int, City]]] = {}

    def worth(self, standing: Standing) -> float:
        """Return what a standing is worth: points, what tasks promise, and what the hand may still bring."""
        points = self.facts.points_of(standing.played)
        return points + self._worth_of_tasks(standing) + self._worth_of_hand(standing)

    def _worth_of_tasks(self, standing: Standing) -> float:
        found = 0.0
        now, with_all = map(self._lacking, (standing.played, (*standing.played, *standing.hand)))
        for (_, value), short, could in zip(self.tasks, now, with_all, strict=True):
            if short == 0:
                found += value
            elif short <= 2 * self.turns_left:
                likely: float = STEP**short
                with_hand: float = IN_HAND * STEP**could + (1 - IN_HAND) * likely
                is_near = could < short <= len(standing.hand) + 2
                found += TASK * value * max(likely, with_hand if is_near else likely)
        return found

    def _lacking(self, cards: tuple[Card, ...]) -> list[int]:
        """Return how many cards each task still needs after these; the same are often looked at."""
        if cards not in self._missing:
            counts = {by: self.facts.count_by(cards, by) for by in ("site", "category")}
            self._missing[cards] = [lacking(task, counts[task.by]) for task, _ in self.tasks]
        return self._missing[cards]

    def _worth_of_hand(self, standing: Standing) -> float:
        """Return what the cards in hand may bring, at the sites in the order in which the ship comes by."""
        facts, tokens, found, needed = self.facts, standing.tokens, 0.0, 0
        for turns, site in self._ways(standing.city, standing.direction):
            if turns > self.turns_left - 1:
                break
            cards = [card for card in standing.hand if facts.cards[card].site == site]
            played, tokens = self._play(cards, tokens)
            discount = LATER**turns
            found += discount * facts.points_of(played)
            rest = [card for card in cards if card not in played]
            if turns < self.turns_left - 1:
                found += UNPAID * discount * facts.points_of(rest) + CARD * len(rest)
            needed += 2 * len(rest)
        spare = total(tokens)
        return found + TOKEN * min(spare, max(needed, 2)) + 0.1 * spare

    def _play(self, cards: Sequence[Card], tokens: Tokens) -> tuple[list[Card], Tokens]:
        """Return which cards can be paid, dear ones first, and the tokens that are left."""
        played: list[Card] = []
        for card in sorted(cards, key=lambda one: -self.facts.cards[one].score):
            face = self.facts.cards[card]
            price = cost(self.facts, len(played))
            if tokens[face.token] >= price:
                tokens = minus(tokens, {face.token: price})
                played.append(card)
        return played, tokens

    def _ways(self, city: City, direction: Direction) -> list[tuple[int, City]]:
        """Return how many turns a ship needs to each site without a card; where it is, it cannot stay."""
        if (city, direction) not in self._turns_to:
            far = (
                (self.facts.spaces(city, one, direction) or len(self.facts.ring), one)
                for one in self.facts.sites
            )
            self._turns_to[city, direction] = sorted(
                (ceil(spaces / self.facts.free_spaces), one) for spaces, one in far
            )
        return self._turns_to[city, direction]
