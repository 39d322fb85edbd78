"""The other games through their form pages: whole games by mouse and keys, and every kind of order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.forms import Desk, Keys, Mouse, asked, judged, lodge, next_turn, same_move, suggestion
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser

SEATS = {
    "web-of-power-cards": "red yellow green",
}


def a_table(rules: str) -> str:
    """Return a table with the seats of some rules."""
    return "seats:\n" + "".join(f"  {seat}: {{player: {seat}}}\n" for seat in SEATS[rules].split())


@pytest.mark.parametrize("rules", SEATS)
def test_a_game_is_played_by_mouse_and_keys(rules: str, tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "game-1", rules=rules, table=a_table(rules))
    turns = 0
    while asked(saved):
        for seat in asked(saved):
            order = suggestion(saved, seat, "random" if turns % 12 == 5 else "greedy")
            desk.opens(saved, seat)
            (Keys if turns % 12 == 11 else Mouse)(desk).fill(order)
            assert same_move(saved, judged(home, desk.yaml(), tmp_path), order), (order, desk.yaml())
            assert desk.wrong() == []
            lodge(home, desk.yaml(), tmp_path)
            turns += 1
        saved = next_turn(home, saved)

    assert turns > 20
