"""The hands that a seat may hold at a later ask, as far as its own cards and the open ones tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeAlias

from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power.drawing import Wanted, entry_at, next_source
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated, choose_act, choose_discard, places_of, price_of
from pbem.rules.web_of_power.state import PILE, Card, Move
from pbem.rules.web_of_power.view import View

Hand: TypeAlias = tuple[Card, ...]
Hands: TypeAlias = frozenset[Hand]


class Deck(NamedTuple):
    """What can be drawn until a later ask.

    Attributes:
        facts: The facts of the game.
        may_come: How many cards of each type, in card order, can come to a hand at most beside its own.
        may_run_out: Whether the pile may run out by then, so that cards come back.
    """

    facts: Facts
    may_come: tuple[int, ...]
    may_run_out: bool

    def filled(self, kept: Hand) -> Iterator[Hand]:
        """Yield every hand that some kept cards may be filled up to."""
        missing = self.facts.limits.hand - len(kept)
        most = dict(zip(self.facts.counts, self.may_come, strict=True))
        for drawn in combinations_with_replacement(self.facts.counts, max(0, missing)):
            counts = Counter(drawn)
            if self.may_run_out or all(counts[card] <= most[card] for card in counts):
                yield self.facts.in_order((*kept, *drawn))


def after_now(deck: Deck, view: View, me: Seated, move: Move) -> Hands:
    """Return the hands that a seat may hold after its present turn; none if the move is not legal."""
    act = choose_act(me, move)
    if act is None:
        return frozenset()
    kept = without(me.hand, act.cards)
    if view.closing:
        return frozenset({kept})
    if view.pile <= deck.facts.limits.cards:
        return frozenset(deck.filled(kept))
    unseen = {card: count for card, count in view.unseen.items() if count > 0}
    return frozenset(_drawn(deck.facts, kept, view.face_up, move.draw, unseen))


def _drawn(
    facts: Facts, hand: Hand, face_up: Hand, wanted: Wanted, unseen: Mapping[Card, int]
) -> Iterator[Hand]:
    """Yield every hand that cards may be filled up to by what is wanted, while the pile does not run out."""
    if len(hand) >= facts.limits.hand:
        yield facts.in_order(hand)
        return
    source = next_source(hand, face_up, entry_at(wanted, 0), has_pile=True)
    later = wanted[1:] or wanted
    if source == PILE:
        for card, count in unseen.items():
            if count > 0:
                yield from _drawn(facts, (*hand, card), face_up, later, {**unseen, card: count - 1})
    elif source is not None:
        card = Card(source)
        yield from _drawn(facts, (*hand, card), without(face_up, (card,)), later, unseen)


@lru_cache(maxsize=64)
def after_later(deck: Deck, hands: Hands, move: Move | None) -> Hands:
    """Return the hands after a later turn, whatever the map is like then; its move is None if not settled.

    What all orders of a file do before is the same: it is worked out once for all of them.
    """
    kept = {without(hand, spent) for hand in hands for spent in _spendings(deck.facts, hand, move)}
    return frozenset(full for left in kept for full in deck.filled(left))


def _spendings(facts: Facts, hand: Hand, move: Move | None) -> set[Hand]:
    """Return what an order may cost, paid from a hand; if it is not settled, from one card to all."""
    if move is None:
        return {spent for number in range(facts.limits.cards) for spent in combinations(hand, number + 1)}
    found = {price_of(facts, hand, *place) for place in places_of(facts, move.plans)}
    if (thrown := choose_discard(hand, move.discard)) is not None:
        found.add(thrown.cards)
    return found - {()}
