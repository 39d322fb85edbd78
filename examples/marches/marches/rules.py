"""The rules of Marches; all is open, and a region has armies of one seat at most between turns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.core.wording import Wording
from pbem.rules.kit.ruled import Defaults, one_menu
from pbem.rules.kit.tables import Table
from pbem.rules.kit.words import listing

Move = tuple[str | None, str, int]  # from which region (None: a muster), to which, how many armies


@dataclass(frozen=True)
class State:
    turn: int
    turns: int
    seats: tuple[Seat, ...]
    held: Mapping[str, str]
    armies: Mapping[str, int]


@dataclass(frozen=True)
class View(State):
    me: Seat | None
    regions: Mapping[Seat, int]
    borders: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class ArmiesCame(Event):
    seat: Seat
    source: str | None
    region: str
    armies: int


@dataclass(frozen=True)
class RegionFought(Event):
    region: str
    forces: Mapping[str, int]
    holder: str
    left: int


class Marches(Defaults):
    name, version = "marches", 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (ArmiesCame, RegionFought)

    def __init__(self, data: Mapping[str, Json]) -> None:
        table = Table(data)
        self.homes, regions, armies = table.words("homes"), table.tables("regions"), table.table("armies")
        self.borders = {one.text("id"): one.words("borders") for one in regions}
        self.places = {one.text("id"): (one.whole("x"), one.whole("y")) for one in regions}
        self.start, self.muster, self.most = (
            armies.whole("start"),
            armies.whole("muster"),
            armies.whole("march"),
        )
        self.wording = Wording(order=lambda order: _said(self.read(order)))
        if wrong := {*self.homes, *(b for a in self.borders for b in self.borders[a])} - {*self.borders}:
            raise ValueError(f"these are no regions: {listing(sorted(wrong))}")

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        held = {one: "nobody" for one in self.borders} | dict(zip(self.homes, seats, strict=False))
        armies = {one: self.start if held[one] in seats else 0 for one in self.borders}
        return State(1, Table(options).whole("turns"), seats, held, armies)

    def ask(self, state: State) -> Ask | Outcome:
        if state.turn <= state.turns:
            return Ask("order", Label(f"turn-{state.turn}"), frozenset(state.seats))
        points = self.view(state, None).regions
        winners = tuple(seat for seat in state.seats if points[seat] == max(points.values()))
        return Outcome("the last turn is over", winners, points, "points")

    def view(self, state: State, seat: Seat | None) -> View:
        held = {one: state.held[one] for one in self.borders}
        armies = {one: state.armies[one] for one in self.borders}
        regions = {one: list(held.values()).count(one) for one in state.seats}
        return View(
            state.turn, state.turns, state.seats, held, armies, seat, regions, self.borders, self.places
        )

    def read(self, order: Json) -> Move:
        assert isinstance(order, dict), "the schema lets fields through only"
        if "muster" in order:
            return None, Table(order).text("muster"), self.muster
        march = Table(order).table("march")
        return march.text("from"), march.text("to"), march.whole("armies")

    def check(self, view: View, move: Move) -> tuple[Problem, ...]:
        if move in (legal := self._legal(view)):
            return ()
        can = [_said(one) for one in legal if one[0] == move[0]]
        hint = f"You can {listing(can, 'or')}." if can else f"You do not hold {move[0]}."
        return (Problem(("march" if move[0] else "muster",), f"you cannot {_said(move)}", hint),)

    def hold(self, view: View) -> Json:
        return {"muster": self._legal(view)[0][1]}

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
        forces = {region: Counter({state.held[region]: state.armies[region]}) for region in self.borders}
        events: list[Event] = []
        for seat, (source, to, armies) in ((one, moves[one]) for one in state.seats):
            forces[source or to][seat] -= armies if source else 0
            forces[to][seat] += armies
            events.append(ArmiesCame(seat, source, to, armies, to=ALL))
        held, left = dict(state.held), dict(state.armies)
        for region, force in forces.items():
            (first, most), (_, second), *_rest = *(+force).most_common(), ("nobody", 0), ("nobody", 0)
            held[region], left[region] = first if most > second else "nobody", most - second
            if second:
                events.append(RegionFought(region, dict(+force), held[region], left[region], to=ALL))
        return Step(replace(state, turn=state.turn + 1, held=held, armies=left), tuple(events))

    def choices(self, view: View) -> Choices:
        now = {to: f"{n} of {view.held[to]} there now" if n else "empty now" for to, n in view.armies.items()}
        legal = self._legal(view)
        items = (
            Choice({"march": {"from": a, "to": b, "armies": n}} if a else {"muster": b}, now[b])
            for a, b, n in legal
        )
        return one_menu("Your order", items)

    def forecast(self, view: View, move: Move) -> Forecast:
        return Forecast((f"You {_said(move)}: {view.armies[move[1]]} of {view.held[move[1]]} there now.",))

    def points(self, view: View) -> Mapping[Seat, float]:
        return view.regions

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        return state

    def _legal(self, view: View) -> list[Move]:
        homes = [home for seat, home in zip(view.seats, self.homes, strict=False) if seat == view.me]
        mine = [region for region, holder in view.held.items() if holder == view.me]
        moves: list[Move] = [(None, one, self.muster) for one in dict.fromkeys((*homes, *mine))]
        steps = ((n, one) for n in range(self.most, 0, -1) for one in mine if view.armies[one] >= n)
        return moves + [(one, to, n) for n, one in steps for to in self.borders[one]]


def _said(move: Move) -> str:
    return f"march {move[2]} from {move[0]} to {move[1]}" if move[0] else f"muster in {move[1]}"
