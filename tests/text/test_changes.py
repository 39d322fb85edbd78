"""Changes to JSON: what they were made of comes out again, also the order of names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.interface import Json
from pbem.text.codec import apply_changes, diff_values
from tests.written import rows_of

NAMES = st.sampled_from(["a", "b", "c", "d"])
PLAIN: st.SearchStrategy[Json] = st.one_of(
    st.none(), st.booleans(), st.integers(0, 2), st.sampled_from([0.0, 1.0, "", "a"])
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


def text(value: Json) -> str:
    return json.dumps(value)


@given(VALUES, VALUES)
def test_changes_make_a_value_of_any_other_to_the_byte(old: Json, new: Json) -> None:
    before = text(old)

    made = diff_values(old, new)

    assert text(apply_changes(old, json.loads(text(made)))) == text(new)
    assert text(old) == before


@pytest.mark.parametrize(("old", "new", "made"), rows_of(__file__, "changes_are_as_short_as_they_can_be"))
def test_changes_are_as_short_as_they_can_be(old: Json, new: Json, made: list[Json]) -> None:
    assert diff_values(old, new) == made


@pytest.mark.parametrize("made", [[[["nowhere", "at", "all"], 1]], [[["a"]]], [[1, 2]], [3], [[["a", "b"]]]])
def test_changes_that_do_not_fit_are_refused(made: list[Json]) -> None:
    with pytest.raises(ValueError):
        apply_changes({"b": 1}, made)
