"""What an older version noted in the journal of a home, or did not write into its files, still counts."""

from __future__ import annotations

import json
from pathlib import Path

from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.people.names import rename_player
from pbem.host.people.votes import vote
from pbem.host.run.batch import run
from pbem.host.run.notes import PAUSED, Pause
from pbem.host.run.undo import bring_back, cancel
from pbem.host.time.pausing import resume
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.tenures import TENURES
from pbem.store.records import Note, iso
from tests.homes import game_folder
from tests.hosting.games import GAME, HOUR, MADE, TUESDAY, a_club, noted, stay
from tests.mail.test_mending import secrets

ONE = Seat("1")


def test_a_pause_still_holds(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    home.store.note([Note(GAME, PAUSED, f'["{iso(MADE)}", "holidays"]')])

    assert noted(home).paused == Pause(MADE, "holidays")
    assert resume(home, GAME, MADE + HOUR) == TUESDAY + HOUR


def test_a_pause_that_votes_carry_comes_with_the_next_vote(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    home.store.note([Note(GAME, f"vote:1:pause:{seat}", "yes") for seat in "12"])
    assert noted(home).rest_at(MADE + HOUR) is None

    vote(home, GAME, ONE, "pause", MADE)

    assert noted(home).rest_at(MADE + HOUR) is not None


def test_a_game_is_ended_by_the_note_alone(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2", "3")
    cancel(home, GAME, "too few players are left.", MADE + HOUR)
    (game_folder(home, GAME) / "cancelled.json").unlink()

    assert status_of(home, GAME, MADE + 2 * HOUR).ended == "too few players are left"
    bring_back(home, GAME, MADE + 2 * HOUR)
    assert run(home, GAME, now=MADE + 3 * HOUR).turn == 2


def test_names_of_a_seat_are_those_of_one_player(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    before = secrets(home, ONE)
    rename_player(home, GAME, ONE, "Anna", MADE)
    home.store.note([Note(GAME, TENURES, None), Note(GAME, "names:1", json.dumps(["Ann", "Anna"]))])
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)

    assert [one.names for one in SavedGame(home, GAME).tenures.of(ONE)] == [("Ann", "Anna")]
    assert secrets(home, ONE) == before
