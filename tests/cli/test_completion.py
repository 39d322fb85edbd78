"""What a shell is told, and what is written for it and removed again."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from pbem.cli import run_command
from pbem.cli.commands import cli
from pbem.cli.verbs import names
from tests.cli.homes import a_busy_home
from tests.facts import tells
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
        ("man s", ["seat", "send", "service", "show", "simulate", "status", "submit"]),
        ("completion install ", ["bash", "zsh", "fish"]),
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


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home of somebody who uses zsh."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    return tmp_path


WRITTEN = {
    "bash": (".local/share/pbem/completion.bash", ".bashrc"),
    "zsh": (".local/share/pbem/completion.zsh", ".zshrc"),
    "fish": (".config/fish/completions/pbem.fish", ""),
}


def _files(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("shell", WRITTEN)
def test_installing_tells_what_it_writes_and_removing_takes_all_of_it_away(
    shell: str, person: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, start = WRITTEN[shell]
    (person / ".profile").write_text("umask 077\n")
    before = _files(person)

    assert run_command(["completion", "install", shell]) == 0

    said = capsys.readouterr().out
    new = _files(person)
    assert set(new) - set(before) == {script, start} - {""}
    assert f"Wrote {person / script}\n" in said
    if start:
        assert f"Added to {person / start}: {new[start]}" in said
    assert run_command(["completion", "show", shell]) == 0
    assert capsys.readouterr().out == new[script]

    assert run_command(["completion", "install", shell]) == 0
    assert _files(person) == new
    assert run_command(["completion", "remove", shell]) == 0
    assert _files(person) == before
    assert run_command(["completion", "remove", shell]) == 0
    assert tells(capsys.readouterr().out, shell)


def test_a_start_file_keeps_all_else_its_rights_and_its_place(person: Path) -> None:
    kept = person / "dotfiles"
    kept.mkdir()
    (kept / "zshrc").write_text("alias ll='ls -l'")
    (kept / "zshrc").chmod(0o600)
    (person / ".zshrc").symlink_to("dotfiles/zshrc")

    assert run_command(["completion", "install"]) == 0

    start = person / ".zshrc"
    assert start.is_symlink()
    assert (kept / "zshrc").stat().st_mode & 0o777 == 0o600
    assert start.read_text().startswith("alias ll='ls -l'\n[ -r ")
    assert run_command(["completion", "remove"]) == 0
    assert start.read_text() == "alias ll='ls -l'\n"


@pytest.mark.parametrize("shell", ["", "/bin/tcsh"])
def test_a_shell_that_is_not_known_must_be_named(
    shell: str, person: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", shell)

    assert run_command(["completion", "install"]) == 1
    assert "Name one: bash, zsh, fish." in capsys.readouterr().err
    assert _files(person) == {}
