"""Conditions on seats that the rules know and nobody plays: they never hold, for the host as for the page."""

from __future__ import annotations

import json

import pytest

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.play.submissions.lodging import checked
from tests.browser.forms import asked, suggestion
from tests.homes import a_demo, orders_text
from tests.unpacked import unpacked_page


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return a_demo(tmp_path_factory.mktemp("demo") / "home")


@pytest.mark.parametrize(
    ("name", "path", "wanted"),
    [
        ("wop-1", "to_move", "blue"),
        ("wop-1", "leads.bayern", "blue"),
        ("wop-1", "sites.bourges", {"not": "blue"}),
        ("cards-1", "cards.Un1.stone", "Blue"),
        ("powers-1", "cities.owidz.ships", {"has": "purple"}),
    ],
)
def test_the_host_refuses_them_at_their_place(name: str, path: str, wanted: Json, demo: Home) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    lines: list[Json] = [{"when": {path: wanted}, "do": suggestion(saved, seat)}]

    found = checked(demo, orders_text(name, seat, lines).encode())

    assert isinstance(found, list) and len(found) == 1


@pytest.mark.parametrize("name", ["wop-1", "cards-1", "powers-1"])
def test_the_page_knows_the_same_seats(name: str, demo: Home) -> None:
    saved = SavedGame(demo, name)
    page = unpacked_page(page_of(saved, asked(saved)[0]))

    assert json.loads(page.json)["domains"]["to_move"]["values"] == [*saved.start.seats]
