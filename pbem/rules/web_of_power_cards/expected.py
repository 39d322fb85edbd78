"""The table as a seat may find it at its next turn, if the others take what brings them much."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.ruled import next_to
from pbem.rules.web_of_power_cards import bots
from pbem.rules.web_of_power_cards.bots.greedy import Thought, Weights
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.moves import read_move
from pbem.rules.web_of_power_cards.result import Done
from pbem.rules.web_of_power_cards.sight import build_view
from pbem.rules.web_of_power_cards.state import MINUS, Move, Player, State, Take
from pbem.rules.web_of_power_cards.turn import carry_out
from pbem.rules.web_of_power_cards.view import View

OTHERS = 5
"""So many hauls are thought of that another seat may take instead of the best."""


def expected_view(facts: Facts, view: View, me: Seat, now: Move | None) -> View:
    """Return what a seat expects to see at its next turn; law cards that nobody knows help nobody."""
    return _played_on(facts, view, me, now, _begin(view, me), None)


def possible_views(facts: Facts, view: View, me: Seat, now: Move | None, number: int) -> tuple[View, ...]:
    """Return what a seat may see at its next turn: other law cards turn up, and the others take other cards.

    The same view gives the same ones, and they differ only in what the seat cannot know.
    """
    every = (Dice(b"possible", one) for one in range(number))
    return tuple(
        _played_on(facts, view, me, now, _dealt(_begin(view, me), view, me, dice), dice) for dice in every
    )


def _played_on(facts: Facts, view: View, me: Seat, now: Move | None, state: State, dice: Dice | None) -> View:
    """Return what a seat sees at its next turn; with dice the others do not always take the best."""
    seats, first = tuple(state.players), True
    while first or state.to_move != me:
        if state.to_move == me and isinstance(now, Take):
            state = _after(state, try_out(facts, build_view(facts, state, me, is_over=False), me, now))
        elif state.to_move != me and any(view.cards[card].depth is not None for card in view.cards):
            looks = build_view(facts, state, state.to_move, is_over=False)
            move = read_move(_answer(facts, looks, state.to_move, dice))
            if isinstance(move, Take):
                mine = state.players[state.to_move].laws
                done = carry_out(facts, looks.table(), state.to_move, mine, state.laws, move)
                state = _after(state, done)
        first, state = False, replace(state, to_move=next_to(seats, state.to_move))
    return build_view(facts, state, me, is_over=False)


def _answer(facts: Facts, looks: View, seat: Seat, dice: Dice | None) -> Json:
    """Return what another seat does: what is best for it, or with dice every second time something else."""
    if dice is None or dice.below(2, f"other {seat}"):
        return bots.suggest(facts, looks, dice or Dice(b"expected", 0), "greedy")
    thought = Thought(facts, looks, seat, Weights())
    hauls = sorted(list_hauls(facts, looks), key=thought.worth, reverse=True)[:OTHERS]
    return thought.best([dice.pick(hauls, f"which {seat}")], dice) if hauls else {"skip": True}


def _dealt(state: State, view: View, me: Seat, dice: Dice) -> State:
    """Return the game with the law cards dealt that the seat does not know."""
    hidden = [law for law, number in view.unseen.items() for _ in range(number)]
    dealt = list(dice.shuffled(tuple(hidden), "laws"))
    laws = {card: dealt.pop() for card in sorted(state.laws)}
    players = {
        seat: player
        if seat == me
        else replace(player, laws=tuple(dealt.pop() for _ in range(view.players[seat].laws)))
        for seat, player in state.players.items()
    }
    return replace(state, laws=laws, players=players)


def _begin(view: View, me: Seat) -> State:
    """Return the game as far as it lies open."""
    cards, width, table = [*view.cards], view.numbers.columns, view.table()
    assert view.to_move is not None, "somebody is on turn"
    return State(
        to_move=view.to_move,
        layout=tuple(tuple(cards[start : start + width]) for start in range(0, len(cards), width)),
        laws=dict.fromkeys(sorted(table.covered), MINUS),
        stones=table.stones,
        players={
            seat: Player(
                side.cards, view.laws if seat == me else (), side.reserve, side.removed, side.asks, ()
            )
            for seat, side in view.players.items()
        },
        played=view.played,
        skips=0,
        own_claim_free=view.numbers.own_claim_free,
    )


def _after(state: State, done: Done) -> State:
    """Return the game after what the seat on turn did."""
    players = {
        seat: replace(
            player, reserve=done.table.stocks[seat].reserve, removed=done.table.stocks[seat].removed
        )
        for seat, player in state.players.items()
    }
    mine = players[state.to_move]
    players[state.to_move] = replace(mine, cards=(*mine.cards, *done.taken), laws=done.laws)
    laws = {card: law for card, law in state.laws.items() if card in done.table.covered}
    return replace(state, laws=laws, stones=done.table.stones, players=players)
