"""What players write to the moderator in files stands before the moderator until it was put aside."""

from __future__ import annotations

from pathlib import Path

from pbem.host.office.status import status_of
from tests.homes import top
from tests.hosting.games import GAME, MADE, a_club


def test_seats_of_one_mailbox_are_named_to_the_moderator(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    assert status_of(home, GAME, MADE).one_address == ()

    table = top(home) / "games" / GAME / "game.yaml"
    table.write_text(table.read_text("utf-8").replace("cleo@example.test", "Ann+2@Example.test"), "utf-8")

    assert status_of(home, GAME, MADE).one_address == (("1", "3"),)
    assert "one address:  1 (Ann), 3 (Cleo)" in status_of(home, GAME, MADE).text()
