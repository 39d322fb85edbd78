"""The picture of a form page in the guides, as Chromium shows it: `python -m tests.docs.make_form`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pbem.core.events import Seat
from pbem.host.demo import make_demo
from pbem.play.formpages import page_of
from pbem.play.saved import SavedGame
from tests.browser.chromium import a_browser, missing
from tests.homes import NOW, home_at

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "form.png"
BIDS = ("i6", "h4", "b5")
"""The squares that are clicked, each of an object to bid for."""


def main() -> None:
    """Take the picture anew; without a browser it is left as it is."""
    if lacking := missing():
        sys.exit(f"The picture of the form page was left as it is: {lacking}")
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        home = Path(folder) / "home"
        for _ in make_demo(home, NOW):
            pass
        page = browser.new_page(viewport={"width": 1000, "height": 800}, color_scheme="light")
        path = Path(folder) / "orders.html"
        text = page_of(SavedGame(home_at(home), "web-1"), Seat("1"), "games@example.org")
        path.write_text(text, encoding="utf-8")
        page.goto(path.as_uri())
        page.wait_for_function("globalThis.pbem?.page")
        for square in BIDS:
            page.locator(f'#board [data-place="{square}"]').first.click(force=True)
            page.locator("#board-choice button").first.click()
        page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
        page.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
