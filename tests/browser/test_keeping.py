"""The order page loses nothing: undo and redo, drafts on the device, and a bar that stays in sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from tests.browser.forms import Desk, asked, lodge, next_turn, suggestion
from tests.homes import TWO, a_game, a_home, orders_text

pytestmark = pytest.mark.browser

ADDRESS = "host+rose-1.token@example.test"
NO_STORAGE = """Object.defineProperty(globalThis, "localStorage", {
  get() { throw new Error("private"); },
})"""


def a_desk(tmp_path: Path, desk: Desk) -> SavedGame:
    saved = a_game(a_home(tmp_path))
    desk.opens(saved, asked(saved)[0], ADDRESS)
    return saved


def reopened(desk: Desk) -> Page:
    desk.reloads()
    return desk.page


def test_everything_is_undone_and_done_again_by_buttons_and_keys(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    page = desk.page
    texts = [desk.yaml()]
    steps: tuple[Callable[[], object], ...] = (
        page.locator(".choices input").first.check,
        lambda: page.click("#add-line"),
        lambda: page.check('[id="line.1.do.draw"]'),
        lambda: page.click('[id="line.1.up"]'),
        lambda: page.click('[id="line.0.remove"]'),
    )
    for do in steps:
        do()
        texts.append(desk.yaml())
    assert len(set(texts)) == 5  # the last change makes what the first one made

    for text in texts[-2::-1]:
        page.click("#undo")
        assert desk.yaml() == text
    page.click("#undo", force=True)  # nothing is left to undo
    assert desk.yaml() == texts[0]
    for text, keys in zip(texts[1:], ["Control+y", "Control+Shift+Z"] * 3, strict=False):
        page.keyboard.press(keys)
        assert desk.yaml() == text
    page.keyboard.press("Control+z")
    assert desk.yaml() == texts[-2]
    page.click("#add-line")
    assert page.get_attribute("#redo", "aria-disabled") == "true"


def test_in_a_text_field_the_keys_are_the_fields_own(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    desk.page.locator(".choices input").first.check()
    chosen = desk.yaml()
    desk.page.focus("#yaml")
    desk.page.keyboard.press("Control+z")

    assert desk.yaml() == chosen


def test_a_draft_comes_back_after_a_reload_also_when_it_was_copied(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    desk.page.locator(".choices input").nth(1).check()
    kept = desk.yaml()
    assert desk.page.inner_text("#kept") == "This device keeps your draft."

    page = reopened(desk)
    assert desk.yaml() == kept
    assert page.locator(".choices input").nth(1).is_checked()
    assert "This is your draft" in page.inner_text("#kept")
    page.click("#copy")
    desk.waits("document.getElementById('kept').textContent.includes('until you are asked next')")
    desk.writes("game: rose-1\nseat: red\norders:\n- do: {play: \n")
    reopened(desk)
    assert desk.yaml().endswith("- do: {play: \n"), "what is no YAML comes back too"
    assert desk.wrong() != []


def test_after_a_reload_all_steps_can_still_be_undone_and_done_again(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    page = desk.page
    texts = [desk.yaml()]
    page.locator(".choices input").nth(1).check()
    texts.append(desk.yaml())
    page.click("#add-line")
    texts.append(desk.yaml())
    page.click("#undo")

    page = reopened(desk)
    assert desk.yaml() == texts[1]
    page.click("#redo")
    assert desk.yaml() == texts[2]
    reopened(desk)
    for text in texts[1::-1]:
        page.click("#undo")
        assert desk.yaml() == text
    reopened(desk)
    assert desk.yaml() == texts[0]
    page.click("#redo")
    assert desk.yaml() == texts[1]


def test_the_line_that_was_open_is_open_after_a_reload(tmp_path: Path, desk: Desk) -> None:
    a_desk(tmp_path, desk)
    page = desk.page
    page.locator(".choices input").nth(1).check()
    page.click("#add-line")
    page.check('[id="line.1.do.draw"]')
    page.click("#add-line")
    page.click('[id="line.1.open"]')
    page = reopened(desk)

    assert page.locator('[id="line.1.at"]').is_visible()
    assert page.locator('[id="line.0.open"]').is_visible()


def test_a_draft_of_an_ask_that_is_over_is_thrown_away(tmp_path: Path, desk: Desk) -> None:
    saved = a_desk(tmp_path, desk)
    seat = asked(saved)[0]
    desk.page.locator(".choices input").first.check()
    for _ in range(2):
        one = asked(saved)[0]
        lodge(saved.home, orders_text("rose-1", one, [{"do": suggestion(saved, one)}]), tmp_path)
        saved = next_turn(saved.home, saved)
    desk.path.write_text(page_of(saved, seat, ADDRESS), encoding="utf-8")
    page = reopened(desk)

    assert "Nothing is chosen yet." in page.inner_text("#verdict")
    assert page.evaluate("localStorage.length") == 0


def test_without_storage_the_page_works_and_says_that_nothing_is_kept(tmp_path: Path, desk: Desk) -> None:
    desk.page.add_init_script(NO_STORAGE)
    a_desk(tmp_path, desk)
    desk.page.locator(".choices input").first.check()

    assert desk.page.inner_text("#kept") == "Your draft is lost when you close this page."
    assert desk.wrong() == []
    desk.page.click("#undo")
    assert "Nothing is chosen yet." in desk.page.inner_text("#verdict")


@pytest.mark.parametrize("width", [360, 1200])
def test_the_bar_stays_in_sight_and_tells_what_the_order_comes_to(width: int, demo: Home, desk: Desk) -> None:
    desk.page.set_viewport_size({"width": width, "height": 740})
    saved = SavedGame(demo, "web-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat, ADDRESS)
    assert "nothing is chosen yet" in desk.page.inner_text("#bar")
    desk.page.evaluate("order => pbem.page.order(order)", suggestion(saved, seat))

    for spot in (0, 1500, 99999):
        desk.page.evaluate("spot => scrollTo(0, spot)", spot)
        box = desk.page.locator("#bar").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 741 and box["height"] < 120
    assert f"{saved.ask.label} " in desk.page.inner_text("#bar")  # type: ignore[union-attr]
    assert "action points left" in desk.page.inner_text("#bar")
    assert "Will be played" in desk.page.inner_text("#bar")
    assert desk.page.get_attribute("#go", "href") == desk.page.get_attribute("#mail", "href") or (
        desk.page.get_attribute("#go", "href") == "#send"
    )
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_choice_counts_when_it_is_picked_and_by_key_when_its_list_is_left(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "cards-1")
    desk.opens(saved, asked(saved)[0])
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    pick = '[id="line.0.do.claim.pick"]'
    desk.page.select_option(pick, index=1)
    assert desk.page.locator('[id^="line.0.do.claim."][id$=".remove"]').count() == 1
    assert not desk.page.is_visible("#unadded")

    desk.page.focus(pick)
    desk.presses("ArrowDown", "ArrowDown", "ArrowDown")
    assert desk.page.locator('[id^="line.0.do.claim."][id$=".remove"]').count() == 1
    assert desk.page.is_visible("#unadded")
    desk.presses("Tab")
    desk.waits("""document.querySelectorAll('[id^="line.0.do.claim."][id$=".remove"]').length === 2""")
    assert not desk.page.is_visible("#unadded")
    assert desk.page.evaluate("document.activeElement.id") != pick


def test_a_placement_and_words_count_without_add_too(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "wop-1")
    desk.opens(saved, asked(saved)[0])
    pick = '[id="line.0.do.place.add"]'
    desk.page.select_option(pick, index=3)
    assert "pieces: " in desk.yaml()
    assert desk.page.locator(pick).input_value() == ""

    desk.page.select_option('[id="line.0.do.discard.pick"]', label="something else, in words")
    assert desk.page.input_value('[id="line.0.do.discard.pick"]') == "\u2026"
    desk.page.fill('[id="line.0.do.discard.add"]', "any")
    desk.page.focus("#undo")
    desk.waits("document.getElementById('yaml').value.includes('discard: any')")
    assert not desk.page.is_visible("#unadded")


def test_a_draft_is_kept_without_the_key_that_was_typed(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), table=f"{TWO}key: true\n")
    desk.opens(saved, asked(saved)[0], ADDRESS)
    page, key = desk.page, saved.players.key(asked(saved)[0])
    assert 'key: ""' in desk.yaml()
    desk.writes(desk.yaml().replace('key: ""', f"key: {key}"))
    page.locator(".choices input").first.check()
    page.click("#add-line")
    written = desk.yaml()
    assert key in written

    kept = str(page.evaluate("JSON.stringify(Object.entries(localStorage))"))
    assert len(kept) > len(written)
    assert key not in kept

    reopened(desk)
    assert desk.yaml() == written.replace(key, '""')
