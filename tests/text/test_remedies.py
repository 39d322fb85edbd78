"""Offers are made of remedies, whatever the words of a mistake are."""

from __future__ import annotations

from typing import Final

from pbem.core.interface import Json
from pbem.core.remedies import Remedy
from pbem.text.faults import Fault, FaultKind
from pbem.text.mending.drafts import Draft, parse_sheet
from pbem.text.mending.names import KnownGame
from pbem.text.mending.suggestions import guess_edits

ORDER: Final = "orders:\n- do: {play: N9, cards: {take: A1}, hero: true}\n"


def _offers(place: str, kind: FaultKind, *remedies: Remedy) -> list[Json]:
    """Return the order with each guess in place."""
    line = ORDER.split("\n")[1]
    fault = Fault(2, line.index(place) + 1, "zzz", "Yyy.", "1", kind, remedies)
    page, draft = parse_sheet(ORDER), Draft.of(ORDER)
    texts = (draft.edited([edit]).text for edit in guess_edits(page, fault, KnownGame()))
    return [parse_sheet(text).at(("orders", 0, "do")) for text in texts]


CARDS: Final[dict[str, Json]] = {"take": "A1"}


def test_a_field_beside_others_is_left_out() -> None:
    assert _offers("hero", "fields-together") == [{"play": "N9", "cards": CARDS}]


def test_nothing_is_offered_of_words() -> None:
    text, hint = (
        "the field 'points' is missing",
        "Did you mean N2? You can order {draw: true}. Leave hero out.",
    )
    fault = Fault(2, ORDER.split("\n")[1].index("N9") + 1, text, hint, "1")

    assert list(guess_edits(parse_sheet(ORDER), fault, KnownGame())) == []
