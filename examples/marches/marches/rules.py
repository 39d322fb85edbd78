"""The rules of Marches; all is open, and between turns a region has armies of one seat at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Domain, Horizon
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.core.predicates import Predicate, Predicates, by_name
from pbem.core.wording import Wording
from pbem.rules.kit.conditions import one_of, player
from pbem.rules.kit.ruled import Defaults, one_menu
from pbem.rules.kit.tables import Checked
from pbem.rules.kit.words import listing

COLOURS: Final = (Seat("red"), Seat("blue"), Seat("green"), Seat("black"))
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class Move:
    """So many armies come to a region: from one that borders on it, or mustered there (None)."""

    source: str | None
    region: str
    armies: int

    def __str__(self) -> str:
        done = "muster in" if self.source is None else f"march {self.armies} from {self.source} to"
        return f"{done} {self.region}"


@dataclass(frozen=True, slots=True)
class State:
    """A whole game: who holds each region, and with how many armies; after so many turns it ends."""

    turn: int
    turns: int
    seats: tuple[Seat, ...]
    held: Mapping[str, str]
    armies: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class View(State):
    """All of that, for nothing is hidden; and the map, for pictures are drawn from views alone."""

    me: Seat | None
    regions: Mapping[Seat, int]
    borders: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class ArmiesCame(Event):
    """Armies were mustered in a region, or marched there."""

    seat: Seat
    source: str | None
    region: str
    armies: int


@dataclass(frozen=True)
class RegionFought(Event):
    """Forces of several seats met in a region; the holder has what is left."""

    region: str
    forces: Mapping[str, int]
    holder: str
    left: int


class Marches(Defaults):
    """The rules, built from the map."""

    name = "marches"
    version = 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (ArmiesCame, RegionFought)

    def __init__(self, data: Checked) -> None:
        """Read the map.

        Raises:
            ValueError: A border or a home names no region.
        """
        regions, armies = data["regions"], data["armies"]
        self.homes = tuple(data["homes"])
        self.borders = {one["id"]: tuple(one["borders"]) for one in regions}
        self.places = {one["id"]: (one["x"], one["y"]) for one in regions}
        self.start, self.muster, self.most = armies["start"], armies["muster"], armies["march"]
        predicates = _predicates(tuple(self.borders))
        self.wording = Wording(order=lambda order: str(self.read(order)), predicates=predicates)
        holders = Domain((NOBODY, *COLOURS))
        self.horizon = Horizon({}, {"held.*": holders}, tables=("held", "armies", "borders", "places"))
        named = {*self.homes, *(one for borders in self.borders.values() for one in borders)}
        if wrong := named - self.borders.keys():
            raise ValueError(f"these are no regions: {listing(sorted(wrong))}")

    def setup(
        self, seats: tuple[Seat, ...], options: Checked, starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Put the first armies into the homes."""
        held = dict.fromkeys(self.borders, NOBODY) | dict(zip(self.homes, seats, strict=False))
        armies = {one: 0 if holder == NOBODY else self.start for one, holder in held.items()}
        return State(1, options["turns"], seats, held, armies)

    def ask(self, state: State) -> Ask | Outcome:
        """Ask all seats at once, until the last turn is over."""
        if state.turn <= state.turns:
            return Ask("order", Label(f"turn-{state.turn}"), frozenset(state.seats))
        points = self.view(state, None).regions
        winners = tuple(seat for seat in state.seats if points[seat] == max(points.values()))
        return Outcome("the last turn is over", winners, points, "points")

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything, for nothing is hidden; regions in the order of the map."""
        held = {one: state.held[one] for one in self.borders}
        armies = {one: state.armies[one] for one in self.borders}
        regions = {one: list(held.values()).count(one) for one in state.seats}
        return View(
            state.turn, state.turns, state.seats, held, armies, seat, regions, self.borders, self.places
        )

    def read(self, order: Json) -> Move:
        """Return `{muster: Tor}` or `{march: {from: Tor, to: Moor, armies: 3}}` as a move."""
        match order:
            case {"muster": str(region)}:
                return Move(None, region, self.muster)
            case {"march": {"from": str(source), "to": str(region), "armies": int(armies)}}:
                return Move(source, region, armies)
        raise AssertionError("the schema lets no other order through")

    def check(self, view: View, move: Move) -> tuple[Problem, ...]:
        """Return why a move cannot be made, with what can be done from there."""
        legal = self._legal(view)
        if move in legal:
            return ()
        can = [str(one) for one in legal if one.source == move.source]
        hint = f"You can {listing(can, 'or')}." if can else f"You have no armies in {move.source}."
        return (Problem(("march" if move.source else "muster",), f"you cannot {move}", hint),)

    def hold(self, view: View) -> Json:
        """Return a muster at home as a silent seat's order."""
        return _order(self._legal(view)[0])

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        """Let all armies come at once, and fight where several seats meet."""
        forces = {one: Counter({state.held[one]: state.armies[one]}) for one in self.borders}
        events: list[Event] = []
        for seat, move in ((one, moves[one]) for one in state.seats):
            if move.source is not None:
                forces[move.source][seat] -= move.armies
            forces[move.region][seat] += move.armies
            events.append(ArmiesCame(seat, move.source, move.region, move.armies, to=ALL))
        held, left = dict(state.held), dict(state.armies)
        for region, force in forces.items():
            (first, most), (_, second), *_ = *(+force).most_common(), (NOBODY, 0), (NOBODY, 0)
            held[region], left[region] = first if most > second else NOBODY, most - second
            if second:
                events.append(RegionFought(region, dict(+force), held[region], left[region], to=ALL))
        return Step(replace(state, turn=state.turn + 1, held=held, armies=left), tuple(events))

    def choices(self, view: View) -> Choices:
        """Return every muster and march, with who is there now."""
        items = (Choice(_order(move), _there(view, move.region)) for move in self._legal(view))
        return one_menu("Your order", items)

    def forecast(self, view: View, move: Move) -> Forecast:
        """Return what is ordered, and who is there now."""
        return Forecast((f"You {move}: {_there(view, move.region)}.",))

    def points(self, view: View) -> Mapping[Seat, float]:
        """Return the regions held, which bots want more of."""
        return view.regions

    def conditions(self, view: View) -> Iterator[Mapping[str, Json]]:
        """Yield conditions that matter in a position: who comes to the regions around one's own."""
        mine = [region for region, holder in view.held.items() if holder == view.me]
        for region in dict.fromkeys(near for one in mine for near in view.borders[one]):
            yield {"free" if view.held[region] != NOBODY else "holds": region}

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Return the same game: everybody sees all of it."""
        return state

    def _legal(self, view: View) -> list[Move]:
        """Return all that a seat can order: the muster at home first, then the largest marches."""
        homes = [home for seat, home in zip(view.seats, self.homes, strict=False) if seat == view.me]
        mine = [region for region, holder in view.held.items() if holder == view.me]
        moves = [Move(None, region, self.muster) for region in dict.fromkeys((*homes, *mine))]
        steps = [(one, n) for n in range(self.most, 0, -1) for one in mine if view.armies[one] >= n]
        return moves + [Move(source, to, n) for source, n in steps for to in self.borders[source]]


def _predicates(regions: tuple[str, ...]) -> Predicates:
    """Return what orders can wait for."""
    region, who = one_of("region", regions), player(COLOURS)
    return by_name(
        (
            Predicate(
                "holds", "{player} [hold/holds] {region}", {"held.{region}": "{player}"}, (region, who)
            ),
            Predicate("free", "nobody holds {region}", {"held.{region}": NOBODY}, (region,)),
        )
    )


def _order(move: Move) -> Json:
    if move.source is None:
        return {"muster": move.region}
    return {"march": {"from": move.source, "to": move.region, "armies": move.armies}}


def _there(view: View, region: str) -> str:
    """Return who is in a region now: "3 of blue there now"."""
    armies = view.armies[region]
    return f"{armies} of {view.held[region]} there now" if armies else "empty now"
