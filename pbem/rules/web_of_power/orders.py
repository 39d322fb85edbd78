"""Orders as players write them, as moves, and what they come to: `{place: {pieces: [mainz, advisor]}}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Facts, plain
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments, why_unpaid
from pbem.rules.web_of_power.state import ANY, PILE, Act, Card, Country, Discarded, Move, Placed, Plan


def read_move(facts: Facts, order: Json) -> Move:
    """Return an order as a move; the order fits the orders schema. Names that nothing has stay as written."""
    fields = order if isinstance(order, dict) else {}
    return Move(
        plans=tuple(_read_plan(facts, one) for one in as_list(fields.get("place", []))),
        discard=_named(facts.card_names, fields.get("discard", [])),
        draw=tuple(_named(facts.card_names, entry) for entry in as_list(fields.get("draw", []))),
    )


def _read_plan(facts: Facts, plan: Any) -> Plan:
    """Return one plan; without a country it is that of the first site it names."""
    pieces = tuple(_named(facts.site_names, words) for words in as_list(plan.get("pieces", [])))
    countries = _named(facts.country_names, plan.get("country", []))
    if not countries:
        sites = (facts.home[word] for words in pieces for word in words if word in facts.home)  # type: ignore[index]
        countries = tuple(sites)[:1]
    pay = _named(facts.card_names, plan["pay"]) if "pay" in plan else None
    return Plan(countries, pieces, pay)


def _named(names: Mapping[str, str], words: Any) -> tuple[str, ...]:
    return tuple(names.get(plain(str(word)), str(word)) for word in as_list(words))


def write_move(move: Move) -> dict[str, Json]:
    """Return a move as an order."""
    parts: dict[str, Json] = {
        "place": _short([_write_plan(plan) for plan in move.plans]),
        "discard": _short(move.discard),
        "draw": [_short(entry) for entry in move.draw],
    }
    return {name: part for name, part in parts.items() if part}


def renew(order: Json, version: int) -> Json:
    """Return an order as it is meant since version 2: before, a list was of preferences for every card.

    Where nothing on the list could be had, it was the pile.

    Args:
        order: An order that fits the schema.
        version: The version of the rules under which it was written.
    """
    draw = as_list(order.get("draw", [])) if isinstance(order, dict) else []
    if version >= 2 or not isinstance(order, dict) or any(isinstance(entry, list) for entry in draw):
        return order
    words = [*draw, *([] if PILE in draw or not draw else [PILE])]
    return {**order, "draw": [list[Json](words)]} if len(words) > 1 else order


def _write_plan(plan: Plan) -> dict[str, Json]:
    pieces: list[Json] = [_short(words) for words in plan.pieces]
    pay: dict[str, Json] = {} if plan.pay is None else {"pay": list[Json](plan.pay)}
    return {"country": _short(plan.countries), "pieces": pieces, **pay}


def _short(words: Sequence[Json]) -> Json:
    return words[0] if len(words) == 1 else list[Json](words)


def move_of(act: Act, draw: Iterable[str] = (), *, says_pay: bool = False) -> Move:
    """Return the move that orders just this act, and one thing to draw for each missing card."""
    entries = tuple((word,) for word in draw)
    if isinstance(act, Discarded):
        return Move((), (act.card,), entries)
    pay = act.cards if says_pay else None
    plan = Plan((act.country,), tuple((piece,) for piece in act.pieces), pay)
    return Move((plan,), (), entries)


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
    for place in places_of(me.facts, move.plans):
        found = try_plan(me, *place)
        if isinstance(found, Placed):
            return found
    return choose_discard(me.hand, move.discard)


def places_of(facts: Facts, plans: Iterable[Plan]) -> Iterator[tuple[Plan, Country]]:
    """Yield plans with each of their countries, in the order in which they are tried."""
    return ((plan, country) for plan in plans for country in countries_of(facts, plan))


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
    if cards := price_of(me.facts, me.hand, plan, country):
        return Placed(country, pieces, cards)
    return Obstacle(why_unpaid(me.facts, me.hand, country, len(pieces), plan.pay))


def price_of(facts: Facts, hand: tuple[Card, ...], plan: Plan, country: Country) -> tuple[Card, ...]:
    """Return the cards of a hand that pay for a plan in a country; none if it cannot be paid."""
    possible = payments(facts, hand, country, len(plan.pieces))
    if plan.pay is None:
        return possible[0] if possible else ()
    cards = facts.in_order(map(Card, plan.pay))
    return cards if cards in possible else ()


def choose_discard(hand: tuple[Card, ...], wanted: tuple[str, ...]) -> Discarded | None:
    """Return the first card of a preference that the hand holds; `any` is one with the fewest like it."""
    for name in wanted:
        if name == ANY and hand:
            return Discarded(min(hand, key=hand.count))
        if name in hand:
            return Discarded(Card(name))
    return None
