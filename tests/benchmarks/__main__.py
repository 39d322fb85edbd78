"""Prints the table of `make bench`; every row is a ratio, with both sides in one run."""

from __future__ import annotations

import sys

from tests.benchmarks import cold, many, turns
from tests.benchmarks.table import show

PARTS = {"turns": turns.rows, "cold": cold.rows, "many": many.rows}


def main() -> None:
    """Measure the parts that are named, or all."""
    show(row for part in sys.argv[1:] or PARTS for row in PARTS[part]())


if __name__ == "__main__":
    main()
