"""The database: every mail once, in order of arrival, and every change whole or not at all."""

from __future__ import annotations

import datetime
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from pbem.play.homes.home import Home
from pbem.store.connection import OpenDatabase
from pbem.store.errors import JournalRefused, WrongInput
from pbem.store.journal import Journal
from pbem.store.records import Act, iso
from pbem.store.salvage import salvage
from tests.homes import NOW, a_home, top

LATER = NOW + datetime.timedelta(minutes=5)


def arrive(db: Journal, key: str) -> int | None:
    return db.take_in(
        key=key,
        source="spool",
        received=NOW,
        envelope_from="ann@example.test",
        recipient="host@pbem.test",
        sha256="0" * 64,
        raw="raw/x.eml",
    )


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        arrive(db, "a")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (top(home) / "mail").iterdir()}

    assert {"mail.db", "mail.db-wal"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((top(home) / "mail").stat().st_mode) == 0o700


def test_it_is_durable_when_a_change_returns(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        assert db.rows("PRAGMA journal_mode") == [("wal",)]
        assert db.rows("PRAGMA synchronous") == [(2,)]


def test_moments_sort_as_texts_in_any_zone(tmp_path: Path) -> None:
    east = datetime.timezone(datetime.timedelta(hours=5))
    moments = [NOW, NOW.replace(microsecond=5).astimezone(east), LATER, NOW.replace(year=2025)]

    assert [iso(one) for one in sorted(moments)] == sorted(iso(one) for one in moments)


@pytest.mark.parametrize("meets", [lambda db: db.acts("g-1"), OpenDatabase.check_whole])
def test_nothing_more_is_written_into_a_database_in_which_damage_was_met(
    tmp_path: Path, meets: Callable[[Journal], object]
) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        db.set_note("g-1", "paused", "[]")
        db.act(Act(iso(NOW), "moderator", "g-1", "hold", "a quiet word", 0))
        page = db.rows("SELECT rootpage FROM sqlite_master WHERE name = 'acts'")[0][0]
        db.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    file = top(home) / "mail/mail.db"
    with file.open("r+b") as written:
        written.seek((page - 1) * 4096)
        written.write(b"something else" * 200)

    with home.journal() as db:  # most of it can be read and written still
        assert db.note("g-1", "paused") == "[]"
        with pytest.raises(JournalRefused, match="is damaged"), db.writing():
            meets(db)
        with pytest.raises(JournalRefused), home.journal():
            pass
    with pytest.raises(JournalRefused), home.journal():
        pass
    file.rename(tmp_path / "damaged.db")
    salvage(home.store, tmp_path / "damaged.db")

    with home.journal() as db:
        assert db.note("g-1", "paused") == "[]"


def test_a_database_of_a_newer_pbem_is_left_alone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        db.run("PRAGMA user_version = 99")

    with pytest.raises(WrongInput), home.journal():
        pass


def test_the_mails_of_a_bounce_are_found_without_reading_all_others(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        plan = db.rows("EXPLAIN QUERY PLAN SELECT 1 FROM outbox WHERE lower(envelope_from) = lower(?)", "a@b")

    assert "USING INDEX outbox_sender" in str(plan) or "COVERING INDEX outbox_sender" in str(plan)


def test_two_that_open_a_new_one_at_once_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_home(tmp_path)
    opened: list[str] = []

    class Meddled(sqlite3.Connection):
        """Somebody else makes the tables between a look at the format and the first change."""

        def execute(self, sql: str, values: object = (), /) -> sqlite3.Cursor:
            if sql == "BEGIN IMMEDIATE" and not opened:
                opened.append(sql)
                _make(home)
            return super().execute(sql, values)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.store.connection.Connection", Meddled)
    with home.journal() as db:
        assert arrive(db, "a") == 2
    assert opened


def _make(home: Home) -> None:
    with home.journal() as other:
        arrive(other, "of the other")


def test_damage_that_shows_while_it_is_read_is_told_and_a_wrong_statement_is_a_fault(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        with pytest.raises(sqlite3.IntegrityError):
            db.run("INSERT INTO game_notes VALUES ('rose-1', 'a', NULL)")
        with mock.patch.object(db, "connection", _Damaged(db.connection)):
            with pytest.raises(JournalRefused, match="malformed"):
                db.rows("SELECT 1")
            with pytest.raises(JournalRefused, match="malformed"):
                db.run("SELECT 1")


class _Damaged:
    """A connection to a database in which a page is damaged."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real

    def execute(self, sql: str, values: object = ()) -> sqlite3.Cursor:
        if sql == "SELECT 1":
            raise sqlite3.DatabaseError("database disk image is malformed")
        return self.real.execute(sql)
