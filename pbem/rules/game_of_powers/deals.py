"""Deals made at random, for bots that offer anything, and for worlds in which a hidden offer is another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.core.dice import Dice
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.state import Card, Deal, Lot, Token, Tokens, Wants, Wish

MOST = 2
"""A side of a random deal has so many things at most."""


@dataclass(frozen=True, slots=True)
class Purse:
    """What one side of a trade has: tokens, and cards; of the other side's cards only how many there are."""

    tokens: Tokens
    cards: Sequence[Card]
    count: int


def random_deal(facts: Facts, mine: Purse, yours: Purse, dice: Dice, label: str) -> Deal | None:
    """Return a deal of one or two things for one or two others, or None if there is nothing to trade with.

    Args:
        facts: The cards and tokens.
        mine: What the side that makes the deal has.
        yours: What it knows of the other side; cards are those it has seen there.
        dice: Chance.
        label: What the draws are for.
    """
    if not (any(mine.tokens.values()) or mine.cards) or not (any(yours.tokens.values()) or yours.count):
        return None
    give, cards = _lot(facts, mine, dice, f"{label}/give")
    want, wishes = facts.no_tokens(), list[Wish]()
    count = dice.roll(MOST, f"{label}/want")
    for number in range(count):
        left = [one for one in facts.types if yours.tokens[one] > want[one]]
        may_wish = len(wishes) < yours.count
        if left and (not may_wish or dice.below(2, f"{label}/kind", number)):
            one = dice.pick(left, f"{label}/token", number)
            want = {**want, one: want[one] + 1}
        elif may_wish:
            wishes.append(_wish(facts, yours.cards, dice, f"{label}/wish/{number}"))
    wishes = list(dict.fromkeys(wishes))
    return Deal(Lot(give, cards), Wants(want, tuple(wishes)))


def _lot(facts: Facts, mine: Purse, dice: Dice, label: str) -> tuple[Tokens, tuple[Card, ...]]:
    """Return one or two things of a side."""
    tokens: list[Token] = [one for one in facts.types for _ in range(mine.tokens[one])]
    things: list[Token | Card] = [*tokens, *facts.in_order(mine.cards)]
    number = min(dice.roll(MOST, label), len(things))
    places = dice.shuffled(range(len(things)), f"{label}/things")[:number]
    given = [tokens[place] for place in places if place < len(tokens)]
    cards = [facts.in_order(mine.cards)[place - len(tokens)] for place in places if place >= len(tokens)]
    return facts.count_tokens(given), facts.in_order(cards)


def _wish(facts: Facts, known: Sequence[Card], dice: Dice, label: str) -> Wish:
    """Return a wish: a card that was seen, or what a card should have."""
    kind = dice.below(6, label)
    if kind == 0 and known:
        return Wish(card=dice.pick(facts.in_order(known), label, 1))
    if kind == 1:
        return Wish(category=dice.pick(facts.categories, label, 2))
    if kind == 2:
        return Wish(token=dice.pick(facts.types, label, 3))
    if kind == 3:
        return Wish(score=dice.roll(4, label, 4))
    return Wish(site=dice.pick(facts.sites, label, 5))
