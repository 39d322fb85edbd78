"""What can be read of a damaged journal is taken over into a new one, whole or not at all."""

from __future__ import annotations

import datetime
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.store.journal import COLUMNS
from pbem.store.records import Act, Note
from tests.facts import tells
from tests.homes import NOW, a_home, came_in, top

PAGE = 4096
GAMES = 60


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home whose journal has acts and mails over many pages, and lies in one file."""
    made = a_home(tmp_path)
    with made.journal() as db:
        for number in range(GAMES):
            game = f"game-{number:02d}"
            db.write(
                [Act(NOW.isoformat(), "moderator", game, "pause", "tea " * 99, 1), Note(game, "paused", "1")]
            )
            taken = came_in(db, game, NOW + datetime.timedelta(minutes=number), "ann@example.test")
            assert taken == number + 1
        db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return made


def rows(home: Home) -> dict[str, list[object]]:
    with home.journal() as db:
        found: dict[str, list[object]] = {
            table: [*db.rows(f"SELECT {names} FROM {table}")] for table, names in COLUMNS.items()
        }
    return found


def pages_of(path: Path, table: str, kind: int = 5) -> list[int]:
    """Return the leaves in which a table lies, in order."""
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    data = path.read_bytes()
    page = data[(root - 1) * PAGE : root * PAGE]
    assert page[0] == kind, "the table has more than one page"
    cells = [int.from_bytes(page[12 + 2 * n : 14 + 2 * n]) for n in range(int.from_bytes(page[3:5]))]
    return [*(int.from_bytes(page[at : at + 4]) for at in cells), int.from_bytes(page[8:12])]


def damage(home: Home, *pages: int) -> Path:
    """Write over pages of the journal, and move it away."""
    found, away = top(home) / "mail" / "mail.db", top(home) / "damaged.db"
    data = bytearray(found.read_bytes())
    for page in pages:
        data[(page - 1) * PAGE : page * PAGE] = b"x" * PAGE
    away.write_bytes(data)
    for path in found.parent.glob("mail.db*"):
        path.unlink()
    return away


def salvaged(home: Home, damaged: Path) -> int:
    return run_command(["home", "salvage", str(damaged), "--home", str(top(home))])


@pytest.mark.parametrize("head", [b"", b"some other program wrote here"], ids=["sound", "without its head"])
def test_a_journal_that_is_sound_or_whose_first_bytes_were_written_over_is_taken_over_whole(
    home: Home, capsys: pytest.CaptureFixture[str], head: bytes
) -> None:
    before, damaged = rows(home), damage(home)
    damaged.write_bytes(head + damaged.read_bytes()[len(head) :])

    assert salvaged(home, damaged) == 0

    assert rows(home) == before
    assert tells(capsys.readouterr().out, 3 * GAMES)


def test_of_a_table_that_is_damaged_in_its_middle_both_ends_are_there_again(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows(home)
    leaves = pages_of(top(home) / "mail" / "mail.db", "acts")
    damaged = damage(home, leaves[len(leaves) // 2])
    as_it_was = damaged.read_bytes()

    assert salvaged(home, damaged) == 0

    after = rows(home)
    lost = [row for row in before["acts"] if row not in after["acts"]]
    assert 0 < len(lost) < GAMES // 2
    assert (after["acts"][0], after["acts"][-1]) == (before["acts"][0], before["acts"][-1])
    assert {**after, "acts": []} == {**before, "acts": []}
    assert f"Lost of acts: {len(lost)} rows (" in capsys.readouterr().out
    assert damaged.read_bytes() == as_it_was


def cut(home: Home, size: float) -> Path:
    """Cut the journal off after a part of it, as a full disk or a copy that broke off does."""
    away = damage(home)
    away.write_bytes(away.read_bytes()[: int(away.stat().st_size * size)])
    return away


@pytest.mark.parametrize("size", [0.9, 0.6, 0.4])
def test_of_a_journal_that_was_cut_off_all_pages_that_are_left_are_read(
    home: Home, capsys: pytest.CaptureFixture[str], size: float
) -> None:
    with home.journal() as db:
        for number in range(5 * GAMES):
            db.write([Act(NOW.isoformat(), "moderator", f"game-{number % 9}", "pause", "tea " * 99, 1)])
        db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    before = rows(home)
    damaged = cut(home, size)

    assert salvaged(home, damaged) == 0

    after = rows(home)
    assert all(row in before[table] for table, kept in after.items() for row in kept)
    found, told = sum(map(len, after.values())), capsys.readouterr().out
    assert found > 0.5 * size * sum(map(len, before.values()))
    assert tells(told, found)
    lost = len(before["acts"]) - len(after["acts"])
    assert f"Lost of acts: {lost} rows ({len(after['acts']) + 1} to {len(before['acts'])})." in told


def test_between_two_damaged_pages_the_rows_are_there_again_one_by_one(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows(home)
    leaves = pages_of(top(home) / "mail" / "mail.db", "acts")

    assert salvaged(home, damage(home, leaves[1], leaves[-2])) == 0

    after, gone = rows(home), list[int]()
    for row in before["acts"]:
        if row not in after["acts"] and isinstance(row, tuple):
            gone.append(row[0])
    assert 0 < len(gone) < GAMES // 2
    first = gone[: next(n for n in range(1, len(gone)) if gone[n] > gone[n - 1] + 1)]
    assert f"Lost of acts: {len(gone)} rows ({first[0]} to {first[-1]}, " in capsys.readouterr().out


def test_notes_of_other_games_are_read_around_a_damaged_page(home: Home) -> None:
    with home.journal() as db:
        for number in range(GAMES):
            db.write([Note(f"game-{number:02d}", f"held:{seat}", '"a quarrel"' * 9) for seat in range(9)])
        db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    for number in range(GAMES):
        (top(home) / "games" / f"game-{number:02d}").mkdir()
    before = rows(home)
    leaves = pages_of(top(home) / "mail" / "mail.db", "game_notes", kind=2)

    assert salvaged(home, damage(home, leaves[1], leaves[-2])) == 0

    after = rows(home)["game_notes"]
    assert len(after) > len(before["game_notes"]) * (len(leaves) - 3) / len(leaves)


def test_a_number_that_a_mail_had_is_never_given_to_another(home: Home) -> None:
    leaves = pages_of(top(home) / "mail" / "mail.db", "intake")

    assert salvaged(home, damage(home, leaves[-1])) == 0

    with home.journal() as db:
        assert db.arrived() < GAMES
        taken = came_in(db, "new", NOW)
    assert taken > GAMES


def test_a_journal_that_an_older_pbem_wrote_is_read_as_far_as_it_goes(home: Home) -> None:
    before = rows(home)
    with home.journal() as db:
        for table in ("acts", "tellings"):
            db.run(f"ALTER TABLE {table} DROP COLUMN facts")
    away = damage(home)

    salvaged(home, away)

    assert rows(home) == before


def test_what_cannot_be_read_at_all_is_told_and_changes_nothing(home: Home) -> None:
    assert salvaged(home, damage(home, 1)) == 1

    assert not any(rows(home).values())


def test_a_journal_with_something_in_it_is_never_written_over(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = damage(home)
    with home.journal() as db:
        db.write([Note("tea", "paused", "2")])
    before = rows(home)

    assert salvaged(home, damaged) == 1

    assert tells(capsys.readouterr().err, "mail/mail.db")
    assert rows(home) == before
