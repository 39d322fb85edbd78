"""Prints the table of `make bench`; every row is a ratio, with both sides in one run."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from tests.benchmarks import cold, many, turns

PARTS = {"turns": turns.rows, "cold": cold.rows, "many": many.rows}


def main() -> None:
    """Measure the parts that are named, or all."""
    table = Table("row", "ours, ms", "other, ms", "ratio", "bound", "", "note")
    console = Console(width=150)
    for part in sys.argv[1:] or PARTS:
        for row in PARTS[part]():
            sign = ">=" if row.at_least else "<="
            table.add_row(
                row.name,
                f"{row.ours:.1f}",
                f"{row.theirs:.1f}",
                f"{row.ratio:.2f}",
                f"{sign} {row.bound}",
                "kept" if row.holds else "MISSED",
                row.note,
            )
            Console(stderr=True).print(f"{row.name}: {row.ratio:.2f} ({sign} {row.bound})")
    console.print(table)


if __name__ == "__main__":
    main()
