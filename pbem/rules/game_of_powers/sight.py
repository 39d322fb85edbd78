"""How a view is made from the state: field by field, from what the seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.events import Seat
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.hands import known_to
from pbem.rules.game_of_powers.orders import wish_in_words
from pbem.rules.game_of_powers.scoring import bonuses, open_points
from pbem.rules.game_of_powers.state import Card, Deal, Player, State
from pbem.rules.game_of_powers.tasks import lacking
from pbem.rules.game_of_powers.view import Port, Side, Table, View


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
    bonus = bonuses(facts, {one: _assets(player) for one, player in state.players.items()})
    players = {one: _side(facts, state, one, seat, bonus[one], asked) for one in state.order}
    me = state.players[seat] if seat is not None else None
    hand = facts.in_order(me.hand) if me is not None else ()
    fields = {section: facts.in_order(state.fields[section]) for section in facts.sections}
    known = (card for side in players.values() for card in side.known)
    offer = state.offer
    return View(
        me=seat,
        asked=asked,
        kind=kind,
        to_move=state.to_move,
        partner=offer.partner if offer is not None else None,
        order=state.order,
        players=players,
        cities={
            city: Port(
                harbour.name,
                harbour.section,
                harbour.is_site,
                {one: state.stock[city][one] for one in facts.types},
                tuple(one for one in state.order if state.players[one].city == city),
            )
            for city, harbour in facts.cities.items()
        },
        fields=fields,
        tasks={task: state.tasks[task] for task in facts.tasks if task in state.tasks},
        names={name: task.name for name, task in facts.tasks.items() if name in state.tasks},
        hand=hand,
        tokens={one: me.tokens[one] for one in facts.types} if me is not None else {},
        shown=_shown(facts, state, me),
        trade=_table(facts, state, seat),
        cards=_faces(facts, (*hand, *(card for cards in fields.values() for card in cards), *known)),
        pool={one: state.pool[one] for one in facts.types},
        pile=len(state.pile) + len(state.under),
        under=state.under,
        box=state.box,
        may_trade=state.may_trade,
        limits=_limits(facts),
        last_round=state.is_last,
        traded=me is not None and me.traded,
        task_taken=me is not None and me.beaten,
    )


def _limits(facts: Facts) -> Mapping[str, int]:
    """Return the numbers of the rules that a report tells."""
    names = ("hand_limit", "token_limit", "free_spaces", "taken_tokens", "taken_cards", "first_card")
    return {name: getattr(facts, name) for name in (*names, "next_cards", "alone", "shared")}


def _assets(player: Player) -> int:
    """Return how many unplayed cards and tokens a player has."""
    return len(player.hand) + total(player.tokens)


def _side(
    facts: Facts, state: State, seat: Seat, viewer: Seat | None, bonus: int, asked: Seat | None
) -> Side:
    player = state.players[seat]
    counts = {by: facts.count_by(player.played, by) for by in ("site", "category")}
    on_turn = seat == state.to_move and asked is not None
    return Side(
        city=player.city,
        direction=player.direction,
        ahead=facts.ahead(player.city, player.direction) if player.city is not None else None,
        hand=len(player.hand),
        known=known_to(player, viewer) if viewer != seat else (),
        tokens={one: player.tokens[one] for one in facts.types},
        held=total(player.tokens),
        played=player.played,
        sites=counts["site"],
        categories=counts["category"],
        tasks={task: player.tasks[task] for task in facts.tasks if task in player.tasks},
        lacking={
            name: lacking(task, counts[task.by])
            for name, task in facts.tasks.items()
            if name in state.tasks and name not in player.tasks
        },
        points=open_points(facts, player),
        bonus=bonus,
        asks=player.asks + on_turn,
        traded=player.traded,
        task_taken=player.beaten,
    )


def _shown(facts: Facts, state: State, me: Player | None) -> Mapping[Card, tuple[Seat, ...]]:
    """Return who knows which cards of the viewer's hand."""
    if me is None:
        return {}
    rivals = [one for one in state.order if state.players[one] is not me]
    seen = {card: tuple(one for one in rivals if card in known_to(me, one)) for card in me.hand}
    return {card: seats for card, seats in seen.items() if seats}


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
        gets={one: gets[0][one] for one in facts.types},
        gets_cards=gets[1],
        gives={one: gives[0][one] for one in facts.types},
        gives_cards=gives[1],
        deal=_in_order(facts, deal),
        first=_in_order(facts, offer.deal) if offer.counter is not None else None,
    )


def _in_order(facts: Facts, deal: Deal) -> Deal:
    """Return a deal with its tokens in the order of the types; a saved game has them sorted."""
    give, want = deal.give, deal.want
    return Deal(
        replace(give, tokens={one: give.tokens[one] for one in facts.types}),
        replace(want, tokens={one: want.tokens[one] for one in facts.types}),
    )


def _faces(facts: Facts, cards: tuple[Card, ...]) -> Mapping[Card, str]:
    return {card: facts.line(card) for card in facts.in_order(set(cards))}
