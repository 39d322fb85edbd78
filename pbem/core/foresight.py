"""Foresight: what a seat can know of orders for a later ask, and lines that are ready for what may happen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from pbem.core.events import Seat
from pbem.core.interface import Json, Label, Problem

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
        when: What holds on the owner's view at that ask, all of it.
    """

    move: M
    at: Label | None
    before: tuple[M | None, ...] | None
    when: Mapping[str, Json] = {}

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
class Foreseeing(Protocol[V_contra, M]):
    """Rules that can judge orders for later asks; of others only lasting mistakes are known."""

    def foresee(self, view: V_contra, later: Later[M]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask."""


@runtime_checkable
class Planning(Protocol[V_contra, M_contra]):
    """Rules that can plan ahead; of others the present choices are offered for the next ask."""

    def plan(self, view: V_contra, now: M_contra | None, asks: int) -> Plan:
        """Return lines for the next asks of a seat.

        Args:
            view: What the seat knows; it may be asked now or not.
            now: What it does at the present ask; None if it is not asked now, or that is open.
            asks: For how many of its own asks after the present one lines are wanted, from 1.
        """


@runtime_checkable
class Naming(Protocol[M_contra]):
    """Rules that know without a view which names nothing has: lines that are sent before the deal."""

    def misnamed(self, move: M_contra, seat: Seat, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
        """Return what is wrong with the names in an order, however the game is dealt.

        Args:
            move: The order.
            seat: Its owner.
            seats: All seats of the game.
        """


def misnamed_in(rules: Any, move: Any, seat: Seat | None, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
    """Return what is wrong with the names in an order before the deal; nothing for rules that cannot tell.

    Args:
        rules: The rules of the game.
        move: The order.
        seat: Its owner; None is a spectator, who orders nothing.
        seats: All seats of the game.
    """
    if seat is None or not isinstance(rules, Naming):
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


UNSEEN: Final = "whether it is possible is seen when you are asked"


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
