"""The author's guide builds an example game from its blocks, and its commands run with all four."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.blocks import Block, Command, commands, matches

PROJECT = Path(__file__).parents[2]
GUIDE = PROJECT / "docs" / "author.md"
EXAMPLES = PROJECT / "examples"
WHOLE = [
    f"tic-tac-toe/{name}"
    for name in (
        "pyproject.toml",
        "tic_tac_toe/__init__.py",
        "tic_tac_toe/data/tic_tac_toe.yaml",
        "tic_tac_toe/orders.schema.json",
        "tic_tac_toe/paragraphs.yaml",
        "tic_tac_toe/rules.py",
        "tic_tac_toe/templates/report.txt.j2",
        "tic_tac_toe/templates/words.txt.j2",
    )
]
"""The files that the guide shows whole; of others it shows pieces."""

_BLOCK = re.compile(r"^~~~(\w+)(?: (\S+))?\n(.*?)^~~~$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of the guide: of a file of an example, of a file of the reader, or commands."""

    block: Block
    name: str


def pieces() -> list[Piece]:
    text = GUIDE.read_text(encoding="utf-8")
    return [
        Piece(Block(m[1], m[3], text.count("\n", 0, m.start()) + 1), m[2] or "")
        for m in _BLOCK.finditer(text)
    ]


def written(text: str) -> list[str]:
    """Return the lines of a text without the empty ones, which stand between the pieces of a file."""
    return [line for line in text.splitlines() if line]


def test_the_guide_shows_these_files_of_its_example_whole() -> None:
    shown: dict[str, list[str]] = {name: [] for name in WHOLE}
    for piece in pieces():
        if piece.name in shown:
            shown[piece.name] += written(piece.block.text)

    there = {name: written((EXAMPLES / name).read_text(encoding="utf-8")) for name in shown}
    assert {name: (shown[name], there[name]) for name in shown if shown[name] != there[name]} == {}


def test_pieces_that_the_guide_shows_stand_in_the_examples() -> None:
    shown = [piece for piece in pieces() if "/" in piece.name and piece.name not in WHOLE]

    assert len({piece.name for piece in shown}) >= 3
    for piece in shown:
        there = "\n".join(written((EXAMPLES / piece.name).read_text(encoding="utf-8")))
        assert "\n".join(written(piece.block.text)) in there, piece.name


@pytest.mark.parametrize("name", ["hush", "marches"])
def test_an_example_that_the_guide_alone_teaches_has_170_lines_of_code_at_most(name: str) -> None:
    """Lines with code in the package of the game: without tests, empty lines, comments and docstrings."""
    assert sum(map(lines_of_code, (EXAMPLES / name / name).rglob("*.py"))) <= 170


def lines_of_code(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and line.strip()[0] != "#" and n not in told for n, line in lines)


@pytest.mark.bare
def test_the_commands_of_the_guide_install_test_play_verify_and_simulate_the_games(tmp_path: Path) -> None:
    folder, site = tmp_path / "folder", tmp_path / "site"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    surroundings = _surroundings(site)

    for piece in pieces():
        if piece.name and "/" not in piece.name:
            (folder / piece.name).write_text(piece.block.text, encoding="utf-8")
        elif piece.block.kind == "console":
            for command in commands(piece.block):
                _run(command, piece.block, folder, surroundings)

    assert sorted(path.name for path in (folder / "home" / "games").iterdir() if path.is_dir()) == ["ttt-1"]


def _surroundings(site: Path) -> dict[str, str]:
    """Return the environment of a reader: pip works without a network, and installs into a new folder."""
    known = {key: value for key, value in os.environ.items() if not key.startswith(("PBEM_", "PIP_"))}
    return {
        **known,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{site}{os.pathsep}{PROJECT}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PIP_TARGET": str(site),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round: no isolation
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def _run(command: Command, block: Block, folder: Path, surroundings: dict[str, str]) -> None:
    if setting := re.fullmatch(r"export (\w+)=(\S+)", command.words):
        surroundings[setting[1]] = setting[2]
        return
    ran = subprocess.run(
        ["sh", "-c", command.words],
        cwd=folder,
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    place = f"{GUIDE.name}:{block.line}: $ {command.words}"
    assert ran.returncode == command.code, f"{place}\n{ran.stdout}"
    assert matches(command.expected, ran.stdout), (
        f"{place}\nexpected:\n{command.expected}\nprinted:\n{ran.stdout}"
    )
