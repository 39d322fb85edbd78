"""Figures in the guides: counted with the rules as they are, and counting again gives the same."""

from __future__ import annotations

import pytest

from tests.docs.make_tables import TABLES, pattern


@pytest.mark.parametrize("name", TABLES)
def test_a_table_was_counted_with_the_rules_as_they_are(name: str) -> None:
    """Whoever changes the rules runs `make docs`."""
    table = TABLES[name]
    found = pattern(name).search(table.guide.read_text(encoding="utf-8"))

    assert found is not None
    assert found[1] == table.stamp


def test_counting_the_houses_again_gives_the_figures_of_the_guide() -> None:
    """No game is played for them, so that this can be done each time."""
    _count_again("houses left")


@pytest.mark.worlds
@pytest.mark.parametrize("name", TABLES)
def test_counting_again_gives_the_figures_of_the_guide(name: str) -> None:
    _count_again(name)


def _count_again(name: str) -> None:
    table = TABLES[name]
    found = pattern(name).search(table.guide.read_text(encoding="utf-8"))

    assert found is not None
    assert found[2].splitlines() == list(table.rows())
