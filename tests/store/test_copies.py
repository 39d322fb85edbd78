"""A copy of a home is marked as one that is not finished until it was compared; no game is passed over."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import copy_home, differences
from pbem.store.folder import FolderStore
from pbem.store.journal import Journal
from pbem.store.rests import read_closure
from tests.edge.faults import PowerCut, Recorder
from tests.homes import a_game, home_at
from tests.hosting.games import GAME, MADE, a_club, pbem

OTHERS = ("rose-1", "rose-2")


def a_home_of_three(path: Path) -> Home:
    home = a_club(path, by_mail=True)
    for name in OTHERS:
        a_game(home, name)
    assert pbem(home, "hold", GAME, "1") == 0
    return home


def _cut(where: str) -> Callable[..., None]:
    def cut(*_: object) -> None:
        raise PowerCut(where)

    return cut


def is_marked(home: Home) -> bool:
    how = read_closure(home.store)
    return how is not None and how.is_copy


def test_a_copy_that_is_cut_at_any_step_is_empty_marked_or_whole(tmp_path: Path) -> None:
    home, to = a_home_of_three(tmp_path / "source"), tmp_path / "copy"
    disk = Recorder(to)
    copy_home(home, Home(FolderStore.make(to, disk)))
    steps = len(disk.journal)
    marked = 0
    for at in range(0, steps, 5):
        shutil.rmtree(to, ignore_errors=True)
        with pytest.raises(PowerCut):
            copy_home(home, Home(FolderStore.make(to, Recorder(to, at))))
        found = home_at(to)
        if is_marked(found):
            marked += 1
            continue
        is_empty = not (to / "games").is_dir() or not found.games()
        assert is_empty or differences(home, found) == [], f"step {at}"
    assert marked > steps // 10


@pytest.mark.parametrize("what", ["restore", "every_row"])
def test_a_copy_whose_journal_is_missing_is_named_and_takes_nothing(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, to = a_home_of_three(tmp_path / "source"), tmp_path / "copy"
    with mock.patch.object(Journal, what, _cut(what)), pytest.raises(PowerCut):
        copy_home(home, Home(FolderStore.make(to)))
    copy = home_at(to)
    assert copy.games() == sorted((GAME, *OTHERS))

    assert run_command(["doctor", "--home", str(to), "--now", MADE.isoformat()]) == 1
    assert "not finished" in capsys.readouterr().out
    run_command(["status", "--home", str(to)])
    assert "not finished" in capsys.readouterr().err
    for words in (("run", "--due"), ("extend", GAME, "--to", "in 3 days")):
        assert pbem(copy, *words) == 1
        assert "not finished" in capsys.readouterr().err
    for more in (["home", "close", "--reopen", "--home", str(to)], ["home", "copy", str(to), f"{to}-2"]):
        assert run_command(more) == 1
        assert "not finished" in capsys.readouterr().err


def test_a_copy_that_was_compared_is_open(tmp_path: Path) -> None:
    home, to = a_home_of_three(tmp_path / "source"), tmp_path / "copy"
    copy_home(home, Home(FolderStore.make(to)))

    assert read_closure(home_at(to).store) is None
    assert pbem(home_at(to), "extend", GAME, "--to", "in 9 days") == 0
