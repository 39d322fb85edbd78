"""The opening of every game: seats send start forms, their luck words join the seed, and the rules deal."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from pbem.core.book import OPEN, START
from pbem.core.bots import accept_no_order, bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, event_kind
from pbem.core.foresight import Horizon, Later, Outlook, Plan, horizon_of, name_problems, outlook_of, plan_of
from pbem.core.interface import (
    Ask,
    Choice,
    Choices,
    Draft,
    Forecast,
    Json,
    Menu,
    Outcome,
    Problem,
    Rules,
    Step,
    draft_of,
)
from pbem.core.wording import Wording, plain_value_text, wording_of

SEAL: Final = "[0-9a-f]{64}"
"""How a seal is written."""

UNOPENED: Final[dict[str, Json]] = {"luck": ""}
"""What stands for a seat that does not open its seal."""


def seal_of(game: str, seat: str, words: str) -> str:
    """Return the seal of luck words: it tells nothing of words that nobody can guess, and fits no others."""
    return hashlib.sha256(json.dumps(["seal", game, seat, words]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StartView:
    """What a seat knows before the deal."""

    me: Seat | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SealedView(StartView):
    """What a seat knows before the deal of a game whose luck words are sealed.

    Attributes:
        game: The id of the game, which is part of each seal.
        seals: The seals that were told to all; None while they come in.
        words: The luck words that were sent without a seal, told with the seals.
    """

    game: str
    seals: Mapping[Seat, str] | None
    words: Mapping[Seat, str]


class StartForm(NamedTuple):
    """A seat's start form: its luck word or the seal of it, and what else the rules ask for.

    Attributes:
        luck: The luck word.
        answers: The other fields.
        order: All of it as it was written: once the game was dealt, it may be an order of the rules.
        seal: The seal in place of a luck word, or "".
    """

    luck: str
    answers: Json
    order: Json
    seal: str = ""


@dataclass(frozen=True, slots=True)
class SealedGame:
    """A game whose start forms are in: the seals are told to all, and are to be opened.

    Attributes:
        seals: The seals of the seats that sent one.
        luck: The luck words of all others; "" for none.
        answers: What else each seat wrote in its start form.
    """

    seals: Mapping[Seat, str]
    luck: Mapping[Seat, str]
    answers: Mapping[Seat, Any]

    def ask(self) -> Ask:
        """Ask those who sent a seal for the words of it; silence leaves it shut in any game.

        The kind is that of start forms: what templates do for them, before the deal, is right here too.
        """
        return Ask("start", OPEN, frozenset(self.seals), silence=UNOPENED)

    def opened(self, words: Mapping[Seat, str]) -> dict[Seat, str]:
        """Return the luck words of all seats; a seal that was not opened stands for its words."""
        return {**self.luck, **{seat: words.get(seat) or seal for seat, seal in self.seals.items()}}


@event_kind
class LuckSealed(Event):
    """The start forms were in: their seals, and the luck words that came without one, are public now."""

    seals: Mapping[Seat, str]
    luck: Mapping[Seat, str]


@event_kind
class SealsUnopened(Event):
    """These seats did not open their seals; each seal counts in place of the words."""

    seats: tuple[Seat, ...]


def start_problems(view: StartView, form: StartForm) -> tuple[Problem, ...]:
    """Say what is wrong with a start form, or with the words of a seal.

    Args:
        view: What the seat knows.
        form: What it sent.
    """
    if not isinstance(view, SealedView):
        return ()
    if view.seals is None:
        return _seal_problems(form)
    seal = view.seals.get(view.me) if view.me is not None else None
    if seal is None:
        return (Problem((), "you sent no seal, so there is nothing to open", "Your luck words stand."),)
    if form.seal:
        return (Problem(("seal",), "the seals were told to all, and stay", _WORDS),)
    if form.answers:
        return (Problem((), "your start form was taken; only its seal is to be opened", _WORDS),)
    if seal_of(view.game, str(view.me), form.luck) != seal:
        hint = f"Your seal is {seal}; send the words that it was made of, letter by letter."
        return (Problem(("luck",), "these words do not give your seal", hint),)
    return ()


_WORDS: Final = "Send {luck: WORDS}."


def _seal_problems(form: StartForm) -> tuple[Problem, ...]:
    """Say what is wrong with a start form where seals come in."""
    if form.seal and form.luck:
        hint = "Send the seal alone, and keep the words until you are asked for them."
        return (Problem(("luck",), "whoever reads the words of a seal can use them", hint),)
    if form.seal and not re.fullmatch(SEAL, form.seal):
        return (
            Problem(
                ("seal",),
                "a seal is 64 digits and letters from a to f",
                "The order page makes one; `pbem luck` does so too.",
            ),
        )
    return ()


def opening_choices() -> Choices:
    """Return what a seat may order that is asked to open its seal."""
    what = Choice(
        {"luck": "the words of your seal"}, "the words that your seal was made of; they join the dice"
    )
    return Choices((Menu(("",), "The words of your seal", (what,)),))


def forecast_start_form(view: StartView, form: StartForm) -> str:
    """Say what will become of luck words, or of a seal, in words for the seat."""
    if form.seal:
        return (
            f"Your seal will be told to all: {form.seal}. Keep its words; you are asked for them then. "
            "If you do not send them, you are named, and the seal counts in place of the words."
        )
    if isinstance(view, SealedView) and view.seals is not None:
        return f"Your seal is opened, and its words will be mixed into the dice: {form.luck}"
    told = f"Your luck words will be mixed into the dice: {form.luck or '(none)'}"
    without = ", as they have no seal" if isinstance(view, SealedView) else ""
    return f"{told}. The host can read them before all are in{without}." if form.luck else told


__all__ = ["Begun", "DealtGame", "GameDealt", "Opening", "Question", "SealedGame", "StartForm", "StartView"]

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class DealtGame(Generic[S]):
    """A game that was dealt: the luck words that made its dice, and the rules' own state."""

    luck: Mapping[Seat, str]
    state: S


Begun: TypeAlias = DealtGame[S] | SealedGame | None
"""A game with its opening: None while start forms come in."""


class Question(NamedTuple):
    """What the rules ask in the start form besides luck words: the field, an answer, and what it means."""

    name: str
    example: Json
    meaning: str


@runtime_checkable
class SupportsAnswerCounts(Protocol):
    """Rules in which an answer of a start form may count as another than was written."""

    def counts(self, answers: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return what the answers of a start form count as, by field; of the others, as they stand.

        What is not answered may be among them, as what it counts as.
        """


def _counts_as_clause(answer: Json, counted: Json) -> str:
    return "" if counted == answer else f", which counts as {counted}"


@event_kind
class GameDealt(Event):
    """The start forms were in and the game was dealt; the luck words are public from now on."""

    luck: Mapping[Seat, str]


UNDEALT: Final = "the game has not been dealt yet"
DEALT: Final = "the game has been dealt"


class Opening(Generic[S, V, M]):
    """Any rules, with the opening before them; to the loop this is one more set of rules."""

    def __init__(
        self,
        rules: Rules[S, V, M],
        seats: tuple[Seat, ...],
        options: Mapping[str, Json],
        questions: tuple[Question, ...] = (),
        takes: Callable[[Json], bool] = accept_no_order,
        sealed_for: str = "",
    ) -> None:
        """Put the opening before rules.

        Args:
            rules: The rules.
            seats: The seats at the table.
            options: The rules' options in force.
            questions: What the rules ask in the start form.
            takes: Tells whether the rules' own schema takes an order; asked of those with a field `luck`.
            sealed_for: The id of the game if its luck words are sealed, else "".
        """
        self.rules = rules
        self.seats = seats
        self.options = options
        self.questions = questions
        self.takes = takes
        self.sealed_for = sealed_for

    def ask(self, game: Begun[S]) -> Ask | Outcome:
        """Ask all seats for their start forms, those with seals to open them, then whatever the rules ask."""
        if game is None:
            return Ask("start", START, frozenset(self.seats))
        if isinstance(game, SealedGame):
            return game.ask()
        return self.rules.ask(game.state)

    def view(self, game: Begun[S], seat: Seat | None) -> V | StartView:
        """Return what a seat may know."""
        if isinstance(game, DealtGame):
            return self.rules.view(game.state, seat)
        if not self.sealed_for:
            return StartView(seat, self.seats)
        seals, words = (game.seals, game.luck) if game else (None, {})
        return SealedView(seat, self.seats, self.sealed_for, seals, words)

    def read(self, order: Json) -> M | StartForm:
        """Read a start form if it has a luck word or a seal, else an order of the rules."""
        if isinstance(order, dict) and self._is_start(order):
            own = ("luck", "seal") if self.sealed_for else ("luck",)
            answers: Json = {key: value for key, value in order.items() if key not in own}
            seal = str(order.get("seal", "")) if self.sealed_for else ""
            return StartForm(str(order.get("luck", "")), answers, order, seal)
        return self.rules.read(order)

    def _is_start(self, order: Mapping[str, Json]) -> bool:
        return "luck" in order or (bool(self.sealed_for) and "seal" in order)

    def _move_for_rules(self, move: M | StartForm) -> M | StartForm:
        """Return what a move is in a game that was dealt: `luck` may be a field of the rules' orders."""
        is_theirs = isinstance(move, StartForm) and self.takes(move.order)
        return self.rules.read(move.order) if is_theirs and isinstance(move, StartForm) else move

    def check(self, view: V | StartView, move: M | StartForm) -> tuple[Problem, ...]:
        """Check an order against a view; a start form is legal before the deal only, and nothing else is."""
        if isinstance(view, StartView):
            if isinstance(move, StartForm):
                return start_problems(view, move)
            undealt = Problem((), UNDEALT, "Answer the start form: {luck: WORDS}.")
            return (*name_problems(self.rules, move, view.me, view.seats), undealt)
        move = self._move_for_rules(move)
        if isinstance(move, StartForm):
            return (Problem(("luck",), DEALT, "Luck words count before the deal only."),)
        return self.rules.check(view, move)

    def hold(self, view: V | StartView) -> Json:
        """Return a silent seat's order: an empty luck word before the deal, then as the rules say."""
        return UNOPENED if isinstance(view, StartView) else self.rules.hold(view)

    def bot_order(self, game: Begun[S], seat: Seat, dice: Dice, skill: str) -> Json:
        """Return a bot's order for a seat; before the deal an empty luck word."""
        if not isinstance(game, DealtGame):
            return UNOPENED
        return bot_order(self.rules, game.state, seat, dice, skill, self.takes)

    def choices(self, view: V | StartView) -> Choices:
        """Return what may be ordered now."""
        if isinstance(view, SealedView) and view.seals is not None:
            return opening_choices()
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
        move = move if isinstance(view, StartView) else self._move_for_rules(move)
        if isinstance(move, StartForm):
            assert isinstance(view, StartView), "a start form after the deal is refused"
            luck = forecast_start_form(view, move)
            answers = move.answers if isinstance(move.answers, dict) else {}
            meanings = {one.name: f" ({one.meaning})" for one in self.questions}
            counts = self.rules.counts(answers) if isinstance(self.rules, SupportsAnswerCounts) else answers
            said = (
                f"Your {name}: {answer}{_counts_as_clause(answer, counts.get(name, answer))}"
                f"{meanings.get(name, '')}"
                for name, answer in answers.items()
            )
            left = (
                f"Your {one.name}: not named, which counts as {counts[one.name]}"
                for one in self.questions
                if one.name not in answers and one.name in counts
            )
            return Forecast((luck, *said, *left))
        assert not isinstance(view, StartView), "a move was forecast before the deal"
        return self.rules.forecast(view, move)

    @cached_property
    def wording(self) -> Wording:
        """How the rules say things; of a start form what it answers."""
        found = wording_of(self.rules)

        def order_words(order: Json) -> str:
            if isinstance(order, dict) and self._is_start(order) and not self.takes(order):
                return f"start form: {plain_value_text(order)}"
            return found.order(order)

        return found._replace(order=order_words)

    def draft(self, view: V | StartView, choices: Choices) -> Draft:
        """Return the draft of the owner of a view; before the deal, a start form."""
        if isinstance(view, SealedView) and view.seals is not None:
            return Draft()  # only its owner has the words of a seal
        if isinstance(view, StartView):
            return Draft(now=next(choices.whole(), None))
        return draft_of(self.rules, view, choices, self.takes)

    @cached_property
    def horizon(self) -> Horizon:
        """What is always the same about the asks and views of the rules."""
        return horizon_of(self.rules)

    def horizon_in(self, view: V | StartView) -> Horizon:
        """Return what is always the same in the game of a view, as the rules read it there."""
        return self.horizon if isinstance(view, StartView) else horizon_of(self.rules, view)

    def foresee(self, view: V | StartView, later: Later[M | StartForm]) -> Outlook:
        """Return what can be known of an order for a later ask; before the deal, of its names alone."""
        move = self._move_for_rules(later.move)
        if isinstance(move, StartForm):
            return Outlook(unknown=UNDEALT)
        if isinstance(view, StartView):
            return Outlook(name_problems(self.rules, move, view.me, view.seats), unknown=UNDEALT)
        before = later.before and tuple(
            one if one is None else self._move_for_rules(one) for one in later.before
        )
        return outlook_of(self.rules, view, later._replace(move=move, before=before))

    def plan(self, view: V | StartView, now: M | StartForm | None, asks: int) -> Plan:
        """Return lines for the next asks of a seat; before the deal there are none."""
        if isinstance(view, StartView):
            return Plan()
        move = None if now is None else self._move_for_rules(now)
        return Plan() if isinstance(move, StartForm) else plan_of(self.rules, view, move, asks)

    def resolve(self, game: Begun[S], moves: Mapping[Seat, M | StartForm], dice: Dice) -> Step[Begun[S]]:
        """Deal when all start forms are in; afterwards resolve by the rules, with the game's own dice."""
        if not isinstance(game, DealtGame):
            forms = {seat: move for seat, move in moves.items() if isinstance(move, StartForm)}
            return self._deal_from_seals(game, forms, dice) if game else self._begin_game(forms, dice)
        step = self.rules.resolve(game.state, self.moves_for_rules(moves), dice.with_luck(game.luck))
        return Step(DealtGame(game.luck, step.state), step.events)

    def moves_for_rules(self, moves: Mapping[Seat, M | StartForm]) -> dict[Seat, M]:
        """Return the moves of a step of a game that was dealt, as the rules take them."""
        meant = {seat: self._move_for_rules(move) for seat, move in moves.items()}
        return {seat: move for seat, move in meant.items() if not isinstance(move, StartForm)}

    def _begin_game(self, forms: Mapping[Seat, StartForm], dice: Dice) -> Step[Begun[S]]:
        """Tell the seals to all if there are any; else deal."""
        luck = {seat: form.luck for seat, form in forms.items() if not form.seal}
        answers = {seat: form.answers for seat, form in forms.items()}
        seals = {seat: form.seal for seat, form in forms.items() if form.seal}
        if not seals:
            return Step(self._deal(luck, answers, dice), (GameDealt(luck, to=ALL),))
        return Step(SealedGame(seals, luck, answers), (LuckSealed(seals, luck, to=ALL),))

    def _deal_from_seals(
        self, game: SealedGame, forms: Mapping[Seat, StartForm], dice: Dice
    ) -> Step[Begun[S]]:
        """Deal with the words of the seals that were opened; name those that were not."""
        luck = game.opened({seat: form.luck for seat, form in forms.items()})
        luck = {seat: luck[seat] for seat in self.seats if seat in luck}
        shut = tuple(seat for seat, seal in game.seals.items() if luck[seat] == seal)
        told = (SealsUnopened(shut, to=ALL),) if shut else ()
        return Step(self._deal(luck, game.answers, dice), (*told, GameDealt(luck, to=ALL)))

    def _deal(self, luck: Mapping[Seat, str], answers: Mapping[Seat, Json], dice: Dice) -> DealtGame[S]:
        return DealtGame(luck, self.rules.setup(self.seats, self.options, answers, dice.with_luck(luck)))

    def redeal(self, game: Begun[S], seat: Seat | None, dice: Dice) -> Begun[S]:
        """Return another world that the seat cannot tell from this one."""
        if not isinstance(game, DealtGame):
            return game
        return DealtGame(game.luck, self.rules.redeal(game.state, seat, dice))
