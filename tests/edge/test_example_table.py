"""The file of players that a host fills in makes a game as it stands, and with each line that it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.config.registry import installed
from pbem.play.homes.saved import SavedGame
from tests.facts import tells
from tests.homes import a_home, top

CASES = [(one.name, count) for one in installed() if one.system is not None for count in one.system.seats]


@pytest.mark.parametrize(("rules", "seats"), CASES)
def test_a_file_of_players_makes_a_game_as_it_stands_and_with_all_that_it_offers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, seats: int
) -> None:
    home = a_home(tmp_path)
    assert run_command(["new", rules, "--example", "--seats", str(seats)]) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    end = max(number for number, line in enumerate(lines, 1) if not line.startswith("#"))
    offered = [line.removeprefix("# ") for line in lines[end + 1 :]]  # below a line that says what they are
    whole = "\n".join([*lines[:end], *offered, ""])
    assert len(offered) >= 5

    for game, table in (("plain", text), ("whole", whole)):
        file = tmp_path / f"{game}.yaml"
        file.write_text(table, encoding="utf-8")
        words = ["new", rules, game, "--players", str(file), "--home", str(top(home))]
        assert run_command(words) == 0, capsys.readouterr().err
        assert len(SavedGame(home, game).table.addresses) == seats
    whole_game = SavedGame(home, "whole").table
    assert whole_game.key
    assert whole_game.deadline


def test_a_deadline_that_has_passed_when_a_game_is_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    seats = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"
    words = ["--players", str(file), "--home", str(top(home)), "--now", "2026-11-20T12:00:00+01:00"]

    for game, year in (("last", 2025), ("this", 2026)):
        file.write_text(f"{seats}deadline: {year}-12-01T20:00:00+01:00\n", encoding="utf-8")
        assert run_command(["new", "rose-king", game, *words]) == 0
        told = "Monday 01 December 2025, 20:00 UTC+01:00"
        assert (told in capsys.readouterr().err) == (game == "last")


@pytest.mark.parametrize(
    "written",
    ["deadline: Friday 20:00  # as the club has it", 'deadline: "27 Nov 8pm"', "deadline: 2026-11-27 20:00"],
)
def test_a_deadline_in_words_is_told_and_written_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    (top(home) / "home.yaml").write_text("zone: Europe/Helsinki\n", encoding="utf-8")
    file.write_text(
        f"{written}\nseats:\n  red: {{player: Ann}}\n  white: {{player: Bob}}\n", encoding="utf-8"
    )
    words = ["--players", str(file), "--home", str(top(home)), "--now", "2026-11-20T23:00:00+00:00"]

    assert run_command(["new", "rose-king", "tea", *words]) == 0

    assert tells(capsys.readouterr().out, "Friday 27 November 2026, 20:00 EET")
    kept = (top(home) / "games/tea/game.yaml").read_text(encoding="utf-8")
    assert "deadline: 2026-11-27T20:00:00+02:00" in kept
    assert ("# as the club has it" in kept) == ("club" in written)


def test_a_deadline_that_cannot_be_read_is_told_where_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    file.write_text("seats:\n  red: {player: A}\n  white: {player: B}\ndeadline: soon\n", encoding="utf-8")

    assert run_command(["new", "rose-king", "tea", "--players", str(file), "--home", str(top(home))]) == 1

    assert tells(capsys.readouterr().err, "players.yaml:4:11")
    assert not home.has("tea")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "deadline: 2026-12-01T20:00:00+01:00\n",
            ("Tuesday 01 December 2026, 20:00 UTC+01:00",),
        ),
        (
            'schedule: {days: [tue], at: "20:00"}\n',
            ("Tuesday 24 November 2026, 20:00 UTC",),
        ),
    ],
)
def test_a_new_game_tells_which_of_its_turns_have_a_deadline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, told: tuple[str, ...]
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    file.write_text(f"seats:\n  red: {{player: Ann}}\n  white: {{player: Bob}}\n{more}", encoding="utf-8")

    words = ["--players", str(file), "--home", str(top(home)), "--now", "2026-11-20T12:00:00+01:00"]
    assert run_command(["new", "rose-king", "rose-1", *words]) == 0

    assert tells(" ".join(capsys.readouterr().out.split()), *told)


def test_without_a_file_the_way_to_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["new", "rose-king"], ["new", "rose-king", "roses"]):
        assert run_command(words) == 2
        assert "pbem new rose-king --example > players.yaml" in " ".join(capsys.readouterr().err.split())
    assert run_command(["new", "rose-king", "--example", "--seats", "3"]) == 2
    assert tells(capsys.readouterr().err, "3")
    assert run_command(["new", "rose-king", "roses", "--players", "x.yaml", "--seats", "2"]) == 2


def test_a_new_home_tells_the_next_steps_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "home"

    assert run_command(["init", str(folder)]) == 0

    told = capsys.readouterr().out
    steps = [told.index(one) for one in (str(folder), "--example > players.yaml", f"--home {folder}")]
    assert steps == sorted(steps)
