"""Missed turns in a home: counted, told, and handed to bots and standbys as game.yaml says."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.opening import Opened
from pbem.host.office.acts import all_acts
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.submissions.receipts import Receipt
from pbem.store.errors import WrongInput
from tests.facts import each_tells, tells
from tests.homes import NOW, a_game, a_home, folder_of, orders_text, send, submit, top

RED, WHITE = Seat("red"), Seat("white")
TABLE = """\
seats:
  red: {player: Ann}
  white: {player: Bob}
silent: random
deadline: DEADLINE
"""


def due_game(tmp_path: Path, more: str) -> Home:
    """Return a home with a game in which White always answers and Red never does."""
    home = a_home(tmp_path)
    a_game(home, table=TABLE.replace("DEADLINE", (NOW - DAY).isoformat()) + more)
    return home


DAY = datetime.timedelta(days=1)


def pass_deadline(home: Home, day: int) -> None:
    """Let a deadline pass for the seat that is asked; White's turns are played by a form."""
    game_file = (top(home) / "games") / "rose-1/game.yaml"
    lines = game_file.read_text(encoding="utf-8").splitlines()
    deadline = NOW + day * DAY
    lines = [f"deadline: {deadline.isoformat()}" if one.startswith("deadline") else one for one in lines]
    game_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(home, "rose-1", now=deadline + DAY / 2, due=True)
    saved = SavedGame(home, "rose-1")
    position = saved.position.game
    assert isinstance(position, Opened)
    if position.state.to_move == WHITE:
        order = saved.opening.choices(saved.opening.view(position, WHITE)).menus[0].items[0].order
        send(home, "rose-1", "white", [{"do": order}], **keyed(saved))
        run(home, "rose-1", now=deadline + DAY / 2)


def keyed(saved: SavedGame) -> dict[str, str]:
    return {"key": saved.players.key(WHITE)} if saved.table.key else {}


def report(home: Home, seat: str) -> str:
    saved = SavedGame(home, "rose-1")
    path = folder_of(saved) / f"turns/{saved.turn:04d}/reports/{seat}/report.txt"
    return path.read_text(encoding="utf-8")


def test_status_counts_missed_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = due_game(tmp_path, "")
    pass_deadline(home, 1)
    pass_deadline(home, 2)

    assert status_of(home, "rose-1").missed == {RED: 2}
    run_command(["status", "rose-1", "--home", str(top(home))])

    assert "  missed:       red (Ann) 2 in a row\n" in capsys.readouterr().out
    assert verify(home, "rose-1").findings == ()


def test_a_standby_takes_the_seat_under_the_old_name_with_a_new_key(tmp_path: Path) -> None:
    standby = "standby:\n- {player: Dora, address: dora@example.org}\n"
    home = due_game(tmp_path, standby + "misses: {after: 1, then: standby}\nkey: true\n")
    old = SavedGame(home, "rose-1").players.key(RED)
    game_file = (top(home) / "games") / "rose-1/game.yaml"
    deadline = f"deadline: {(NOW + DAY).isoformat()}"
    lines = game_file.read_text(encoding="utf-8").splitlines()
    game_file.write_text(
        "\n".join(deadline if one.startswith("deadline") else one for one in lines) + "\n", encoding="utf-8"
    )
    ran = run(home, "rose-1", now=NOW + 2 * DAY, due=True)

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


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("standby: [{player: Dora}, {player: Dora}]\n", ("6:27", "standby.1", "Dora")),
        ("misses: {after: 0, then: greedy}\n", ("6:17", "misses.after", "0", "1")),
        (
            "misses: {after: 2, then: gredy}\n",
            ("6:26", "misses.then"),
        ),
        ("misses: {after: 2}\n", ("6:9",)),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_place(
    tmp_path: Path, more: str, told: tuple[str, ...]
) -> None:
    home = a_home(tmp_path)

    with pytest.raises(WrongInput, match=r"rose-1\.players\.yaml:6:") as wrong:
        a_game(home, table=TABLE.replace("DEADLINE", NOW.isoformat()) + more)

    assert tells(str(wrong.value), *told)
