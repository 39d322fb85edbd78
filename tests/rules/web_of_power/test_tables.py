"""The tables in the guide are those of the game, and its book tells what is reconstructed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play.reports.books import book_of_rules
from tests.docs.make_book import section

from .table import shipped_data, web_of_power

GUIDE = (Path(__file__).parents[3] / "docs" / "web-of-power" / "guide.md").read_text(encoding="utf-8")


def _rows() -> Iterator[tuple[str, ...]]:
    facts = web_of_power().facts
    for place in facts.places["land"].values():
        allied = ", ".join(facts.lands[country].name for country in place.allied)
        shown = " and ".join(facts.lands[country].name for country in facts.shows[place.card])
        yield place.name, shown, str(len(place.sites)), allied
    for site, country in facts.home.items():
        near = ", ".join(facts.titles[one] for one in facts.near[site])
        yield facts.titles[site], facts.lands[country].name, near


ROWS = list(_rows())


def test_there_are_9_countries_and_51_sites() -> None:
    assert len(ROWS) == 9 + 51


def test_a_row_of_the_guide_is_what_is_played() -> None:
    assert [row for row in ROWS if not is_shown(*row)] == []


def is_shown(first: str, *others: str) -> bool:
    """Tell whether the guide has a line of a table that begins with this name and ends with the others."""
    rows = [line for line in GUIDE.splitlines() if line.startswith((f"| {first} |", f"| {first} ("))]
    return any(line.endswith(f"| {' | '.join(others)} |") for line in rows)


@pytest.mark.wording("documents show what the program says")
def test_the_book_names_every_table_that_is_reconstructed() -> None:
    part = section(book_of_rules("web-of-power").markup, "What is reconstructed")
    tables = [name for name, table in shipped_data().items() if table["status"] == "reconstructed"]
    assert len(tables) == 4
    assert [name for name in tables if f"(`{name}`)" not in part] == []
