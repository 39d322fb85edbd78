"""What the forecast says of cards that will be drawn, and what is drawn then."""

from __future__ import annotations

import re

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power import events

from .table import do, kinds, playout, web_of_power


@pytest.mark.parametrize("skill", ["random", "greedy"])
def test_what_the_forecast_says_of_drawing_comes_about(skill: str) -> None:
    """Of drawing by chance: cards that it names surely are drawn, and the pile runs out if it says so."""
    rules, sure = web_of_power(), 0
    for state, _, _ in playout(f"draws {skill}", (skill,), 4):
        view = rules.view(state, state.to_move)
        if view.closing:
            continue
        words = [*view.held, "match", "pile"]
        for number in range(4):
            dice = Dice(b"draws", 100 * view.pile + number)
            entries: list[Json] = [
                list[Json](dice.pick(words, f"{place} {one}") for one in range(2)) for place in range(3)
            ]
            order: Json = {"discard": "any", "place": {"country": "any", "pieces": ["cloister"]}}
            assert isinstance(order, dict)
            order["draw"] = entries[: 1 + number % 3]
            line = rules.forecast(view, rules.read(order)).lines[-1]
            _, told = do(state, order)
            filled = next((one for one in told if isinstance(one, events.HandFilled)), None)
            if filled is None:
                continue
            assert ("the pile runs out" in line) == ("PileRanOut" in kinds(told)), (line, told)
            said = line.partition(", and draw ")[2]
            count, _, cards_ = re.sub(r" \([^)]*\)|;.*|\.$", "", said).partition(": ")
            if "else" in cards_ or "then hold" in cards_ or "oldest" in cards_:
                continue
            parts = cards_.split(", then ") if "each" not in count else [cards_] * int(count[0])
            drawn = [facts_title(card) for card in filled.taken] + ["the pile"] * filled.from_pile
            assert sorted(parts) == sorted(drawn), (line, told)
            sure += 1
    assert sure > 40


def facts_title(card: str) -> str:
    """Return a card as it is called."""
    return web_of_power().facts.titles[card]
