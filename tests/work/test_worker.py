"""A worker does what is due, each thing once, whoever is killed, and says so as the night job does."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psycopg
import pytest

from pbem.cli import run_command
from pbem.cli.moderation.mailed import MailedCommands
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.upkeep import close_home, reopen
from pbem.store.postgresql.pgconnection import FORMAT
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import Job
from pbem.store.rests import HomeClosed
from pbem.store.stamped import seal_address
from pbem.work import BusyError, JobRunner, worker
from tests.homes import NOW, orders_text
from tests.mail.host import ANN, BOB, E1, N2, Host
from tests.mail.sink import Sink, a_sink
from tests.store.pgserver import server
from tests.work.homes import a_dealt_game, database, jobs, kinds, sent, work, write_settings

pytestmark = pytest.mark.postgres

PATIENCE = 90.0
"""Seconds."""


@pytest.fixture
def store() -> PostgresStore:
    return database()


@pytest.fixture
def sink() -> Iterator[Sink]:
    with a_sink() as found:
        yield found


@pytest.fixture
def shift(store: PostgresStore) -> Iterator[JobRunner]:
    found = JobRunner(store, lambda: NOW, print, MailedCommands())
    yield found
    found.close()


@pytest.fixture
def host(store: PostgresStore, sink: Sink, tmp_path: Path) -> Host:
    write_settings(store, smtp={"server": "127.0.0.1", "port": sink.port, "security": "none"})
    store.db.begin_work()
    return a_dealt_game(store, tmp_path)


def orders_mail(host: Host, lines: list[object], seat: str = "red") -> int:
    """Hand a mail with orders to the door; nobody has looked at it yet."""
    text = orders_text("rose-1", seat, lines)  # type: ignore[arg-type]
    sender = {"red": ANN, "white": BOB}[seat]
    number = host.put(host.a_mail(text, sender=sender), host.address(seat), sender)
    assert number is not None
    return number


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.1)


# --- what it does


def test_a_mail_becomes_orders_a_turn_reports_and_a_receipt(host: Host, store: PostgresStore) -> None:
    work(store)
    assert list(sent(store)) == [(ANN, "report"), (BOB, "report")]
    assert kinds(store) == ["archive"]
    orders_mail(host, [*N2])

    said = work(store)

    assert said[0].endswith("lodged (orders) rose-1 seat red")
    assert said[1].startswith("rose-1: turn 2, 1 step (red-1); waits for white")
    assert sorted(sent(store))[:2] == [(ANN, "receipt"), (ANN, "report")]
    assert sorted(sent(store))[2:] == [(ANN, "report"), (BOB, "report"), (BOB, "report")]
    assert run_command(["announce", "rose-1", "Welcome.", "--home", store.url]) == 0
    work(store)
    assert list(sent(store))[-2:] == [(ANN, "notice"), (BOB, "notice")]


def test_a_mail_that_was_there_before_the_first_worker_is_found(tmp_path: Path, sink: Sink) -> None:
    store = database()
    write_settings(store, smtp={"server": "127.0.0.1", "port": sink.port, "security": "none"})
    host = a_dealt_game(store, tmp_path)
    number = orders_mail(host, [*N2])
    assert jobs(store) == []
    store.db.begin_work()

    JobRunner(store, lambda: NOW, print, MailedCommands()).sweep()

    assert ("process", {"number": number}) in jobs(store)
    work(store)
    assert SavedGame(host.home, "rose-1").turn == 2


def test_a_mail_that_trips_us_up_is_set_aside_and_processed_again(
    host: Host, store: PostgresStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = orders_mail(host, [*N2])
    with monkeypatch.context() as patch:
        patch.setattr("pbem.mail.arrivals.processing.first_matching_rule", lambda mail: 1 / 0)
        said = work(store)

    assert f"mail {number}: shunted (ZeroDivisionError)" in said
    assert b"ZeroDivisionError" in store.read(f"mail/shunted/{number}.txt")
    assert run_command(["receive", "--again", str(number), "--home", store.url]) == 0
    assert f"mail {number}: lodged (orders) rose-1 seat red" in capsys.readouterr().out
    work(store)
    assert SavedGame(host.home, "rose-1").turn == 2


def test_a_game_that_fails_is_told_to_the_moderator_and_the_others_go_on(
    host: Host, store: PostgresStore, tmp_path: Path
) -> None:
    other = a_dealt_game(store, tmp_path, "rose-2")
    work(store)
    name = "games/rose-1/turns/0001/state.json"
    store.lodge(name, store.read(name).replace(b"red", b"rot", 1))
    for game, where in (("rose-1", host), ("rose-2", other)):
        text = orders_text(game, "red", [*N2])
        where.put(where.a_mail(text, subject=game), where.address("red", game), ANN)

    said = work(store)

    assert any(one.startswith("rose-2: turn 2") for one in said)
    assert store.turns("rose-1") == [0, 1]


# --- harmless when done twice, late, or beside a command


def test_every_job_done_twice_changes_nothing_the_second_time(
    host: Host, store: PostgresStore, shift: JobRunner
) -> None:
    orders_mail(host, [*N2])
    work(store)
    before = standing(store)

    for number in (1, 2):
        shift.process(number) if number == 1 else None
        shift.send(number, "example.test", has_turn=False)
    shift.look("rose-1")
    shift.report("rose-1")
    shift.write("rose-1")
    shift.process_later("rose-1")
    shift.archive()
    work(store)

    assert standing(store) == before


def standing(store: PostgresStore) -> dict[str, object]:
    """Return all that a home holds but jobs and heartbeats."""
    files = {name: store.read(name) for name in store.below("")}
    notes = store.db.rows("SELECT * FROM game_notes WHERE key <> 'beats' ORDER BY game, key")
    tables = ("intake", "outbox", "tellings", "acts", "turns")
    return {
        **files,
        **{one: store.db.rows(f"SELECT * FROM {one} ORDER BY 1, 2") for one in tables},
        "notes": notes,
    }


def test_jobs_about_what_is_gone_do_nothing(store: PostgresStore, shift: JobRunner) -> None:
    write_settings(store)

    shift.look("gone-1")
    shift.report("gone-1")
    shift.write("gone-1")


def test_a_game_that_a_command_holds_is_looked_at_later(
    host: Host, store: PostgresStore, shift: JobRunner
) -> None:
    orders_mail(host, [*N2])
    other = PostgresStore(store.url)
    shift.process(1)

    with other.held("games/rose-1"), pytest.raises(BusyError):
        shift.look("rose-1")
    shift.report("rose-1")
    for number, rcpt in store.db.due(NOW, 10):
        shift.send(number, rcpt.partition("@")[2], has_turn=False)
    shift.look("rose-1")

    assert store.turns("rose-1") == [0, 1, 2]


def test_a_mail_that_another_program_is_sending_is_left_to_it(
    host: Host, store: PostgresStore, sink: Sink, shift: JobRunner
) -> None:
    other = PostgresStore(store.url)
    shift.report("rose-1")

    with other.claimed("outbox", 1) as is_theirs:
        assert is_theirs
        shift.send(1, "example.test", has_turn=False)
        assert sink.mails == []
    shift.send(1, "example.test", has_turn=False)

    assert [one.recipient for one in sink.mails] == [ANN]


def test_a_mail_that_a_killed_worker_was_sending_is_sent_by_another(
    host: Host, store: PostgresStore, sink: Sink, shift: JobRunner
) -> None:
    shift.report("rose-1")
    assert store.db.claim(1, NOW) is not None

    shift.send(1, "example.test", has_turn=False)

    assert ([one.recipient for one in sink.mails], store.db.queued(1).state) == ([ANN], "sent")


def test_commands_and_a_worker_do_the_same_things_once(host: Host, store: PostgresStore, sink: Sink) -> None:
    """The night job still does all of it where it is given."""
    orders_mail(host, [*E1])
    for words in (["receive"], ["send"], ["run", "--due"], ["send"]):
        assert run_command([*words, "--home", store.url]) == 0

    work(store)

    assert len(sink.mails) == len({one.message_id for one in sink.mails}) == 6
    assert sorted(kind for _, kind in sent(store)) == ["digest", "receipt", *["report"] * 4]
    assert SavedGame(host.home, "rose-1").turn == 2


# --- workers that are killed, and told to end


def start(store: PostgresStore, said: IO[str] | int = subprocess.PIPE) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pbem", "worker", "--home", store.url]
    return subprocess.Popen(command, stderr=said, text=True)


def test_a_job_of_a_killed_worker_is_done_by_another(
    store: PostgresStore, tmp_path: Path, sink: Sink
) -> None:
    """It is killed while a mail server keeps it waiting in the middle of a mail."""
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes a connection and says nothing
        port = silent.getsockname()[1]
        write_settings(store, smtp={"server": "127.0.0.1", "port": port, "security": "none"})
        store.db.begin_work()
        a_dealt_game(store, tmp_path)
        first = start(store)
        until(lambda: any(task == "send" for task, _ in jobs(store, "doing")))
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
    write_settings(store, smtp={"server": "127.0.0.1", "port": sink.port, "security": "none"})

    second = start(store)
    until(lambda: len(sink.mails) == 2 and store.db.waiting() == 0)
    second.send_signal(signal.SIGTERM)
    _, said = second.communicate(timeout=PATIENCE)

    assert second.returncode == 0, said
    assert sorted(one.recipient for one in sink.mails) == [ANN, BOB]
    assert jobs(store, "doing") == jobs(store, "failed") == []


def test_whatever_a_killed_worker_was_doing_holds_up_nobody(
    store: PostgresStore, tmp_path: Path, sink: Sink
) -> None:
    """Its jobs hold the locks of a game and of the sweep; another worker lets go of both."""
    write_settings(store, smtp={"server": "127.0.0.1", "port": sink.port, "security": "none"})
    store.db.begin_work()
    a_dealt_game(store, tmp_path)
    for task, lock in (("look", "game rose-1"), ("sweep", "sweep"), ("rescue", "rescue")):
        store.db.run(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status) "
            "VALUES ('games', ?, ?, jsonb_build_object('game', 'rose-1'), 'doing')",
            *(task, lock),
        )

    worker = start(store)
    sql = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing' AND worker_id IS NULL"
    until(lambda: len(sink.mails) == 2 and store.db.rows(sql)[0][0] == 0)
    worker.send_signal(signal.SIGTERM)
    _, said = worker.communicate(timeout=PATIENCE)

    assert worker.returncode == 0, said
    assert store.db.rows("SELECT count(*) FROM procrastinate_jobs WHERE lock = 'sweep'")[0][0] <= 1
    assert jobs(store, "doing") == jobs(store, "failed") == []


def test_a_worker_waits_for_a_database_that_is_gone_and_says_so_once(tmp_path: Path, sink: Sink) -> None:
    from tests.store.pgserver import Server

    own = Server()
    try:
        store = PostgresStore.make(own.database())
        write_settings(store, smtp={"server": "127.0.0.1", "port": sink.port, "security": "none"})
        with (tmp_path / "said").open("w+", encoding="utf-8") as said:
            worker = start(store, said=said)
            until(lambda: bool(store.db.rows("SELECT worked FROM pbem_home")[0][0]))
            own.kill()
            until(lambda: "is waited for" in (tmp_path / "said").read_text())
            own.start()
            a_dealt_game(store, tmp_path)
            until(lambda: len(sink.mails) == 2)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(PATIENCE) == 0
        told = (tmp_path / "said").read_text()
    finally:
        own.close()

    assert told.count("is waited for") == 1
    assert "Traceback" not in told


# --- a home of an older format


def test_a_home_of_the_first_format_is_brought_up(capsys: pytest.CaptureFixture[str]) -> None:
    url = server().database()
    dump = Path(__file__).parents[1] / "saves" / "database-1.sql"
    acts = "host+m_abcdefghijklmnop@pbem.test"
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(dump.read_bytes())
        line.execute(
            "INSERT INTO intake (key, source, received, envelope_from, recipient, sha256, message_id, raw, "
            "state, verdict, rule, game, seat, receipt) "
            "VALUES ('k', 'lmtp', '', '', %s, '', '', '', 'done', 'acts', 'acts', '', '', 0)",
            [acts],
        )
    assert run_command(["status", "--home", url]) == 1
    assert "pbem home upgrade" in capsys.readouterr().err

    for told in (f"of format {FORMAT}, and was of 1", f"of format {FORMAT}."):
        assert run_command(["home", "upgrade", "--home", url]) == 0
        assert told in capsys.readouterr().out

    store = PostgresStore(url)
    assert Home(store).games() == ["rose-1"]
    assert run_command(["verify", "rose-1", "--home", url]) == 0
    assert [one.recipient for one in store.db.mails_to_acts()] == [seal_address(acts)] != [acts]
    assert (len(store.db.acts("rose-1")), store.turns("rose-1")) == (1, [0, 1])
    store.db.begin_work()
    store.db.defer(Job("look", "games", {"game": "rose-1"}))
    assert kinds(store) == ["look"]


def test_in_a_home_that_was_closed_a_worker_does_nothing_until_it_is_opened_again(
    host: Host, store: PostgresStore, shift: JobRunner, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_home(host.home, "it moved", NOW)
    with pytest.raises(HomeClosed, match="was closed"):
        work(store)
    with monkeypatch.context() as patched:
        patched.setattr(worker, "_begin", lambda store: store.db.begin_work())  # one that had begun before
        said = work(store)
    assert (said, sink.mails, list(sent(store))) == ([], [], [])

    reopen(host.home)
    shift.sweep()
    work(store)

    assert [one.recipient for one in sink.mails] == [ANN, BOB]
