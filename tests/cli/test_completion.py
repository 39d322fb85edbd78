"""What a shell is told that asks what a word may become."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from pbem.cli.commands import cli
from pbem.cli.verbs import names
from tests.cli.homes import a_busy_home
from tests.homes import a_demo, top

SAMPLES = ["cards-1", "powers-1", "rose-1", "web-1", "wop-1"]
RULES = ["game-of-powers", "rose-king", "web-of-intrigue", "web-of-power", "web-of-power-cards"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return top(a_demo(tmp_path_factory.mktemp("demo") / "home"))


def completions(typed: str) -> list[str]:
    """Return what the last word of a command can become; of files and folders only that they may."""
    *before, last = typed.split(" ")
    found = BashComplete(cli, {}, "pbem", "_PBEM_COMPLETE").get_completions(before, last)
    return [item.value if item.type == "plain" else f"({item.type})" for item in found]


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("status ", SAMPLES),
        ("status w", ["web-1", "wop-1"]),
        ("run rose-1 w", ["web-1", "wop-1"]),
        ("run rose-1 r", []),
        ("report rose-1 ", ["red", "spectator", "white"]),
        ("show rose-1 ", ["red", "white"]),
        ("seat rose-1 r", ["red"]),
        ("report nosuch ", []),
        ("report rose-1 red --turn ", [str(turn) for turn in range(10, -1, -1)]),
        ("undo rose-1 --turn 1", ["10", "1"]),
        ("new ", RULES),
        ("new rose-king ", []),
        ("rules g", ["game-of-powers"]),
        ("simulate w", [one for one in RULES if one.startswith("w")]),
        ("book r", ["rose-1", "rose-king"]),
        ("report ../", []),
        ("help s", ["seat", "send", "service", "show", "simulate", "status", "submit"]),
        ("home c", ["check", "close", "copy"]),
        ("form rose-1 red --suggest ", ["random", "greedy"]),
        ("submit ", ["(file)"]),
        ("home copy ", ["(dir)"]),
        ("archive ", ["(dir)"]),
        ("status --home ", ["(dir)"]),
        ("--home ", ["(dir)"]),
        ("undo rose-1 --j", ["--json"]),
    ],
)
def test_a_word_becomes_what_it_may_be(
    typed: str, becomes: list[str], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)

    assert completions(typed) == becomes


@pytest.mark.parametrize("where", ["before", "after", "environment"])
def test_the_home_that_is_named_is_looked_at(
    where: str, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if where == "environment":
        monkeypatch.setenv("PBEM_HOME", str(demo))
    before = f"--home {demo} " if where == "before" else ""
    after = f"--home {demo} " if where == "after" else ""

    assert completions(f"{before}report {after}r") == ["rose-1"]
    assert completions(f"{before}report {after}rose-1 red --turn 10") == ["10"]


def test_all_verbs_are_offered_with_what_they_do() -> None:
    found = BashComplete(cli, {}, "pbem", "_PBEM_COMPLETE").get_completions([], "")

    assert sorted(item.value for item in found) == names()
    assert all(item.help and item.help.endswith(".") for item in found)


def test_where_there_is_no_home_nothing_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert completions("status ") == completions("report rose-1 ") == completions("report x y --turn ") == []


def test_a_home_in_a_database_is_not_asked() -> None:
    assert completions("status --home postgresql://nobody@localhost:1/none ") == []


def test_no_file_is_opened_to_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top(a_busy_home(tmp_path)))
    completions("report club 1 --turn ")  # what must be loaded is loaded

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)

    assert completions("status ") == ["club"]
    assert completions("report club ") == ["1", "2", "3", "spectator"]
    assert completions("report club 1 --turn ") == ["2", "1", "0"]


def test_verbs_are_as_they_were_after_a_shell_has_asked(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    completions("report rose-1 red --turn ")

    report = cli.get_command(click.Context(cli), "report")
    assert report is not None
    assert next(one for one in report.params if one.name == "turn").type.name == "integer range"
