"""The table of `make bench`, one row a comparison."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from tests.benchmarks.moves import Speed
from tests.benchmarks.pairs import Row


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come, then all of them as a table."""
    table = Table("row", "ours, ms", "other, ms", "ratio", "bound", "", "note")
    for row in rows:
        bound = f"{'>=' if row.at_least else '<='} {row.bound}"
        Console(stderr=True).print(f"{row.name}: {row.ratio:.2f} ({bound})")
        kept = "kept" if row.holds else "MISSED"
        table.add_row(
            row.name, f"{row.ours:.1f}", f"{row.theirs:.1f}", f"{row.ratio:.2f}", bound, kept, row.note
        )
    Console(width=150).print(table)


def show_speeds(speeds: Iterable[Speed]) -> None:
    """Print how fast each rule system is by itself."""
    table = Table(
        "rules", "seats", "moves/s: check, resolve", "moves/s: view, check, resolve", "", title="bare rules"
    )
    for one in speeds:
        table.add_row(one.name, str(one.seats), f"{one.checked:,.0f}", f"{one.viewed:,.0f}", one.note)
    Console(width=150).print(table)
