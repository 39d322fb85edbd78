"""The moderator holds orders back, lodges them for a seat, and writes to all; it is all told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.announcements import announce, hold, release
from pbem.host.office.acts import lodge_for_moderator, with_key
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.receipts import Receipt
from pbem.text.mail.findorders import NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from tests.facts import each_tells, tells
from tests.homes import NOW, TWO, a_game, a_home, orders_text, send, top
from tests.hosting.games import (
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    TUESDAY,
    a_club,
    due,
    noted,
    pbem,
    public_acts,
    queued,
    stay,
)

TWO_SEAT = Seat("2")


def test_orders_that_are_held_back_are_as_if_none_had_come(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2", "3")
    hold(home, GAME, TWO_SEAT, "they are looked at", MADE)

    early = run(home, GAME, now=MADE + HOUR)
    assert (early.turn, early.waiting) == (None, ("2",))
    assert status_of(home, GAME).owing == ("2",)
    ran = due(home, TUESDAY)

    assert ran.missed == ("2",)
    assert not (SavedGame(home, GAME).folder / "turns/0002/orders/2.yaml").exists()
    assert verify(home, GAME).findings == ()
    told = " ".join(report(home, GAME, "3").split())
    assert tells(told, "Bob (2)")


def test_who_holds_orders_back_reads_whether_some_stand_and_what_came_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    stay(home, "1")
    for seat in ("1", "2"):
        pbem(home, "hold", GAME, seat, now=MADE)
    stay(home, "2")

    assert each_tells(capsys.readouterr().out.splitlines(), ("1", "1 --release"), ("2", "2 --release"))
    found = status_of(home, GAME, MADE)
    assert ("orders", "1 (Ann), 2 (Bob)") in found.rows()
    assert (found.owing, found.without_a_line()) == (("1", "2", "3"), ())


def test_who_submits_for_a_seat_that_is_held_back_reads_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    pbem(home, "hold", GAME, "2", "--why", "unclear", now=MADE)
    file = tmp_path / "bob.yaml"
    file.write_text(orders_text(GAME, "2", [{"at": "turn-1", "do": {"move": "stay"}}]), encoding="utf-8")
    capsys.readouterr()

    assert run_command(["submit", str(file), "--home", str(top(home))]) == 0

    assert tells(capsys.readouterr().out.splitlines(), "2", "2 --release")


def test_lines_left_over_from_before_are_held_back_too_and_kept(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    line: Json = {"keep": True, "do": {"move": "stay"}}
    for seat in ("1", "2", "3"):
        send(home, GAME, seat, [line])
    run(home, GAME, now=MADE + MINUTE)
    hold(home, GAME, TWO_SEAT, "a question", MADE + HOUR)

    held = due(home, TUESDAY)
    release(home, GAME, TWO_SEAT, TUESDAY + MINUTE)
    free = due(home, FRIDAY - HOUR)

    assert (held.turn, held.missed) == (3, ("2",))
    assert (free.turn, free.missed) == (4, ())
    assert verify(home, GAME).findings == ()


def test_orders_that_the_moderator_lodges_are_told_to_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "3")
    path = tmp_path / "bob.yaml"
    path.write_text(orders_text(GAME, "2", [{"at": "turn-1", "do": {"move": "stay"}}]), encoding="utf-8")

    assert pbem(home, "submit", str(path), "--for-moderator") == 0
    run(home, GAME, now=MADE + 2 * HOUR)

    assert tells(capsys.readouterr().out, "2", "1")
    told = " ".join(report(home, GAME, "spectator").split())
    assert tells(told, "2", "1")


def test_orders_with_a_mistake_are_refused_as_any_and_nothing_is_told(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    data = orders_text(GAME, "2", [{"at": "turn-1", "do": {"move": "far"}}]).encode()

    assert isinstance(lodge_for_moderator(home, data, MADE), list)
    assert public_acts(home) == []


KEYED = f"{TWO}key: true\n"


@pytest.mark.parametrize("end", ["\n", "", "\n# pbem receipt 3\n", "\n\n"])
def test_the_moderator_needs_no_key(tmp_path: Path, end: str) -> None:
    home = a_home(tmp_path)
    a_game(home, table=KEYED)
    data = orders_text("rose-1", "red", [{"do": {"play": "N2"}}]).rstrip("\n").encode() + end.encode()

    lodged = lodge_for_moderator(home, data, NOW + HOUR)
    ran = run(home, "rose-1", now=NOW + HOUR)

    assert isinstance(lodged, Receipt)
    assert ran.steps == ("red-1",)
    key = SavedGame(home, "rose-1").players.key(Seat("red"))
    assert key not in ((top(home) / "games") / "rose-1/turns/0002/orders/red.yaml").read_text()


def test_a_key_that_stands_there_is_left_as_it_is(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=KEYED)
    data = orders_text("rose-1", "red", [{"do": {"play": "N2"}}], key="wrong-key").encode()

    assert with_key(home, data) == data
    assert isinstance(lodge_for_moderator(home, data, NOW), list)


def test_an_announcement_is_mailed_to_all_and_stands_in_the_next_report(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "60d"})
    text = "Two words:\n  happy new year\nWHAT HAPPENED"

    assert pbem(home, "announce", GAME, text) == 0
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + 2 * HOUR)

    mails = queued(home, "notice")
    assert len(mails) == 3
    assert b"| Two words:\r\n|   happy new year\r\n| WHAT HAPPENED\r\n" in mails[0].raw
    page = report(home, GAME, "1")
    assert "  The moderator:\n    | Two words:\n" in page
    assert "| WHAT HAPPENED\n" in page
    assert page.count("\nWHAT HAPPENED") <= 1


def test_each_act_of_the_moderator_stands_in_a_line_of_its_own(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    for n, words in enumerate(("Happy new year.", "A pause comes.", "Play well.")):
        announce(home, "rose-1", words, NOW + n * MINUTE)

    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    run(home, "rose-1", now=NOW + HOUR)

    told = report(home, "rose-1", "spectator").split("\nWHAT HAPPENED\n")[1].splitlines()
    acts = [(place, line) for place, line in enumerate(told) if "The moderator: " in line]
    assert [line.partition("The moderator: ")[2] for _, line in acts] == [
        "Happy new year.",
        "A pause comes.",
        "Play well.",
    ]
    assert all(line.startswith(" " * 10 + "The") for _, line in acts[1:])
    page = report(home, "rose-1", "spectator", name="report.html")
    assert re.search(r"new year\.\s*<br>\s*The moderator: A pause comes\.\s*<br>\s*The moderator: Play", page)


def test_what_the_moderator_writes_is_never_taken_for_orders(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    orders = orders_text(GAME, "2", [{"at": "turn-1", "do": {"move": "stay"}}])

    pbem(home, "announce", GAME, orders)
    pbem(home, "pause", GAME, "--why", f"x\n{orders}")

    for mail in queued(home, "notice"):
        letter = read_letter(mail.raw)
        assert isinstance(letter, Letter)
        assert isinstance(find_orders(letter, lambda _line: True), NoOrders)


def test_everything_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = a_club(tmp_path)
    pbem(home, "hold", GAME, "2")
    pbem(home, "away", GAME, "3", "--to", "2026-12-01")
    capsys.readouterr()

    assert run_command(["acts", GAME, "--home", str(top(home))]) == 0

    first, _second = capsys.readouterr().out.splitlines()
    assert tells(first, "2026-11-20 15:00:00 EET", "Bob (2)")


def test_games_are_noted_apart(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    hold(home, GAME, TWO_SEAT, "a question", MADE)

    with home.journal() as db:
        assert db.acts("other") == []
    assert noted(home).held == {"2": "a question"}
    assert isinstance(home, Home)
