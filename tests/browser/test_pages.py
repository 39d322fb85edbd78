"""What all form pages can do: lines, conditions, messages, the text below; and for everybody."""

from __future__ import annotations

import pytest

from pbem.edge.demo import make_demo
from pbem.edge.home import Home
from pbem.edge.saved import SavedGame
from tests.browser.chromium import AXE
from tests.browser.forms import Desk, asked
from tests.homes import NOW

pytestmark = pytest.mark.browser

GAMES = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")
RUN_AXE = """async () => (await axe.run(document)).violations
    .map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])"""


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with all sample games."""
    folder = tmp_path_factory.mktemp("demo") / "home"
    for _ in make_demo(folder, NOW):
        pass
    return Home(folder)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_light_in_dark_or_narrow(name: str, scheme: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    desk.opens(saved, asked(saved)[0], "host+x@example.test")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for name_ in ("add-press", "add-line"):
        desk.page.click(f"#{name_}")
    desk.page.click('[id="stop_if.add"]')
    desk.page.evaluate(AXE.read_text(encoding="utf-8"))
    for width in (1000, 320):
        desk.page.set_viewport_size({"width": width, "height": 800})
        assert desk.page.evaluate(RUN_AXE) == []
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
