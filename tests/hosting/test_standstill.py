"""Why no turn is made though the deadline has passed, where the game waits for silent seats all the same."""

from __future__ import annotations

from pathlib import Path

from pbem.host.office.status import status_of
from tests.hosting.games import GAME, HOUR, TUESDAY, a_club


def test_the_way_to_more_time_is_told_once(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)

    text = status_of(home, GAME, TUESDAY + HOUR).text()

    assert text.count("pbem extend club") == 1
