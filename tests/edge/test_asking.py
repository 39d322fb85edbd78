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
from pbem.play.registry import installed
from pbem.play.saved import SavedGame
from tests.facts import tells
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


WRONG = {
    "rules": (["new"], ["chess", "rose-king"], "there are no rules 'chess'"),
    "a name": (["new", "rose-king"], ["Tea Time", "tea"], "'Tea Time' cannot be a game's id"),
    "a name that ends otherwise": (["new", "rose-king"], ["tea-join", "tea"], "would be taken for 'tea'"),
    "a number of players": (["new", "web-of-power", "tea"], ["two", "6", "3"], "it is played by 3 to 5."),
    "an address": (["new", "rose-king", "tea"], ["Ann", "ann at home", "ann@x.org"], "is no address"),
    "half an address": (
        ["new", "rose-king", "tea"],
        ["Ann", "ann@example", "ann@x.org"],
        "ann@example is no player's address: 'example' has no dot",
    ),
    "a day": (["new", "rose-king", "tea"], ["", "", "someday", ""], "'someday' is no day; days are mon, tue"),
    "an hour": (["new", "rose-king", "tea"], ["", "", "tue", "8", "25:00", "20:00"], "write it as 20:00"),
    "a zone": (["new", "rose-king", "tea"], ["", "", "tue", "", "Mars", ""], "there is no time zone 'Mars'"),
    "a policy": (["new", "rose-king", "tea"], ["", "", "", "gone", ""], "wait, hold, greedy or random"),
    "an option": (["new", "rose-king", "tea"], ["", "", "", "", "y", "many", "["], "own_tokens"),
}


@pytest.mark.wording("compares sentences still")
@pytest.mark.parametrize(("words", "answers", "said"), WRONG.values(), ids=WRONG)
def test_an_answer_that_cannot_be_is_said_and_asked_again(
    tmp_path: Path,
    typed: Typed,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    answers: list[str],
    said: str,
) -> None:
    home = a_home(tmp_path)

    assert typed([*words, "--home", str(top(home))], [*answers, *("" for _ in range(30))]) == 0

    assert f"Error: {said}" in (asked := capsys.readouterr().err) or said in asked.partition("Error: ")[2]
    assert len(home.games()) == 1


def test_who_stops_in_the_middle_has_made_nothing_and_is_told_so(
    tmp_path: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    words = ["new", "rose-king", "tea", "--home", str(top(home))]

    assert typed(words, ["Ann", "ann@example.org"]) == 130
    assert tells(capsys.readouterr().err)
    assert typed(words, ["", "", "", "", "n", "n"]) == 130
    assert tells(capsys.readouterr().err)

    assert (home.games(), [*tmp_path.glob("*.yaml")]) == ([], [])


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


def test_where_mail_is_played_by_a_player_without_an_address_is_asked_again(
    tmp_path: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    write_settings(home)

    answers = ["Ann", "", "a@x.org", *("" for _ in range(9))]
    assert typed(["new", "rose-king", "tea", "--home", str(top(home))], answers) == 0


def test_what_cannot_be_is_refused_before_anything_is_asked(
    tmp_path: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(top(a_home(tmp_path)))

    assert typed(["new", "chess", "--home", home], []) == 1
    assert typed(["new", "rose-king", "Tea", "--home", home], []) == 1
    assert typed(["new", "rose-king", "tea", "--home", str(tmp_path)], []) == 1

    assert "Who plays" not in capsys.readouterr().err


def test_without_a_terminal_what_to_give_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["new"]) == 2

    told = " ".join(capsys.readouterr().err.split())
    assert "pbem new RULES GAME --players FILE" in told
    assert "pbem new RULES --example > players.yaml" in told
    assert run_command(["new", "--example"]) == 2


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
