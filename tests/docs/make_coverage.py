"""The tables that lead from the rules to functions and tests: `python -m tests.docs.make_coverage`.

The paragraphs of each rule text stand in `tests/rules/PACKAGE/paragraphs.yaml`; which tests show one is read
from their decorators `@pytest.mark.paragraph(...)`, without running anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.written import read_yaml

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "build" / "rules-coverage.md"
"""What `docs/rules-coverage.md` includes on the site."""

TESTS = PROJECT / "tests"

STANDINGS = ("kept", "interpreted", "reconstructed")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a rule text.

    Attributes:
        id: Its name in `@pytest.mark.paragraph`, unique within the game.
        place: Where it stands.
        says: What it says, in one sentence of ours.
        functions: The full names of the functions that keep it.
        standing: How it is kept, one of `STANDINGS`.
        how: The readings chosen; only of an interpreted one.
        heading: What they stand under in a guide, if that is not the place.
        option: The option of the rules that changes the reading; empty if none does.
        why: Why no function does; only where there is none.
        cases: Numbers of the published cases that show it, for games that have such a document.
    """

    id: str
    place: str
    says: str
    functions: tuple[str, ...]
    standing: str = ""
    how: tuple[str, ...] = ()
    heading: str = ""
    option: str = ""
    why: str = ""
    cases: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A test that says that it shows some paragraphs.

    Attributes:
        file: Its file, within the folder of the game's tests.
        name: Its name.
        ids: The paragraphs.
        marks: How many markers it carries, those of single rows of its tables included.
    """

    file: str
    name: str
    ids: tuple[str, ...]
    marks: int


def games() -> list[Path]:
    """Return the folders of tests of all games whose paragraphs are written down."""
    return sorted(path.parent for path in TESTS.glob("rules/*/paragraphs.yaml"))


def paragraphs(folder: Path) -> list[Paragraph]:
    """Return the paragraphs of a game's rules, in their order."""
    rows: list[dict[str, Any]] = read_yaml((folder / "paragraphs.yaml").read_text(encoding="utf-8"))
    lists = ("functions", "cases", "how")
    return [Paragraph(**{**row, **{name: tuple(row.get(name, ())) for name in lists}}) for row in rows]


@cache
def shown(folder: Path) -> list[Shown]:
    """Return the tests of a game that carry the marker, file by file in their order."""
    found: list[Shown] = []
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                calls = list(_marks(*node.decorator_list))
                ids = tuple(dict.fromkeys(one for call in calls for one in _ids(call, path)))
                if calls:
                    found.append(Shown(path.relative_to(folder).as_posix(), node.name, ids, len(calls)))
    return found


def marks(path: Path) -> int:
    """Return how many times the marker stands in a file, wherever that is."""
    text = path.read_text(encoding="utf-8")
    return sum(1 for _ in _marks(ast.parse(text))) if "mark.paragraph" in text else 0


def _marks(*nodes: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of the marker in pieces of code: of decorators, and of the rows of their tables."""
    for top in nodes:
        for node in ast.walk(top):
            match node:
                case ast.Call(func=ast.Attribute(attr="paragraph", value=ast.Attribute(attr="mark"))):
                    yield node


def _ids(call: ast.Call, path: Path) -> Iterator[str]:
    for argument in call.args:
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            raise ValueError(f"{path}:{call.lineno}: expected ids of paragraphs as plain texts")
        yield argument.value


@cache
def shown_by(folder: Path) -> Mapping[str, list[str]]:
    """Return the tests of every paragraph, as `file.py::test_name`."""
    found: dict[str, list[str]] = {}
    for test in shown(folder):
        for one in test.ids:
            found.setdefault(one, []).append(f"{test.file}::{test.name}")
    return found


def page() -> str:
    """Return the tables as rules and tests are now."""
    return "\n".join(line for folder in games() for line in _game(folder))


def _game(folder: Path) -> Iterator[str]:
    """Yield the heading and the table of one game."""
    tests, rows = shown_by(folder), paragraphs(folder)
    covered = sum(bool(row.functions) for row in rows)
    package = f"pbem.rules.{folder.name}"
    yield f"## {folder.name.replace('_', '-')}\n"
    yield (
        f"{len(rows)} paragraphs, {covered} of them kept by functions below `{package}` and shown by tests in"
        f" `tests/rules/{folder.name}`.\n"
    )
    yield "| paragraph | what it says | how it is kept | functions | tests |"
    yield "|---|---|---|---|---|"
    for row in rows:
        functions = "<br>".join(f"`{name.removeprefix(f'{package}.')}`" for name in row.functions)
        named = "<br>".join([*_cases(folder, row), *(f"`{test}`" for test in tests.get(row.id, ()))])
        names = functions or f"none: {row.why}"
        cells = (f"**{row.id}**<br>{row.place}", row.says, _standing(row), names, named)
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
    yield ""


def _standing(row: Paragraph) -> str:
    """Return how a paragraph is kept, with the option that changes the reading."""
    return f"{row.standing}<br>option `{row.option}`" if row.option else row.standing


def _cases(folder: Path, row: Paragraph) -> Iterator[str]:
    """Yield where the cases of a paragraph stand, if there are any."""
    if row.cases:
        one = f"[{'cases' if len(row.cases) > 1 else 'case'}]({folder.name.replace('_', '-')}/cases.md)"
        yield f"{one} {', '.join(map(str, row.cases))}"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
