"""Web of Power, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome, Step
from pbem.rules.kit.ranking import without
from pbem.rules.kit.ruled import Ahead, Parts, RuledAhead, kinds_in, label_after
from pbem.rules.web_of_power import bots, events, forecast, foresight, wording
from pbem.rules.web_of_power.board import board_of
from pbem.rules.web_of_power.check import check_move, misnamed_before_deal
from pbem.rules.web_of_power.choices import list_choices
from pbem.rules.web_of_power.conditions import conditions_in
from pbem.rules.web_of_power.course import Course, carry_out
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated, choose_act, read_move
from pbem.rules.web_of_power.plan import plan_ahead
from pbem.rules.web_of_power.scoring import decide
from pbem.rules.web_of_power.state import ANY, SEATS, Move, Player, State
from pbem.rules.web_of_power.tables import load_facts
from pbem.rules.web_of_power.view import View, build_view


def redeal(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return the same game with the hidden cards of the other hands and of the pile in another order.

    Cards that all saw a seat take from the open ones stay in its hand.
    """
    others = {other: player for other, player in state.players.items() if other != seat}
    secret = {other: without(player.hand, player.known) for other, player in others.items()}
    cards = dice.shuffled(facts.in_order(chain(*secret.values(), state.pile)), "redeal")
    players = dict(state.players)
    for other, player in others.items():
        count = len(secret[other])
        dealt, cards = cards[:count], cards[count:]
        players[other] = replace(player, hand=facts.in_order((*player.known, *dealt)))
    return replace(state, players=players, pile=cards)


class WebOfPower(RuledAhead[Facts, State, View, Move]):
    """The rules, built from their facts."""

    name = "web-of-power"
    version = 2
    state: type[State] = State
    event_kinds = kinds_in(events)
    parts = Parts(
        facts=load_facts,
        wording=wording.wording,
        view=build_view,
        read=read_move,
        check=check_move,
        choices=list_choices,
        forecast=forecast.forecast,
        suggest=bots.suggest,
        draft=wording.draft,
        redeal=redeal,
        misnamed=misnamed_before_deal,
        conditions=conditions_in,
    )
    ahead = Ahead(seats=SEATS, horizon=foresight.horizon, foresee=foresight.foresee, plan=plan_ahead)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Deal three cards each, turn up two, and give somebody the start marker.

        Source: rulebook, "Set-up".
        """
        if seats != SEATS[: len(seats)] or len(seats) not in self.facts.removed:
            raise ValueError(f"expected the first 3 to 5 of {', '.join(SEATS)}, got {', '.join(seats)}")
        chosen = str(options.get("alliances", "land"))
        if chosen not in self.facts.alliances:
            raise ValueError(f"expected the alliances {', '.join(self.facts.alliances)}, got {chosen}")
        starter = dice.pick(seats, "starter") if options.get("start_player") == "lot" else seats[0]
        limits = self.facts.limits
        cards = dice.shuffled(self.facts.deck(len(seats)), "deal")
        dealt = len(seats) * limits.hand
        return State(
            seats=seats,
            starter=starter,
            to_move=starter,
            half=1,
            closing=False,
            ended="",
            alliances=chosen,
            next_in_turn=options.get("next_in_turn") is True,
            players={
                seat: Player(self.facts.in_order(cards[place * limits.hand : (place + 1) * limits.hand]))
                for place, seat in enumerate(seats)
            },
            cloisters={},
            advisors={},
            pile=cards[dealt + limits.face_up :],
            face_up=cards[dealt : dealt + limits.face_up],
            discards={},
        )

    def ask(self, state: State) -> Ask | Outcome:
        """Ask the seat on turn, or tell how the game ended.

        Source: rulebook, "Set-up": clockwise from the start player.
        """
        if state.ended:
            return self._outcome(state)
        seat = state.to_move
        return Ask("move", label_after(seat, state.players[seat].asks), frozenset({seat}))

    def _outcome(self, state: State) -> Outcome:
        """Name the winners.

        Source: rulebook, "Scoring and the end".
        """
        board = board_of(self.facts, state)
        scores = {seat: state.players[seat].points for seat in state.seats}
        left = {seat: board.cloisters_left(seat) + board.advisors_left(seat) for seat in state.seats}
        winners, decided_by = decide(scores, left)
        return Outcome(state.ended, winners, scores, decided_by)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the turn of the seat to move.

        Raises:
            ValueError: Its move is not legal here.

        Source: rulebook, "Course of the game".
        """
        seat = state.to_move
        move = moves.get(seat)
        course = Course(self.facts, state, dice)
        me = Seated(course.board, seat, state.players[seat].hand, state.alliances)
        act = None if move is None else choose_act(me, move)
        if move is None or act is None or state.ended:
            raise ValueError(f"expected a legal move from {seat}, got {dict(moves)}")
        carry_out(course, act, move.draw)
        return Step(course.state(), tuple(course.told))

    def hold(self, view: View) -> Json:
        """Return the least a silent seat can do: throw a card away that has no like in the hand."""
        return {"discard": ANY} if view.me is not None and view.me == view.to_move else None


load = WebOfPower.load
