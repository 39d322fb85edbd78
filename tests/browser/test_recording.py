"""The recording of the start page in a browser: one scene at a time, and still where nothing may move."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.make_recording import RECORDING, SCENES, STILL, seconds_of

pytestmark = pytest.mark.browser

SEEN = """() => [...document.querySelectorAll("text, .cover")]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => [one.getAttribute("class") ?? "", one.textContent, one.getBoundingClientRect().right])"""
AT = "(now) => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = now * 1000; })"


def test_each_moment_shows_one_scene_whose_lines_stay_within_the_frame(browser: Browser) -> None:
    page = _opened(browser)
    seen = []
    for half in range(int(seconds_of(RECORDING.read_text(encoding="utf-8")) * 2)):
        page.evaluate(AT, half / 2)
        shown = page.evaluate(SEEN)
        (about,) = [text for kind, text, _ in shown if kind == "about"]
        assert max(right for kind, _, right in shown if kind != "cover") < 670
        if about not in seen:
            seen.append(about)
    last = [text for _, text, _ in shown]
    page.close()

    assert seen == [scene.about for scene in SCENES]
    assert any(text.startswith("THE BOARD") for text in last)


def test_where_nothing_may_move_one_scene_is_shown_whole_and_nothing_covers_it(browser: Browser) -> None:
    page = _opened(browser, reduced_motion="reduce")
    shown = page.evaluate(SEEN)
    moving = page.evaluate("document.getAnimations().length")
    page.close()

    assert moving == 0
    assert [text for kind, text, _ in shown if kind == "about"] == [SCENES[STILL].about]
    assert [kind for kind, _, _ in shown if kind == "cover"] == []
    assert [text for kind, text, _ in shown if kind == "typed"] == [
        f"$ {words}" for words, _ in SCENES[STILL].commands
    ]


def _opened(browser: Browser, **how: Any) -> Page:
    page = browser.new_page(viewport={"width": 700, "height": 500}, **how)
    page.goto(RECORDING.as_uri())
    return page
