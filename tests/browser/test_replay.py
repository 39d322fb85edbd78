"""The replay in a browser, from disk: every moment, by mouse, keys and touch; addresses; scripts off."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pbem.archive.public import PublishPolicy, public_turn
from pbem.archive.replay import EVERYTHING, PUBLIC, Replay, ReplayFrame
from pbem.archive.site import write_archive
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.chromium import AXE
from tests.browser.test_archive import looker
from tests.finished import SEATS, a_finished_game, replay_of
from tests.homes import a_home, sample_games, top

pytestmark = pytest.mark.browser

OPTIONS: Final = {"web-of-intrigue": {"turns": 2}}
MOST: Final = {"rose-king": 300_000}
"""Bytes of a replay through one pair of eyes; of others 500,000, so that ten turns of twelve stay small."""

TITLES: Final = """() => [...document.querySelectorAll(".board svg title")]
  .filter((title) => title.parentElement.getClientRects().length || title.parentElement.closest("defs"))
  .map((title) => title.textContent)"""
"""What a pointer would be shown, of all that stands on the board."""

GEOMETRY: Final = """() => {
  const box = (one) => one.getBoundingClientRect();
  const svgs = [...document.querySelectorAll(".left svg")].filter((one) => one.closest(".sheets")).map(box);
  const wide = Math.max(...svgs.map((one) => one.right)) - Math.min(...svgs.map((one) => one.left));
  const high = Math.max(...svgs.map((one) => one.bottom)) - Math.min(...svgs.map((one) => one.top));
  const dock = box(document.querySelector(".dock")), log = box(document.querySelector(".log"));
  const isBeside = innerWidth >= 1024;
  const least = isBeside ? 22.5 * 16 : 0;
  const scale = ({ c, d } = { c: 0, d: 1 }) => Math.hypot(c, d);
  const letter = (one) => parseFloat(getComputedStyle(one).fontSize) * scale(one.getScreenCTM?.());
  const said = [document.querySelector(".where"), document.querySelector(".now")].map(box);
  const shown = [...document.querySelectorAll(".board text, main :is(p, li, summary, a, select, small)")];
  const words = shown.filter((one) => one.getClientRects().length && one.textContent.trim());
  const here = box(document.querySelector(".log [aria-current]"));
  const now = document.querySelector(".now"), line = parseFloat(getComputedStyle(now).lineHeight);
  const next = document.querySelector(".next");
  const moves = [...document.querySelectorAll(".log [data-seat] > h3 + p")];
  const lines = moves.filter((one) => one.getClientRects().length);
  const top = Math.min(...svgs.map((one) => one.top));
  return {
    across: wide / (innerWidth * 0.95 - least),
    down: high / ((isBeside || dock.bottom < innerHeight - 60 ? innerHeight : dock.top) - top),
    letter: Math.min(...words.map(letter)),
    inSight: said.every((one) => one.top >= 0 && one.bottom <= innerHeight && one.height > 15),
    listed: log.height > 100 && log.right <= innerWidth && (!isBeside || log.bottom <= innerHeight + 1)
      && here.top >= log.top - 1 && Math.min(here.bottom, here.top + 0.8 * log.height) <= log.bottom + 1,
    isBoardWhole: isBeside || high > 0.83 * innerHeight || high + top <= said[0].top + 1,
    isWhole: Math.abs(now.clientHeight / line - Math.round(now.clientHeight / line)) < 0.1,
    isToldWhole: [...document.querySelectorAll(".log li > p:not(.walk)")].every((one) =>
      !log.height || (one.clientHeight > 10 && one.scrollHeight <= one.clientHeight + 1)),
    isNamed: innerWidth >= 1024 && lines.some((one) => one.querySelector("b")?.getClientRects().length),
    isUncut: next.scrollWidth <= next.clientWidth + 1 && box(next).right <= innerWidth,
    beyond: document.documentElement.scrollWidth - innerWidth,
  };
}"""
"""The picture's share of the room that the list of moves leaves it, and what must be seen."""

MOVING: Final = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return {
    moves: document.getAnimations().filter((one) => one.effect.getKeyframes()[0].translate).length,
    fades: document.getAnimations().length,
    rings: document.querySelectorAll(".board .ring").length,
  };
}"""
"""A step on, and what is seen to move then, and what is ringed."""

BEYOND: Final = """() => {
  const boxes = ".board g > use:is([href^='#thing-'], [href='#won'], [href='#failed'])";
  const isIn = (one, two) => one.left >= two.left - 1
    && one.right <= two.right + 1 && one.bottom <= two.bottom + 3;
  return [...document.querySelectorAll(boxes)].filter((one) => one.getClientRects().length).flatMap((one) =>
    [...one.parentElement.querySelectorAll("text")]
      .filter((text) => text.getClientRects().length)
      .filter((text) => !isIn(text.getBoundingClientRect(), one.getBoundingClientRect()))
      .map((text) => text.textContent));
}"""
"""The words that run over the box of their card."""

SOLID: Final = """() => {
  const isSolid = (one) => Number(getComputedStyle(one).opacity) === 1;
  const isThere = (one) => one.matches("svg") || (isSolid(one) && isThere(one.parentElement));
  return [...document.querySelectorAll(".board svg title")]
    .filter((one) => isThere(one.parentElement)).map((one) => one.textContent);
}"""
"""The same where no script has run: what is not seen through."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    made = a_home(tmp_path_factory.mktemp("replay"))
    for rules in SEATS:
        a_finished_game(made, rules, **OPTIONS.get(rules, {}))
    write_archive(made, top(made).parent / "out")
    return made


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with sample games that go on, and an archive of it."""
    made = a_home(tmp_path_factory.mktemp("running"))
    for game in ("rose-1", "web-1"):
        shutil.copytree(sample_games() / game, top(made) / "games" / game)
    write_archive(made, top(made).parent / "out")
    return made


@pytest.fixture(scope="module")
def out(home: Home) -> Path:
    return top(home).parent / "out"


def moments(home: Home, rules: str, eyes: str = EVERYTHING) -> list[ReplayFrame]:
    return replay_of(SavedGame(home, rules)).shown(eyes)


def titles(board: str) -> list[str]:
    """Return what a pointer is shown of a board."""
    if not board:
        return []
    root = ElementTree.fromstring(board)
    return [
        one.text or ""
        for part in root
        for one in part.iter()
        if one.tag.endswith("}title") and one is not part
    ]


@pytest.fixture
def context(browser: Browser) -> Iterator[tuple[BrowserContext, Page]]:
    context, page, errors = looker(browser, 1200)
    yield context, page
    context.close()
    assert errors == []


@pytest.fixture
def page(context: tuple[BrowserContext, Page]) -> Page:
    return context[1]


def where(page: Page) -> str:
    return page.locator(".where").inner_text()


def place(page: Page) -> int:
    """The moment that is shown, from 0; waits until the page's script has said it."""
    expect(page.locator(".where")).to_contain_text(re.compile(r"\(\d+ of \d+\)"))
    found = re.search(r"\((\d+) of \d+\)", where(page))
    assert found is not None
    return int(found[1]) - 1


@pytest.mark.parametrize("rules", SEATS)
def test_every_moment_of_a_whole_game_shows_its_board_and_what_moved_is_seen_to_move_or_is_ringed(
    browser: Browser, home: Home, out: Path, rules: str
) -> None:
    shown, url = moments(home, rules), (out / rules / "replay.html").as_uri()
    ringed, moving = [], []
    context = browser.new_context(reduced_motion="reduce", offline=True)
    page = context.new_page()
    page.goto(url)
    for n, one in enumerate(shown):
        assert page.evaluate(TITLES) == titles(one.board), one.address
        assert f"({n + 1} of {len(shown)})" in where(page)
        assert page.url.endswith(f"#{one.address}") or n == 0
        here = page.locator(".log li[aria-current]")
        assert here.count() == 1 and here.get_attribute("id") == one.address
        ringed.append(page.evaluate(MOVING))
    assert place(page) == len(shown) - 1
    context.close()
    context = browser.new_context(reduced_motion="no-preference", offline=True)
    page = context.new_page()
    page.goto(url)
    moving = [page.evaluate(MOVING) for _ in shown]
    context.close()

    assert all(one["rings"] == 0 for one in moving)
    assert all(one["fades"] == 0 for one in ringed)
    pairs = list(zip(moving, ringed, strict=True))[:-1]
    assert sum(still["rings"] > 0 for _, still in pairs) > len(pairs) / 4
    assert all(moves["fades"] for moves, still in pairs if still["rings"])
    if rules in ("rose-king", "game-of-powers"):
        assert sum(moves["moves"] > 0 for moves, _ in pairs) > len(pairs) / 4


@pytest.mark.parametrize("game", ["rose-1", "web-1"])
def test_a_running_game_shows_the_public_board_of_each_step_and_what_was_told(
    browser: Browser, page: Page, running: Home, game: str
) -> None:
    saved = SavedGame(running, game)
    turns = [public_turn(saved, number, PublishPolicy(), frozenset()) for number in saved.turns.numbers()]
    shown = Replay(saved, turns, {}, PublishPolicy(), frozenset()).shown(PUBLIC)
    last = [one for one in shown if one.turn == saved.turn]
    url = (top(running).parent / "out" / game / "replay.html").as_uri()

    page.goto(f"{url}#{last[0].address}")
    assert len(last) > 3 and place(page) == len(shown) - len(last)
    said = 0
    for one in last:
        assert page.evaluate(TITLES) == titles(one.board), one.address
        assert page.url.endswith(f"#{one.address}")
        here = page.locator(".log li[aria-current]")
        assert here.get_attribute("id") == one.address
        assert one.stage.casefold() in where(page).casefold() and f"Turn {one.turn}:" in where(page)
        told = here.locator(":scope > p:not(.walk)").all_text_contents()
        assert page.locator(".now p").all_text_contents() == told
        said += len(told)
        page.keyboard.press("ArrowRight")
    assert said >= len(last)
    assert page.locator(".order").count() == 0, "what was ordered is its owner's"
    page.goto(f"{url}#{last[1].address}")
    assert place(page) == shown.index(last[1])
    context, plain, errors = looker(browser, 1000, scripts=False)
    plain.goto(f"{url}#{last[1].address}")
    assert plain.evaluate(SOLID) == titles(last[1].board)
    plain.locator(f"#{last[1].address}").get_by_role("link", name="next →").click()
    plain.wait_for_url(f"**#{last[2].address}")
    assert plain.evaluate(SOLID) == titles(last[2].board)
    context.close()
    assert errors == []


@pytest.mark.parametrize("width", [360, 1280])
def test_no_name_runs_over_the_card_of_its_object(browser: Browser, running: Home, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 740}, offline=True)
    page = context.new_page()
    page.goto((top(running).parent / "out" / "web-1" / "replay.html").as_uri())
    cards = 0
    for _ in range(int(page.locator(".bar input").get_attribute("max") or 0)):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(BEYOND) == [], where(page)
        cards += page.locator(".board use[href^='#thing-']:visible").count()
    context.close()
    assert cards > 100


def test_each_control_does_what_it_says(page: Page, home: Home, out: Path) -> None:
    shown = moments(home, "rose-king")
    last = len(shown) - 1
    ends = [n for n, one in enumerate(shown) if n == last or shown[n + 1].turn != one.turn]
    page.goto((out / "rose-king" / "replay.html").as_uri())

    def click(name: str) -> int:
        page.get_by_role("button", name=name, exact=True).click()
        return place(page)

    assert place(page) == 0
    assert page.get_by_role("button", name="Moment before").is_disabled()
    assert click("Next moment") == 1
    assert click("Next moment") == 2
    assert click("Moment before") == 1
    assert click("Next turn") == next(end for end in ends if end > 1)
    assert click("Last moment") == last
    assert page.get_by_role("button", name="Next moment").is_disabled()
    assert click("Turn before") == ends[-2]
    assert click("First moment") == 0
    slider = page.get_by_role("slider", name="Moment")
    slider.fill("7")
    assert place(page) == 7 and slider.get_attribute("aria-valuetext") == where(page)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert place(page) == 6


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1280, 800), (1920, 1080)])
def test_the_board_takes_the_window_and_the_sentence_stays_in_sight(
    browser: Browser, home: Home, out: Path, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page = context.new_page()
    for rules in SEATS:
        shown = moments(home, rules)
        for one in (shown[0], shown[len(shown) // 2], shown[-1]):
            page.goto("about:blank")
            page.goto(f"{(out / rules / 'replay.html').as_uri()}#{one.address}")
            page.wait_for_function("() => scrollY === 0")
            found = page.evaluate(GEOMETRY)
            where = (rules, one.address, found)
            if any(each.board for each in shown):
                assert found["across"] >= 0.945 or (width > 360 and found["down"] >= 0.95), where
            assert found["listed"] or width < 1024, where
            assert found["letter"] >= 11 and found["inSight"] and found["beyond"] == 0, where
            assert found["isWhole"] and found["isToldWhole"] and not found["isNamed"], where
            assert found["isUncut"] and found["isBoardWhole"], where
    context.close()


@pytest.mark.parametrize(("width", "height"), [(640, 400), (740, 360), (1024, 500)])
def test_in_a_low_window_words_stay_readable_and_the_sentence_in_sight(
    browser: Browser, out: Path, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    page = context.new_page()
    for rules in SEATS:
        page.goto((out / rules / "replay.html").as_uri())
        page.keyboard.press("End")
        found = page.evaluate(GEOMETRY)
        assert found["letter"] >= 11 and found["inSight"] and found["beyond"] == 0, (rules, found)
        page.mouse.wheel(0, 300)
        page.wait_for_function("() => scrollY > 0")
        assert page.evaluate(GEOMETRY)["inSight"], rules
    context.close()


def test_the_graph_of_points_is_clicked_and_the_points_stand_beside_it(
    page: Page, home: Home, out: Path
) -> None:
    shown = moments(home, "rose-king")
    page.goto((out / "rose-king" / "replay.html").as_uri())
    graph = page.locator(".track input").bounding_box()
    assert graph is not None and page.locator(".track path").count() == 4
    page.mouse.click(graph["x"] + graph["width"] * 0.75, graph["y"] + 20)
    assert abs(place(page) - 0.75 * (len(shown) - 1)) <= 1
    points = {
        one.get_attribute("data-seat"): one.locator("b").inner_text()
        for one in page.locator(".score [data-seat]").all()
    }
    assert points == {seat: str(number) for seat, number in shown[place(page)].points.items()}
    for _ in range(len(shown)):
        told = shown[place(page)].points
        best = {seat for seat, number in told.items() if number == max(told.values())}
        led = {one.get_attribute("data-seat") for one in page.locator(".score .leads").all()}
        assert led == (best if len(best) < len(told) else set())
        page.keyboard.press("ArrowLeft")


def test_the_list_of_moves_leads_to_each_and_tells_who_is_to_move(
    browser: Browser, page: Page, home: Home, out: Path
) -> None:
    shown = moments(home, "rose-king")
    url = (out / "rose-king" / "replay.html").as_uri()
    page.goto(url)
    page.locator(f"#{shown[7].address} > p").first.click()
    assert place(page) == 7
    page.keyboard.press("ArrowRight")
    assert page.locator(".log li[aria-current]").get_attribute("id") == shown[8].address
    movers = page.locator(".score [aria-current]")
    assert [one.get_attribute("data-seat") for one in movers.all()] == [shown[9].seat]
    page.keyboard.press("End")
    assert movers.count() == 0 and page.locator(".next").inner_text()

    context = browser.new_context(viewport={"width": 360, "height": 740}, offline=True)
    narrow = context.new_page()
    narrow.goto(url)
    assert not narrow.locator(".log").is_visible()
    narrow.get_by_text("Moves", exact=True).click()
    narrow.locator(f"#{shown[3].address} > p").first.click()
    assert place(narrow) == 3
    context.close()


def test_every_moment_says_something(home: Home, out: Path) -> None:
    for path in out.glob("*/replay*.html"):
        told = re.findall(r"<li id=.*?</li>", path.read_text(encoding="utf-8"), re.DOTALL)
        assert all(re.search(r"<p(?! class=walk)[^>]*>\s*\S", one) for one in told), path


def test_a_thing_on_the_board_says_on_a_tap_what_it_is(page: Page, home: Home, out: Path) -> None:
    shown = moments(home, "rose-king")
    page.goto(f"{(out / 'rose-king' / 'replay.html').as_uri()}#{shown[-1].address}")
    page.locator(".board use[href='#white']:visible").first.click()
    assert page.locator(".tip").inner_text() in titles(shown[-1].board)
    page.keyboard.press("ArrowLeft")
    assert not page.locator(".tip").is_visible()


def test_keys_step_and_scrub(page: Page, out: Path, home: Home) -> None:
    page.goto((out / "rose-king" / "replay.html").as_uri())
    last = len(moments(home, "rose-king")) - 1
    for key, wanted in [("End", last), ("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)]:
        page.keyboard.press(key)
        assert place(page) == wanted, key
    page.keyboard.press("Shift+ArrowRight")
    far = place(page)
    assert far > 1
    page.keyboard.press("Shift+ArrowLeft")
    assert place(page) < far


def test_it_plays_at_the_speed_that_is_chosen_and_stops_at_the_end(page: Page, out: Path) -> None:
    page.clock.install(time=0)
    page.goto((out / "web-of-power" / "replay.html").as_uri())
    page.clock.pause_at(100)
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Pause").count() == 1
    page.clock.run_for(3_100)
    assert place(page) == 3
    page.get_by_role("combobox", name="Speed").select_option("5×")
    page.clock.run_for(1_010)
    assert place(page) == 8
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5_000)
    assert place(page) == 8
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(60_000)
    assert page.get_by_role("button", name="Next moment").is_disabled()
    assert page.get_by_role("button", name="Play").count() == 1


def test_a_finger_turns_the_pages_and_finds_large_buttons(browser: Browser, out: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, offline=True)
    page = context.new_page()
    page.goto((out / "game-of-powers" / "replay.html").as_uri())
    touch = context.new_cdp_session(page)

    def swipe(start: int, end: int) -> int:
        for kind, x in [("touchStart", start), ("touchMove", end), ("touchEnd", 0)]:
            points = [] if kind == "touchEnd" else [{"x": x, "y": 300}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return place(page)

    assert swipe(300, 60) == 1
    assert swipe(300, 60) == 2
    assert swipe(60, 300) == 1
    assert swipe(200, 190) == 1
    page.get_by_role("button", name="Next moment").tap()
    assert place(page) == 2
    for button in page.locator(".bar button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 40 and box["y"] + box["height"] <= 740
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    context.close()


def test_each_address_opens_at_its_moment_and_goes_with_other_eyes(page: Page, home: Home, out: Path) -> None:
    shown = moments(home, "rose-king")
    url = (out / "rose-king" / "replay.html").as_uri()
    page.goto(f"{url}#{shown[5].address}")
    assert place(page) == 5
    page.goto(f"{url}#t{shown[40].turn}")
    assert place(page) == max(n for n, one in enumerate(shown) if one.turn == shown[40].turn)
    page.locator(f"#{shown[9].address} h3 a").click()
    assert place(page) == 9
    there = moments(home, "web-of-power")[9].address
    page.goto(f"{(out / 'web-of-power' / 'replay.html').as_uri()}#{there}")
    page.locator(".eyes summary").click()
    page.locator(".eyes a").nth(1).click()
    page.wait_for_url(re.compile(rf"replay-\w+\.html#{there}$"))
    assert place(page) == 9
    page.go_back()
    assert place(page) == 9
    page.goto((out / "rose-king" / f"{shown[-1].turn:04d}.html").as_uri())
    page.get_by_role("link", name="Replay").click()
    assert place(page) == len(shown) - 1


def test_the_position_is_told_in_words(page: Page, home: Home, out: Path) -> None:
    shown = moments(home, "rose-king")
    page.goto(f"{(out / 'rose-king' / 'replay.html').as_uri()}#{shown[30].address}")
    page.get_by_text("The position in words").click()
    assert page.locator(".told li").all_inner_texts() == titles(shown[30].board)
    page.keyboard.press("ArrowRight")
    assert page.locator(".told li").all_inner_texts() == titles(shown[31].board)


@pytest.mark.parametrize("rules", ["rose-king", "web-of-intrigue"])
def test_with_scripts_off_links_lead_from_moment_to_moment(
    browser: Browser, home: Home, out: Path, rules: str
) -> None:
    shown = moments(home, rules)
    context, page, errors = looker(browser, 1000, scripts=False)
    page.goto(f"{(out / rules / 'replay.html').as_uri()}#{shown[2].address}")
    for n in (3, 4, 5, 4):
        name = "next →" if n != 4 or not page.url.endswith(shown[5].address) else "← before"
        page.locator(f"#{page.url.split('#')[1]}").get_by_role("link", name=name).click()
        page.wait_for_url(f"**#{shown[n].address}")
        assert page.evaluate(SOLID) == titles(shown[n].board)
    context.close()
    assert errors == []


@pytest.mark.parametrize(("width", "colours"), [(1200, "dark"), (360, "light")])
def test_a_replay_shuts_nobody_out(browser: Browser, out: Path, width: int, colours: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, bypass_csp=True)
    page = context.new_page()
    page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    for path in (
        "rose-king/replay.html#t2-9",
        "web-of-intrigue/replay-3.html#t3",
        "web-of-intrigue/replay.html#t2-5",
    ):
        page.goto(f"{out.as_uri()}/{path}")
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run()")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], path
        assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_a_board_is_dark_where_its_reader_likes_screens_dark(browser: Browser, out: Path) -> None:
    context = browser.new_context(color_scheme="dark", offline=True)
    page = context.new_page()
    page.goto((out / "rose-king" / "replay.html").as_uri())
    page.keyboard.press("End")
    drawn = Image.open(io.BytesIO(page.locator(".left .board").screenshot())).convert("L")
    dark = sum(drawn.histogram()[:110]) / (drawn.width * drawn.height)
    context.close()

    assert dark > 0.7


def test_a_replay_is_printed_without_its_bar(page: Page, out: Path) -> None:
    page.goto(f"{(out / 'rose-king' / 'replay.html').as_uri()}#t2-9")
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible() and page.locator(".left .board").is_visible()


def test_replays_stay_small(out: Path) -> None:
    for path in sorted(out.glob("*/replay*.html")):
        assert path.stat().st_size < MOST.get(path.parent.name, 500_000), path.name
    every = sum(path.stat().st_size for path in out.glob("rose-king/replay*.html"))
    assert every < MOST["rose-king"]  # all see the same: seats only lead to the one that shows it
