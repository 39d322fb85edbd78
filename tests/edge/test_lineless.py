"""Press and orders without a line: what stands, what goes out once, and what turns taken back leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.finished import orders_in_force
from pbem.core.book import Press
from pbem.core.events import ALL, Seat, only
from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import standing_orders_of
from pbem.play.submissions.lodging import KnownSender, LodgingPlan, lodge, lodge_message
from pbem.play.submissions.receipts import PressReceipt, Receipt
from pbem.play.submissions.reinstated import MOST_WAITING
from pbem.text.orders import Fault
from tests.homes import (
    NOW,
    TWO,
    a_game,
    a_home,
    first_choice,
    game_folder,
    load_record,
    orders_path,
    orders_text,
    send,
    top,
    tree,
    turn_folder,
    undo,
)

RED, WHITE = Seat("red"), Seat("white")
DRAW: Json = {"draw": True}
LINES: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": DRAW}]
KEEP: list[Json] = [{"at": "white-1", "do": {"play": "SE1"}}, {"keep": True, "do": DRAW}]
HEAD = "game: rose-1\nseat: red\n"
PRESS = HEAD + "press:\n- {to: all, say: Peace in the north}\n"


def sent(home: Home, text: str) -> Receipt | PressReceipt | list[Fault]:
    """Lodge a file, as `pbem submit` does."""
    return lodge(home, text.encode())


def say(home: Home, text: str = PRESS) -> PressReceipt:
    answer = sent(home, text)
    assert isinstance(answer, PressReceipt), answer
    return answer


def lines_of(home: Home, seat: Seat = RED) -> list[Json]:
    return [line.do for line in standing_orders_of(SavedGame(home, "rose-1"), seat).lines]


def choose(home: Home, seat: str) -> None:
    """Send the first order that can be given."""
    send(home, "rose-1", seat, [{"do": first_choice(SavedGame(home, "rose-1"), seat)}])


def turn(home: Home) -> None:
    assert run(home, "rose-1", now=NOW).turn is not None


def is_whole(home: Home) -> bool:
    """Tell whether every turn can be played again and comes out the same."""
    found = verify(home, "rose-1")
    return (found.findings, found.recomputed) == ((), found.turns)


@pytest.mark.parametrize("by_hand", ["", PRESS, PRESS + "orders: []\npartial: true\n"])
def test_press_alone_leaves_lines_left_over_and_standing_orders(home: Home, by_hand: str) -> None:
    send(home, "rose-1", "white", KEEP)
    send(home, "rose-1", "red", LINES[:1])
    turn(home)

    if by_hand:
        place, text = orders_path(home, "rose-1", WHITE), by_hand.replace("seat: red", "seat: white")
        place.write_text(text, encoding="utf-8")
    else:
        assert "keep: true" in say(home, PRESS.replace("seat: red", "seat: white")).standing

    assert lines_of(home, WHITE) == [DRAW]
    assert status_of(home, "rose-1").pending == (WHITE,)
    send(home, "rose-1", "red", [{"at": "red-2", "do": DRAW}])
    turn(home)
    assert not by_hand or load_record(game_folder(home, "rose-1"), 3)["kept"] == ["white"]
    before = SavedGame(home, "rose-1", at_turn=2)
    assert [line.do for line in orders_in_force(before, before.turns.at(3))[WHITE].lines] == [DRAW]
    assert "| Peace in the north" in report(home, "rose-1", "red")
    assert lines_of(home, WHITE) == [DRAW]
    assert is_whole(home)
    undo(home, "rose-1")
    turn(home)
    assert report(home, "rose-1", "red").count("| Peace in the north") == 1
    assert is_whole(home)


def test_the_same_press_given_again_or_with_lines_goes_out_once(home: Home) -> None:
    say(home)
    before = tree(top(home))

    say(home)

    assert tree(top(home)) == before
    send(home, "rose-1", "red", LINES, press=[{"to": "all", "say": "Peace in the north"}])
    turn(home)
    assert report(home, "rose-1", "white").count("| Peace in the north") == 1
    assert is_whole(home)


def test_no_more_press_waits_than_may(home: Home) -> None:
    for number in range(MOST_WAITING):
        say(home, f"{HEAD}press:\n- {{to: all, say: words {number}}}\n")
    before = tree(top(home))

    answer = sent(home, PRESS)

    assert isinstance(answer, list) and [fault.kind for fault in answer] == ["press-full"]
    assert tree(top(home)) == before


def test_press_that_was_sent_alone_outlives_new_lines_and_a_withdrawal(home: Home) -> None:
    say(home)
    send(home, "rose-1", "red", LINES, press=[{"to": "all", "say": "Never mind"}])
    answer = send(home, "rose-1", "red", "none")
    send(home, "rose-1", "red", LINES)
    turn(home)

    told = report(home, "rose-1", "white")
    assert told.count("| Peace in the north") == 1
    assert "Never mind" not in told, "it was withdrawn with the lines beside it"
    assert answer.replaced.endswith("press:\n- {to: all, say: Never mind}")


def test_a_word_withdraws_lines_left_over_and_they_stay_withdrawn(home: Home) -> None:
    send(home, "rose-1", "white", KEEP)
    send(home, "rose-1", "red", LINES)
    turn(home)

    send(home, "rose-1", "white", "none")

    assert lines_of(home, WHITE) == []
    choose(home, "red")
    assert run(home, "rose-1", now=NOW).waiting == (WHITE,)
    assert lines_of(home, WHITE) == []
    choose(home, "white")
    turn(home)
    assert lines_of(home, WHITE) == []
    assert is_whole(home)


def test_press_goes_out_where_partial_orders_lose_all_lines(home: Home) -> None:
    send(home, "rose-1", "red", LINES)
    bad: list[Json] = [{"at": "red-1", "do": {"play": "NW3"}}]
    text = orders_text("rose-1", "red", bad, partial=True, press=[{"to": "all", "say": "Hi"}])

    answer = say(home, text)

    assert len(answer.judged.submission.envelope.dropped) == 1
    assert "play: N2" in answer.standing


def test_a_second_try_stores_press_once_and_says_the_same(home: Home) -> None:
    send(home, "rose-1", "red", LINES)
    noted: list[LodgingPlan] = []
    first = lodge(home, PRESS.encode(), KnownSender("rose-1", RED, None, noted.append))
    before = tree(top(home))
    turn(home)

    again = lodge(home, PRESS.encode(), KnownSender("rose-1", RED, noted[0], noted.append))

    assert isinstance(first, PressReceipt)
    assert isinstance(again, PressReceipt)
    assert (again.press, again.standing, again.taken) == (first.press, first.standing, True)
    assert {name: data for name, data in tree(top(home)).items() if "orders/rose-1" in name} == {
        name: data for name, data in before.items() if "orders/rose-1" in name
    }


PLAY: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}]


def said(home: Home, number: int, say: str, seat: Seat = WHITE) -> bool:
    sender = KnownSender("rose-1", seat, LodgingPlan(number), lambda _plan: None)
    return lodge_message(home, Press(only(RED), say, False), sender)


def run_red(home: Home) -> None:
    send(home, "rose-1", "red", PLAY)
    assert run(home, "rose-1", now=NOW).turn == 2


def test_the_same_message_lodged_again_changes_nothing(home: Home) -> None:
    said(home, 1, "Peace?")
    before = tree(top(home))

    assert said(home, 1, "Peace?")
    assert tree(top(home)) == before


def test_press_by_itself_is_no_part_of_the_orders_that_new_ones_replace(home: Home) -> None:
    said(home, 3, "Peace?", RED)

    assert send(home, "rose-1", "red", PLAY).replaced == ""


def test_a_page_is_escaped_also_when_its_templates_were_compiled_for_a_text_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = a_home(tmp_path)
    own = top(home) / "templates" / "common"  # with one, a home shares no templates that were loaded before
    own.mkdir(parents=True)
    (own / "mine.txt.j2").write_text("")
    a_game(home)
    said(home, 3, "<script>alert(1)</script>")
    run_red(home)

    page = report(home, "rose-1", "red", name="report.html")

    assert "<script>" not in page
    assert "| &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert list((tmp_path / "cache" / "pbem" / "templates").iterdir())


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


def tell_all(home: Home, number: int, words: str) -> None:
    """Lodge press of White to all."""
    sender = KnownSender(GAME, Seat("white"), LodgingPlan(number), lambda _plan: None)
    assert lodge_message(home, Press(ALL, words, False), sender)


def a_played_game(path: Path, table: str = TWO) -> Home:
    """Return a home with a game of three turns behind the deal, one order and one message in each."""
    home = a_home(path)
    a_game(home, table=table)
    for number, (label, card) in enumerate(TURNS, 1):
        tell_all(home, number, f"Words {number}.")
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
