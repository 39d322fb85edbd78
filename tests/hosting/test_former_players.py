"""In a game without keys, a form of a player who has left is not taken for the present one's."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.people.seats import replace_player
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, top

GAME, RED = "rose-1", Seat("red")


def filled(home: Home, capsys: pytest.CaptureFixture[str], place: Path) -> Path:
    """Print a form of red's, fill it in, and write it to a file."""
    capsys.readouterr()
    assert run_command(["form", GAME, "red", "--suggest", "greedy", "--home", str(top(home))]) == 0
    place.write_text(capsys.readouterr().out, encoding="utf-8")
    return place


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a game of Ann, who is red, and Bob."""
    made = a_home(tmp_path)
    a_game(made)
    return made


@pytest.fixture
def anns(home: Home, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """Return the form of red's that Ann has filled in."""
    return filled(home, capsys, tmp_path / "ann.yaml")


def submit(home: Home, file: Path, *more: str) -> int:
    return run_command(["submit", str(file), *more, "--home", str(top(home))])


def test_a_form_that_was_made_for_the_player_before_is_refused_and_the_new_ones_counts(
    home: Home, anns: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_player(home, GAME, RED, Person("Dora"), NOW)

    assert submit(home, anns) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert tells(told, "ann.yaml:1:1", "Ann", "Dora", "red")
    assert "Print Dora's form: pbem form rose-1 red" in told
    assert not (top(home) / "orders" / GAME / "red.yaml").exists()
    assert run_command(["check", str(anns), "--home", str(top(home))]) == 1

    assert submit(home, filled(home, capsys, tmp_path / "dora.yaml")) == 0
    assert run(home, GAME, now=NOW).turn == 2
    anns.write_text(anns.read_text().replace("at: red-1", "at: red-2"))
    capsys.readouterr()
    assert submit(home, anns) == 1
    assert tells(capsys.readouterr().out, "Ann"), "a form of an older turn is known too"


def test_the_whole_folder_of_reports_has_the_new_players_form(
    home: Home, anns: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = anns.read_text().splitlines()[0]
    replace_player(home, GAME, RED, Person("Dora"), NOW)
    new = filled(home, capsys, tmp_path / "dora.yaml").read_text().splitlines()[0]

    assert run_command(["report", GAME, "--all", str(tmp_path / "out"), "--home", str(top(home))]) == 0

    assert (tmp_path / "out/red/orders.yaml").read_text().splitlines()[0] == new != old
    page = (tmp_path / "out/red/orders.html").read_text()
    assert new in page and old not in page


def test_a_name_that_was_mended_by_hand_is_one_persons_once_a_command_says_so(
    home: Home, anns: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = top(home) / "games" / GAME / "game.yaml"
    file.write_text(file.read_text().replace("player: Ann", "player: Anne"))
    command = f"pbem seat {GAME} red --name Anne"
    assert command in dict(status_of(home, GAME).rows())["by hand"]
    assert submit(home, anns) == 1
    capsys.readouterr()

    assert run_command([*command.split()[1:], "--home", str(top(home))]) == 0

    assert tells(capsys.readouterr().out, "Anne", "rose-1", "Ann")
    assert "by hand" not in dict(status_of(home, GAME).rows())
    assert submit(home, anns) == 0
    assert dict(status_of(home, GAME).rows())["orders"] == "red (Anne)"
    assert run_command([*command.split()[1:], "--home", str(top(home))]) == 1
