"""Boards of order pages on light and on dark screens: their words can be read, and paper is dark there."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.reports.formpage import READABLE, contrast
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


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_board_can_be_read(game: str, demo: Home, browser: Browser, tmp_path: Path) -> None:
    saved = SavedGame(demo, game)
    context = browser.new_context(viewport={"width": 700, "height": 3000}, device_scale_factor=2)
    desk = Desk(tmp_path, context.new_page())
    desk.opens(saved, asked(saved)[0])
    for scheme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=scheme)
        drawn = Image.open(io.BytesIO(desk.page.locator("#board svg").screenshot())).convert("RGB")
        found = desk.page.evaluate(WORDS)
        assert len(found) > 20
        assert pale_words(drawn, found) == []
        assert (contrast(_most(drawn), "#000000") < READABLE) == (scheme == "dark")
    context.close()


def pale_words(drawn: Image.Image, found: list[Any]) -> list[tuple[str, str, str, float]]:
    """Return the words that cannot be read upon what is behind them: text, ink, what is behind, contrast."""
    pale = []
    for text, ink, has_halo, x, y, width, height in found:
        left, top, right, low = (round(2 * part) for part in (x, y, x + width, y + height))
        behind = _most(drawn.crop((left, top, right, low)))
        if contrast(_hex(ink), behind) < (HALO if has_halo else READABLE):
            pale.append((text, _hex(ink), behind, round(contrast(_hex(ink), behind), 1)))
    return pale
