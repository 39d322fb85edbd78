"""A player at a form page: opens it, clicks or types, and sends what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from playwright.sync_api import Browser, Page

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.play.submissions.receipts import JudgedOrders, Receipt
from pbem.text.orders import Fault
from pbem.text.strictyaml import dump_flow
from tests.homes import NOW, check_file, submit

ENOUGH = 400
"""Presses of a key, after which what is looked for is not there."""

TOLD = """all => all.map((one) => [...one.childNodes].filter((part) => part.nodeName !== "PRE")
  .map((part) => part.textContent).join(""))"""


@dataclass
class Desk:
    """A window of the browser, and a folder for what is saved."""

    folder: Path
    page: Page
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(5000)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def opens(self, saved: SavedGame, seat: str, address: str = "") -> None:
        """Open the form page of a seat at the newest turn."""
        self.shows(page_of(saved, Seat(seat), address))

    def shows(self, page: str) -> None:
        """Open a page as a file, as from the attachment of a mail, on a device that keeps no draft of it."""
        if self.page.url.startswith("file:"):
            self.page.evaluate("localStorage.clear()")
        self.path.write_text(page, encoding="utf-8")
        self.page.goto(self.path.as_uri())
        self.waits("globalThis.pbem?.page")

    def waits(self, until: str) -> None:
        """Wait for something that becomes true; the page's policy allows no script that would wait in it."""
        end = monotonic() + 5
        while not self.page.evaluate(f"Boolean({until})"):
            assert monotonic() < end, f"never true: {until}"
            self.page.wait_for_timeout(20)

    def reloads(self) -> None:
        """Load the page again, as a person would; Chromium hands on what was stored a moment later.

        On a busy machine a quarter of a second was once too short for that.
        """
        self.page.wait_for_timeout(1000)
        self.page.reload()
        self.waits("globalThis.pbem?.page")

    @property
    def path(self) -> Path:
        """The file that pages are shown from."""
        return self.folder / "orders.html"

    def yaml(self) -> str:
        """Return the text that the page would send."""
        return self.page.input_value("#yaml")

    def writes(self, text: str) -> None:
        """Replace the text by another, as if it were pasted."""
        self.page.fill("#yaml", text)

    def wrong(self) -> list[str]:
        """Return what the page says is wrong, a line each, without the lines of the text that it shows."""
        told: list[str] = self.page.eval_on_selector_all("#problems li", TOLD)
        return told

    def forecast(self, line: int = 0) -> list[str]:
        """Return the forecast of a line as it is shown."""
        return self.page.locator(f'[id="line.{line}.forecast"] p').all_inner_texts()

    def clicks(self, place: str) -> None:
        """Click a place of the board."""
        self.page.locator(f'#board [data-place="{place}"]').first.click(force=True)

    def words(self, value: Json) -> str:
        """Return what the page calls a value, such as "Cluny" for cluny."""
        return str(self.page.evaluate("value => pbem.words.shown(value)", value))

    def order_words(self, order: Json) -> str:
        """Return what the page calls an order."""
        return str(self.page.evaluate("order => pbem.words.order(order)", order))

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


class Mouse:
    """Fills in fields of the open line as somebody with a mouse does."""

    def __init__(self, desk: Desk, line: int = 0) -> None:
        self.desk = desk
        self.prefix = f"line.{line}.do"

    def fill(self, order: Json) -> None:
        """Fill in an order, part by part, in whatever fields the page has for it."""
        assert isinstance(order, dict)
        self.unfold(f"{self.prefix}.rest")
        if not any(self.has_field(f"{self.prefix}.{name}") for name in order):
            self.whole(order)
            return
        for name, value in order.items():
            self.part(f"{self.prefix}.{name}", value)

    def whole(self, order: Json) -> None:
        """Take an order from the list of those that work as they stand."""
        rows = self.desk.page.locator(".choices label b").all_inner_texts()
        self.tick(f"{self.prefix}.whole0.{rows.index(self.desk.order_words(order))}")

    def part(self, place: str, value: Json) -> None:
        """Fill in one part of an order."""
        if isinstance(value, dict):
            self.fields(place, value)
        elif isinstance(value, list):
            self.entries(place, value)
        elif self.has(f"{place}.addit"):
            self.add(place, value)
        elif value is True:
            self.tick(place)
        elif self.is_choice(place):
            self.pick(place, value)
        else:
            self.write(place, value if isinstance(value, str) else dump_flow(value))

    def fields(self, place: str, value: dict[str, Json]) -> None:
        """Fill in a part that has parts: what a menu offers first, then one field after the other."""
        if self.has(f"{place}.menu"):
            words = [self.desk.words(one) for one in value.values() if isinstance(one, str)]
            heads = (self.begins(f"{place}.menu", head) for head in (", ".join(words), words[0]))
            self.choose(f"{place}.menu", next(head for head in heads if head))
            value = {key: one for key, one in value.items() if self.has_field(f"{place}.{key}")}
        if self.has(f"{place}.another"):
            self.press(f"{place}.another")
        self.unfold(f"{place}.fold")
        for name, one in value.items():
            self.part(f"{place}.{name}", one)

    def entries(self, place: str, value: list[Json]) -> None:
        """Fill in a list, entry by entry; a single entry with parts stands without a number."""
        for number, one in enumerate(value):
            if isinstance(one, dict) and self.has(f"{place}.another"):
                self.press(f"{place}.another")
                numbered = f"{place}.{number}" if self.has_field(f"{place}.{number}") else place
                for name, inner in one.items():
                    self.part(f"{numbered}.{name}", inner)
            else:
                self.add(place, one)

    def has(self, name: str) -> bool:
        """Tell whether there is an element of this id."""
        return self.desk.page.locator(self.desk.id(name)).count() > 0

    def has_field(self, name: str) -> bool:
        """Tell whether there is a field for a place, or a list, or fields below it."""
        return self.desk.page.locator(f'[id="{name}"], [id^="{name}."]').count() > 0

    def is_choice(self, name: str) -> bool:
        """Tell whether a field is a list of choices."""
        return self.desk.page.locator(f"select{self.desk.id(name)}").count() > 0

    def starts(self, name: str, value: Json) -> str | None:
        """Return the choice for a value, or None if the value must be written in words."""
        return self.begins(name, self.desk.words(value))

    def begins(self, name: str, words: str) -> str | None:
        """Return the choice that is called so, or whose note begins so; None if there is none."""
        heads = (words, f"{words}: ", f"{words}, ")
        return next(
            (text for text in self.texts(name) if text == words or text.startswith(heads[1:])),
            None,
        )

    def texts(self, name: str) -> list[str]:
        """Return the texts of a list of choices."""
        found = f"{self.desk.id(name)} option"
        texts: list[str] = self.desk.page.eval_on_selector_all(found, "all => all.map((one) => one.text)")
        return texts

    def pick(self, name: str, value: Json) -> None:
        """Take a value from a list of choices, or write it."""
        head = self.starts(name, value)
        self.choose(name, head or "something else")
        if head is None:
            self.write(f"{name}.typed", value if isinstance(value, str) else dump_flow(value))

    def add(self, place: str, value: Json) -> None:
        """Add an entry to a list."""
        head = self.starts(f"{place}.pick", value) if self.has(f"{place}.pick") else None
        if self.has(f"{place}.pick"):
            self.choose(f"{place}.pick", head or "something else")
        if head is None:
            self.write(f"{place}.add", dump_flow(value))
            self.press(f"{place}.addit")
        else:
            self.leave()

    def leave(self) -> None:
        """Make what was chosen in a list count, where that does not happen by itself."""

    def choose(self, name: str, head: str) -> None:
        """Take the choice whose text begins so."""
        texts = self.desk.page.locator(self.desk.id(name) + " option").all_inner_texts()
        fit = [n for n, one in enumerate(texts) if one == head] or [
            n for n, one in enumerate(texts) if one.startswith(head)
        ]
        self.desk.page.select_option(self.desk.id(name), index=fit[0])

    def write(self, name: str, text: str) -> None:
        """Write into a field."""
        self.desk.page.fill(self.desk.id(name), text)

    def tick(self, name: str) -> None:
        """Tick a box."""
        self.desk.page.check(self.desk.id(name))

    def press(self, name: str) -> None:
        """Press a button."""
        self.desk.page.click(self.desk.id(name))

    def unfold(self, name: str) -> None:
        """Open what is folded away, if it is."""
        if self.has(name) and self.desk.page.get_attribute(self.desk.id(name), "open") is None:
            self.press(f"{name}.summary")


class Keys(Mouse):
    """Fills in fields with the keyboard alone."""

    def leave(self) -> None:
        self.desk.presses("Enter")

    def choose(self, name: str, head: str) -> None:
        self.desk.chosen_by_key(self.desk.id(name), head)

    def write(self, name: str, text: str) -> None:
        self.desk.tabs_to(self.desk.id(name))
        self.desk.presses("Control+A", "Delete")
        self.desk.page.keyboard.insert_text(text)

    def tick(self, name: str) -> None:
        self.desk.tabs_to(self.desk.id(name))
        self.desk.presses("Space")

    def press(self, name: str) -> None:
        self.desk.tabs_to(self.desk.id(name))
        self.desk.presses("Enter")


@contextmanager
def a_window(
    browser: Browser,
    folder: Path,
    *,
    width: int,
    height: int = 740,
    has_touch: bool = False,
    is_phone: bool = False,
) -> Iterator[Desk]:
    """Open a window of the browser without a network; nothing may have gone wrong in it when it is shut."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=has_touch, is_mobile=is_phone, offline=True
    )
    made = Desk(folder, context.new_page())
    yield made
    context.close()
    assert made.errors == []


def judged(home: Home, text: str, folder: Path) -> JudgedOrders | list[Fault]:
    """Return what `pbem check` says of a text."""
    path = folder / "sent.yaml"
    path.write_text(text, encoding="utf-8")
    return check_file(home, path, {})


def lodge(home: Home, text: str, folder: Path) -> None:
    """Lodge a text as `pbem submit` does; it must be accepted."""
    path = folder / "sent.yaml"
    path.write_text(text, encoding="utf-8")
    receipt = submit(home, path)
    assert isinstance(receipt, Receipt), receipt


def same_move(saved: SavedGame, result: JudgedOrders | list[Fault], order: Json) -> bool:
    """Tell whether a submission's first line is the move that a typed order is."""
    assert not isinstance(result, list), [str(fault) for fault in result]
    line = result.submission.orders.lines[0]
    return bool(saved.opening.read(line.do) == saved.opening.read(order))


def suggestion(saved: SavedGame, seat: Seat, skill: str = "greedy") -> Json:
    """Return the order that a bot would give for a seat."""
    dice = Dice(saved.secret.seed, saved.position.steps).apart("suggestion", seat)
    return saved.opening.bot_order(saved.position.game, seat, dice, skill)


def asked(saved: SavedGame) -> list[Seat]:
    """Return the seats that must answer now; none when the game is over."""
    return sorted(saved.ask.seats) if isinstance(saved.ask, Ask) else []


def next_turn(home: Home, saved: SavedGame) -> SavedGame:
    """Run a game and return it as it stands then."""
    run(home, saved.name, now=NOW)
    return SavedGame(home, saved.name)


def numbers(text: str) -> list[int]:
    """Return the whole numbers of a text."""
    return [int(one) for one in re.findall(r"\d+", text)]
