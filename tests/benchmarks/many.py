"""Many games: what each costs, how much memory, and two jobs against one."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks.pairs import Row


def rows() -> Iterator[Row]:
    """Yield the rows of many games."""
    yield from ()
