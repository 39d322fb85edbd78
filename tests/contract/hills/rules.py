"""The rules of Hills: all climb at once, and who is alone on a hill has the luck that was staked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Menu, Outcome, Problem, Step
from pbem.rules.kit.ruled import Defaults

SEATS = (Seat("red"), Seat("blue"), Seat("green"))
TURNS = 4


@dataclass(frozen=True, slots=True)
class State:
    """What was climbed and staked, and what it came to."""

    points: Mapping[Seat, int]
    left: Mapping[Seat, tuple[int, ...]]
    turn: int = 1


@dataclass(frozen=True, slots=True)
class View:
    """All of it; nothing is hidden."""

    me: Seat | None
    points: Mapping[Seat, int]
    left: Mapping[Seat, tuple[int, ...]]
    turn: int


@dataclass(frozen=True, slots=True)
class Climb:
    """A move: a hill, and what is staked."""

    hill: str
    luck: int


@dataclass(frozen=True)
class HillsClimbed(Event):
    """Where everybody was, and who was alone."""

    hills: Mapping[Seat, str]
    alone: tuple[Seat, ...]


class Hills(Defaults):
    """The rules, built from the names of the hills."""

    name = "hills"
    version = 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (HillsClimbed,)

    def __init__(self, hills: tuple[str, ...]) -> None:
        self.hills = hills

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Return the start: nobody has points."""
        return State(dict.fromkeys(seats, 0), dict.fromkeys(seats, (1, 1, 2, 3)))

    def ask(self, state: State) -> Ask | Outcome:
        """Ask all at once, four times."""
        if state.turn > TURNS:
            best = max(state.points.values())
            winners = tuple(seat for seat, points in state.points.items() if points == best)
            return Outcome("all hills were climbed", winners, state.points, "points")
        return Ask("climb", Label(f"turn-{state.turn}"), frozenset(state.points))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything."""
        seats = [one for one in SEATS if one in state.points]
        points = {one: state.points[one] for one in seats}
        return View(seat, points, {one: state.left[one] for one in seats}, state.turn)

    def read(self, order: Json) -> Climb:
        """Return `{climb: {hill: north}, luck: 2}` as a move."""
        assert isinstance(order, dict) and isinstance(order["climb"], dict), "the schema is kept"
        assert isinstance(order["luck"], int), "the schema is kept"
        return Climb(str(order["climb"]["hill"]), order["luck"])

    def check(self, view: View, move: Climb) -> tuple[Problem, ...]:
        """Return why something cannot be staked."""
        if view.me is not None and move.luck not in view.left[view.me]:
            return (Problem(("luck",), f"you have no {move.luck} left"),)
        return ()

    def hold(self, view: View) -> Json:
        """Return the least for a silent seat."""
        return {"climb": {"hill": self.hills[0]}, "luck": min(view.left[view.me])} if view.me else None

    def resolve(self, state: State, moves: Mapping[Seat, Climb], dice: Dice) -> Step[State]:
        """Give the stakes to those who are alone."""
        seats = [seat for seat in SEATS if seat in moves]
        there = Counter(moves[seat].hill for seat in seats)
        alone = tuple(seat for seat in seats if there[moves[seat].hill] == 1)
        points = {seat: state.points[seat] + moves[seat].luck * (seat in alone) for seat in seats}
        left = {seat: _without(state.left[seat], moves[seat].luck) for seat in seats}
        after = replace(state, points=points, left=left, turn=state.turn + 1)
        return Step(after, (HillsClimbed({seat: moves[seat].hill for seat in seats}, alone, to=ALL),))

    def choices(self, view: View) -> Choices:
        """Return the hills and the stakes, each for its place."""
        hills = tuple(Choice(hill, "") for hill in self.hills)
        left = sorted(set(view.left[view.me])) if view.me else []
        stakes = tuple(Choice(luck, "points if you are alone") for luck in left)
        return Choices((Menu(("climb.hill",), "Hills", hills), Menu(("luck",), "Your stake", stakes)))

    def forecast(self, view: View, move: Climb) -> Forecast:
        """Say what is tried."""
        return Forecast((f"You climb {move.hill} for {move.luck}, if you are alone there.",))

    def points(self, view: View) -> Mapping[Seat, float]:
        """Return the points so far."""
        return view.points

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Return the same game, for all is open."""
        return state


def load(data: Mapping[str, Json]) -> Hills:
    """Build the rules from the names of the hills."""
    hills = data["hills"]
    assert isinstance(hills, list), "the schema is kept"
    return Hills(tuple(map(str, hills)))


def _without(stakes: tuple[int, ...], luck: int) -> tuple[int, ...]:
    place = stakes.index(luck)
    return stakes[:place] + stakes[place + 1 :]
