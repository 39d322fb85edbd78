"""Game of Powers, in the order of the rulebook: the start, the turns, the trade and the end."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Step
from pbem.rules.game_of_powers import bots, events, foresight, planner, wording
from pbem.rules.game_of_powers.bargain import answer, propose
from pbem.rules.game_of_powers.check import check_move, judge, misnamed_before_deal
from pbem.rules.game_of_powers.choices import least, list_choices
from pbem.rules.game_of_powers.conditions import conditions_in
from pbem.rules.game_of_powers.course import Voyage
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.forecast import forecast
from pbem.rules.game_of_powers.moves import Move, Place, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline
from pbem.rules.game_of_powers.orders import read_move, write_move
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.redeal import redeal
from pbem.rules.game_of_powers.scoring import score
from pbem.rules.game_of_powers.setup import set_up
from pbem.rules.game_of_powers.sight import asked_for, build_view
from pbem.rules.game_of_powers.state import SEATS, State
from pbem.rules.game_of_powers.tables import load_facts
from pbem.rules.game_of_powers.trading import cards_to_give
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ruled import Ahead, Parts, RuledAhead, Upgrades, kinds_in, label_after


def without_start_points(state: dict[str, Json]) -> dict[str, Json]:
    """Shape 0 to 1: nobody began with points."""
    players = state["players"]
    assert isinstance(players, dict), "players are saved by seat"
    return {
        **state,
        "players": {
            seat: {**one, "start_points": 0} for seat, one in players.items() if isinstance(one, dict)
        },
    }


class GameOfPowers(RuledAhead[Facts, State, View, Move]):
    """The rules, built from their facts."""

    name = "game-of-powers"
    version = 1
    upgrades: Upgrades = (without_start_points,)
    state: type[State] = State
    event_kinds = kinds_in(events)
    parts = Parts(
        facts=load_facts,
        wording=wording.wording,
        view=build_view,
        read=read_move,
        check=check_move,
        choices=list_choices,
        forecast=forecast,
        suggest=bots.suggest,
        draft=wording.draft,
        redeal=redeal,
        misnamed=misnamed_before_deal,
        conditions=conditions_in,
    )
    ahead = Ahead(seats=SEATS, horizon=foresight.horizon, foresee=foresight.foresee, plan=planner.plan_ahead)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Lay out cards and tokens, deal, and draw the first player.

        Source: rulebook, "Game setup".
        """
        if seats != SEATS[: len(seats)]:
            raise ValueError(f"expected the seats {', '.join(SEATS[: len(seats)])}, got {', '.join(seats)}")
        return set_up(self.facts, seats, options, dice)

    def ask(self, state: State) -> Ask | Outcome:
        """Ask the seat on turn, or the one that an offer waits for; or tell how the game ended.

        Source: rulebook, "Gameplay": turns in a clockwise sequence; TRADE: silence declines (ruling).
        """
        kind, seat = asked_for(state)
        if seat is None:
            return score(self.facts, state)
        label = label_after(state.to_move, state.mover.asks)
        if state.offer is None:
            return Ask(kind, label, frozenset({seat}))
        return Ask(kind, Label(f"{label}.{kind}"), frozenset({seat}), silence=write_move(Decline()))

    def hold(self, view: View) -> Json:
        """Return a silent seat's order: the least that the rules let it do."""
        return least(self.facts, view)

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the move of the seat that was asked.

        Raises:
            ValueError: No move, or one that is not legal here.

        Source: rulebook, "Gameplay": the player must move the ship and perform one action, and may do more.
        """
        kind, seat = asked_for(state)
        if seat is None or seat not in moves:
            raise ValueError(f"expected an order from {seat}, got {dict(moves)}")
        move, view = moves[seat], self.view(state, seat)
        problems, plan = judge(self.facts, view, move)
        if wrong := [str(one) for one in problems if not one.bearable]:
            raise ValueError(f"expected a legal order for the ask of kind {kind!r} from {seat}: {wrong}")
        voyage = Voyage(self.facts, state, dice)
        match move:
            case Place():
                voyage.place_ship(move)
            case Turn():
                self._turn(voyage, plan or plan_turn(self.facts, view, move))
            case Accept():
                answer(voyage, move, cards_to_give(self.facts, view, move) or ())
            case Decline() | Counter():
                answer(voyage, move, ())
        return voyage.step()

    def _turn(self, voyage: Voyage, plan: Plan) -> None:
        """Carry out a turn; an offer leaves it open until it is settled.

        Source: rulebook, "Gameplay".
        """
        voyage.carry_out(plan)
        if plan.offer is not None:
            propose(voyage, plan.offer)
        else:
            voyage.pass_on()


load = GameOfPowers.load
