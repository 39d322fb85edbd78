"""The texts, each by the name of its file: made from the rows of the corpora."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pbem.cli import run_command
from tests.behaviour.slips import home_of, rows
from tests.homes import top

FOLDER: Final = Path(__file__).parent


def texts() -> Mapping[str, str]:
    """Return all texts."""
    return {f"check-{game}.txt": text for game, text in _checks().items()}


def _checks() -> Mapping[str, str]:
    """Return what `pbem check` says of the orders that people wrote, by their game."""
    found: defaultdict[str, str] = defaultdict(str)
    for name in ("slips.yaml", "first_orders.yaml"):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            home, file = home_of(name, Path(folder) / "home"), Path("orders.yaml")
            for row in rows(name):
                file.write_text(row["written"], encoding="utf-8")
                said = _said("check", str(file), "--home", str(top(home)))
                game = row["slip"].partition(" ")[0].rstrip(":")
                found[game] += f"=== {row['slip']}\n{row['written'].rstrip()}\n--- check\n{said}\n"
    return found


def _said(*words: str) -> str:
    """Return what a command prints, and with which code it ends if that is not 0."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        code = run_command([*words])
    return f"{out.getvalue()}{f'(exit {code}){chr(10)}' if code else ''}"
