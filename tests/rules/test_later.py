"""Tables that are worked out when they are first read."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pbem.core.conditions import is_term_met
from pbem.core.foresight import Horizon, why_never_holds
from pbem.rules.kit.later import Later, LaterByKey


@dataclass(frozen=True, slots=True)
class Seen:
    """A view with a table."""

    lengths: LaterByKey[str, int]


def test_an_entry_is_worked_out_once_and_only_if_it_is_read_or_a_condition_names_it() -> None:
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    table = LaterByKey(("one", "three"), length)
    assert len(table) == 2 and "one" in table and not asked
    assert is_term_met({"lengths.Three": 5}, Seen(table))
    assert why_never_holds(Seen(table), "lengths.three", 5, Horizon()) is None
    assert (table["three"], table["three"]) == (5, 5)
    assert asked == ["three"]


def test_a_whole_table_is_worked_out_once() -> None:
    asked: list[int] = []

    def squares() -> dict[int, int]:
        asked.append(1)
        return {number: number * number for number in (3, 2)}

    table = Later(squares)
    assert not asked
    assert (list(table), table[2], table.get(5), len(table)) == ([3, 2], 4, None, 2)
    assert asked == [1]


def test_to_readers_it_is_like_any_other_table() -> None:
    table = LaterByKey(("b", "a"), str.upper)
    assert list(table.items()) == [("b", "B"), ("a", "A")] and list(table) == ["b", "a"]
    assert table == {"a": "A", "b": "B"} == table and repr(table) == "{'b': 'B', 'a': 'A'}"
    with pytest.raises(KeyError):
        table["c"]
