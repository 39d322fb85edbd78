"""Drafts: lines of orders that fit a position, for its owner to take over or to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from pbem.core.interface import Json

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

    def draft(self, view: V_contra) -> Draft:
        """Return the draft of the owner of a view, asked or not; what it says follows from the view alone."""


def draft_of(rules: Any, view: Any, *, asked: bool) -> Draft:
    """Return the draft of the owner of a view.

    Args:
        rules: The rules of the game.
        view: What the owner knows.
        asked: Whether the owner is asked now. Rules that know no drafts get the first whole order of their
            choices that would be accepted, for now and for the next ask; a seat that is not asked gets none.
    """
    if isinstance(rules, Drafting):
        drafted: Draft = rules.draft(view)
        return drafted
    if not asked:
        return Draft()
    orders = (item.order for menu in rules.choices(view).menus if "" in menu.paths for item in menu.items)
    found = next((one for one in orders if not rules.check(view, rules.read(one))), None)
    return Draft(now=found, then=found)
