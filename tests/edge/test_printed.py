"""What is printed, or cannot be, never decides what is done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.edge.faults import lay_out
from tests.homes import home_at, top
from tests.hosting.games import GAME, HOUR, MADE, stay
from tests.hosting.verbs import a_running_club

PROGRAM = Path(sys.executable).parent / "pbem"


def a_night(path: Path) -> Home:
    """Return a home of which a night job makes a turn and mails it."""
    home = lay_out(a_running_club(), path / "home")
    stay(home, "1", "2", "3", label="turn-2")
    return home


def give(home: Home, words: str) -> tuple[int, str]:
    """Give a command as a shell reads it; return its exit code and what it says on standard error."""
    now = (MADE + 3 * HOUR).isoformat()
    shell = f"{PROGRAM} run --due --now {now} {words}"
    ended = subprocess.run(
        ["bash", "-c", shell], cwd=top(home), env={**os.environ}, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("words", "codes"),
    [(">/dev/full", {1}), ("--json >/dev/full", {1}), ("2>/dev/full", {0}), ("<&- >&- 2>&-", {0})],
)
def test_a_night_job_whose_words_cannot_be_written_makes_and_mails_the_turn(
    words: str, codes: set[int], tmp_path: Path
) -> None:
    home = a_night(tmp_path)

    code, said = give(home, words)

    assert code in codes
    assert "Traceback" not in said
    found = home_at(top(home))
    assert SavedGame(found, GAME).turn == 3
    with found.journal() as db:
        sent = db.rows("SELECT count(*) FROM outbox WHERE turn = 3 AND kind = 'report' AND state = 'sent'")
    assert sent == [(3,)]
