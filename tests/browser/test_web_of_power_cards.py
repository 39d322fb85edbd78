"""The card game's form: what is told of a turn is what `pbem check` says, and clicks take cards."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.foresight import Later
from pbem.core.interface import Json, Label
from pbem.play.config.registry import find_rules
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import Card, Take
from pbem.rules.web_of_power_cards.view import View
from tests.browser.forms import Desk, Keys, Mouse, asked, judged, next_turn, same_move, suggestion
from tests.homes import a_game, a_home, send

pytestmark = pytest.mark.browser

THREE = "seats:\n  red: {player: Ann}\n  yellow: {player: Bob}\n  green: {player: Cleo}\n"
TOLD = """all => all.map((one) => [
  pbem.game.problems(one).map(({ text, hint, bearable }) => [text, hint, bearable ?? false]),
  pbem.game.forecast(one), pbem.game.left(one, true),
])"""
REASONS = (
    "took before is of", "circle symbols, and", "at an end of its row", "no law card", "never played",
    "pay nothing", "reserve pays", "no stone of yours",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """A position of a game: whose turn it is, what that seat sees, and its order page."""

    seat: Seat
    view: View
    page: str


@cache
def rules() -> WebOfPowerCards:
    """Return the rules with the shipped facts."""
    installed = find_rules("web-of-power-cards")
    found = installed.load(installed.shipped_data())
    assert isinstance(found, WebOfPowerCards)
    return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """Return positions of a game of greedy bots that put a stone wherever they can."""
    home, found = a_home(tmp_path_factory.mktemp("course")), list[Turn]()
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    for number in range(24):
        (seat,) = asked(saved)
        if number % 4 == 3 or number in (5, 8, 10, 13):
            found.append(Turn(seat, saved.view(saved.position.game, seat), page_of(saved, seat)))
        send(home, "cards-1", seat, [{"do": with_a_stone(saved, seat, suggestion(saved, seat))}])
        saved = next_turn(home, saved)
    return found


LATER = """([now, later, at]) => {
  pbem.page.replace([{ at: pbem.data.ask.label, do: now }, ...later.map((one) => ({ at, do: one }))], 0);
  const { problems } = pbem.model.judge(pbem.page.doc());
  const wrong = (number) => problems.filter(({ path }) => path[1] === number);
  const told = (number) => wrong(number).map(({ path, text }) => [path.slice(3), text]);
  return later.map((one, number) => [told(number + 1), pbem.game.left(one, false)]);
}"""


def any_turn(view: View, chance: random.Random) -> Json:
    """Return some turn, possible or not."""
    lying: list[Json] = [str(card) for card, place in view.cards.items() if place.depth is not None]
    ends: list[Json] = [str(card) for card in view.can_take]
    cards = dict.fromkeys(str(chance.choice([*ends, *ends, *lying])) for _ in range(chance.randint(1, 3)))
    take: list[Json] = [card if chance.random() < 0.8 else [chance.choice(lying), card] for card in cards]
    order: dict[str, Json] = {"take": take}
    if chance.random() < 0.4:
        order["claim"] = chance.sample(lying, min(len(lying), 2))
    return order


def all_kinds(turn: Turn, chance: random.Random) -> Mapping[str, list[Json]]:
    """Return orders of all kinds: loose ones, second and law cards, stones to put, and stones to pay."""
    view = turn.view
    lying = [str(card) for card, place in view.cards.items() if place.depth is not None]
    mine: list[Json] = [str(card) for card in view.players[turn.seat].stones]
    seconds: list[Json] = [{"take": [first, card]} for first in view.can_take for card in lying]
    laws = ("minus_two_vp", "-2 Victory Points", "four")
    used: list[Json] = [{"take": [view.can_take[0]], "use": law} for law in laws]
    put: list[Json] = []
    paid: list[Json] = []
    for haul in list_hauls(rules().facts, view)[:20]:
        claim: dict[str, Json] = {"claim": chance.sample(lying, 1)}
        put += [
            haul.order,
            {**haul.order, **claim},
            {**haul.order, **claim, "from": mine[:1] or list[Json](lying[:1])},
        ]
        if mine and not haul.use:
            ways = (mine, [*mine[:1], "Fr1", "Sa1"])
            paid += [{"take": list[Json](haul.cards), "pay": list[Json](pay)} for pay in ways]
    return {
        "loose": [any_turn(view, chance) for _ in range(40)],
        "cards": [*chance.sample(seconds, min(80, len(seconds))), *used],
        "put": put,
        "paid": paid,
    }


def test_what_is_told_of_any_turn_is_what_check_says(course: list[Turn], desk: Desk) -> None:
    chance, told = random.Random(3), Counter[str]()
    for turn in course:
        desk.shows(turn.page)
        for kind, orders in all_kinds(turn, chance).items():
            found = desk.page.evaluate(TOLD, orders)
            for order, (problems, lines, left) in zip(orders, found, strict=True):
                move = rules().read(order)
                faults = rules().check(turn.view, move)
                if problems or kind in ("cards", "paid"):
                    wanted = [[one.text, one.hint, one.bearable] for one in faults]
                    assert [one[::2] for one in problems] == [one[::2] for one in wanted], order
                    assert kind == "paid" or problems == wanted, order
                if kind == "put" and faults:
                    assert lines is None, order
                elif lines is not None or (kind == "put" and "pay" not in order):  # type: ignore[operator]
                    assert lines == list(rules().forecast(turn.view, move).lines), order
                if kind == "put" and not faults:
                    reserve, on = stones_after(turn, order)
                    place = "a card" if on == 1 else "cards"
                    assert left.endswith(f"stones then: {reserve} in reserve, {on} on {place}"), order
                    said = " ".join(lines or [])
                    told.update(placed="put a stone" in said, moved="move your stone" in said)
                told.update({kind: 1, f"{kind}, and refused": bool(faults), "told": lines is not None})
                told.update({words: any(words in one.text for one in faults) for words in REASONS})

    assert min(told.values()) > 0, told
    assert min(told["cards, and refused"], told["placed"], told["told"]) > 20


def stones_after(turn: Turn, order: Json) -> tuple[int, int]:
    """Return a seat's stones in reserve and on cards after its order, as the host carries it out."""
    move = rules().read(order)
    assert isinstance(move, Take)
    table = try_out(rules().facts, turn.view, turn.seat, move).table
    return table.stocks[turn.seat].reserve, len(table.lying(turn.seat))


def test_a_standing_order_with_a_stone_to_pay_waits_where_the_stone_is_not_needed(
    course: list[Turn], desk: Desk
) -> None:
    seen = set[str]()
    for turn in course[5:]:
        desk.shows(turn.page)
        for order in all_kinds(turn, random.Random(1))["paid"]:
            faults = rules().check(turn.view, rules().read(order))
            borne = any(one.bearable for one in faults)
            doc = {"orders": [{"do": order, "keep": True}]}
            said = desk.page.evaluate("doc => pbem.model.judge(doc).prospects[0].standing", doc)
            assert said == ("refused" if borne else "not now" if faults else "plays"), order
            seen.add(said)

    assert seen >= {"refused", "plays"}


def with_a_stone(saved: SavedGame, seat: Seat, order: Json) -> Json:
    """Return an order with a stone put where one can be."""
    view: View = saved.view(saved.position.game, seat)
    for card, place in view.cards.items():
        if isinstance(order, dict) and place.depth is not None and place.stone is None:
            wider: dict[str, Json] = {**order, "claim": [str(card)]}
            if not saved.rules.check(view, saved.rules.read(wider)):
                return wider
    return order


@pytest.mark.parametrize("hand", [Keys])
def test_a_turn_for_later_is_put_together_from_lists(hand: type[Mouse], tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), "cards-1", rules="web-of-power-cards", table=THREE)
    seat = next(one for one in saved.start.seats if one not in asked(saved))
    desk.opens(saved, seat)
    filler = hand(desk)
    filler.add("line.0.do.take", "frankreich")
    filler.add("line.0.do.take", "any")
    filler.press("line.0.do.take.1.up")
    filler.unfold("line.0.do.rest")
    filler.add("line.0.do.use", "three_symbols")
    card = next(str(one) for one, place in saved.view(saved.position.game, seat).cards.items() if place.depth)
    desk.clicks(card)
    desk.page.locator("#board-choice button", has_text=f"stone on {card}").click()

    assert desk.wrong() == []
    wanted: Json = {"take": ["any", "frankreich"], "use": "three_symbols", "claim": [card]}
    assert same_move(saved, judged(saved.home, desk.yaml(), tmp_path), wanted)


def ghosts(desk: Desk) -> list[tuple[str, str]]:
    """Return what is drawn on the board of an order: the card, and the mark."""
    found = desk.page.eval_on_selector_all(
        "#board .ghost", "all => all.map((one) => [one.parentNode.dataset.place, one.getAttribute('href')])"
    )
    return [(card, mark) for card, mark in found]


def test_the_board_shows_what_an_order_takes_its_stone_and_the_ends_of_the_rows_then(
    tmp_path: Path, desk: Desk
) -> None:
    saved = a_game(a_home(tmp_path), "cards-1", rules="web-of-power-cards", table=THREE)
    (seat,) = asked(saved)
    view: View = saved.view(saved.position.game, seat)
    desk.opens(saved, seat)
    names = list(map(str, view.cards))
    card = next(
        name for name in names if name in view.can_take and names.index(name) % view.numbers.columns == 0
    )
    behind = names[names.index(card) + 1]
    first, second = [one for one in names if view.cards[Card(one)].depth == 3][:2]
    desk.clicks(card)
    for word in (first, second):
        desk.clicks(word)
        desk.page.click(desk.id("meaning.0"))

    assert "symbol" in desk.page.inner_text("#now")
    assert ghosts(desk) == [(card, "#taken"), (behind, "#end"), (first, "#own-stone")]
    desk.page.click("#add-line")
    assert (card, "#taken") in ghosts(desk)


def test_an_own_stone_is_offered_to_pay_or_move_only_where_it_may_be_needed(
    course: list[Turn], desk: Desk
) -> None:
    offered = set()
    for turn in course:
        view, side = turn.view, turn.view.players[turn.seat]
        if not side.stones:
            continue
        desk.shows(turn.page)
        titles = desk.page.evaluate(
            "word => pbem.game.places(word, {}).map((one) => one.title)", side.stones[0]
        )
        moves = any(title.startswith("move the stone from") for title in titles)
        assert moves == (side.reserve == 0 or len(side.stones) == view.numbers.most_on_cards)
        assert not (side.reserve and any(title.startswith("pay with") for title in titles))
        why = desk.page.evaluate("word => pbem.game.whyNot(word, {})", side.stones[0])
        assert (why == "") == (side.stones[0] in view.can_take)
        offered.add(moves)

    assert offered == {True, False}


def test_a_line_for_later_knows_what_the_order_for_now_takes_and_draws(
    course: list[Turn], desk: Desk
) -> None:
    told = dict.fromkeys(("never", "law", "own stone", "another's"), 0)
    for turn in course[:6]:
        seat, view = turn.seat, turn.view
        hauls = [haul for haul in list_hauls(rules().facts, view) if not haul.use]
        laws = [haul for haul in hauls if any(view.cards[card].law for card in haul.cards)]
        free = [card for card, place in view.cards.items() if place.depth is not None and not place.stone]
        desk.shows(turn.page)
        for haul in (hauls[0], *laws[:1]):
            claim = next(card for card in free if card not in haul.cards)
            now: Json = {**haul.order, "claim": [str(claim)]}
            if rules().check(view, rules().read(now)):
                continue
            own, at = [*view.players[seat].stones, claim], Label(f"{seat}-{view.players[seat].asks + 1}")
            before = (rules().read(now),)
            entries: list[list[str]] = [[str(card)] for card in view.cards]
            entries += [[str(haul.cards[0]), str(card)] for card in free if card != haul.cards[0]]
            entries.append([str(card) for card in haul.cards])
            orders: list[Json] = [{"take": [list[Json](entry)]} for entry in entries]
            found = desk.page.evaluate(LATER, [now, orders, at])
            for entry, order, (faults, left) in zip(entries, orders, found, strict=True):
                never = rules().foresee(view, Later(rules().read(order), at, before)).never
                parts = [part for one in never for part in one.text.split(" and ")]
                is_gone = bool(parts) and all(
                    re.search("before then|was taken by|already", one) for one in parts
                )
                assert faults == [[list(one.path), one.text] for one in never] if faults else not is_gone, (
                    order
                )
                told["never"] += bool(faults)
                is_mine = all(card in own and card not in haul.cards for card in map(Card, entry))
                assert (f"Your own stone lies on {entry[0]} then" in left) == is_mine, order
                told["own stone"] += is_mine
            drawn = sum(view.cards[card].law for card in haul.cards)
            assert ("law cards: one, not seen yet" in found[0][1]) == (drawn == 1 and not view.laws)
            told["law"] += drawn
            desk.page.evaluate("at => pbem.page.openAt(1)", at)
            listed = desk.page.evaluate("pbem.game.later('take', {}).map((one) => [one.order, one.note])")
            assert not {card for card, _ in listed} & set(haul.cards)
            for card, note in listed:
                stone = view.cards[Card(card)].stone if card in view.cards else None
                assert ("so taking it costs you a stone" in note) == (stone not in (None, seat))
                told["another's"] += stone not in (None, seat)

    assert all(told.values()), told


def test_arrow_keys_go_to_another_row_or_column_of_cards(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), "cards-1", rules="web-of-power-cards", table=THREE)
    (seat,) = asked(saved)
    view: View = saved.view(saved.position.game, seat)
    desk.opens(saved, seat)
    names, columns = list(map(str, view.cards)), view.numbers.columns
    desk.clicks(view.can_take[0])
    desk.clicks(names[columns // 2])
    desk.page.click(desk.id("meaning.0"))

    for at, card in [*enumerate(names)][::3]:
        place = desk.page.locator(f'#board [data-place="{card}"]').first
        for arrow, step in (
            ("ArrowDown", columns),
            ("ArrowUp", -columns),
            ("ArrowRight", 1),
            ("ArrowLeft", -1),
        ):
            is_inside = 0 <= at + step < len(names) and (
                abs(step) > 1 or at // columns == (at + step) // columns
            )
            if is_inside:
                place.focus()
                desk.page.keyboard.press(arrow)
                focused = desk.page.evaluate("document.activeElement.dataset.place")
                assert focused == names[at + step], (card, arrow)


def test_entries_that_come_faster_than_the_page_draws_are_all_added(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), "cards-1", rules="web-of-power-cards", table=THREE)
    (seat,) = asked(saved)
    desk.opens(saved, seat)
    places = saved.view(saved.position.game, seat).cards.items()
    cards = [str(one) for one, place in places if place.depth][:3]
    desk.clicks(str(saved.view(saved.position.game, seat).can_take[0]))
    Mouse(desk).unfold("line.0.do.rest")
    Mouse(desk).choose("line.0.do.claim.pick", "something else")
    desk.page.evaluate(
        """cards => {
          const field = document.getElementById("line.0.do.claim.add");
          const button = document.getElementById("line.0.do.claim.addit");
          for (const card of cards) {
            field.focus();
            field.value = card;
            for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
            button.click();
          }
        }""",
        cards,
    )

    assert desk.page.evaluate("pbem.page.doc()")["orders"][0]["do"]["claim"] == cards
