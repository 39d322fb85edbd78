"""What conditions suppose of a fact, against what it can be."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from pbem.core.interface import Json
from pbem.rules.kit.supposed import fits, why_unfit


@pytest.mark.parametrize(
    ("values", "wanted", "said"),
    [
        pytest.param(None, 7, "", id="nobody-knows"),
        pytest.param(range(3, 6), {"at_least": 5}, "", id="it-may-be-so"),
        pytest.param(range(3, 6), {"at_least": 6}, "is from 3 to 5", id="numbers"),
        pytest.param(range(3, 4), 4, "is 3", id="one-number"),
        pytest.param(("red", "free"), "blue", "is red or free", id="texts"),
        pytest.param((True, None), False, "is true or nothing", id="truths"),
        pytest.param("abcdefghi", "z", "cannot be that", id="too-many-to-name"),
    ],
)
def test_it_is_said_what_a_fact_can_be_where_none_of_it_is_wanted(
    values: Collection[object] | None, wanted: Json, said: str
) -> None:
    assert why_unfit(values, wanted) == said


def test_a_value_is_what_an_entry_wants() -> None:
    assert fits(3, {"at_least": 3})
    assert not fits("red", {"not": "red"})
