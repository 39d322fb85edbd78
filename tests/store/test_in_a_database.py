"""A home in a real PostgreSQL database, by the command line: the same turns and words as in a folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.office.samples import sample_names, sample_orders
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.store.interface import Store
from pbem.store.opening import make_store, open_store
from pbem.store.postgresql.postgres import PostgresStore
from tests.homes import NOW, make_home, sample_games, top, tree
from tests.store.pgserver import server

pytestmark = pytest.mark.postgres

TABLE = """seats:
  red: {player: Ann, address: ann@example.test}
  white: {player: Bob, address: bob@example.test}
"""
MAIL = "mail:\n  address: host@pbem.test\n  moderator: mod@pbem.test\n  sendmail: /bin/true\n"


@pytest.fixture
def url() -> str:
    found = server().database()
    make_store(found)
    return found


def below(store: Store, name: str) -> dict[str, bytes]:
    return {one: store.read(f"{name}/{one}") for one in store.below(name)}


def sample(store: Store, game: str) -> None:
    """Put a sample game into a home, with the orders of its players."""
    folder = sample_games() / game
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    store.found(game, files)
    for name, data in sample_orders(game).items():
        store.lodge(name, data)


@pytest.mark.parametrize("game", sample_names())
def test_a_turn_is_the_same_to_the_byte(tmp_path: Path, url: str, game: str) -> None:
    folder, database = make_home(tmp_path / "home"), Home(open_store(url))
    for home, where in ((folder, str(top(folder))), (database, url)):
        sample(home.store, game)
        assert run_command(["run", game, "--home", where, "--now", NOW.isoformat()]) == 0

    turn = SavedGame(folder, game).turn
    name = f"games/{game}/turns/{turn:04d}"
    assert below(database.store, name) == below(folder.store, name)
    assert verify(database, game).findings == ()


def test_a_password_is_told_to_nobody() -> None:
    store = open_store("postgresql://pbem:hunter2@db.example.test/games?sslmode=require")

    assert store.spelled("home.yaml") == "postgresql://pbem@db.example.test/games home.yaml"


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://joe:s3cret no@h/x",
        "postgresql://joe:s3cret%@h/x",
        "postgresql://joe:s3cret@[h/x",
        "postgresql://joe:12/s3cret@h/x",
        "postgresql://joe@h/x?s3cret",
        "postgresql://joe@h/x?pasword=s3cret",
        "postgresql://joe@h/x?password=s3cret&password",
    ],
)
def test_an_address_with_a_slip_does_not_print_its_password(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["status", "--home", wrong]) == 1
    told = capsys.readouterr()
    assert "s3cret" not in told.out + told.err


def test_a_home_is_moved_into_a_database_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, url, back = top(make_home(tmp_path / "home")), server().database(), tmp_path / "back"
    sample(open_store(str(folder)), "rose-1")
    (folder / "home.yaml").write_text(MAIL, encoding="utf-8")
    for words in (["run", "rose-1"], ["undo", "rose-1"], ["run", "rose-1"], ["announce", "rose-1", "Hello."]):
        assert run_command([*words, "--home", str(folder), "--now", NOW.isoformat()]) == 0
    capsys.readouterr()

    assert run_command(["home", "copy", str(folder), url]) == 0
    assert run_command(["home", "copy", url, str(back)]) == 0
    assert run_command(["home", "check", str(folder), str(back)]) == 0

    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("1 game, ")
    assert told[0] == told[1]
    assert told[2] == "The homes are the same."
    assert tree(folder / "games") == tree(back / "games")
    assert verify(Home(open_store(url)), "rose-1").findings == ()
    assert run_command(["announce", "rose-1", "More.", "--home", url, "--now", NOW.isoformat()]) == 0
    assert run_command(["home", "check", str(folder), url]) == 1
    assert run_command(["home", "copy", str(folder), url]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_a_game_is_dealt_also_if_a_worker_looks_at_it_at_once(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = tmp_path / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    found, looked = PostgresStore.found, threading.Event()

    def look() -> None:
        with open_store(url).held("games/rose-1"):
            looked.set()
            time.sleep(0.2)

    def found_and_looked_at(store: PostgresStore, game: str, files: Mapping[str, bytes]) -> None:
        found(store, game, files)
        worker.start()
        assert looked.wait(60)

    worker = threading.Thread(target=look)
    monkeypatch.setattr(PostgresStore, "found", found_and_looked_at)
    words = ["new", "rose-king", "rose-1", "--players", str(players), "--deal", "--home", url]

    assert run_command(words) == 0

    worker.join()
    assert open_store(url).turns("rose-1") == [0, 1]


def test_damaged_files_of_turns_are_put_back(url: str) -> None:
    store = open_store(url)
    sample(store, "rose-1")
    place = "games/rose-1/turns/0001"
    whole = below(store, place)
    for name in ("state.json", "events.jsonl", "reports/red/report.txt"):
        store.lodge(f"{place}/{name}", b"{}")

    assert run_command(["home", "mend", "rose-1", "--home", url]) == 0

    assert below(store, place) == whole
