"""The archive in a browser, from disk: every link, stepping, search, scripts off, narrow screens."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pbem.archive.results import player_page_name
from pbem.archive.site import write_archive
from tests.browser.chromium import AXE
from tests.edge.test_archive_finished import TABLE, play_on
from tests.homes import NOW, a_game, a_home, sample_games, top

pytestmark = pytest.mark.browser

OVERALL = ["index.html", "players.html", player_page_name("Ann Lee"), "rules-web-of-intrigue.html"]
KINDS = [*OVERALL, "web-1/index.html", "web-1/0002.html", "web-1/0001-2.html", "web-1/0000.html"]
RUNNING = [
    "rose-1/index.html",
    "rose-1/0009.html",
    "powers-1/0003.html",
    "cards-1/0005.html",
    "wop-1/0003.html",
]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of a finished game, and of all samples that run."""
    home = a_home(tmp_path_factory.mktemp("archive"))
    a_game(home, "web-1", rules="web-of-intrigue", table=TABLE, options={"turns": 1})
    play_on(home, NOW + timedelta(days=60))
    a_game(home, "duel", deal=False)
    for game in sorted(sample_games().iterdir()):
        if game.name != "web-1":
            shutil.copytree(game, (top(home) / "games") / game.name)
    published = "{names: true, press: all, punctual: true, address: 'https://games.example'}"
    (top(home) / "home.yaml").write_text(f"archive: {published}\n", encoding="utf-8")
    write_archive(home, top(home).parent / "out")
    return top(home).parent / "out"


def looker(browser: Browser, width: int, scripts: bool = True) -> tuple[BrowserContext, Page, list[str]]:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, offline=True, java_script_enabled=scripts
    )
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on(
        "request", lambda request: None if request.url.startswith("file:") else errors.append(request.url)
    )
    return context, page, errors


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context, page, errors = looker(browser, 1000)
    yield page
    context.close()
    assert errors == []


def test_every_page_is_reached_by_links_and_each_opens(page: Page, out: Path) -> None:
    seen: set[str] = set()
    waiting = [(out / "index.html").as_uri()]
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        page.goto(url)
        links = page.evaluate("[...document.links].map(link => link.href.split('#')[0])")
        assert page.locator("main").count() == 1, url
        waiting += [link for link in links if link.endswith(".html")]
        for link in set(links):
            assert link.startswith(out.as_uri()), f"{url}: {link}"

    assert seen == {path.as_uri() for path in out.rglob("*.html")}


def test_a_game_is_stepped_through_with_links_and_with_keys(page: Page, out: Path) -> None:
    page.goto((out / "rose-1" / "0000.html").as_uri())
    for turn in range(1, 10):
        page.get_by_role("link", name="next").click()
        page.wait_for_url(f"**/000{turn}.html*")
    for turn in range(8, 0, -1):
        page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**/000{turn}.html*")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/0002.html*")
    page.keyboard.press("Home")
    page.wait_for_url("**/0000.html*")
    page.keyboard.press("ArrowLeft")
    assert "0000.html" in page.url


def test_arrow_keys_scroll_what_has_the_focus(browser: Browser, out: Path) -> None:
    context, page, errors = looker(browser, 320)
    page.goto((out / "rose-1" / "0001.html").as_uri())
    is_wide = "all => all.findIndex((one) => one.scrollWidth > one.clientWidth)"
    wide = page.locator("[tabindex]").evaluate_all(is_wide)
    region = page.locator("[tabindex]").nth(wide)
    assert wide >= 0
    region.focus()
    for key in ("ArrowRight", "ArrowRight", "End"):
        page.keyboard.press(key)
    page.wait_for_function("at => document.querySelectorAll('[tabindex]')[at].scrollLeft > 0", arg=wide)
    assert "0001.html" in page.url
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/0002.html*")
    context.close()
    assert errors == []


def test_the_index_is_searched_by_player_by_rules_by_state_and_by_year(page: Page, out: Path) -> None:
    page.goto((out / "index.html").as_uri())

    def found() -> list[str]:
        return sorted(page.locator(".games li:visible h3 small").all_inner_texts())

    everything = ["cards-1", "duel", "powers-1", "rose-1", "web-1", "wop-1"]
    assert found() == everything
    page.get_by_label("Player or game").fill("ann boleyn")
    assert found() == ["rose-1"]
    assert page.get_by_role("status").inner_text() == "1 game"
    page.get_by_label("Player or game").fill("")
    page.get_by_label("Rules").select_option("The Rose King")
    assert found() == ["duel", "rose-1"]
    page.get_by_label("Rules").select_option("")
    assert found() == everything
    page.get_by_label("State").select_option("over")
    assert found() == ["web-1"]
    page.get_by_label("State").select_option("")
    page.get_by_label("Year").select_option("2027")
    assert found() == ["web-1"]
    page.get_by_label("Year").select_option("2026")
    assert found() == everything
    page.get_by_label("Year").select_option("")
    page.get_by_label("Player or game").fill("nobody at all")
    assert (found(), page.get_by_role("status").inner_text()) == ([], "0 games")


def test_a_story_is_read_as_one_seat_and_whole_again(page: Page, out: Path) -> None:
    page.goto((out / "wop-1" / "index.html").as_uri())
    lines, turns = page.locator(".turns p:visible"), page.locator(".turns li:visible")
    whole = lines.all_inner_texts(), turns.count()
    show = page.get_by_label("Show")

    show.select_option("purple")
    told = lines.all()
    assert 0 < len(told) < len(whole[0]) + page.locator(".turns details p").count()
    assert all(line.locator("[data-seat='purple']").count() for line in told)
    assert all(turn.locator("p:visible").count() for turn in turns.all())
    show.select_option("")
    assert (lines.all_inner_texts(), turns.count()) == whole


@pytest.mark.parametrize("width", [360, 1280])
def test_cards_show_boards_whole_and_points_beside_names(browser: Browser, out: Path, width: int) -> None:
    context, page, errors = looker(browser, width)
    page.goto((out / "index.html").as_uri())
    cards = page.locator(".card")
    places = [cards.nth(at).bounding_box() for at in range(cards.count())]
    columns = {round(one["x"]) for one in places if one}
    assert len(columns) == (1 if width == 360 else 3)
    for board in page.locator(".board.small svg").all():
        box = board.bounding_box()
        assert box is not None and box["width"] >= 130 and box["height"] >= 130
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".bars li")].map((li) =>
        [...li.children].map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right]))"""
    )
    assert boxes
    assert not [row for row in boxes if any(a[1] > b[0] + 1 for a, b in pairwise(row))]
    sizes = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert min(page.locator("main :not(svg *)").evaluate_all(sizes)) >= 11
    context.close()
    assert errors == []


def test_everything_can_be_read_with_scripts_off(browser: Browser, out: Path) -> None:
    context, page, errors = looker(browser, 1000, scripts=False)
    page.goto((out / "index.html").as_uri())
    assert not page.locator("#search").is_visible()
    page.get_by_role("link", name="web-1").click()
    page.get_by_role("link", name="From the start").click()
    for turn in (0, 1):
        page.wait_for_url(f"**/000{turn}.html*")
        page.get_by_role("link", name="next").click()
    page.wait_for_url("**/0002.html*")
    page.get_by_text("Orders of Player 1 as they were sent").click()
    assert page.get_by_text("game: web-1").first.is_visible()
    page.get_by_role("link", name="Player 2", exact=True).click()
    expect(page.locator("main")).to_contain_text("Report for Player 2")
    context.close()
    assert errors == []


def test_a_player_is_reached_from_a_game_and_from_the_index_and_leads_to_games_and_records(
    page: Page, out: Path
) -> None:
    page.goto((out / "web-1" / "index.html").as_uri())
    page.get_by_role("link", name="Ann Lee").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann Lee")
    page.get_by_role("link", name="Web of Intrigue").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Web of Intrigue: records")
    page.get_by_text("How to check the ratings").click()
    assert page.get_by_text(re.compile(r"1\. .+, 2\. .+")).first.is_visible()
    page.get_by_role("link", name="Games by mail").click()
    page.get_by_role("link", name="Players").click()
    page.get_by_role("link", name="Bob Roy").click()
    page.get_by_role("link", name="web-1").click()
    page.wait_for_url("**/web-1/index.html")


@pytest.mark.parametrize("name", [*OVERALL, "web-1/index.html"])
def test_pages_can_be_read_on_dark_screens_and_on_paper_without_what_only_a_screen_needs(
    browser: Browser, out: Path, name: str
) -> None:
    context, page = opened(browser, out / name, 1000, "dark")
    assert violations(page) == []
    colours = "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.body))"
    on_screen = page.evaluate(colours)
    page.emulate_media(media="print")

    assert page.evaluate(colours) == ["rgb(255, 255, 255)", "rgb(26, 26, 26)"] != on_screen
    assert not page.locator("header").is_visible()
    assert page.locator("h1").is_visible()
    context.close()


@pytest.mark.parametrize("name", [*KINDS, *RUNNING, "duel/0000.html"])
def test_axe_finds_no_violation_and_a_narrow_screen_never_scrolls_sideways_but_in_wide_tables(
    browser: Browser, out: Path, name: str
) -> None:
    context, page = opened(browser, out / name, 320, "light")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page) == []
    context.close()


def opened(
    browser: Browser, path: Path, width: int, colours: Literal["light", "dark"]
) -> tuple[BrowserContext, Page]:
    """Open a page in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": 800}, bypass_csp=True, color_scheme=colours, offline=True
    )
    page = context.new_page()
    page.goto(path.as_uri())
    return context, page


def violations(page: Page) -> list[str]:
    """Return what axe-core finds on a page, of which all is opened."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.add_script_tag(path=AXE)
    found: dict[str, Any] = page.evaluate("axe.run()")

    assert len(found["passes"]) > 10
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
