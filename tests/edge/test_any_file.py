"""Files that hold orders in any form a mail may have: a saved mail, a pasted reply, quoted, with prose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.homes import a_game, a_home, orders_path, top

ORDERS = "game: rose-1\nseat: red\norders:\n- at: red-1\n  do: {play: N2}\n"
MAIL = (
    "Received: from there\nFrom: Ann <ann@example.org>\nTo: game@example.org\nSubject: Re: your turn\n"
    'Content-Type: text/plain; charset="utf-8"\n\n'
)
QUOTED = "".join(f"> {line}\n" for line in ORDERS.splitlines())
REPORT = (
    f"The Rose King, rose-1, turn 1, for Red\n{'=' * 72}\n"
    "WHAT YOU CAN DO NOW - your move\n  play: N2                   to E3; points 0 to 1\n\n"
    f"ORDERS FORM - fill it in and send it back\n# pbem form rose-1 red red-1\n{ORDERS}"
    "## The first line that fits is played.\n\nKeep it: with it you can prove later what was asked.\n"
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = a_home(tmp_path)
    a_game(home)
    return home


WAYS = [
    pytest.param(f"{MAIL}Hello,\n\n{ORDERS}\nBest, Ann\n", id="a saved mail"),
    pytest.param(f"Dear host,\n\nhere they are:\n\n{ORDERS}\nBest wishes\nAnn\n", id="a pasted reply"),
    pytest.param(f"Ann wrote:\n{QUOTED}\nSee above.\n", id="quoted"),
    pytest.param(f"{MAIL}{REPORT}", id="a whole report in a mail"),
]


@pytest.mark.parametrize("written", WAYS)
def test_check_and_submit_read_what_a_mail_may_hold_and_say_where_it_was(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(written, encoding="utf-8")

    for verb in ("check", "submit"):
        assert run_command([verb, str(path), "--home", str(top(home))]) == 0
        assert tells(capsys.readouterr().out)

    lodged = orders_path(home, "rose-1", "red").read_text("utf-8")
    assert ORDERS in lodged


@pytest.mark.parametrize(
    ("above", "below"),
    [("play: NE3\n\n", ""), ("", f"\n# pbem form rose-1 red red-0\n{ORDERS}".replace("N2", "E1"))],
    ids=["an order above", "a second form"],
)
def test_a_whole_report_with_other_orders_beside_its_form_is_refused(
    home: Home, tmp_path: Path, above: str, below: str
) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(f"{MAIL}{above}{REPORT}{below}", encoding="utf-8")

    assert run_command(["submit", str(path), "--home", str(top(home))]) == 1

    assert not orders_path(home, "rose-1", "red").exists()


def test_a_line_that_cannot_be_once_another_is_mended_is_told_then_and_never_left_out(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = "- at: red-2\n  when: {crown: A1}\n  do: {draw: true}\n"
    path = tmp_path / "red.yaml"
    path.write_text(ORDERS.replace("N2", "N22").rstrip("\n") + f"\n{later}", encoding="utf-8")

    assert run_command(["check", "--json", str(path), "--home", str(top(home))]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert ([one["line"] for one in answer["faults"]], answer["offer"]) == ([5], [])
    path.write_text(path.read_text(encoding="utf-8").replace("N22", "N2"), encoding="utf-8")
    assert run_command(["check", "--json", str(path), "--home", str(top(home))]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert [one["line"] for one in answer["faults"]] == [7]


def test_a_plain_orders_file_is_taken_as_it_is(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "red.yaml"
    path.write_text(f"{ORDERS}# my plan: take the centre\n", encoding="utf-8")

    assert run_command(["submit", str(path), "--home", str(top(home))]) == 0

    out = capsys.readouterr().out
    assert "found in" not in out
    assert "Note:" not in out
    assert orders_path(home, "rose-1", "red").read_text("utf-8").startswith(path.read_text("utf-8"))
