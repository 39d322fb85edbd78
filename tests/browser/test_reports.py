"""Pages of reports as mail programs show them: narrow and wide, light and dark, for everybody."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.core.interface import Json
from pbem.play.reports.formpages import PLACE
from pbem.text.reports.report import Report
from tests.browser.chromium import AXE
from tests.pictures import RULES, readers, scenes
from tests.subjects import subject

pytestmark = pytest.mark.browser

MOST_SEATS = {"web-of-power": 5, "web-of-power-cards": 5, "game-of-powers": 5}
SMALL = """[...document.querySelectorAll('.rp *')].filter((one) =>
    [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
    && parseFloat(getComputedStyle(one).fontSize) < 14).map((one) => one.outerHTML.slice(0, 99))"""
# Landmarks are those of the mail program, or of the archive, whose page the report stands in.
RUN_AXE = """async () => (await axe.run(document,
    {rules: {region: {enabled: false}, 'landmark-one-main': {enabled: false}}})).violations
    .map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))])"""


@cache
def pages(rules: str) -> dict[str, str]:
    """Return pages of a game from its start to its end, as they come and in full, with the board in them."""
    templates = subject(rules).environment
    assert templates is not None
    made: dict[str, str] = {}
    for name, scene in scenes(rules, MOST_SEATS.get(rules)).items():
        for reader in readers(scene):
            for detail in ("short", "full"):
                told: dict[str, Json] = {**scene.facts(reader), "detail": detail}
                report = Report(templates, told)
                board = report.board.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
                whole = report.html.replace(PLACE.format("board.svg"), board)
                made[f"{name}, {reader}, {detail}"] = whole
    return made


@pytest.mark.parametrize("rules", RULES)
def test_a_report_is_read_on_any_screen_by_anybody_and_without_its_style(
    rules: str, browser: Browser, tmp_path: Path
) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    for name, made in pages(rules).items():
        (tmp_path / "report.html").write_text(made, encoding="utf-8")
        page.goto((tmp_path / "report.html").as_uri())
        for width in (1200, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate("document.querySelector('.rp').offsetWidth") <= 700, name
        assert page.evaluate(SMALL) == [], name
        if name.startswith("middle") and name.endswith("full") and "None" not in name:
            page.evaluate(AXE.read_text(encoding="utf-8"))
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(RUN_AXE) == [], (name, scheme)
            styled = "".join(page.inner_text(".rp").split())
            page.evaluate("document.querySelectorAll('style').forEach((one) => one.remove())")
            assert "".join(page.inner_text(".rp").split()) == styled
    context.close()
