"""The archive of a game with anonymous messages: whoever had sent them, it would be the same."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.core.dice import Dice
from pbem.core.interface import Ask, Json
from pbem.host.run.batch import run
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import PressReceipt
from pbem.text.strictyaml import dump
from tests.homes import NOW, a_game, a_home, files_in, orders_text, send, submit, top, undo

HOUR = datetime.timedelta(hours=1)
SEATS, SENDERS = ("1", "2", "3", "4"), ("2", "4")
HASHES = re.compile(rb"[0-9a-f]{64}|[a-z2-7]{4}(-[a-z2-7]{4}){3}")
"""Hashes and roots: they cover who sent what, and are different in each game."""


def archive_of(
    folder: Path, sender: str, message: dict[str, Json], allowed: str, *, alone: bool, again: bool
) -> dict[str, bytes]:
    """Return the archive of a game in which a seat sent an anonymous message, without roots and hashes."""
    home = a_home(folder)
    table: Json = {
        "seats": {seat: {"player": f"Player {seat}"} for seat in SEATS},
        "press": {"anonymous": True},
        "deadline": (NOW + HOUR).isoformat(),
        "silent": "hold",
    }
    options: dict[str, Json] = {"turns": 1}
    a_game(home, "web-1", rules="web-of-intrigue", table=dump(table), options=options)
    saved = SavedGame(home, "web-1")
    assert isinstance(saved.ask, Ask)
    for seat in (seat for seat in saved.start.seats if not (alone and seat in SENDERS)):
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        press: list[Json] = [{"to": ["1"], "say": f"I am {seat}."}]
        press += [message] if seat == sender and not alone else []
        send(home, "web-1", seat, [{"at": "turn-1", "do": do}], press=press)
    if alone:
        path = folder / "message.yaml"
        path.write_text(orders_text("web-1", sender, [], press=[message]), encoding="utf-8")
        assert isinstance(submit(home, path), PressReceipt)
    run(home, "web-1", now=NOW + HOUR, due=True)
    if again:
        undo(home, "web-1")
        run(home, "web-1", now=NOW + HOUR, due=True)
    (top(home) / "home.yaml").write_text(f"archive: {allowed}\n", encoding="utf-8")
    write_archive(home, folder / "out")
    found: dict[str, bytes] = {}
    for path in (path for path in (folder / "out").rglob("*") if path.is_file()):
        if path.suffix == ".zip":
            found |= {f"zip/{name}": data for name, data in files_in(path).items()}
        elif path.name != "archive.json":  # only hashes of what files are made from
            found[path.relative_to(folder / "out").as_posix()] = path.read_bytes()
    return {name: HASHES.sub(b"#", data) for name, data in found.items()}


@pytest.mark.parametrize(
    ("to", "allowed", "alone", "again"),
    [
        (["3"], "{names: true, press: all}", False, False),
        ("all", "{names: true, press: public}", True, False),
        ("all", "{press: all}", False, True),
    ],
)
def test_an_archive_does_not_tell_who_sent_an_anonymous_message(
    tmp_path: Path, to: Json, allowed: str, alone: bool, again: bool
) -> None:
    message: dict[str, Json] = {"to": to, "say": "from nobody", "anonymous": True}
    one, other = (
        archive_of(tmp_path / sender, sender, message, allowed, alone=alone, again=again)
        for sender in SENDERS
    )

    assert {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)} == set()
    assert any(b"from nobody" in data for data in one.values()) is (to == "all")
