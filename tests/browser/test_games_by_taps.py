"""Whole games are played by taps on order pages: what is offered and ordered is what their rows say."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.behaviour.pages import WIDTH, Row, played, rows
from tests.browser.forms import a_window

pytestmark = pytest.mark.browser

ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=[row["page"] for row in ROWS])
def test_a_game_is_played_by_taps_as_its_row_says(row: Row, browser: Browser, tmp_path: Path) -> None:
    with a_window(browser, tmp_path, width=WIDTH, has_touch=True, is_phone=True) as desk:
        assert [*played(row, desk, tmp_path)] == row["asks"]
