"""Conditions on the order page: what they are listed by, by keys, and what is not filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Ask, Json
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_intrigue.view import View
from tests.browser.forms import Desk, asked, judged

pytestmark = pytest.mark.browser

NEW, ADD = '[id="line.1.when.new"]', '[id="line.1.when.add"]'
TEXTS = "all => all.map((one) => one.text)"
WHEN = "() => pbem.page.lines()[1].when ?? {}"


def a_later_line(demo: Home, desk: Desk, name: str) -> None:
    """Open the page of the seat that is asked, with a line for later to which a condition is being added."""
    saved = SavedGame(demo, name)
    desk.opens(saved, asked(saved)[0])
    desk.page.click("#add-line")
    desk.page.click(ADD)


@pytest.mark.parametrize(
    ("name", "topic", "field", "wanted"),
    [
        ("powers-1", "fields.", "value", "Signet ring (46)"),
        ("powers-1", "cities.", "step2", "Aarhus"),
        ("wop-1", "sites.", "step2", "Bourges"),
        ("wop-1", "sites.", "value", "nobody"),
        ("rose-1", "crown", "value", "A9"),
    ],
)
def test_what_a_condition_can_be_about_is_listed_by_the_names_that_people_see(
    name: str, topic: str, field: str, wanted: str, demo: Home, desk: Desk
) -> None:
    a_later_line(demo, desk, name)
    options = desk.page.eval_on_selector_all(f"{NEW} option", "all => all.map((one) => one.value)")
    desk.page.select_option(NEW, next(one for one in options if one.startswith(topic)))
    if field == "value" and topic != "crown":
        desk.page.select_option('[id="line.1.when.0.step2"]', index=1)
    texts = desk.page.eval_on_selector_all(f'[id="line.1.when.0.{field}"] option', TEXTS)

    assert wanted in texts
    named = [one.casefold() for one in texts if one.isascii() and one[0].isalpha() and "choose" not in one]
    assert named == sorted(named)


def test_letters_typed_in_the_list_of_conditions_take_none_before_it_is_left(demo: Home, desk: Desk) -> None:
    a_later_line(demo, desk, "wop-1")
    assert desk.page.evaluate(f"document.activeElement.matches('{NEW}')")
    desk.page.keyboard.type("the owner of")
    assert desk.page.evaluate(WHEN) == {"": ""}
    assert desk.page.is_visible("#unadded")

    desk.presses("Enter")
    (path,) = desk.page.evaluate(WHEN)
    assert path.startswith("sites.")
    assert not desk.page.is_visible("#unadded")
    desk.tabs_to('[id="line.1.when.0.step2"]')
    desk.page.keyboard.type("Bou")
    assert list(desk.page.evaluate(WHEN)) == [path]
    desk.presses("Tab")
    desk.waits("'sites.bourges' in pbem.page.lines()[1].when")


@pytest.mark.parametrize(
    ("name", "topic", "thing", "path", "value", "said"),
    [
        ("wop-1", "sites.", "bourges", "sites.bourges", "red", "the owner of …"),
        ("cards-1", "cards.", "En5", "cards.En5.holder", "table", "the holder of …"),
    ],
)
def test_the_thing_and_the_word_of_a_new_condition_are_chosen_before_it_counts(
    name: str, topic: str, thing: str, path: str, value: str, said: str, demo: Home, desk: Desk
) -> None:
    a_later_line(demo, desk, name)
    options = desk.page.eval_on_selector_all(
        f"{NEW} option", "all => all.map((one) => [one.value, one.text])"
    )
    desk.page.select_option(NEW, next(one for one, text in options if one.startswith(topic) and text == said))

    assert any(f"This condition is not filled in: {said}" in one for one in desk.wrong())
    assert "when:" not in desk.yaml()
    desk.page.select_option('[id="line.1.when.0.step2"]', thing)
    assert any("This condition is not filled in: " in one for one in desk.wrong())
    assert desk.page.evaluate(WHEN) == {path: ""}
    desk.page.select_option('[id="line.1.when.0.value"]', value)
    assert desk.page.evaluate(WHEN) == {path: value}
    assert not any("not filled in" in one for one in desk.wrong())


@pytest.mark.parametrize("kind", ["nothing", "number", "word", "list"])
def test_a_condition_that_is_not_filled_in_is_told(kind: str, demo: Home, desk: Desk) -> None:
    a_later_line(demo, desk, "web-1" if kind == "word" else "rose-1")
    if kind != "nothing":
        topic = {"number": "pile", "word": "own.square", "list": "discards"}[kind]
        desk.page.select_option(NEW, topic)
    if kind in ("number", "word"):
        desk.page.fill('[id="line.1.when.0.value"]', "")
        desk.presses("Tab")

    assert any("This condition is not filled in" in one for one in desk.wrong())
    if kind == "list":
        desk.page.evaluate("pbem.page.order({ draw: true })")
        assert "\u2026 is among" in desk.page.inner_text("#lines .open")
    assert "when:" in desk.yaml() if kind != "nothing" else "when:" not in desk.yaml()
    desk.page.click('[id="line.1.when.leave"]' if kind == "nothing" else '[id="line.1.when.0.remove"]')
    assert not any("not filled in" in one for one in desk.wrong())


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"red.points": {"at_most": 6}}, "the points of Red are at most 6"),
        ({"red.points": [6, 7]}, "the points of Red are 6 or 7"),
        ({"red.heroes": {"at_most": 1}}, "the number of heroes of Red is at most 1"),
        ({"red.hand": {"has": ""}}, "\u2026 is among the hand of Red"),
    ],
)
def test_a_condition_is_said_as_the_host_says_it(when: Json, words: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0])
    assert desk.page.evaluate("when => pbem.words.condition(when)", when) == words


@pytest.mark.parametrize(
    "when", [{"hand": {"has": [2, 46]}}, {"hand": {"not": {"has": 46}}}, {"pile": 46}], ids=str
)
def test_cards_that_a_condition_names_by_number_are_said_by_name(
    when: dict[str, Json], demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, "powers-1")
    desk.opens(saved, asked(saved)[0])
    said = desk.page.evaluate("when => pbem.words.condition(when)", when)
    assert said == wording_of(saved.opening).condition(when)
    assert ("Signet ring (46)" in said) == ("hand" in when)


SAME = "stands here already. Capitals do not count: leave one of them out."


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("rose-1", 'when: {me: ""}', "this condition is not filled in: me"),
        ("cards-1", 'when: {me: {not: ["", red]}}', "this condition is not filled in: me"),
        ("wop-1", 'when: {pile: ""}', "this condition is not filled in: the number of cards in the pile"),
        ("rose-1", "when: {board.E5: red, board.e5: white}", f"the condition on board.E5 {SAME}"),
        ("wop-1", "when: {free.bayern: 0, free.Bayern: 0}", f"the condition on free.bayern {SAME}"),
        (
            "cards-1",
            "when: {cards.Fr5.holder: table, cards.fr5.holder: red}",
            f"the condition on cards.Fr5.holder {SAME}",
        ),
        ("wop-1", 'at: ""', "'' is no label"),
        ("wop-1", 'until: ""', "'' is no label"),
    ],
)  # fmt: skip
def test_what_is_left_empty_or_said_twice_is_refused_in_the_same_words_by_page_and_host(
    name: str, line: str, told: str, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, name)
    desk.opens(saved, asked(saved)[0])
    order = {"rose-1": "play: N1", "wop-1": "discard: any", "cards-1": "take: any"}[name]
    text = f"game: {name}\nseat: {asked(saved)[0]}\norders:\n- {line}\n  do: {{{order}}}\n"
    desk.writes(text)
    found = judged(demo, text, tmp_path)

    assert isinstance(found, list) and told in [
        str(one).split(": ", 1)[1].partition(". You are asked")[0] for one in found
    ]
    assert [one.split(": ", 1)[1] for one in desk.wrong()] == [
        told[0].upper() + told[1:] + "." * (told[-1] != ".")
    ]


@pytest.mark.parametrize("wanted", ['""', '{not: ""}', '[fire, ""]'])
def test_an_empty_text_is_a_value_where_one_stands(
    wanted: str, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, "web-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    view: View = saved.view(saved.position.game, seat)
    assert view.own is not None
    seen = [tile for tile, offer in view.objects.items() if offer.element == ""]
    later = f"turn-{view.turn + 1}"
    text = (
        f"game: web-1\nseat: {seat}\norders:\n- at: {later}\n"
        f"  when: {{objects.{seen[0]}.element: {wanted}}}\n  do: {{move: {view.own.square}}}\n"
    )
    desk.writes(text)

    assert not isinstance(judged(demo, text, tmp_path), list)
    assert desk.wrong() == []


def test_a_condition_that_was_begun_stays_while_other_lines_are_added_and_moved(
    demo: Home, desk: Desk
) -> None:
    a_later_line(demo, desk, "rose-1")
    desk.page.click('[id="line.1.up"]')
    desk.page.evaluate("pbem.page.openAt(1)")
    assert [one.get("when") for one in desk.page.evaluate("() => pbem.page.lines()")] == [{"": ""}, None]
    desk.page.evaluate("pbem.page.openAt(0)")
    assert desk.page.is_visible('[id="line.0.when.new"]')


def test_a_condition_that_is_begun_leaves_the_order_for_now_where_it_is(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    desk.opens(saved, asked(saved)[0])
    desk.page.evaluate("pbem.page.order({play: 'SE1', hero: true})")
    desk.page.click('[id="line.0.summary"]')
    desk.page.click('[id="line.0.when.add"]')
    desk.clicks("N1")

    assert [one["do"].get("play") for one in desk.page.evaluate("() => pbem.page.lines()")] == ["N1"]
    assert "This condition is not filled in." in desk.page.inner_text("#now")


@pytest.mark.parametrize(("name", "path"), [("wop-1", "sites.bourges"), ("cards-1", "cards.En5.holder")])
def test_seats_of_a_condition_are_those_of_the_game_with_who_plays_them(
    name: str, path: str, demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, name)
    seat, label = asked(saved)[0], f"{asked(saved)[0]}-9"
    desk.opens(saved, seat)
    text = f"game: {name}\nseat: {seat}\norders:\n- at: {label}\n  when: {{{path}: VALUE}}\n  do: {{}}\n"
    desk.writes(text.replace("VALUE", "red"))
    texts = desk.page.eval_on_selector_all('[id="line.0.when.0.value"] option', TEXTS)
    players = desk.page.evaluate("() => pbem.data.players.map(({ seat, name }) => [seat, name])")

    seats = [f"{one.capitalize()} ({player})" for one, player in players]
    assert set(texts[1:]) - {"nobody", "the table"} == set(seats)
    one, player = players[0]
    desk.writes(text.replace("VALUE", player))
    assert any(f"{player} plays {one}. It can be" in told for told in desk.wrong())
    absent = {"red", "yellow", "green", "purple", "blue"} - {one for one, _ in players}
    assert absent
    assert not any(one in told.casefold() for one in absent for told in desk.wrong())


def test_the_order_for_now_is_the_first_whose_condition_holds(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    ask = saved.ask
    assert isinstance(ask, Ask)
    (seat,) = ask.seats
    desk.opens(saved, seat)
    desk.writes(
        f"game: rose-1\nseat: {seat}\norders:\n- at: {ask.label}\n  when: {{me: nobody}}\n"
        f"  do: {{play: N1}}\n- at: {ask.label}\n  do: {{draw: true}}\n"
    )

    assert desk.page.evaluate("() => pbem.page.lineNow().do") == {"draw": True}
