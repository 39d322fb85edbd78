"""The card game's form: what is told of a turn is what `pbem check` says, and clicks take cards."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.foresight import Later
from pbem.core.interface import Json, Label
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import Card, Take
from pbem.rules.web_of_power_cards.view import View
from tests.browser.forms import Desk, Keys, Mouse, asked, judged, next_turn, same_move, suggestion
from tests.homes import a_game, a_home, send

pytestmark = pytest.mark.browser

THREE = "seats:\n  red: {player: Ann}\n  yellow: {player: Bob}\n  green: {player: Cleo}\n"


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


def test_what_is_told_of_a_turn_is_what_check_says(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    chance, refused, told_of = random.Random(3), 0, 0
    for turn in range(16):
        (seat,) = asked(saved)
        if turn % 5 == 0:
            desk.opens(saved, seat)
            view: View = saved.view(saved.position.game, seat)
            orders = [any_turn(view, chance) for _ in range(80)]
            answers = desk.page.evaluate(
                "all => all.map((o) => [pbem.game.problems(o), pbem.game.forecast(o)])", orders
            )
            for order, (problems, lines) in zip(orders, answers, strict=True):
                move = saved.rules.read(order)
                faults = saved.rules.check(view, move)
                if problems:
                    assert [(one["text"], one["hint"]) for one in problems] == [
                        (one.text, one.hint) for one in faults
                    ], order
                assert lines is None or lines == list(saved.rules.forecast(view, move).lines), order
                refused += bool(problems)
                told_of += lines is not None
        send(home, "cards-1", seat, [{"do": suggestion(saved, seat)}])
        saved = next_turn(home, saved)

    assert refused > 150
    assert told_of > 20


def test_a_second_card_that_cannot_be_taken_and_a_law_card_that_cannot_be_played_are_refused_with_the_reason(
    tmp_path: Path, desk: Desk
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    reasons = (
        "took before is of",
        "circle symbols, and",
        "at an end of its row",
        "no law card",
        "never played",
    )
    told = dict.fromkeys(reasons, 0)
    for turn in range(16):
        (seat,) = asked(saved)
        if turn % 4 == 1:
            desk.opens(saved, seat)
            view: View = saved.view(saved.position.game, seat)
            lying = [str(card) for card, place in view.cards.items() if place.depth is not None]
            orders: list[Json] = [{"take": [first, card]} for first in view.can_take for card in lying]
            laws = ("minus_two_vp", "-2 Victory Points", "four")
            orders += [{"take": [view.can_take[0]], "use": law} for law in laws]
            answers = desk.page.evaluate("all => all.map(pbem.game.problems)", orders)
            for order, problems in zip(orders, answers, strict=True):
                faults = saved.rules.check(view, saved.rules.read(order))
                assert [(one["text"], one["hint"]) for one in problems] == [
                    (one.text, one.hint) for one in faults
                ], order
                for words in told:
                    told[words] += any(words in one.text for one in faults)
        send(home, "cards-1", seat, [{"do": suggestion(saved, seat)}])
        saved = next_turn(home, saved)

    assert all(told.values()), told


def test_a_stone_on_any_free_card_is_told_as_check_tells_it(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    chance, placed, moved = random.Random(4), 0, 0
    for turn in range(20):
        (seat,) = asked(saved)
        if turn % 4 == 3:
            desk.opens(saved, seat)
            view: View = saved.view(saved.position.game, seat)
            assert isinstance(saved.rules, WebOfPowerCards)
            free = [str(card) for card, place in view.cards.items() if place.depth is not None]
            mine: list[Json] = [str(card) for card in view.players[seat].stones]
            orders: list[Json] = []
            for haul in list_hauls(saved.rules.facts, view)[:20]:
                claim: dict[str, Json] = {"claim": chance.sample(free, 1)}
                orders += [{**haul.order, **claim}, {**haul.order, **claim, "from": mine[:1] or [free[0]]}]
            for order, lines in zip(
                orders, desk.page.evaluate("all => all.map(pbem.game.forecast)", orders), strict=True
            ):
                move = saved.rules.read(order)
                if saved.rules.check(view, move):
                    assert lines is None, order
                elif isinstance(order, dict) and "pay" not in order:
                    assert lines == list(saved.rules.forecast(view, move).lines), order
                    told = " ".join(lines)
                    placed, moved = placed + ("put a stone" in told), moved + ("move your stone" in told)
        order = suggestion(saved, seat)
        if turn % 3 == 0:
            order = with_a_stone(saved, seat, order)
        send(home, "cards-1", seat, [{"do": order}])
        saved = next_turn(home, saved)

    assert placed > 20
    assert moved > 0


def test_a_stone_to_pay_that_is_not_needed_is_a_mistake_on_the_page_as_for_the_host(
    tmp_path: Path, desk: Desk
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    told = dict.fromkeys(("pay nothing", "reserve pays", "no stone of yours"), 0)
    needed = 0
    for turn in range(24):
        (seat,) = asked(saved)
        view: View = saved.view(saved.position.game, seat)
        if turn > 5 and view.players[seat].stones:
            desk.opens(saved, seat)
            assert isinstance(saved.rules, WebOfPowerCards)
            mine = [str(card) for card in view.players[seat].stones]
            hauls = [haul for haul in list_hauls(saved.rules.facts, view) if not haul.use][:20]
            orders: list[Json] = [
                {"take": list[Json](haul.cards), "pay": list[Json](pay)}
                for haul in hauls
                for pay in (mine, [*mine[:1], "Fr1", "Sa1"])
            ]
            answers = desk.page.evaluate("all => all.map(pbem.game.problems)", orders)
            for order, problems in zip(orders, answers, strict=True):
                faults = saved.rules.check(view, saved.rules.read(order))
                assert [one["text"] for one in problems] == [one.text for one in faults], order
                assert [one.get("bearable", False) for one in problems] == [one.bearable for one in faults]
                needed += not faults
                standing = {"orders": [{"do": order, "keep": True}]}
                told_of = desk.page.evaluate("doc => pbem.model.judge(doc).prospects[0].standing", standing)
                borne = any(one.bearable for one in faults)
                assert told_of == ("refused" if borne else "not now" if faults else "plays"), order
                for words in told:
                    told[words] += any(words in one.text for one in faults)
        send(home, "cards-1", seat, [{"do": with_a_stone(saved, seat, suggestion(saved, seat))}])
        saved = next_turn(home, saved)

    assert min(needed, *told.values()) > 0, (needed, told)


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


def test_clicks_take_cards_and_put_stones(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), "cards-1", rules="web-of-power-cards", table=THREE)
    (seat,) = asked(saved)
    view: View = saved.view(saved.position.game, seat)
    desk.opens(saved, seat)
    card = view.can_take[0]
    desk.clicks(card)
    free = next(one for one, place in view.cards.items() if place.depth == 2 and place.stone is None)
    desk.clicks(free)
    assert "claim" not in desk.yaml()  # a stone is spent, so it is asked for first
    desk.page.click(desk.id("meaning.0"))
    order: Json = {"take": [card], "claim": [free]}

    assert desk.wrong() == []
    assert same_move(saved, judged(saved.home, desk.yaml(), tmp_path), order)
    assert "You take" in desk.forecast()[0]


def stones_after(saved: SavedGame, seat: Seat, order: Json) -> tuple[int, int]:
    """Return a seat's stones in reserve and on cards after its order, as the host carries it out."""
    view: View = saved.view(saved.position.game, seat)
    move = saved.rules.read(order)
    assert isinstance(saved.rules, WebOfPowerCards)
    assert isinstance(move, Take)
    table = try_out(saved.rules.facts, view, seat, move).table
    return table.stocks[seat].reserve, len(table.lying(seat))


def test_the_page_tells_the_stones_that_an_order_leaves(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    chance, told = random.Random(5), set()
    for turn in range(24):
        (seat,) = asked(saved)
        if turn % 4 == 3:
            desk.opens(saved, seat)
            view: View = saved.view(saved.position.game, seat)
            free = [str(card) for card, place in view.cards.items() if place.depth is not None]
            assert isinstance(saved.rules, WebOfPowerCards)
            for haul in list_hauls(saved.rules.facts, view)[:30]:
                claim: dict[str, Json] = {"claim": chance.sample(free, 2)} if chance.random() < 0.6 else {}
                order: Json = {**haul.order, **claim}
                if saved.rules.check(view, saved.rules.read(order)):
                    continue
                reserve, on = stones_after(saved, seat, order)
                place = "a card" if on == 1 else "cards"
                left = desk.page.evaluate("one => pbem.game.left(one, true)", order)
                assert left.endswith(f"stones then: {reserve} in reserve, {on} on {place}"), order
                told.add((reserve, on))
        order = suggestion(saved, seat)
        send(home, "cards-1", seat, [{"do": with_a_stone(saved, seat, order)}])
        saved = next_turn(home, saved)

    assert len(told) > 3


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
    tmp_path: Path, desk: Desk
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    offered = set()
    for turn in range(24):
        (seat,) = asked(saved)
        view: View = saved.view(saved.position.game, seat)
        side = view.players[seat]
        if side.stones and turn > 5:
            desk.opens(saved, seat)
            titles = desk.page.evaluate(
                "word => pbem.game.places(word, {}).map((one) => one.title)", side.stones[0]
            )
            moves = any(title.startswith("move the stone from") for title in titles)
            assert moves == (side.reserve == 0 or len(side.stones) == view.numbers.most_on_cards)
            assert not (side.reserve and any(title.startswith("pay with") for title in titles))
            why = desk.page.evaluate("word => pbem.game.whyNot(word, {})", side.stones[0])
            assert (why == "") == (side.stones[0] in view.can_take)
            offered.add(moves)
        send(home, "cards-1", seat, [{"do": with_a_stone(saved, seat, suggestion(saved, seat))}])
        saved = next_turn(home, saved)

    assert offered == {True, False}


def test_a_line_for_later_knows_what_the_order_for_now_takes_and_draws(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "cards-1", rules="web-of-power-cards", table=THREE)
    told = dict.fromkeys(("never", "law", "own stone", "another's"), 0)
    for turn in range(15):
        (seat,) = asked(saved)
        view: View = saved.view(saved.position.game, seat)
        assert isinstance(saved.rules, WebOfPowerCards)
        hauls = [haul for haul in list_hauls(saved.rules.facts, view) if not haul.use]
        laws = [haul for haul in hauls if any(view.cards[card].law for card in haul.cards)]
        free = [card for card, place in view.cards.items() if place.depth is not None and not place.stone]
        if turn > 2:
            desk.opens(saved, seat)
        for haul in (hauls[0], *laws[:1]) if turn > 2 else ():
            claim = next(card for card in free if card not in haul.cards)
            now: Json = {**haul.order, "claim": [str(claim)]}
            if saved.rules.check(view, saved.rules.read(now)):
                continue
            own, at = [*view.players[seat].stones, claim], Label(f"{seat}-{view.players[seat].asks + 1}")
            before = (saved.rules.read(now),)
            entries: list[list[str]] = [[str(card)] for card in view.cards]
            entries += [[str(haul.cards[0]), str(card)] for card in free if card != haul.cards[0]]
            entries.append([str(card) for card in haul.cards])
            orders: list[Json] = [{"take": [list[Json](entry)]} for entry in entries]
            found = desk.page.evaluate(LATER, [now, orders, at])
            for entry, order, (faults, left) in zip(entries, orders, found, strict=True):
                never = saved.rules.foresee(view, Later(saved.rules.read(order), at, before)).never
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
        send(home, "cards-1", seat, [{"do": with_a_stone(saved, seat, suggestion(saved, seat))}])
        saved = next_turn(home, saved)

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

    for at, card in enumerate(names):
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
