"""What `pbem` says of itself, and what stands before a verb or after it."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from pbem.cli import run_command
from pbem.cli.verbs import VERBS, help_page
from tests.homes import a_game, a_home, top
from tests.verbs import COMMANDS

WORDS = [(name, words) for _, *verbs in VERBS for name, _, words in verbs]


def test_each_summary_stands_whole_on_one_line_of_80_columns() -> None:
    lines = help_page(78).splitlines()
    found = {name: next(line for line in lines if line.startswith(f"  {name} ")) for name, _ in WORDS}

    assert len(WORDS) > 30
    assert [name for name, words in WORDS if not found[name].endswith(words)] == []
    assert [line for line in found.values() if len(line) > 78] == []


@pytest.mark.parametrize("verb", [name for name, verb in COMMANDS.items() if isinstance(verb, click.Group)])
def test_verbs_below_a_verb_stand_whole_on_one_line_too(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    group = COMMANDS[verb]
    assert isinstance(group, click.Group)

    assert run_command(["help", verb]) == 0

    said = capsys.readouterr().out
    for name, below in group.commands.items():
        first = (below.help or "").split("\n")[0].rstrip(".")
        assert f"  {name} " in said and f"  {first}" in said, first


def test_help_of_a_verb_is_what_the_verb_says_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> tuple[int, str]:
        return run_command([*words]), capsys.readouterr().out

    found = {verb: (said("help", verb), said(verb, "--help")) for verb in sorted(COMMANDS)}

    assert [verb for verb, ((code, helped), _) in found.items() if code or not helped] == []
    assert [verb for verb, (helped, itself) in found.items() if helped != itself] == []


def test_the_home_may_stand_before_the_verb_or_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third = (a_home(tmp_path / name) for name in ("one", "two", "three"))
    for home, game in ((first, "first"), (second, "second"), (third, "third")):
        a_game(home, game)
    one, two, three = str(top(first)), str(top(second)), str(top(third))
    monkeypatch.setenv("PBEM_HOME", three)

    for words, game in (
        (["--home", one, "status"], "first"),
        (["status", "--home", two], "second"),
        (["--home", one, "status", "--home", two], "second"),
        (["status"], "third"),
    ):
        assert run_command(words) == 0
        assert capsys.readouterr().out.startswith(f"{game}: rose-king"), words


def test_a_home_before_the_verb_counts_for_verbs_below_verbs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    a_game(home)

    assert run_command(["--home", str(top(home)), "home", "get", "games/rose-1/game.yaml"]) == 0
    assert capsys.readouterr().out.startswith("seats:")
