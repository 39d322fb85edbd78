"""Game books as tests look at them: of any data, read as their readers see them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import Book, book_of
from tests.homes import a_game, a_home, game_folder, table_of

RULES = ("game-of-powers", "rose-king", "web-of-intrigue", "web-of-power", "web-of-power-cards")


def shipped(rules: str) -> dict[str, Any]:
    """Return a copy of the shipped data of some rules."""
    copy: dict[str, Any] = json.loads(json.dumps(registry.find_rules(rules).shipped_data()))
    return copy


def table(rules: str) -> str:
    """Return a table of the most seats that rules can have."""
    system = registry.find_rules(rules).system
    assert system is not None
    seats = system.seat_names(system.seats[-1])
    rows = "".join(f"  {seat}: {{player: Canary {seat}}}\n" for seat in seats)
    return table_of(len(seats)) if seats[0] == "1" else f"seats:\n{rows}"


def book_with(path: Path, rules: str, data: Mapping[str, Json]) -> Book:
    """Return the book of a new game that is played with this data."""
    home = a_home(path)
    a_game(home, "own-1", rules=rules, table=table(rules), deal=False)
    first = game_folder(home, "own-1") / "turns" / "0000"
    (first / "data.json").write_text(json.dumps(data), encoding="utf-8")
    start = json.loads((first / "start.json").read_text(encoding="utf-8"))
    own = [
        name for name, value in data.items() if value != registry.find_rules(rules).shipped_data().get(name)
    ]
    (first / "start.json").write_text(json.dumps({**start, "own_tables": own}), encoding="utf-8")
    return book_of(SavedGame(home, "own-1"))


def read_aloud(page: str) -> str:
    """Return what a page says, in one line."""
    body = page.partition("<body>")[2]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def without_code(page: str) -> str:
    """Return what a page says besides how orders are written."""
    return read_aloud(re.sub(r"<(pre|code)\b[^>]*>.*?</\1>", " ", page, flags=re.DOTALL))


def names(value: Json) -> Iterator[str]:
    """Yield every name in data tables."""
    if isinstance(value, list):
        for one in value:
            yield from names(one)
    elif isinstance(value, dict):
        if isinstance(value.get("name"), str):
            yield str(value["name"])
        for one in value.values():
            yield from names(one)
