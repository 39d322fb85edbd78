"""What a home in a database reads ahead: a run asks each question once, and no answer is too old."""

from __future__ import annotations

from collections import Counter
from typing import Any
from unittest import mock

import pytest

from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.store.opening import make_store, open_store
from pbem.store.postgresql import pgrows
from pbem.store.postgresql.pgconnection import PgDatabase
from tests.homes import NOW
from tests.store.pgserver import server
from tests.store.test_in_a_database import MAIL, sample

pytestmark = pytest.mark.postgres


@pytest.fixture
def url() -> str:
    found = server().database()
    make_store(found)
    return found


def asked_in_a_run(url: str, game: str) -> Counter[str]:
    """Return how often a night job's run asks for each name, and for the turns that were taken back."""
    asked: Counter[str] = Counter()
    real = PgDatabase.rows

    def rows(door: PgDatabase, sql: str, *values: Any) -> list[Any]:
        if "FROM files" in sql:
            asked[str(values[0])] += 1
        elif "revision > 0" in sql:
            asked["turns taken back"] += 1
        return real(door, sql, *values)

    slow = mock.patch.object(pgrows, "_KNOWN_SECONDS", 3600.0)  # however slow the machine is
    with mock.patch.object(PgDatabase, "rows", rows), slow:
        assert run(Home(open_store(url)), game, now=NOW, attended=False).turn
    return asked


@pytest.mark.parametrize("settings", ["", MAIL])
def test_a_run_asks_for_what_its_host_wrote_once(url: str, settings: str) -> None:
    store = open_store(url)
    sample(store, "rose-1")
    if settings:
        store.lodge("home.yaml", settings.encode())

    asked = asked_in_a_run(url, "rose-1")

    assert asked["home.yaml"] == 1
    assert asked["templates/"] == 1


def test_orders_are_read_with_their_folder_and_no_file_more_than_twice(url: str) -> None:
    sample(open_store(url), "web-1")

    asked = asked_in_a_run(url, "web-1")

    assert asked["orders/web-1/"] == 1
    assert not [name for name in asked if name.startswith("orders/web-1/") and name.endswith(".yaml")]
    assert {name: count for name, count in asked.items() if count > 2} == {}


def test_settings_stay_as_they_are_while_a_game_is_held(url: str) -> None:
    home, other = Home(open_store(url)), open_store(url)
    sample(home.store, "rose-1")

    with home.held("rose-1"):
        before = home.settings()
        other.lodge("home.yaml", b"moderator: Max\n")
        assert home.settings() == before == {}

    assert home.settings() == {"moderator": "Max"}
    other.lodge("home.yaml", b"moderator: Ann\n")
    assert home.settings() == {"moderator": "Ann"}
    with home.held("rose-1"):
        assert home.settings() == {"moderator": "Ann"}
        home.store.lodge("home.yaml", b"moderator: Max\n")
        assert home.settings() == {"moderator": "Max"}, "what was changed by oneself is seen"
