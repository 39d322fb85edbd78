"""Orders that players say in words, in each game: what is offered has all that they named."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.host.notices.questions import open_questions
from pbem.mail.conversation.offering import orders_in_words
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.meaning import Learner
from tests.homes import a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import Host, a_host, text_of

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


def answered(host: Host, rules: str, text: str) -> str:
    """Send a mail of the seat that is asked; return its verdict and the answer."""
    ask = SavedGame(host.home, rules).ask
    assert isinstance(ask, Ask)
    seat = min(ask.seats)
    sender = f"p{seat}@example.test"
    raw = host.a_mail(text, sender, f"Re: [{rules}] Your orders, please")
    verdict = host.gets(raw, host.address(seat, rules), sender).verdict
    assert not host.lodged(Seat(seat), rules)
    return f"{verdict}\n{text_of(host.answers()[-1])}"


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


@pytest.mark.parametrize(("rules", "text", "meant"), IN_FIELDS)
def test_bare_values_behind_the_names_of_fields_are_offered_as_orders(
    games: dict[str, Host], rules: str, text: str, meant: str
) -> None:
    said = answered(games[rules], rules, text)

    assert said.startswith("question\n")
    assert offered(said) == meant


NOT_ALL = [
    (CARDS, "take Da3, 2"),
    (CARDS, "yellow-2: take Da3"),
    (CARDS, "red-1: take Da3"),
    (CARDS, "take Fr5, claim Ba9"),
    (CARDS, "take Fr5, Ba2 claim"),
    (CARDS, "take Fr5 (or Da3)"),
    (CARDS, "take Fr5/Da3"),
    (CARDS, "take Fr5 - Da3"),
    (CARDS, "take Fr5?"),
    (CARDS, "take Fr5, not Da3"),
    (CARDS, "take Fr5. Just kidding"),
    (CARDS, "Red: take Fr5"),
    (CARDS, "when: {pile: 3}\ntake Fr5"),
    (CARDS, "take Fr5\nkeep: true"),
    (BOARD, "place York, pay"),
    (BOARD, "place York Canterbury Tours"),
    (ROSE, "play N2, hero"),
    (ROSE, "N2 with hero"),
    (ROSE, "play N2, E1"),
    (ROSE, "N2, not E1"),
    (ROSE, "I do not play N2"),
    (ROSE, "White played N2"),
    (ROSE, "Pwhite plays N2"),
    (ROSE, "I played N2 last turn"),
    (ROSE, "N2 or N3"),
    (ROSE, "N2 and 3"),
]


@pytest.mark.parametrize(("rules", "text"), NOT_ALL)
def test_nothing_is_offered_that_leaves_out_what_words_name(
    games: dict[str, Host], rules: str, text: str
) -> None:
    assert not offered(answered(games[rules], rules, text))


def test_what_is_wrong_with_what_words_name_is_told_with_its_place(games: dict[str, Host]) -> None:
    said = answered(games[CARDS], CARDS, "take Fr1, claim Ba2")

    assert "WHAT IS WRONG\n  Fr1 does not lie at an end of its row: " in said
    assert "    | take Fr1, claim Ba2\n    |      ^\n" in said


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


@pytest.mark.parametrize(("rules", "text", "meant"), IN_SENTENCES)
def test_sentences_that_one_legal_order_fits_are_asked_back_as_it(
    games: dict[str, Host], rules: str, text: str, meant: str
) -> None:
    said = answered(games[rules], rules, text)

    assert said.startswith("question\n")
    assert offered(said) == meant


OPEN_OR_OTHERS = [
    (CARDS, "I like Fr5"),
    (CARDS, "I have Fr5 and Da3"),
    (CARDS, "Thanks for Fr5!"),
    (CARDS, "Should I take Fr5?"),
    (CARDS, "Can I take Fr5 and put my stone on Ba2?"),
    (CARDS, "I take Fr5. Or is Da3 better?"),
    (CARDS, "I take Fr5. Just kidding"),
    (CARDS, "I take Fr5\n\nJust kidding"),
    (CARDS, "I take Fr5.\n\nThanks\nbut not now"),
    (CARDS, "I took Fr5 and put my stone on Ba2."),
    (CARDS, "Last turn I put my stone on Ba2 and took Fr5."),
    (CARDS, "Next turn I take Fr5"),
    (CARDS, "He will take Fr5"),
    (CARDS, "Red will take Fr5"),
    (CARDS, "Pred takes Fr5, I take Da3"),
    (CARDS, "If it is free I take Fr5"),
    (CARDS, "I take Fr5 unless Da3 is worth more"),
    (CARDS, "I take Fr5 and a stone"),
    (CARDS, "I take Fr5 and place a stone"),
    (CARDS, "I take Fr5 and claim"),
    (CARDS, "I take Fr5 and put 2 stones on Ba2"),
    (CARDS, "I take two cards, Da3 and Da4"),
    (CARDS, "I take Fr5 with Da3"),
    (CARDS, "I take Fr5 and put stones on Ba2 and Ba3"),
    (CARDS, "I take Fr5 and claim Ba2 and Ba3"),
    (CARDS, "I take Fr5, I claim Ba2, and then I claim Ba3"),
    (CARDS, "I take Fr5 and move my stone from Ba1 to Ba2"),
    (CARDS, "I take Fr5. Ba1."),
    (CARDS, "I take Fr5. Ba1 is nice"),
    (CARDS, "I take Fr5 before Da3"),
    (CARDS, "I take Da3, first Da4"),
    (CARDS, "I take Da3 and Da4, Da4 first"),
    (CARDS, "I take Fr5 and claim Ba2 first"),
    (CARDS, "I take Fr5 and also Ba1"),
    (CARDS, "I take neither Fr5 nor Da3"),
    (CARDS, "I never take Fr5"),
    (CARDS, "I don't take Fr5"),
    (CARDS, "I take Fr5 back"),
    (CARDS, "I leave Fr5"),
    (CARDS, "I won't put my stone on Ba2. I take Fr5."),
    (CARDS, "Ba2, take Fr5"),
    (BOARD, "I would like Franken-Aragon"),
    (BOARD, "Place a cloister and an advisor in York"),
    (BOARD, "I place a cloister in York"),
    (BOARD, "I place York with England-Schwaben"),
    (BOARD, "I place York and pay"),
    (BOARD, "I place York for 3 points"),
    (POWERS, "I start in Wolin"),
    (POWERS, "Wolin or Aarhus, facing clockwise"),
    (ROSE, "I play N2 and draw"),
    (ROSE, "I would play N2 if I had a hero"),
]


@pytest.mark.parametrize(("rules", "text"), OPEN_OR_OTHERS)
def test_sentences_that_say_more_or_leave_something_open_are_not_asked_back(
    games: dict[str, Host], rules: str, text: str
) -> None:
    assert not offered(answered(games[rules], rules, text))


def test_what_is_asked_back_counts_when_it_is_sent_and_a_question_beside_it_waits_on(tmp_path: Path) -> None:
    host, text = a_host(tmp_path), "I would like to play N2 please. Is this how one does it?"

    assert host.gets(host.a_mail(text), host.address()).verdict == "question"

    shown = host.answer().partition("DID YOU MEAN THIS?\n")[2].partition("\n\n")[0]
    bare = "\n".join(line.removeprefix("    | ") for line in shown.splitlines())
    assert host.gets(host.a_mail(bare), host.address()).verdict == "lodged"
    with host.home.journal() as db:
        assert [one.words for one in open_questions(db)] == [text]


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
