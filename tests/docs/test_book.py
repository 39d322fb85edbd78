"""The players' guides say of rules, tables and orders what the game books say, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.make_book import guides, made, shared


def test_every_built_in_game_has_a_guide_that_shares_sections_with_its_book() -> None:
    assert len(guides()) == 5


@pytest.mark.wording("documents show what the program says")
@pytest.mark.parametrize("guide", guides(), ids=lambda path: path.parent.name)
def test_a_guide_is_made_from_the_templates_of_the_game_book(guide: Path) -> None:
    headings = shared(guide)

    assert {"The rules", "What you can write", "Orders for later", "Conditions", "Options"} <= {*headings}
    assert len(headings) >= 6, "tables are shared too"
    assert guide.read_text(encoding="utf-8") == made(guide), "run `make docs`"
