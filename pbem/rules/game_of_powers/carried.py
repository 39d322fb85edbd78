"""What a seat knows of itself carried forward: where its ship can be, and what it can hold at a later ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Move, Place, Turn
from pbem.rules.game_of_powers.plan import plan_turn
from pbem.rules.game_of_powers.sailing import heads_for
from pbem.rules.game_of_powers.state import WAYS, Card, City, Direction, Tokens
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ranking import without


class Spot(NamedTuple):
    """Where a ship can be, and which way round its bow points."""

    city: City
    direction: Direction


class Carried(NamedTuple):
    """What a seat knows of itself at a later ask.

    Attributes:
        spots: Every place where its ship can be.
        hand: The cards that it holds, if `is_known`; else those it is known to have held last.
        is_known: Whether it holds these cards and tokens for certain, and no other.
        tokens: Its tokens, of which the same is true.
        gone: Why a card can be in nobody's hand and in no field again.
        resting: Whether cards that are known to lie open or in a hand never go back into the pile.
    """

    spots: frozenset[Spot]
    hand: tuple[Card, ...]
    is_known: bool
    tokens: Tokens
    gone: Mapping[Card, str]
    resting: bool

    def may_hold(self, card: Card) -> bool:
        """Tell whether a card can be in the hand."""
        return card not in self.gone and (card in self.hand or not self.is_known)


def everywhere(facts: Facts) -> frozenset[Spot]:
    """Return every place where a ship can be."""
    return frozenset(Spot(city, way) for city in facts.ring for way in WAYS)


def carry(facts: Facts, view: View, before: Sequence[Move | None] | None, *, untraded: bool) -> Carried:
    """Carry the knowledge of the owner of a view forward.

    Args:
        facts: The sea and the cards.
        view: What the owner knows now.
        before: What it does at its own asks until then; None if their number is open.
        untraded: Whether no trade is made with it after the last of these.

    Source: rulebook, "Gameplay": only its own turn moves a ship; TRADE: cards and tokens change hands.
    """
    own, gone, resting = view.own, dict(_gone(facts, view)), facts.is_resting(view.order)
    spots = frozenset({Spot(own.city, own.direction)}) if own.city is not None else everywhere(facts)
    now = Carried(spots, view.hand, is_known=True, tokens=view.tokens, gone=gone, resting=resting)
    if before is None:
        return now._replace(spots=everywhere(facts), is_known=False)
    is_asked = view.asked == view.me and view.kind in ("move", "start city")
    for number, move in enumerate(before):
        if number or not is_asked:
            now = now._replace(is_known=now.is_known and not view.may_trade)
        now = _after(facts, view, now, move, is_present=is_asked and number == 0)
    if view.may_trade and not untraded and not (is_asked and not before):
        now = now._replace(is_known=False)
    return now


def _gone(facts: Facts, view: View) -> Iterator[tuple[Card, str]]:
    """Yield the cards that never come into play again, and why."""
    for seat, side in view.players.items():
        who = "you have" if seat == view.me else f"{seat.capitalize()} has"
        for card in side.played:
            yield card, f"{who} played {facts.title(card)}"
    for card in view.box:
        yield card, f"{facts.title(card)} is out of the game"


def _after(facts: Facts, view: View, now: Carried, move: Move | None, *, is_present: bool) -> Carried:
    """Return what is known after a move of the owner at its own ask."""
    match move:
        case Place():
            way = facts.heading(move.city, move.facing)
            return now._replace(spots=frozenset({Spot(move.city, way)})) if way is not None else now
        case Turn() if is_present:
            return _after_present(facts, view, now, move)
        case Turn():
            return _after_turn(facts, now, move)
        case _:
            return now._replace(spots=now.spots | _reach(facts, now), is_known=False)


def _after_present(facts: Facts, view: View, now: Carried, turn: Turn) -> Carried:
    """Return what is known after the turn that is asked for now: all of it is worked out."""
    plan = plan_turn(facts, view, turn)
    if not plan.is_legal:
        return now._replace(spots=now.spots | _reach(facts, now), is_known=False)
    gone = _gone_after(facts, now, plan.played, plan.course.cards)
    spots = frozenset({Spot(plan.course.city, plan.course.direction)})
    is_known = now.is_known and plan.offer is None
    return now._replace(spots=spots, hand=plan.hand, tokens=plan.tokens, is_known=is_known, gone=gone)


def _after_turn(facts: Facts, now: Carried, turn: Turn) -> Carried:
    """Return what is known after a turn that is legal for certain when it comes."""
    spots = frozenset(_sailed(facts, now, turn)) or now.spots | _reach(facts, now)
    gone = _gone_after(facts, now, turn.played, turn.cards)
    hand = without(now.hand, (*turn.cards, *turn.played))
    draws = turn.action is not None or turn.trade is not None
    return now._replace(spots=spots, hand=hand, is_known=now.is_known and not draws, gone=gone)


def _gone_after(
    facts: Facts, now: Carried, played: tuple[Card, ...], returned: tuple[Card, ...]
) -> dict[Card, str]:
    """Return why which cards are gone once more were played and returned; the pile may bring those back."""
    gone = {**now.gone, **{card: f"you play {facts.title(card)} before then" for card in played}}
    back = {card: f"you return {facts.title(card)} before then" for card in returned}
    return {**gone, **back} if now.resting else gone


def _sailed(facts: Facts, now: Carried, turn: Turn) -> Iterator[Spot]:
    for spot in now.spots:
        way, spaces, city = heads_for(facts, spot.city, spot.direction, turn)
        if city != spot.city and (spaces <= facts.free_spaces or turn.extra is not None):
            yield Spot(city, way)


def _reach(facts: Facts, now: Carried) -> frozenset[Spot]:
    """Return where any turn can take the ship: one or two spaces ahead, and further with a card."""
    if now.hand or not now.is_known:
        return everywhere(facts)
    return frozenset(Spot(city, way) for here, way in now.spots for city in facts.near(here, way))
