"""The map of Web of Power: other names for places are drawn too, and chains that score are thick."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import pytest

from pbem.core.book import Orders
from pbem.core.events import ALL, Event, Recorded
from pbem.core.opening import Begun, DealtGame, Opening
from pbem.core.turn import Position, Run
from pbem.rules.web_of_power.events import PiecesPlaced
from pbem.rules.web_of_power.rules import load
from pbem.rules.web_of_power.state import SEATS, Country
from tests.pictures import Scene

from .table import position, shipped_data

Point = tuple[int, int]

CHAIN = "red: bremen corvey hersfeld mainz; green: york; blue: reims verdun trier"
OTHER_SITES = {"bremen": "north", "york": "mill_bridge", "chartreuse": "alps"}
OTHER_LANDS = {"england": "albion", "burgund": "arelat"}
NAMES = {one["id"]: one["name"] for table in ("sites", "countries") for one in shipped_data()[table]["list"]}


def draw(data: dict[str, Any], taken: str = CHAIN, *told: Event) -> str:
    """Return the spectator's board, with these tables and cloisters, after these events."""
    seats = SEATS[:5]
    opening = Opening(load(data), seats, {})
    game = DealtGame(dict.fromkeys(seats, ""), position(taken=taken, seats=seats))
    nobody = dict.fromkeys(seats, Orders())
    before: Position[Begun[Any]] = Position(game)
    run = Run(
        before, (), tuple(Recorded("red-1", one) for one in told), nobody, opening.ask(game), frozenset()
    )
    return Scene("web-of-power", opening, run, dict.fromkeys(seats, "x")).pictures(None)["board"]


def renamed(names: dict[str, str]) -> dict[str, Any]:
    """Return the shipped tables with other names of places."""
    text = json.dumps(shipped_data())
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
        text = text.replace(json.dumps(NAMES[old]), json.dumps(new.title()))
    tables: dict[str, Any] = json.loads(text)
    return tables


def houses(board: str) -> dict[str, Point]:
    """Return where the house of each site stands, by its name."""
    house = r'<use href="#[\w-]+" x="(\d+)" y="(\d+)"'
    found = re.findall(rf"<g[^>]*><title>([^<:]+): \w+</title>\s*(?:<circle[^>]*>\s*)?{house}", board)
    return {site: (int(x), int(y)) for site, x, y in found}


def places(board: str) -> set[Point]:
    """Return where the houses stand."""
    return set(houses(board).values())


def test_every_site_has_a_house_apart_from_all_others() -> None:
    found = houses(draw(shipped_data()))

    assert list(found) == [site["name"] for site in shipped_data()["sites"]["list"]]
    near = [
        (one, other)
        for (one, (x, y)), (other, (across, down)) in combinations(found.items(), 2)
        if max(abs(x - across), abs(y - down)) < 24
    ]
    assert near == []


def test_a_site_of_another_name_takes_a_place_of_its_country() -> None:
    shipped = houses(draw(shipped_data()))
    taken = CHAIN.replace("bremen", "north").replace("york", "mill_bridge")

    board = draw(renamed(OTHER_SITES), taken)

    other = {NAMES[old]: new.title() for old, new in OTHER_SITES.items()}
    assert houses(board) == {other.get(site, site): point for site, point in shipped.items()}
    written = "".join(re.findall("<text[^>]*>([^<]*)</text>", board))
    assert [name for name in other.values() if name not in written] == []


def test_with_a_country_that_the_map_does_not_know_all_is_laid_out_in_a_plain_grid() -> None:
    board = draw(renamed(OTHER_LANDS))
    height = int(board.split('viewBox="0 0 450 ')[1].split('"')[0])

    assert houses(board).keys() == houses(draw(shipped_data())).keys()
    assert len(places(board)) == len(houses(board))
    assert not places(board) & places(draw(shipped_data()))
    assert all(0 < x < 450 and 0 < y < height for x, y in places(board))


@pytest.mark.parametrize("data", [shipped_data(), renamed(OTHER_LANDS)], ids=["map", "grid"])
def test_only_chains_that_score_are_thick(data: dict[str, Any]) -> None:
    board = draw(data)
    found = houses(board)
    chain = [found[site] for site in ("Bremen", "Corvey", "Hersfeld", "Mainz")]
    thick = re.findall(r'<path d="M([^"]*)" stroke="#[0-9A-F]*" stroke-width="8"', board)

    drawn = [[tuple(map(int, point.split())) for point in one.split("L")] for one in thick]

    assert drawn in ([chain], [chain[::-1]])


def test_cloisters_that_are_new_since_the_last_report_are_ringed() -> None:
    told = PiecesPlaced(
        seat=SEATS[1], country=Country("franken"), pieces=("mainz", "advisor"), cards=(), to=ALL
    )

    board = draw(shipped_data(), CHAIN, told)

    x, y = houses(draw(shipped_data()))["Mainz"]
    assert re.findall(r'<circle cx="(\d+)" cy="(\d+)" r="16"', board) == [(str(x), str(y))]
    assert ' r="16"' not in draw(shipped_data())
