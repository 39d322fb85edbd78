"""What a rule text leaves open: each paragraph says how it is kept, and each reading stands in a guide."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.registry import find
from tests.docs.make_book import DOCS
from tests.docs.make_coverage import PROJECT, STANDINGS, Paragraph, games, paragraphs
from tests.docs.make_readings import file_of, made
from tests.written import read_yaml

ROWS = [
    pytest.param(folder, row, id=f"{folder.name}-{row.id}")
    for folder in games()
    for row in paragraphs(folder)
]


@pytest.mark.parametrize("folder", games(), ids=lambda path: path.name)
def test_a_package_carries_the_readings_of_its_rule_text(folder: Path) -> None:
    assert file_of(folder).read_text(encoding="utf-8") == made(folder), "run `make docs`"


@pytest.mark.parametrize(("folder", "row"), ROWS)
def test_a_paragraph_says_how_it_is_kept(folder: Path, row: Paragraph) -> None:
    assert row.standing in STANDINGS
    assert bool(row.how) == (row.standing == "interpreted"), "an interpretation has its reading"
    assert all(one.endswith(".") for one in row.how)
    assert row.how or not row.option


def test_the_example_says_how_its_paragraphs_are_kept() -> None:
    path = PROJECT / "examples" / "tic-tac-toe" / "tic_tac_toe" / "paragraphs.yaml"

    assert {row["standing"] for row in read_yaml(path.read_text(encoding="utf-8"))} <= set(STANDINGS)


@pytest.mark.parametrize(("folder", "row"), [row for row in ROWS if row.values[1].how])  # type: ignore[union-attr]
def test_the_guide_tells_an_interpretation_and_the_option_that_changes_it(
    folder: Path, row: Paragraph
) -> None:
    guide = (DOCS / folder.name.replace("_", "-") / "guide.md").read_text(encoding="utf-8")
    section = " ".join(guide.partition("## What the texts leave open\n")[2].partition("\n## ")[0].split())
    option = f" Option: `{row.option}`." if row.option else ""

    assert f"- *{row.heading or row.place}.* {' '.join(row.how)}{option}" in section


@pytest.mark.parametrize(("folder", "row"), [row for row in ROWS if row.values[1].option])  # type: ignore[union-attr]
def test_the_rules_know_an_option_that_changes_a_reading(folder: Path, row: Paragraph) -> None:
    schema = dict(find(folder.name.replace("_", "-")).options_schema.schema)
    known = schema["properties"]

    assert isinstance(known, dict)
    assert row.option in known
