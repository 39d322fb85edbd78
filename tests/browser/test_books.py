"""The game book in a browser: it prints on a few pages of paper, and can be read by everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.play.reports.books import book_of_rules
from tests.books import RULES
from tests.browser.chromium import AXE

pytestmark = pytest.mark.browser

PAGES = 12


@pytest.mark.parametrize("rules", RULES)
def test_a_book_fits_twelve_printed_pages_and_can_be_read_by_everybody(
    rules: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "book.html"
    file.write_text(book_of_rules(rules).page, encoding="utf-8")
    context = browser.new_context(viewport={"width": 320, "height": 800}, offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(file.as_uri())

    printed = page.pdf(prefer_css_page_size=True)
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")
    scrolls = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    context.close()

    count = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 2 <= count <= PAGES
    assert re.search(rb"/MediaBox\s*\[0 0 59\d(?:\.\d+)? 84\d", printed), "A4"
    assert [one["id"] for one in found["violations"]] == []
    assert not scrolls
