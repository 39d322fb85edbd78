"""Screens of reports: how each game's page looks on a telephone, on a desk, dark, grey and printed.

`make screens` writes the small ones anew that `test_screens.py` compares, `python -m tests.browser.screens
FOLDER` writes them in full, to look at. Letters are those of the package: they are the same everywhere.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser

from pbem.play.reports.formpages import FONTS
from tests.browser.chromium import a_browser
from tests.browser.test_reports import pages
from tests.pictures import RULES

KEPT: Final = Path(__file__).parent / "screens"
SMALLER: Final = 5
"""A kept screen has one pixel for so many by so many."""

LOOKS: Final = {
    "360": (360, "light", "screen"),
    "360-grey": (360, "light", "screen"),
    "700-dark": (700, "dark", "screen"),
    "1200": (1200, "light", "screen"),
    "printed": (700, "light", "print"),
}
"""Width, colours and medium, by name."""

_LETTERS: Final = "".join(
    f"@font-face{{font-family:kept;src:url({Path(path).as_uri()});font-weight:{weight}}}"
    for path, weight in zip(FONTS, ("normal", "bold"), strict=True)
)
_LOADED: Final = (
    "Promise.all(['16px kept', 'bold 16px kept'].map((one) => document.fonts.load(one))).then(() => 0)"
)
_STYLE: Final = f"<style>{_LETTERS}*{{font-family:kept!important}}</style></head>"


def screen(browser: Browser, rules: str, look: str, folder: Path) -> Image.Image:
    """Return a page in the middle of a game as it looks.

    Args:
        browser: What draws it.
        rules: The game.
        look: One of LOOKS.
        folder: Where the page may stand for a moment.
    """
    width, colours, medium = LOOKS[look]
    page_of = next(page for name, page in pages(rules).items() if name.startswith("middle"))
    (folder / "page.html").write_text(page_of.replace("</head>", _STYLE, 1), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 800}, offline=True)
    page = context.new_page()
    page.emulate_media(color_scheme=colours, media=medium)  # type: ignore[arg-type]
    page.goto((folder / "page.html").as_uri())
    page.evaluate(_LOADED)
    drawn = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    context.close()
    return drawn.convert("L").convert("RGB") if look.endswith("grey") else drawn


def small(drawn: Image.Image) -> Image.Image:
    """Return a screen as it is kept."""
    return drawn.reduce(SMALLER)


def differs(one: Image.Image, other: Image.Image) -> float:
    """Return how far two screens differ: 0 for the same, 255 for black and white."""
    least = min(one.height, other.height)
    same = [each.convert("RGB").crop((0, 0, each.width, least)) for each in (one, other)]
    shades = ImageStat.Stat(ImageChops.difference(*same)).mean
    return sum(shades) / len(shades) if one.width == other.width else 255.0


def main(folder: Path) -> None:
    """Write all screens into a folder: small ones where they are kept, else in full."""
    folder.mkdir(parents=True, exist_ok=True)
    with a_browser() as browser:
        for rules in RULES:
            for look in LOOKS:
                drawn = screen(browser, rules, look, folder)
                if folder == KEPT:
                    drawn = small(drawn).quantize(32)
                drawn.save(folder / f"{rules}-{look}.png", optimize=True)
    (folder / "page.html").unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else KEPT)
