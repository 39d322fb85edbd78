"""A home in a real PostgreSQL database, by the command line: the same turns and words as in a folder."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.notices.wording import act_words
from pbem.host.office.samples import sample_names, sample_orders
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.store.interface import Store
from pbem.store.opening import make_store, open_store
from pbem.store.postgresql.postgres import PostgresStore
from tests.homes import NOW, a_home, make_home, orders_text, sample_games, top, tree
from tests.mail.host import Host, read, text_of
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


def told(capsys: pytest.CaptureFixture[str], where: str) -> str:
    """Return what was printed, with the place of the home as HOME."""
    said = capsys.readouterr()
    return (
        (said.out + said.err)
        .replace(f"{where} ", "HOME/")
        .replace(f"{where}/", "HOME/")
        .replace(where, "HOME")
    )


def steps(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the commands of an evening, with mistakes."""
    red = folder / "red.yaml"
    red.write_text(orders_text("rose-1", "red", [{"do": {"play": "N2"}}]), encoding="utf-8")
    (folder / "bad.yaml").write_text(orders_text("rose-1", "red", [{"do": {"play": "Z9"}}]), encoding="utf-8")
    yield "run", "rose-1", "--deal"
    yield "check", str(red)
    yield "submit", str(folder / "bad.yaml")
    yield "submit", str(red)
    yield "status", "rose-1"
    yield ("run", "rose-1")
    yield ("send",)
    yield "undo", "rose-1"
    yield "undo", "rose-1"
    yield "run", "rose-1"
    yield "pause", "rose-1"
    yield "run", "rose-1", "--due"
    yield "resume", "rose-1"
    yield "pause", "rose-1", "--from", "tomorrow", "--to", "Dec 1"
    yield "resume", "rose-1"
    yield "cancel", "rose-1", "--why", "a quarrel"
    yield "submit", str(red)
    yield "run", "rose-1"
    yield "status", "rose-1"
    yield "cancel", "rose-1", "--undo"
    yield "replace", "rose-1", "white", "--player", "Dora", "--address", "dora@example.test"
    yield "replace", "rose-1", "white", "--player", "Dora", "--address", "dora@example.test"
    yield "hold", "rose-1", "red", "--why", "a quarrel"
    yield "announce", "rose-1", "Welcome, all."
    yield "seat", "rose-1", "white", "--address", "dora@example.org"
    yield "seat", "rose-1", "white"
    yield "seat", "rose-1", "white", "--name", "Dorothea"
    yield "acts", "rose-1"
    yield ("send",)
    yield "report", "rose-1", "red"
    yield "verify", "rose-1"
    yield "show", "rose-1"
    yield ("digest",)
    yield ("status",)


def test_an_evening_of_the_moderators_says_the_same(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_bytes", bytes)
    folder = top(a_home(tmp_path))
    players = tmp_path / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    said: dict[str, list[tuple[object, ...]]] = {}
    for where in (str(folder), url):
        open_store(where).lodge("home.yaml", MAIL.encode())
        new = ("new", "rose-king", "rose-1", "--players", str(players))
        found = said[where] = []
        for words in (new, *steps(tmp_path)):
            moment = (
                ()
                if words[0] in ("check", "status", "report", "verify", "show", "digest", "acts")
                else ("--now", NOW.isoformat())
            )
            code = run_command([*words, "--home", where, *moment])
            found.append((words, code, told(capsys, where)))

    for one, other in zip(said[str(folder)], said[url], strict=True):
        assert one == other


def test_a_mail_is_lodged_and_answered(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = Home(open_store(url))
    home.store.lodge("home.yaml", MAIL.encode())
    players = tmp_path / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    given = [["new", "rose-king", "rose-1", "--players", str(players)], ["run", "rose-1", "--deal"], ["send"]]
    for words in given:
        assert run_command([*words, "--home", url, "--now", NOW.isoformat()]) == 0, capsys.readouterr()
    from pbem.mail.account.addresses import orders_address, token_of
    from pbem.mail.account.settings import mail_settings

    saved = SavedGame(home, "rose-1")
    seat = saved.start.seats[0]
    with home.journal() as db:
        to = orders_address(mail_settings(home), "rose-1", token_of(saved, seat, db))
    text = orders_text("rose-1", seat, [{"do": {"play": "N2"}}])
    raw = f"From: ann@example.test\r\nTo: {to}\r\nMessage-ID: <a@x>\r\n\r\n{text}"
    mail = tmp_path / "box"
    mail.write_text(f"From a@b Thu Jan  1 00:00:00 1970\n{raw}\n", encoding="utf-8")
    capsys.readouterr()

    words = ["receive", "--mbox", str(mail), "--json", "--home", url, "--now", NOW.isoformat()]
    assert run_command(words) == 0

    (one,) = json.loads(capsys.readouterr().out)["processed"]
    assert (one["verdict"], one["seat"]) in (("lodged", seat), ("refused", seat))
    with home.journal() as db:
        assert [row.kind for row in db.outbox("queued")] == ["receipt"]


ACTS = (
    "status", "extend rose-1 to 1 Dec 18:00", "pause rose-1\nresume rose-1", "pause rose-1\npause rose-1",
    "hold rose-1 red why a quarrel", "hold rose-1 red release", "seat rose-1 white name Dora", "undo rose-1",
    "yes", "yes", "run rose-1 deal", "seat rose-1 white address dora@example.org", "yes",
    "announce rose-1 Hello.",
    "cancel rose-1 why a quarrel", "yes", "run rose-1", "cancel rose-1 undo", "away rose-1 red to 30 Nov",
)  # fmt: skip


def test_an_evening_of_acts_by_mail_comes_to_the_same(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail.conversation.modsecret import renew

    monkeypatch.setattr("secrets.token_bytes", bytes)
    folder = top(a_home(tmp_path))
    players = tmp_path / "players.yaml"
    players.write_text(TABLE, encoding="utf-8")
    said: dict[str, list[str]] = {}
    for where in (str(folder), url):
        home = Home(open_store(where))
        home.store.lodge("home.yaml", MAIL.encode())
        for words in (["new", "rose-king", "rose-1", "--players", str(players)], ["run", "rose-1", "--deal"]):
            assert run_command([*words, "--home", where, "--now", NOW.isoformat()]) == 0
        host, moderator = Host(home), "mod@pbem.test"
        there = address = renew(home, NOW)
        found = said[where] = []
        for act in ACTS:
            to = there if act == "yes" else address
            got = host.gets(host.a_mail(act, sender=moderator, subject=""), to, moderator)
            answer = read([one.raw for one in host.outbox("receipt") if one.rcpt == moderator][-1])
            there = str(answer["Reply-To"]) if got.verdict == "asked" else there
            found.append(f"{got.verdict}: {' '.join(text_of(answer).split())}".replace(where, "HOME"))
        found += [act_words(home, act, None) for act in home.public_acts("rose-1")]

    assert said[str(folder)] == said[url]
    assert len([one for one in said[url] if one.startswith("acts: ")]) == 13, said[url]


def test_a_database_that_is_gone_is_told_in_one_line(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    gone = url.replace(f":{server().port}/", ":1/")

    assert run_command(["status", "--home", gone]) == 1

    told = capsys.readouterr()
    assert told.err.startswith("pbem: the database refused: ")
    assert told.err.count("\n") == 1


def test_a_password_is_told_to_nobody() -> None:
    store = open_store("postgresql://pbem:hunter2@db.example.test/games?sslmode=require")

    assert store.spelled("home.yaml") == "postgresql://pbem@db.example.test/games home.yaml"


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://joe:s3cret no@h/x",
        "postgresql://joe:s3cret%@h/x",
        "postgresql://joe:s3cret@[h/x",
        "postgresql://joe:s3cret/more@h/x",
        "postgresql://joe:12/s3cret@h/x",
        "postgresql://joe:%zzs3cret/@h/x",
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
