"""Orders that were written under an older version of the rules still mean what they meant then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.host.batch import run
from pbem.play import registry
from pbem.play.gate import standing
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.verify import verify
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.state import SEATS
from tests.homes import NOW, a_game, a_home, send

YELLOW, RED, GREEN, *_ = SEATS
TABLE = "seats:\n  yellow: {player: Ann}\n  red: {player: Bob}\n  green: {player: Cy}\n"
ORDER: Json = {"discard": "any", "draw": ["match", "pile"]}
RENEWED: Json = {"discard": "any", "draw": [["match", "pile"]]}


def begun_under(version: int, home: Home, patch: pytest.MonkeyPatch) -> None:
    """Begin a game under an older version of its rules: Yellow keeps a line, and Red has orders lodged."""
    found = registry.find("web-of-power")
    assert found.system is not None
    older = replace(found, system=found.system._replace(version=version))
    with patch.context() as then:
        then.setattr(WebOfPower, "version", version)
        then.setattr(registry, "find", lambda name: older)
        a_game(home, "wop-1", rules="web-of-power", table=TABLE)
        run(home, "wop-1", now=NOW)
        send(home, "wop-1", YELLOW, [{"keep": True, "do": ORDER}])
        run(home, "wop-1", now=NOW)
        send(home, "wop-1", RED, [{"do": ORDER}])


def ordered(home: Home, seat: str) -> Json:
    """Return what the line of a seat orders, as the game reads it now."""
    (line,) = standing(SavedGame(home, "wop-1"), next(one for one in SEATS if one == seat)).lines
    return line.do


def test_lines_that_wait_when_the_rules_change_keep_their_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(tmp_path)
    begun_under(1, home, monkeypatch)
    assert SavedGame(home, "wop-1").record["rules_version"] == 1

    assert (ordered(home, YELLOW), ordered(home, RED)) == (RENEWED, RENEWED)
    assert run(home, "wop-1", now=NOW).turn is not None
    assert ordered(home, YELLOW) == RENEWED
    found = verify(home, "wop-1")
    assert (found.findings, found.recomputed) == ((), 1)


def test_what_answers_a_report_of_the_present_rules_is_read_as_it_stands(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, "wop-1", rules="web-of-power", table=TABLE)
    run(home, "wop-1", now=NOW)
    send(home, "wop-1", YELLOW, [{"keep": True, "do": ORDER}])
    assert ordered(home, YELLOW) == ORDER
