"""The one loop: lodged orders, legal or not, become steps until somebody must be waited for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pbem.core.book import Line, OrderFired, Orders, consult, turn_page
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Recorded, Seat, only
from pbem.core.interface import Ask, Json, Label, Outcome, Playable
from pbem.core.labels import parts
from pbem.core.notices import GameEnded, MoveForced, PressSent, SeatSilent, SeedPublished
from pbem.core.owing import owing

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """A game between two turns.

    Attributes:
        game: The state.
        steps: How many steps were resolved so far; the next one's dice are keyed by this number.
        asked: The highest count asked so far, by owner of the label.
        over: Whether the end was announced.
    """

    game: S
    steps: int = 0
    asked: Mapping[str, int] = field(default_factory=dict)
    over: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """How asks without a fitting line are answered.

    Attributes:
        due: The deadline of the ask that is open when the run begins has passed.
        silent: What a silent seat does then: "wait", "hold" or a bot's skill.
        bots: Seats that a bot plays at once, and its skill.
        forced: A seat without a real choice is not waited for.
        most_steps: A run ends after this many steps.
    """

    due: bool = False
    silent: Mapping[Seat, str] = field(default_factory=dict)
    bots: Mapping[Seat, str] = field(default_factory=dict)
    forced: bool = False
    most_steps: int = 100


@dataclass(frozen=True, slots=True)
class Answer(Generic[M]):
    """One seat's part of a step.

    Attributes:
        do: The order as written.
        move: The order as read.
        source: What gave it: "order 2", "forced", "hold", "bot greedy".
        line: The line that gave it, if one did.
    """

    do: Json
    move: M
    source: str
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step as the turn records it: per seat the order and what gave it."""

    label: Label
    kind: str
    moves: Mapping[Seat, Json]
    sources: Mapping[Seat, str]


@dataclass(frozen=True, slots=True)
class Run(Generic[S]):
    """What one batch run of one game comes to; nothing has been written yet.

    Attributes:
        position: The game after it.
        steps: The steps it took; none means that nothing happened.
        events: Everything that happened, each with its audience.
        orders: What every seat has lodged for later.
        ask: Whom the game waits for now, or how it ended.
        waiting: The seats that still owe an answer.
    """

    position: Position[S]
    steps: tuple[TakenStep, ...]
    events: tuple[Recorded, ...]
    orders: Mapping[Seat, Orders]
    ask: Ask | Outcome
    waiting: frozenset[Seat]


def advance(
    rules: Playable[S, V, M],
    seats: tuple[Seat, ...],
    position: Position[S],
    orders: Mapping[Seat, Orders],
    seed: bytes,
    policy: Policy,
) -> Run[S]:
    """Resolve as many steps as the lodged orders, bots and policies allow.

    Args:
        rules: The rules of the game, with its opening.
        seats: All seats, in seating order.
        position: The game now.
        orders: What each seat has lodged; seats without orders may be left out.
        seed: The host's secret seed; the luck words join it at the deal.
        policy: How asks without a fitting line are answered.
    """
    lodged = {seat: orders.get(seat, Orders()) for seat in seats}
    return _Table(rules, position, lodged, seed, policy).play()


class _Table(Generic[S, V, M]):
    """The state of one run while the loop turns."""

    def __init__(
        self,
        rules: Playable[S, V, M],
        position: Position[S],
        orders: dict[Seat, Orders],
        seed: bytes,
        policy: Policy,
    ) -> None:
        self.rules = rules
        self.position = position
        self.before = (position, dict(orders))
        self.orders = orders
        self.seed = seed
        self.policy = policy
        self.seats = tuple(orders)
        self.steps: list[TakenStep] = []
        self.events: list[Recorded] = []

    def play(self) -> Run[S]:
        """Turn the loop until a seat must be waited for, the game ends or the cap is reached."""
        self._send_press()
        first: Label | None = None
        while True:
            ask = self.rules.ask(self.position.game)
            if isinstance(ask, Outcome):
                return self._end(ask)
            if len(self.steps) >= self.policy.most_steps:
                return self._run(ask, self._owing(ask))
            first = first or ask.label
            answers = self._answers(ask, is_first=ask.label == first)
            if missing := ask.seats - answers.keys():
                return self._run(ask, missing)
            self._resolve(ask, answers)

    def _owing(self, ask: Ask) -> frozenset[Seat]:
        policy = self.policy
        return owing(
            self.rules, self.position.game, ask, self.orders, bots=policy.bots.keys(), forced=policy.forced
        )

    def _answers(self, ask: Ask, *, is_first: bool) -> dict[Seat, Answer[M]]:
        """Collect what lines, bots and policies answer; seats that are waited for are left out."""
        answers: dict[Seat, Answer[M]] = {}
        told: dict[Seat, tuple[Orders, tuple[Event, ...]]] = {}
        for seat in self.seats:
            if seat not in ask.seats and seat not in ask.optional:
                continue
            view = self.rules.view(self.position.game, seat)
            lodged = self.orders[seat]
            may_stop = not (is_first and lodged.fresh)
            found = consult(self.rules, view, seat, ask.label, lodged, may_stop=may_stop)
            told[seat] = (found.orders, found.events)
            if found.line is not None and found.move is not None:
                answers[seat] = Answer(found.line.do, found.move, f"order {found.line.number}", found.line)
            elif seat in ask.seats and (given := self._without_line(ask, seat, view, due=is_first)):
                answers[seat] = given
        everybody = not ask.seats - answers.keys()
        for seat, (kept, events) in told.items():
            if everybody or seat not in answers:  # an answer that must wait is looked up again next time
                self.orders[seat] = kept
                self._record(ask.label, events)
        return answers

    def _without_line(self, ask: Ask, seat: Seat, view: V, *, due: bool) -> Answer[M] | None:
        """Answer for a seat none of whose lines fits, or return None to wait for it."""
        rules = self.rules
        do: Json = None
        if (skill := self.policy.bots.get(seat)) is not None:
            do, source = self._bot(seat, view, skill), f"bot {skill}"
        elif self.policy.forced and (do := rules.choices(view).only) is not None:
            source = "forced"
        elif due and self.policy.due and ask.silence is not None:
            do, source = ask.silence, "silence"
        elif due and self.policy.due and (silent := self.policy.silent.get(seat, "wait")) != "wait":
            if silent == "hold":
                do, source = rules.hold(view), "hold"
            else:
                do, source = self._bot(seat, view, silent), f"stand-in {silent}"
        if do is None:
            return None
        return Answer(do, rules.read(do), source)

    def _bot(self, seat: Seat, view: V, skill: str) -> Json:
        dice = Dice(self.seed, self.position.steps).apart("bot", seat)
        return self.rules.suggest(view, dice, skill)

    def _resolve(self, ask: Ask, answers: Mapping[Seat, Answer[M]]) -> None:
        for seat, answer in answers.items():
            self._record(ask.label, _how_answered(ask.label, seat, answer))
        dice = Dice(self.seed, self.position.steps)
        step = self.rules.resolve(self.position.game, {seat: a.move for seat, a in answers.items()}, dice)
        self._record(ask.label, step.events)
        for seat in self.seats:
            given = answers.get(seat)
            how = _in_words(given) if given else "was skipped"
            self.orders[seat], lapses = turn_page(
                seat, self.orders[seat], ask.label, given.line if given else None, how
            )
            self._record(ask.label, lapses)
        self.steps.append(
            TakenStep(
                ask.label,
                ask.kind,
                {seat: answer.do for seat, answer in answers.items()},
                {seat: answer.source for seat, answer in answers.items()},
            )
        )
        self.position = Position(step.state, self.position.steps + 1, self._counted(ask.label))

    def _record(self, at: str, events: Iterable[Event]) -> None:
        self.events.extend(Recorded(at, event) for event in events)

    def _counted(self, label: Label) -> Mapping[str, int]:
        found = parts(label)
        if found is None:
            return self.position.asked
        return {**self.position.asked, found.owner: found.count}

    def _send_press(self) -> None:
        for seat, lodged in self.orders.items():
            for press in lodged.press:
                readers = press.to if press.to == ALL else frozenset(press.to) | {seat}
                named = press.to if press.to == ALL else tuple(sorted(press.to))
                self._record("", (PressSent(seat, named, press.say, to=readers),))

    def _end(self, outcome: Outcome) -> Run[S]:
        if not self.position.over:
            self.position = replace(self.position, over=True)
            ended = GameEnded(outcome.reason, outcome.winners, outcome.scores, outcome.decided_by, to=ALL)
            self._record("", (ended, SeedPublished(self.seed.hex(), to=ALL)))
        self.orders = dict.fromkeys(self.seats, Orders())
        return self._run(outcome, frozenset())

    def _run(self, ask: Ask | Outcome, waiting: frozenset[Seat]) -> Run[S]:
        if not self.steps:
            position, orders = self.before
            return Run(position, (), (), orders, ask, waiting)
        taken = {seat: lodged.left_over() for seat, lodged in self.orders.items()}
        return Run(self.position, tuple(self.steps), tuple(self.events), taken, ask, waiting)


def is_for_silent(source: str) -> bool:
    """Tell whether a move came from the game's policy for silent seats."""
    return source == "hold" or source.startswith("stand-in ")


def _in_words(answer: Answer[M]) -> str:
    """Return how an ask was answered, for the owner of the move."""
    if answer.line is not None:
        return f"was answered by order {answer.line.number}"
    if answer.source == "forced":
        return "had one legal order, which was played"
    return f"was answered for you ({answer.source})"


def _how_answered(label: Label, seat: Seat, answer: Answer[M]) -> tuple[Event, ...]:
    """Return what the owner of a move is told about where it came from."""
    if answer.line is not None:
        return (OrderFired(seat, label, answer.line.number, answer.do, to=only(seat)),)
    if answer.source == "forced":
        return (MoveForced(seat, label, answer.do, to=only(seat)),)
    if answer.source.startswith("bot "):
        return ()
    return (SeatSilent(seat, label, answer.source, answer.do, to=only(seat)),)
