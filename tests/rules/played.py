"""Games that bots play, position by position, of any rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Outcome


def played(
    rules: Any, state: Any, seed: str, skills: Mapping[Seat, str]
) -> Iterator[tuple[Any, Ask | Outcome, tuple[Event, ...]]]:
    """Yield every position with its ask, at last the outcome, and what led to it.

    Args:
        rules: The rules.
        state: The position in which the bots begin.
        seed: What the dice of all steps come from.
        skills: The skill of each seat.
    """
    told: tuple[Event, ...] = ()
    for step in count(1):
        ask = rules.ask(state)
        yield state, ask, told
        if isinstance(ask, Outcome):
            return
        dice = Dice(seed.encode(), step)
        views = {seat: rules.view(state, seat) for seat in skills if seat in ask.seats}
        orders = {
            seat: rules.suggest(view, dice.apart("bot", seat), skills[seat]) for seat, view in views.items()
        }
        found = rules.resolve(state, {seat: rules.read(order) for seat, order in orders.items()}, dice)
        state, told = found.state, found.events
