"""In a game without keys, a new player has another form; rows `former_players` of the evenings have more."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.host.people.seats import replace_player
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from tests.homes import NOW, a_game, a_home, top

GAME, RED = "rose-1", Seat("red")


def filled(home: Home, capsys: pytest.CaptureFixture[str], place: Path) -> Path:
    """Print a form of red's, fill it in, and write it to a file."""
    capsys.readouterr()
    assert run_command(["form", GAME, "red", "--suggest", "greedy", "--home", str(top(home))]) == 0
    place.write_text(capsys.readouterr().out, encoding="utf-8")
    return place


def test_the_whole_folder_of_reports_has_the_new_players_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    old = filled(home, capsys, tmp_path / "ann.yaml").read_text().splitlines()[0]
    replace_player(home, GAME, RED, Person("Dora"), NOW)
    new = filled(home, capsys, tmp_path / "dora.yaml").read_text().splitlines()[0]

    assert run_command(["report", GAME, "--all", str(tmp_path / "out"), "--home", str(top(home))]) == 0

    assert (tmp_path / "out/red/orders.yaml").read_text().splitlines()[0] == new != old
    page = (tmp_path / "out/red/orders.html").read_text()
    assert new in page and old not in page
