"""Orders that players say in words, in each game: what is offered has all that they named."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.play.saved import SavedGame
from tests.homes import a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import Host, text_of

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
    (CARDS, "Fr5, claim Ba2"),
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
