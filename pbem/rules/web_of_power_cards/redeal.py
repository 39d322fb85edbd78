"""Other worlds that a seat cannot tell from the real one: the law cards it does not know are dealt anew."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.state import State, seated


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the game with the law cards on the table and before the others in another order.

    Nothing that a seat sees bears on them: who holds one need not play it.
    """
    others = tuple(one for one in seated(state.players) if one != seat)
    places = tuple(card for row in state.layout for card in row if card in state.laws)
    hidden = [state.laws[card] for card in places]
    hidden += [law for one in others for law in state.players[one].laws]
    dealt = list(dice.shuffled(tuple(hidden), "redeal"))
    laws = {card: dealt.pop() for card in places}
    players = {
        one: replace(player, laws=tuple(dealt.pop() for _ in player.laws)) if one in others else player
        for one, player in state.players.items()
    }
    return replace(state, laws=laws, players=players)
