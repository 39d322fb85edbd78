"""At a terminal `pbem new` asks for what is left out, and each step names the next one."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from pbem.cli import run_command
from pbem.play.config.registry import installed
from pbem.play.homes.saved import SavedGame
from tests.homes import a_home, top

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


@pytest.mark.parametrize("rules", [one.name for one in installed() if one.system is not None])
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
