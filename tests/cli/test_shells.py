"""Completion with the Tab key in real shells, and manual pages as `man` shows them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shells import STARTS, a_shell, missing, surroundings
from tests.homes import a_demo

pytestmark = pytest.mark.shells


@pytest.fixture(scope="session", autouse=True)
def _all_there() -> None:
    """Fail where something is missing, for these tests are asked for by name."""
    if lacking := missing():
        pytest.fail(lacking)


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sample games."""
    folder = tmp_path_factory.mktemp("games")
    a_demo(folder / "home")
    return folder / "home"


@pytest.fixture(scope="session", params=STARTS)
def person(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a shell, and the home of somebody who did as the page on installing says."""
    name, home = request.param, tmp_path_factory.mktemp(f"{request.param}-person")
    line = f'eval "$(_PBEM_COMPLETE={name}_source pbem)"\n'
    if name == "fish":
        script = subprocess.run(
            ["pbem"],
            env=surroundings(home) | {"_PBEM_COMPLETE": "fish_source"},
            check=True,
            capture_output=True,
        )
        (home / ".config/fish/completions").mkdir(parents=True)
        (home / ".config/fish/completions/pbem.fish").write_bytes(script.stdout)
    else:
        before = "autoload -Uz compinit && compinit\n" if name == "zsh" else ""
        (home / f".{name}rc").write_text(before + line)
    return name, home


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("pbem stat", "status"),
        ("pbem report ros", "report rose-1"),
        ("pbem report rose-1 spec", "rose-1 spectator"),
        ("pbem report rose-1 wh", "rose-1 white"),
        ("pbem undo rose-1 --tu", "--turn"),
        ("pbem new rose", "new rose-king"),
        ("pbem home cop", "home copy"),
        ("pbem form rose-1 red --suggest gr", "--suggest greedy"),
        ("pbem run --override older", "--override older-rules"),
        ("pbem check pla", "check players.yaml"),
    ],
)
def test_tab_completes(person: tuple[str, Path], games: Path, typed: str, becomes: str) -> None:
    name, home = person
    (games / "players.yaml").touch()
    with a_shell(name, home, games) as shell:
        shell.type(f"{typed}\t")
        shell.shows(becomes.rpartition(" ")[2])


def test_tab_lists_the_turns_of_a_game(person: tuple[str, Path], games: Path) -> None:
    name, home = person
    with a_shell(name, home, games) as shell:
        shell.type("pbem report rose-1 red --turn \t\t")
        shown = shell.shows("10")
        assert "9" in shown


def test_a_home_that_is_named_before_is_the_one_that_is_looked_at(
    person: tuple[str, Path], games: Path, tmp_path: Path
) -> None:
    name, home = person
    with a_shell(name, home, tmp_path) as shell:
        shell.type(f"pbem --home {games} status wo\t")
        shell.shows("wop-1")


def test_a_manual_page_of_each_verb_can_be_read(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.docs.make_man", str(tmp_path / "man1")], check=True)

    shown = subprocess.run(
        ["man", "-M", str(tmp_path), "pbem-verify"],
        capture_output=True,
        text=True,
        check=True,
        env=surroundings(tmp_path) | {"MANWIDTH": "80"},
    )
    assert len([*(tmp_path / "man1").iterdir()]) > 40
    assert "--foot ROOT" in shown.stdout
