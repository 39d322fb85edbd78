"""The night job: what `pbem run --due` leaves alone and notes of itself; games that another pbem holds."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

from pbem.host.office.watch import read_beats
from pbem.host.run.notes import hold_game
from pbem.play.homes.saved import SavedGame
from tests.homes import a_game
from tests.hosting.games import GAME, HOUR, MADE, SECOND, a_club, night, pbem, queued, stay
from tests.mail.homes import TWO_BY_MAIL


def test_the_night_job_is_a_heartbeat_also_without_mail(tmp_path: Path) -> None:
    home = a_club(tmp_path)

    night(home, MADE + HOUR)

    with home.journal() as db:
        assert read_beats(db).gap_at(MADE + HOUR + SECOND) == "down"
        assert read_beats(db).stretches[-1].end == MADE + HOUR


def test_a_game_that_another_pbem_is_at_work_on_is_no_fault_and_nobody_is_mailed(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"disk": 0})
    assert night(home, MADE + HOUR) == 0
    before = [one.kind for one in queued(home)]
    stay(home, "1", "2", "3")

    with home.held(GAME), mock.patch("pbem.host.run.batch._WAIT_SECONDS", 0.01):
        assert night(home, MADE + 2 * HOUR, GAME) == 3

    assert [one.kind for one in queued(home)] == before
    assert night(home, MADE + 3 * HOUR) == 0
    assert SavedGame(home, GAME).turn == 2


def test_a_game_that_is_held_keeps_an_announcement_from_no_other_and_gets_it_later(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    a_game(home, table=TWO_BY_MAIL)

    def told() -> list[str]:
        with home.journal() as db:
            return [one.game for _, one in db.untold()]

    with mock.patch("pbem.host.run.notes.WAIT_SECONDS", 0), hold_game(home, "rose-1"):
        assert pbem(home, "announce", "--all", "Hello, all.") == 3

    assert told() == [GAME] * 3
    assert pbem(home, "announce", "rose-1", "Hello, all.") == 0
    assert told() == [GAME] * 3 + ["rose-1"] * 2
