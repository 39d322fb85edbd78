"""The opening of every game: seats send start forms, their luck words join the seed, and the rules deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Generic, TypeVar

from pbem.core.bots import bot_order, never
from pbem.core.dice import Dice
from pbem.core.drafts import Draft, draft_of
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Horizon, Later, Outlook, Plan, horizon_of, outlook_of, plan_of
from pbem.core.interface import Ask, Choice, Choices, Forecast, Json, Menu, Outcome, Problem, Rules, Step
from pbem.core.labels import START
from pbem.core.wording import Wording, as_written, wording_of

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Opened(Generic[S]):
    """A game that was dealt: the luck words that made its dice, and the rules' own state."""

    luck: Mapping[Seat, str]
    state: S


@dataclass(frozen=True, slots=True)
class StartView:
    """What a seat knows before the deal."""

    me: Seat | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class StartForm:
    """A seat's start form: its luck word, and what else the rules ask for.

    Attributes:
        luck: The luck word.
        answers: The other fields.
        order: All of it as it was written: once the game was dealt, it may be an order of the rules.
    """

    luck: str
    answers: Json
    order: Json


@dataclass(frozen=True, slots=True)
class Question:
    """What the rules ask in the start form besides luck words: the field, an answer, and what it means."""

    name: str
    example: Json
    meaning: str


@dataclass(frozen=True)
class GameDealt(Event):
    """The start forms were in and the game was dealt; the luck words are public from now on."""

    luck: Mapping[Seat, str]


UNDEALT: Final = "the game has not been dealt yet"


class Opening(Generic[S, V, M]):
    """Any rules, with the opening before them; to the loop this is one more set of rules."""

    def __init__(
        self,
        rules: Rules[S, V, M],
        seats: tuple[Seat, ...],
        options: Mapping[str, Json],
        questions: tuple[Question, ...] = (),
        takes: Callable[[Json], bool] = never,
    ) -> None:
        """Put the opening before rules.

        Args:
            rules: The rules.
            seats: The seats at the table.
            options: The rules' options in force.
            questions: What the rules ask in the start form.
            takes: Tells whether the rules' own schema takes an order; asked of those with a field `luck`.
        """
        self.rules = rules
        self.seats = seats
        self.options = options
        self.questions = questions
        self.takes = takes

    def ask(self, game: Opened[S] | None) -> Ask | Outcome:
        """Ask all seats for their start forms, then whatever the rules ask."""
        if game is None:
            return Ask("start", START, frozenset(self.seats))
        return self.rules.ask(game.state)

    def view(self, game: Opened[S] | None, seat: Seat | None) -> V | StartView:
        """Return what a seat may know."""
        return StartView(seat, self.seats) if game is None else self.rules.view(game.state, seat)

    def read(self, order: Json) -> M | StartForm:
        """Read a start form if it has a luck word, else an order of the rules."""
        if isinstance(order, dict) and "luck" in order:
            answers: Json = {key: value for key, value in order.items() if key != "luck"}
            return StartForm(str(order["luck"]), answers, order)
        return self.rules.read(order)

    def _dealt(self, move: M | StartForm) -> M | StartForm:
        """Return what a move is in a game that was dealt: `luck` may be a field of the rules' orders."""
        is_theirs = isinstance(move, StartForm) and self.takes(move.order)
        return self.rules.read(move.order) if is_theirs and isinstance(move, StartForm) else move

    def check(self, view: V | StartView, move: M | StartForm) -> tuple[Problem, ...]:
        """Check an order against a view; a start form is legal before the deal only, and nothing else is."""
        if isinstance(view, StartView):
            if isinstance(move, StartForm):
                return ()
            return (Problem((), "the game has not been dealt yet", "Answer the start form: {luck: WORDS}."),)
        move = self._dealt(move)
        if isinstance(move, StartForm):
            return (Problem(("luck",), "the game has been dealt", "Luck words count before the deal only."),)
        return self.rules.check(view, move)

    def hold(self, view: V | StartView) -> Json:
        """Return a silent seat's order: an empty luck word before the deal, then as the rules say."""
        return {"luck": ""} if isinstance(view, StartView) else self.rules.hold(view)

    def bot_order(self, game: Opened[S] | None, seat: Seat, dice: Dice, skill: str) -> Json:
        """Return a bot's order for a seat; before the deal an empty luck word."""
        if game is None:
            return {"luck": ""}
        return bot_order(self.rules, game.state, seat, dice, skill, self.takes)

    def choices(self, view: V | StartView) -> Choices:
        """Return what may be ordered now."""
        if isinstance(view, StartView):
            example: dict[str, Json] = {"luck": "any words of yours"}
            example |= {one.name: one.example for one in self.questions}
            form = Menu(("",), "Your start form", (Choice(example, "luck words join the dice"),))
            asked = (
                Menu((one.name,), one.name, (Choice(one.example, one.meaning),)) for one in self.questions
            )
            return Choices((form, *asked))
        return self.rules.choices(view)

    def forecast(self, view: V | StartView, move: M | StartForm) -> Forecast:
        """Return what an order will try."""
        move = move if isinstance(view, StartView) else self._dealt(move)
        if isinstance(move, StartForm):
            luck = f"Your luck words will be mixed into the dice: {move.luck or '(none)'}"
            answers = move.answers if isinstance(move.answers, dict) else {}
            meanings = {one.name: f" ({one.meaning})" for one in self.questions}
            said = (f"Your {name}: {answer}{meanings.get(name, '')}" for name, answer in answers.items())
            return Forecast((luck, *said))
        assert not isinstance(view, StartView), "a move was forecast before the deal"
        return self.rules.forecast(view, move)

    @cached_property
    def wording(self) -> Wording:
        """How the rules say things; of a start form what it answers."""
        found = wording_of(self.rules)

        def order_words(order: Json) -> str:
            if isinstance(order, dict) and "luck" in order and not self.takes(order):
                return f"start form: {as_written(order)}"
            return found.order(order)

        return replace(found, order=order_words)

    def draft(self, view: V | StartView, choices: Choices) -> Draft:
        """Return the draft of the owner of a view; before the deal, a start form."""
        if isinstance(view, StartView):
            return Draft(now=next(choices.whole(), None))
        return draft_of(self.rules, view, choices, self.takes)

    @cached_property
    def horizon(self) -> Horizon:
        """What is always the same about the asks and views of the rules."""
        return horizon_of(self.rules)

    def foresee(self, view: V | StartView, later: Later[M | StartForm]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask; before the deal, nothing."""
        if isinstance(view, StartView):
            return Outlook(unknown=UNDEALT)
        move = self._dealt(later.move)
        if isinstance(move, StartForm):
            return Outlook(unknown=UNDEALT)
        before = later.before and tuple(one if one is None else self._dealt(one) for one in later.before)
        return outlook_of(self.rules, view, replace(later, move=move, before=before))

    def plan(self, view: V | StartView, now: M | StartForm | None, asks: int) -> Plan:
        """Return lines for the next asks of a seat; before the deal there are none."""
        if isinstance(view, StartView):
            return Plan()
        move = None if now is None else self._dealt(now)
        return Plan() if isinstance(move, StartForm) else plan_of(self.rules, view, move, asks)

    def resolve(
        self, game: Opened[S] | None, moves: Mapping[Seat, M | StartForm], dice: Dice
    ) -> Step[Opened[S] | None]:
        """Deal when all start forms are in; afterwards resolve by the rules, with the game's own dice."""
        if game is None:
            forms = {seat: move for seat, move in moves.items() if isinstance(move, StartForm)}
            luck = {seat: form.luck for seat, form in forms.items()}
            answers = {seat: form.answers for seat, form in forms.items()}
            state = self.rules.setup(self.seats, self.options, answers, dice.with_luck(luck))
            return Step(Opened(luck, state), (GameDealt(luck, to=ALL),))
        step = self.rules.resolve(game.state, self.typed(moves), dice.with_luck(game.luck))
        return Step(Opened(game.luck, step.state), step.events)

    def typed(self, moves: Mapping[Seat, M | StartForm]) -> dict[Seat, M]:
        """Return the moves of a step of a game that was dealt, as the rules take them."""
        meant = {seat: self._dealt(move) for seat, move in moves.items()}
        return {seat: move for seat, move in meant.items() if not isinstance(move, StartForm)}

    def redeal(self, game: Opened[S] | None, seat: Seat | None, dice: Dice) -> Opened[S] | None:
        """Return another world that the seat cannot tell from this one."""
        return None if game is None else Opened(game.luck, self.rules.redeal(game.state, seat, dice))
