"""Completion with the Tab key in real shells, and manual pages as `man` and `mandoc` take them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.cli.completion import SHELLS
from tests.cli.shells import PROGRAMS, a_shell, missing, surroundings
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


@pytest.fixture(scope="session", params=SHELLS)
def person(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a shell, and the home of somebody who has let it complete `pbem`."""
    home = tmp_path_factory.mktemp(f"{request.param}-person")
    words = [str(PROGRAMS / "pbem"), "completion", "install", request.param]
    subprocess.run(words, env=surroundings(home), check=True, capture_output=True)
    return request.param, home


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
        ("pbem completion ins", "completion install"),
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


def test_every_manual_page_is_well_formed_and_can_be_read(tmp_path: Path) -> None:
    assert run_command(["man", "--write", str(tmp_path)]) == 0
    pages = sorted((tmp_path / "man1").iterdir())
    assert len(pages) > 30

    checked = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "all", *map(str, pages)], capture_output=True, text=True, check=False
    )
    found = [line for line in checked.stdout.splitlines() if "missing date" not in line]  # a page has none
    assert found == []
    for page, says in (("pbem", "A play-by-email turn processor"), ("pbem-verify", "--foot ROOT")):
        shown = subprocess.run(
            ["man", "--warnings", "-M", str(tmp_path), page],
            capture_output=True,
            text=True,
            check=True,
            env=surroundings(tmp_path) | {"MANWIDTH": "80"},
        )
        assert says in shown.stdout
        assert shown.stderr == ""
