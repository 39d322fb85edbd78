"""A game that its moderator ended stays so without the journal, and keeps its secrets in the archive."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.host.run.undo import bring_back, cancel
from pbem.play.homes.saved import SavedGame
from tests.edge.test_archive import pages
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    a_club,
)

WHY = "too few players are left"


def test_the_archive_says_so_and_keeps_what_is_secret(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    write_archive(home, tmp_path / "out")
    cancel(home, GAME, f"{WHY}, says Cleo", MADE + HOUR)

    write_archive(home, tmp_path / "out")

    shown = pages(tmp_path / "out")
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    page = (tmp_path / "out" / GAME / "index.html").read_text("utf-8")
    assert f"({WHY}, says " in page
    assert "Cleo" not in shown
    assert SavedGame(home, GAME).secret.seed.hex() not in shown
    packed = tmp_path / "out" / GAME / f"{GAME}.zip"
    found = verify_file(packed)[1]
    assert (found.turns, found.findings) == (SavedGame(home, GAME).turn + 1, ())
    bring_back(home, GAME, MADE + 2 * HOUR)
    write_archive(home, tmp_path / "out")
    assert (tmp_path / "out" / "index.html").read_text("utf-8") != index
    assert verify_file(packed)[1].notes[0] != found.notes[0]
