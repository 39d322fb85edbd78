"""Other worlds that a seat cannot tell from the real one: cards that it has not seen are dealt anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import Card, State


def redeal(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the same game with the hidden cards of the other hands and of the pile in another order.

    Cards that all saw a seat take from the open ones stay in its hand.
    """
    others = [other for other in state.seats if other != seat]
    secret = {other: _secret(state, other) for other in others}
    unseen = facts.in_order(card for cards in (*secret.values(), state.pile) for card in cards)
    cards = dice.shuffled(unseen, "redeal")
    players = dict(state.players)
    for other in others:
        count = len(secret[other])
        dealt, cards = cards[:count], cards[count:]
        hand = facts.in_order((*players[other].known, *dealt))
        players[other] = replace(players[other], hand=hand)
    return replace(state, players=players, pile=cards)


def _secret(state: State, seat: Seat) -> list[Card]:
    """Return the cards of a hand that the others have not seen."""
    player = state.players[seat]
    return list((Counter(player.hand) - Counter(player.known)).elements())
