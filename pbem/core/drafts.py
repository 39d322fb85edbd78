"""Drafts: lines of orders that fit a position, for its owner to take over or to change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from pbem.core.interface import Choices, Json

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
        listed = [one for one in (_of_places(rules.hold(view), choices),) if takes(one)]
    legal = (one for one in listed if not rules.check(view, rules.read(one)))
    now = next(legal, None)
    return Draft(now=now, then=next((one for one in legal if one != now), None) if is_whole else now)


def _of_places(held: Json, choices: Choices) -> Json:
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
