"""The table as a seat expects to find it at its next turn, if the others take what brings them most."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.kit.ruled import next_to
from pbem.rules.web_of_power_cards import bots
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.moves import read_move
from pbem.rules.web_of_power_cards.result import Done
from pbem.rules.web_of_power_cards.sight import build_view
from pbem.rules.web_of_power_cards.state import MINUS, Move, Player, State, Take
from pbem.rules.web_of_power_cards.view import View


def expected_view(facts: Facts, view: View, me: Seat, now: Move | None) -> View:
    """Return what a seat expects to see at its next turn; law cards that nobody knows help nobody."""
    state = _begin(view, me)
    seats, first = tuple(state.players), True
    while first or state.to_move != me:
        if state.to_move == me and isinstance(now, Take):
            state = _after(state, try_out(facts, build_view(facts, state, me, is_over=False), me, now))
        elif state.to_move != me and any(view.cards[card].depth is not None for card in view.cards):
            looks = build_view(facts, state, state.to_move, is_over=False)
            move = read_move(bots.suggest(facts, looks, Dice(b"expected", 0), "greedy"))
            if isinstance(move, Take):
                state = _after(state, try_out(facts, looks, state.to_move, move))
        first, state = False, replace(state, to_move=next_to(seats, state.to_move))
    return build_view(facts, state, me, is_over=False)


def _begin(view: View, me: Seat) -> State:
    """Return the game as far as it lies open."""
    cards, width, table = [*view.cards], view.numbers.columns, view.table()
    assert view.to_move is not None, "somebody is on turn"
    return State(
        to_move=view.to_move,
        layout=tuple(tuple(cards[start : start + width]) for start in range(0, len(cards), width)),
        laws=dict.fromkeys(table.covered, MINUS),
        stones=table.stones,
        players={
            seat: Player(one.cards, view.laws if seat == me else (), one.reserve, one.removed, one.asks, ())
            for seat, one in view.players.items()
        },
        played=view.played,
        skips=0,
        own_claim_free=view.numbers.own_claim_free,
    )


def _after(state: State, done: Done) -> State:
    """Return the game after what the seat on turn did."""
    players = {
        seat: replace(state.players[seat], reserve=stock.reserve, removed=stock.removed)
        for seat, stock in done.table.stocks.items()
    }
    mine = players[state.to_move]
    players[state.to_move] = replace(mine, cards=(*mine.cards, *done.taken), laws=done.laws)
    laws = {card: law for card, law in state.laws.items() if card in done.table.covered}
    return replace(state, laws=laws, stones=done.table.stones, players=players)
