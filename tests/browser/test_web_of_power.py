"""Web of Power's form: any placement or preference comes to what `pbem check` says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.rules import WebOfPower
from tests.browser.forms import Desk, asked, next_turn, suggestion
from tests.homes import a_game, a_home, send

pytestmark = pytest.mark.browser

THREE = "seats:\n  red: {player: Ann}\n  yellow: {player: Bob}\n  green: {player: Cleo}\n"


def any_plan(facts: Facts, chance: random.Random) -> Json:
    """Return some placement, possible or not."""
    lands: list[Json] = [str(land) for land in facts.lands]
    country = chance.choice(lands)

    def word() -> Json:
        sites = [site for site, home in facts.home.items() if home == country]
        return str(chance.choice([*sites, "cloister", "cloister", "advisor", "advisor"]))

    def words() -> Json:
        return word() if chance.random() < 0.6 else [word() for _ in range(chance.randint(1, 3))]

    where: list[Json] = [country, country, country, "any", [country, chance.choice(lands)]]
    return {"country": chance.choice(where), "pieces": [words() for _ in range(chance.choice([1, 1, 2]))]}


def any_order(facts: Facts, chance: random.Random) -> Json:
    """Return some order with placements, a card to throw away, or both."""
    order: dict[str, Json] = {}
    cards: list[Json] = [str(card) for card in facts.counts]
    if chance.random() < 0.9:
        many: Json = [any_plan(facts, chance) for _ in range(chance.randint(1, 3))]
        order["place"] = any_plan(facts, chance) if chance.random() < 0.7 else many
    if chance.random() < 0.4 or not order:
        order["discard"] = chance.choice([*cards, "any", [chance.choice(cards), "any"]])
    if chance.random() < 0.5:
        wishes: list[Json] = [["match", "pile"], ["pile"], ["frankreich", "pile"], "match"]
        order["draw"] = chance.choice(wishes)
    return order


def test_forecasts_and_refusals_are_those_of_check_for_any_order(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "wop-1", rules="web-of-power", table=THREE)
    rules, chance, legal = saved.rules, random.Random(3), 0
    assert isinstance(rules, WebOfPower)
    for turn in range(13):
        (seat,) = asked(saved)
        if turn % 6 == 0:
            desk.opens(saved, seat)
            view = saved.view(saved.position.game, seat)
            orders = [any_order(rules.facts, chance) for _ in range(100)]
            told = desk.page.evaluate(
                "all => all.map((o) => [pbem.game.problems(o), pbem.game.forecast(o)])", orders
            )
            for order, (problems, lines) in zip(orders, told, strict=True):
                move = rules.read(order)
                faults = rules.check(view, move)
                assert bool(problems) == bool(faults), order
                assert faults or lines == list(rules.forecast(view, move).lines), order
                legal += not faults
        send(home, "wop-1", seat, [{"do": suggestion(saved, seat)}])
        saved = next_turn(home, saved)

    assert 100 < legal < 250
