"""Whole documents, some hundreds: the scripts of the order pages and the host never say the opposite."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from tests.browser.documents import compared, missing

pytestmark = pytest.mark.browser

DOCUMENTS = 800
"""So many are compared here; `python -m tests.browser.documents 20000` compares more."""


def test_page_and_host_never_say_the_opposite_of_whole_documents(demo: Home, tmp_path: Path) -> None:
    if lacking := missing():
        pytest.fail(lacking)

    ended = compared(demo, tmp_path, DOCUMENTS)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"{DOCUMENTS} documents" in ended.stdout
