"""What a change leaves for workers: in its own transaction, once, and only where there are workers."""

from __future__ import annotations

import datetime
from pathlib import Path

import psycopg
import pytest

from pbem.cli.moderation.mailed import MailedCommands
from pbem.store.errors import GateClosedError, JournalRefused
from pbem.store.mailout import OutboundMail
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import Act, Note, look_job, process_job, send_job, wake_job
from pbem.work import JobRunner
from tests.homes import NOW
from tests.store.pgserver import server
from tests.work.homes import a_dealt_game, database, jobs, kinds, write_settings

pytestmark = pytest.mark.postgres

GAME = "games/rose-1"
FILES = {"turns/0000/turn.json": b"{}", "secret.json": b"s"}


@pytest.fixture
def store() -> PostgresStore:
    found = database()
    found.db.begin_work()
    return found


def a_mail(name: str = "a", to: str = "ann@example.test") -> OutboundMail:
    return OutboundMail(
        "rose-1", 1, "red", "report", 0, to, "host@pbem.test", f"<{name}@x>", b"Subject: x\r\n\r\n"
    )


def arrive(store: PostgresStore, key: str, to: str = "host+rose-1.token@pbem.test") -> None:
    store.db.take_in(
        key=key,
        source="lmtp",
        received=NOW,
        envelope_from="ann@example.test",
        recipient=to,
        sha256="0" * 64,
        raw="raw/x.eml",
    )


def test_each_change_leaves_the_jobs_that_follow_it_where_there_are_workers(store: PostgresStore) -> None:
    without = database()
    without.found("rose-1", FILES)
    without.db.put(a_mail(), NOW)
    arrive(without, "a")
    assert jobs(without) == []
    store.found("rose-1", FILES)
    assert kinds(store) == ["look", "report", "archive"]
    arrive(store, "a")
    store.db.put(a_mail(), NOW)
    with store.held(GAME):
        store.commit("rose-1", 1, {"turn.json": b"{}"})
        store.lodge("orders/rose-1/red.yaml", b"x")
    store.note([Note("rose-1", "held:red", "why")])

    assert jobs(store)[3:] == [
        ("process", {"number": 1}),
        ("send", {"number": 1, "domain": "example.test", "has_turn": False}),
    ]


def test_pages_are_written_anew_after_a_public_act_and_no_other(store: PostgresStore) -> None:
    """An archive that shows when orders are due would else show a deadline that was moved."""
    store.note([Act("2026-11-21T20:00:00", "moderator", "rose-1", "away", "red is away", 0)])
    assert kinds(store) == []

    store.note([Act("2026-11-21T20:00:00", "moderator", "rose-1", "extend", "orders are now due later", 1)])
    assert kinds(store) == ["archive"]


def test_a_job_is_there_with_its_change_or_not_at_all(store: PostgresStore) -> None:
    other = PostgresStore(store.url)
    with pytest.raises(ZeroDivisionError), store.db.writing():
        store.db.put(a_mail("lost"), NOW)
        store.db.put(a_mail("lost too"), NOW)
        assert jobs(other) == []
        raise ZeroDivisionError

    assert (jobs(store), store.db.waiting()) == ([], 0)


def test_a_job_that_waits_is_not_added_twice_and_keeps_waiting_for_the_change(store: PostgresStore) -> None:
    """A worker that took it before the change is committed would not see the change."""
    other = PostgresStore(store.url)
    store.found("rose-1", FILES)
    sql = "SELECT id FROM procrastinate_jobs WHERE task_name = 'look' FOR UPDATE SKIP LOCKED"
    with store.db.writing():
        store.lodge("orders/rose-1/red.yaml", b"x")
        assert other.db.rows(sql) == []

    assert len(other.db.rows(sql)) == 1


def test_a_game_that_rests_is_looked_at_at_its_moment_and_the_moment_moves(store: PostgresStore) -> None:
    """Its job is planned shortly before, and only then: a million planned jobs would slow down all others."""
    store.found("rose-1", FILES)
    sql = "SELECT scheduled_at FROM procrastinate_jobs WHERE task_name = 'wake'"
    for seconds, planned in ((3600, []), (100, [100]), (40, [40])):
        moment = NOW + datetime.timedelta(seconds=seconds)
        store.let_rest("rose-1", store.seen("rose-1"), moment)
        JobRunner(store, lambda: NOW, print, MailedCommands()).sweep()

        assert store.db.rows(sql) == [(NOW + datetime.timedelta(seconds=one),) for one in planned]


def test_no_job_holds_a_secret() -> None:
    """Who reads the jobs must not learn the token of a seat, nor anybody's address."""
    found = [
        process_job(1, "host+rose-1.k3v9qq7t@pbem.test", "ann@example.test"),
        send_job(1, "ann@example.test", NOW),
        look_job("rose-1"),
        wake_job("rose-1", NOW),
    ]

    assert "k3v9qq7t" not in str(found)
    assert "ann" not in str(found)


def test_mails_of_one_seat_are_processed_in_order_whatever_address_they_are_to() -> None:
    orders, press = (
        process_job(1, f"host+{to}.k3v9qq7t@pbem.test", "ann@example.test").lock
        for to in ("rose-1", "rose-1-press")
    )

    assert orders == press
    assert orders != process_job(2, "host+rose-1.other@pbem.test", "ann@example.test").lock
    plain = process_job(1, "host@pbem.test", "ann@example.test").lock
    assert plain == process_job(2, "host@pbem.test", "Ann@example.test").lock
    assert plain != process_job(3, "host@pbem.test", "bob@example.test").lock


def test_mails_to_a_domain_go_out_at_its_pace(store: PostgresStore) -> None:
    pause = datetime.timedelta(seconds=2)

    turns = [store.db.turn_of("example.test", NOW, pause) for _ in range(3)]
    other = store.db.turn_of("another.test", NOW, pause)
    later = store.db.turn_of("example.test", NOW + 10 * pause, pause)

    assert turns == [NOW, NOW + pause, NOW + 2 * pause]
    assert (other, later) == (NOW, NOW + 10 * pause)


# --- who has lost the connection has lost the game


def backends(store: PostgresStore) -> None:
    """Cut all connections to the database but our own, as a network does."""
    with psycopg.connect(store.url, autocommit=True) as line:
        line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_who_has_lost_the_connection_can_change_a_game_no_more(tmp_path: Path) -> None:
    store = database()
    write_settings(store)
    a_dealt_game(store, tmp_path)
    other = PostgresStore(store.url)

    with store.held(GAME):
        backends(store)
        with other.held(GAME):
            with pytest.raises(JournalRefused):
                store.lodge("orders/rose-1/red.yaml", b"too late")
            with pytest.raises(JournalRefused, match="connection to the database was lost"):
                store.commit("rose-1", 2, {"turn.json": b"{}"})
            other.lodge("orders/rose-1/red.yaml", b"in time")

    assert store.read("orders/rose-1/red.yaml") == b"in time"
    assert store.turns("rose-1") == [0, 1]
    with store.held(GAME), pytest.raises(GateClosedError), other.held(GAME):
        pass


def test_a_connection_that_was_lost_while_nobody_asked_is_made_again() -> None:
    store = database()
    store.found("rose-1", FILES)
    backends(store)
    assert store.games() == ["rose-1"]
    backends(store)
    with store.held(GAME):
        store.lodge("orders/rose-1/red.yaml", b"x")
    backends(store)
    store.note([Note("rose-1", "held:red", "why")])

    assert store.db.note("rose-1", "held:red") == "why"


def test_a_database_that_is_gone_is_told_in_one_line() -> None:
    store = PostgresStore(f"postgresql://pbem:secret@127.0.0.1:1/{server().port}")

    with pytest.raises(JournalRefused) as gone:
        store.games()

    assert "secret" not in str(gone.value)
    assert "server running?" in str(gone.value)
