"""Missed turns in a home: counted, told, and handed to bots and standbys as game.yaml says."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.core.events import Seat
from pbem.host.office.acts import all_acts
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.submissions.receipts import Receipt
from tests.facts import each_tells, tells
from tests.homes import NOW, TWO, a_game, a_home, folder_of, orders_text, submit

RED = Seat("red")
TABLE = f"""\
{TWO}silent: random
deadline: {(NOW + datetime.timedelta(days=1)).isoformat()}
misses: {{after: 1, then: standby}}
standby: [{{player: Dora, address: dora@example.org}}]
key: true
"""


def report(home: Home, seat: str) -> str:
    saved = SavedGame(home, "rose-1")
    path = folder_of(saved) / f"turns/{saved.turn:04d}/reports/{seat}/report.txt"
    return path.read_text(encoding="utf-8")


def test_a_standby_takes_the_seat_under_the_old_name_with_a_new_key(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    old = a_game(home, table=TABLE).players.key(RED)

    ran = run(home, "rose-1", now=NOW + datetime.timedelta(days=2), due=True)

    new = SavedGame(home, "rose-1").players.key(RED)
    assert each_tells(ran.handed, ("Dora", "red", "1"))
    assert new != old
    with home.journal() as db:
        (act,) = all_acts(home, "rose-1", db)
    assert tells(act.facts, "red", "1", "Dora")
    assert act.public
    assert f"Your key for it is {new}" in " ".join(report(home, "red").split())
    assert "Red: Dora (you)" in report(home, "red")
    assert "Red: Dora" in report(home, "white")
    for reader in ("white", "spectator"):
        assert new not in report(home, reader)
    assert verify(home, "rose-1").findings == ()

    path = tmp_path / "red.yaml"
    answers = []
    for key in (old, new):
        path.write_text(orders_text("rose-1", "red", [{"at": "red-9", "do": {"draw": True}}], key=key))
        answers.append(submit(home, path))
    assert isinstance(answers[0], list)
    assert isinstance(answers[1], Receipt)
