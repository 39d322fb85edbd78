"""Other worlds that a seat cannot tell from the real one: what it has not seen is dealt anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.game_of_powers.deals import Purse, random_deal
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.hands import by_number, known_to, show
from pbem.rules.game_of_powers.state import Card, Deal, Offer, Player, State

RARELY = 8
"""A seat has, or has not, seen a card that is hidden from another in one of so many cases."""


def redeal(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the same game with the pile, and all cards that a seat has not seen in other hands, dealt anew.

    An offer that the seat is told nothing of is another one, and so are the counter-offers that a mover
    accepts beforehand. Who else has seen the cards that are unknown to the seat may differ too.
    """
    others = [one for one in state.order if one != seat]
    hidden = {one: _unseen(state.players[one], seat) for one in others}
    unseen = (*state.pile, *(card for cards in hidden.values() for card in cards))
    cards = list(dice.shuffled(facts.in_order(unseen), "cards"))
    players: dict[Seat, Player] = dict(state.players)
    for one in others:
        dealt = {card: cards.pop() for card in hidden[one]}
        players[one] = _with_others(state, one, seat, dealt, dice)
    world = replace(state, players=players, pile=tuple(cards))
    return world if state.offer is None else _other_offer(facts, world, state.offer, seat, dice)


def _unseen(player: Player, seat: Seat | None) -> tuple[Card, ...]:
    known = known_to(player, seat)
    return tuple(card for card in player.hand if card not in known)


def _with_others(
    state: State, holder: Seat, seat: Seat | None, dealt: Mapping[Card, Card], dice: Dice
) -> Player:
    """Return a player with other cards instead of some; who has seen those is mostly the same, not always."""
    player = state.players[holder]
    shown: dict[Seat, tuple[Card, ...]] = {}
    for one in state.order:
        seen = {dealt.get(card, card) for card in player.shown.get(one, ())}
        if one not in (holder, seat):
            label = f"seen/{holder}/{one}"
            seen ^= {card for card in dealt.values() if not dice.below(RARELY, label, int(card))}
        if seen or one in player.shown:
            shown[one] = by_number(seen)
    return replace(player, hand=by_number(dealt.get(card, card) for card in player.hand), shown=shown)


def _other_offer(facts: Facts, state: State, offer: Offer, seat: Seat | None, dice: Dice) -> State:
    """Return the state with another offer on the table, as far as a seat is not told what it is."""
    mover, partner = state.to_move, offer.partner
    if seat == mover:
        return state
    accepts = tuple(
        deal
        for number in range(dice.below(3, "accepts"))
        if (deal := _deal(facts, state, mover, partner, dice, f"accepts/{number}")) is not None
    )
    if seat == partner:
        return replace(state, offer=replace(offer, accepts=accepts))
    deal = _deal(facts, state, mover, partner, dice, "deal") or offer.deal
    state = _shown(state, mover, partner, deal.give.cards)
    counter = offer.counter
    if counter is not None:
        counter = _deal(facts, state, partner, mover, dice, "counter") or counter
        state = _shown(state, partner, mover, counter.give.cards)
    return replace(state, offer=Offer(partner, deal, accepts, counter))


def _deal(facts: Facts, state: State, by: Seat, other: Seat, dice: Dice, label: str) -> Deal | None:
    mine, yours = state.players[by], state.players[other]
    giving, getting = Purse(mine.tokens, mine.hand, len(mine.hand)), Purse(yours.tokens, (), len(yours.hand))
    return random_deal(facts, giving, getting, dice, label)


def _shown(state: State, holder: Seat, other: Seat, cards: tuple[Card, ...]) -> State:
    """Return the state with cards of a hand seen by another seat, as an offer shows them."""
    players = {**state.players, holder: show(state.players[holder], other, cards)}
    return replace(state, players=players)
