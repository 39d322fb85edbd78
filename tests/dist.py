"""The sdist and the wheel, built once for all tests of a session that look into them or install them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.homes import made_once

PROJECT = Path(__file__).parents[1]


def dist() -> Path:
    """Return a folder with the sdist, and the wheel that was built from it."""
    return made_once("dist", _build)


def wheel() -> Path:
    """Return the wheel."""
    (found,) = dist().glob("*.whl")
    return found


def _build(folder: Path) -> None:
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), "."]
    ran = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
