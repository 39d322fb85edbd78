"""Offers are made of remedies, whatever the words of a mistake are."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.core.interface import Json
from pbem.core.remedies import Inside, Meant, Missing, Remedy, With, Without
from pbem.text.faults import Fault, FaultKind
from pbem.text.mending.drafts import Draft, sheet
from pbem.text.mending.names import Known
from pbem.text.mending.suggestions import guesses

ORDER: Final = "orders:\n- do: {play: N9, cards: {take: A1}, hero: true}\n"


def _offers(place: str, kind: FaultKind, *remedies: Remedy) -> list[Json]:
    """Return the order with each guess in place."""
    line = ORDER.split("\n")[1]
    fault = Fault(2, line.index(place) + 1, "zzz", "Yyy.", "1", kind, remedies)
    page, draft = sheet(ORDER), Draft.of(ORDER)
    texts = (draft.edited([edit]).text for edit in guesses(page, fault, Known()))
    return [sheet(text).at(("orders", 0, "do")) for text in texts]


CARDS: Final[dict[str, Json]] = {"take": "A1"}


@pytest.mark.parametrize(
    ("place", "remedy", "expected"),
    [
        ("N9", Meant("N2"), {"play": "N2", "cards": CARDS, "hero": True}),
        ("N9", Meant("N, or W?"), {"play": "N, or W?", "cards": CARDS, "hero": True}),
        ("N9", Meant({"draw": True}, is_order=True), {"draw": True}),
        ("N9", Without("hero"), {"play": "N9", "cards": CARDS}),
        ("{take", With("row", [5]), {"play": "N9", "cards": {"row": [5], "take": "A1"}, "hero": True}),
    ],
)
def test_what_was_meant_is_put_in_place(place: str, remedy: Remedy, expected: Json) -> None:
    assert expected in _offers(place, "rule", remedy)


def test_a_field_that_there_is_not_is_renamed_or_moved() -> None:
    found = _offers("hero", "field-unknown", Meant("draw"), Inside("cards"))

    assert found == [
        {"play": "N9", "cards": CARDS, "draw": True},
        {"play": "N9", "cards": {**CARDS, "hero": True}},
    ]


def test_a_field_beside_others_is_left_out() -> None:
    assert _offers("hero", "fields-together") == [{"play": "N9", "cards": CARDS}]


def test_a_missing_field_is_added_where_anything_would_do() -> None:
    assert _offers("{take", "field-missing", Missing("points")) == [
        {"play": "N9", "cards": {"points": 1, "take": "A1"}, "hero": True}
    ]


def test_nothing_is_offered_of_words() -> None:
    text, hint = (
        "the field 'points' is missing",
        "Did you mean N2? You can order {draw: true}. Leave hero out.",
    )
    fault = Fault(2, ORDER.split("\n")[1].index("N9") + 1, text, hint, "1")

    assert list(guesses(sheet(ORDER), fault, Known())) == []


def test_mistakes_stand_in_the_order_of_the_file_whatever_would_do() -> None:
    later, first = (Fault(line, 1, "zzz", remedies=(Meant({"a": line}),)) for line in (2, 1))
    alike = first._replace(remedies=(Without("hero"),))

    assert sorted([later, alike, first]) == [alike, first, later]
    assert len({first, alike, later}) == 3
