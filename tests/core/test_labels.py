"""Labels: taken apart, which have passed, and which comes next."""

from __future__ import annotations

import pytest

from pbem.core.book import (
    LabelParts,
    has_passed,
    labels_ahead,
    next_label,
    parts,
)
from pbem.core.events import Seat
from pbem.core.interface import Ask, Label
from tests.written import rows_of

RED, WHITE = Seat("red"), Seat("white")


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("red-7", LabelParts("red", 7, "")),
        ("turn-4", LabelParts("turn", 4, "")),
        ("ann-5.trade", LabelParts("ann", 5, "trade")),
        ("red-999999", LabelParts("red", 999999, "")),
        ("start", None),
        ("red-0", None),
        ("red-07", None),
        ("red-1000000", None),
        ("red-", None),
        ("Red-7", None),
        ("red-7.Trade", None),
        ("red-7.trade.more", None),
        ("red-7\n", None),
        ("red-٧", None),
        ("", None),
    ],
    ids=repr,
)
def test_a_label_is_an_owner_a_count_and_perhaps_a_word(label: str, expected: LabelParts | None) -> None:
    assert parts(label) == expected


@pytest.mark.parametrize(
    ("label", "answered", "passed"), rows_of(__file__, "an_ask_has_passed_when_it_cannot_come_any_more")
)
def test_an_ask_has_passed_when_it_cannot_come_any_more(label: str, answered: str, passed: bool) -> None:
    assert has_passed(label, answered) is passed


@pytest.mark.parametrize(
    ("ask", "asked", "seat", "expected"),
    [
        pytest.param(Ask("m", Label("red-3"), frozenset({RED})), {"red": 2}, RED, "red-3", id="asked-now"),
        pytest.param(
            Ask("m", Label("red-3.trade"), frozenset({RED}), frozenset({WHITE})),
            {"red": 3, "white": 2},
            WHITE,
            "red-3.trade",
            id="may-answer-now",
        ),
        pytest.param(
            Ask("m", Label("red-3"), frozenset({RED})), {"white": 2}, WHITE, "white-3", id="asked-next"
        ),
        pytest.param(Ask("m", Label("red-1"), frozenset({RED})), {}, WHITE, "white-1", id="never-asked-yet"),
        pytest.param(
            Ask("m", Label("turn-4"), frozenset({RED})), {"turn": 4}, WHITE, "turn-5", id="simultaneous"
        ),
        pytest.param(Ask("start", Label("start"), frozenset({RED})), {}, WHITE, "white-1", id="before-deal"),
    ],
)
def test_a_seat_can_tell_its_next_label(ask: Ask, asked: dict[str, int], seat: Seat, expected: str) -> None:
    assert next_label(ask, asked, seat) == expected


def test_the_one_whose_offer_is_out_can_be_asked_of_a_counter_offer_to_it() -> None:
    seats, words = (Seat("ann"), Seat("bob")), {"trade": "others", "counter": "owner"}
    ask = Ask("trade", Label("ann-7.trade"), frozenset({seats[1]}))

    found = labels_ahead(ask, {"ann": 7, "bob": 6}, seats[0], seats, words)

    assert found[:2] == ("ann-7.counter", "ann-8")
    assert "ann-7.counter" not in labels_ahead(ask, {"ann": 7, "bob": 6}, seats[1], seats, words)
