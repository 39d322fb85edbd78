"""Golden games and hostile mails in a real PostgreSQL database: the same as in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.mail.intake import Arrival, take_all
from pbem.mail.processing import Processed
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.postgres import PostgresStore
from pbem.text.strictyaml import parse
from tests.edge.test_golden import play_turn
from tests.golden import GAMES, RECIPES, asked, new, told
from tests.mail.host import ANN, Host, a_host
from tests.mail.hostile import hostile
from tests.mail.test_hostile import KEPT
from tests.work.homes import a_dealt_game, database, write_settings

pytestmark = pytest.mark.postgres

COUNT = 330


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_game_is_played_as_it_was(name: str, tmp_path: Path) -> None:
    store = database()
    home = Home(store)
    new(home, name, RECIPES[name], tmp_path)
    for path in sorted((GAMES / name).iterdir()):
        golden = parse(path.read_text(encoding="utf-8")).value
        assert isinstance(golden, dict)
        play_turn(Home(PostgresStore(store.url)), name, golden.pop("orders"), tmp_path)
        assert told(SavedGame(home, name)) == golden, path.name

    assert asked(SavedGame(home, name)) == []
    assert run_command(["verify", name, "--home", store.url]) == 0


def received(host: Host, mails: list[bytes]) -> list[Processed]:
    """Receive mails, each with a Message-ID of its own, and return what became of them."""
    to, press = host.address(), host.press_address()
    arrivals = [
        Arrival(
            "stdin", host.now, ANN, press if number % 7 == 3 else to, raw.replace(b"<1@", b"<%d@" % number, 1)
        )
        for number, raw in enumerate(mails)
    ]
    with host.home.journal() as db:
        take_all(host.home, db, arrivals, print)
    return host.process()


def test_hostile_mails_end_as_in_a_folder(tmp_path: Path) -> None:
    mails = [*(raw for _, raw in hostile(COUNT)), *(path.read_bytes() for path in KEPT)]
    store = database()
    many: dict[str, Any] = {"receipts_per_hour": 1000, "orders_per_hour": 1000}
    write_settings(store, **many)

    said = received(a_dealt_game(store, tmp_path), mails)

    expected = received(a_host(tmp_path / "home", **many), mails)
    assert [(one.verdict, one.rule, one.seat) for one in said] == [
        (one.verdict, one.rule, one.seat) for one in expected
    ]
