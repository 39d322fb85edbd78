"""Plug-ins for tests: folders that count as installed, as pip would have put them there."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.play.config import registry

ROOT = Path(__file__).parents[1]
EXAMPLES: Mapping[str, Path] = {
    "tic-tac-toe": ROOT / "examples/tic-tac-toe/tic_tac_toe",
    "magpies": ROOT / "examples/magpies/magpies",
    "hush": ROOT / "examples/hush/hush",
    "marches": ROOT / "examples/marches/marches",
}
HILLS: Mapping[str, Path] = {"hills": ROOT / "tests/contract/hills"}


@contextmanager
def plugged_in(site: Path, games: Mapping[str, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put copies of packages of rules into a folder, by the name of the game, as long as the test goes on."""
    for name, package in games.items():
        shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        info = site / f"{package.name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        entry = f"[pbem.rules]\n{name} = {package.name}:SYSTEM\n"
        (info / "entry_points.txt").write_text(entry, "utf-8")
    monkeypatch.syspath_prepend(site)
    packages = {package.name for package in games.values()}
    _forget(packages)
    yield site
    _forget(packages)


def _forget(packages: Collection[str]) -> None:
    """Look the plug-ins up anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
    registry.clear_rules_cache()
    importlib.invalidate_caches()
