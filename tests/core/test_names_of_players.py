"""Who somebody is, is asked of tenures, by ids: nobody else compares names of players to find out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import pbem
from tests.written import rows_of

PACKAGE: Final = Path(pbem.__file__).parent
SHELVES: Final = ("cli", "doctor", "host", "mail", "play", "store", "work")
"""Where players are known; the archive has nothing but their public names."""

COMPARE: Final = {
    "play/homes/tenures.py": "who somebody is",
    "play/homes/players.py": "which names are taken in a game",
}
"""The modules that compare names, each with what it finds out by that."""

_NAMED: Final = frozenset(["holder", "holders", "names", "player", "reader", "secret_name", "standby"])
"""Attributes and methods that are, or return, names of players; so are the values of `players`."""


def is_of_players(node: ast.expr, known: frozenset[str] = frozenset()) -> bool:
    """Tell whether an expression is a name of a player, or several, by what it is made of."""
    match node:
        case ast.Name(found):
            return found in known
        case ast.Attribute(attr=found):
            return found in _NAMED
        case ast.Call(ast.Attribute(value=owner, attr="values" | "casefold" | "strip" | "lower")):
            return is_of_players(owner, known) or _is_table(owner)
        case ast.Call(function):
            return is_of_players(function)
        case ast.Subscript(owner):
            return is_of_players(owner, known) or _is_table(owner)
        case ast.Starred(value) | ast.SetComp(value) | ast.ListComp(value) | ast.GeneratorExp(value):
            return is_of_players(value, known)
        case ast.Set(several) | ast.List(several) | ast.Tuple(several):
            return any(is_of_players(one, known) for one in several)
    return False


def _is_table(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "players"


def _assigned(function: ast.AST) -> Iterator[str]:
    """Yield what a function calls names of players."""
    for node in ast.walk(function):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.NamedExpr):
            pairs = [(node.target, node.value)]
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=True)
            elif isinstance(target, ast.Name) and is_of_players(value):
                yield target.id


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def compared(source: str) -> list[int]:
    """Return the lines of a module that compare a player's name with anything but a constant."""
    tree, lines = ast.parse(source), set[int]()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        known = frozenset(_assigned(function))
        for node in ast.walk(function):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                for how, one, other in zip(node.ops, sides, sides[1:], strict=False):
                    is_asked = isinstance(how, ast.Eq | ast.NotEq | ast.In | ast.NotIn)
                    is_found = is_of_players(one, known) or is_of_players(other, known)
                    if is_asked and is_found and not (_is_constant(one) or _is_constant(other)):
                        lines.add(node.lineno)
    return sorted(lines)


def test_names_of_players_are_compared_in_two_modules_alone() -> None:
    files = [path for shelf in SHELVES for path in sorted((PACKAGE / shelf).rglob("*.py"))]
    assert len(files) > 100
    found = {
        path.relative_to(PACKAGE).as_posix(): compared(path.read_text(encoding="utf-8")) for path in files
    }

    assert {name for name, lines in found.items() if lines} == {*COMPARE}, found


@pytest.mark.parametrize("planted", rows_of(__file__, "a_comparison_that_is_planted_is_found"))
def test_a_comparison_that_is_planted_is_found(planted: str) -> None:
    assert compared(f"def asked(saved, seat, name):\n    return {planted}\n") == [2]


def test_a_seat_an_id_or_a_constant_is_no_name() -> None:
    for innocent in ("seat in saved.players.bots", "there.id == player.id", "former.player != A_BOT"):
        assert compared(f"def asked(saved, seat):\n    return {innocent}\n") == []
