"""One browser for all tests, and a form page that is driven as a player would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.play.homes.home import Home
from tests.browser.chromium import a_browser, missing
from tests.browser.forms import Desk, a_window
from tests.homes import a_demo


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return the browser; the tests fail where there is none, for they are asked for by name."""
    lacking = missing()
    if lacking:
        pytest.fail(lacking)
    with a_browser() as started:
        yield started


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with all sample games."""
    return a_demo(tmp_path_factory.mktemp("demo") / "home")


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """Return where a player sits: an empty home, and a window that is 1,000 pixels wide."""
    with a_window(browser, tmp_path, width=1000, height=900) as made:
        yield made


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """Return a telephone: 360 by 740 pixels, and fingers."""
    with a_window(browser, tmp_path, width=360, has_touch=True, is_phone=True) as made:
        yield made
