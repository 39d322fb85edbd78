"""How a view is made from the state: field by field, from what lies open and the seat's own law cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain

from pbem.core.events import Seat
from pbem.rules.kit.later import Later
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.scoring import Column, count_lands, count_routes, fill_chart
from pbem.rules.web_of_power_cards.state import LAWS, Card, State, seated
from pbem.rules.web_of_power_cards.stones import most_on_cards
from pbem.rules.web_of_power_cards.table import Stock, Table
from pbem.rules.web_of_power_cards.taking import ends, takeable
from pbem.rules.web_of_power_cards.view import ON_TABLE, Lying, Numbers, Place, Side, Sitting, View


def lay_out(state: State) -> Table:
    """Return what lies open in a state."""
    gone = {card for player in state.players.values() for card in player.cards}
    return Table(
        rows=tuple(tuple([card for card in row if card not in gone]) for row in state.layout),
        covered=frozenset(state.laws),
        stones=state.stones,
        stocks={seat: Stock(player.reserve, player.removed) for seat, player in state.players.items()},
        own_claim_free=state.own_claim_free,
    )


def build_view(facts: Facts, state: State, seat: Seat | None, *, is_over: bool) -> View:
    """Return everything a seat may know of a state, field by field.

    Source: rulebook, "Taking a Land card covered by a Law card": law cards lie face down, and only their seat
    looks at them. All else lies open.
    """
    table, to_move = lay_out(state), None if is_over else state.to_move
    mine = state.players[seat] if seat is not None else None
    laws = mine.laws if mine is not None else ()
    seats = seated(state.players)
    known = {one: state.players[one].laws if is_over or one == seat else None for one in seats}
    held = {one: state.players[one].cards for one in seats}
    chart = Later(lambda: fill_chart(facts, held, known))
    seen = [*state.played, *(law for laws_known in known.values() for law in laws_known or ())]
    return View(
        me=seat,
        to_move=to_move,
        left=len(table.cards),
        ends=ends(table.rows),
        can_take=takeable(facts, table.scene(seat)) if seat is not None else (),
        laws=laws,
        lost=mine.lost if mine is not None else (),
        lost_claim=mine is not None and bool(mine.lost),
        cards=_places(facts, state, table),
        players=_sides(facts, state, table, chart, is_over=is_over),
        chart=chart,
        unseen={law: facts.laws.count(law) - seen.count(law) for law in LAWS},
        **same_fields(state, "played", "skips"),
        **same_fields(facts, "countries", "names", "law_names"),
        numbers=Numbers(
            **same_fields(facts, "columns", "limit", "limit_with_law", "chain", "penalty"),
            most_on_cards=most_on_cards(facts, len(seats)),
            own_claim_free=state.own_claim_free,
        ),
    )


def _places(facts: Facts, state: State, table: Table) -> Lying:
    """Return every land card with where it is, in the order of the layout."""
    holders = {card: str(seat) for seat, player in state.players.items() for card in player.cards}
    depths = Later(table.depths)

    def place(card: Card) -> Place:
        land = facts.lands[card]
        return Place(
            land.country,
            land.symbol,
            land.symbols,
            land.route,
            holder=holders.get(card, ON_TABLE),
            depth=depths.get(card),
            stone=table.stones.get(card),
            law=card in table.covered,
        )

    return Lying(table, dict.fromkeys(chain.from_iterable(state.layout)), place)


def _sides(
    facts: Facts, state: State, table: Table, chart: Mapping[Seat, Column], *, is_over: bool
) -> Sitting:
    """Return what everybody sees of each seat; of its law cards how many, and when the game is over which."""
    held = {seat: state.players[seat].cards for seat in seated(state.players)}
    begun = {
        seat: partial(
            Side,
            **same_fields(player, "cards", "lost"),
            laws=len(player.laws),
            shown=player.laws if is_over else (),
            asks=player.asks + (seat == state.to_move and not is_over),
        )
        for seat, player in state.players.items()
    }

    def side(seat: Seat) -> Side:
        return begun[seat](
            points=chart[seat].total,
            lands=count_lands(facts, held[seat]),
            routes=count_routes(facts, held[seat]),
            stones=table.lying(seat),
            reserve=table.stocks[seat].reserve,
            removed=table.stocks[seat].removed,
        )

    return Sitting(held, side)
