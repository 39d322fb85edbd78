"""Orders with slips: what each file is accepted as, or where it is refused and what is offered.

Usage: python -m tests.behaviour.slips

writes down anew what comes of each row of the files.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pbem.core.book import Orders
from pbem.core.events import ALL
from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.submissions.lodging import check_submission
from pbem.play.submissions.receipts import JudgedOrders
from pbem.text.codec import fields_of, items_of, pending_json
from pbem.text.orders import Fault, Faults
from tests.behaviour.corpus import write
from tests.homes import a_demo, a_game, a_home, sample_games, top
from tests.written import yaml_beside

FILES: Final = ("slips.yaml", "drawn_slips.yaml", "first_orders.yaml")
"""Slips that people made, and that were drawn at every field; what people wrote who saw a game first."""

ASKED: Final[tuple[str, ...]] = ("slip", "may change", "written")
"""The fields of a row that somebody writes; the others are what comes of it."""


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    found: list[dict[str, Any]] = yaml_beside(__file__, name)
    return found


def a_home_of_samples(folder: Path) -> Home:
    """Return a home with the sample games as they are saved, one that was not dealt yet, and one that was."""
    home = a_home(folder)
    shutil.copytree(sample_games(), top(home) / "games", dirs_exist_ok=True)
    a_game(home, "new-1", deal=False)
    a_game(home, "rose-2")
    return home


def home_of(name: str, folder: Path) -> Home:
    """Return a home with the games that the rows of a file are for; the first orders are for a turn later."""
    return a_demo(folder) if name == "first_orders.yaml" else a_home_of_samples(folder)


def outcome(home: Home, written: str) -> dict[str, Json]:
    """Return what comes of an orders file, as a row says it."""
    found = check_submission(home, written.encode())
    if isinstance(found, JudgedOrders):
        notes: list[Json] = [note.line for note in found.notes]
        accepted = orders_as_data(found.submission.orders)
        return {"seat": found.seat, "accepted": accepted, **({"notes": notes} if notes else {})}
    return {"refused": [[one.line, one.column, one.kind] for one in found], **_offer(found)}


def _offer(found: list[Fault]) -> dict[str, Json]:
    if not isinstance(found, Faults) or not found.whole:
        return {}
    if found.is_example:
        return {"example": "\n".join(found.whole)}
    return {"offer": [[one.line, one.count, "\n".join(one.lines)] for one in found.offer]}


def corrected(written: str, offer: Iterable[tuple[int, int, str]]) -> str:
    """Return a file with the lines in place that are offered."""
    lines = written.split("\n")
    for line, count, text in reversed([*offer]):
        lines[line - 1 : line - 1 + count] = text.split("\n")
    return "\n".join(lines)


def orders_as_data(orders: Orders) -> Json:
    """Return orders as JSON, as a turn keeps them, with their press; what is not said is left out."""
    kept = pending_json(orders)
    lines: list[Json] = [
        {**_without_empty(line), "do": line["do"]} for line in map(fields_of, items_of(kept["lines"]))
    ]
    press: list[Json] = [
        {
            "to": one.to if one.to == ALL else list[Json](sorted(one.to)),
            "say": one.say,
            **({"anonymous": True} if one.anonymous else {}),
        }
        for one in orders.press
    ]
    return _without_empty({**kept, "lines": lines, "press": press})


def _without_empty(fields: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value}


def main() -> int:
    """Write down anew what comes of each row."""
    for name in FILES:
        with tempfile.TemporaryDirectory() as folder:
            home = home_of(name, Path(folder) / "home")
            asked = [{field: row[field] for field in ASKED if field in row} for row in rows(name)]
            write(name, ({**row, **outcome(home, row["written"])} for row in asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
