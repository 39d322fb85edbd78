"""The data tables add up, and tables that do not are refused with place, expected and got."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue.facts import EFFECTS, plain
from pbem.rules.web_of_intrigue.rules import load
from pbem.rules.web_of_intrigue.state import TileId
from pbem.store.errors import WrongInput

from .table import shipped_data, woi

Spoil = Callable[[dict[str, Any]], Any]


def objects(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data["objects"]["list"]
    return found


SPOILT: list[tuple[str, Spoil, str]] = [
    (
        "points",
        lambda d: objects(d)[0].update(vp=11),
        "objects: victory points of person: expected 58, got 59",
    ),
    (
        "a category",
        lambda d: objects(d)[0].update(category="country"),
        "objects: number of person: expected 12, got 11",
    ),
    (
        "two of a name",
        lambda d: objects(d)[1].update(id="queen_victoria"),
        "objects: different ids: expected 60, got 59",
    ),
    (
        "a bonus for nothing",
        lambda d: objects(d)[0]["bonuses"].append({"for": "utopia", "value": 1}),
        "objects: queen_victoria: expected bonuses for objects of this set or `absent`, got utopia",
    ),
    (
        "the grid",
        lambda d: d["grid"].update(size=9),
        "grid: expected a tile for each of 81 squares, got 100 tiles",
    ),
    (
        "a special too few",
        lambda d: d["specials"]["list"].pop(),
        "grid: expected a tile for each of 100 squares, got 99 tiles",
    ),
    (
        "a subject",
        lambda d: d["specials"]["list"][0]["effect"].update(subject="row"),
        "specials: telegraph_tap: expected the subject none, got row",
    ),
    (
        "an element",
        lambda d: d["specials"]["list"][20]["effect"].update(element="metal"),
        "specials: peace_movement: expected an element for a bonus against it, got metal",
    ),
    (
        "a row of the Houses",
        lambda d: d["houses"]["list"][0]["modifiers"].update(person=3),
        r"houses: aries: expected the modifiers \[5, 3, 0, 0, -3\]",
    ),
    (
        "a column of the Houses",
        lambda d: d["houses"]["list"][0]["modifiers"].update(person=3, discovery=0),
        "houses: the sum of person: expected 12, got 15",
    ),
    (
        "a stated cell",
        lambda d: d["houses"]["stated"][0].update(value=3),
        "houses: scorpio, entity as stated: expected 3, got 5",
    ),
    (
        "an element of a House",
        lambda d: d["houses"]["list"][0].update(element="air"),
        "houses: expected 3 Houses of each element",
    ),
    (
        "the unsaid target",
        lambda d: d["target"].update(unsaid=500),
        "target: unsaid: expected 200 to 400, got 500",
    ),
    ("a table too few", lambda d: d.pop("die"), "die: expected a table, got None"),
]


@pytest.mark.paragraph("objects-list", "specials-list", "houses")
@pytest.mark.parametrize(("spoil", "says"), [row[1:] for row in SPOILT], ids=[row[0] for row in SPOILT])
def test_tables_that_do_not_add_up_are_refused(spoil: Spoil, says: str) -> None:
    data = shipped_data()
    spoil(data)
    with pytest.raises(ValueError, match=f"^{says}"):
        load(data)


def test_the_data_schema_refuses_what_has_no_shape() -> None:
    data = shipped_data()
    data["specials"]["list"][32]["effect"].pop("direction")
    with pytest.raises(WrongInput, match=r"web-of-intrigue"):
        find_rules("web-of-intrigue").load(data)


@pytest.mark.paragraph("intro-web")
def test_another_set_of_tiles_can_be_played() -> None:
    data = shipped_data()
    objects(data)[0].update(id="queen_titania", name="Queen Titania")
    for entry in objects(data):
        for bonus in entry.get("bonuses", []):
            if bonus.get("for") == "queen_victoria":
                bonus["for"] = "queen_titania"
    assert load(data).facts.objects[TileId("queen_titania")].vp == 10


@pytest.mark.paragraph("specials-list")
def test_every_kind_of_effect_is_in_the_set() -> None:
    assert {special.effect.kind for special in woi().facts.specials.values()} == set(EFFECTS)
    assert len(EFFECTS) == 14


def test_water_alone_adds_three_or_more_for_entities() -> None:
    houses = woi().facts.houses.values()
    strong = {
        house.element
        for house in houses
        for name, value in house.modifiers.items()
        if name == "entity" and value >= 3
    }
    assert strong == {"water"}


@pytest.mark.paragraph("objects-gains")
@pytest.mark.parametrize(
    ("holder", "target", "value"),
    [
        ("queen_victoria", "great_britain", 6),
        ("karl_marx", "russia", 2),
        ("karl_marx", "france", 1),
        ("temporal_window", "queen_victoria", 1),
        ("cucernunnos", "shaka_zulu", 3),
        ("cucernunnos", "proton", 1),
        ("thaumivore", "kraken", -1),
        ("house_ophiuchus", "m5_factory", 3),
        ("henrik_ibsen", "france", 0),
    ],
)
def test_control_of_an_object_adds_to_bids_for_another(holder: str, target: str, value: int) -> None:
    assert woi().facts.gains[TileId(target)].get(TileId(holder), 0) == value


@pytest.mark.parametrize(
    "text", ["crimson_tulip", "The Crimson Tulip", "crimson tulip", "CRIMSON  TULIP", " the crimson-tulip "]
)
def test_a_tile_answers_to_its_id_and_its_name(text: str) -> None:
    assert woi().facts.find_tile(text) == "crimson_tulip"


@pytest.mark.parametrize("text", ["leo", "Leo", "House Leo", "house leo"])
def test_a_house_answers_with_and_without_the_word_house(text: str) -> None:
    assert woi().facts.find_house(text) == "leo"
    assert plain("house_ophiuchus") == plain("House Ophiuchus") == "ophiuchus"
