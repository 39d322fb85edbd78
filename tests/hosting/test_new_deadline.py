"""However often a deadline is moved before a mail goes out, each player is told once, with the last one."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.host.run.undo import bring_back, cancel
from pbem.host.time.extensions import extend
from pbem.host.time.pausing import pause, resume
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.mail.outgoing import letters
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import copy_home
from pbem.store.journal import Journal
from pbem.store.mailout import Outbound
from pbem.store.opening import make_store, open_store
from pbem.store.records import Telling
from tests.facts import each_tells, tells
from tests.hosting.games import DAY, FRIDAY, GAME, MADE, MINUTE, TUESDAY, a_club
from tests.mail.homes import letters_written
from tests.mail.host import read, text_of
from tests.store.pgserver import server

Moment = datetime.datetime
Kept = Callable[[Path], Home]

WRITE = letters._letter
WEDNESDAY, THURSDAY = TUESDAY + DAY, TUESDAY + 2 * DAY


def a_folder(path: Path) -> Home:
    return a_club(path, by_mail=True)


def a_database(path: Path) -> Home:
    """Return the same home in a database."""
    url = server().database()
    make_store(url)
    home = Home(open_store(url))
    copy_home(a_club(path, by_mail=True), home)
    return home


HOMES = pytest.mark.parametrize(
    "kept", [a_folder, pytest.param(a_database, marks=pytest.mark.postgres)], ids=["folder", "database"]
)


def move(home: Home, *moments: Moment, since: Moment = MADE) -> None:
    for minutes, moment in enumerate(moments):
        extend(home, GAME, since + minutes * MINUTE, to=moment)


def told(home: Home, seat: str = "1") -> list[str]:
    """Return what a seat was mailed, the deadlines by their days."""
    letters_written(home)
    with home.journal() as db:
        found = [db.queued(row[0]) for row in db.rows("SELECT id FROM outbox ORDER BY id")]
    texts = [" ".join(text_of(read(one.raw)).split()) for one in found if one.seat == seat]
    for day in ("Tuesday 24", "Wednesday 25", "Thursday 26", "Friday 27"):
        texts = [text.replace(f"{day} November 2026, 20:00 EET (Europe/Helsinki)", day) for text in texts]
    return texts


@HOMES
def test_several_moves_before_a_mail_goes_out_are_one_mail(tmp_path: Path, kept: Kept) -> None:
    home = kept(tmp_path)

    move(home, THURSDAY, WEDNESDAY, FRIDAY)

    for seat in ("1", "2", "3"):
        assert each_tells(told(home, seat), ("turn-1", "Friday 27", "Tuesday 24"))
    move(home, WEDNESDAY, THURSDAY, since=MADE + DAY)
    assert each_tells(told(home)[1:], ("turn-1", "Thursday 26", "Friday 27"))


@HOMES
def test_a_deadline_that_ends_where_it_began_is_told_to_nobody(tmp_path: Path, kept: Kept) -> None:
    home = kept(tmp_path)

    move(home, THURSDAY, TUESDAY)
    assert told(home) == []

    move(home, WEDNESDAY, since=MADE + DAY)
    assert each_tells(told(home), ("turn-1", "Wednesday 25", "Tuesday 24"))


def test_who_was_mailed_between_is_told_of_the_way_back_and_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_folder(tmp_path)
    move(home, THURSDAY)
    with monkeypatch.context() as broken:
        broken.setattr(letters, "_letter", lambda home, db, settings, told: _only_the_first(told, home, db))
        assert len(told(home, "1")) == 1

    move(home, TUESDAY, since=MADE + DAY)

    assert each_tells(told(home, "1")[1:], ("turn-1", "Tuesday 24", "Thursday 26"))
    assert told(home, "2") == []
    move(home, FRIDAY, since=MADE + 2 * DAY)
    assert each_tells(told(home, "2"), ("turn-1", "Friday 27", "Tuesday 24"))


def _only_the_first(told: Telling, home: Home, db: Journal) -> Outbound | None:
    if told.seat != "1":
        raise OSError("no mail for the others")
    return WRITE(home, db, mail_settings(home), told)


@HOMES
def test_what_is_taken_back_while_mails_are_written_is_not_mailed(
    tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = kept(tmp_path)
    move(home, THURSDAY)

    def write(home: Home, db: Journal, settings: MailSettings, told: Telling) -> Outbound | None:
        if told.seat == "2":
            monkeypatch.undo()
            move(home, TUESDAY, since=MADE + DAY)
        return WRITE(home, db, settings, told)

    monkeypatch.setattr(letters, "_letter", write)

    assert [len(told(home, seat)) for seat in ("2", "3", "1")] == [0, 0, 2]
    assert tells(told(home)[1], "turn-1", "Tuesday 24", "Thursday 26")


@pytest.mark.parametrize("is_ended", [False, True], ids=["a pause", "an end that is taken back"])
def test_what_else_tells_a_deadline_is_what_the_next_move_goes_by(tmp_path: Path, is_ended: bool) -> None:
    home = a_folder(tmp_path)
    move(home, THURSDAY)
    if is_ended:
        cancel(home, GAME, "a quarrel", MADE + DAY)
        bring_back(home, GAME, MADE + DAY)
    else:
        pause(home, GAME, MADE + DAY)
        resume(home, GAME, MADE + DAY)

    move(home, FRIDAY, WEDNESDAY, THURSDAY, since=MADE + 2 * DAY)
    assert len(told(home)) == 3

    move(home, FRIDAY, since=MADE + 3 * DAY)
    assert each_tells(told(home)[3:], ("turn-1", "Friday 27", "Thursday 26"))
