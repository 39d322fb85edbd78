"""Pictures: plain SVG that anybody can look at, made from a report's facts, with words that orders use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from jinja2 import BaseLoader

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.text.reports.report import Report, page_environment
from pbem.text.reports.sandbox import environment
from tests.pictures import NASTY, RULES, STEPS, readers, scenes

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [rules for rules in RULES if (find_rules(rules).templates / "board.svg.j2").exists()]
PLACES = ["start", *STEPS]
PLAIN = frozenset(
    ["svg", "title", "desc", "defs", "pattern", "clipPath", "g", "rect", "circle", "ellipse", "line", "path"]
) | {"polyline", "polygon", "text", "tspan", "use"}
"""All that resvg and browsers draw alike, and that can load or run nothing."""


@cache
def drawn(rules: str) -> dict[tuple[str, Seat | None], dict[str, str]]:
    """Return the pictures of a game's positions, by position and reader."""
    return {
        (place, seat): scene.pictures(seat)
        for place, scene in scenes(rules).items()
        for seat in readers(scene)
    }


def pictures(rules: str) -> Iterator[tuple[str, ET.Element]]:
    """Yield every picture of a game's positions, with its position and reader."""
    for (place, seat), found in drawn(rules).items():
        for name, picture in found.items():
            yield f"{name}, {place}, {seat or 'spectator'}", ET.fromstring(picture)


def words_of(order: Json) -> set[str]:
    """Return every word of an order: keys, texts and numbers."""
    if isinstance(order, dict):
        return set(order).union(*map(words_of, order.values()))
    if isinstance(order, list):
        return set().union(*map(words_of, order))
    return {str(order)}


@pytest.mark.parametrize("rules", RULES)
def test_there_are_board_and_plots_from_the_deal_to_the_end_and_none_before(rules: str) -> None:
    kinds = {"plots", "board"} if rules in DRAWN else {"plots"}

    assert "rose-king" in DRAWN
    assert all(
        {*found} == (kinds if place != "start" else set()) for (place, _), found in drawn(rules).items()
    )


@pytest.mark.parametrize("rules", RULES)
def test_a_picture_has_paper_and_is_told_to_those_who_cannot_see_it(rules: str) -> None:
    for where, svg in pictures(rules):
        named = (svg.get("aria-labelledby") or "").split()
        texts = {found.get("id"): (found.text or "").strip() for found in svg}

        assert (svg.tag, svg.get("role")) == (f"{SVG}svg", "img"), where
        assert [found.tag for found in svg][:2] == [f"{SVG}title", f"{SVG}desc"], where
        assert len(named) == 2, where
        assert all(texts.get(name) for name in named), where
        assert "\n" not in "".join(texts[name] for name in named), where
        paper = next(found for found in svg if found.tag == f"{SVG}rect")
        assert [paper.get("width"), paper.get("height")] == svg.get("viewBox", "").split()[2:], where
        assert re.fullmatch("#[0-9a-f]{6}", paper.get("fill") or ""), where


@pytest.mark.parametrize("rules", RULES)
def test_a_picture_is_plain_and_refers_to_nothing_but_itself(rules: str) -> None:
    for where, svg in pictures(rules):
        ids = [found.get("id") for found in svg.iter() if found.get("id")]
        assert len(ids) == len(set(ids)), where
        for found in svg.iter():
            assert found.tag.removeprefix(SVG) in PLAIN, where
            if place := found.get("data-place"):
                assert found.find(f"{SVG}title") is not None, f"{where}: {place}"
            for name, value in found.attrib.items():
                assert not name.startswith("on"), where
                assert name not in ("style", "class"), where
                if "href" in name or "url" in value:
                    target = re.fullmatch(r"(?:url\()?#([a-z0-9-]+)\)?", value)
                    assert target is not None, f"{where}: {name}={value}"
                    assert target[1] in ids, f"{where}: {value}"


def own_hand(told: dict[str, Json], seat: Seat | None) -> set[str]:
    """Return the cards of the side that reads, where the board shows hands; none while another is to move."""
    view = told["view"]
    assert isinstance(view, dict)
    side = view.get(seat or "")
    if not isinstance(side, dict) or view["to_move"] != seat:
        return set()
    return words_of(side["hand"])


@pytest.mark.parametrize("rules", DRAWN)
def test_the_places_of_a_board_are_words_of_the_orders_that_may_be_given(rules: str) -> None:
    """Or cards of the reader's hand, or the pile: where nothing can be done with them, a tap says why."""
    met: set[str] = set()
    for place, scene in scenes(rules).items():
        for seat in readers(scene):
            told = scene.facts(seat)
            assert isinstance(told["menus"], list)
            orders = [item["order"] for menu in told["menus"] for item in menu["items"]]  # type: ignore[call-overload, index, union-attr]
            legal = words_of(orders)
            board = drawn(rules)[place, seat].get("board", "")
            named = set(re.findall(' data-place="([^"]*)"', board))
            pile = {"draw"} if rules == "rose-king" else set[str]()
            assert named <= legal | own_hand(told, seat) | pile, f"{place}, {seat}"
            met |= named

    assert met, "nothing on the board can be clicked"


@pytest.mark.parametrize("rules", RULES)
def test_the_same_facts_give_the_same_pictures(rules: str) -> None:
    anew = environment(loader_of(rules))
    for place, scene in scenes(rules).items():
        told = json.loads(json.dumps(scene.facts(readers(scene)[0])))
        report = Report(anew, told)
        again = {"board": report.board, "plots": report.plots}
        assert {name: picture for name, picture in again.items() if picture} == drawn(rules)[
            place, readers(scene)[0]
        ]


@pytest.mark.parametrize("rules", RULES)
def test_no_name_can_add_anything_to_a_picture(rules: str) -> None:
    scene = scenes(rules)["middle"]
    nasty = replace(scene, names=dict.fromkeys(scene.names, NASTY))
    plain = replace(scene, names=dict.fromkeys(scene.names, "x"))
    for seat in readers(scene):
        here, there = nasty.pictures(seat), plain.pictures(seat)
        for name, picture in here.items():
            assert tags(picture) == tags(there[name]), f"{name}, {seat}"


def loader_of(rules: str) -> BaseLoader:
    """Return what finds the templates of some rules."""
    loader = templates_of(find_rules(rules)).loader
    assert loader is not None
    return loader


def tags(picture: str) -> list[str]:
    """Return the elements of a picture."""
    return [found.tag for found in ET.fromstring(picture).iter()]


def looks(rules: str, seats: list[Seat]) -> list[tuple[str, str]]:
    """Return letter and fill of each seat, as templates get them."""
    names = environment(loader_of(rules)).get_template("common/picture.svg.j2").module
    letter, pattern = vars(names)["letter"], vars(names)["patterns"]
    fills = re.findall("<pattern.*?</pattern>", str(pattern(seats)), re.DOTALL)
    return [
        (str(letter(seats, seat)).strip(), re.sub('id="[^"]*"', "", fill))
        for seat, fill in zip(seats, fills, strict=True)
    ]


@pytest.mark.parametrize("rules", RULES)
def test_seats_are_told_apart_by_letters_and_patterns(rules: str) -> None:
    seats = list(scenes(rules)["end"].names)

    told = looks(rules, seats)

    assert len({letter for letter, _ in told}) == len(seats)
    assert len({fill for _, fill in told}) == len(seats)


@pytest.mark.parametrize(
    "name",
    ["Salt Way", "King's Road", "A & B", "no", 'the "Ox", inside', "[x]: {y}", "7", 7, "a\\b"],
    ids=repr,
)
@pytest.mark.parametrize("use", ["picture.place(may, name)", "picture.place(may, name)|safe"])
def test_a_place_that_an_order_names_can_be_clicked_whatever_it_is_called(name: Json, use: str) -> None:
    board = (
        '{% import "common/picture.svg.j2" as picture %}{% set may = picture.legal(menus)|string %}'
        "{% for name in names %}<g{{ " + use + " }}/>{% endfor %}"
    )
    orders: list[Json] = [{"ride": "High Street"}, {"ride": name}, {"ride": ["Mill Lane", name]}, name]
    template = page_environment(environment(loader_of("rose-king"))).from_string(board)

    for order in orders[1:]:
        menus = [{"items": [{"order": orders[0]}, {"order": order}]}]
        shown = ET.fromstring(f"<svg>{template.render(menus=menus, names=[name, 'Old Dyke'])}</svg>")
        assert [one.attrib for one in shown] == [{"data-place": str(name)}, {}], order
