"""What an order comes to: the first of its plans that is possible, or the card that is thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments, why_unpaid
from pbem.rules.web_of_power.state import ANY, Act, Card, Country, Discarded, Move, Placed, Plan


class Seated(NamedTuple):
    """A seat that is to act.

    Attributes:
        board: The map.
        seat: The seat.
        hand: Its cards.
        alliances: The set of alliances in force.
    """

    board: Board
    seat: Seat
    hand: tuple[Card, ...]
    alliances: str

    @property
    def facts(self) -> Facts:
        """The facts of the game."""
        return self.board.facts


def choose_act(me: Seated, move: Move) -> Act | None:
    """Return what a move comes to: the first possible plan, else the first card to discard; None if nothing.

    Source: rulebook, "Course of the game": who cannot or will not place a piece throws one card away.
    """
    for plan in move.plans:
        for country in countries_of(me.facts, plan):
            found = try_plan(me, plan, country)
            if isinstance(found, Placed):
                return found
    return choose_discard(me.hand, move.discard)


def countries_of(facts: Facts, plan: Plan) -> Iterator[Country]:
    """Yield the countries of a plan in the order of preference; `any` stands for all, in scoring order."""
    for name in plan.countries:
        if name == ANY:
            yield from facts.lands
        else:
            yield Country(name)


def try_plan(me: Seated, plan: Plan, country: Country) -> Placed | Obstacle:
    """Return the placement that a plan comes to in a country, or what is in the way."""
    pieces = fit_pieces(me.board, me.seat, country, plan.pieces)
    if isinstance(pieces, Obstacle):
        return pieces
    pay = None if plan.pay is None else tuple(map(Card, plan.pay))
    possible = payments(me.facts, me.hand, country, len(pieces))
    if text := why_unpaid(me.facts, me.hand, country, len(pieces), pay, possible):
        return Obstacle(text)
    return Placed(country, pieces, possible[0] if pay is None else me.facts.in_order(pay))


def choose_discard(hand: tuple[Card, ...], wanted: tuple[str, ...]) -> Discarded | None:
    """Return the first card of a preference that the hand holds; `any` is one with the fewest like it."""
    for name in wanted:
        if name == ANY and hand:
            return Discarded(min(hand, key=hand.count))
        if name in hand:
            return Discarded(Card(name))
    return None
