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


SEATS = "Yellow, Red, Green, Purple"
THREE = "White, Black, Orange"


@pytest.mark.parametrize(
    ("name", "path", "wanted", "said", "seats"),
    [
        ("wop-1", "to_move", "blue", "4:19: the seat on turn is never blue", SEATS),
        ("wop-1", "starter", ["blue"], "5:14: starter is never blue", SEATS),
        (
            "wop-1",
            "leads.bayern",
            "blue",
            "4:24: blue is never among the seats that lead in Bayern",
            SEATS,
        ),
        (
            "wop-1",
            "sites.bourges",
            {"not": "blue"},
            "5:20: the owner of Bourges is never blue",
            f"nobody, {SEATS}",
        ),
        ("cards-1", "to_move", "blue", "4:19: the seat on turn is never blue", SEATS),
        ("cards-1", "cards.Un1.stone", "Blue", "4:27: the stone on Un1 is never Blue", SEATS),
        ("powers-1", "to_move", "brown", "4:19: the seat on turn is never brown", THREE),
        (
            "powers-1",
            "cities.owidz.ships",
            {"has": "purple"},
            "5:25: purple is never among the ships at Owidz",
            THREE,
        ),
    ],
)
def test_the_host_refuses_them_with_their_place_and_the_seats_of_the_game(
    name: str, path: str, wanted: Json, said: str, seats: str, demo: Home
) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    found = checked(
        demo, orders_text(name, seat, [{"when": {path: wanted}, "do": suggestion(saved, seat)}]).encode()
    )

    assert isinstance(found, list)


@pytest.mark.parametrize("name", ["wop-1", "cards-1", "powers-1"])
def test_the_page_knows_the_same_seats(name: str, demo: Home) -> None:
    saved = SavedGame(demo, name)
    page = unpacked_page(page_of(saved, asked(saved)[0]))

    assert json.loads(page.json)["domains"]["to_move"]["values"] == [*saved.start.seats]
