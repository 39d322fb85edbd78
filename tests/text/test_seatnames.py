"""Names of seats: those that everything can hold, and why the others are refused."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.text.names import LONGEST_SEAT, why_unfit
from tests.facts import tells


@pytest.mark.parametrize(
    "name",
    [
        "red",
        "1",
        "Å" * LONGEST_SEAT,
        "\U0001f451" * LONGEST_SEAT,
        "שלום",
        "100%",
        "New_York,_N.Y.",
        "=?utf-8?q?x",
    ],
)
def test_a_name_of_one_printed_word_is_fine(name: str) -> None:
    assert why_unfit([Seat(name)]) == ""


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([""], ()),
        (["x" * 41], ("x" * 40, "41", "40")),
        (["New York"], ("York",)),
        (["a\nb"], ()),
        (["a\u202eb"], ("'a\\u202eb'",)),
        (["\ud800"], ("'\\ud800'",)),
        (["a/b"], ("'a/b'",)),
        ([".."], ()),
        (["all"], ()),
        (["Moderator"], ()),
        (["spectator"], ()),
        (["turn"], ()),
        (["red", "Red"], ("'Red'", "'red'")),
        (["\u00c5", "A\u030a"], ()),
    ],
)
def test_a_name_that_something_cannot_hold_is_refused_with_the_reason(
    names: list[str], told: tuple[str, ...]
) -> None:
    assert tells(why_unfit([Seat("blue"), *map(Seat, names)]), *told)
