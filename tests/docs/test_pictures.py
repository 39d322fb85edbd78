"""The guides show the boards as the program draws them now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.make_pictures import FOLDER, pictures
from tests.pictures import RULES

DOCS = FOLDER.parent


@pytest.mark.wording("words that are drawn have widths and places")
def test_the_pictures_of_the_guides_are_those_that_the_program_draws() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}

    assert kept == pictures(), "draw them anew with `make docs`"


@pytest.mark.parametrize("rules", RULES)
def test_each_guide_shows_board_and_plots_and_says_what_they_are(rules: str) -> None:
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", (DOCS / rules / "guide.md").read_text(encoding="utf-8"))

    assert {Path(path).name for _, path in shown} >= {f"{rules}.svg", f"{rules}-plots.svg"}
    assert all((DOCS / rules / path).resolve().parent == FOLDER for _, path in shown)
    assert all(len(told) > 20 for told, _ in shown)
