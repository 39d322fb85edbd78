"""The rules of Hush."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Menu, Outcome, Problem, Step
from pbem.core.predicates import Bound, Predicate, by_name
from pbem.core.wording import Wording
from pbem.rules.kit.ranking import find_ahead
from pbem.rules.kit.ruled import Defaults
from pbem.rules.kit.tables import Checked


@dataclass(frozen=True, slots=True)
class State:
    """A whole game; all of it is open but the purses.

    Attributes:
        round: The number of the round, from 1.
        seats: The seats in seating order.
        start: The coins that each purse held at the start.
        lots: The lots that are not sold yet, the one that is up first.
        points: What each seat has taken.
        purses: The coins that each seat has left; known to that seat alone.
    """

    round: int
    seats: tuple[Seat, ...]
    start: int
    lots: tuple[int, ...]
    points: Mapping[Seat, int]
    purses: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        round: The number of the round, from 1.
        start: The coins that each purse held at the start.
        lot: The points of the lot that is up; 0 when all are sold.
        to_come: The lots to come, next one first.
        ties: The seats in the order in which they win equal bids.
        points: What each seat has taken.
        purse: My coins; 0 for the spectator.
    """

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
    """The highest bid took the lot; if all bid 0, nobody did."""

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
        self, seats: tuple[Seat, ...], options: Checked, starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Fill the purses and shuffle the lots."""
        lots = dice.shuffled(self.lots, "lots")
        start: int = options["purse"]
        return State(1, seats, start, lots, dict.fromkeys(seats, 0), dict.fromkeys(seats, start))

    def ask(self, state: State) -> Ask | Outcome:
        """Ask all seats at once, until all lots are gone."""
        if state.lots:
            return Ask("bid", Label(f"turn-{state.round}"), frozenset(state.seats))
        counts = ("points", state.points), ("coins left", state.purses)
        winners, decided_by = find_ahead(state.seats, *counts)
        decided_by = decided_by if len(winners) == 1 else "coins left"
        return Outcome("all lots are gone", winners, state.points, decided_by)

    def view(self, state: State, seat: Seat | None) -> View:
        """Return everything this seat may know: all but the purses of the others."""
        lot, *to_come = state.lots or (0,)
        return View(
            me=seat,
            round=state.round,
            start=state.start,
            lot=lot,
            to_come=tuple(to_come),
            ties=_ties(state),
            points={one: state.points[one] for one in state.seats},
            purse=state.purses[seat] if seat is not None else 0,
        )

    def read(self, order: Json) -> int:
        """Return `{bid: 5}` as a move."""
        assert isinstance(order, dict), "the schema lets fields through only"
        bid = order["bid"]
        assert isinstance(bid, int), "the schema lets whole numbers through only"
        return bid

    def check(self, view: View, move: int) -> tuple[Problem, ...]:
        """Return why a bid cannot be made."""
        if move <= view.purse:
            return ()
        return (Problem(("bid",), f"{move} is more than you have", f"Your purse holds {view.purse}."),)

    def hold(self, view: View) -> Json:
        """Return no bid as a silent seat's order."""
        return {"bid": 0}

    def resolve(self, state: State, moves: Mapping[Seat, int], dice: Dice) -> Step[State]:
        """Sell the lot to the highest bid, and open the purses after the last one."""
        winner = max(_ties(state), key=lambda seat: moves[seat])
        price, (lot, *to_come) = moves[winner], state.lots
        after = replace(state, round=state.round + 1, lots=tuple(to_come))
        events: list[Event] = [LotSold(winner if price else None, lot, to=ALL)]
        if price:
            points = {**state.points, winner: state.points[winner] + lot}
            purses = {**state.purses, winner: state.purses[winner] - price}
            after = replace(after, points=points, purses=purses)
            events.append(PricePaid(price, to=only(winner)))
        if not to_come:
            events.append(PursesOpened({seat: after.purses[seat] for seat in state.seats}, to=ALL))
        return Step(after, tuple(events))

    def choices(self, view: View) -> Choices:
        """Return some bids out of all that the purse allows; any number between them is legal too."""
        bids = sorted({_fair(view), 0, view.purse // 2, view.purse}, key=lambda bid: bid != _fair(view))
        items = tuple(Choice({"bid": bid}, f"if it wins, {view.purse - bid} left") for bid in bids)
        return Choices((Menu(("",), f"Your bid: any number up to {view.purse}, such as", items),))

    def forecast(self, view: View, move: int) -> Forecast:
        """Return what the bid is for, and what it leaves."""
        left = f"if you win, you have {view.purse - move} left"
        return Forecast((f"You bid {move} for {view.lot} points; {left}.",))

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return a bot's bid: any, or with greed what is fair."""
        return {"bid": _fair(view) if skill == "greedy" else dice.pick(range(view.purse + 1), "bot")}

    wording = Wording(
        predicates=by_name(
            (
                Predicate("lot", "the lot is worth {number}", {"lot": "{number}"}, number=Bound()),
                Predicate("purse", "your purse holds {number}", {"purse": "{number}"}, number=Bound()),
            )
        )
    )

    def conditions(self, view: View) -> Iterator[Mapping[str, Json]]:
        """Yield conditions that matter in a position: a dear lot, and little money."""
        for lot in sorted(view.to_come)[-1:]:
            if lot > view.lot:
                yield {"lot": {"at_least": lot}}
        yield {"purse": {"at_most": view.purse // 2}}

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Let each other seat that took a lot have paid any sum; at the end all purses are open."""
        others = [one for one in state.seats if state.points[one] and one != seat]
        left = {one: dice.pick(range(state.start), one) for one in others}
        return replace(state, purses={**state.purses, **left}) if state.lots else state


def load(data: Checked) -> Hush:
    """Build the rules from the table of `data/hush.yaml`."""
    return Hush(tuple(data["lots"]))


def _ties(state: State) -> tuple[Seat, ...]:
    """Return the seats in the order in which they win equal bids: it moves on by one each round."""
    first = (state.round - 1) % len(state.seats)
    return state.seats[first:] + state.seats[:first]


def _fair(view: View) -> int:
    """Return twice the share of the purse that the lot is of all lots left."""
    return min(view.purse, view.purse * 2 * view.lot // max(1, view.lot + sum(view.to_come)))
