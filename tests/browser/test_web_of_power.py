"""Web of Power through its form page: by map, lists and keys; what is said is what `pbem check` says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.foresight import Later
from pbem.core.interface import Json
from pbem.play.homes.saved import SavedGame
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import move_of, write_move
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.state import Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.wording import order_words
from pbem.rules.web_of_power.worth import possible_acts
from pbem.text.strictyaml import dump_flow
from tests.browser.forms import (
    Desk,
    Keys,
    Mouse,
    asked,
    judged,
    lodge,
    next_turn,
    same_move,
    suggestion,
)
from tests.homes import a_game, a_home, send

pytestmark = pytest.mark.browser

ME = Seat("yellow")
TABLE = (
    "seats:\n  yellow: {player: Ann}\n  red: {player: Bob, bot: greedy}\n  green: {player: Cy, bot: random}\n"
)
TELL = """all => all.map((one) => [
  pbem.game.problems(one).map(({ path, text }) => [path, text]), pbem.game.forecast(one),
])"""


def a_table(home_folder: Path) -> SavedGame:
    """Return a game in which one seat is played through the form, and bots play the others."""
    return a_game(a_home(home_folder), "wop-1", rules="web-of-power", table=TABLE)


def seen(saved: SavedGame) -> tuple[Facts, View]:
    """Return what the seat of the form sees, and the facts of the game."""
    view = saved.opening.view(saved.position.game, ME)
    assert isinstance(saved.rules, WebOfPower)
    assert isinstance(view, View)
    return saved.rules.facts, view


def any_orders(facts: Facts, view: View, chance: random.Random) -> list[Json]:
    """Return orders of all kinds: preferences, payments, fallbacks, cards to throw away."""
    acts = list(possible_acts(seated(facts, view, ME)))
    sites, lands = list(facts.home), list(facts.lands)
    pieces: list[Json] = ["cloister", "advisor", *sites]
    found: list[Json] = [{"discard": ["franken_aragon", "any"], "draw": [*view.face_up, "pile"]}]
    found += [{"discard": card} for card in view.held]
    for act in chance.sample(acts, min(len(acts), 6)):
        exact = write_move(move_of(act, says_pay=True))["place"]
        backwards: Json = {"country": act.country, "pieces": list[Json](act.pieces[::-1])}
        wide: Json = {
            "country": [chance.choice(lands), act.country],
            "pieces": [[chance.choice(sites), one] for one in act.pieces],
        }
        anywhere: Json = {"country": "any", "pieces": chance.sample(["cloister", "advisor"], 1)}
        loose: Json = {
            "country": act.country,
            "pieces": ["cloister" if one != "advisor" else one for one in act.pieces],
        }
        paid: Json = {**exact, "pay": chance.choices([*view.held], k=chance.randint(1, 3))}  # type: ignore[dict-item]
        strange: Json = {"pieces": [chance.choice(pieces), chance.choice(pieces)]}
        for plan in (exact, backwards, wide, anywhere, loose, paid, strange):
            words: list[Json] = [*view.held, "match", "pile"]
            entries: list[Json] = [chance.sample(words, 2), *chance.sample(words, 3)]
            found.append({"place": plan, "draw": chance.sample(entries, chance.randint(1, 3))})
        found.append({"place": [strange, wide, exact], "discard": "any"})
    return found


def take(desk: Desk, piece: str) -> None:
    """Choose the meaning that adds a piece, if there is more than one."""
    choices = desk.page.locator("#board-choice button")
    if choices.count():
        texts = choices.all_inner_texts()
        choices.nth(
            next(n for n, one in enumerate(texts) if "too" in one and desk.words(piece) in one)
        ).click()


def place_by_list(hand: Mouse, act: Placed) -> None:
    """Take a placement from the list of all."""
    country, *pieces = map(hand.desk.words, (act.country, *act.pieces))
    hand.choose("line.0.do.place.add", f"{country}: {', '.join(pieces)};")
    hand.press("line.0.do.place.add.addit")


def test_each_forecast_of_a_whole_game_is_that_of_check(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    chance = random.Random(3)
    turns = legal = wrong = 0
    while asked(saved):
        desk.opens(saved, ME)
        facts, view = seen(saved)
        orders = any_orders(facts, view, chance)
        for order, (faults, lines) in zip(orders, desk.page.evaluate(TELL, orders), strict=True):
            move = saved.rules.read(order)
            faulty = saved.rules.check(view, move)
            assert faults == [[list(one.path), one.text] for one in faulty], order
            assert faulty or lines == list(saved.rules.forecast(view, move).lines), order
            legal, wrong = legal + (not faulty), wrong + bool(faulty)
        send(saved.home, saved.name, ME, [{"do": suggestion(saved, ME)}])
        saved = next_turn(saved.home, saved)
        turns += 1

    assert turns >= 8
    assert legal > 100
    assert wrong > 15


def test_every_part_of_an_order_is_filled_in_and_reordered_by_keys(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    desk.opens(saved, ME)
    facts, view = seen(saved)
    first, *_, last = list(possible_acts(seated(facts, view, ME)))
    filler = Keys(desk)
    for act in (first, last):
        place_by_list(filler, act)
    filler.press("line.0.do.place.1.up")
    for card in dict.fromkeys(view.hand):
        filler.add("line.0.do.discard", card)
    filler.add("line.0.do.draw", "pile")
    filler.add("line.0.do.draw", "match")
    filler.press("line.0.do.draw.1.up")
    order = write_move(move_of(last))
    held = list[Json](dict.fromkeys(view.hand))
    wanted: Json = {
        "place": [order["place"], write_move(move_of(first))["place"]],
        "discard": held[0] if len(held) == 1 else held,
        "draw": ["match", "pile"],
    }

    assert same_move(saved, judged(saved.home, desk.yaml(), tmp_path), wanted)
    filler.press("line.0.do.place.0.remove")
    assert f"{first.country}" in desk.yaml()
    assert desk.wrong() == []


AHEAD = """([now, others]) => {
  const { ask, plan } = pbem.data;
  const ready = plan.lines.map(({ note, words, ...line }) => line);
  const lines = [...ready, ...others.map((one) => ({ at: ready[0].at, do: one }))];
  pbem.page.replace([{ at: ask.label, do: now }, ...lines], 0);
  const { problems, prospects } = pbem.model.judge(pbem.page.doc());
  const wrong = (number) => problems.filter(({ path }) => path[1] === number);
  return lines.map((line, at) => [line, wrong(at + 1), prospects[at + 1].lines[0]]);
}"""


def test_a_line_for_the_next_turn_is_judged_by_the_cards_that_can_be_in_hand_then(
    tmp_path: Path, desk: Desk
) -> None:
    saved, chance = a_table(tmp_path), random.Random(5)
    told = dict.fromkeys(("never", "unknown", "possible", "refused", "left out"), 0)
    for _ in range(4):
        desk.opens(saved, ME)
        facts, view = seen(saved)
        assert isinstance(saved.rules, WebOfPower)
        placed, plan = desk.page.evaluate("[pbem.data.draft.now, pbem.data.plan.lines]")
        built = [site for site in as_list(placed["place"]["pieces"]) if site in facts.home]
        stood = [site for site, holder in view.sites.items() if holder != "free"][:2] + built
        others = [{"place": {"pieces": [site]}} for site in stood] + any_orders(facts, view, chance)
        for draw in (["pile"], list(view.face_up), [*view.face_up[::-1], "match"], []):
            now = {**placed, "draw": draw} if draw else placed
            before, out = (saved.rules.read(now),), 0
            for number, (line, faults, said) in enumerate(desk.page.evaluate(AHEAD, [now, others])):
                if not str(line["at"]).endswith(f"-{view.players[ME].asks + 1}"):
                    continue
                later = Later(saved.rules.read(line["do"]), line["at"], before, line.get("when", {}))
                host = saved.rules.foresee(view, later)
                told["never" if host.never else "unknown" if host.unknown else "possible"] += 1
                told["refused"] += bool(faults)
                if len(plan) <= number < len(plan) + len(stood):
                    assert [one["text"] for one in faults] == [one.text for one in host.never], line
                elif faults:
                    assert host.never, line
                elif said.startswith("cannot be judged yet"):
                    assert said == f"cannot be judged yet: {host.unknown}" or host.never, line
                elif number < len(plan):
                    assert said == "it can be played if that happens"
                    assert not host.never + (host.unknown,) * bool(host.unknown), line
                out += number < len(plan) and bool(host.never)
            desk.page.evaluate("one => pbem.page.replace([{ at: pbem.data.ask.label, do: one }], 0)", now)
            assert desk.page.locator("#ready-lines li").count() == len(plan) - out
            said_of_them = desk.page.text_content("#ready-for") or ""
            assert (f"never be played after your order for now: {out}." in said_of_them) == (out > 0)
            told["left out"] += out
        order = dump_flow(suggestion(saved, ME))
        lodge(saved.home, f"game: wop-1\nseat: yellow\norders:\n- do: {order}\n", tmp_path)
        saved = next_turn(saved.home, saved)

    assert min(told.values()) > 0, told


def test_nothing_is_drawn_where_another_stands_or_where_the_order_is_refused(
    tmp_path: Path, desk: Desk
) -> None:
    saved = a_table(tmp_path)
    lodge(saved.home, "game: wop-1\nseat: yellow\norders:\n- do: {discard: any}\n", tmp_path)
    saved = next_turn(saved.home, saved)
    desk.opens(saved, ME)
    facts, view = seen(saved)
    taken = next(site for site, holder in view.sites.items() if holder not in ("free", ME))
    free = next(site for site, holder in view.sites.items() if holder == "free")
    for label in ("yellow-2", "yellow-3"):
        desk.writes(
            f"game: wop-1\nseat: yellow\norders:\n- at: {label}\n"
            f"  do: {{place: {{country: {facts.home[taken]}, pieces: [{taken}, advisor]}}}}\n"
        )
        assert desk.page.locator("#board .ghost").count() == 0, label
    desk.writes(
        f"game: wop-1\nseat: yellow\norders:\n- at: yellow-2\n  do: {{place: {{pieces: [{free}, {free}]}}}}\n"
    )
    assert desk.wrong()
    assert desk.page.locator("#board .ghost").count() == 0


def test_a_click_on_an_open_card_adds_an_entry_while_cards_are_missing(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    desk.opens(saved, ME)
    _, view = seen(saved)
    first, second = view.face_up
    told = desk.page.evaluate(
        "([word, order]) => pbem.game.places(word, order).map((one) => [one.title, one.order.draw])",
        [f"card {second}", {"discard": view.hand[0], "draw": [first]}],
    )
    assert first != second
    assert dict(told)["draw it, instead of the last"] == [second], "one card is missing"
    closed = next(one for one in view.held if one not in view.face_up and not view.held[one])
    assert desk.page.evaluate("(word) => pbem.game.places(word, {}).length", f"card {closed}") == 0
    Mouse(desk).press("add-line")
    told = desk.page.evaluate(
        "([word, order]) => pbem.game.places(word, order).map((one) => [one.title, one.order.draw])",
        [f"card {closed}", {"discard": "any", "draw": [closed]}],
    )
    assert dict(told)["draw it next"] == [closed, closed], "up to three cards may be missing then"


ORDERS: list[Json] = [
    {"place": {"country": "bayern", "pieces": ["tegernsee"]}},
    {"place": {"country": "italien", "pieces": [["genova", "cloister"], ["nonantola", "advisor"]]}},
    {"place": [{"pieces": ["mainz"]}, {"country": ["franken", "any"], "pieces": [["cloister", "advisor"]]}]},
    {"place": {"country": "franken", "pieces": ["mainz", "advisor"]}, "discard": ["any"], "draw": ["pile"]},
    {"discard": "any", "draw": [["match", "pile"], "pile"]},
]


def test_orders_that_the_host_did_not_foresee_are_told_in_the_words_of_check(
    tmp_path: Path, desk: Desk
) -> None:
    saved = a_table(tmp_path)
    desk.opens(saved, ME)

    facts, _ = seen(saved)
    assert [*map(desk.order_words, ORDERS)] == [order_words(facts, order) for order in ORDERS]
