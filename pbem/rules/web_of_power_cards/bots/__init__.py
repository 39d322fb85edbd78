"""Bots of the card game: one that does anything that is allowed, and a greedy one that weighs points."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from pbem.core.bots import is_greedy, pick_best
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import Haul, is_legal, list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import PLAYABLE, write_take
from pbem.rules.web_of_power_cards.taking import ends
from pbem.rules.web_of_power_cards.view import View

DEPTH = 3
"""The greedy bot claims no card that more cards than these must go before."""
MOVE = 2.0
"""It moves a stone where that gains more points than these."""


TIE = 1e-6
"""Fewer points than these make no haul worth less than another."""


class Weights(NamedTuple):
    """What the greedy bot values besides the points of now, in points.

    Attributes:
        card: Each card taken: it may count for more later.
        symbol: Each circle symbol.
        route: Each ship or carriage, as long as enough can still come.
        law: Each law card taken unseen.
        spend: Each law card played.
        stone: Each stone paid.
        near: How much less a claim is worth for each card that must go before it.
    """

    card: float = 0.4
    symbol: float = 0.4
    route: float = 0.7
    law: float = 1.0
    spend: float = 1.5
    stone: float = 2.5
    near: float = 0.8


class Thought:
    """A seat on turn weighs what it can take."""

    weights: Final = Weights()

    def __init__(self, facts: Facts, view: View, me: Seat, standing: Standing | None = None) -> None:
        """Begin with what lies open, and with the holdings of the seats, if they were counted before."""
        self.facts = facts
        self.view = view
        self.table = view.table()
        self.me = me
        self.standing = standing or Standing(facts, view.held())

    def best(self, hauls: Sequence[Haul], dice: Dice) -> Haul | None:
        """Return the legal haul that is worth most; only one that names stones to pay with can be illegal."""
        worth = {haul.cards: self.worth(haul) for haul in hauls}
        least = max((worth[haul.cards] for haul in hauls if not haul.pay), default=-math.inf) - TIE
        near = [haul for haul in hauls if worth[haul.cards] > least]
        legal = [haul for haul in near if is_legal(self.facts, self.view, haul)]
        return pick_best(dice, legal, [worth[haul.cards] for haul in legal], "bot") if legal else None

    def order(self, haul: Haul) -> dict[str, Json]:
        """Return the order for a haul, with law cards that may turn up and a claim, which may be illegal."""
        return {**haul.order, **self._extras(haul), **self.claim(haul)}

    def legal(self, order: dict[str, Json]) -> dict[str, Json]:
        """Return an order for a legal haul as it stands, or without a claim that makes it illegal."""
        if not check_move(self.facts, self.view, self.facts.read(order)):
            return order
        return {name: part for name, part in order.items() if name not in ("claim", "from")}

    def worth(self, haul: Haul) -> float:
        """Return what a haul is worth in points, now and for what may come of it."""
        weights, stones = self.weights, self.table.stones
        value = haul.swing - weights.spend * len(haul.use)
        for card in haul.cards:
            land = self.facts.lands[card]
            value += weights.card + weights.symbol * land.symbols + weights.law * (card in self.table.covered)
            value -= weights.stone * (stones.get(card, self.me) != self.me)
            if land.route in self._chains:
                value += weights.route
        return value

    @cached_property
    def _chains(self) -> Collection[str | None]:
        """Return the kinds of routes of which enough can still come to count."""
        lying = Counter(self.facts.lands[card].route for card in self.table.cards)
        held = self.standing.routes[self.me]
        chain = self.facts.chain
        return [route for route, number in held.items() if number < chain <= number + lying[route] // 2]

    def _extras(self, haul: Haul) -> dict[str, Json]:
        """Return the law cards to play besides: one that brings back a stone, and those that may turn up."""
        use = dict.fromkeys((*haul.use, *self.view.returning()))
        if self.table.covered.isdisjoint(haul.cards):
            return write_take((), use=use)
        standing = self.standing_after(haul)
        left = [card for card in ends(self.table.rows) if card not in haul.cards]
        more = {card: standing.swing(self.me, card) for card in left}
        best = sorted(more, key=more.__getitem__, reverse=True)
        also = [card for card in best if more[card] > self.weights.spend]
        return write_take((), also=also, use=dict.fromkeys((*use, *PLAYABLE)))

    def claim(self, haul: Haul) -> dict[str, Json]:
        """Return where to put a stone: on the card that would be worth most and is soon at an end."""
        standing, stones = self.standing_after(haul), self.table.stones
        worth = {
            card: standing.swing(self.me, card) - self.weights.near * depth
            for card, depth in self.table.depths().items()
            if depth <= DEPTH and card not in haul.cards
        }
        mine = [card for card in worth if stones.get(card) == self.me]
        free = [card for card in worth if card not in stones and worth[card] > 0]
        if not free:
            return {}
        mine.sort(key=lambda card: worth[card])
        free.sort(key=lambda card: -worth[card])
        lift = [card for card in mine if worth[card] + MOVE < worth[free[0]]]
        return write_take((), claim=free[:3], lift=lift)

    def standing_after(self, haul: Haul) -> Standing:
        """Return the holdings of all seats once this one has taken some cards."""
        return self.standing.after(self.me, haul.cards)


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone; None if it is not on turn.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy = is_greedy(skill)
    if view.me is None or not view.is_asked():
        return None
    standing = Standing(facts, view.held())
    hauls = list_hauls(facts, view, standing=standing)
    if not greedy:
        legal = [haul for haul in hauls if is_legal(facts, view, haul)]
        return anything(facts, view, view.me, legal, dice) if legal else {"skip": True}
    thought = Thought(facts, view, view.me, standing)
    haul = thought.best(hauls, dice)
    return {"skip": True} if haul is None else thought.legal(thought.order(haul))


def anything(facts: Facts, view: View, me: Seat, hauls: list[Haul], dice: Dice) -> Json:
    """Return any haul, with any law cards to use and any claim."""
    if not view.can_take and dice.below(2, "skip") == 0:
        return {"skip": True}
    haul = dice.pick(hauls, "haul")
    use = [*haul.use, *(law for law in PLAYABLE if law in view.laws and dice.below(2, f"use {law}"))]
    if any(view.cards[card].law for card in haul.cards):
        use += [law for law in PLAYABLE if dice.below(2, f"hope {law}")]
    also = dice.shuffled(view.ends, "also") if use and dice.below(2, "also or not") else ()
    order = {**haul.order, **write_take((), also=also, use=dict.fromkeys(use))}
    cards, mine = dice.shuffled(tuple(view.cards), "claim"), dice.shuffled(view.players[me].stones, "from")
    claim = write_take((), claim=cards, lift=mine) if dice.below(3, "claim or not") else {}
    if claim and not check_move(facts, view, facts.read({**order, **claim})):
        return {**order, **claim}
    return order
