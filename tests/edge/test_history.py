"""What plots draw is kept from turn to turn, and comes from what is public alone."""

from __future__ import annotations

import json

from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR
from tests.homes import NOW, first_choice, folder_of, game_folder, send, turn_folder


def history(home: Home, reader: str = SPECTATOR) -> Json:
    """Return the history in a reader's newest report."""
    saved = SavedGame(home, "rose-1")
    report = turn_folder(folder_of(saved), saved.turn) / "reports" / reader / "report.json"
    found: Json = json.loads(report.read_text(encoding="utf-8"))["history"]
    return found


def play(home: Home, turns: int) -> None:
    """Play so many turns of whoever is asked."""
    for _ in range(turns):
        saved = SavedGame(home, "rose-1")
        (seat,) = saved.ask.seats  # type: ignore[union-attr]
        send(home, "rose-1", seat, [{"do": first_choice(saved, seat)}])
        run(home, "rose-1", now=NOW)


def turns(home: Home) -> Json:
    """Return the turns of the newest history."""
    found = history(home)
    assert isinstance(found, dict)
    return found["turns"]


def test_a_history_goes_on_from_turn_to_turn_and_is_the_same_for_all(home: Home) -> None:
    play(home, 2)

    grown = history(home)

    assert isinstance(grown, dict)
    assert grown["turns"] == [1, 2, 3]
    assert grown["plots"] == {
        "Points": {"red": [0, *points(home, "red")], "white": [0, *points(home, "white")]},
        "Heroes left": {"red": [4, 4, 4], "white": [4, 4, 4]},
    }
    assert history(home, "red") == history(home, "white") == grown


def points(home: Home, seat: str) -> list[int]:
    """Return the points of a seat after the turns that were played."""
    folder = game_folder(home, "rose-1")
    reports = (turn_folder(folder, turn) / "reports" / SPECTATOR / "report.json" for turn in (2, 3))
    return [json.loads(path.read_text(encoding="utf-8"))["view"][seat]["points"] for path in reports]
