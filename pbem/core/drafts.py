"""Drafts: lines of orders that fit a position, for its owner to take over or to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from pbem.core.interface import Choices, Json

V_contra = TypeVar("V_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a form shows ready-made; each part is an example and no advice.

    Attributes:
        now: An order that would be accepted now; None if its owner is not asked.
        when: A condition that may hold at the next ask.
        then: An order for the next ask if it holds; None for no plan.
        keep: A standing order; None if the rules have none that makes sense.
        stop_if: A condition on which playing on should stop; empty for none.
    """

    now: Json = None
    when: Mapping[str, Json] = field(default_factory=dict)
    then: Json = None
    keep: Json = None
    stop_if: Mapping[str, Json] = field(default_factory=dict)


@runtime_checkable
class Drafting(Protocol, Generic[V_contra]):
    """Rules that know what fits a position; those that do not get what can be derived from their choices."""

    def draft(self, view: V_contra, choices: Choices) -> Draft:
        """Return the draft of the owner of a view, asked or not; it follows from the view alone.

        Args:
            view: What the owner knows.
            choices: What the owner may order now; none for who is not asked.
        """


def draft_of(rules: Any, view: Any, choices: Choices) -> Draft:
    """Return the draft of the owner of a view.

    Args:
        rules: The rules of the game. Those that know no drafts get the first whole order of the choices that
            would be accepted, for now and for the next ask.
        view: What the owner knows.
        choices: What the owner may order now; none for who is not asked.
    """
    if isinstance(rules, Drafting):
        drafted: Draft = rules.draft(view, choices)
        return drafted
    found = next((one for one in choices.whole() if not rules.check(view, rules.read(one))), None)
    return Draft(now=found, then=found)
