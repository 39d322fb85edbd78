"""Names of seats: those that everything can hold, and why the others are refused."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.text.seatnames import LONGEST, why_unfit


@pytest.mark.parametrize(
    "name",
    ["red", "1", "Å" * LONGEST, "\U0001f451" * LONGEST, "שלום", "100%", "New_York,_N.Y.", "=?utf-8?q?x"],
)
def test_a_name_of_one_printed_word_is_fine(name: str) -> None:
    assert why_unfit([Seat(name)]) == ""


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([""], "a seat has no name"),
        (["x" * 41], f"'{'x' * 40}'... has 41 letters, and 40 is the most"),
        (["New York"], "'New York' holds a space or what no printer shows"),
        (["a\nb"], "'a\\nb' holds a space or what no printer shows"),
        (["a\u202eb"], "'a\\u202eb' holds a space or what no printer shows"),
        (["\ud800"], "'\\ud800' holds a space or what no printer shows"),
        (["a/b"], "'a/b' cannot name a file: it begins with a dot or holds a slash"),
        ([".."], "'..' cannot name a file: it begins with a dot or holds a slash"),
        (["all"], "'all' means something else"),
        (["Moderator"], "'Moderator' means something else"),
        (["spectator"], "'spectator' means something else"),
        (["turn"], "'turn' means something else"),
        (["red", "Red"], "'Red' and 'red' differ in capitals at most"),
        (["\u00c5", "A\u030a"], "'A\u030a' and '\u00c5' differ in capitals at most"),
    ],
)
def test_a_name_that_something_cannot_hold_is_refused_with_the_reason(names: list[str], told: str) -> None:
    assert why_unfit([Seat("blue"), *map(Seat, names)]) == told
