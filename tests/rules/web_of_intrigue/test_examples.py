"""The worked examples of the rules, each as a test of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.modifiers import (
    Stand,
    distance_modifier,
    needed_roll,
    weigh,
    winning_faces,
)
from pbem.rules.web_of_intrigue.scoring import guess_bonuses, income, victory_target
from pbem.rules.web_of_intrigue.sight import budget
from pbem.rules.web_of_intrigue.state import Blight, Guess, HouseId, State, TileId
from tests.written import yaml_beside

from .table import A, B, change, deal, position, woi

EXAMPLES: Mapping[str, Any] = yaml_beside(__file__, "examples.yaml")
RULES: Mapping[str, Any] = {row["id"]: row for row in EXAMPLES["rules"]}
SEQUENCES: Mapping[str, Any] = {row["id"]: row for row in EXAMPLES["sequences"]}


@pytest.mark.paragraph(
    "example-1",
    "example-2",
    "example-3",
    "example-4",
    "example-5",
    "example-6",
    "example-7",
    "bid-roll",
    "special-adjacent",
    "houses",
)
@pytest.mark.parametrize("row", EXAMPLES["bidding"], ids=lambda row: row["id"])
def test_a_bid_needs_the_roll_of_the_example(row: Mapping[str, Any]) -> None:
    facts, expect = woi().facts, row["expect"]
    specials = {entry["special"]: entry["at"] for entry in row["enacted"]}
    thing = facts.objects[TileId(row["target"])]
    beside = [TileId(name) for name, at in specials.items() if facts.grid.distance(at, row["target_at"]) == 1]
    stand = Stand(HouseId(row["house"]), [TileId(name) for name in row["controls"]], [*map(TileId, specials)])

    distance = facts.grid.distance(row["player_at"], row["target_at"])
    parts = weigh(facts, stand, thing, distance, is_rivals=row["target_owner"] == "other", beside=beside)

    needed = needed_roll(thing, parts)
    assert sum(parts.values()) == expect["modifier"]
    assert needed == expect["needed_roll"]
    faces = [face for face in range(1, 7) if face >= needed]
    assert faces == expect["winning_faces"]
    assert winning_faces(facts, needed) == len(faces)


def bonus_vs_great_britain(held: list[TileId], enacted: list[TileId]) -> int:
    facts = woi().facts
    thing = facts.objects[TileId("great_britain")]
    assert facts.houses[HouseId("scorpio")].modifiers[thing.category] == 0
    return sum(weigh(facts, Stand(HouseId("scorpio"), held, enacted), thing, 0, is_rivals=False).values())


@pytest.mark.paragraph("effects-last", "effects-skill", "special-category", "special-unless")
@pytest.mark.parametrize("name", SEQUENCES)
def test_bonuses_are_instant_as_in_the_example(name: str) -> None:
    held: list[TileId] = []
    enacted: list[TileId] = []
    for step in SEQUENCES[name]["steps"]:
        match step["do"]:
            case "enact":
                enacted.append(TileId(step["special"]))
            case "gain":
                held.append(TileId(step["object"]))
            case "lose":
                held.remove(TileId(step["object"]))
        if "bonus_vs_great_britain" in step:
            assert bonus_vs_great_britain(held, enacted) == step["bonus_vs_great_britain"]


@pytest.mark.paragraph("bid-distance")
@pytest.mark.parametrize("name", ["woi-dist", "woi-dist-4"])
def test_the_penalty_grows_with_the_distance(name: str) -> None:
    for distance, penalty in RULES[name]["distance_penalty"].items():
        assert distance_modifier(woi().facts, distance) == penalty


@pytest.mark.paragraph("bid-distance", "intro-web")
@pytest.mark.parametrize("name", ["woi-diag", "woi-wrap"])
def test_distances_are_orthogonal_and_wrap(name: str) -> None:
    row = RULES[name]
    assert woi().facts.grid.distance(row["from"], row["to"]) == row["distance"]


@pytest.mark.paragraph("tiles-diamond")
@pytest.mark.parametrize("name", ["woi-view", "woi-view-4"])
def test_a_diamond_has_so_many_tiles(name: str) -> None:
    row = RULES[name]
    for square in woi().facts.grid.squares:
        assert len(set(woi().facts.grid.diamond(square, row["radius"]))) == row["tiles"]


@pytest.mark.paragraph("bid-rival")
def test_another_house_s_object_is_harder_woi_owner() -> None:
    assert woi().facts.numbers.rival == RULES["woi-owner"]["other_house_penalty"]


@pytest.mark.paragraph("points-budget", "special-recruits", "special-blight")
def test_action_points_woi_ap() -> None:
    row, facts, state = RULES["woi-ap"], woi().facts, deal()
    assert budget(facts, state, A) == row["base"]
    assert budget(facts, change(state, A, gained=4), A) == row["new_recruits"]
    assert budget(facts, change(state, B, blights=(Blight(A, 2),)), A) == row["blight"]
    assert budget(facts, change(state, B, blights=(Blight(A, 2),) * 11), A) == 0


@pytest.mark.paragraph("guess-bonus")
@pytest.mark.parametrize("name", ["woi-guess", "woi-guess-round"])
def test_a_right_guess_earns_a_quarter_rounded_down(name: str) -> None:
    row, facts = RULES[name], woi().facts
    chosen: list[TileId] = []
    for tile, thing in sorted(facts.objects.items(), key=lambda entry: -entry[1].vp):
        if facts.vp([*chosen, tile]) <= row["target_vp"]:
            chosen.append(TileId(thing.id))
    state = position(owners=dict.fromkeys(chosen, B))
    assert income(facts, state.owners, B) == row["target_vp"]
    state = change(state, A, guesses=(Guess(1, B, state.players[B].house, right=True, free=False),))
    assert guess_bonuses(facts, state.owners, state.players, A, 4) == {B: row["one_sided_bonus"]}
    mutual = change(state, B, guesses=(Guess(1, A, state.players[A].house, right=True, free=False),))
    assert guess_bonuses(facts, mutual.owners, mutual.players, A, 4) == {B: row.get("mutual_bonus", 0)}


@pytest.mark.paragraph("victory-mean")
def test_the_target_is_the_mean_of_clamped_suggestions_woi_target() -> None:
    row = RULES["woi-target"]
    starts = dict(zip(seat_names(4), ({"target": number} for number in row["suggestions"]), strict=True))
    state = woi().setup(seat_names(4), SYSTEM.options, starts, Dice(b"target", 0))
    assert [player.suggestion for player in state.players.values()] == row["clamped"]
    assert [woi().counts(said)["target"] for said in starts.values()] == row["clamped"]
    assert victory_target(state) == row["target"]


@pytest.mark.paragraph("victory-target")
@pytest.mark.parametrize(("points", "wins"), [(275, "vp_275_wins"), (276, "vp_276_wins")])
def test_the_target_must_be_surpassed_woi_win(points: int, wins: str) -> None:
    row = RULES["woi-win"]
    state: State = change(deal(target=row["target"]), A, objects=points)
    assert isinstance(woi().ask(state), Outcome) is row[wins]


@pytest.mark.paragraph("intro-web", "tiles-kinds", "objects-list", "specials-list")
def test_the_tiles_woi_tiles() -> None:
    row, facts = RULES["woi-tiles"], woi().facts
    assert len(facts.objects) == row["objects"]
    for category in facts.categories:
        assert sum(one.category == category for one in facts.objects.values()) == row["per_category"]
    assert len(facts.specials) == row["specials"]
    assert len(facts.objects) + len(facts.specials) == row["tiles"] == len(facts.grid.squares)
    assert facts.vp(facts.objects) == row["object_vp_total"]
