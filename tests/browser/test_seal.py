"""The order page of a game with sealed luck words: it makes words and seal by itself, and opens the seal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.core.opening import seal_of
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.strictyaml import parse
from tests.browser.chromium import AXE
from tests.browser.forms import Desk, lodge
from tests.browser.test_pages import RUN_AXE
from tests.homes import NOW, a_game, a_home, send

pytestmark = pytest.mark.browser

GAME = "web-9"
SEAL = '[id="line.0.do.seal"]'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = a_home(tmp_path)
    table = "seats:\n  1: {player: Ann}\n  2: {player: Bob}\n"
    options: dict[str, Json] = {"turns": 1, "sealed": True}
    a_game(found, GAME, rules="web-of-intrigue", table=table, options=options, deal=False)
    return found


def do_of(desk: Desk) -> dict[str, Json]:
    """Return the order that the page would send."""
    value = parse(desk.yaml().encode()).value
    assert isinstance(value, dict) and isinstance(value["orders"], list)
    line = value["orders"][0]
    assert isinstance(line, dict) and isinstance(line["do"], dict)
    return line["do"]


def test_the_page_makes_words_and_seal_and_never_sends_the_words_before_they_are_asked_for(
    home: Home, desk: Desk
) -> None:
    desk.opens(SavedGame(home, GAME), "1")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")

    desk.page.click(desk.id("line.0.do.seal.make"))
    words = desk.page.input_value(desk.id("line.0.do.seal.words"))
    desk.page.evaluate(AXE.read_text(encoding="utf-8"))

    assert len(words) == 39 and do_of(desk) == {"seal": seal_of(GAME, "1", words)}
    assert words not in desk.yaml()
    assert desk.page.evaluate(RUN_AXE) == []
    assert desk.wrong() == []
    lodge(home, desk.yaml(), desk.folder)
    send(home, GAME, "2", [{"at": "start", "do": {"luck": "rain"}}])
    run(home, GAME, now=NOW)

    desk.opens(SavedGame(home, GAME), "1")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert not desk.page.locator(SEAL).count(), "only the words are asked for now"
    desk.page.fill(desk.id("line.0.do.luck"), words)
    lodge(home, desk.yaml(), desk.folder)
    run(home, GAME, now=NOW)
    assert SavedGame(home, GAME).is_dealt
    assert desk.errors == []


def test_other_words_have_another_seal_and_a_seal_can_be_taken_back(home: Home, desk: Desk) -> None:
    desk.opens(SavedGame(home, GAME), "1")
    desk.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    desk.page.click(desk.id("line.0.do.seal.make"))
    first = do_of(desk)["seal"]
    desk.page.click(desk.id("line.0.do.seal.make"))
    assert do_of(desk)["seal"] != first
    desk.page.click(desk.id("line.0.do.seal.drop"))
    assert "seal:" not in desk.yaml()


def test_the_page_reckons_seals_as_the_program_does(home: Home, desk: Desk) -> None:
    """At all lengths around the blocks of SHA-256."""
    desk.opens(SavedGame(home, GAME), "1")
    texts = ["x" * n for n in range(200)]

    assert desk.page.evaluate("texts => texts.map(pbem.parts.seal.sealOf)", texts) == [
        seal_of(GAME, "1", text) for text in texts
    ]
