"""What most of these tests begin with: a home in which a game was dealt, or with all sample games."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from tests.homes import a_game, a_home, home_at, sample_games


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a dealt game of The Rose King, rose-1."""
    found = a_home(tmp_path)
    a_game(found)
    return found


@pytest.fixture(scope="session")
def samples() -> Home:
    """Return a home with the sample games as they are saved, which all processes share: it is only read."""
    return home_at(sample_games().parent)
