"""Every paragraph of every rule text is kept by functions that name it, and shown by tests that name it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from pkgutil import resolve_name

import pytest

from pbem.play.registry import OURS
from tests.docs.make_coverage import PAGE, TESTS, Paragraph, games, marks, page, paragraphs, shown, shown_by

GAMES = [pytest.param(folder, id=folder.name) for folder in games()]
ROWS = [
    pytest.param(folder, row, id=f"{folder.name}-{row.id}")
    for folder in games()
    for row in paragraphs(folder)
]


def test_the_page_is_what_the_rules_and_tests_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_game_that_comes_with_pbem_has_its_paragraphs() -> None:
    ours = sorted(path.parent.name for path in OURS.glob("*/orders.schema.json"))

    assert [folder.name for folder in games()] == ours


@pytest.mark.parametrize("folder", GAMES)
def test_every_paragraph_has_a_name_of_its_own(folder: Path) -> None:
    names = Counter(row.id for row in paragraphs(folder))

    assert [name for name, times in names.items() if times > 1] == []
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


@pytest.mark.parametrize(("folder", "row"), ROWS)
def test_a_paragraph_is_kept_by_functions_that_name_their_source(folder: Path, row: Paragraph) -> None:
    assert row.place
    assert row.says.endswith((".", "?"))
    assert bool(row.functions) != bool(row.why), "functions, or why there are none"
    for name in row.functions:
        assert name.startswith((f"pbem.rules.{folder.name}.", "pbem.rules.kit.ranking.")), name
        assert "Source: " in docstring(name), f"{name} does not name its source"


@pytest.mark.parametrize(("folder", "row"), ROWS)
def test_a_paragraph_is_shown_by_tests_that_name_it(folder: Path, row: Paragraph) -> None:
    assert bool(shown_by(folder).get(row.id)) == bool(row.functions)


CASES = "test_cases.py::test_a_case_comes_out_as_the_document_says"


@pytest.mark.parametrize(("folder", "row"), ROWS)
def test_a_paragraph_names_cases_that_are_there(folder: Path, row: Paragraph) -> None:
    document = PAGE.parent / folder.name.replace("_", "-") / "cases.md"
    there = re.findall(r"^## Case (\d+):", document.read_text("utf-8"), re.MULTILINE) if row.cases else []

    assert [case for case in row.cases if str(case) not in there] == []
    assert list(row.cases) == sorted(set(row.cases))
    assert bool(row.cases) == (CASES in shown_by(folder).get(row.id, ()))


@pytest.mark.parametrize("folder", GAMES)
def test_tests_name_only_paragraphs_that_are_there(folder: Path) -> None:
    known = {row.id for row in paragraphs(folder)}
    named = [(test.file, test.name, one) for test in shown(folder) for one in test.ids]

    assert [mark for mark in named if mark[2] not in known] == []


def test_the_marker_stands_only_where_it_is_read() -> None:
    """It would be overlooked in a table outside a decorator, or beside no paragraphs."""
    everywhere = Counter({path: marks(path) for path in TESTS.rglob("*.py")})
    read: Counter[Path] = Counter()
    for folder in games():
        for test in shown(folder):
            read[folder / test.file] += test.marks

    assert +everywhere == read


def docstring(name: str) -> str:
    """Return the docstring of a function by its full name, such as `pbem.rules.NAME.module.Class.method`."""
    return resolve_name(name).__doc__ or ""
