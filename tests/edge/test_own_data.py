"""Variants by data: a moderator's own tables are printed, checked, frozen with the game, and told to all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.opening import Opened
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import page_of_report
from tests.facts import tells
from tests.homes import TWO, a_home, folder_of, home_at, top

HEROES = "# more heroes than printed\nhero_cards:\n  status: stated\n  per_player: 6\n"


def make(tmp_path: Path, tables: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Make a game with tables of its own, and return the exit code and what was said."""
    home = a_home(tmp_path)
    (tmp_path / "players.yaml").write_text(TWO, encoding="utf-8")
    (tmp_path / "own.yaml").write_text(tables, encoding="utf-8")
    words = ["new", "rose-king", "rose-1", "--players", str(tmp_path / "players.yaml")]
    code = run_command([*words, "--home", str(top(home)), "--data", str(tmp_path / "own.yaml"), "--deal"])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_a_table_of_the_moderators_takes_the_place_of_the_shipped_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = make(tmp_path, HEROES, capsys)

    assert code == 0
    assert tells(said, "hero_cards")
    saved = SavedGame(home_at(tmp_path / "home"), "rose-1")
    position = saved.position.game
    assert isinstance(position, Opened)
    assert position.state.players["red"].heroes == 6
    assert saved.start.own_tables == ("hero_cards",)
    text = (folder_of(saved) / "turns/0001/reports/spectator/report.txt").read_text(encoding="utf-8")
    assert "This game is played with the moderator's own tables, not those of the guide" in " ".join(
        text.split()
    )
    page = page_of_report(saved, 1, "red", "report.html")
    assert tells(page, "hero_cards")
