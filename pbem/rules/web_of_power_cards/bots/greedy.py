"""The greedy bot: the cards whose points, now and later, are worth most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.bots import pick_best
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import Haul
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.moves import read_move, write_take
from pbem.rules.web_of_power_cards.state import COLOURS, RETURN, THREE, Card, Law
from pbem.rules.web_of_power_cards.view import View
from pbem.rules.web_of_power_cards.worth import Standing

PLAYABLE: tuple[Law, ...] = (THREE, COLOURS, RETURN)
DEPTH = 3
"""The greedy bot claims no card that more cards than these must go before."""
MOVE = 2.0
"""It moves a stone where that gains more points than these."""


@dataclass(frozen=True, slots=True)
class Weights:
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

    def __init__(
        self,
        facts: Facts,
        view: View,
        me: Seat,
        weights: Weights,
        held: Mapping[Seat, tuple[Card, ...]] | None = None,
    ) -> None:
        """Begin with what lies open; `held` are the cards of each seat if they are not as in the view."""
        self.facts = facts
        self.view = view
        self.me = me
        self.weights = weights
        self.held = held or {seat: side.cards for seat, side in view.players.items()}

    def best(self, hauls: list[Haul], dice: Dice) -> Json:
        """Return the order for the haul that is worth most, with law cards that may turn up and a claim."""
        haul = pick_best(dice, hauls, [*map(self.worth, hauls)], "bot")
        order = {**haul.order, **self._extras(haul)}
        claim = self.claim(haul)
        if claim and not check_move(self.facts, self.view, read_move({**order, **claim})):
            return {**order, **claim}
        return order

    def worth(self, haul: Haul) -> float:
        """Return what a haul is worth in points, now and for what may come of it."""
        weights, view = self.weights, self.view
        value = haul.swing - weights.spend * len(haul.use)
        for card in haul.cards:
            place = view.cards[card]
            value += weights.card + weights.symbol * place.symbols + weights.law * place.law
            value -= weights.stone * (place.stone not in (None, self.me))
            if place.route is not None and self._can_chain(place.route):
                value += weights.route
        return value

    def _can_chain(self, route: str) -> bool:
        """Tell whether enough ships or carriages can still come to count."""
        lying = sum(p.route == route for p in self.view.cards.values() if p.depth is not None)
        held = self.view.players[self.me].routes[route]
        return held < self.facts.chain <= held + lying // 2

    def _extras(self, haul: Haul) -> dict[str, Json]:
        """Return the law cards to play besides: one that brings back a stone, and those that may turn up."""
        view = self.view
        may_return = RETURN in view.laws and view.players[self.me].removed > 0
        use = [*haul.use, *([RETURN] if may_return and RETURN not in haul.use else [])]
        if not any(view.cards[card].law for card in haul.cards):
            return write_take((), use=use)
        standing = self.standing_after(haul)
        more = {card: self._swing(standing, card) for card in view.ends if card not in haul.cards}
        also = [
            card for card in sorted(more, key=lambda card: -more[card]) if more[card] > self.weights.spend
        ]
        return write_take((), also=also, use=dict.fromkeys((*use, *PLAYABLE)))

    def claim(self, haul: Haul) -> dict[str, Json]:
        """Return where to put a stone: on the card that would be worth most and is soon at an end."""
        standing, view = self.standing_after(haul), self.view
        worth = {
            card: self._swing(standing, card) - self.weights.near * place.depth
            for card, place in view.cards.items()
            if place.depth is not None and place.depth <= DEPTH and card not in haul.cards
        }
        mine = [card for card in view.players[self.me].stones if card in worth]
        free = [card for card in worth if view.cards[card].stone is None and worth[card] > 0]
        if not free:
            return {}
        mine.sort(key=lambda card: worth[card])
        free.sort(key=lambda card: -worth[card])
        lift = [card for card in mine if worth[card] + MOVE < worth[free[0]]]
        return write_take((), claim=free[:3], lift=lift)

    def standing_after(self, haul: Haul) -> Standing:
        """Return the holdings of all seats once this one has taken some cards."""
        held = self.held
        return Standing(self.facts, {**held, self.me: (*held[self.me], *haul.cards)})

    def _swing(self, standing: Standing, card: Card) -> float:
        changed = standing.change(self.me, [card])
        others = sum(changed.values()) - changed[self.me]
        return changed[self.me] - others / (len(changed) - 1)
