"""Making a game: what `pbem new` asks for at a terminal, the file of players, and tables of one's own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from pbem.cli import run_command
from pbem.core.opening import DealtGame
from pbem.play.config.registry import installed_rules
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import page_of_report
from tests.facts import tells
from tests.homes import TWO, a_home, folder_of, home_at, top

Typed: TypeAlias = Callable[[Sequence[str], Sequence[str]], int]


class Terminal(io.StringIO):
    """Standard input or output as of somebody at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Typed:
    """Return what gives a command at a terminal, with answers, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def give(words: Sequence[str], answers: Sequence[str]) -> int:
        monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{one}\n" for one in answers)))
        return run_command([*words])

    return give


def test_answers_make_a_file_of_players_and_a_game(
    tmp_path: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    answers = ["rose-king", "tea", "Ann", "ann@example.org", "", "tue, fri", "19:30", "Europe/Helsinki"]

    assert typed(["new", "--home", str(top(home))], [*answers, "hold", "y", "26", "y"]) == 0

    told, asked = capsys.readouterr()
    text = (tmp_path / "tea-players.yaml").read_text(encoding="utf-8")
    assert text == (
        "# Who plays rose-king.\n"
        "seats:\n"
        "  red: {player: Ann, address: ann@example.org}\n"
        "  white: {bot: greedy}\n"
        "silent: hold\n"
        'schedule: {days: [tue, fri], at: "19:30", zone: Europe/Helsinki}\n'
    )
    assert text in told.lstrip()
    assert "tea-players.yaml" in asked
    saved = SavedGame(home, "tea")
    assert saved.table.addresses == {"red": "ann@example.org"}
    assert (saved.table.schedule.hour, saved.start.options) == (19, {"own_tokens": 26})


@pytest.mark.parametrize("rules", [one.name for one in installed_rules() if one.system is not None])
def test_for_any_rules_whoever_types_return_gets_a_game_of_bots(
    tmp_path: Path, typed: Typed, rules: str
) -> None:
    home = a_home(tmp_path)

    assert typed(["new", rules, "--home", str(top(home))], ["" for _ in range(40)]) == 0

    (game,) = home.games()
    saved = SavedGame(home, game)
    assert (saved.start.rules, set(saved.table.bots.values())) == (rules, {"greedy"})
    assert saved.start.options == saved.system.options({})


@pytest.mark.parametrize(
    ("answers", "written"),
    [
        (["Friday 20:00"], 'deadline: "2026-11-27T20:00:00+02:00"\n'),
        (["Tuesday and fri", "8pm"], 'schedule: {days: [tue, fri], at: "20:00", zone: Europe/Helsinki}\n'),
    ],
    ids=["once", "each week"],
)
def test_days_and_hours_are_answered_in_the_words_of_any_command(
    tmp_path: Path, typed: Typed, answers: list[str], written: str
) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text("zone: Europe/Helsinki\n", encoding="utf-8")
    words = ["new", "rose-king", "tea", "--home", str(top(home)), "--now", "2026-11-21T12:00:00+00:00"]

    assert typed(words, ["", "", *answers, *["" for _ in range(9)]]) == 0

    assert (tmp_path / "tea-players.yaml").read_text(encoding="utf-8").endswith(written)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path, typed: Typed) -> None:
    home = a_home(tmp_path)
    (tmp_path / "tea-players.yaml").write_text("mine\n", encoding="utf-8")

    assert typed(["new", "rose-king", "tea", "--home", str(top(home))], ["  ", *[""] * 8]) == 0

    assert (tmp_path / "tea-players.yaml").read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "tea-players-2.yaml").exists()
    assert [*SavedGame(home, "tea").table.bots] == ["red", "white"], "nobody is called blanks"


CASES = [
    (one.name, count) for one in installed_rules() if one.system is not None for count in one.system.seats
]


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


HEROES = "# more heroes than printed\nhero_cards:\n  status: stated\n  per_player: 6\n"


def make(tmp_path: Path, tables: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Make a game with tables of its own, and return the exit code and what was said."""
    home = a_home(tmp_path)
    (tmp_path / "players.yaml").write_text(TWO, encoding="utf-8")
    (tmp_path / "own.yaml").write_text(tables, encoding="utf-8")
    words = ["new", "rose-king", "rose-1", "--players", str(tmp_path / "players.yaml")]
    code = run_command([*words, "--home", str(top(home)), "--data", str(tmp_path / "own.yaml"), "--deal"])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_a_table_of_the_moderators_takes_the_place_of_the_shipped_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = make(tmp_path, HEROES, capsys)

    assert code == 0
    assert tells(said, "hero_cards")
    saved = SavedGame(home_at(tmp_path / "home"), "rose-1")
    position = saved.position.game
    assert isinstance(position, DealtGame)
    assert position.state.players["red"].heroes == 6
    assert saved.start.own_tables == ("hero_cards",)
    text = (folder_of(saved) / "turns/0001/reports/spectator/report.txt").read_text(encoding="utf-8")
    assert "This game is played with the moderator's own tables, not those of the guide" in " ".join(
        text.split()
    )
    page = page_of_report(saved, 1, "red", "report.html")
    assert tells(page, "hero_cards")
