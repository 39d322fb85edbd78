"""After several turns were taken back each has its own orders and press again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.book import Press
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.submissions.lodging import Plan, Sender, lodge_message
from tests.homes import NOW, TWO, a_game, a_home, game_folder, send, turn_folder, undo

GAME = "rose-1"
KEYED = TWO + "key: true\n"
TURNS = (("red-1", "N2"), ("white-1", "SE1"), ("red-2", "draw"))


def order(home: Home, label: str, card: str) -> None:
    """Lodge one order of the seat that a label names."""
    seat = label.partition("-")[0]
    saved = SavedGame(home, GAME)
    key: dict[str, Json] = {"key": saved.players.key(Seat(seat))} if saved.table.key else {}
    do: Json = {"draw": True} if card == "draw" else {"play": card}
    send(home, GAME, seat, [{"at": label, "do": do}], **key)


def say(home: Home, number: int, words: str) -> None:
    """Lodge press of White to all."""
    sender = Sender(GAME, Seat("white"), Plan(number), lambda _plan: None)
    assert lodge_message(home, Press(ALL, words, False), sender)


def a_played_game(path: Path, table: str = TWO) -> Home:
    """Return a home with a game of three turns behind the deal, one order and one message in each."""
    home = a_home(path)
    a_game(home, table=table)
    for number, (label, card) in enumerate(TURNS, 1):
        say(home, number, f"Words {number}.")
        order(home, label, card)
        assert run(home, GAME, now=NOW).turn == number + 1
    return home


def states(home: Home) -> list[bytes]:
    """Return the saved games and events of the three turns, but for what tells that one was taken back."""
    folders = [turn_folder(game_folder(home, GAME), turn) for turn in (2, 3, 4)]
    files = [(one / name).read_bytes() for one in folders for name in ("state.json", "events.jsonl")]
    return [
        b"".join(line for line in one.splitlines(True) if b" was taken back." not in line) for one in files
    ]


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize(("table", "times"), [(TWO, 1), (TWO, 3), (KEYED, 2)])
def test_turns_that_were_taken_back_come_out_the_same_again(tmp_path: Path, table: str, times: int) -> None:
    home = a_played_game(tmp_path, table)
    before = states(home)
    for _ in range(times):
        undo(home, GAME)

    made = [run(home, GAME, now=NOW).turn for _ in range(times)]

    assert made == list(range(5 - times, 5))
    assert states(home) == before
    assert verify(home, GAME).findings == ()


def test_a_seat_whose_orders_were_for_a_later_turn_has_none_for_the_one_before(tmp_path: Path) -> None:
    home = a_played_game(tmp_path)
    for _ in range(2):
        undo(home, GAME)

    waits = SavedGame(home, GAME)

    assert waits.turn == 2
    assert run(home, GAME, now=NOW).steps == ("white-1",)
