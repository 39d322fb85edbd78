"""The site of the documents: it builds without a warning, every link leads somewhere, all can read it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import AXE
from tests.browser.test_archive import looker

pytestmark = pytest.mark.browser

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGES = [str(path.relative_to(DOCS).with_suffix(".html")) for path in sorted(DOCS.rglob("*.md"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site, built as `make site` does."""
    out = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(out)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return out


class Links(HTMLParser):
    """What a page links to or loads, and the places on it that can be linked to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                (self.targets if tag == "a" else self.loads).append(value)


def test_every_link_and_picture_of_the_site_is_there(site: Path) -> None:
    found = {page: Links(page) for page in site.rglob("*.html")}
    broken = []
    for page, links in found.items():
        for link in links.targets + links.loads:
            url, place = urldefrag(link)
            if url.startswith(("https:", "http:", "mailto:", "data:")):
                continue
            target = (page.parent / unquote(url.partition("?")[0])).resolve() if url else page
            if not target.is_file() or (place and unquote(place) not in found[target].places):
                broken.append(f"{page.relative_to(site)}: {link}")

    assert len(found) > 20
    assert broken == []


def test_every_page_is_in_the_navigation_of_the_start_page(site: Path) -> None:
    linked = set(Links(site / "index.html").targets)

    assert [page for page in PAGES if page not in linked and page != "index.html"] == []


def test_no_page_names_anything_of_another_host_to_load(site: Path) -> None:
    loads = {load for page in site.rglob("*.html") for load in Links(page).loads}

    assert [load for load in loads if load.startswith(("http:", "https:", "//"))] == []


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """Return one window for all pages; nothing may have gone wrong in it when it is shut."""
    context, page, errors = looker(browser, 1200)
    yield page
    context.close()
    assert errors == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_by_all_and_fits(page: Page, site: Path, name: str) -> None:
    page.goto((site / name).as_uri())
    for width in (1200, 360):
        page.set_viewport_size({"width": width, "height": 800})
        scrolls = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not scrolls, width
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run({preload: false})")  # it would fetch style sheets once more

    told = [
        (one["id"], node["target"], node["html"][:90]) for one in found["violations"] for node in one["nodes"]
    ]
    assert told[:6] == []


def test_a_word_is_found_without_any_server(page: Page, site: Path) -> None:
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto((site / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").fill("adjudication")
    page.keyboard.press("Enter")
    page.wait_for_selector('#search-results li a[href*="glossary.html"]')  # they come one after the other
