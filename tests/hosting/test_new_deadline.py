"""However often a deadline is moved before a mail goes out, each player is told once, with the last one."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.host.time.extensions import extend
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import copy_home
from pbem.store.opening import make_store, open_store
from tests.facts import each_tells
from tests.hosting.games import DAY, FRIDAY, GAME, MADE, MINUTE, TUESDAY, a_club
from tests.mail.homes import letters_written
from tests.mail.host import read, text_of
from tests.store.pgserver import server

Moment = datetime.datetime
Kept = Callable[[Path], Home]

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
