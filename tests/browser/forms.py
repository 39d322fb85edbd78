"""A player at a form page: opens it, clicks or types, and sends what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.edge.app import Judged, Receipt, judge, run, submit
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.pages import page_of
from pbem.edge.saved import SavedGame
from pbem.text.orders import Fault
from tests.homes import NOW

ENOUGH = 400
"""Presses of a key, after which what is looked for is not there."""


@dataclass
class Desk:
    """A window of the browser, and a folder for what is saved."""

    folder: Path
    page: Page
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def opens(self, saved: SavedGame, seat: str, address: str = "") -> None:
        """Open the form page of a seat at the newest turn."""
        self.shows(page_of(saved, Seat(seat), address))

    def shows(self, page: str) -> None:
        """Open a page as a file, as from the attachment of a mail."""
        path = self.folder / "orders.html"
        path.write_text(page, encoding="utf-8")
        self.page.goto(path.as_uri())

    def yaml(self) -> str:
        """Return the text that the page would send."""
        return self.page.input_value("#yaml")

    def writes(self, text: str) -> None:
        """Replace the text by another, as if it were pasted."""
        self.page.fill("#yaml", text)

    def wrong(self) -> list[str]:
        """Return what the page says is wrong, a line each."""
        return [one.inner_text() for one in self.page.locator("#problems li").all()]

    def forecast(self, line: int = 0) -> list[str]:
        """Return the forecast of a line as it is shown."""
        return self.page.locator(f'[id="line.{line}.forecast"] p').all_inner_texts()

    def clicks(self, place: str) -> None:
        """Click a place of the board."""
        self.page.locator(f'#board [data-place="{place}"]').first.click(force=True)

    def id(self, name: str) -> str:
        """Return the selector of an element by its id, which may hold dots."""
        return f'[id="{name}"]'

    def tabs_to(self, selector: str, back: bool = False) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(ENOUGH):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def presses(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def chosen_by_key(self, selector: str, text: str) -> None:
        """Go to a list of choices by Tab, and to the choice that begins with a text by arrow keys."""
        self.tabs_to(selector)
        labels = self.page.locator(f"{selector} option").all_inner_texts()
        wanted = next(n for n, label in enumerate(labels) if label.startswith(text))
        now = int(self.page.evaluate("document.activeElement.selectedIndex"))
        self.presses(*["ArrowDown" if wanted > now else "ArrowUp"] * abs(wanted - now))


def judged(home: Home, text: str, folder: Path) -> Judged | list[Fault]:
    """Return what `pbem check` says of a text."""
    path = folder / "sent.yaml"
    path.write_text(text, encoding="utf-8")
    return judge(home, path, {})


def lodge(home: Home, text: str, folder: Path) -> None:
    """Lodge a text as `pbem submit` does; it must be accepted."""
    path = folder / "sent.yaml"
    path.write_text(text, encoding="utf-8")
    receipt = submit(Disk(), home, path)
    assert isinstance(receipt, Receipt), [str(fault) for fault in receipt]


def same_move(saved: SavedGame, result: Judged | list[Fault], order: Json) -> bool:
    """Tell whether a submission's first line is the move that a typed order is."""
    assert not isinstance(result, list), [str(fault) for fault in result]
    line = result.submission.orders.lines[0]
    return bool(saved.opening.read(line.do) == saved.opening.read(order))


def suggestion(saved: SavedGame, seat: Seat, skill: str = "greedy") -> Json:
    """Return the order that a bot would give for a seat."""
    dice = Dice(saved.secret.seed, saved.position.steps).apart("suggestion", seat)
    return saved.opening.suggest(saved.opening.view(saved.position.game, seat), dice, skill)


def asked(saved: SavedGame) -> list[Seat]:
    """Return the seats that must answer now; none when the game is over."""
    return sorted(saved.ask.seats) if isinstance(saved.ask, Ask) else []


def next_turn(home: Home, saved: SavedGame) -> SavedGame:
    """Run a game and return it as it stands then."""
    run(Disk(), home, saved.name, now=NOW)
    return SavedGame(home, saved.name)


def numbers(text: str) -> list[int]:
    """Return the whole numbers of a text."""
    return [int(one) for one in re.findall(r"\d+", text)]
