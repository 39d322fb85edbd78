"""Playing ahead on the board: moves, answers, and own answers to them, which become lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.rose_king.moves import legal_moves, read_move, write_move
from pbem.rules.rose_king.planning import Here, after
from pbem.rules.rose_king.state import SEATS, Draw, Play, opponent
from pbem.rules.rose_king.view import View
from tests.browser.forms import Desk, a_window, asked, judged
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser

WALK = """path => {
  let view = pbem.data.view;
  for (const order of path) view = pbem.game.moves(view).find((one) => pbem.words.canonical(one.do) === pbem.words.canonical(order)).view;
  return pbem.game.moves(view).map((one) => [one.do, one.view.crown, one.view.board, pbem.game.told(one.view).match(/\\d+(?= points?\\b)/g), one.worth ?? ""]);
}"""  # noqa: E501
PLIES, WALKS = 7, 25


@pytest.fixture(scope="module")
def rose(demo: Home) -> SavedGame:
    """Return a game in which White is asked."""
    return SavedGame(demo, "rose-1")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> SavedGame:
    """Return a game before its first move."""
    home = a_home(tmp_path_factory.mktemp("fresh"))
    a_game(home)
    return SavedGame(home, "rose-1")


def worth_of(view: View, then: View, mover: Seat) -> str:
    """Return what a move changes of the points, as the page says it."""
    foe = opponent(mover)
    gain, loss = (then.side(one).points - view.side(one).points for one in (mover, foe))
    return f"+{gain}" + (f", {foe.capitalize()} \N{MINUS SIGN}{-loss}" if loss else "")


@pytest.mark.parametrize(("which", "seat"), [("rose", SEATS[0]), ("rose", SEATS[1]), ("fresh", SEATS[0])])
def test_the_page_knows_the_moves_of_the_rules(
    which: str, seat: Seat, request: pytest.FixtureRequest, desk: Desk
) -> None:
    saved: SavedGame = request.getfixturevalue(which)
    desk.opens(saved, seat)
    facts = saved.rules.facts  # type: ignore[attr-defined]
    dice = random.Random(18)

    for _ in range(WALKS):
        view = saved.opening.view(saved.position.game, seat)
        assert isinstance(view, View)
        path: list[Json] = []
        drawn = dict.fromkeys(SEATS, 0)
        for _ in range(PLIES):
            mover = view.to_move
            if mover is None or any(view.left_for(one) == 0 for one in SEATS):
                break
            side = view.side(mover)
            moves = legal_moves(facts, view.crown, view.board, mover, side.hand, side.heroes)
            is_full = len(side.hand) + drawn[mover] >= facts.hand_limit
            wanted = {}
            for move in moves:
                if not (is_full and isinstance(move, Draw)):
                    then = after(facts, Here.of(facts, view), move).view
                    points = [str(then.side(one).points) for one in SEATS]
                    unseen = "" if mover == seat else "draws a card"
                    worth = worth_of(view, then, mover) if isinstance(move, Play) else unseen
                    wanted[repr(write_move(move))] = (then.crown, dict(then.board), points, worth)
            found = {repr(order): tuple(rest) for order, *rest in desk.page.evaluate(WALK, path)}
            if not wanted:
                foe = view.side(opponent(mover))
                is_over = not legal_moves(
                    facts, view.crown, view.board, opponent(mover), foe.hand, foe.heroes
                )
                assert list(found) == ([] if is_over else ["None"])
                break
            assert found == wanted
            order = write_move(dice.choice(moves if not is_full else [m for m in moves if m != Draw()]))
            path.append(order)
            drawn[mover] += order == {"draw": True}
            view = after(facts, Here.of(facts, view), read_move(order)).view


class Player:
    """Somebody who makes moves on the board that is shown, and walks between them."""

    def __init__(self, desk: Desk, how: str) -> None:
        self.desk, self.how = desk, how

    def does(self, selector: str) -> None:
        """Press something."""
        if self.how == "keys":
            back = bool(self.desk.page.evaluate(BEFORE, selector))
            self.desk.tabs_to(selector, back=back)
            self.desk.presses("Enter")
        elif self.how == "touch":
            self.desk.page.tap(selector)
        else:
            self.desk.page.click(selector)

    def moves(self, words: str) -> None:
        """Make a move on the board, or by its name where it leads to no square."""
        on_board = f'#walked [aria-label="{words}"]'
        if self.desk.page.locator(on_board).count():
            self.does(on_board)
        else:
            name = self.desk.page.locator(f"#walk-moves button:text('{words}')").get_attribute("id")
            self.does(self.desk.id(str(name)))

    def options(self) -> list[str]:
        """Return the moves that are offered, as they are named."""
        return self.desk.page.locator("#walk-moves button").all_inner_texts()

    def at(self) -> str:
        """Return what the page says of the position that is shown."""
        return self.desk.page.inner_text("#walk-at")


BEFORE = """selector => {
  const there = document.querySelector(selector);
  return Boolean(document.activeElement.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING);
}"""
WHITE = "White turns over D1 with N1 and a hero"
RED = "Red takes C2 with SW1"


@pytest.fixture(params=["mouse", "keys", "touch"])
def player(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Player]:
    """Return a player with a mouse, with keys only, or on a telephone."""
    how = request.param
    width = 360 if how == "touch" else 1000
    with a_window(browser, tmp_path, width=width, has_touch=how == "touch") as desk:
        yield Player(desk, how)


def test_a_plan_is_made_by_playing_it(player: Player, rose: SavedGame, tmp_path: Path) -> None:
    desk = player.desk
    desk.opens(rose, "red")
    player.does("#walk-on")
    assert player.at().startswith("As it is now. The crown is on D2.")
    player.moves(WHITE)
    assert "The crown is on D1" in player.at()
    player.moves(RED)
    assert "Red has 53 points, 1 hero and holds N2, N3, W2;" in player.at()
    player.moves("White turns over F5 with SE3 and a hero")
    player.moves("Red takes F3 with N2")
    for _ in range(3):
        player.does("#walk-back")
    assert player.options()[0] == f"{RED} (+13) (your order)"
    player.does("#walk-back")
    assert f"{WHITE} (+5, Red \N{MINUS SIGN}7) (answered)" in player.options()
    player.moves("White takes G5 with SE3")
    player.moves("Red draws a card")

    first: Json = {"at": "red-36", "when": {"crown": "D1"}, "do": {"play": "SW1"}}
    second: Json = {
        "at": "red-37", "when": {"crown": "F5", "board.D1": "white", "board.C2": "red"}, "do": {"play": "N2"}
    }  # fmt: skip
    third: Json = {"at": "red-36", "when": {"crown": "G5"}, "do": {"draw": True}}
    found = desk.page.evaluate("() => pbem.page.doc().orders")
    assert sorted(found, key=repr) == sorted([first, second, third], key=repr)
    assert desk.wrong() == []
    assert not isinstance(judged(rose.home, desk.yaml(), tmp_path), list)

    told = desk.page.inner_text("#tree-lines")
    assert all(one in told for one in (WHITE, RED, "Red takes F3 with N2", "White takes G5 with SE3"))
    desk.reloads()
    assert desk.page.inner_text("#tree-lines") == told
    prune = f'#tree-lines button[aria-label="Leave out: {WHITE}, and all that follows"]'
    player.does(prune)
    assert desk.page.evaluate("() => pbem.page.doc().orders") == [third]
    player.does("#undo")
    assert desk.page.inner_text("#tree-lines") == told


def test_another_answer_takes_the_place_of_the_first_and_of_what_built_on_it(
    rose: SavedGame, desk: Desk
) -> None:
    player = Player(desk, "mouse")
    desk.opens(rose, "red")
    player.does("#walk-on")
    for words in (WHITE, RED, "White turns over F5 with SE3 and a hero", "Red takes F3 with N2"):
        player.moves(words)
    for _ in range(3):
        player.does("#walk-back")
    player.moves("Red draws a card")

    assert desk.page.evaluate("() => pbem.page.doc().orders") == [
        {"at": "red-36", "when": {"crown": "D1"}, "do": {"draw": True}}
    ]


def test_the_own_move_for_now_begins_a_plan(rose: SavedGame, desk: Desk, tmp_path: Path) -> None:
    player = Player(desk, "mouse")
    desk.opens(rose, "white")
    player.does("#walk-on")
    player.moves("White takes B4 with SW2")
    reply = player.options()[0].removesuffix(" (no line yet)")
    player.moves(reply)
    answer = player.options()[0]
    player.moves(answer)

    orders = desk.page.evaluate("() => pbem.page.doc().orders")
    assert [line["at"] for line in orders] == ["white-35", "white-36"]
    assert "when" not in orders[0]
    assert list(orders[1]["when"]) == ["crown"]
    assert not isinstance(judged(rose.home, desk.yaml(), tmp_path), list)

    later = [one for one in player.options() if one.startswith("Red")]
    player.moves(later[0].removesuffix(" (no line yet)"))
    player.moves(player.options()[0])
    for _ in range(3):
        player.does("#walk-back")
    player.moves(next(one for one in player.options() if "your order" not in one))
    told = desk.page.inner_text("#done")
    assert told.endswith("; a line that followed from the other order is gone, and Undo brings it back")
    moved = player.at()
    player.does("#undo")
    assert desk.page.inner_text("#done").startswith("Undone: order 2 says again: ")
    assert desk.page.inner_text("#done").endswith("; order 3 is back.")
    assert player.at() != moved, "the undone move is taken off the board"
    assert any(one.endswith("(your order)") for one in player.options())


def test_a_line_for_later_is_shown_on_its_board(rose: SavedGame, desk: Desk) -> None:
    assert asked(rose) == ["white"]
    desk.opens(rose, "red")
    text = desk.yaml().replace("- at: red-36\n  do: {}\n", TWO)
    assert TWO in text
    desk.writes(text)

    desk.page.click(desk.id("line.1.open"))
    assert desk.page.inner_text("#walk-at").startswith(f"After this: {WHITE}. The crown is on D1.")
    assert desk.page.get_attribute("#walked use[href='#crown']", "y") == "47.5"
    assert desk.page.locator("#board [data-place].open").count() == 0
    desk.page.click(desk.id("line.0.open"))
    assert desk.page.inner_text("#walk-at").startswith("As order 1 supposes it")
    assert "does not hold now" not in desk.page.inner_text("#lines")

    desk.writes(desk.yaml().replace("crown: H9", "white.hand: {not: {has: SE3}}"))
    assert desk.page.inner_text("#walk-at") == (
        "The board now: order 1 does not say where the crown is. It supposes that SE3 is not among the hand"
        " of White. Choose what to do then in the fields."
    )
    assert desk.page.locator("#walk-moves li").count() == 0


def test_a_plan_by_hand_is_known_in_small_letters_and_with_what_stands_for_every_ask(
    rose: SavedGame, desk: Desk
) -> None:
    desk.opens(rose, "white")
    desk.writes(desk.yaml().replace("- at: white-35\n  do: {}\n", BY_HAND))

    told = desk.page.inner_text("#tree-lines")
    assert "Red turns over B1 with N3 and a hero: White draws a card" in told
    assert "whenever the game waits for you: draw a card" in told
    assert desk.page.inner_text("#tree-count") == "2"


BY_HAND = """- do: {play: SW2}
- at: white-36
  when: {crown: b1}
  do: {draw: true}
- keep: true
  do: {draw: true}
"""


def test_a_stop_that_ends_a_line_before_its_turn_is_told_beside_it(rose: SavedGame, desk: Desk) -> None:
    player = Player(desk, "mouse")
    desk.opens(rose, "red")
    player.does("#walk-on")
    for words in (WHITE, RED, "White turns over F5 with SE3 and a hero", "Red takes F3 with N2"):
        player.moves(words)
    assert "never tried" not in desk.page.inner_text("#app")
    desk.page.evaluate("pbem.page.stop({ crown: 'D1' })")

    assert [text[:18] for line in (0, 1) for text in desk.forecast(line)] == ["later: never tried"] * 2
    told = desk.page.inner_text("#tree-lines")
    assert told.count("never tried: your stop ends it before") == 2
    desk.page.evaluate("pbem.page.stop({ crown: 'F5' })")
    assert [text[:18] for text in desk.forecast(0)] != ["later: never tried"]
    assert [text[:18] for text in desk.forecast(1)] == ["later: never tried"]
    desk.page.evaluate("pbem.page.stop({ lost_token: true })")
    assert [text[:18] for line in (0, 1) for text in desk.forecast(line)] == ["later: never tried"] * 2
    assert desk.page.inner_text(desk.id("line.0.stop")) == ""
    desk.page.evaluate("pbem.page.stop({ crown: 'A9' })")
    assert "never tried" not in desk.page.inner_text("#app")
    ends = [desk.page.inner_text(desk.id(f"line.{line}.stop")) for line in (0, 1)]
    assert ends == ["Your stop ends it if the crown is on A9."] * 2


def test_the_board_stays_in_sight_while_one_plays_ahead_on_a_telephone(rose: SavedGame, phone: Desk) -> None:
    phone.opens(rose, "red")
    assert phone.page.inner_text("#board-said") == "Tap what you want."
    player = Player(phone, "touch")
    player.does("#walk-on")
    for words in ("", WHITE, RED):
        if words:
            player.moves(words)
        top = phone.page.evaluate("document.querySelector('#board svg').getBoundingClientRect().top")
        assert top >= 0


def test_a_new_condition_is_offered_what_follows_from_the_order_that_is_chosen(
    rose: SavedGame, desk: Desk
) -> None:
    desk.opens(rose, "white")
    desk.page.evaluate("pbem.page.order({ play: 'SW2' })")
    desk.page.click("#add-line")
    desk.page.click('[id="line.1.when.add"]')
    texts = desk.page.eval_on_selector_all(
        '[id="line.1.when.new"] option', "all => all.map((one) => one.text)"
    )
    offered = {one.removeprefix("the crown is on ") for one in texts if one.startswith("the crown is on ")}
    offered.discard("\u2026")
    assert offered == set(
        desk.page.evaluate(
            "pbem.game.moves(pbem.game.moves(pbem.data.view).find((one) => one.do.play === 'SW2').view)"
            ".map((one) => one.when.crown)"
        )
    )


def test_a_line_that_is_ready_for_another_order_is_judged_after_the_one_that_is_chosen(
    rose: SavedGame, desk: Desk, tmp_path: Path
) -> None:
    desk.opens(rose, "white")
    desk.clicks("SW2")
    desk.page.click("#ready > summary")
    desk.page.click("#ready-show")
    for _ in range(2):
        desk.page.click("#ready-lines button >> nth=0")

    assert desk.forecast(2) == ["later: it can be played if that happens"]
    told = "order 1 is played wherever this line could be, so this one never is"
    checked = judged(rose.home, desk.yaml(), tmp_path)
    assert isinstance(checked, list) and told in str(checked[0])
    assert told.replace("order", "Order") in desk.wrong()[0]


TWO = """- at: red-37
  when: {crown: H9}
  do: {draw: true}
- at: red-36
  when: {crown: D1}
  do: {play: SW1}
"""


@pytest.mark.parametrize(
    ("name", "now", "mark", "label", "later"),
    [
        ("wop-1", "canterbury", "#house-2", "red-7", "mainz"),
        ("powers-1", "wisloujscie", "#own-ship180", "orange-9", "haithabu"),
    ],
)
def test_a_line_for_later_finds_what_the_order_for_now_leaves(
    name: str, now: str, mark: str, label: str, later: str, demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, name)
    desk.opens(saved, asked(saved)[0])
    before = desk.page.locator(f"#board [data-place='{now}'] > .ghost.before[href='{mark}']")
    desk.clicks(now)
    desk.page.click("#add-line")
    assert desk.page.input_value('[id="line.1.at"]') == label
    assert before.count() == 1
    assert "Pale" in desk.page.inner_text("#board-later")
    desk.clicks(later)
    there = desk.page.locator(f"#board [data-place='{later}'] > .ghost")
    assert there.count() == 1 and before.count() == 1
    desk.page.click('[id="line.0.open"]')
    assert before.count() == 0


def test_the_ship_is_drawn_where_the_last_own_line_before_brings_it(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "powers-1")
    desk.opens(saved, asked(saved)[0])
    lines = "\n".join(f"- at: orange-{n}\n  do: {do}" for n, do in LEGS)
    desk.writes(f"game: powers-1\nseat: orange\norders:\n{lines}\n")
    desk.page.evaluate("pbem.page.openAt(2)")
    ships = desk.page.locator("#board .ghost[href^='#own-ship']")

    assert [ship.locator("..").get_attribute("data-place") for ship in ships.all()] == ["haithabu", "aarhus"]


LEGS = ((8, "{sail: wisloujscie}"), (9, "{sail: haithabu}"), (10, "{sail: aarhus}"))


@pytest.mark.parametrize(
    ("name", "line", "unsure"),
    [
        ("rose-1", "at: white-36, when: {red.heroes: {at_most: 3}}, do: {draw: true}", 1),
        ("rose-1", "at: white-36, when: {crown: E5}, do: {draw: true}", 0),
        ("powers-1", "at: orange-9, do: {sail: 1, take_tokens: [any]}", 1),
        ("powers-1", "at: orange-9, when: {players.orange.city: wolin}, do: {sail: aarhus}", 0),
        ("powers-1", "at: orange-8.counter, do: {decline: true}", 0),
    ],
)
def test_crown_and_ship_are_pale_below_a_question_mark_where_a_line_leaves_open_where_they_are(
    name: str, line: str, unsure: int, demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    label = desk.page.evaluate("pbem.data.ask.label")
    desk.writes(f"game: {name}\nseat: {seat}\norders:\n- {{at: {label}, do: {{}}}}\n- {{{line}}}\n")
    desk.page.evaluate("pbem.page.openAt(1)")
    marks, pale = desk.page.locator("#board .asks"), desk.page.locator("#board .unsure")

    assert (marks.count(), pale.count()) == (unsure, unsure)
    if unsure:
        spots = [one.bounding_box() for one in (marks.first, pale.first)]
        assert all(spots) and abs(spots[0]["x"] - spots[1]["x"]) < 30  # type: ignore[index]
    desk.page.evaluate("pbem.page.openAt(0)")
    assert (marks.count(), pale.count()) == (0, 0)


def test_the_stop_of_the_rules_is_taken_by_one_click(demo: Home, desk: Desk, tmp_path: Path) -> None:
    saved = SavedGame(demo, "wop-1")
    seat = next(one for one in saved.start.seats if one not in asked(saved))
    desk.opens(saved, seat)
    desk.page.click("#take-all")
    desk.page.check("#ready-stop-if")

    assert "stop_if:" in desk.yaml()
    assert not isinstance(judged(saved.home, desk.yaml(), tmp_path), list)
    desk.page.uncheck("#ready-stop-if")
    assert "stop_if:" not in desk.yaml()
