"""What others put into folders that a program writes to or reads from: nothing of it is followed or run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.config import overrides
from tests.homes import a_game, a_home, top

KEPT = "the owner's own\n"


@pytest.mark.parametrize("is_there", [True, False], ids=["a file", "nothing"])
@pytest.mark.parametrize("name", ["rose-1.red.yaml", "rose-1.red.schema.json"])
def test_a_form_is_not_written_through_a_link(tmp_path: Path, name: str, is_there: bool) -> None:
    home, folder, target = a_home(tmp_path / "h"), tmp_path / "shared", tmp_path / "target"
    a_game(home)
    folder.mkdir()
    if is_there:
        target.write_text(KEPT, encoding="utf-8")
    (folder / name).symlink_to(target)

    assert run_command(["form", "rose-1", "red", "--write", str(folder), "--home", str(top(home))]) == 0

    assert target.exists() == is_there
    assert not is_there or target.read_text(encoding="utf-8") == KEPT
    assert (folder / name).is_file()
    assert not (folder / name).is_symlink()
    assert sorted(one.name for one in folder.iterdir()) == ["rose-1.red.schema.json", "rose-1.red.yaml"]


def test_reports_are_not_written_through_a_link(tmp_path: Path) -> None:
    home, folder, target = a_home(tmp_path / "h"), tmp_path / "shared", tmp_path / "target"
    a_game(home)
    target.mkdir()
    folder.mkdir()
    (folder / "red").symlink_to(target)

    assert run_command(["report", "rose-1", "--all", str(folder), "--home", str(top(home))]) == 1

    assert list(target.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "owner", "is_used"),
    [(0o700, None, True), (0o755, None, True), (0o777, None, False), (0o700, 65534, False)],
)
def test_compiled_templates_are_loaded_only_where_nobody_else_can_put_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, owner: int | None, is_used: bool
) -> None:
    if owner is not None and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "pbem" / "templates"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    if owner is not None:
        os.chown(folder, owner, -1)

    assert (overrides._compiled() is not None) == is_used
