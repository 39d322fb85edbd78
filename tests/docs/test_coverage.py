"""Every paragraph of every rule text is kept by functions that name it, and shown by tests that name it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

from pbem.play.config.registry import OURS
from tests.docs.make_coverage import TESTS, Paragraph, games, marks, page, paragraphs, shown, shown_by

ROWS = [(folder, row) for folder in games() for row in paragraphs(folder)]


def test_the_tables_have_a_row_for_every_paragraph() -> None:
    named = re.findall(r"^\| \*\*([a-z0-9-]+)\*\*<br>", page(), re.MULTILINE)

    assert named == [row.id for _, row in ROWS]


def test_every_game_that_comes_with_pbem_has_its_paragraphs() -> None:
    ours = sorted(path.parent.name for path in OURS.glob("*/orders.schema.json"))

    assert [folder.name for folder in games()] == ours


def test_every_paragraph_has_a_name_of_its_own() -> None:
    names = Counter((folder.name, row.id) for folder, row in ROWS)

    assert len(names) > 100
    assert [name for name, times in names.items() if times > 1] == []
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name[1])] == []


def test_a_paragraph_is_kept_by_functions_that_name_their_source() -> None:
    assert [gap for folder, row in ROWS for gap in gaps_of_keeping(folder, row)] == []


def gaps_of_keeping(folder: Path, row: Paragraph) -> Iterator[str]:
    """Yield what is missing where a paragraph says which functions keep it."""
    here = f"{folder.name}-{row.id}"
    if not row.place:
        yield f"{here}: no place"
    if not row.says.endswith((".", "?")):
        yield f"{here}: no sentence"
    if bool(row.functions) == bool(row.why):
        yield f"{here}: functions, or why there are none"
    for name in row.functions:
        if not name.startswith((f"pbem.rules.{folder.name}.", "pbem.rules.kit.ranking.")):
            yield f"{here}: {name} is not of its rules"
        elif "Source: " not in docstring(name):
            yield f"{here}: {name} is not there, or does not name its source"


def test_a_paragraph_is_shown_by_tests_that_name_it() -> None:
    assert [
        f"{folder.name}-{row.id}"
        for folder, row in ROWS
        if bool(shown_by(folder).get(row.id)) != bool(row.functions)
    ] == []


CASES = "test_cases.py::test_a_case_comes_out_as_the_document_says"


def test_a_paragraph_names_cases_that_are_there() -> None:
    assert [f"{folder.name}-{row.id}" for folder, row in ROWS if has_gaps_of_cases(folder, row)] == []


def has_gaps_of_cases(folder: Path, row: Paragraph) -> bool:
    """Tell whether the cases of a paragraph are not there, out of order, or not those of its tests."""
    return (
        not {str(case) for case in row.cases} <= numbers_of_cases(folder)
        or list(row.cases) != sorted(set(row.cases))
        or bool(row.cases) != (CASES in shown_by(folder).get(row.id, ()))
    )


@cache
def numbers_of_cases(folder: Path) -> set[str]:
    """Return the numbers of a game's published cases; none where it has no such document."""
    document = folder / "cases.txt"
    return (
        {*re.findall(r"^## Case (\d+):", document.read_text("utf-8"), re.MULTILINE)}
        if document.exists()
        else set()
    )


def test_tests_name_only_paragraphs_that_are_there() -> None:
    known = {(folder, row.id) for folder, row in ROWS}

    assert [
        f"{folder.name}/{test.file}::{test.name} names {one}"
        for folder in games()
        for test in shown(folder)
        for one in test.ids
        if (folder, one) not in known
    ] == []


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
    try:
        return resolve_name(name).__doc__ or ""
    except (ImportError, AttributeError):
        return ""
