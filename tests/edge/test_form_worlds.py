"""Form pages and covering letters are the same in a world that their seat cannot tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.coverletter import Covering
from pbem.host.run.notes import notes_of
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from tests.browser.forms import asked, lodge, next_turn, suggestion
from tests.homes import a_game, a_home, orders_text

TABLES = {
    "rose-king": ("red", "white"),
    "web-of-intrigue": ("1", "2", "3", "4"),
    "web-of-power-cards": ("yellow", "red", "green"),
    "web-of-power": ("yellow", "red", "green"),
    "game-of-powers": ("white", "black", "orange"),
}


def worlds_of(saved: SavedGame, seat: Seat) -> list[SavedGame]:
    """Return the game as it might be too, as far as a seat knows; only if it differs from the real one."""
    found = []
    for number in range(2):
        other = SavedGame(saved.home, saved.name)
        game = saved.opening.redeal(saved.position.game, seat, Dice(bytes([number] * 32), 0))
        if game != saved.position.game:
            other.__dict__["position"] = saved.position._replace(game=game)
            found.append(other)
    return found


@pytest.mark.parametrize("rules", TABLES)
def test_pages_and_letters_are_the_same_in_a_world_dealt_otherwise(rules: str, tmp_path: Path) -> None:
    me, *others = TABLES[rules]
    rows = [f"  {me}: {{player: Me}}\n", *(f"  {one}: {{player: P, bot: greedy}}\n" for one in others)]
    saved = a_game(a_home(tmp_path), "g-1", rules=rules, table=f"seats:\n{''.join(rows)}")
    compared = 0
    for _ in range(4):
        seat = asked(saved)[0]
        pages = [page_of(world, seat) for world in worlds_of(saved, seat)]
        assert set(pages) == {page_of(saved, seat)}
        compared += len(pages)
        for one in asked(saved):
            order: Json = suggestion(saved, one)
            lodge(saved.home, orders_text("g-1", one, [{"do": order}]), tmp_path)
        notes = notes_of(saved.home, "g-1")
        letter = Covering(saved, notes).letter(seat)
        assert letter.orders
        assert {Covering(one, notes).letter(seat).words for one in worlds_of(saved, seat)} <= {letter.words}
        saved = next_turn(saved.home, saved)

    assert compared >= 6
