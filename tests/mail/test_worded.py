"""Orders that players say in words, in each game: what is offered has all that they named."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.mail.conversation.offering import orders_in_words
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.meaning import Learner
from tests.homes import a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import Host

CARDS, BOARD, POWERS, ROSE = "web-of-power-cards", "web-of-power", "game-of-powers", "rose-king"
INTRIGUE = "web-of-intrigue"
SEATS = {
    CARDS: ("red", "green", "yellow"),
    BOARD: ("red", "green", "yellow"),
    POWERS: ("white", "black"),
    ROSE: ("red", "white"),
    INTRIGUE: ("1", "2"),
}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Host]:
    """Return a host with a dealt game of each rules, named as they are."""
    hosts = {}
    for rules, seats in SEATS.items():
        home = a_home(tmp_path_factory.mktemp(rules))
        write_settings(home, receipts_per_hour=1000, orders_per_hour=1000)
        rows = "".join(f"  '{one}': {{player: P{one}, address: p{one}@example.test}}\n" for one in seats)
        a_game(home, rules, rules=rules, table=f"seats:\n{rows}")
        hosts[rules] = Host(home)
    return hosts


def offered(said: str) -> str:
    """Return what an answer asks back, without its first two lines; "" if nothing."""
    lines = [line[6:] for line in said.partition("DID YOU MEAN THIS?\n")[2].partition("\n\n")[0].splitlines()]
    return " ".join(line.strip() for line in lines[1:]).removeprefix("- ")


IN_FIELDS = [
    (CARDS, "take Fr5, claim Ba2", "at: yellow-1 do: {take: [Fr5], claim: [Ba2]}"),
    (CARDS, "take: Fr5 claim: ba2", "at: yellow-1 do: {take: [Fr5], claim: [Ba2]}"),
    (CARDS, "take fr5\nclaim Ba2", "at: yellow-1 do: {take: [Fr5], claim: [Ba2]}"),
    (CARDS, "- take Fr5\n- claim Ba2", "at: yellow-1 do: {take: [Fr5], claim: [Ba2]}"),
    (CARDS, "take Fr5, claim Ba2, Ba3", "at: yellow-1 do: {take: [Fr5], claim: [Ba2, Ba3]}"),
    (CARDS, "Yellow-1: take: Fr5", "at: yellow-1 do: {take: [Fr5]}"),
    (CARDS, "yellow-1: take Da3, Da4", "at: yellow-1 do: {take: [Da3, Da4]}"),
    (CARDS, "take: Da3, Da4", "at: yellow-1 do: {take: [Da3, Da4]}"),
    (CARDS, "Take Da3 and Da4, claim Sa1, please", "at: yellow-1 do: {take: [Da3, Da4], claim: [Sa1]}"),
    (BOARD, "place York", "at: yellow-1 do: {place: {pieces: [York]}}"),
    (BOARD, "yellow-1: place York, draw pile", "at: yellow-1 do: {place: {pieces: [York]}, draw: pile}"),
    (BOARD, "discard: Franken-Aragon", "at: yellow-1 do: {discard: Franken-Aragon}"),
    (POWERS, "place Wolin, facing clockwise", "at: white-1 do: {place: Wolin, facing: clockwise}"),
    (POWERS, "white-1: place: wolin", ""),
    (ROSE, "red-1: play N2", "at: red-1 do: {play: N2}"),
    (INTRIGUE, "turn-1: move i6", "at: turn-1 do: {move: i6}"),
    (INTRIGUE, "turn-1: I bid 6 on Celebrax", "at: turn-1 do: {bid_1: {for: Celebrax, points: 6}}"),
]


BOTH = "at: yellow-1 do: {take: [Da3, Da4]}"
STONE = "at: yellow-1 do: {take: [Fr5], claim: [Ba2]}"
IN_SENTENCES = [
    (CARDS, "I take Fr5 and put my stone on Ba2.", STONE),
    (CARDS, "I'll take Fr5, then place a stone on Ba2. Is this how one does it?", STONE),
    (CARDS, "Fr5, and put a stone on Ba2. Is this how one does it?", STONE),
    (CARDS, "Hi Mary,\n\nI'm taking Fr5.\nI put my claiming stone on Ba2!\n\nThanks,\nWalter", STONE),
    (CARDS, "I would like Da3 and Da4 please", BOTH),
    (CARDS, "I'd like to have Da3 and Da4, thanks!", BOTH),
    (CARDS, "Da3, Da4\n\nPyellow", BOTH),
    (CARDS, "My move: Da3 and Da4", BOTH),
    (CARDS, "First I take Da3, then I take Da4", BOTH),
    (CARDS, "I want to take Da4 first and then Da3.", "at: yellow-1 do: {take: [Da4, Da3]}"),
    (BOARD, "I place York and draw from the pile.", "at: yellow-1 do: {place: {pieces: [York]}, draw: pile}"),
    (BOARD, "I would like to place York", "at: yellow-1 do: {place: {pieces: [York]}}"),
    (BOARD, "York please", "at: yellow-1 do: {place: {pieces: [York]}}"),
    (BOARD, "I throw away the card Franken-Aragon", "at: yellow-1 do: {discard: Franken-Aragon}"),
    (
        POWERS,
        "I place my ship at Wolin, facing clockwise",
        "at: white-1 do: {place: Wolin, facing: clockwise}",
    ),
    (ROSE, "I play the card N2, is that right?", ""),
    (ROSE, "I play the card N2. Is that right?", "at: red-1 do: {play: N2}"),
]


NASTY = {
    "one field": "take " * 60,
    "two readings each": "Fr5 also " * 30,
    "many things": "take " + "Fr5 Ba1 It2 " * 19,
    "many words for one place": "put stone on Ba2 " * 12,
    "many beginnings": "I would like to " * 14,
    "one long word": "Fr5 " + "a" * 60_000,
    "marks": "Fr5 " + "!" * 60_000,
    "lines": "I take Fr5\n" * 6_000,
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_no_words_take_long(games: dict[str, Host], text: str) -> None:
    host = games[CARDS]
    saved = SavedGame(host.home, CARDS)
    learn = Learner(host.home, {CARDS: saved}, (CARDS, Seat("yellow")))
    known, lines = learn({"game": CARDS, "seat": "yellow"}), text.split("\n")
    assert isinstance(saved.ask, Ask)

    begun = time.process_time()
    found = [*orders_in_words(saved, Seat("yellow"), saved.ask, known, lines)]

    assert time.process_time() - begun < 1
    assert len(found) <= 1


def test_the_guide_to_mail_shows_two_of_them() -> None:
    guide = (Path(__file__).parents[2] / "docs/mail.md").read_text(encoding="utf-8")

    assert [f"`{text}`" in guide for _, text, _ in (IN_FIELDS[0], IN_SENTENCES[0])] == [True, True]
