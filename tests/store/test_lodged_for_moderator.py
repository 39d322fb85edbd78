"""Orders that the moderator lodges and what all read of them are one change of each store, cut anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.core.events import Seat
from pbem.host.office.acts import lodge_for_moderator
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import PressReceipt, Receipt
from pbem.play.submissions.reinstated import waiting_press
from pbem.store.interface import Store
from pbem.store.records import read_facts
from pbem.text.codec import strip_receipt
from tests.edge.faults import PowerCut
from tests.homes import NOW, a_game, a_home, game_folder, home_at, made_once, orders_text
from tests.store.stores import STORES, Kept

RED: Final = Seat("red")
ORDERS: Final = orders_text("rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}])
PRESS: Final = "game: rose-1\nseat: red\npress:\n- {to: white, say: Peace?}\n"
KINDS: Final = [
    kept if kept.name != "PostgreSQL" else pytest.param(kept, marks=pytest.mark.postgres)
    for kept in STORES
    if kept.name != "memory"
]


def prepare(store: Store) -> None:
    """Put a dealt game into a store."""
    home = home_at(made_once("dealt-rose", lambda folder: a_game(a_home(folder))) / "home")
    game = game_folder(home, "rose-1")
    names = [path.relative_to(game).as_posix() for path in game.rglob("*") if path.is_file()]
    store.found("rose-1", {name: (game / name).read_bytes() for name in names})


def lodged(store: Store) -> str:
    """Return what is lodged for red, without its receipt."""
    home = Home(store)
    place = home.orders_file("rose-1", RED)
    orders = strip_receipt(place.read_bytes()).decode() if place.exists() else ""
    press = waiting_press(SavedGame(home, "rose-1")).get(RED)
    return orders + "".join(one.say for one in press.press) if press else orders


def acts(store: Store) -> list[str]:
    """Return what the players will read of it."""
    if not store.has_journal:
        return []
    with store.journal() as db:
        return [one.facts for one in db.acts("rose-1", public=True) if one.act == "submit"]


@pytest.mark.parametrize("text", [ORDERS, PRESS], ids=["orders", "press"])
@pytest.mark.parametrize("kept", KINDS, ids=lambda kept: kept.name)
def test_cut_anywhere_both_stand_or_neither_and_given_again_it_is_written_down_once(
    kept: Kept, text: str, tmp_path: Path
) -> None:
    def lodge(store: Store) -> Receipt | PressReceipt:
        done = lodge_for_moderator(Home(store), text.encode(), NOW)
        assert not isinstance(done, list)
        return done

    cuts, done_at = 0, 0
    for store in kept.cuts(tmp_path, prepare, lodge, PowerCut()):
        with Home(store).held("rose-1"):
            before = lodged(store), len(acts(store))
        assert before in (("", 0), (lodged(store), 1))
        assert bool(before[0]) == bool(before[1])

        first, again = lodge(store), lodge(store)

        assert len(acts(store)) == 1
        if isinstance(first, Receipt) and isinstance(again, Receipt):
            assert (first.number, first.proof) == (again.number, again.proof)
            assert read_facts(acts(store)[0])["receipt"] == first.number
        cuts, done_at = cuts + 1, done_at + bool(before[1])

    assert cuts > done_at >= 0
