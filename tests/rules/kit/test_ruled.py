"""Rules put together from parts: each method is the part of that name, with the facts first."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, asdict
from types import ModuleType

import pytest

from pbem.core.events import ALL, Event, Seat
from pbem.rules.kit.ruled import (
    Happened,
    kinds_in,
)
from pbem.rules.rose_king import events
from pbem.rules.rose_king.rules import RoseKing

RED, WHITE = Seat("red"), Seat("white")


class Moved(Happened, announces=("seat",)):
    """A base of events."""

    seat: Seat


class CardDrawn(Moved, releases=("card",)):
    """An event with fields of its own and of its base."""

    card: str


def test_the_events_of_a_module_are_found_in_their_order() -> None:
    assert kinds_in(events)[:3] == (events.CardPlayed, events.TokenPlaced, events.TokenTurned)
    assert RoseKing.event_kinds == kinds_in(events)
    assert Event not in kinds_in(events)
    empty = ModuleType("empty")
    vars(empty).update(CardPlayed=events.CardPlayed, RED=RED)
    assert kinds_in(empty) == ()


def test_an_event_is_a_frozen_dataclass_with_the_fields_of_its_bases() -> None:
    drawn = CardDrawn(seat=RED, card="N2", to=ALL)

    assert drawn == CardDrawn(card="N2", to=ALL, seat=RED)
    assert asdict(drawn) == {"to": ALL, "seat": RED, "card": "N2"}
    with pytest.raises(FrozenInstanceError):
        drawn.card = "N3"  # type: ignore[misc]
    with pytest.raises(TypeError, match="to"):
        CardDrawn(seat=RED, card="N2")  # type: ignore[call-arg]


def test_the_lists_of_an_event_stand_behind_its_base_and_are_passed_on() -> None:
    assert (Moved.releases, Moved.announces) == ((), ("seat",))
    assert (CardDrawn.releases, CardDrawn.announces) == (("card",), ("seat",))
    assert (Happened.releases, Event.announces) == ((), ())
