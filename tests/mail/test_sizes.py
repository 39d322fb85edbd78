"""How many bytes the mails of a turn have, all parts, with pictures."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.letters import queue_reports
from tests.homes import NOW, make_home, sample_games, top
from tests.mail.homes import write_settings

MOST = {"rose-1": 125_000, "cards-1": 173_000, "powers-1": 174_000, "wop-1": 191_000, "web-1": 183_000}
"""Bytes of the largest mail of the newest turn of each sample game, with its order page and pictures."""


@pytest.mark.skipif(importlib.util.find_spec("resvg_py") is None, reason="without the extra png")
@pytest.mark.parametrize("game", sorted(MOST))
def test_no_mail_of_a_sample_game_is_larger(game: str, tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    shutil.copytree(sample_games() / game, top(home) / "games" / game)
    write_settings(home)

    with home.journal() as db:
        queue_reports(home, db, mail_settings(home), game, NOW)
        sizes = [len(row[0]) for row in db.rows("SELECT raw FROM outbox")]

    assert MOST[game] / 2 < max(sizes) <= MOST[game], max(sizes)
