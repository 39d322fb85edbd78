"""The page on the structure names every module, and its layers are those that the imports keep."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.core.test_layers import MODULES, TEXT_PACKAGES, imports, layer, may_import, parsed

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "structure.md").read_text(encoding="utf-8")
PACKAGES = [*sorted(TEXT_PACKAGES), "click", "rich", "random", "pathlib", "datetime", "logging"]


def rows(first: str) -> list[list[str]]:
    """Return the cells of all rows of the page's tables whose first heading is this word."""
    found: list[list[str]] = []
    is_inside = False
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        is_inside = line.startswith("|") and (is_inside or cells[0] == first)
        if is_inside and cells[0] != first and not cells[0].startswith("---"):
            found.append(cells)
    return found


def full_name(name: str) -> str:
    return name if name == "pbem" else f"pbem.{name}"


LISTED = [full_name(cells[0].strip("`")) for cells in rows("module")]


STATED = {
    name: ({one.strip() for one in below.split(",")}, packages) for name, _, below, packages in rows("layer")
}


def home(module: str) -> str:
    """Return the layer of a module as the page calls it."""
    found = layer(module)
    is_game = found.startswith("rules.") and found != "rules.kit"
    return "pbem" if found == "top" else "rules.NAME" if is_game else found


def is_stated(module: str, name: str) -> bool:
    """Tell whether the page lets one module import another."""
    if home(name) == "rules.NAME" and layer(module) != layer(name):
        return False
    return home(name) in STATED[home(module)][0]


def first_line(module: str) -> str:
    return (ast.get_docstring(parsed(module)) or "").partition("\n")[0]


def test_the_page_lists_every_module_once() -> None:
    rows_to_add = [
        f"| `{name.removeprefix('pbem.')}` | {first_line(name)} |" for name in MODULES if name not in LISTED
    ]

    assert rows_to_add == []
    assert len(LISTED) == len(set(LISTED))


def test_the_page_lists_no_module_that_is_not_there() -> None:
    assert [name for name in LISTED if name not in MODULES] == []


def test_every_row_says_what_its_module_is_for() -> None:
    assert [cells for cells in rows("module") if len(cells) != 2 or not cells[1].endswith((".", "?"))] == []


def test_the_page_says_what_the_folders_beside_the_package_are_for() -> None:
    shown = [cells[0].strip("`") for cells in rows("folder")]
    ours = {path.name for path in (PROJECT / "tests").iterdir() if path.is_dir()} - {"__pycache__"}

    assert {name for name in shown if "/" in name} == {f"tests/{name}" for name in ours}
    assert {"docs", "examples", "games", "orders", "templates"} == {name for name in shown if "/" not in name}
    assert all((PROJECT / name).is_dir() for name in shown)


def test_every_module_that_the_text_names_is_there() -> None:
    named = set(
        re.findall(r"`((?:core|text|contract|store|play|host|mail|archive|cli|rules)\.[a-z_.]+)`", PAGE)
    )

    assert len(named) > 20
    assert sorted(name for name in named if full_name(name) not in MODULES) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_page_states_the_rule_of_imports(module: str) -> None:
    assert {name for name in MODULES if is_stated(module, name)} == {
        name for name in MODULES if may_import(module, name)
    }


@pytest.mark.parametrize("name", STATED)
def test_the_page_states_which_packages_a_layer_may_import(name: str) -> None:
    words = STATED[name][1]
    stated = set(PACKAGES) if words == "any" else {one.strip() for one in words.split(",")} - {"none"}

    modules = [module for module in MODULES if home(module) == name]

    assert modules
    for module in modules:
        assert {package for package in PACKAGES if may_import(module, package)} == stated


def test_the_modules_import_as_the_page_states_and_each_stated_arrow_is_taken() -> None:
    real = {(module, name) for module in MODULES for name in imports(parsed(module)) if name in MODULES}

    assert sorted((module, name) for module, name in real if not is_stated(module, name)) == []
    taken = {(home(module), home(name)) for module, name in real}
    stated = [(one, below) for one in STATED for below in STATED[one][0] if below not in (one, "pbem")]
    assert [arrow for arrow in stated if arrow not in taken] == []
