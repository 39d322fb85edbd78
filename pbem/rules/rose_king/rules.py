"""The Rose King, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Json, Outcome, Step
from pbem.rules.kit.ranking import without
from pbem.rules.kit.ruled import Ahead, Parts, RuledAhead, changed, kinds_in, label_after
from pbem.rules.rose_king import bots, events, forecast, foresight, planning, wording
from pbem.rules.rose_king.check import check_move, list_choices
from pbem.rules.rose_king.conditions import conditions_in
from pbem.rules.rose_king.facts import Facts, load_facts
from pbem.rules.rose_king.moves import moves_of, read_move, spell, why_over, write_move
from pbem.rules.rose_king.scoring import change, decide, find_lands, points_of, territories
from pbem.rules.rose_king.state import RED, SEATS, Draw, Move, Play, Player, State, opponent
from pbem.rules.rose_king.view import View, build_view, legal_orders


def redeal(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the same game with the pile in another order: nobody knows more than its cards."""
    return replace(state, pile=dice.shuffled(state.pile, "redeal"))


class RoseKing(RuledAhead[Facts, State, View, Move]):
    """The rules, built from their facts."""

    name = "rose-king"
    version = 1
    state: type[State] = State
    event_kinds = kinds_in(events)
    parts = Parts(
        facts=load_facts,
        wording=wording.wording,
        view=build_view,
        read=lambda _, order: read_move(order),
        check=check_move,
        choices=list_choices,
        forecast=forecast.forecast,
        suggest=bots.suggest,
        draft=wording.draft,
        redeal=redeal,
        conditions=conditions_in,
    )
    ahead = Ahead(seats=SEATS, horizon=foresight.horizon, foresee=foresight.foresee, plan=planning.plan)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Deal the hands and put the crown on the centre, which stays empty.

        Source: manual page 2, "Preparing the Game"; the common pool is the shipped option `own_tokens: 0`.
        """
        if seats != SEATS:
            raise ValueError(f"expected the seats red and white, got {', '.join(seats)}")
        option = options.get("own_tokens", 0)
        own = option if isinstance(option, int) and option > 0 else None
        cards, limit = dice.shuffled(self.facts.deck, "deal"), self.facts.hand_limit
        hands = dict(zip(seats, (cards[:limit], cards[limit : 2 * limit]), strict=True))
        return State(
            to_move=RED,
            crown=self.facts.crown_start,
            tokens={},
            players={
                seat: Player(self.facts.in_order(hand), self.facts.heroes, 0, own, turned=False)
                for seat, hand in hands.items()
            },
            pile=cards[2 * limit :],
            discards=(),
            supply=self.facts.tokens if own is None else None,
        )

    def ask(self, state: State) -> Ask | Outcome:
        """Ask the seat on turn; let it skip if nothing is possible; or tell how the game ended.

        Source: manual page 2, "Playing the Game": red starts, then alternately.
        """
        if (reason := why_over(self.facts, state)) is not None:
            return self._score(state, reason)
        seat = state.to_move
        label = label_after(seat, state.players[seat].asks)
        if not moves_of(self.facts, state, seat):
            return Ask("skip", label, frozenset())
        return Ask("move", label, frozenset({seat}))

    def hold(self, view: View) -> Json:
        """Return the draw as a silent seat's order, or None with a full hand."""
        return write_move(Draw()) if Draw() in legal_orders(self.facts, view) else None

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the move of the seat on turn, or its skip.

        Raises:
            ValueError: The move is not legal here, or a skip was asked for though a move is.

        Source: manual page 2, "A Turn": exactly one of three.
        """
        seat = state.to_move
        legal = moves_of(self.facts, state, seat)
        if not moves and not legal:
            return self._skip(state)
        move = moves.get(seat)
        if move is None or move not in legal:
            expected = " or ".join(spell(one) for one in legal)
            raise ValueError(f"expected {expected} from {seat}, got {dict(moves)}")
        if isinstance(move, Draw):
            return self._draw_card(state, dice)
        return self._play_hero(state, move) if move.hero else self._play_card(state, move)

    def _play_card(self, state: State, move: Play) -> Step[State]:
        """Move the crown to an empty square and place a token there.

        Source: manual page 2, "Playing a power card".
        """
        seat, pools = state.to_move, (state.players[state.to_move].tokens, state.supply)
        own, supply = (None if left is None else left - 1 for left in pools)
        after = self._with_token(replace(state, supply=supply), move, tokens=own)
        square, left, points = after.crown, own if own is not None else supply or 0, self._points(after)
        placed = events.TokenPlaced(seat=seat, square=square, tokens_left=left, points=points, to=ALL)
        return self._played(state, move, after, placed)

    def _draw_card(self, state: State, dice: Dice) -> Step[State]:
        """Draw the top card; an empty pile is made anew from the discards, and only now.

        Source: manual page 2, "Drawing a power card"; katai.at for the reshuffle.
        """
        seat, pile, discards = state.to_move, state.pile, state.discards
        told: list[Event] = []
        if not pile:
            pile, discards = dice.shuffled(discards, "reshuffle"), ()
            told.append(events.PileReshuffled(cards=len(pile), to=ALL))
        card, *rest = pile
        told.append(events.CardDrawn(seat=seat, card=card, pile=len(rest), to=ALL))
        hand = self.facts.in_order((*state.players[seat].hand, card))
        players = changed(state.players, seat, hand=hand)
        after = replace(state, players=players, pile=tuple(rest), discards=discards)
        return Step(_pass_on(after, turned=False), tuple(told))

    def _play_hero(self, state: State, move: Play) -> Step[State]:
        """Move the crown to a square of the opponent and turn over its token; the hero is used up.

        Source: rulebook, "Playing a hero card with a power card". No token leaves the pool.
        """
        seat, left = state.to_move, state.players[state.to_move].heroes - 1
        after = self._with_token(state, move, heroes=left)
        foe, square, points = opponent(seat), after.crown, self._points(after)
        turned = events.TokenTurned(
            seat=seat, loser=foe, square=square, heroes_left=left, points=points, to=ALL
        )
        return self._played(state, move, after, turned)

    def _skip(self, state: State) -> Step[State]:
        """Pass the turn of a seat that holds a full hand and can play nothing.

        Source: manual page 2, "A Turn": it skips until it can move again, and the other goes on.
        """
        return Step(_pass_on(state, turned=False), (events.TurnSkipped(seat=state.to_move, to=ALL),))

    def _score(self, state: State, reason: str) -> Outcome:
        """Add up the territories and name the winner.

        Source: rulebook, "Ending the Game".
        """
        winners, decided_by = decide(territories(self.facts, state.tokens))
        return Outcome(reason, winners, self._points(state), decided_by)

    def _with_token(self, state: State, move: Play, **changes: int | None) -> State:
        """Return the state with a card played, the crown moved and a token of the seat to move there.

        Args:
            state: The state before.
            move: The card, which is legal.
            changes: What else changes of what lies before the seat.
        """
        seat, square = state.to_move, self.facts.leaps[state.crown][move.card]
        hand = without(state.players[seat].hand, (move.card,))
        return replace(
            state,
            crown=square,
            tokens={**state.tokens, square: seat},
            players=changed(state.players, seat, hand=hand, **changes),
            discards=(*state.discards, move.card),
        )

    def _played(self, before: State, move: Play, after: State, token: Event) -> Step[State]:
        """Return the step of a card that was played: the way of the crown, the token and the territories."""
        seat, start, end = before.to_move, before.crown, after.crown
        played = events.CardPlayed(seat=seat, card=move.card, crown_from=start, crown_to=end, to=ALL)
        lands = find_lands(self.facts, before.tokens)
        shapes = events.reshaped(seat, change(self.facts, before.tokens, lands, seat, end))
        return Step(_pass_on(after, turned=move.hero), (played, token, *shapes))

    def _points(self, state: State) -> Mapping[Seat, int]:
        return {seat: points_of(own) for seat, own in territories(self.facts, state.tokens).items()}


load = RoseKing.load


def _pass_on(state: State, *, turned: bool) -> State:
    """Return the state with the turn of the seat to move counted and the other seat to move."""
    seat, asks = state.to_move, state.players[state.to_move].asks + 1
    players = changed(state.players, seat, asks=asks, turned=turned)
    return replace(state, to_move=opponent(seat), players=players)
