"""The one loop: lodged orders, legal or not, become steps until somebody must be waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pbem.core.book import (
    OPEN,
    START,
    Orders,
    find_answering_line,
    find_owing_seats,
    parts,
    remove_used_lines,
)
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Recorded, Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Playable, Step
from pbem.core.notices import (
    FORCED,
    SILENCE,
    Answer,
    BotTookOver,
    GameEnded,
    GameStopped,
    ModeratorActed,
    PlayerReplaced,
    PlayerReturned,
    SeedPublished,
    answer_events,
    answer_text,
    is_for_silent,
    press_events,
)

STANDBY = "standby"


class Substitute(NamedTuple):
    """Who plays a seat in place of the player that the moderator's file names.

    Attributes:
        of: The name that was replaced; the substitute counts only while the file names it.
        by: The name of the standby.
    """

    of: str
    by: str


class MissPolicy(NamedTuple):
    """What becomes of a seat that misses turns.

    Attributes:
        after: So many missed in a row are too many; 0 never.
        then: A bot's skill, or "standby". Without a standby left the seat goes on as before.
        standbys: Names of those who wait for a seat, the next one first.
        players: Name of the player in each seat.
    """

    after: int = 0
    then: str = STANDBY
    standbys: tuple[str, ...] = ()
    players: Mapping[Seat, str] = {}


class Attendance(NamedTuple):
    """Who missed turns, as a game remembers it.

    Attributes:
        missed: Turns in a row that a seat missed, if any.
        substitutes: The standbys that have taken seats.
    """

    missed: Mapping[Seat, int] = {}
    substitutes: Mapping[Seat, Substitute] = {}


def bot_seats(attendance: Attendance, misses: MissPolicy) -> dict[Seat, str]:
    """Return the seats that a bot has taken over, with its skill; new orders give them back."""
    if not misses.after or misses.then == STANDBY:
        return {}
    return {seat: misses.then for seat, count in attendance.missed.items() if count >= misses.after}


def reset_misses(attendance: Attendance, seat: Seat) -> Attendance:
    """Return the attendance after a seat sent orders or one of its lines was played."""
    if seat not in attendance.missed:
        return attendance
    missed = {one: count for one, count in attendance.missed.items() if one != seat}
    return Attendance(missed, attendance.substitutes)


def reset_arrived_misses(attendance: Attendance, arrived: Iterable[Seat]) -> Attendance:
    """Return the attendance of those who play now: what others missed before them is not counted."""
    for seat in arrived:
        attendance = reset_misses(attendance, seat)
    return attendance


def count_miss(
    attendance: Attendance, seat: Seat, misses: MissPolicy
) -> tuple[Attendance, tuple[Event, ...]]:
    """Return the attendance after a seat missed a turn, and what all are told if it was one too many."""
    count = attendance.missed.get(seat, 0) + 1
    counted = Attendance({**attendance.missed, seat: count}, attendance.substitutes)
    if not misses.after or count < misses.after:
        return counted, ()

    if misses.then != STANDBY:
        told = (BotTookOver(seat, misses.then, count, to=ALL),) if count == misses.after else ()
        return counted, told
    waiting = [name for name in misses.standbys if name not in _substitute_names(attendance)]
    if not waiting:
        return counted, ()
    substitute = Substitute(misses.players.get(seat, seat), waiting[0])
    replaced = Attendance(reset_misses(counted, seat).missed, {**attendance.substitutes, seat: substitute})
    return replaced, (PlayerReplaced(seat, substitute.by, count, to=ALL),)


def _substitute_names(attendance: Attendance) -> set[str]:
    return {substitute.by for substitute in attendance.substitutes.values()}


S = TypeVar("S")


class Position(NamedTuple, Generic[S]):
    """A game between two turns.

    Attributes:
        game: The state.
        steps: How many steps were resolved so far; the next one's dice are keyed by this number.
        asked: The highest count asked so far, by owner of the label.
        over: Whether the end was announced.
        attendance: Who missed turns, and who plays in their place.
        outcome: How the game ended before its rules ended it; None if they decide.
    """

    game: S
    steps: int = 0
    asked: Mapping[str, int] = {}
    over: bool = False
    attendance: Attendance = Attendance()
    outcome: Outcome | None = None


class Policy(NamedTuple):
    """What a run is given besides orders: who answers without a fitting line, and what was decided.

    Attributes:
        due: The deadline of the ask that is open when the run begins has passed.
        silent: What a silent seat does then: "wait", "hold" or a bot's skill.
        bots: Seats that a bot plays at once, and its skill.
        forced: A seat without a real choice is not waited for.
        most_steps: A run ends after this many steps.
        misses: What becomes of seats that miss turns.
        excused: Seats whose silence is no missed turn, for their players are away with notice.
        arrived: Seats that missed turns under another player than the one who has them now.
        held: Seats whose orders the moderator holds back: none of their lines is looked at.
        acts: What the moderator did since the last turn, as all are told.
        act_facts: The kind of each of these acts, and what tells it from others.
        ended: How the players ended the game by a vote; None lets it go on.
    """

    due: bool = False
    silent: Mapping[Seat, str] = {}
    bots: Mapping[Seat, str] = {}
    forced: bool = False
    most_steps: int = 100
    misses: MissPolicy = MissPolicy()
    excused: frozenset[Seat] = frozenset()
    arrived: frozenset[Seat] = frozenset()
    held: frozenset[Seat] = frozenset()
    acts: tuple[str, ...] = ()
    act_facts: tuple[Mapping[str, str | int], ...] = ()
    ended: Outcome | None = None


class TakenStep(NamedTuple):
    """A step as the turn records it: per seat the order and what gave it."""

    label: Label
    kind: str
    moves: Mapping[Seat, Json]
    sources: Mapping[Seat, str]


class ResolvedStep(NamedTuple, Generic[S]):
    """A step as it was resolved: the game before it, what it was given, and what it came to."""

    game: S
    moves: Mapping[Seat, Any]
    dice: Dice
    step: Step[S]


class Run(NamedTuple, Generic[S]):
    """What one batch run of one game comes to; nothing has been written yet.

    Attributes:
        position: The game after it.
        steps: The steps it took; none means that nothing happened.
        events: Everything that happened, each with its audience.
        orders: What every seat has lodged for later.
        ask: Whom the game waits for now, or how it ended.
        waiting: The seats that still owe an answer.
        shots: The steps as they were resolved, as many as `steps`, for those who look at what lay between.
    """

    position: Position[S]
    steps: tuple[TakenStep, ...]
    events: tuple[Recorded, ...]
    orders: Mapping[Seat, Orders]
    ask: Ask | Outcome
    waiting: frozenset[Seat]
    shots: tuple[ResolvedStep[S], ...] = ()


__all__ = ["Policy", "Position", "Run", "TakenStep", "advance"]

V = TypeVar("V")
M = TypeVar("M")


def advance(
    rules: Playable[S, V, M],
    seats: tuple[Seat, ...],
    position: Position[S],
    orders: Mapping[Seat, Orders],
    seed: bytes,
    policy: Policy,
    dice: Callable[[bytes, int], Dice] = Dice,
) -> Run[S]:
    """Resolve as many steps as the lodged orders, bots and policies allow.

    Args:
        rules: The rules of the game, with its opening.
        seats: All seats, in seating order.
        position: The game now.
        orders: What each seat has lodged; seats without orders may be left out.
        seed: The host's secret seed; the luck words join it at the deal.
        policy: How asks without a fitting line are answered.
        dice: What makes the dice of a step from the seed and the step's number.
    """
    lodged = {seat: orders.get(seat, Orders()) for seat in seats}
    return _Table(rules, position, lodged, seed, policy, dice).play()


class _Table(Generic[S, V, M]):
    """The state of one run while the loop turns."""

    def __init__(
        self,
        rules: Playable[S, V, M],
        position: Position[S],
        orders: dict[Seat, Orders],
        seed: bytes,
        policy: Policy,
        dice: Callable[[bytes, int], Dice],
    ) -> None:
        self.rules = rules
        self.position = position._replace(
            attendance=reset_arrived_misses(position.attendance, policy.arrived)
        )
        self.before = (self.position, dict(orders))
        self.orders = orders
        self.seed = seed
        self.policy = policy
        self.dice = dice
        self.seats = tuple(orders)
        self.steps: list[TakenStep] = []
        self.shots: list[ResolvedStep[S]] = []
        self.events: list[Recorded] = []

    def play(self) -> Run[S]:
        """Turn the loop until a seat must be waited for, the game ends or the cap is reached."""
        if self.policy.acts:
            self._record("", (ModeratorActed(text, to=ALL) for text in self.policy.acts))
        self._record("", press_events(self.orders))
        self._return_seats()
        if self.policy.ended is not None and not self._is_over():
            return self._stop(self.policy.ended)
        first: Label | None = None
        while True:
            ask = self.position.outcome or self.rules.ask(self.position.game)
            if isinstance(ask, Outcome):
                return self._end(ask)
            if ask.label == OPEN and self.steps:
                return self._run(ask, ask.seats)  # all are told the seals before one is opened
            if len(self.steps) >= self.policy.most_steps:
                return self._run(ask, self._owing_seats(ask))
            first = first or ask.label
            answers = self._answers(ask, is_first=ask.label == first)
            if missing := ask.seats - answers.keys():
                return self._run(ask, missing)
            self._resolve(ask, answers)

    def _owing_seats(self, ask: Ask) -> frozenset[Seat]:
        game, forced = self.position.game, self.policy.forced
        bots = {*self.policy.bots, *self._bots_by_seat()}
        return find_owing_seats(self.rules, game, ask, self.orders, bots=bots, forced=forced)

    def _bots_by_seat(self) -> Mapping[Seat, str]:
        return bot_seats(self.position.attendance, self.policy.misses)

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
            due = is_first and self.policy.due
            if lodged.wait and not due and seat in ask.seats:
                continue  # its lines count at the deadline and not before
            found = None
            is_too_old = ask.label == OPEN and not lodged.fresh  # words sent along with a seal were no secret
            if seat not in self.policy.held and not is_too_old:
                found = find_answering_line(
                    self.rules, view, seat, ask.label, lodged, may_stop=may_stop, due=due
                )
                told[seat] = (found.orders, found.events)
            if found is not None and found.line is not None and found.move is not None:
                answers[seat] = Answer(found.line.do, found.move, f"order {found.line.number}", found.line)
            elif seat in ask.seats and (given := self._answer_without_line(ask, seat, view, due=due)):
                answers[seat] = given
        everybody = not ask.seats - answers.keys()
        for seat, (kept, events) in told.items():
            if everybody or seat not in answers:  # an answer that must wait is looked up again next time
                self.orders[seat] = kept
                self._record(ask.label, events)
        return answers

    def _answer_without_line(self, ask: Ask, seat: Seat, view: V, *, due: bool) -> Answer[M] | None:
        """Answer for a seat none of whose lines fits, or return None to wait for it."""
        do, source = self._policy_answer(ask, seat, view, due=due)
        return None if do is None else Answer(do, self.rules.read(do), source)

    def _policy_answer(self, ask: Ask, seat: Seat, view: V, *, due: bool) -> tuple[Json, str]:
        """Return what a bot or a policy answers for a seat, and the source; None to wait."""
        policy = self.policy
        if (skill := policy.bots.get(seat)) is not None:
            return self._bot(seat, skill), f"bot {skill}"
        silent = policy.silent.get(seat, "wait")
        answers_now = due and silent != "wait"
        if (policy.forced or answers_now) and (only := self.rules.choices(view).only) is not None:
            return only, FORCED
        if due and ask.silence is not None:
            return ask.silence, SILENCE
        if (skill := self._bots_by_seat().get(seat)) is not None:
            return self._bot(seat, skill), f"taken over by {skill}"
        if not answers_now:
            return None, ""
        if silent == "hold":
            return self.rules.hold(view), silent
        return self._bot(seat, silent), f"stand-in {silent}"

    def _bot(self, seat: Seat, skill: str) -> Json:
        dice = Dice(self.seed, self.position.steps).apart("bot", seat)
        return bot_order(self.rules, self.position.game, seat, dice, skill)

    def _resolve(self, ask: Ask, answers: Mapping[Seat, Answer[M]]) -> None:
        for seat, answer in answers.items():
            self._record(ask.label, answer_events(ask.label, seat, answer))
        dice, moves = self.dice(self.seed, self.position.steps), {seat: a.move for seat, a in answers.items()}
        step = self.rules.resolve(self.position.game, moves, dice)
        self.shots.append(ResolvedStep(self.position.game, moves, dice, step))
        self._record(ask.label, step.events)
        for seat in self.seats:
            given = answers.get(seat)
            how = answer_text(given) if given else "was skipped"
            self.orders[seat], lapses = remove_used_lines(
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
        attendance = self._attendance(ask.label, answers)
        asked = self._label_counts(ask.label)
        self.position = Position(step.state, self.position.steps + 1, asked, attendance=attendance)

    def _attendance(self, label: Label, answers: Mapping[Seat, Answer[M]]) -> Attendance:
        """Count who missed this step and who did not; forced moves and bots' are neither."""
        attendance = self.position.attendance
        for seat, answer in answers.items():
            if answer.line is not None:
                attendance = reset_misses(attendance, seat)
            elif is_for_silent(answer.source) and label != START and seat not in self.policy.excused:
                attendance, told = count_miss(attendance, seat, self.policy.misses)
                self._record(label, told)
        return attendance

    def _return_seats(self) -> None:
        """Give seats to their players again that have sent orders."""
        bots = self._bots_by_seat()
        for seat in [seat for seat, lodged in self.orders.items() if lodged.fresh]:
            if seat in bots:
                self._record("", (PlayerReturned(seat, to=ALL),))
            attendance = reset_misses(self.position.attendance, seat)
            self.position = self.position._replace(attendance=attendance)

    def _record(self, at: str, events: Iterable[Event]) -> None:
        self.events.extend(Recorded(at, event) for event in events)

    def _label_counts(self, label: Label) -> Mapping[str, int]:
        found = parts(label)
        if found is None:
            return self.position.asked
        return {**self.position.asked, found.owner: found.count}

    def _end(self, outcome: Outcome) -> Run[S]:
        if not self.position.over:
            self.position = self.position._replace(over=True)
            ended = GameEnded(outcome.reason, outcome.winners, outcome.scores, outcome.decided_by, to=ALL)
            self._record("", (ended, SeedPublished(self.seed.hex(), to=ALL)))
        self.orders = dict.fromkeys(self.seats, Orders())
        return self._run(outcome, frozenset())

    def _is_over(self) -> bool:
        ask = self.position.outcome or self.rules.ask(self.position.game)
        return isinstance(ask, Outcome)

    def _stop(self, outcome: Outcome) -> Run[S]:
        """End the game as the players decided, wherever it stands."""
        self.position = self.position._replace(over=True, outcome=outcome)
        stopped = GameStopped(outcome.reason, outcome.decided_by, to=ALL)
        self._record("", (stopped, SeedPublished(self.seed.hex(), to=ALL)))
        self.orders = dict.fromkeys(self.seats, Orders())
        return self._run(outcome, frozenset())

    def _run(self, ask: Ask | Outcome, waiting: frozenset[Seat]) -> Run[S]:
        if not self.steps and self.position.outcome is self.before[0].outcome:
            position, orders = self.before
            return Run(position, (), (), orders, ask, waiting)
        taken = {seat: lodged.remaining_orders() for seat, lodged in self.orders.items()}
        steps, shots = tuple(self.steps), tuple(self.shots)
        return Run(self.position, steps, tuple(self.events), taken, ask, waiting, shots)
