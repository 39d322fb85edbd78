"""A game that its moderator ended: nothing goes on, all are told why, and it can be brought back."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.host.run.undo import bring_back, cancel
from pbem.host.time.deadlines import deadline_in_force
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import checked, lodge
from tests.edge.test_archive import pages
from tests.facts import tells
from tests.homes import orders_text, top
from tests.hosting.games import (
    DAY,
    GAME,
    HOUR,
    MADE,
    TUESDAY,
    a_club,
    night,
    noted,
    pbem,
    stay,
)

WHY = "too few players are left"
ORDERS = orders_text(GAME, "1", [{"at": "turn-1", "do": {"move": "stay"}}]).encode()


def an_ended_club(tmp_path: Path, *, by_mail: bool = False) -> Home:
    """Return a club that was ended though all have answered."""
    home = a_club(tmp_path, by_mail=by_mail)
    stay(home, "1", "2", "3")
    cancel(home, GAME, f"{WHY}.", MADE + HOUR)
    return home


def test_orders_are_refused_with_the_reason_and_nothing_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = an_ended_club(tmp_path)
    (top(home) / "mine.yaml").write_bytes(ORDERS)
    lodged = (top(home) / "orders" / GAME / "1.yaml").read_bytes()

    for found in (lodge(home, ORDERS), checked(home, ORDERS)):
        assert isinstance(found, list)
        assert tells(str(found[0]), WHY)
    assert pbem(home, "submit", str(top(home) / "mine.yaml")) == 1
    assert tells(capsys.readouterr().out)
    assert (top(home) / "orders" / GAME / "1.yaml").read_bytes() == lodged


def test_the_archive_says_so_and_keeps_what_is_secret(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    write_archive(home, tmp_path / "out")
    cancel(home, GAME, f"{WHY}, says Cleo", MADE + HOUR)

    write_archive(home, tmp_path / "out")

    shown = pages(tmp_path / "out")
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    page = (tmp_path / "out" / GAME / "index.html").read_text("utf-8")
    assert f"({WHY}, says " in page
    assert "Cleo" not in shown
    assert SavedGame(home, GAME).secret.seed.hex() not in shown
    packed = tmp_path / "out" / GAME / f"{GAME}.zip"
    found = verify_file(packed)[1]
    assert (found.turns, found.findings) == (SavedGame(home, GAME).turn + 1, ())
    bring_back(home, GAME, MADE + 2 * HOUR)
    write_archive(home, tmp_path / "out")
    assert (tmp_path / "out" / "index.html").read_text("utf-8") != index
    assert verify_file(packed)[1].notes[0] != found.notes[0]


BACK = [
    ("soon", MADE + 2 * HOUR, TUESDAY + HOUR),
    ("over the deadline", TUESDAY + DAY, TUESDAY + DAY + (TUESDAY - MADE - HOUR)),
    ("after weeks", MADE + 30 * DAY + HOUR, TUESDAY + 30 * DAY),
]


@pytest.mark.parametrize(("now", "expected"), [row[1:] for row in BACK], ids=[row[0] for row in BACK])
def test_a_game_that_is_brought_back_goes_on_with_its_orders_and_enough_time(
    tmp_path: Path, now: datetime.datetime, expected: datetime.datetime
) -> None:
    home = an_ended_club(tmp_path)

    assert bring_back(home, GAME, now) == expected

    assert deadline_in_force(SavedGame(home, GAME), noted(home)) == expected
    assert run(home, GAME, now=now + HOUR).turn == 2
    said = " ".join(report(home, GAME, "spectator").split())
    assert tells(said, WHY)
    assert verify(home, GAME).findings == ()


def test_a_game_stays_ended_where_the_journal_is_lost(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)
    for path in (top(home) / "mail").glob("mail.db*"):
        path.unlink()

    assert run(home, GAME, now=MADE + 2 * HOUR).turn is None
    assert status_of(home, GAME, MADE + 2 * HOUR).ended == WHY
    pbem(home, "announce", GAME, "Is anybody there?", now=MADE + 2 * HOUR)
    night(home, MADE + 9 * DAY)
    assert SavedGame(home, GAME).turn == 1
    assert status_of(home, GAME, MADE + 9 * DAY).ended == WHY

    bring_back(home, GAME, MADE + 9 * DAY)
    assert run(home, GAME, now=MADE + 9 * DAY + HOUR).turn == 2


def test_a_game_that_an_earlier_version_ended_is_ended_by_the_note_alone(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)
    (top(home) / "games" / GAME / "cancelled.json").unlink()

    assert status_of(home, GAME, MADE + 2 * HOUR).ended == WHY
    bring_back(home, GAME, MADE + 2 * HOUR)
    assert run(home, GAME, now=MADE + 3 * HOUR).turn == 2
