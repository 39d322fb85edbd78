"""Orders with slips: each is accepted or refused as its row says, and what is offered would be accepted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.play.homes.home import Home
from pbem.play.submissions.lodging import check_submission
from pbem.play.submissions.receipts import JudgedOrders
from pbem.text.codec import fields_of, items_of
from tests.behaviour.slips import ASKED, FILES, corrected, home_of, outcome, rows

ROWS = [pytest.param(name, row, id=row["slip"]) for name in FILES for row in rows(name)]


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Home]:
    """Return the home of each file."""
    return {name: home_of(name, tmp_path_factory.mktemp("slips") / "home") for name in FILES}


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_orders_come_to_what_their_row_says(homes: dict[str, Home], name: str, row: dict[str, Any]) -> None:
    home, facts = homes[name], {field: value for field, value in row.items() if field not in ASKED}

    assert outcome(home, row["written"]) == facts

    if "accepted" in row and "may change" not in row:
        _is_read_strictly(home, row)
    if "offer" in row:
        mended = outcome(home, corrected(row["written"], row["offer"]))
        assert "accepted" in mended, "what is offered is accepted as it stands"
        assert "notes" not in mended, "and nothing in it is taken for something else"
        orders = fields_of(mended["accepted"])
        entries = [line for line in row["written"].split("\n") if line.lstrip().startswith("- ")]
        assert len(items_of(orders.get("lines")) + items_of(orders.get("press"))) >= len(entries), "all lines"
    if "example" in row:
        assert "accepted" in outcome(home, row["example"])


def _is_read_strictly(home: Home, row: dict[str, Any]) -> None:
    """See that what a file was taken for says the same by itself."""
    found = check_submission(home, row["written"].encode())
    assert isinstance(found, JudgedOrders)
    again = check_submission(home, found.data)
    assert isinstance(again, JudgedOrders)
    assert (again.notes, again.data) == ((), found.data)
    assert again.submission.orders == found.submission.orders


def test_the_rows_are_of_every_game_and_no_slip_stands_twice() -> None:
    slips = [row["slip"] for name in FILES for row in rows(name)]
    made = [row["slip"] for name in FILES[:2] for row in rows(name)]
    games = Counter(slip.partition(":")[0] for slip in made)
    assert len(slips) == len(set(slips)) >= 600
    assert min(games[game] for game in ("rose-1", "web-1", "powers-1", "cards-1", "wop-1")) >= 60
