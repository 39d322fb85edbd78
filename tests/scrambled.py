"""Tests with the words of the program scrambled: they show what holds a sentence in place, or reads one back.

Usage: pytest -p tests.scrambled    as `make test` does

The letters of each small word in templates and in messages are sorted: "Your orders count" is said as "Your
deorrs cnotu". Names, ids, what stands in backquotes, tags, forms and values of settings stay as they are, and
so do words that the program compares with others: what it reads back of its own words it does not find any
more. Tests with the marker `wording` are left out.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import re
import sys
import types
import zlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Final

import pytest
from jinja2 import BytecodeCache, Environment, nodes

WORD: Final = re.compile(
    r"(?<![\w`{$&#./<\0-])(?<!pbem )(?<![a-z]: )(?!(?:pbem|true|false)\b)[a-z]{3,}(?![\w`}(/:=;\0-]|\.\w)"
)
"""A word of a sentence: no id, path, field, entity or call, no value of a field, and not a part of these."""
CODE: Final = re.compile(r"`[^`]*`|<[^<>]*>|\A(?:pbem|pip|rm|chmod|chown|apt-get) [^#]*|\A// .*")
"""What stands in backquotes, tags, commands, and comments of scripts."""
UNSEEN: Final = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
SQL: Final = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WHERE|VALUES|DROP|AND|FROM|GRANT|REVOKE)\b|= ?\?"
)
VALUE: Final = re.compile(r"[a-z]+( [a-z]+){1,3}")
"""A value of a setting, such as `token and sender`."""
VOCABULARIES: Final = (
    "pbem.rules.",
    "pbem.text.mending.names",
    "pbem.text.mending.lines",
    "pbem.text.mail.plainwords",
    "pbem.text.yamlerrors",
    "pbem.core.turn",
    "pbem.play.homes.earlier",
    "pbem.play.homes.saves",
    "pbem.play.config.newgame",
    "pbem.archive.verifier",
)
"""Modules whose words are no sentences of ours, or not only.

They are names in games, what players write, what the reader of YAML says, and, as turns keep them, where an
answer came from ("taken over by greedy") and the foot of a report.
"""
FORMS: Final = (".yaml.j2", ".css.j2", ".service.j2", ".timer.j2", ".js")
"""Templates of what machines read."""
READING: Final = frozenset(
    {"compile", "match", "search", "fullmatch", "sub", "startswith", "endswith", "partition", "rpartition"}
    | {"split", "rsplit", "removeprefix", "removesuffix", "index", "find", "count", "replace", "note", "pbem"}
)
"""Methods whose arguments are looked for or typed, not said."""


def scrambled(text: str) -> str:
    """Return a text with the letters of its words sorted."""
    kept = sorted(one.span() for pattern in (UNSEEN, CODE) for one in pattern.finditer(text))

    def sort(found: re.Match[str]) -> str:
        inside = any(start <= found.start() < end for start, end in kept)
        return found[0] if inside else "".join(sorted(found[0]))

    return WORD.sub(sort, text)


def all_scrambled(parts: Sequence[str]) -> list[str]:
    """Return the parts of a text, between which values stand, as `scrambled` does with the whole."""
    return scrambled("\0".join(parts)).split("\0") if parts else []


def is_sentence(text: str) -> bool:
    """Tell whether a text of the program is for people: two small words side by side, no SQL and no value."""
    if VALUE.fullmatch(text):
        return False
    return re.search(r"\b[a-z]{2,} [a-z]{2,}\b", text) is not None and not SQL.search(text)


class Scrambler(ast.NodeTransformer):
    """Scrambles the messages of a module; what is compared or looked for stays, as do docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Leave docstrings alone."""
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Leave alone what is compared."""
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Leave patterns alone."""
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave alone what is looked for."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return node if name in READING else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Scramble a sentence."""
        if isinstance(node.value, str) and is_sentence(node.value):
            return ast.copy_location(ast.Constant(scrambled(node.value)), node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Scramble a sentence with values in it."""
        parts = [one for one in node.values if isinstance(one, ast.Constant)]
        texts = [str(part.value) for part in parts]
        if is_sentence("0".join(texts)):
            for part, text in zip(parts, all_scrambled(texts), strict=True):
                part.value = text
        for one in node.values:
            if isinstance(one, ast.FormattedValue):
                self.visit(one.value)
        return node


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the program with its messages scrambled, never from what was compiled before."""

    def get_code(self, fullname: str) -> types.CodeType | None:
        """Return the code of the module."""
        path = self.get_filename(fullname)
        tree = Scrambler().visit(ast.parse(self.get_data(path)))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the program, without `VOCABULARIES`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module of the program is loaded; None for others."""
        if fullname.partition(".")[0] != "pbem" or fullname.startswith(VOCABULARIES):
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if found is not None and isinstance(found.loader, importlib.machinery.SourceFileLoader):
            found.loader = Loader(fullname, found.loader.path)
        return found


def scramble_templates() -> None:
    """Let templates be compiled with their words scrambled, and be kept apart from those that are not."""
    parse = Environment._parse

    def _parse(self: Environment, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = parse(self, source, name, filename)
        if not str(filename or name).endswith(FORMS):
            parts = [*tree.find_all(nodes.TemplateData)]
            for part, text in zip(parts, all_scrambled([one.data for one in parts]), strict=True):
                part.data = text
        return tree

    def get_cache_key(self: BytecodeCache, name: str, filename: str | None = None) -> str:
        return key(self, f"{name} scrambled by {this}", filename)

    this = zlib.crc32(Path(__file__).read_bytes())
    key = BytecodeCache.get_cache_key
    Environment._parse = _parse  # type: ignore[method-assign]
    BytecodeCache.get_cache_key = get_cache_key  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need the words as they are: `pytest -m wording` runs these."""
    left_out = [item for item in items if item.get_closest_marker("wording")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in {*left_out}]


loaded = [name for name in sys.modules if name.partition(".")[0] == "pbem"]
if loaded:
    raise RuntimeError(f"give -p tests.scrambled before anything of the program is loaded: {loaded}")
sys.meta_path.insert(0, Finder())
scramble_templates()
