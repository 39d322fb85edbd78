"""Reports look as they did when somebody looked at them: `make screens` keeps how they look now.

The grey screens are for people who look at them: a page that differs differs in its colours too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageOps
from playwright.sync_api import Browser

from tests.browser.screens import KEPT, LOOKS, differs, screen, small
from tests.pictures import RULES

pytestmark = pytest.mark.browser

MOST = 6.0
"""So far may a screen be from the kept one, of 255: another browser's edges are, a moved column is not."""

TALLER = 0.03
"""So much may its height differ."""


@pytest.mark.parametrize("look", [look for look in LOOKS if not look.endswith("grey")])
@pytest.mark.parametrize("rules", RULES)
def test_a_report_looks_as_it_was_kept(rules: str, look: str, browser: Browser, tmp_path: Path) -> None:
    kept = Image.open(KEPT / f"{rules}-{look}.png")

    now = small(screen(browser, rules, look, tmp_path))

    assert now.width == kept.width
    assert abs(now.height - kept.height) <= TALLER * kept.height, "look at it, then: make screens"
    assert differs(now, kept) <= MOST, "look at it, then: make screens"


def test_a_page_in_other_colours_or_moved_would_be_seen() -> None:
    kept = Image.open(KEPT / "rose-king-360.png").convert("RGB")

    assert differs(kept, kept) == 0
    assert differs(kept, ImageOps.invert(kept)) > MOST
    assert differs(kept, kept.transform(kept.size, Image.Transform.AFFINE, (1, 0, 8, 0, 1, 8))) > MOST
