"""A home in a database that several machines work: killed and cut off, it loses and doubles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.farm.campaign import Plan, campaign, table
from tests.farm.farm import missing

pytestmark = pytest.mark.farm


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_machines_that_are_killed_and_cut_off_lose_and_double_nothing(tmp_path: Path) -> None:
    count = campaign(Plan(games=10, kills=12, seed=1, folder=tmp_path, with_house=True))

    print(table(count))
    assert count.wrong == []
    assert count.numbers["kills"] == 12
    assert count.numbers["lines cut"] > 0
    assert count.numbers["games"] == 10
