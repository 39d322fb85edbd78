"""The moderator holds orders back, lodges them for a seat, and writes to all; it is all told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.notices.announcements import hold
from pbem.host.office.acts import lodge_for_moderator, with_key
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.reports.reading import report
from tests.facts import tells
from tests.homes import NOW, TWO, a_game, a_home, orders_text
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    a_club,
    noted,
    pbem,
    public_acts,
    stay,
)

TWO_SEAT = Seat("2")


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


def test_a_key_that_stands_there_is_left_as_it_is(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=KEYED)
    data = orders_text("rose-1", "red", [{"do": {"play": "N2"}}], key="wrong-key").encode()

    assert with_key(home, data) == data
    assert isinstance(lodge_for_moderator(home, data, NOW), list)


def test_games_are_noted_apart(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    hold(home, GAME, TWO_SEAT, "a question", MADE)

    with home.journal() as db:
        assert db.acts("other") == []
    assert noted(home).held == {"2": "a question"}
    assert isinstance(home, Home)
