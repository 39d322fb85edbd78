"""Prints the tables of `make bench`: ratios, with both sides in one run, and moves a second of bare rules."""

from __future__ import annotations

import sys

from tests.benchmarks import (
    archive,
    cold,
    database,
    doors,
    idle,
    letters,
    mails,
    many,
    moves,
    patterns,
    pictures,
    turns,
)
from tests.benchmarks.table import show, show_speeds

PARTS = {
    "turns": turns.rows,
    "cold": cold.rows,
    "many": many.rows,
    "idle": idle.rows,
    "database": database.rows,
    "letters": letters.rows,
    "mails": mails.rows,
    "doors": doors.rows,
    "archive": archive.rows,
    "patterns": patterns.rows,
    "pictures": pictures.rows,
}


def main() -> None:
    """Measure the parts that are named, or all."""
    parts = sys.argv[1:] or [*PARTS, "moves"]
    if ratios := [PARTS[part] for part in parts if part != "moves"]:
        show(row for rows in ratios for row in rows())
    if "moves" in parts:
        show_speeds(moves.speeds())


if __name__ == "__main__":
    main()
