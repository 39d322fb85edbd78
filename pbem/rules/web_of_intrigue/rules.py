"""Web of Intrigue, in the order of its rules: the start, and the eight phases of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from pbem.core.dice import Dice
from pbem.core.events import Seat, only
from pbem.core.foresight import Domain, Horizon
from pbem.core.interface import Ask, Json, Label, Outcome, Stage, Step
from pbem.rules.kit.ruled import Parts, Ruled, Upgrades, kinds_in
from pbem.rules.kit.words import count
from pbem.rules.web_of_intrigue import bidding, bots, ending, events, forecast, scoring, specials, wording
from pbem.rules.web_of_intrigue.check import check_before_deal, check_move
from pbem.rules.web_of_intrigue.choices import list_choices
from pbem.rules.web_of_intrigue.conditions import conditions_in
from pbem.rules.web_of_intrigue.course import Course
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import PLACES, Bid, Enact, Move
from pbem.rules.web_of_intrigue.orders import STAY, read_move
from pbem.rules.web_of_intrigue.redeal import redeal_state
from pbem.rules.web_of_intrigue.setup import BEFORE, set_up, suggestion
from pbem.rules.web_of_intrigue.sight import budget, build_view
from pbem.rules.web_of_intrigue.state import HouseId, Square, State
from pbem.rules.web_of_intrigue.tables import load_facts
from pbem.rules.web_of_intrigue.view import View

COUNT: Final = "points"
"""The name of the last stage of a turn, after all phases: all look round, and the points are counted."""


class Void(NamedTuple):
    """An action that is not carried out, and why."""

    action: str
    why: str


def without_choices(state: dict[str, Json]) -> dict[str, Json]:
    """Shape 0 to 1: right guesses paid as the table says, wrong ones were free, all saw who can be who."""
    options = state["options"]
    assert isinstance(options, dict), "options are saved by name"
    return {**state, "options": {**BEFORE, **options}}


class WebOfIntrigue(Ruled[Facts, State, View, Move]):
    """The rules, built from their facts."""

    name = "web-of-intrigue"
    version = 1
    upgrades: Upgrades = (without_choices,)
    state: type[State] = State
    constants: Mapping[str, str] = MappingProxyType(
        {
            "players.*.reach": "all see who enacts the special that widens the next view",
            "players.*.gained": "all see who enacts the special that gives action points",
            "players.*.blights.*.amount": "it is printed on the special, and all see who enacts it",
        }
    )
    event_kinds = (*kinds_in(events), *kinds_in(ending))
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
        redeal=redeal_state,
        misnamed=check_before_deal,
        conditions=conditions_in,
    )

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Shuffle the Web, deal the Houses and drop the players onto the map."""
        return set_up(self.facts, seats, options, starts, dice)

    def counts(self, answers: Mapping[str, Json]) -> dict[str, Json]:
        """Return which suggestion for the victory target counts (ruling 27)."""
        return {"target": suggestion(self.facts, dict(answers))}

    def ask(self, state: State) -> Ask | Outcome:
        """Ask all seats for their orders, or tell how the game ended (rules 3)."""
        if (outcome := scoring.find_outcome(state)) is not None:
            return outcome
        return Ask("orders", Label(f"turn-{state.turn}"), frozenset(state.players))

    def horizon_in(self, view: View) -> Horizon:
        """Return who plays, and when the game ends at the latest, if its options say so; turns only go up.

        Source: ruling 2.
        """
        last, sitting = view.options.turns or None, Domain(tuple(view.players))
        domains = {"turn": Domain(least=view.turn, most=last), "owners.*.controller": sitting}
        return Horizon(domains=domains, tables=("players", "can_be"), last=last)

    def hold(self, view: View) -> Json:
        """Return a silent seat's order: it does nothing and stays where it is."""
        return {"move": STAY}

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Carry out the eight phases of a turn and count the points.

        Source: rules 3, 9; ruling 1.2 for the phases.
        """
        course = Course(self.facts, state, dice)
        for _ in self._phases(course, moves):
            pass
        return Step(course.state(), tuple(course.told))

    def stages(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> tuple[Stage[State], ...]:
        """Return a turn phase by phase, without those in which nothing happened; the last is its end."""
        course, stages, told = Course(self.facts, state, dice), list[Stage[State]](), 0
        for phase in self._phases(course, moves):
            happened, told = tuple(course.told[told:]), len(course.told)
            if happened and phase != COUNT:
                stages.append(Stage(phase, course.so_far(), happened))
        return (*stages, Stage(COUNT, course.state(), happened))

    def _phases(self, course: Course, moves: Mapping[Seat, Move]) -> Iterator[str]:
        """Carry a turn out, and yield the name of each phase when it is over."""
        moves = {seat: moves.get(seat, Move()) for seat in course.players}
        actions = {seat: self._fit(course, seat, move) for seat, move in moves.items()}
        for phase in PLACES:
            self._phase(course, phase, actions)
            yield phase
        self._guess_phase(course, moves)
        yield course.phase
        self._move_phase(course, moves)
        yield course.phase
        course.end_turn()
        scoring.count_points(course)
        after = course.state()
        if scoring.find_outcome(after) is not None:
            course.told += ending.reveal_all(self.facts, after)
        yield COUNT

    def _fit(self, course: Course, seat: Seat, move: Move) -> dict[str, Enact | Bid | Void]:
        """Return a seat's actions by place; A to F in order, what does not fit is void.

        Orders that were checked this turn all fit; a kept line may meet a smaller budget.

        Source: rulings 8 and 24.
        """
        left, used = budget(self.facts, course.before, seat), set[str]()
        actions = dict[str, Enact | Bid | Void](move.actions)
        for place, action in move.actions.items():
            name = self.facts.name(action.tile)
            if action.points > left:
                why = f"it takes {count(action.points, 'point')}, and {left} are left"
                actions[place] = Void(name, why)
                continue
            left -= action.points
            if action.tile in used:
                actions[place] = Void(name, "it was enacted this turn already")
            used |= {action.tile} if isinstance(action, Enact) else set()
        return actions

    def _phase(
        self, course: Course, phase: str, actions: Mapping[Seat, Mapping[str, Enact | Bid | Void]]
    ) -> None:
        """Carry out everybody's action of a phase: most points first, ties by one draw per seat.

        Source: rules 3.1; ruling 7.
        """
        course.phase = phase
        acting: dict[Seat, Enact | Bid] = {}
        for seat, ordered in actions.items():
            match ordered.get(phase):
                case Void() as void:
                    course.tell_void(seat, void.action, void.why)
                case Enact() | Bid() as action:
                    acting[seat] = action

        def turn_of(seat: Seat) -> tuple[int, int]:
            return -acting[seat].points, course.dice.below(1 << 32, f"{phase}/tie/{seat}")

        for seat in sorted(acting, key=turn_of):
            match acting[seat]:
                case Enact() as enact:
                    specials.enact(course, seat, enact)
                case Bid() as bid:
                    bidding.bid(course, seat, bid)

    def _guess_phase(self, course: Course, moves: Mapping[Seat, Move]) -> None:
        """Answer all guesses; none of them can change another.

        Source: rules 7; ruling 5.
        """
        course.phase = "guess"
        for seat, move in moves.items():
            if (guess := move.guess) is not None:
                course.guess(seat, guess.player, HouseId(guess.house), free=False)

    def _move_phase(self, course: Course, moves: Mapping[Seat, Move]) -> None:
        """Let everybody go to a square of the last diamond; without an order, stay.

        Source: rules 3 and 8; ruling 14.
        """
        course.phase = "move"
        for seat, player in course.players.items():
            goal = moves[seat].goal
            if goal is not None and goal != player.square:
                here, there = player.square, Square(goal)
                course.change(seat, square=there)
                course.tell(events.SeatMoved(seat=seat, square_from=here, square_to=there, to=only(seat)))


load = WebOfIntrigue.load
