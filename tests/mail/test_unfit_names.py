"""A name in `game.yaml` that others take for somebody else addresses nobody; status and doctor name it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.doctor import Patient
from pbem.doctor.home import look_at_games
from pbem.host.office.status import status_of
from pbem.host.people.names import rename_player
from pbem.play.homes.home import Home
from pbem.store.errors import RequestRefused, WrongInput
from pbem.text.names import meant, unambiguous_names
from tests.facts import tells
from tests.homes import NOW, game_folder, orders_text, top
from tests.mail.host import N2, Host, a_host

GAME: Final = "rose-1"
NAMES: Final = ("RED", "Rеd", "Player Red", "red & white", "Аnn", "all", "Hоst")
"""None of them can be the name of white's player, where red's is called Ann.

They are, or look like, what a seat, all, the host or a player is called; more of them stand in
`tests/text/test_playernames.py`.
"""


def called(path: Path, name: str) -> Host:
    """Return a host whose moderator has written a name for Bob into `game.yaml`."""
    host = a_host(path)
    file = game_folder(host.home, GAME) / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("Bob", f'"{name}"'), encoding="utf-8")
    return host


def unfit(home: Home) -> list[tuple[str, str]]:
    return [(one.name, one.seat) for one in status_of(home, GAME, NOW).names]


@pytest.mark.parametrize("name", NAMES)
def test_press_to_such_a_name_is_refused_at_each_door(tmp_path: Path, name: str) -> None:
    host = called(tmp_path, name)

    assert host.gets(host.a_mail(f"to: {name}\n\nPeace?"), host.press_address()).verdict == "refused"
    readers: tuple[Json, ...] = (name, [name]) if name != ALL else ()  # which in orders is no name
    for to in readers:
        text = orders_text(GAME, "red", N2, press=[{"to": to, "say": "Peace?"}])
        assert host.gets(host.a_mail(text), host.address()).verdict == "refused"

    found = meant(name, (Seat("red"), Seat("white")), {Seat("red"): "Ann", Seat("white"): name})
    assert not found.to and any(Seat("white") in several for several in found.unclear.values())
    assert all(len(several) > 1 for several in found.unclear.values())
    assert host.lodged() == ""


@pytest.mark.parametrize("name", NAMES)
def test_status_doctor_and_the_doors_for_names_decide_alike(tmp_path: Path, name: str) -> None:
    host = called(tmp_path, name)

    assert (name, "white") in unfit(host.home)
    assert any(what == "name" for what, _ in status_of(host.home, GAME, NOW).rows())
    patient = Patient(host.home, str(top(host.home)), NOW)
    assert any(tells(one.text, "white") for one in look_at_games(patient))

    rename_player(host.home, GAME, Seat("white"), "Bob", NOW)
    assert unfit(host.home) == []
    with pytest.raises((RequestRefused, WrongInput)):
        rename_player(host.home, GAME, Seat("white"), name, NOW)


@pytest.mark.parametrize("name", ["White", "Anna", "Reda"])
def test_a_name_that_is_nobody_elses_addresses_its_player(tmp_path: Path, name: str) -> None:
    host = called(tmp_path, name)

    assert unfit(host.home) == []
    assert host.gets(host.a_mail(f"to: {name}\n\nPeace?"), host.press_address()).verdict == "press"


def test_two_names_that_look_alike_stand_for_nobody_in_orders() -> None:
    seats = tuple(map(Seat, ("1", "2", "3")))

    assert unambiguous_names(seats, dict(zip(seats, ("Ann", "Аnn", "Bob"), strict=True))) == {
        Seat("3"): "Bob"
    }
    assert unambiguous_names(seats, dict(zip(seats, ("Ann", "Sеat 3", "Bob"), strict=True))) == {
        Seat("1"): "Ann",
        Seat("3"): "Bob",
    }
