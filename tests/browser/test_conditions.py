"""Conditions on the order page: what they are listed by, by keys, and what is not filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.core.statements import is_met
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged
from tests.written import read_yaml

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
    ("name", "condition", "wanted"),
    [
        ("powers-1", "open_card", "Signet ring (46)"),
        ("powers-1", "tokens_at", "Aarhus"),
        ("wop-1", "site_free", "Bourges"),
        ("rose-1", "crown", "A9"),
    ],
)
def test_what_a_condition_can_be_told_is_listed_by_the_names_that_people_see(
    name: str, condition: str, wanted: str, demo: Home, desk: Desk
) -> None:
    a_later_line(demo, desk, name)
    desk.page.select_option(NEW, condition)
    texts = desk.page.eval_on_selector_all('[id="line.1.when.0.step1"] option', TEXTS)

    assert wanted in texts
    named = [one.casefold() for one in texts if one.isascii() and one[0].isalpha() and "choose" not in one]
    assert named == sorted(named)


def test_letters_typed_in_the_list_of_conditions_take_none_before_it_is_left(demo: Home, desk: Desk) -> None:
    a_later_line(demo, desk, "wop-1")
    assert desk.page.evaluate(f"document.activeElement.matches('{NEW}')")
    (text,) = desk.page.eval_on_selector_all(f'{NEW} option[value="pile"]', TEXTS)
    desk.page.keyboard.type(text[:12])
    assert desk.page.evaluate(WHEN) == {"": ""}
    assert desk.page.is_visible("#unadded")

    desk.presses("Enter")
    assert list(desk.page.evaluate(WHEN)) == ["pile"]
    assert not desk.page.is_visible("#unadded")


@pytest.mark.parametrize(
    ("name", "condition", "chosen", "when"),
    [
        ("wop-1", "site_free", ["bourges"], {"site_free": "bourges"}),
        ("wop-1", "cloister_on", ["bourges", "me"], {"cloister_on": "bourges"}),
        ("cards-1", "on_table", ["En5"], {"on_table": "En5"}),
    ],
)
def test_what_a_new_condition_is_told_is_chosen_before_it_counts(
    name: str, condition: str, chosen: list[str], when: Json, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    a_later_line(demo, desk, name)
    desk.page.evaluate("pbem.page.order(structuredClone(pbem.data.draft.keep ?? pbem.data.draft.now))")
    desk.page.select_option(NEW, condition)

    assert any(f"{condition} does not say which".casefold() in one.casefold() for one in desk.wrong())
    for step, value in enumerate(chosen, 1):
        desk.page.select_option(f'[id="line.1.when.0.step{step}"]', value)
    assert not any("does not say" in one for one in desk.wrong())
    lines = read_yaml(desk.yaml())["orders"]
    assert lines[1]["when"] == when


def test_conditions_that_come_to_no_path_are_kept_and_looked_at(
    demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, "rose-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    other = "white" if seat == "red" else "red"
    joined = "any: [{lost_token: true}, {heroes: {at_most: 2}}]"
    text = (
        f"game: rose-1\nseat: {seat}\norders:\n- keep: true\n  when: {{heroes: {{at_least: 1}}}}\n"
        "  do: {draw: true}\n"
        f"stop_if: {{ahead_of: {{player: {other}, at_least: 1}}, {joined}}}\n"
    )
    desk.writes(text)
    found = judged(demo, text, tmp_path)
    assert not isinstance(found, list)
    host = is_met(saved.opening, found.submission.orders.stop_if, saved.view(saved.position.game, seat), seat)

    assert desk.page.evaluate("() => pbem.model.holds(pbem.page.doc().stop_if)") is host
    assert read_yaml(desk.yaml())["stop_if"] == read_yaml(text)["stop_if"]
    assert read_yaml(desk.yaml())["orders"][0]["when"] == {"heroes": {"at_least": 1}}


@pytest.mark.parametrize("name", ["rose-1", "wop-1", "cards-1", "powers-1", "web-1"])
def test_page_and_host_say_and_test_every_condition_alike(name: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    view, wording = saved.view(saved.position.game, seat), wording_of(saved.opening)
    drawn = Dice(name.encode(), 1)
    for number in range(40):
        for predicate in wording.predicates.values():
            dice = drawn.apart(predicate.name, str(number))
            written: dict[str, Json] = {
                one.name: dice.pick([*one.values], one.name) for one in predicate.arguments
            }
            if predicate.number is not None:
                least = (predicate.number.least or 0) + 1
                written["at_least"] = (
                    min(dice.pick((1, 2, 3, 8), "n"), predicate.number.most or 8, 99) or least
                )
                written["at_least"] = max(int(str(written["at_least"])), least)
            when: dict[str, Json] = {predicate.name: written or True}
            told, is_so, again = desk.page.evaluate(
                """when => {
                  const paths = pbem.model.namesAsMeant({ stop_if: structuredClone(when) }).stop_if;
                  return [pbem.words.condition(paths), pbem.model.holds(paths), pbem.words.stated(paths)];
                }""",
                when,
            )
            assert is_so is is_met(saved.opening, when, view, seat), when
            assert told == wording.condition(again), when
            assert is_met(saved.opening, again, view, seat) is is_so
    for paths in PATHS if name == "rose-1" else ():
        assert desk.page.evaluate("when => pbem.words.condition(when)", paths) == wording.condition(paths)


PATHS: list[dict[str, Json]] = [{"red.roses": {"at_most": 6}}, {"supply": [6, 7]}]
"""Conditions on parts of a view, as earlier orders have them."""
