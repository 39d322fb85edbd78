"""What players write to the moderator in files stands before the moderator until it was put aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.play.homes.home import Home
from pbem.text.strictyaml import dump
from tests.homes import top
from tests.hosting.games import GAME, MADE, a_club, pbem

WISH = "May I go on holiday?"
HI: Json = {"to": ["2"], "say": "Hi Bob."}


def submitted(home: Home, path: Path, *press: Json, **more: Json) -> None:
    """Hand a file of the first seat in."""
    file = path / "orders.yaml"
    file.write_text(dump({"game": GAME, "seat": "1", **more, "press": [*press]}), encoding="utf-8")
    pbem(home, "submit", str(file))


def to_answer(home: Home) -> tuple[str, ...]:
    return status_of(home, GAME, MADE).to_answer


@pytest.mark.parametrize("by_mail", [False, True])
@pytest.mark.parametrize("orders", [None, [{"at": "turn-1", "do": {"move": "stay"}}]])
@pytest.mark.parametrize("to", ["moderator", ["moderator"], ["2", "moderator"]])
def test_press_to_the_moderator_in_a_file_stands_in_run_digest_and_status_until_it_was_put_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], by_mail: bool, orders: Json, to: Json
) -> None:
    home = a_club(tmp_path, by_mail=by_mail)
    more = {"orders": orders} if orders else {}
    for _ in range(2):
        submitted(home, tmp_path, {"to": to, "say": WISH}, HI, **more)

    (line,) = to_answer(home)
    name = line.rpartition(" ")[2]
    capsys.readouterr()
    for verb, shows in (("run", name), ("status", name), ("digest", f"| {WISH}"), ("answer", f"| {WISH}")):
        pbem(home, verb, *{"answer": (name,), "digest": ()}.get(verb, (GAME,)))
        assert shows in capsys.readouterr().out, verb

    pbem(home, "answer", name, "--aside")
    submitted(home, tmp_path, {"to": to, "say": WISH}, HI, **more)

    assert to_answer(home) == ()
    capsys.readouterr()
    pbem(home, "digest")
    assert WISH not in capsys.readouterr().out


def test_seats_of_one_mailbox_are_named_to_the_moderator(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    assert status_of(home, GAME, MADE).one_address == ()

    table = top(home) / "games" / GAME / "game.yaml"
    table.write_text(table.read_text("utf-8").replace("cleo@example.test", "Ann+2@Example.test"), "utf-8")

    assert status_of(home, GAME, MADE).one_address == (("1", "3"),)
    assert "one address:  1 (Ann), 3 (Cleo)" in status_of(home, GAME, MADE).text()
