"""No form page shows an identifier where the thing has a name; what is written stays what the host reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged, lodge, next_turn, suggestion
from tests.browser.labels import identifiers, shown_by
from tests.homes import a_game, a_home, orders_text

pytestmark = pytest.mark.browser

SEATS = {
    "rose-king": ("red", "white"),
    "web-of-intrigue": ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"),
    "web-of-power-cards": ("yellow", "red", "green"),
    "web-of-power": ("yellow", "red", "green"),
    "game-of-powers": ("white", "black", "orange"),
}
ENOUGH = 90
"""So many labels a game's pages have at least, so that not to look is noticed."""


def names_of(saved: SavedGame) -> Mapping[str, str]:
    """Return what the rules' tables call whatever has an id."""
    return wording_of(saved.rules).names


@pytest.mark.parametrize("rules", ["game-of-powers", "rose-king"])
def test_every_label_of_a_new_game_is_a_name(rules: str, tmp_path: Path, desk: Desk) -> None:
    saved = a_new_game(rules, tmp_path)
    found: set[str] = set()
    for turn in range(4):
        seat = asked(saved)[0]
        orders = [suggestion(saved, seat, skill) for skill in ("greedy", "random")]
        if turn != 2:
            desk.opens(saved, seat)
            found |= shown_by(desk.page, orders)
        saved = one_turn_on(saved, tmp_path)

    assert len(found) > ENOUGH
    assert identifiers(found, names_of(saved)) == {}


def a_new_game(rules: str, folder: Path) -> SavedGame:
    """Return a game before its first move."""
    rows = "".join(f"  {seat}: {{player: P{seat}}}\n" for seat in SEATS[rules])
    return a_game(a_home(folder), "g-1", rules=rules, table=f"seats:\n{rows}")


def one_turn_on(saved: SavedGame, folder: Path) -> SavedGame:
    """Return the game after everybody who is asked has played what a bot would."""
    for one in asked(saved):
        lodge(saved.home, orders_text("g-1", one, [{"do": suggestion(saved, one)}]), folder)
    return next_turn(saved.home, saved)


@pytest.mark.parametrize("name", ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"])
def test_every_label_of_a_sample_game_is_a_name(name: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    found: set[str] = set()
    waiting = [seat for seat in saved.start.seats if seat not in asked(saved)][:1]
    for seat in [*asked(saved)[:1], *waiting]:
        desk.opens(saved, seat)
        found |= shown_by(desk.page, [suggestion(saved, seat)] if seat in asked(saved) else [])

    assert identifiers(found, names_of(saved)) == {}


NAMED: dict[str, tuple[Json, ...]] = {
    "web-of-power": (
        {"place": {"country": "Frankreich", "pieces": ["Cîteaux"]}},
        {"place": {"country": "Frankreich", "pieces": ["Mont Saint-Michel", "advisor"]}},
        {"place": {"country": "Franken", "pieces": ["Würzburg"]}},
        {"place": {"country": "Franken", "pieces": ["Wurzburg"]}},
    ),
    "game-of-powers": (
        {"sail": "Sorte Muld", "take_tokens": ["any", "any"]},
        {"sail": "Wisloujscie", "take_tokens": ["any", "any"]},
        {"sail": "Wisłoujście", "claim": "five from Owidz"},
    ),
    "web-of-intrigue": ({"guess": {"player": 2, "house": "Leo"}},),
    "web-of-power-cards": ({"take": ["Dänemark"]}, {"take": ["Fr3"], "use": "3 symbols allowed"}),
}


@pytest.mark.parametrize("rules", NAMED)
def test_names_as_they_are_shown_are_read_as_the_host_reads_them(
    rules: str, tmp_path: Path, desk: Desk
) -> None:
    saved = a_new_game(rules, tmp_path)
    for _ in range(4 if rules == "game-of-powers" else 0):
        saved = one_turn_on(saved, tmp_path)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    for order in NAMED[rules]:
        desk.writes(orders_text("g-1", seat, [{"do": order}]))
        result = judged(saved.home, desk.yaml(), tmp_path)
        wrong = desk.wrong()
        read = desk.page.evaluate("() => pbem.page.doc().orders[0].do")
        assert "there is no" not in " ".join(wrong), order
        if not isinstance(result, list):
            assert wrong == [], order
            mine = saved.opening.read(read)
            assert mine == saved.opening.read(result.submission.orders.lines[0].do), order


def test_a_players_name_stands_for_the_seat_in_a_message(tmp_path: Path, desk: Desk) -> None:
    table = "seats:\n  red: {player: Ann}\n  white: {player: Hugo Marchetti}\n"
    saved = a_game(a_home(tmp_path), table=table)
    desk.opens(saved, "red")
    for written in ("Hugo Marchetti", "hugo marchetti", "Player white", "White"):
        desk.writes(f"game: rose-1\nseat: red\npress:\n- {{to: [{written}], say: Hello}}\n")
        result = judged(saved.home, desk.yaml(), tmp_path)
        assert not isinstance(result, list)
        assert desk.wrong() == []
        assert desk.page.evaluate("() => pbem.page.doc().press[0].to") == ["white"]
    desk.writes("game: rose-1\nseat: red\npress:\n- {to: [Hugo Marchetto], say: Hello}\n")

    assert len(desk.wrong()) == 1
