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
from pbem.store.connection import Door
from pbem.store.errors import JournalRefused, WrongInput
from pbem.store.journal import Journal
from pbem.store.mailout import Outbound
from pbem.store.records import Act, iso
from pbem.store.salvage import salvage
from tests.homes import NOW, a_home, claim_next, top

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


def a_mail(message_id: str = "<a@pbem.test>", raw: bytes = b"Subject: x\r\n\r\n") -> Outbound:
    return Outbound("rose-1", 1, "red", "report", 0, "ann@example.test", "", message_id, raw)


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


def test_a_mail_comes_in_once_and_is_processed_in_order_of_arrival(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        numbers = [arrive(db, key) for key in ("b", "a", "b", "c")]

        assert numbers == [1, 2, None, 3]
        assert db.unread() == 3
        seen = []
        for intake in db.new():
            seen.append(intake.key)
            db.finish(intake.id, verdict="accepted", rule="orders", game="rose-1", seat="red")

        assert seen == ["b", "a", "c"]
        assert db.unread() == 0
        assert db.intake(2).moment == NOW
        assert (db.intake(2).state, db.intake(2).verdict, db.intake(2).rule) == ("done", "accepted", "orders")


def test_a_receipt_is_noted_while_the_mail_is_still_to_be_done(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        number = arrive(db, "a")
        assert number is not None

        db.note_receipt(number, "rose-1", "red", 7)

        assert [(one.receipt, one.seat, one.state) for one in db.new()] == [(7, "red", "new")]


def test_a_mail_of_the_same_message_id_is_the_same_mail(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        assert db.put(a_mail(raw=b"first"), NOW)
        assert not db.put(a_mail(raw=b"second"), NOW)

        assert [mail.raw for mail in db.outbox("queued")] == [b"first"]


def test_a_mail_is_claimed_by_one_and_only_when_it_is_due(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db, home.journal() as other:
        db.put(a_mail("<later@pbem.test>"), NOW, not_before=LATER)
        db.put(a_mail("<now@pbem.test>"), NOW)

        claimed = claim_next(db, NOW)

        assert claimed is not None
        assert (claimed.message_id, claimed.state, claimed.tries) == ("<now@pbem.test>", "claimed", 1)
        assert claim_next(other, NOW) is None
        late = claim_next(other, LATER)
        assert late is not None
        assert late.message_id == "<later@pbem.test>"


def test_what_became_of_a_mail_is_kept(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        db.put(a_mail(), NOW)
        claimed = claim_next(db, NOW)
        assert claimed is not None

        db.mark(claimed.id, "queued", NOW, why="451 busy", next_try=LATER)
        assert (db.queued(claimed.id).why, claim_next(db, NOW)) == ("451 busy", None)
        again = claim_next(db, LATER)
        assert again is not None
        assert again.tries == 2
        db.mark(claimed.id, "sent", LATER)
        db.mark(claimed.id, "bounced", LATER, why="no such user")

        kept = db.queued(claimed.id)
        assert (kept.state, kept.sent, kept.why) == ("bounced", iso(LATER), "no such user")


def test_a_change_that_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        with pytest.raises(RuntimeError), db.writing():
            db.put(a_mail(), NOW)
            db.set_note("rose-1", "epoch:red", "1")
            raise RuntimeError
        with home.journal() as other:
            assert other.outbox("queued") == []
            assert other.notes("rose-1") == {}


def test_notes_and_acts_are_kept_by_game(tmp_path: Path) -> None:
    with a_home(tmp_path).journal() as db:
        db.set_note("a", "vote:draw:red", "yes")
        db.set_note("a", "vote:draw:red", "no")
        db.set_note("a", "vote:draw:white", "yes")
        db.set_note("b", "vote:draw:red", "yes")
        db.set_note("a", "vote:draw:white", None)
        db.act(Act(iso(NOW), "moderator", "a", "hold", "a quiet word", 0))
        db.act(Act(iso(NOW), "moderator", "a", "extend", "two days", 1))

        assert db.notes("a", "vote:draw:") == {"vote:draw:red": "no"}
        assert db.note("b", "vote:draw:red") == "yes"
        assert db.note("b", "nothing") is None
        assert [act.act for act in db.acts("a")] == ["hold", "extend"]
        assert [act.act for act in db.acts("a", public=True)] == ["extend"]
        assert db.acts("b") == []


def test_moments_sort_as_texts_in_any_zone(tmp_path: Path) -> None:
    east = datetime.timezone(datetime.timedelta(hours=5))
    moments = [NOW, NOW.replace(microsecond=5).astimezone(east), LATER, NOW.replace(year=2025)]

    assert [iso(one) for one in sorted(moments)] == sorted(iso(one) for one in moments)


def test_a_damaged_database_says_where_to_go_on(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    (top(home) / "mail").mkdir()
    ((top(home) / "mail") / "mail.db").write_bytes(b"This is no database, whatever its name may say. " * 99)

    with pytest.raises(WrongInput):
        home.journal()


@pytest.mark.parametrize("meets", [lambda db: db.acts("g-1"), Door.check_whole])
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
    with pytest.raises(JournalRefused):
        home.journal()
    file.rename(tmp_path / "damaged.db")
    salvage(home.store, tmp_path / "damaged.db")

    with home.journal() as db:
        assert db.note("g-1", "paused") == "[]"


def test_a_database_of_a_newer_pbem_is_left_alone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with home.journal() as db:
        db.run("PRAGMA user_version = 99")

    with pytest.raises(WrongInput):
        home.journal()


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
