"""The page on the structure tells of layers, packages, folders and modules what is so."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

from tests.core.test_layers import MODULES, PACKAGE, TEXT_PACKAGES, layer, may_use

PROJECT = PACKAGE.parent
PAGE = (PROJECT / "docs" / "structure.md").read_text(encoding="utf-8")
PACKAGES = [*sorted(TEXT_PACKAGES), "click", "rich"]


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


def first_line(path: Path) -> str:
    """Return what a module says first of itself."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def test_the_layers_stand_in_the_order_of_the_contract() -> None:
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    levels = next(one["layers"] for one in contracts if one["type"] == "layers")
    height = {name: -n for n, level in enumerate(levels) for name in level.split(" | ")}
    shown = [cells[0] for cells in rows("layer")]

    assert sorted(shown) == sorted(height.keys() - {"__main__"})
    assert [height[name] for name in shown] == sorted(height[name] for name in shown)


def test_the_page_states_which_packages_a_layer_may_use() -> None:
    stated = {
        name: set(PACKAGES) if words == "any" else {one.strip() for one in words.split(",")} - {"none"}
        for name, _, words in rows("layer")
    }
    known = [module for module in MODULES if layer(module) in stated]

    found = {module: {one for one in PACKAGES if may_use(module, one)} for module in known}

    assert len(known) > 300
    assert [name for name in known if found[name] != stated[layer(name)]] == []


def test_every_shelf_stands_on_the_page_and_holds_sixteen_modules_at_most() -> None:
    shelves = {
        name: first_line(path)
        for name, path in MODULES.items()
        if path.name == "__init__.py" and name.count(".") > 1 and layer(name) != "rules"
    }
    held = Counter(name.rpartition(".")[0] for name, path in MODULES.items() if path.name != "__init__.py")

    assert {f"pbem.{cells[0].strip('`')}": cells[1] for cells in rows("shelf")} == shelves
    assert {name: held[name] for name in shelves if held[name] > 16} == {}
