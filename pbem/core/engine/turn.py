"""The one loop: lodged orders, legal or not, become steps until somebody must be waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.engine.book import Orders, consult, owing, turn_page
from pbem.core.engine.missed import Attendance, anew, attended, missed_again, taken_over
from pbem.core.engine.position import Policy, Position, Run, Shot, TakenStep
from pbem.core.engine.press import delivered
from pbem.core.engine.sources import FORCED, SILENCE, Answer, how_answered, in_words, is_for_silent
from pbem.core.events import ALL, Event, Recorded, Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Playable
from pbem.core.labels import OPEN, START, parts

__all__ = ["Policy", "Position", "Run", "TakenStep", "advance"]

S = TypeVar("S")
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
        self.position = position._replace(attendance=anew(position.attendance, policy.arrived))
        self.before = (self.position, dict(orders))
        self.orders = orders
        self.seed = seed
        self.policy = policy
        self.dice = dice
        self.seats = tuple(orders)
        self.steps: list[TakenStep] = []
        self.shots: list[Shot[S]] = []
        self.events: list[Recorded] = []

    def play(self) -> Run[S]:
        """Turn the loop until a seat must be waited for, the game ends or the cap is reached."""
        if self.policy.acts:
            from pbem.core.engine.notices import ModeratorActed  # notices are loaded where there are some

            self._record("", (ModeratorActed(text, to=ALL) for text in self.policy.acts))
        self._record("", delivered(self.orders))
        self._welcome_back()
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
                return self._run(ask, self._owing(ask))
            first = first or ask.label
            answers = self._answers(ask, is_first=ask.label == first)
            if missing := ask.seats - answers.keys():
                return self._run(ask, missing)
            self._resolve(ask, answers)

    def _owing(self, ask: Ask) -> frozenset[Seat]:
        game, forced = self.position.game, self.policy.forced
        bots = {*self.policy.bots, *self._taken_over()}
        return owing(self.rules, game, ask, self.orders, bots=bots, forced=forced)

    def _taken_over(self) -> Mapping[Seat, str]:
        return taken_over(self.position.attendance, self.policy.misses)

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
                found = consult(self.rules, view, seat, ask.label, lodged, may_stop=may_stop, due=due)
                told[seat] = (found.orders, found.events)
            if found is not None and found.line is not None and found.move is not None:
                answers[seat] = Answer(found.line.do, found.move, f"order {found.line.number}", found.line)
            elif seat in ask.seats and (given := self._without_line(ask, seat, view, due=due)):
                answers[seat] = given
        everybody = not ask.seats - answers.keys()
        for seat, (kept, events) in told.items():
            if everybody or seat not in answers:  # an answer that must wait is looked up again next time
                self.orders[seat] = kept
                self._record(ask.label, events)
        return answers

    def _without_line(self, ask: Ask, seat: Seat, view: V, *, due: bool) -> Answer[M] | None:
        """Answer for a seat none of whose lines fits, or return None to wait for it."""
        do, source = self._given(ask, seat, view, due=due)
        return None if do is None else Answer(do, self.rules.read(do), source)

    def _given(self, ask: Ask, seat: Seat, view: V, *, due: bool) -> tuple[Json, str]:
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
        if (skill := self._taken_over().get(seat)) is not None:
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
            self._record(ask.label, how_answered(ask.label, seat, answer))
        dice, moves = self.dice(self.seed, self.position.steps), {seat: a.move for seat, a in answers.items()}
        step = self.rules.resolve(self.position.game, moves, dice)
        self.shots.append(Shot(self.position.game, moves, dice, step))
        self._record(ask.label, step.events)
        for seat in self.seats:
            given = answers.get(seat)
            how = in_words(given) if given else "was skipped"
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
        attendance = self._attendance(ask.label, answers)
        asked = self._counted(ask.label)
        self.position = Position(step.state, self.position.steps + 1, asked, attendance=attendance)

    def _attendance(self, label: Label, answers: Mapping[Seat, Answer[M]]) -> Attendance:
        """Count who missed this step and who did not; forced moves and bots' are neither."""
        attendance = self.position.attendance
        for seat, answer in answers.items():
            if answer.line is not None:
                attendance = attended(attendance, seat)
            elif is_for_silent(answer.source) and label != START and seat not in self.policy.excused:
                attendance, told = missed_again(attendance, seat, self.policy.misses)
                self._record(label, told)
        return attendance

    def _welcome_back(self) -> None:
        """Give seats to their players again that have sent orders."""
        bots = self._taken_over()
        for seat in [seat for seat, lodged in self.orders.items() if lodged.fresh]:
            if seat in bots:
                from pbem.core.engine.notices import PlayerReturned

                self._record("", (PlayerReturned(seat, to=ALL),))
            attendance = attended(self.position.attendance, seat)
            self.position = self.position._replace(attendance=attendance)

    def _record(self, at: str, events: Iterable[Event]) -> None:
        self.events.extend(Recorded(at, event) for event in events)

    def _counted(self, label: Label) -> Mapping[str, int]:
        found = parts(label)
        if found is None:
            return self.position.asked
        return {**self.position.asked, found.owner: found.count}

    def _end(self, outcome: Outcome) -> Run[S]:
        if not self.position.over:
            from pbem.core.engine.notices import GameEnded, SeedPublished

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
        from pbem.core.engine.notices import GameStopped, SeedPublished

        self.position = self.position._replace(over=True, outcome=outcome)
        stopped = GameStopped(outcome.reason, outcome.decided_by, to=ALL)
        self._record("", (stopped, SeedPublished(self.seed.hex(), to=ALL)))
        self.orders = dict.fromkeys(self.seats, Orders())
        return self._run(outcome, frozenset())

    def _run(self, ask: Ask | Outcome, waiting: frozenset[Seat]) -> Run[S]:
        if not self.steps and self.position.outcome is self.before[0].outcome:
            position, orders = self.before
            return Run(position, (), (), orders, ask, waiting)
        taken = {seat: lodged.left_over() for seat, lodged in self.orders.items()}
        steps, shots = tuple(self.steps), tuple(self.shots)
        return Run(self.position, steps, tuple(self.events), taken, ask, waiting, shots)
