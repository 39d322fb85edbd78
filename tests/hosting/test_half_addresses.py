"""An address without a dot behind its @ is refused wherever one is given, before any mail is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.play.homes.players import why_unreachable
from tests.homes import a_home
from tests.hosting.games import MADE, pbem
from tests.mail.homes import write_settings
from tests.mail.moderator import mary

TABLES = {
    "seats.1.address": "seats:\n  1: {player: Ann, address: ann@example}\n  2: {player: Bob}\n",
    "standby.0.address": (
        "seats:\n  1: {player: Ann}\n  2: {player: Bob}\nstandby:\n- {player: Eve, address: ann@example}\n"
    ),
}


@pytest.mark.parametrize("place", TABLES)
def test_in_a_file_of_players_it_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    file.write_text(TABLES[place], encoding="utf-8")

    assert pbem(home, "new", "web-of-intrigue", "half", "--players", str(file), now=MADE) == 1

    said = capsys.readouterr().err
    assert f"{file}:" in said
    assert not home.has("half")


def test_it_is_refused_in_an_act_by_mail(tmp_path: Path) -> None:
    moderator = mary(tmp_path)

    assert moderator.mails("seat club 1 address ann@example") == "refused"


REACHED: dict[str, tuple[Json, bool]] = {
    "ann@example.org": (None, True),
    "ann@localhost": (None, True),
    "ann@example": (None, False),
    "ann@mailhost": ({"address": "host@mailhost", "sendmail": "/bin/true"}, True),
    "host@mailhost": ({"address": "Host@mailhost", "sendmail": "/bin/true"}, False),
    "": (None, True),
}


@pytest.mark.parametrize("address", REACHED)
def test_localhost_and_the_machine_of_the_host_itself_need_no_dot(tmp_path: Path, address: str) -> None:
    mail, is_reached = REACHED[address]
    home = a_home(tmp_path)
    if isinstance(mail, dict):
        write_settings(home, **mail)

    assert (why_unreachable(home, address) == "") is is_reached
