"""Foresight: what a seat can know of orders for a later ask, and lines that are ready for what may happen."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from pbem.core.conditions import as_list, close_matches, is_pattern_match
from pbem.core.events import Seat
from pbem.core.interface import Json, Label, Problem
from pbem.core.remedies import Advice
from pbem.core.wording import LONGEST_NAME, PLAIN, Wording, did_you_mean

V_contra = TypeVar("V_contra", contravariant=True)
M = TypeVar("M")
M_contra = TypeVar("M_contra", contravariant=True)

Asked = Literal["owner", "others"]
"""Whom a follow-up is put to: the seat whose count stands in its label, or one of the other seats."""


class Later(NamedTuple, Generic[M]):
    """An order for a later ask, and what is settled until then.

    Attributes:
        move: The order.
        at: The label of the ask; None is any ask.
        before: What its owner does at each of its own asks from now up to that one, the present one first
            if it is asked now: the move where it is settled, None where it is open. Follow-ups are left
            out. None if nobody can say how many there are.
        when: What holds on the owner's view at that ask, all of it, by path.
        beside: What else holds there: the entries of a term that are no paths.
    """

    move: M
    at: Label | None
    before: tuple[M | None, ...] | None
    when: Mapping[str, Json] = {}
    beside: Mapping[str, Json] = {}

    @property
    def folded(self) -> Mapping[str, Json]:
        """The condition, its paths in small letters: capitals of names do not count."""
        return {path.casefold(): wanted for path, wanted in self.when.items()}


CONDITION: Final = ("when",)
"""Where the place of a mistake begins that is one of the condition, and none of the order."""


class Outlook(NamedTuple):
    """What the owner of a view can know of an order for a later ask.

    Attributes:
        never: Why it can never be carried out there, each with its place in `do`; empty if it may be.
            What stands here is certain, whatever the others do and whatever is drawn. The place of what is
            wrong with the condition begins with `CONDITION`.
        provided: What else must be so for it, a clause each: "E5 is still free". Nothing here and nothing in
            `unknown` means that it is legal whenever its condition holds.
        unknown: Why it cannot be judged, as a clause: "what you draw is not known yet"; else "".
        besides: What becomes of a part that may fail while the rest is carried out, a sentence each.
    """

    never: tuple[Problem, ...] = ()
    provided: tuple[str, ...] = ()
    unknown: str = ""
    besides: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the order is legal for certain where its condition holds."""
        return not (self.never or self.provided or self.unknown)


class Domain(NamedTuple):
    """What can ever be found at a path of a view.

    Attributes:
        values: Every text that can stand there, or in the list there; None for any.
        least: The least number that can stand there; None for any.
        most: The greatest; None for any.
    """

    values: Sequence[str] | None = None
    least: int | None = None
    most: int | None = None


class Horizon(NamedTuple):
    """What is always the same about the asks and views of a game.

    Attributes:
        follow_ups: The words of follow-up asks ("trade"), and whom each is put to; None if not said.
        domains: What can be found at paths of views; `*` stands for any one name.
        tables: The tables of views whose names never change, by path; `*` stands for any one name.
        last: The greatest count that a label can have, for the game ends then at the latest; None if there is
            no such end.
    """

    follow_ups: Mapping[str, Asked] | None = None
    domains: Mapping[str, Domain] = {}
    tables: Collection[str] = ()
    last: int | None = None


class Planned(NamedTuple):
    """A line that is ready for a later ask.

    Attributes:
        at: The label of the ask; None is any ask.
        do: The order.
        note: What it answers and what it brings, in a few words: "White takes E5; 3 points more for you".
        when: The condition that the line needs.
        keep: It stays after it was used.
    """

    at: Label | None
    do: Json
    note: str
    when: Mapping[str, Json] = {}
    keep: bool = False


class Plan(NamedTuple):
    """Lines for what may happen until a seat is asked next, in the order that matters.

    Attributes:
        lines: The lines, in the order in which they are to be tried.
        stop_if: A condition on which playing on should stop; empty for none.
        open: What the lines do not answer, in words; "" if they answer all that can happen.
    """

    lines: tuple[Planned, ...] = ()
    stop_if: Mapping[str, Json] = {}
    open: str = ""


NO_HORIZON: Final = Horizon()


@runtime_checkable
class SupportsForesight(Protocol[V_contra, M]):
    """Rules that can judge orders for later asks; of others only lasting mistakes are known."""

    def foresee(self, view: V_contra, later: Later[M]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask."""


@runtime_checkable
class SupportsPlanning(Protocol[V_contra, M_contra]):
    """Rules that can plan ahead; of others the present choices are offered for the next ask."""

    def plan(self, view: V_contra, now: M_contra | None, asks: int) -> Plan:
        """Return lines for the next asks of a seat.

        Args:
            view: What the seat knows; it may be asked now or not.
            now: What it does at the present ask; None if it is not asked now, or that is open.
            asks: For how many of its own asks after the present one lines are wanted, from 1.
        """


@runtime_checkable
class SupportsNameCheck(Protocol[M_contra]):
    """Rules that know without a view which names nothing has: lines that are sent before the deal."""

    def misnamed(self, move: M_contra, seat: Seat, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
        """Return what is wrong with the names in an order, however the game is dealt.

        Args:
            move: The order.
            seat: Its owner.
            seats: All seats of the game.
        """


def name_problems(rules: Any, move: Any, seat: Seat | None, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
    """Return what is wrong with the names in an order before the deal; nothing for rules that cannot tell.

    Args:
        rules: The rules of the game.
        move: The order.
        seat: Its owner; None is a spectator, who orders nothing.
        seats: All seats of the game.
    """
    if seat is None or not isinstance(rules, SupportsNameCheck):
        return ()
    return rules.misnamed(move, seat, seats)


def horizon_of(rules: Any, view: Any = None) -> Horizon:
    """Return what is always the same in a game; rules that have no `horizon` say nothing of it.

    Args:
        rules: The rules.
        view: A view of the game, for rules whose `horizon_in` reads the options of the game in it.
    """
    found = getattr(rules, "horizon", NO_HORIZON)
    if view is not None and hasattr(rules, "horizon_in"):
        found = rules.horizon_in(view)
    assert isinstance(found, Horizon), "the horizon of rules is a Horizon"
    return found


def outlook_of(rules: Any, view: Any, later: Later[Any]) -> Outlook:
    """Return what the owner of a view can know of an order for a later ask.

    Args:
        rules: The rules of the game; of those that foresee nothing, only lasting mistakes count.
        view: What the owner knows now.
        later: The order, and what is settled until then.
    """
    if hasattr(rules, "foresee"):  # what `isinstance` asks too, at many times the price
        found: Outlook = rules.foresee(view, later)
        return found
    lasting = tuple(problem for problem in rules.check(view, later.move) if problem.lasting)
    return Outlook(lasting, unknown="" if lasting else UNSEEN)


UNSEEN: Final = "whether all of it can be played is seen then"


def plan_of(rules: Any, view: Any, now: Any, asks: int) -> Plan:
    """Return lines for the next asks of a seat; none from rules that plan nothing.

    Args:
        rules: The rules of the game.
        view: What the seat knows.
        now: What it does at the present ask; None if it is not asked now, or that is open.
        asks: For how many of its own asks after the present one lines are wanted, from 1.
    """
    if hasattr(rules, "plan"):
        found: Plan = rules.plan(view, now, asks)
        return found
    return Plan()


_MOST_LISTED: Final = 12
"""So many values are all named."""

_MOST_SHOWN: Final = 6
"""So many of more values are named, the nearest ones."""


def why_never_holds(
    view: object, path: str, wanted: Json, horizon: Horizon, wording: Wording = PLAIN
) -> tuple[str, Advice] | None:
    """Say why a condition holds on no view of a game, with what could be meant; None if it may hold.

    Args:
        view: Any view of the game.
        path: The path of the condition; it can be found in views of this kind.
        wanted: What is wanted there.
        horizon: What is always the same in the game.
        wording: How the rules say facts and names.
    """
    if strange := _unknown_name(view, path, horizon):
        return strange
    domain, thing = _domain(path, horizon.domains), partial(wording.thing, path)
    if domain is not None and (told := _why_outside(thing, wanted, domain, wording)):
        return told
    return _contradiction_text(thing, wanted)


def _unknown_name(view: object, path: str, horizon: Horizon) -> tuple[str, Advice] | None:
    """Say that a table whose names never change has no such name."""
    here, walked = view, list[str]()
    for name in path.split("."):
        if isinstance(here, Mapping):
            wanted = name.casefold()
            found = [key for key in here if str(key).casefold() == wanted]
            if not found:
                where, names = ".".join(walked), [str(key) for key in here]
                is_fixed = any(is_pattern_match(walked, pattern) for pattern in horizon.tables)
                text = f"{path}: {where} has no {name!r}"
                return (text, near(name, names, PLAIN)) if is_fixed else None
            here = here[found[0]]
        elif dataclasses.is_dataclass(here) and hasattr(here, name):
            here = getattr(here, name)
        else:
            return None
        walked.append(name)
    return None


def _domain(path: str, domains: Mapping[str, Domain]) -> Domain | None:
    found = _pattern(path, tuple(domains))
    return None if found is None else domains[found]


@lru_cache(1 << 14)
def _pattern(path: str, patterns: tuple[str, ...]) -> str | None:
    """Return the first pattern that a path fits; the same few hundred paths are asked for again and again."""
    names = path.split(".")
    return next((pattern for pattern in patterns if is_pattern_match(names, pattern)), None)


def _why_outside(
    thing: Callable[[], str], wanted: Json, domain: Domain, wording: Wording
) -> tuple[str, Advice] | None:
    """Say why nothing that can stand at a path is what is wanted."""
    if isinstance(wanted, dict):
        for operator, value in wanted.items():
            if operator == "has":
                for one in as_list(value):
                    if unknown := _unknown_texts([one], domain, wording):
                        return f"{unknown[0]} is never among {thing()}", unknown[1]
            elif operator == "not":  # "is not Haithbu" would hold whatever comes
                if not isinstance(value, dict) and (told := _why_outside(thing, value, domain, wording)):
                    return told
            elif told := _why_beyond(thing, operator, value, domain):
                return told
        return None
    several = as_list(wanted)
    if unknown := _unknown_texts(several, domain, wording):
        return f"{thing()} is never {unknown[0]}", unknown[1]
    return _no_such_number(thing, several, domain)


def _unknown_texts(wanted: Iterable[Json], domain: Domain, wording: Wording) -> tuple[str, Advice] | None:
    """Return those of several texts that can never stand at a path, and what can; None if there are none."""
    if domain.values is None:
        return None
    asked = [str(one) for one in wanted if isinstance(one, str | int) and not isinstance(one, bool)]
    known = {value.casefold() for value in domain.values}
    unknown = [one for one in asked if one.casefold() not in known]
    return (" or ".join(unknown), near(unknown[0], [*domain.values], wording)) if unknown else None


def _no_such_number(
    thing: Callable[[], str], wanted: Iterable[Json], domain: Domain
) -> tuple[str, Advice] | None:
    numbers = list(_numbers(wanted))
    if not numbers or any(_is_within(one, domain) for one in numbers):
        return None
    return f"{thing()} is never {' or '.join(map(str, numbers))}", _bounds(domain)


def _why_beyond(
    thing: Callable[[], str], operator: str, value: Json, domain: Domain
) -> tuple[str, Advice] | None:
    """Say that a number is never so great, or so small."""
    for number in _numbers([value]):
        if operator == "at_least" and domain.most is not None and number > domain.most:
            return f"{thing()} is never as much as {number}", _bounds(domain)
        if operator == "at_most" and domain.least is not None and number < domain.least:
            return f"{thing()} is never as little as {number}", _bounds(domain)
    return None


def _contradiction_text(thing: Callable[[], str], wanted: Json) -> tuple[str, Advice] | None:
    """Say that two bounds leave no number between them."""
    if not isinstance(wanted, dict):
        return None
    least, most = (list(_numbers([wanted.get(name)])) for name in ("at_least", "at_most"))
    if least and most and least[0] > most[0]:
        return f"{thing()} is never at least {least[0]} and at most {most[0]} at once", Advice()
    return None


def _numbers(values: Iterable[Json]) -> Iterator[int | float]:
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def _is_within(number: float, domain: Domain) -> bool:
    return (domain.least is None or number >= domain.least) and (domain.most is None or number <= domain.most)


def _bounds(domain: Domain) -> Advice:
    least, most = domain.least, domain.most
    if least is None:
        return Advice(f"It is at most {most}.")
    return Advice(f"It is at least {least}." if most is None else f"It is from {least} to {most}.")


def near(word: str, known: Sequence[str], wording: Wording) -> Advice:
    """Return what could be meant, or what there is, in names as reports write them."""
    titles = {one: wording.name(one) for one in known}
    if meant := did_you_mean(word, known, titles) or did_you_mean(word, titles.values()):
        return meant
    if (grid := _grid(known)) and len(known) > _MOST_LISTED:
        return Advice(f"It can be {grid}.")
    if len(known) <= _MOST_LISTED:
        return _name_choices([*titles.values()]) if known else Advice()
    by_fold = {one.casefold(): title for one, title in titles.items()}
    shown = (
        close_matches(word[:LONGEST_NAME].casefold(), list(by_fold), n=_MOST_SHOWN, cutoff=0.3)
        or [*by_fold][:3]
    )
    return _name_choices([by_fold[one] for one in shown], f", or one of {len(known) - len(shown)} others")


def _name_choices(names: list[str], more: str = "") -> Advice:
    """Say that something can be one of some names, or more: "It can be red, white."."""
    return Advice(f"It can be {', '.join(names)}{more}.")


def _grid(names: Collection[str]) -> str:
    """Return "A1 to I9" if names are the squares of a board, from its first row and column on; else ""."""
    matched = [re.fullmatch(r"([A-Z])([1-9][0-9]?)", name) for name in names]
    squares = [(ord(one[1]), int(one[2])) for one in matched if one is not None]
    if not squares:
        return ""
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*squares, strict=True))
    whole = {f"{chr(column)}{row}" for column in range(left, right + 1) for row in range(top, bottom + 1)}
    return f"{chr(left)}{top} to {chr(right)}{bottom}" if whole == set(names) else ""
