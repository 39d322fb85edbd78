"""The rules of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Domain, Horizon, Later, Outlook, Plan, Planned
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Label, Outcome, Problem, Step
from pbem.core.predicates import Predicate, by_name
from pbem.core.remedies import Advice
from pbem.core.wording import Wording
from pbem.rules.kit.conditions import one_of, player
from pbem.rules.kit.ruled import Defaults, one_menu

Square = NewType("Square", str)
"""Column letter, row number: "B2"."""

Line: TypeAlias = tuple[Square, ...]

CROSS: Final = Seat("x")
NOUGHT: Final = Seat("o")
SEATS: Final = (CROSS, NOUGHT)
SQUARES: Final = tuple(Square(column + row) for row in "123" for column in "ABC")
EMPTY: Final = "empty"


@dataclass(frozen=True, slots=True)
class State:
    """A whole game: the seat whose mark stands on each square that has one."""

    marks: Mapping[Square, Seat]


@dataclass(frozen=True, slots=True)
class View:
    """The game as everybody sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        board: "x", "o" or "empty" for every square, row by row.
    """

    me: Seat | None
    board: Mapping[Square, str]


@dataclass(frozen=True, slots=True)
class Mark:
    """A move: mark a square."""

    square: Square


@dataclass(frozen=True)
class SquareMarked(Event):
    """A seat marked a square."""

    seat: Seat
    square: Square


class TicTacToe(Defaults):
    """The rules, built from the lines that win."""

    name = "tic-tac-toe"
    version = 1
    state: type[State] = State
    event_kinds: tuple[type[Event], ...] = (SquareMarked,)

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self.lines = lines

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> State:
        """Return the empty board."""
        return State({})

    def ask(self, state: State) -> Ask | Outcome:
        """Ask x and o in turn, until a line is full of one mark or the board is full."""
        marks = state.marks
        for first, *rest in self.lines:
            winner = marks.get(first)
            if winner is not None and all(marks.get(square) == winner for square in rest):
                scores = {seat: int(seat == winner) for seat in SEATS}
                return Outcome(f"{winner} has three in a line", (winner,), scores, "points")
        if len(marks) == len(SQUARES):
            return Outcome("the board is full", (), dict.fromkeys(SEATS, 0), "nobody has three in a line")
        seat = _on_turn(state)
        return Ask("move", Label(f"{seat}-{len(marks) // 2 + 1}"), frozenset({seat}))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the whole board, for nothing is hidden."""
        return View(seat, {square: state.marks.get(square, EMPTY) for square in SQUARES})

    def read(self, order: Json) -> Mark:
        """Return `{mark: B2}` as a move."""
        assert isinstance(order, dict), "the schema lets fields through only"
        return Mark(Square(str(order["mark"])))

    def check(self, view: View, move: Mark) -> tuple[Problem, ...]:
        """Return why a square cannot be marked."""
        if (holder := view.board[move.square]) == EMPTY:
            return ()
        empty = _empty(view)
        advice = Advice(f"Empty squares are {', '.join(empty)}.")
        return (Problem(("mark",), f"{move.square} has been marked by {holder}", *advice),)

    def hold(self, view: View) -> Json:
        """Keep waiting for a silent seat; no mark is so harmless that it could be made for it."""
        return None

    def resolve(self, state: State, moves: Mapping[Seat, Mark], dice: Dice) -> Step[State]:
        """Put the mark on its square."""
        seat = _on_turn(state)
        square = moves[seat].square
        if square in state.marks:
            raise ValueError(f"expected an empty square, got {square}")
        return Step(State({**state.marks, square: seat}), (SquareMarked(seat, square, to=ALL),))

    def choices(self, view: View) -> Choices:
        """Return every empty square, with what a mark there does."""
        items = (Choice({"mark": square}, self._effect(view, square)) for square in _empty(view))
        return one_menu("Your move", items)

    def forecast(self, view: View, move: Mark) -> Forecast:
        """Return what the mark will do."""
        effect = self._effect(view, move.square)
        return Forecast((f"You mark {move.square}" + (f": it {effect}" if effect else "") + ".",))

    def suggest(self, view: View, dice: Dice, skill: str) -> Json:
        """Return a bot's move: any square, or with greed the best effect, else the centre."""
        squares = self._best(view) if skill == "greedy" else _empty(view)
        return {"mark": dice.pick(squares, "bot")}

    def redeal(self, state: State, seat: Seat | None, dice: Dice) -> State:
        """Return the same game: everybody sees all of it."""
        return state

    def _effect(self, view: View, square: Square) -> str:
        """Return what a mark of the view's owner on an empty square does, or ""."""
        rests = [{view.board[one] for one in line if one != square} for line in self.lines if square in line]
        if {view.me} in rests:
            return WINS
        return STOPS if {_foe(view.me)} in rests else ""

    def _best(self, view: View) -> tuple[Square, ...]:
        """Return the squares that win, or else those that stop the other one, or the centre, or all."""
        squares = _empty(view)
        effects = {square: self._effect(view, square) for square in squares}
        for effect in (WINS, STOPS):
            if found := tuple(square for square in squares if effects[square] == effect):
                return found
        return (CENTRE,) if CENTRE in squares else squares

    wording = Wording(
        predicates=by_name(
            (
                Predicate(
                    "marked",
                    "{player} [have/has] marked {square}",
                    {"board.{square}": "{player}"},
                    (one_of("square", SQUARES), player(SEATS)),
                ),
                Predicate(
                    "free", "{square} is empty", {"board.{square}": EMPTY}, (one_of("square", SQUARES),)
                ),
            )
        )
    )

    def conditions(self, view: View) -> Iterator[Mapping[str, Json]]:
        """Yield conditions that matter in a position: what the other player may mark."""
        for square in _empty(view)[:3]:
            yield {"marked": {"square": square, "player": _foe(view.me)}}

    horizon = Horizon(follow_ups={}, domains={"board.*": Domain((EMPTY, *SEATS))}, tables=("board",))

    def foresee(self, view: View, later: Later[Mark]) -> Outlook:
        """Say that a mark stays, so that its square can never be marked again."""
        square = later.move.square
        if (holder := view.board[square]) != EMPTY:
            return Outlook((Problem(("mark",), f"{square} has been marked by {holder}, and stays so"),))
        if later.before is not None and Mark(square) in later.before:
            return Outlook((Problem(("mark",), f"you mark {square} yourself before that"),))
        is_empty = later.when.get(f"board.{square}") == EMPTY
        return Outlook(provided=() if is_empty else (f"{square} is still empty",))

    def plan(self, view: View, now: Mark | None, asks: int) -> Plan:
        """Return lines for the next turn of a seat: win, or stop the other one, or take what is left."""
        here = view
        if view.me is not None and _on_turn(State(_marks(view))) == view.me:
            square = now.square if now else self._best(view)[0]
            if self._effect(view, square) == WINS:
                return Plan()
            here = _after(view, view.me, square)
        if view.me is None or len(_empty(here)) < 2:
            return Plan()
        label = Label(f"{view.me}-{sum(holder == view.me for holder in here.board.values()) + 1}")
        lines = [
            Planned(
                label, {"mark": square}, f"If {square} is still empty: {WINS}", {f"board.{square}": EMPTY}
            )
            for square in _empty(here)
            if self._effect(here, square) == WINS
        ]
        foe = _foe(view.me)
        for reply in _empty(here):
            then = _after(here, foe, reply)
            best = self._best(then)[0]
            if self._effect(then, best) == STOPS:
                note = f"If {foe} marks {reply}: {STOPS}"
                lines.append(Planned(label, {"mark": best}, note, {f"board.{reply}": foe}))
        rest = sorted(_empty(here), key=lambda square: square != CENTRE)
        lines += [Planned(label, {"mark": square}, f"Else {square}") for square in rest[:2]]
        return Plan(tuple(lines))


CENTRE: Final = Square("B2")
WINS: Final = "makes three in a line and wins"
STOPS: Final = "stops three in a line"


def load(data: Mapping[str, Json]) -> TicTacToe:
    """Build the rules from the table of `data/tic_tac_toe.yaml`.

    Raises:
        ValueError: A line is there twice.
    """
    lines = data["lines"]
    assert isinstance(lines, list), "the schema of the data lets a list through only"
    read = tuple(tuple(Square(str(one)) for one in line) for line in lines if isinstance(line, list))
    if len({frozenset(line) for line in read}) < len(read):
        raise ValueError("a line is there twice")
    return TicTacToe(read)


def _on_turn(state: State) -> Seat:
    return SEATS[len(state.marks) % 2]


def _foe(seat: Seat | None) -> Seat:
    return NOUGHT if seat == CROSS else CROSS


def _marks(view: View) -> dict[Square, Seat]:
    return {square: Seat(holder) for square, holder in view.board.items() if holder != EMPTY}


def _after(view: View, seat: Seat, square: Square) -> View:
    return View(view.me, {**view.board, square: seat})


def _empty(view: View) -> tuple[Square, ...]:
    return tuple(square for square, holder in view.board.items() if holder == EMPTY)
