"""Two tiny games for the loop: stones are taken by turns, hands are bid all at once; and orders in a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pbem.core.book import Line, Orders, Press
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Menu, Outcome, Problem, Step

ANN, BOB, CAT = Seat("ann"), Seat("bob"), Seat("cat")
PAIR, TRIO = (ANN, BOB), (ANN, BOB, CAT)


def lodged(
    *lines: Mapping[str, Json],
    stop_if: Mapping[str, Json] | None = None,
    press: tuple[Press, ...] = (),
    fresh: bool = True,
) -> Orders:
    """Return orders with these lines, each written as in a file."""
    return Orders(tuple(line(n, **one) for n, one in enumerate(lines, 1)), stop_if or {}, press, fresh)


def line(
    number: int,
    do: Json,
    at: Json = None,
    when: Json = None,
    keep: Json = False,
    if_silent: Json = False,
    until: Json = None,
) -> Line:
    """Return one line of orders."""
    label, last = (Label(one) if isinstance(one, str) else None for one in (at, until))
    is_kept, condition = keep is True or last is not None, when if isinstance(when, dict) else {}
    return Line(number, label, condition, is_kept, do, if_silent is True, last)


@dataclass(frozen=True, slots=True)
class Number:
    """A move of either game: what is done, and how many."""

    verb: str
    n: int


@dataclass(frozen=True, slots=True)
class Pile:
    """Stones on the table; who takes 3 is tired and skipped once, who takes 2 may haggle."""

    stones: int
    to_move: Seat = ANN
    asks: Mapping[Seat, int] = field(default_factory=lambda: {ANN: 0, BOB: 0})
    taken: Mapping[Seat, int] = field(default_factory=lambda: {ANN: 0, BOB: 0})
    tired: frozenset[Seat] = frozenset()
    haggling: bool = False


@dataclass(frozen=True, slots=True)
class PileView:
    """Everything, for nothing is hidden."""

    me: Seat | None
    to_move: Seat
    stones: int
    taken: Mapping[Seat, int]
    haggling: bool


@dataclass(frozen=True)
class StonesTaken(Event):
    """A seat took stones."""

    seat: Seat
    stones: int


@dataclass(frozen=True)
class StonesAdded(Event):
    """A haggle put stones back."""

    stones: int


@dataclass(frozen=True)
class TurnSkipped(Event):
    """A tired seat rested."""

    seat: Seat


class Stones:
    """One seat after the other takes 1 to 3 stones; after 2 both may add some in a follow-up ask."""

    def ask(self, state: Pile) -> Ask | Outcome:
        seat, count = state.to_move, state.asks[state.to_move]
        if state.haggling:
            label, others = Label(f"{seat}-{count}.haggle"), frozenset(PAIR) - {seat}
            return Ask("haggle", label, frozenset({seat}), others, silence={"add": 0})
        if state.stones == 0:
            best = max(state.taken.values())
            winners = tuple(one for one in PAIR if state.taken[one] == best)
            return Outcome("no stone is left", winners, state.taken, "points")
        label = Label(f"{seat}-{count + 1}")
        return (
            Ask("skip", label, frozenset()) if seat in state.tired else Ask("take", label, frozenset({seat}))
        )

    def view(self, state: Pile, seat: Seat | None) -> PileView:
        return PileView(seat, state.to_move, state.stones, state.taken, state.haggling)

    def read(self, order: Json) -> Number:
        return read_number(order)

    def check(self, view: PileView, move: Number) -> tuple[Problem, ...]:
        if move.verb == "add":
            return () if view.haggling else (Problem(("add",), "nobody haggles", elsewhere=True),)
        if view.haggling:
            return (Problem(("take",), "this is a haggle", elsewhere=True),)
        if 1 <= move.n <= min(3, view.stones):
            return ()
        text = f"{move.n} of {view.stones} stones cannot be taken"
        return (Problem(("take",), text, f"Take 1 to {min(3, view.stones)}."),)

    def hold(self, view: PileView) -> Json:
        return {"add": 0} if view.haggling else {"take": 1}

    def resolve(self, state: Pile, moves: Mapping[Seat, Number], dice: Dice) -> Step[Pile]:
        seat, other = state.to_move, BOB if state.to_move == ANN else ANN
        if state.haggling:
            added = sum(move.n for move in moves.values())
            after = replace(state, stones=state.stones + added, to_move=other, haggling=False)
            return Step(after, (StonesAdded(added, to=ALL),))
        after = replace(state, asks={**state.asks, seat: state.asks[seat] + 1}, to_move=other)
        if seat in state.tired:
            return Step(replace(after, tired=state.tired - {seat}), (TurnSkipped(seat, to=ALL),))
        n = moves[seat].n
        after = replace(
            after,
            stones=state.stones - n,
            taken={**state.taken, seat: state.taken[seat] + n},
            tired=state.tired | {seat} if n == 3 else state.tired,
            haggling=n == 2,
            to_move=seat if n == 2 else other,
        )
        return Step(after, (StonesTaken(seat, n, to=ALL),))

    def choices(self, view: PileView) -> Choices:
        most = 0 if view.haggling else min(3, view.stones)
        items = tuple(Choice({"take": n}, f"leaves {view.stones - n}") for n in range(1, most + 1))
        return Choices((Menu(("",), "Stones", items),), items[0].order if len(items) == 1 else None)

    def forecast(self, view: PileView, move: Number) -> Forecast:
        return Forecast((f"{view.stones - move.n} stones will be left",))

    def suggest(self, view: PileView, dice: Dice, skill: str) -> Json:
        most = min(3, view.stones)
        return (
            {"add": 0} if view.haggling else {"take": most if skill == "greedy" else dice.roll(most, "bot")}
        )

    def redeal(self, state: Pile, seat: Seat | None, dice: Dice) -> Pile:
        return state


@dataclass(frozen=True, slots=True)
class Table:
    """Sealed hands; the hands are the hidden fact."""

    hands: Mapping[Seat, tuple[int, ...]]
    points: Mapping[Seat, int]
    turn: int = 1


@dataclass(frozen=True, slots=True)
class TableView:
    """A seat's own hand and the public points."""

    me: Seat | None
    turn: int
    hand: tuple[int, ...]
    points: Mapping[Seat, int]


@dataclass(frozen=True)
class BidMade(Event):
    """What a seat bid, for itself."""

    seat: Seat
    bid: int


@dataclass(frozen=True)
class BidWon(Event):
    """Who bid most, for everybody; the dice broke ties."""

    seat: Seat


class Bids:
    """All seats bid one card of a hidden hand at once; the highest earns a point."""

    name = "bids"
    version = 1
    upgrades: tuple[Callable[[dict[str, Json]], dict[str, Json]], ...] = ()
    state: type[Table] = Table
    constants: Mapping[str, str] = MappingProxyType({})
    event_kinds: tuple[type[Event], ...] = (BidMade, BidWon)

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> Table:
        deck = dice.shuffled(range(1, 3 * len(seats) + 1), "deal")
        hands = {seat: tuple(sorted(deck[3 * n : 3 * n + 3])) for n, seat in enumerate(seats)}
        return Table(hands, dict.fromkeys(seats, 0))

    def ask(self, state: Table) -> Ask | Outcome:
        if not any(state.hands.values()):
            best = max(state.points.values())
            winners = tuple(seat for seat, points in state.points.items() if points == best)
            return Outcome("the hands are empty", winners, state.points, "points")
        return Ask("bid", Label(f"turn-{state.turn}"), frozenset(state.hands))

    def view(self, state: Table, seat: Seat | None) -> TableView:
        return TableView(seat, state.turn, state.hands[seat] if seat else (), state.points)

    def read(self, order: Json) -> Number:
        return read_number(order)

    def check(self, view: TableView, move: Number) -> tuple[Problem, ...]:
        return () if move.n in view.hand else (Problem(("bid",), f"{move.n} is not in your hand"),)

    def hold(self, view: TableView) -> Json:
        return {"bid": view.hand[0]} if view.turn < 3 else None

    def resolve(self, state: Table, moves: Mapping[Seat, Number], dice: Dice) -> Step[Table]:
        best = max(moves, key=lambda seat: (moves[seat].n, dice.below(1000, f"tie {seat}")))
        hands = {s: tuple(card for card in hand if card != moves[s].n) for s, hand in state.hands.items()}
        told: list[Event] = [BidMade(seat, move.n, to=only(seat)) for seat, move in moves.items()]
        after = Table(hands, {**state.points, best: state.points[best] + 1}, state.turn + 1)
        return Step(after, (*told, BidWon(best, to=ALL)))

    def choices(self, view: TableView) -> Choices:
        items = tuple(Choice({"bid": card}, "") for card in view.hand)
        return Choices((Menu(("",), "Your bid", items),), items[0].order if len(items) == 1 else None)

    def forecast(self, view: TableView, move: Number) -> Forecast:
        return Forecast((f"you bid {move.n}",))

    def suggest(self, view: TableView, dice: Dice, skill: str) -> Json:
        return {"bid": max(view.hand) if skill == "greedy" else dice.pick(view.hand, "bot")}

    def redeal(self, state: Table, seat: Seat | None, dice: Dice) -> Table:
        others = [one for one in state.hands if one != seat]
        cards = iter(dice.shuffled([card for one in others for card in state.hands[one]], "redeal"))
        dealt = {one: tuple(sorted(next(cards) for _ in state.hands[one])) for one in others}
        return replace(state, hands={**state.hands, **dealt})


def read_number(order: Json) -> Number:
    """Return `{take: 2}`, `{add: 1}` or `{bid: 7}` as a move."""
    assert isinstance(order, dict), "orders of the small games are fields"
    verb, n = next(iter(order.items()))
    assert isinstance(n, int), "orders of the small games hold numbers"
    return Number(verb, n)
