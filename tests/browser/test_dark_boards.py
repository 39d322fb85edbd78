"""Boards of order pages on light and on dark screens: their words can be read, and paper is dark there."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.reports.scripts import READABLE, contrast
from tests.browser.forms import Desk, asked

pytestmark = pytest.mark.browser

GAMES = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")
HALO = 3.0
"""The least contrast of words that stand on lines, with paper around their letters."""

WORDS = """() => {
  const around = document.querySelector("#board svg").getBoundingClientRect();
  const all = [...document.querySelectorAll("#board svg text")];
  const words = all.filter((one) => one.getClientRects().length);
  return words.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const { fill, stroke } = getComputedStyle(one);
    return [one.textContent, fill, stroke !== "none", x - around.x, y - around.y, width, height];
  });
}"""
"""Every word: its text, ink, whether paper is around its letters, and where it stands in the picture."""


def _hex(colour: str) -> str:
    parts = colour.removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(part):02x}" for part in parts)


def _most(picture: Image.Image) -> str:
    """Return the colour that most of a picture has."""
    counted = picture.getcolors(picture.width * picture.height) or []
    _, colour = max(counted, key=lambda one: one[0])
    assert isinstance(colour, tuple), "a picture in RGB"
    return "#" + bytes(int(part) for part in colour).hex()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_board_can_be_read(
    game: str, scheme: str, demo: Home, browser: Browser, tmp_path: Path
) -> None:
    saved = SavedGame(demo, game)
    looks = {"width": 700, "height": 3000}
    context = browser.new_context(viewport=looks, color_scheme=scheme, device_scale_factor=2)  # type: ignore[arg-type]
    desk = Desk(tmp_path, context.new_page())
    desk.opens(saved, asked(saved)[0])
    drawn = Image.open(io.BytesIO(desk.page.locator("#board svg").screenshot())).convert("RGB")

    found = desk.page.evaluate(WORDS)
    context.close()

    pale = []
    for text, ink, has_halo, x, y, width, height in found:
        left, top, right, low = (round(2 * part) for part in (x, y, x + width, y + height))
        behind = _most(drawn.crop((left, top, right, low)))
        if contrast(_hex(ink), behind) < (HALO if has_halo else READABLE):
            pale.append((text, _hex(ink), behind, round(contrast(_hex(ink), behind), 1)))
    assert len(found) > 20
    assert pale == []
    assert (contrast(_most(drawn), "#000000") < READABLE) == (scheme == "dark")
