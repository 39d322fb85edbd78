"""At a terminal `pbem new` asks for what is left out, and each step names the next one."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from pbem.cli import run_command
from pbem.play.config.registry import installed
from pbem.play.homes.saved import SavedGame
from tests.homes import a_home, home_at, top
from tests.mail.homes import write_settings

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
    answers = [
        "rose-king",
        "tea",
        "Ann",
        "ann@example.org",
        "",
        "tue, fri",
        "19:30",
        "Europe/Helsinki",
        "hold",
    ]

    assert typed(["new", "--home", str(top(home))], [*answers, "y", "26", "y"]) == 0

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
    tmp_path: Path,
    typed: Typed,
    capsys: pytest.CaptureFixture[str],
    answers: list[str],
    written: str,
) -> None:
    home = a_home(tmp_path)
    (top(home) / "home.yaml").write_text("zone: Europe/Helsinki\n", encoding="utf-8")
    words = ["new", "rose-king", "tea", "--home", str(top(home)), "--now", "2026-11-21T12:00:00+00:00"]

    assert typed(words, ["", "", *answers, *["" for _ in range(9)]]) == 0

    capsys.readouterr()
    assert (tmp_path / "tea-players.yaml").read_text(encoding="utf-8").endswith(written)


def test_blanks_alone_are_as_return_is_and_nobody_is_called_so(tmp_path: Path, typed: Typed) -> None:
    home = a_home(tmp_path)

    assert typed(["new", "rose-king", "tea", "--home", str(top(home))], ["  ", " ", "", "", "", ""]) == 0

    assert [*SavedGame(home, "tea").table.bots] == ["red", "white"]


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path, typed: Typed) -> None:
    home = a_home(tmp_path)
    (tmp_path / "tea-players.yaml").write_text("mine\n", encoding="utf-8")

    assert typed(["new", "rose-king", "tea", "--home", str(top(home))], [""] * 9) == 0

    assert (tmp_path / "tea-players.yaml").read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "tea-players-2.yaml").exists()


@contextlib.contextmanager
def _at_a_terminal(*words: str, answers: str = "") -> Iterator[str]:
    """Give what a person sees who gives a command at a real terminal."""
    ours, its = pty.openpty()
    program = [sys.executable, "-m", "pbem", *words]
    with subprocess.Popen(program, stdin=its, stdout=its, stderr=its) as ran:
        os.close(its)
        os.write(ours, answers.encode())
        told = b""
        with contextlib.suppress(OSError):  # what Linux says at the end
            while more := os.read(ours, 4096):
                told += more
        os.close(ours)
    assert ran.returncode == 0, told
    yield told.decode().replace("\r\n", "\n")


def test_each_step_names_the_next_one_at_a_terminal_and_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = str(top(a_home(tmp_path)))
    steps = (
        (["new", "rose-king", "tea"], "Ann\n\nBob\n\n\n\n\n\n", "pbem report tea --all reports"),
        (["run", "tea", "--deal"], "", "pbem report tea --all reports"),
        (["run", "tea"], "", "pbem status"),
    )
    for words, answers, told in steps:
        with _at_a_terminal(*words, "--home", home, answers=answers) as said:
            assert f"Next: {told} --home {home}   # " in said, said
    assert run_command(["form", "tea", "red", "--suggest", "greedy", "--home", home]) == 0
    (tmp_path / "red.yaml").write_text(capsys.readouterr().out, encoding="utf-8")
    with _at_a_terminal("submit", "red.yaml", "--quiet", "--home", home) as said:
        assert said == ""
    with _at_a_terminal("submit", "red.yaml", "--home", home) as said:
        assert f"Next: pbem run --home {home}   # " in said
    write_settings(home_at(Path(home)))
    with _at_a_terminal("run", "tea", "--home", home) as said:
        assert f"Next: pbem send --home {home}   # " in said
    assert run_command(["run", "tea", "--home", home]) == 0
    assert "Next:" not in "".join(capsys.readouterr())


def test_a_copy_of_a_home_names_what_closes_the_old_one_if_it_is_open(tmp_path: Path) -> None:
    home = str(top(a_home(tmp_path)))
    step = f"Next: pbem home close --home {home}   # if the copy takes its place: both homes are open now"

    with _at_a_terminal("home", "copy", home, str(tmp_path / "new")) as said:
        assert said.splitlines()[-1] == step
    assert run_command(["home", "close", "--home", home]) == 0
    with _at_a_terminal("home", "copy", home, str(tmp_path / "newer")) as said:
        assert said.splitlines()[-1] == "The copy is open: its games are to run on one machine only."


def test_at_the_end_of_a_game_the_archive_is_named_once(tmp_path: Path) -> None:
    home, players = str(top(a_home(tmp_path))), tmp_path / "players.yaml"
    players.write_text("seats: {red: {bot: greedy}, white: {bot: greedy}}\n", encoding="utf-8")
    new = ["new", "rose-king", "--players", str(players), "--set", "most_steps=500", "--home", home]
    assert run_command([*new, "tea"]) == 0
    step = f"Next: pbem archive site --home {home}   # pages of your games; what is over shows all"

    with _at_a_terminal("run", "tea", "--deal", "--home", home) as said:
        assert "the game is over" in said
        assert [one for one in said.splitlines() if "Next:" in one][1:] == [step]
    for words in (["run", "tea"], ["status"]):
        with _at_a_terminal(*words, "--home", home) as said:
            assert [one for one in said.splitlines() if "Next:" in one] == [step]
    assert run_command([*new, "second"]) == 0
    with _at_a_terminal("status", "--home", home) as said:
        assert "Next:" not in said
