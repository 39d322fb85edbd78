"""Whole games by taps on order pages in a real browser: what is offered, the taps, and what is ordered then.

The games are dealt as those of `games` are, and go on with the orders that result.

Usage: python -m tests.behaviour.pages [NAME ...]

draws taps anew for the games that are named, or for all, and writes down what comes of them.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import JudgedOrders
from tests.behaviour import games
from tests.behaviour.corpus import write
from tests.browser.chromium import a_browser
from tests.browser.forms import Desk, a_window, judged, next_turn
from tests.browser.test_touch import TAPPED
from tests.homes import make_home, submit
from tests.written import yaml_beside

FILE: Final = "pages.yaml"
WIDTH: Final = 360
MOST: Final = 6
"""So many taps are enough for an order; who has made none by then begins anew."""
OFFERED: Final = "all => all.map((one) => one.dataset.place)"

Row: TypeAlias = Mapping[str, Any]
Tap: TypeAlias = str | tuple[str, int]
"""A place of the board; or a place, and the number of what is chosen there (a list, in the file)."""


def rows() -> list[Row]:
    """Return the games of the file, each with what every ask of it comes to."""
    found: list[Row] = yaml_beside(__file__, FILE)
    return found


class Page:
    """The order page of a seat on a telephone."""

    def __init__(self, desk: Desk, saved: SavedGame, seat: Seat) -> None:
        """Open the page."""
        self.desk, self.saved, self.seat = desk, saved, seat
        self.taps: list[Tap] = []
        desk.opens(saved, seat, "host+x@example.test")

    def offered(self) -> list[str]:
        """Return the places of the board that can be tapped, each once."""
        found: list[str] = self.desk.page.eval_on_selector_all("#board .open", OFFERED)
        return [one for one in dict.fromkeys(found) if one]

    def tap(self, tap: Tap) -> None:
        """Tap a place, and what is chosen there."""
        place, number = (tap, None) if isinstance(tap, str) else tap
        words: list[str] = self.desk.page.eval_on_selector_all("#board .open", OFFERED)
        spot = self.desk.page.evaluate(TAPPED, words.index(place))
        assert spot is not None, f"{place} cannot be tapped"
        self.desk.page.touchscreen.tap(*spot[:2])
        if number is not None:
            self.desk.page.locator("#board-choice button").nth(number).tap()
        self.taps.append(tap)

    def tap_by_chance(self, chance: random.Random) -> None:
        """Tap a place that is offered, and something that it can mean."""
        place = chance.choice(self.offered())
        self.tap(place)
        if count := self.desk.page.locator("#board-choice button").count():
            number = chance.randrange(count)
            self.desk.page.locator("#board-choice button").nth(number).tap()
            self.taps[-1] = (place, number)

    def is_sendable(self) -> bool:
        """Tell whether there is something to send, and nothing is wrong with it."""
        return not self.desk.wrong() and self.desk.page.is_enabled("#copy")

    def sent(self, offered: list[str], folder: Path) -> Mapping[str, Any]:
        """Lodge what the page sends, of which page and host forecast the same; return what came of it."""
        found = judged(self.saved.home, self.desk.yaml(), folder)
        assert self.is_sendable() and isinstance(found, JudgedOrders), found
        here = " ".join(" ".join(self.desk.forecast()).split())
        assert all(" ".join(one.split()) in here for one in found.verdict.prospects[0].lines), here
        submit(self.saved.home, folder / "sent.yaml")
        ask = self.saved.ask
        assert isinstance(ask, Ask)
        told = {
            "ask": ask.label,
            "seat": str(self.seat),
            "offered": offered,
            "taps": [tap if isinstance(tap, str) else [*tap] for tap in self.taps],
        }
        return {**told, "order": found.submission.orders.lines[0].do}


def asks(row: Row, folder: Path) -> Iterator[tuple[SavedGame, Seat]]:
    """Yield each ask of a game: the game, and who is asked; its orders must be lodged then.

    A long game stops after so many asks as its row says (`until`).
    """
    name, game = row["page"], games.row_of(row["page"])
    home = games.new(make_home(folder / "home").store, {**game, "ahead": False}, folder)
    games.by_file(home, name, game["turns"][0]["orders"], folder)
    saved, count = next_turn(home, SavedGame(home, name)), 0
    while seats := games.asked(saved):
        for seat in seats:
            yield saved, seat
            count += 1
            if count == row.get("until"):
                return
        saved = next_turn(home, saved)


def played(row: Row, desk: Desk, folder: Path) -> Iterator[Mapping[str, Any]]:
    """Do the taps of a game; yield what comes of each ask."""
    for step, (saved, seat) in zip(row["asks"], asks(row, folder), strict=True):
        page = Page(desk, saved, seat)
        offered = page.offered()
        for tap in step["taps"]:
            page.tap(tap)
        yield page.sent(offered, folder)


def drawn(row: Row, desk: Desk, folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield each ask of a game, with taps by chance until there is something to send."""
    chance = random.Random(row["page"])
    for saved, seat in asks(row, folder):
        page = Page(desk, saved, seat)
        offered = page.offered()
        while not page.is_sendable():
            page = Page(desk, saved, seat) if len(page.taps) == MOST else page
            page.tap_by_chance(chance)
        yield page.sent(offered, folder)


def main() -> int:
    """Draw the taps anew of the games that are named, or of all."""
    found = []
    with a_browser() as browser, tempfile.TemporaryDirectory() as folder:
        for row in rows():
            if sys.argv[1:] and row["page"] not in sys.argv[1:]:
                found.append(row)
                continue
            place = Path(folder) / row["page"]
            place.mkdir()
            with a_window(browser, place, width=WIDTH, has_touch=True, is_phone=True) as desk:
                found.append({**row, "asks": [*drawn(row, desk, place)]})
    write(FILE, found, steps="asks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
