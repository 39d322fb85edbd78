"""The data tables add up, and tables that do not are refused with place, expected and got."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.rules.web_of_intrigue.facts import EFFECTS, plain
from pbem.rules.web_of_intrigue.rules import load
from pbem.rules.web_of_intrigue.state import TileId

from .table import shipped_data, woi


def objects(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data["objects"]["list"]
    return found


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
