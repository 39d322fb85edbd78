"""Drawing: preferences, one card after the other, and what the others learn of it."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power.drawing import fill_hand
from pbem.rules.web_of_power.orders import read_move, renew
from pbem.rules.web_of_power.state import Card
from tests.written import rows_of

from .table import SHORT, web_of_power


def row(text: str) -> tuple[Card, ...]:
    """Return cards in the order written."""
    return tuple(Card(SHORT[name]) for name in text.split())


def _named(wanted: Json) -> Json:
    if isinstance(wanted, list):
        return [_named(entry) for entry in wanted]
    return SHORT.get(str(wanted), wanted)


@pytest.mark.paragraph("draw")
@pytest.mark.parametrize(
    ("hand", "pile", "face_up", "wanted", "hand_after", "drawn"), rows_of(__file__, "a_hand_is_filled")
)
def test_a_hand_is_filled(
    hand: str, pile: str, face_up: str, wanted: list[Json], hand_after: str, drawn: str
) -> None:
    facts = web_of_power().facts
    order: Json = {"discard": "any", "draw": _named(wanted)}
    taken, from_pile = fill_hand(facts, row(hand), row(pile), row(face_up), read_move(facts, order).draw)
    assert (taken, from_pile) == (without(without(row(hand_after), row(hand)), row(drawn)), row(drawn))
    assert without(taken, row(face_up)) == ()


@pytest.mark.parametrize(
    ("old", "new"), rows_of(__file__, "what_was_ordered_under_version_1_still_means_the_same"), ids=str
)
def test_what_was_ordered_under_version_1_still_means_the_same(old: Json, new: Json) -> None:
    assert renew({"discard": "any", "draw": old}, 1) == {"discard": "any", "draw": new}
    assert renew({"discard": "any", "draw": old}, 2) == {"discard": "any", "draw": old}
    assert renew({"discard": "any"}, 1) == {"discard": "any"}
