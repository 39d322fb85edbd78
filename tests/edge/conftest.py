"""What most of these tests begin with: a home in which a game was dealt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from tests.homes import a_game, a_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a dealt game of The Rose King, rose-1."""
    found = a_home(tmp_path)
    a_game(found)
    return found
