"""An address without a dot behind its @ is refused wherever one is given, before any mail is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.play.homes.players import why_unreachable
from tests.homes import a_home
from tests.mail.homes import write_settings

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
