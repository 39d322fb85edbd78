"""The lists of bad lines for later: together they hold enough, whatever one of them loses."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

ENOUGH = 60


def test_enough_bad_lines_for_later_are_planted_over_the_rules() -> None:
    found = sorted(Path(__file__).parent.glob("*/test_foresight.py"))
    lists = [import_module(f"tests.rules.{path.parent.name}.test_foresight") for path in found]
    planted = [bad for one in lists for bad in (one.NEVER if hasattr(one, "NEVER") else one.BAD)]

    assert len(planted) >= ENOUGH, len(planted)
