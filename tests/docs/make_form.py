"""The pictures of pages in the guides, as Chromium shows them: `python -m tests.docs.make_form`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from pbem.core.events import Seat
from pbem.host.office.samples import make_demo
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import PLACE, page_of
from pbem.play.reports.reading import pages_of_report
from tests.browser.chromium import a_browser, missing
from tests.homes import NOW, home_at

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
BIDS = ("i6", "h4", "b5")
"""The squares that are clicked, each of an object to bid for."""


def main() -> None:
    """Take the pictures anew; without a browser they are left as they are."""
    if lacking := missing():
        sys.exit(f"The pictures of pages were left as they are: {lacking}")
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        home = Path(folder) / "home"
        for _ in make_demo(home, NOW):
            pass
        page = browser.new_page(viewport={"width": 1000, "height": 800}, color_scheme="light")
        _take_form(page, home)
        _take_report(page, home)


def _take_form(page: Page, home: Path) -> None:
    """Take the picture of a form page with three bids."""
    _open(page, home, page_of(SavedGame(home_at(home), "web-1"), Seat("1"), "games@example.org"))
    page.wait_for_function("globalThis.pbem?.page")
    for square in BIDS:
        page.locator(f'#board [data-place="{square}"]').first.click(force=True)
        page.locator("#board-choice button").first.click()
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    page.screenshot(path=PICTURES / "form.png")


def _take_report(page: Page, home: Path) -> None:
    """Take the picture of the beginning of a report."""
    saved = SavedGame(home_at(home), "rose-1")
    made = pages_of_report(saved, saved.turn, "white", ("report.html", "board.svg"))
    board = made["board.svg"].replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
    page.set_viewport_size({"width": 720, "height": 1000})
    _open(page, home, made["report.html"].replace(PLACE.format("board.svg"), board))
    page.screenshot(path=PICTURES / "report.png")


def _open(page: Page, home: Path, text: str) -> None:
    path = home / "page.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())


if __name__ == "__main__":
    main()
