"""The form page without a line: nothing is sendable, press leaves the lines, and withdrawing is a choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import PressReceipt, Receipt
from tests.browser.forms import Desk
from tests.homes import a_game, a_home, submit

pytestmark = pytest.mark.browser

ADDRESS = "host+rose-1.aaaaaaaaaaaaaaaa@pbem.test"


def opened(folder: Path, desk: Desk) -> Home:
    """Open red's page, and take its only line away."""
    home = a_home(folder)
    a_game(home)
    desk.opens(SavedGame(home, "rose-1"), "red", ADDRESS)
    desk.page.click("[id='line.0.remove']")
    return home


def sent(home: Home, desk: Desk) -> object:
    path = desk.folder / "sent.yaml"
    path.write_text(desk.yaml(), encoding="utf-8")
    return submit(home, path)


def can_be_sent(desk: Desk) -> list[bool]:
    """Tell of each button whether it can be used: Copy, Save, and the link to a mail."""
    shown = desk.page.locator("#mail").is_visible()
    return [desk.page.locator("#copy").is_enabled(), desk.page.locator("#save").is_enabled(), shown]


def test_without_a_line_nothing_can_be_sent_but_who_says_so_withdraws_and_sees_it(
    tmp_path: Path, desk: Desk
) -> None:
    home = opened(tmp_path, desk)

    assert "orders" not in desk.yaml().partition("\n")[2]
    assert can_be_sent(desk) == [False, False, False]
    assert "There are no orders in this" in desk.page.inner_text("#problems")
    assert "Lines that you sent before stay as they are." in desk.page.inner_text("#none")
    assert not desk.page.is_checked("#withdraw")
    assert isinstance(sent(home, desk), list)

    desk.page.check("#withdraw")
    assert desk.yaml().endswith("orders: none\n")
    assert desk.wrong() == []
    assert can_be_sent(desk) == [True, True, True]
    assert "Lines that you sent before are withdrawn" in desk.page.inner_text("#none")
    receipt = sent(home, desk)
    assert isinstance(receipt, Receipt)
    assert receipt.withdraws


def test_a_message_alone_can_be_sent_and_leaves_the_lines(tmp_path: Path, desk: Desk) -> None:
    home = opened(tmp_path, desk)

    desk.page.click("details:has(#add-press) > summary")
    desk.page.click("#add-press")
    desk.page.fill("[id='press.0.say']", "Peace?")

    assert can_be_sent(desk) == [True, True, True]
    assert isinstance(sent(home, desk), PressReceipt)


def test_the_word_can_be_typed_and_on_a_telephone_nothing_is_cut_off(tmp_path: Path, desk: Desk) -> None:
    home = opened(tmp_path, desk)
    desk.page.set_viewport_size({"width": 360, "height": 740})
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 360

    for word in ("none", "None"):
        desk.writes(f"game: rose-1\nseat: red\norders: {word}\n")
        assert desk.wrong() == []
        assert desk.page.is_checked("#withdraw")
        assert can_be_sent(desk) == [True, True, True]
    assert "Show this page to nobody" in desk.page.inner_text("main")
    desk.opens(SavedGame(home, "rose-1"), "red")
    assert "Show this page to nobody" not in desk.page.inner_text("main")
