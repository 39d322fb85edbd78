"""What a rule text leaves open: each paragraph says how it is kept, and each reading stands in a book."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.config.registry import find_rules
from pbem.play.reports.books import book_of_rules
from tests.docs.make_book import section
from tests.docs.make_coverage import PROJECT, STANDINGS, Paragraph, games, paragraphs
from tests.written import read_yaml

ROWS = [(folder, row) for folder in games() for row in paragraphs(folder)]


def test_a_paragraph_says_how_it_is_kept() -> None:
    gaps = {
        "no standing": [name(one) for one in ROWS if one[1].standing not in STANDINGS],
        "a reading, and no interpretation": [
            name(one) for one in ROWS if bool(one[1].how) != (one[1].standing == "interpreted")
        ],
        "no sentence": [name(one) for one in ROWS if not all(how.endswith(".") for how in one[1].how)],
        "an option, and no reading": [name(one) for one in ROWS if one[1].option and not one[1].how],
    }

    assert {gap: there for gap, there in gaps.items() if there} == {}


def name(row: tuple[Path, Paragraph]) -> str:
    return f"{row[0].name}-{row[1].id}"


def test_the_example_says_how_its_paragraphs_are_kept() -> None:
    path = PROJECT / "examples" / "tic-tac-toe" / "tic_tac_toe" / "paragraphs.yaml"

    assert {row["standing"] for row in read_yaml(path.read_text(encoding="utf-8"))} <= set(STANDINGS)


@pytest.mark.wording("documents show what the program says")
def test_the_book_tells_an_interpretation_and_the_option_that_changes_it() -> None:
    open_ = {folder: what_is_open(folder) for folder in games()}
    interpreted = [(folder, row) for folder, row in ROWS if row.how]

    assert len(interpreted) > 20
    assert [name(one) for one in interpreted if told(one[1]) not in open_[one[0]]] == []


def what_is_open(folder: Path) -> str:
    """Return what the book of a game says of what the texts leave open."""
    markup = book_of_rules(folder.name.replace("_", "-")).markup
    return " ".join(section(markup, "What the texts leave open").split())


def told(row: Paragraph) -> str:
    """Return what a book must say of an interpretation."""
    option = f" Option: `{row.option}`." if row.option else ""
    return f"- *{row.heading or row.place}.* {' '.join(row.how)}{option}"


def test_the_rules_know_an_option_that_changes_a_reading() -> None:
    with_option = [(folder, row) for folder, row in ROWS if row.option]

    assert len(with_option) > 2
    assert [name(one) for one in with_option if one[1].option not in options(one[0])] == []


def options(folder: Path) -> set[str]:
    """Return the options that the rules of a game know."""
    known = dict(find_rules(folder.name.replace("_", "-")).options_schema.schema)["properties"]
    assert isinstance(known, dict)
    return {*known}
