"""Debian's Chromium without a window, driven by Playwright; and axe-core, which finds barriers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

CHROMIUM = "chromium-headless-shell"
"""The same engine in one program that needs a third less time; also the name of Debian's package."""
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


def missing() -> str:
    """Say what is needed and is not here; "" if nothing is."""
    if shutil.which(CHROMIUM) is None:
        return f"no browser here: apt install {CHROMIUM}"
    return "" if AXE.exists() else "no axe-core here: make node_modules"


@contextmanager
def a_browser() -> Iterator[Browser]:
    """Start one browser; a page in it can reach no network."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=shutil.which(CHROMIUM),
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        try:
            yield started
        finally:
            started.close()


if __name__ == "__main__":
    sys.exit(missing() or None)
