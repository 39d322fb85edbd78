"""Bots of the card game: one that does anything that is allowed, and one that counts points."""

from __future__ import annotations

from pbem.core.bots import is_greedy
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.bots.greedy import PLAYABLE, Thought, Weights
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import Haul, is_legal, list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import read_move, write_take
from pbem.rules.web_of_power_cards.view import View


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
    thought = Thought(facts, view, view.me, Weights(), standing)
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
    if claim and not check_move(facts, view, read_move({**order, **claim})):
        return {**order, **claim}
    return order
