"""Golden games and hostile mails in a real PostgreSQL database: the same as in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.postgres import PostgresStore
from pbem.text.strictyaml import parse
from tests.edge.test_golden import play_turn
from tests.golden import GAMES, RECIPES, asked, new, told
from tests.mail.host import a_host
from tests.mail.hostile import hostile
from tests.mail.test_hostile import KEPT, received_by
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


def test_hostile_mails_end_as_in_a_folder(tmp_path: Path) -> None:
    mails = [*(raw for _, raw in hostile(COUNT)), *(path.read_bytes() for path in KEPT)]
    store = database()
    many: dict[str, Any] = {"receipts_per_hour": 1000, "orders_per_hour": 1000}
    write_settings(store, **many)

    said = received_by(a_dealt_game(store, tmp_path), mails)

    expected = received_by(a_host(tmp_path / "home", **many), mails)
    assert [(one.verdict, one.rule, one.seat) for one in said] == [
        (one.verdict, one.rule, one.seat) for one in expected
    ]
