"""The rules of Hush."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.rules.kit.ruled import Defaults, one_menu
from pbem.rules.kit.tables import Table


@dataclass(frozen=True, slots=True)
class State:
    """A whole game: lots are those not sold yet; all is open but the purses, each known to its seat."""

    round: int
    seats: tuple[Seat, ...]
    start: int
    lots: tuple[int, ...]
    points: Mapping[Seat, int]
    purses: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know: ties is who is first, second ... among equal bids; purse is its own."""

    me: Seat | None
    round: int
    start: int
    lot: int
    to_come: tuple[int, ...]
    ties: tuple[Seat, ...]
    points: Mapping[Seat, int]
    purse: int


@dataclass(frozen=True)
class LotSold(Event):
    """The highest bid took the lot; with no bids nobody did."""

    seat: Seat | None
    lot: int


@dataclass(frozen=True)
class PricePaid(Event):
    """A seat paid its bid; only that seat is told."""

    price: int


@dataclass(frozen=True)
class PursesOpened(Event):
    """All showed the coins they have left, after the last round."""

    releases = ("purses",)
    purses: Mapping[Seat, int]


class Hush(Defaults):
    """The rules, built from the lots; a move is a number of coins."""

    name = "hush"
    version = 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (LotSold, PricePaid, PursesOpened)

    def __init__(self, lots: tuple[int, ...]) -> None:
        self.lots = lots

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        lots, start = dice.shuffled(self.lots, "lots"), Table(options).whole("purse")
        return State(1, seats, start, lots, dict.fromkeys(seats, 0), dict.fromkeys(seats, start))

    def ask(self, state: State) -> Ask | Outcome:
        if state.lots:
            return Ask("bid", Label(f"turn-{state.round}"), frozenset(state.seats))
        best = [seat for seat in state.seats if state.points[seat] == max(state.points.values())]
        winners = tuple(seat for seat in best if state.purses[seat] == max(state.purses[one] for one in best))
        return Outcome(
            "all lots are gone", winners, state.points, "points" if len(best) == 1 else "coins left"
        )

    def view(self, state: State, seat: Seat | None) -> View:
        lot, *to_come = state.lots or (0,)
        points = {one: state.points[one] for one in state.seats}
        purse = state.purses[seat] if seat else 0
        return View(seat, state.round, state.start, lot, tuple(to_come), _ties(state), points, purse)

    def read(self, order: Json) -> int:
        assert isinstance(order, dict), "the schema lets fields through only"
        return Table(order).whole("bid")

    def check(self, view: View, move: int) -> tuple[Problem, ...]:
        problem = Problem(("bid",), f"{move} is more than you have", f"Your purse holds {view.purse}.")
        return (problem,) if move > view.purse else ()

    def hold(self, view: View) -> Json:
        return {"bid": 0}

    def resolve(self, state: State, moves: Mapping[Seat, int], dice: Dice) -> Step[State]:
        winner, (lot, *to_come) = max(_ties(state), key=lambda seat: moves[seat]), state.lots
        after, price = replace(state, round=state.round + 1, lots=tuple(to_come)), moves[winner]
        events: list[Event] = [LotSold(winner if price else None, lot, to=ALL)]
        if price:
            points = {**state.points, winner: state.points[winner] + lot}
            after = replace(
                after, points=points, purses={**state.purses, winner: state.purses[winner] - price}
            )
            events.append(PricePaid(price, to=only(winner)))
        if not to_come:
            events.append(PursesOpened({seat: after.purses[seat] for seat in state.seats}, to=ALL))
        return Step(after, tuple(events))

    def choices(self, view: View) -> Choices:
        bids = (Choice({"bid": bid}, f"if it wins, {view.purse - bid} left") for bid in range(view.purse + 1))
        return one_menu("Your bid", bids)

    def forecast(self, view: View, move: int) -> Forecast:
        return Forecast(
            (f"You bid {move} for {view.lot} points; if you win, {view.purse - move} coins are left.",)
        )

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return any bid, or with greed twice the share of the purse that the lot is of all lots left."""
        fair = view.purse * 2 * view.lot // max(1, view.lot + sum(view.to_come))
        return {
            "bid": min(fair, view.purse) if skill == "greedy" else dice.pick(range(view.purse + 1), "bot")
        }

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Let each other seat that took a lot have paid any sum."""
        others = (one for one in state.seats if state.points[one] and one != seat)
        left = {one: dice.pick(range(state.start), one) for one in others}
        return replace(state, purses={**state.purses, **left}) if state.lots else state


def load(data: Mapping[str, Json]) -> Hush:
    return Hush(Table(data).wholes("lots"))


def _ties(state: State) -> tuple[Seat, ...]:
    return (state.seats * state.round)[state.round - 1 :][: len(state.seats)]
