"""Tables of data: what is taken, and what is said of anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules.kit.tables import as_list, checked, ids_by_name, in_order_of, same, same_fields, wrong

DATA: Any = {"cards": {"list": [{"id": "a", "count": 2}]}, "open": True}


def ids(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    return ids_by_name(pairs, str.casefold, ("any",))


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: checked(DATA, "open"), "open: expected a table, got True"),
    (lambda: checked(DATA, "shut"), "shut: expected a table, got None"),
    (lambda: same("cards.total", 3, 2), "cards.total: expected 3, got 2"),
    (lambda: wrong("cards", "a deck", "none"), "cards: expected a deck, got none"),
    (lambda: ids([("a", "Aix"), ("b", "AIX")]), "b: expected a name of its own, got 'AIX'"),
    (lambda: ids([("a", "Any")]), "a: expected a name of its own, got 'Any'"),
]


@pytest.mark.parametrize(("read", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_anything_else_is_refused_with_its_place(read: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.")):
        read()


def test_what_adds_up_and_what_is_a_table_is_taken() -> None:
    same("cards.total", 3, 3)
    assert checked(DATA, "cards")["list"][0]["count"] == 2


def test_one_thing_without_brackets_is_a_list_of_it() -> None:
    assert as_list("Mainz") == ["Mainz"]
    assert as_list(["Mainz", 3]) == ["Mainz", 3]
    assert as_list(None) == [None]


def test_a_name_is_found_however_it_is_written_and_an_id_may_have_several() -> None:
    assert ids([("a", "Aix"), ("b", "Basel"), ("b", "Bale")]) == dict.fromkeys(
        ("basel", "bale", "b"), "b"
    ) | dict.fromkeys(("aix", "a"), "a")


def test_fields_of_a_record_are_taken_by_name_and_no_others() -> None:
    assert same_fields(complex(1, 2), "real") == {"real": 1.0}


def test_a_table_is_put_into_the_order_of_its_keys() -> None:
    assert [*in_order_of("abc", {"c": 1, "a": 2}).items()] == [("a", 2), ("c", 1)]
