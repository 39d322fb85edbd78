"""Drawn conditions: a predicate as somebody may write it, and whether what it says is so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeVar

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import BOUNDS, ME, Bound, Predicate
from pbem.core.statements import is_met
from pbem.core.wording import wording_of

State = TypeVar("State")
Told = Mapping[str, str]
"""What a predicate is told: of each argument the id that is meant."""
Truths = Mapping[str, Callable[[State, Seat, Told], bool | int | None]]
"""Whether a predicate is so for a seat, or the number that it counts; None where no number is right."""


class Drawn(NamedTuple):
    """A predicate with what it is told.

    Attributes:
        written: What stands behind its name.
        told: Each argument: the ids of which one is meant.
        number: The test of the number; empty if there is none.
        holds: False where it is said that it is not so.
    """

    written: Json
    told: Mapping[str, tuple[str, ...]]
    number: Mapping[str, int]
    holds: bool = True

    def is_so(self, says: Callable[[Told], bool | int | None]) -> bool:
        """Tell whether it is as is said, for one of the choices that are meant."""
        chosen = [dict(zip(self.told, ids, strict=True)) for ids in product(*self.told.values())]
        return any(self._passes(says(one)) for one in chosen) == self.holds

    def _passes(self, found: bool | int | None) -> bool:
        if found is None:
            return False
        least, most = self.number.get("at_least", found), self.number.get("at_most", found)
        return (
            found == self.number.get("exactly", found) and least <= found <= most
            if self.number
            else found > 0
        )


def compare(
    rules: Any,
    state: Any,
    seat: Seat,
    truths: Truths[Any],
    dice: Random,
    draws: int,
) -> Counter[tuple[str, bool]]:
    """Compare drawn conditions, alone and joined to the one before, with what their sentences say.

    Args:
        rules: The rules.
        state: The position.
        seat: Whose conditions they are.
        truths: What each predicate says.
        dice: The dice.
        draws: How often each predicate is drawn.

    Returns:
        How often each predicate was so, and was not.
    """
    seen, view = Counter[tuple[str, bool]](), rules.view(state, seat)
    before: tuple[Json, bool] | None = None
    for name, predicate in wording_of(rules).predicates.items():
        for _ in range(draws):
            one = draw(predicate, dice, seat, tuple(state.players))
            is_so = one.is_so(partial(truths[name], state, seat))
            condition: Json = {name: one.written}
            assert is_met(rules, {name: one.written}, view, seat) is is_so, condition
            seen[name, is_so] += 1
            if before is not None:
                other, was_so = before
                joint = dice.choice(("any", "all", "not"))
                both = was_so or is_so if joint == "any" else (was_so and is_so) is (joint == "all")
                joined: Json = [other, condition]
                assert is_met(rules, {joint: joined}, view, seat) is both, (joint, other, condition)
            before = condition, is_so
    return seen


def draw(predicate: Predicate, dice: Random, me: str, seats: tuple[str, ...]) -> Drawn:
    """Return a predicate with arguments of all kinds: by id or name, several or left out, in any bounds."""
    fields: dict[str, Json] = {}
    told: dict[str, tuple[str, ...]] = {}
    for argument in predicate.arguments:
        ids = [one for one in argument.values if one in seats or argument.name != "player" or one == ME]
        is_several = dice.random() < 0.2 and all(len(one) == 1 for one in told.values())
        several = tuple(dice.sample(ids, 2 if is_several else 1))
        if argument.default and dice.random() < 0.3:
            several = (argument.default,)
        elif dice.random() < 0.5:
            fields[argument.name] = [argument.values[one] for one in several]
        else:
            fields[argument.name] = [*several] if len(several) > 1 else several[0]
        told[argument.name] = tuple(me if one == ME else one for one in several)
    number: dict[str, int] = {}
    if predicate.number is not None:
        number = _bounds(predicate.number, dice)
        fields |= number
        number = number or dict(predicate.number.default)
    if not predicate.arguments and predicate.number is None:
        is_said = dice.random() < 0.5
        return Drawn(is_said, {}, {}, is_said)
    return Drawn(fields, told, number)


def _bounds(bound: Bound, dice: Random) -> dict[str, int]:
    """Return a test of a number that is neither always nor never so; perhaps none, if it may be left out."""
    if bound.default and dice.random() < 0.3:
        return {}
    first, last = -4 if bound.least is None else bound.least, 9 if bound.most is None else bound.most
    name, number = dice.choice(BOUNDS), dice.randint(first, min(first + 5, last))
    return {"at_least": {name: max(number, first + 1)}, "at_most": {name: min(number, last - 1)}}.get(
        name, {name: number}
    )
