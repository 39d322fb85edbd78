"""The program works from a wheel alone, from an editable install, and by the README's first command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.dist import wheel

pytestmark = pytest.mark.bare

PROJECT = Path(__file__).parents[2]
PARTS = ["pbem", "orders", "templates", "games", "pyproject.toml", "README.md", "LICENSE", "Makefile"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project as a stranger has it: no build, no environment."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for part in PARTS:
        source = PROJECT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    return folder


def test_a_wheel_alone_in_an_empty_environment_runs_the_demo(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    pbem = _environment(tmp_path, str(wheel()))

    said = _run([str(pbem), "demo", "demo"], empty)

    assert "rose-1: turn " in said
    assert "| The Rose King, rose-1, turn " in said
    assert "rose-king" in _run([str(pbem), "rules"], empty)
    assert '"pbem status --json"' in _run([str(pbem), "help", "--schema", "status"], empty)
    assert "turns intact" in _run([str(pbem), "verify", "rose-1", "--home", "demo"], empty)
    assert (empty / "demo" / "games" / "rose-1" / "secret.json").stat().st_mode & 0o777 == 0o600


def test_make_demo_makes_an_editable_install_and_runs_the_demo(checkout: Path) -> None:
    said = _run(["make", "demo", f"PYTHON={sys.executable}"], checkout)

    assert "rose-1: turn " in said
    assert "| The Rose King, rose-1, turn " in said
    (linked,) = (checkout / ".venv").rglob("_editable_impl_pbem.pth")
    assert str(checkout) in linked.read_text(encoding="utf-8")


def _environment(folder: Path, wheel: str) -> Path:
    """Return `pbem` of a new environment that holds a wheel and what it depends on."""
    _run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
    pip = [str(folder / "venv" / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, wheel], folder)
    return folder / "venv" / "bin" / "pbem"


def _run(words: list[str], folder: Path, more: Mapping[str, str] | None = None) -> str:
    kept = {
        key: value for key, value in os.environ.items() if key not in ("PBEM_HOME", "PYTHONPATH", "MAKEFLAGS")
    }
    ran = subprocess.run(
        words, cwd=folder, env={**kept, **(more or {})}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout
