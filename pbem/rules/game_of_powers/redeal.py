"""Other worlds that a seat cannot tell from the real one, unseen cards dealt anew; and deals at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.hands import by_number, known_to, show
from pbem.rules.game_of_powers.state import Card, Deal, Lot, Offer, Player, State, Token, Tokens, Wants, Wish

MOST = 2
"""A side of a random deal has so many things at most."""

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
