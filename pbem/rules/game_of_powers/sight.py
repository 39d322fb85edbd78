"""How a view is made from the state: field by field, from what the seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from pbem.core.events import Seat
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.hands import known_to, seen_by
from pbem.rules.game_of_powers.orders import wish_in_words
from pbem.rules.game_of_powers.scoring import bonuses, open_points
from pbem.rules.game_of_powers.state import Card, City, Deal, Player, Section, State
from pbem.rules.game_of_powers.tasks import lacking
from pbem.rules.game_of_powers.view import Port, Side, Table, View
from pbem.rules.kit.later import Later, LaterByKey
from pbem.rules.kit.tables import in_order_of, same_fields


def asked_for(state: State) -> tuple[str, Seat | None]:
    """Return what is asked for, in a word, and of whom."""
    if state.is_over:
        return "over", None
    if state.offer is not None:
        return ("trade", state.offer.partner) if state.offer.counter is None else ("counter", state.to_move)
    return ("start city" if state.mover.city is None else "move"), state.to_move


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field.

    Source: ruling: cards taken in the open were seen by all; of an offer only the two know what is in it.
    """
    kind, asked = asked_for(state)
    me = state.players[seat] if seat is not None else None
    hand = facts.in_order(me.hand) if me is not None else ()
    lying, offer = state.fields, state.offer
    fields = LaterByKey(facts.sections, lambda section: facts.in_order(lying[section]))
    players = _sides(facts, state, seat, asked)
    return View(
        me=seat,
        asked=asked,
        kind=kind,
        **same_fields(state, "to_move", "order", "under", "box", "may_trade"),
        partner=offer.partner if offer is not None else None,
        players=players,
        cities=_ports(facts, state),
        fields=fields,
        tasks=in_order_of(facts.tasks, state.tasks),
        names={name: facts.names[name] for name in facts.tasks if name in state.tasks},
        hand=hand,
        tokens=in_order_of(facts.types, me.tokens) if me is not None else {},
        shown=_shown(state.order, seat, me),
        trade=_table(facts, state, seat),
        cards=Later(lambda: _faces(facts, hand, fields, players)),
        pool=in_order_of(facts.types, state.pool),
        pile=len(state.pile) + len(state.under),
        limits=_limits(facts),
        last_round=state.is_last,
        traded=me is not None and me.traded,
        task_taken=me is not None and me.beaten,
    )


def _limits(facts: Facts) -> Mapping[str, int]:
    """Return the numbers of the rules that a report tells."""
    names = ("hand_limit", "token_limit", "free_spaces", "taken_tokens", "taken_cards", "first_card")
    return same_fields(facts, *names, "next_cards", "seats_to_box", "alone", "shared")


def _ports(facts: Facts, state: State) -> Mapping[City, Port]:
    """Return the cities clockwise, with the tokens and ships that are there."""
    stock, berths = state.stock, [(one, state.players[one].city) for one in state.order]

    def port(city: City) -> Port:
        harbour = facts.cities[city]
        return Port(
            harbour.name,
            harbour.section,
            harbour.is_site,
            in_order_of(facts.types, stock[city]),
            tuple(seat for seat, berth in berths if berth == city),
        )

    return LaterByKey(facts.cities, port)


def _sides(facts: Facts, state: State, viewer: Seat | None, asked: Seat | None) -> Mapping[Seat, Side]:
    """Return each seat as the viewer knows it; of the hands of others only what it has seen.

    What is counted is counted when it is read, from values alone: a player, even without its hand, is a part
    of the state, to which no view may lead.
    """
    unplayed = {one: len(player.hand) + total(player.tokens) for one, player in state.players.items()}
    bonus = Later(lambda: bonuses(facts, unplayed))
    begun = {seat: _begin_side(facts, state, seat, viewer, asked) for seat in state.order}
    earned = {seat: (player.played, player.tasks) for seat, player in state.players.items()}
    start_points = {seat: player.start_points for seat, player in state.players.items()}
    tasks = tuple(task for task in facts.tasks if task in state.tasks)

    def side(seat: Seat) -> Side:
        played, collected = earned[seat]
        counts = {by: Later(partial(facts.count_by, played, by)) for by in ("site", "category")}
        left = tuple(task for task in tasks if task not in collected)
        return begun[seat](
            sites=counts["site"],
            categories=counts["category"],
            lacking=LaterByKey(left, lambda task: lacking(facts.tasks[task], counts[facts.tasks[task].by])),
            points=open_points(facts, played, collected) + start_points[seat],
            bonus=bonus[seat],
        )

    return LaterByKey(state.order, side)


def _begin_side(
    facts: Facts, state: State, seat: Seat, viewer: Seat | None, asked: Seat | None
) -> partial[Side]:
    """Return a seat as the viewer knows it, but for what has to be counted."""
    player = state.players[seat]
    return partial(
        Side,
        **same_fields(player, "city", "direction", "played", "start_points", "traded"),
        ahead=facts.ahead(player.city, player.direction) if player.city is not None else None,
        hand=len(player.hand),
        known=known_to(player, viewer) if viewer != seat else (),
        tokens=in_order_of(facts.types, player.tokens),
        held=total(player.tokens),
        tasks=in_order_of(facts.tasks, player.tasks),
        asks=player.asks + (seat == state.to_move and asked is not None),
        task_taken=player.beaten,
    )


def _shown(order: tuple[Seat, ...], seat: Seat | None, me: Player | None) -> Mapping[Card, tuple[Seat, ...]]:
    """Return who knows which cards of the viewer's hand."""
    if me is None:
        return {}

    hand, known = me.hand, {one: seen_by(me, one) for one in order if one != seat}

    def seen() -> dict[Card, tuple[Seat, ...]]:
        shown = {card: tuple(one for one in known if card in known[one]) for card in hand}
        return {card: seats for card, seats in shown.items() if seats}

    return Later(seen)


def _table(facts: Facts, state: State, seat: Seat | None) -> Table | None:
    """Return the offer on the table for one of its two sides; for all others there is none to see."""
    offer = state.offer
    if offer is None or seat not in (state.to_move, offer.partner):
        return None
    by = state.to_move if offer.counter is None else offer.partner
    deal = offer.counter if offer.counter is not None else offer.deal
    given = (deal.give.tokens, tuple(facts.title(card) for card in deal.give.cards))
    wanted = (deal.want.tokens, tuple(wish_in_words(facts, wish) for wish in deal.want.cards))
    gets, gives = (wanted, given) if seat == by else (given, wanted)
    return Table(
        by=by,
        gets=in_order_of(facts.types, gets[0]),
        gets_cards=gets[1],
        gives=in_order_of(facts.types, gives[0]),
        gives_cards=gives[1],
        deal=_in_order(facts, deal),
        first=_in_order(facts, offer.deal) if offer.counter is not None else None,
    )


def _in_order(facts: Facts, deal: Deal) -> Deal:
    """Return a deal with its tokens in the order of the types; a saved game has them sorted."""
    give, want = deal.give, deal.want
    return Deal(
        replace(give, tokens=in_order_of(facts.types, give.tokens)),
        replace(want, tokens=in_order_of(facts.types, want.tokens)),
    )


def _faces(
    facts: Facts,
    hand: tuple[Card, ...],
    fields: Mapping[Section, tuple[Card, ...]],
    players: Mapping[Seat, Side],
) -> Mapping[Card, str]:
    """Return what is printed on the cards in hand, in the open fields, and known in other hands."""
    known = (card for side in players.values() for card in side.known)
    cards = {*hand, *chain.from_iterable(fields.values()), *known}
    return {card: facts.line(card) for card in facts.in_order(cards)}
