"""The tables in the guides are those that the games are played with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.words import describe

GUIDE = Path(__file__).parents[3] / "docs" / "web-of-intrigue" / "guide.md"


def _tables() -> Iterator[tuple[object, ...]]:
    installed = find_rules("web-of-intrigue")
    rules = installed.load(installed.shipped_data())
    assert isinstance(rules, WebOfIntrigue)
    facts = rules.facts
    for house in facts.houses.values():
        modifiers = (f"{value:+d}" if value else "0" for value in house.modifiers.values())
        yield house.name, house.element.capitalize(), *modifiers
    for thing in facts.objects.values():
        yield thing.name, thing.category, thing.vp, thing.difficulty, ", ".join(thing.gives) or "-"
    for special in facts.specials.values():
        subject = special.effect.subject
        yield special.name, describe(special.effect), f"`{subject}`" if subject else "-"


ROWS = list(_tables())


@pytest.mark.paragraph("objects-list", "specials-list", "houses")
def test_there_are_12_houses_60_objects_and_40_specials() -> None:
    assert len(ROWS) == 12 + 60 + 40


@pytest.mark.paragraph("objects-list", "specials-list", "houses")
def test_a_row_of_the_guide_is_what_is_played() -> None:
    lines = {*GUIDE.read_text(encoding="utf-8").splitlines()}

    assert [line for row in ROWS if (line := f"| {' | '.join(map(str, row))} |") not in lines] == []
