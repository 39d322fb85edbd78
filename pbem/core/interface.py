"""The interface between the engine and a rule system, and what stands in place of what rules do not bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import (
    Any,
    Generic,
    NamedTuple,
    NewType,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.remedies import Remedy

S = TypeVar("S")

Tables: TypeAlias = "Mapping[str, Mapping[str, int]]"
Tally: TypeAlias = "Callable[[Any, Outcome, Sequence[Event]], Tables]"


def default_tally(rules: AnyRules, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return no tables: the tally of a rule system that has none of its own."""
    return {}


Hints: TypeAlias = "Callable[[Any, Any], Json]"


def default_hints(rules: AnyRules, view: object) -> Json:
    """Return no hints: the form page of a rule system that has no script of its own."""
    return None


Trials: TypeAlias = "Callable[[Any, Any], Sequence[Json]]"


def default_trial_orders(rules: AnyRules, view: object) -> Sequence[Json]:
    """Return no orders to try: the form page knows the forecasts of whole orders of menus alone."""
    return ()


Told: TypeAlias = "Callable[[Any, Mapping[str, Json]], Mapping[str, Json]]"


def default_book_facts(rules: AnyRules, options: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return nothing: the game book of a rule system whose data tables tell all that it needs."""
    return {}


Renewed: TypeAlias = "Callable[[Json, int], Json]"


def default_renewal(order: Json, version: int) -> Json:
    """Return an order as it is: what it means has been the same in all versions of the rules."""
    return order


class Stage(NamedTuple, Generic[S]):
    """A part of a step, for those who look back at it: its name, the state after it, what happened in it."""

    name: str
    state: S
    events: tuple[Event, ...]


Stages: TypeAlias = "Callable[[Any, Any, Mapping[Seat, Any], Dice], Sequence[Stage[Any]]]"


def default_stages(
    rules: AnyRules, state: object, moves: Mapping[Seat, Any], dice: Dice
) -> Sequence[Stage[Any]]:
    """Return no stages: the steps of a rule system that knows nothing between their beginning and end."""
    return ()


Whole: TypeAlias = "Callable[[Any, Any], tuple[Any, Sequence[Event]]]"


def show_spectator(rules: AnyRules, state: object) -> tuple[Any, Sequence[Event]]:
    """Return the spectator's view: the board of a rule system that shows nobody more than that."""
    return rules.view(state, None), ()


Numbers: TypeAlias = "Mapping[str, int] | Mapping[Seat, int]"
"""Whole numbers by any name; seats count as names."""

Plot: TypeAlias = "Callable[[Any], Numbers]"


Label = NewType("Label", str)
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

V = TypeVar("V")
M = TypeVar("M")


class Ask(NamedTuple):
    """Whom the game waits for, and for what.

    Attributes:
        kind: What is asked, in a word a player knows ("move", "orders", "trade").
        label: `SEAT-N` or `turn-N`, with `.word` for a follow-up; unique in a game and never secret.
        seats: The seats that must answer. Empty means the step resolves by itself (a skipped turn).
        optional: Seats that may answer too, and are not waited for.
        silence: The order that silence means by the rules (an offer is declined): at the deadline it
            answers for every silent seat, whatever the game's policy, and is no missed turn. None leaves it
            to the policy.
    """

    kind: str
    label: Label
    seats: frozenset[Seat]
    optional: frozenset[Seat] = frozenset()
    silence: Json = None


class Outcome(NamedTuple):
    """How a game ended.

    Attributes:
        reason: The ending, in words for all readers.
        winners: The seats that won; several share the victory, none is a draw.
        scores: Final points per seat.
        decided_by: The tie-break that decided, in words; "points" when none was needed.
    """

    reason: str
    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    decided_by: str


class Problem(NamedTuple):
    """What is wrong with an order, as far as its owner can know.

    Attributes:
        path: Where in `do`, keys and list positions; () is the whole order.
        text: What was read and what is wrong with it.
        hint: What would do; may be empty.
        remedies: The same for programs, as far as it could be written in place of what is wrong; an offer is
            made of it. It tells nothing that the hint does not.
        bearable: It refuses orders that are sent, but an older line that comes to it is played all the
            same: `resolve` carries out what fits.
        elsewhere: The order answers another kind of ask than this one. A line without `at` then waits for
            such an ask, and nobody is told; only rules with follow-up asks need it.
        lasting: It is wrong whatever happens, such as a name that nothing has: a line for later is refused
            for it too, though it is not judged yet otherwise.
    """

    path: tuple[str | int, ...]
    text: str
    hint: str = ""
    remedies: tuple[Remedy, ...] = ()
    bearable: bool = False
    elsewhere: bool = False
    lasting: bool = False

    def __str__(self) -> str:
        return f"{self.text}. {self.hint}" if self.hint else self.text


class Step(NamedTuple, Generic[S]):
    """One resolved joint move: the state after it, and what happened, in order."""

    state: S
    events: tuple[Event, ...]


class Choice(NamedTuple):
    """One thing that may be ordered, and what it would do, in words for the seat that asks."""

    order: Json
    note: str


class Menu(NamedTuple):
    """What may stand in certain places of an order.

    Attributes:
        paths: The places in `do`, dotted ("" for the whole order).
        title: The places in words.
        items: The legal entries, best explained first.
    """

    paths: tuple[str, ...]
    title: str
    items: tuple[Choice, ...]


class Choices(NamedTuple):
    """What a seat may order now.

    Attributes:
        menus: Every legal entry, place by place.
        only: The one legal order if there is no real choice, else None. A game may be set up to play it
            at once, and then everybody sees that it was the only one. Where that would give away what the
            seat alone knows, leave it empty, though one order is listed: that is the seat's secret.
    """

    menus: tuple[Menu, ...]
    only: Json = None

    def whole(self) -> Iterator[Json]:
        """Yield the whole orders that are listed, in the order of the menus."""
        return (item.order for menu in self.menus if "" in menu.paths for item in menu.items)


class Forecast(NamedTuple):
    """What an order will try, as if nobody else acted, from the seat's own view.

    Attributes:
        lines: One sentence a line.
        waste: What it spends or does for nothing for certain, a clause each: "bid 1 cannot win".
    """

    lines: tuple[str, ...]
    waste: tuple[str, ...] = ()


class Playable(Protocol[S, V, M]):
    """What the loop needs of a rule system. Pure: no clock, disk, network, randomness or module state."""

    def ask(self, state: S) -> Ask | Outcome:
        """Return whom the game waits for, or how it ended."""

    def view(self, state: S, seat: Seat | None) -> V:
        """Return everything this seat may know (None: the spectator), built up field by field."""

    def read(self, order: Json) -> M:
        """Return schema-valid JSON as a typed move; total."""

    def check(self, view: V, move: M) -> tuple[Problem, ...]:
        """Return what is wrong with a move as far as this view can tell, if its owner were asked now."""

    def hold(self, view: V) -> Json:
        """Return the order of a silent seat at the deadline; None keeps waiting."""

    def resolve(self, state: S, moves: Mapping[Seat, M], dice: Dice) -> Step[S]:
        """Return the step that these moves make. The only place where the state changes."""

    def choices(self, view: V) -> Choices:
        """Return what may be ordered now by the owner of this view."""

    def forecast(self, view: V, move: M) -> Forecast:
        """Return what a legal move will try, as far as its owner can know."""

    def redeal(self, state: S, seat: Seat | None, dice: Dice) -> S:
        """Return another world that this seat cannot tell from the given one."""


class Rules(Playable[S, V, M], Protocol[S, V, M]):
    """A rule system, built from its data.

    Attributes:
        name: The name players and moderators use ("rose-king").
        version: Raised when the same orders may now give another result.
        upgrades: Saved-state shape n -> n+1, on raw JSON; the present shape is their number.
        state: The class of S, for the codec.
        constants: Paths of state fields (dotted, * for a key or position) that no redeal can change
            although the views do not show them, each with the reason.
        event_kinds: Every kind of event the rules can make.
    """

    name: str
    version: int
    upgrades: tuple[Callable[[dict[str, Json]], dict[str, Json]], ...]
    state: type[S]
    constants: Mapping[str, str]
    event_kinds: tuple[type[Event], ...]

    def setup(
        self, seats: tuple[Seat, ...], options: Mapping[str, Json], starts: Mapping[Seat, Json], dice: Dice
    ) -> S:
        """Return the first state; `starts` holds what each seat wrote in its start form."""


# The parameters of a rule system that was found by its name at run time are unknown.
AnyRules: TypeAlias = Rules[Any, Any, Any]


class System(NamedTuple):
    """What a package registers under the entry point group `pbem.rules`.

    Attributes:
        name: The rule system's name; also the name of the entry point.
        version: As in Rules.
        seats: The numbers of seats it can be played with.
        seat_names: The names of the seats for a number of seats, in seating order.
        load: Builds the rules from their data tables; raises ValueError when they do not add up.
        package: The import name of the folder that holds data/, templates/ and the schemas.
        options: Shipped value of each option.
        most_steps: The most steps of one run, if a game does not say it; 100 if you do not either. Set it to
            1 where all seats order at the same time, so that lines kept by all do not play a game to its end
            in one run.
        actions: Fields of an order that stand for themselves: `partial: true` drops one with a mistake and
            keeps the others. Without any, it drops whole lines.
        tally: Counts what only these rules know, for simulations; may be left out. It is given the rules,
            the outcome and all events of one game that ended, and returns tables: title -> row -> count,
            which are added up over the games. Rows that may stay at 0 are named with 0. A table "endings"
            takes the place of the count of reasons, for rules whose reasons name players or numbers.
        hints: Returns, from the rules and the view of a seat, asked or not, what the rules' own script of the
            form page needs besides the view itself: rolls, reach, targets. May be left out.
        trials: Returns, from the same, orders that a player is likely to try, at most some hundreds: the form
            page knows of each what `check` or `forecast` says. May be left out.
        book: Returns, from the rules and the options in force, what the template of the game book needs
            besides the data tables: JSON in words, the same for everybody from the start. May be left out.
        renew: Returns an order that was written under an older version of the rules, which is given too, as
            one that means the same now; an order that already does is returned as it is. May be left out.
        stages: Returns what lies within a step, for replays: each part that changes the board, in order; the
            last is the step's end, and their events together are the step's. While the game runs, those are
            shown of which something is told to all, by the spectator's view. May be left out.
        whole: Returns what the replay of a game that is over shows to whoever looks at all of it: a view,
            and events that tell the template of the board what is in no view. May be left out.
        older: Builds the rules as a version before had them, by its number: turns that it played are played
            again by it, to be verified. May be left out; such turns are checked to be intact then.
        plots: What reports draw of the game so far, by title: counts whole numbers in a spectator's view,
            by seat or by any other name; may be left out. The first reads fields, no properties: replays of
            games that go on count with it in what turns keep of a view.
    """

    name: str
    version: int
    seats: range
    seat_names: Callable[[int], tuple[Seat, ...]]
    load: Callable[[Mapping[str, Json]], AnyRules]
    package: str
    options: Mapping[str, Json] = {}
    most_steps: int = 100
    actions: frozenset[str] = frozenset()
    tally: Tally = default_tally
    hints: Hints = default_hints
    trials: Trials = default_trial_orders
    book: Told = default_book_facts
    renew: Renewed = default_renewal
    stages: Stages = default_stages
    older: Mapping[int, Callable[[Mapping[str, Json]], AnyRules]] = {}
    whole: Whole = show_spectator
    plots: Mapping[str, Plot] = {}


V_contra = TypeVar("V_contra", contravariant=True)


class Draft(NamedTuple):
    """What a form shows ready-made; each part is an example and no advice.

    Attributes:
        now: An order that would be accepted now; None if its owner is not asked.
        when: A condition that may hold at the next ask.
        then: An order for the next ask if it holds; None for no plan.
        keep: A standing order; None if the rules have none that makes sense.
        stop_if: A condition on which playing on should stop; empty for none.
    """

    now: Json = None
    when: Mapping[str, Json] = {}
    then: Json = None
    keep: Json = None
    stop_if: Mapping[str, Json] = {}


@runtime_checkable
class Drafting(Protocol, Generic[V_contra]):
    """Rules that know what fits a position; those that do not get what can be derived from their choices."""

    def draft(self, view: V_contra, choices: Choices) -> Draft:
        """Return the draft of the owner of a view, asked or not; it follows from the view alone.

        Args:
            view: What the owner knows.
            choices: What the owner may order now; none for who is not asked.
        """


def draft_of(rules: Any, view: Any, choices: Choices, takes: Callable[[Json], bool] | None = None) -> Draft:
    """Return the draft of the owner of a view.

    Args:
        rules: The rules of the game. Those that know no drafts get the first whole order of the choices that
            would be accepted, for now, and the second for the next ask, for many an order can be given only
            once; of menus by place, their first entries together, for both.
        view: What the owner knows.
        choices: What the owner may order now; none for who is not asked.
        takes: Whether the rules' schema takes an order; None leaves menus by place out.
    """
    if isinstance(rules, Drafting):
        drafted: Draft = rules.draft(view, choices)
        return drafted
    listed = [*choices.whole()]
    is_whole = bool(listed)
    if not listed and choices.menus and takes is not None:
        listed = [one for one in (_first_choices_order(rules.hold(view), choices),) if takes(one)]
    legal = (one for one in listed if not rules.check(view, rules.read(one)))
    now = next(legal, None)
    return Draft(now=now, then=next((one for one in legal if one != now), None) if is_whole else now)


def _first_choices_order(held: Json, choices: Choices) -> Json:
    """Return what a silent seat would order with the first entry of each menu in its first place."""
    order = held
    for menu in choices.menus:
        if menu.items:
            order = put_at(order, menu.paths[0], menu.items[0].order)
    return order


def put_at(order: Json, path: str, item: Json) -> Json:
    """Return an order with an item of a menu at a dotted place; fields on the way there are made."""
    if not path:
        return item
    name, _, rest = path.partition(".")
    fields = order if isinstance(order, dict) else {}
    return {**fields, name: put_at(fields.get(name), rest, item)}
