"""What the forecast says of cards that will be drawn, and what is drawn then."""

from __future__ import annotations

import re

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power import events

from .table import SHORT, YELLOW, do, kinds, place, playout, position, web_of_power

DRAWS: list[tuple[str, str, int, Json, str]] = [
    ("fr es", "fa", 9, ["fr", "pile"], "2 cards: Frankreich, then the pile"),
    ("fr es", "fa", 9, "li", "2 cards: the pile (no Lothringen-Italien lies open), then an open card of a"),
    ("fr fr", "fa", 9, ["fr", "fr"], "2 cards, each: Frankreich"),
    ("fr es", "fa", 9, ["fr"], "2 cards: Frankreich, then the pile (no other Frankreich lies open)."),
    (
        "fr es",
        "fa",
        9,
        [["li", "es"], "match"],
        "2 cards: England-Schwaben (no Lothringen-Italien lies open)",
    ),
    ("fr fa", "fa", 9, [["pile", "match"], ["match", "pile"]], "2 cards: the pile, then "),
    (
        "fr es",
        "fa",
        9,
        "match",
        "2 cards: the pile, then an open card of a type that you then hold, else the pile",
    ),
    ("fr fr", "fr", 9, "match", "2 cards, each: Frankreich"),
    (
        "fr es",
        "fa",
        2,
        "es",
        "2 cards: England-Schwaben, then the pile (no other England-Schwaben lies open); ",
    ),
    (
        "fr es",
        "fa",
        1,
        "pile",
        "2 cards: the pile, then an open card of a type that you then hold, else the old",
    ),
]


@pytest.mark.parametrize(("face_up", "kept", "pile", "wanted", "said"), DRAWS, ids=str)
def test_the_forecast_names_what_will_be_drawn(
    face_up: str, kept: str, pile: int, wanted: Json, said: str
) -> None:
    entries = wanted if isinstance(wanted, list) else [wanted]
    names: list[Json] = [
        [SHORT.get(str(word), word) for word in one] if isinstance(one, list) else SHORT.get(str(one), one)
        for one in entries
    ]
    state = position(
        hands={YELLOW: f"{kept} bb bb"},
        face_up=face_up,
        pile=" ".join(["li"] * pile),
        taken="red: regensburg",
    )
    order = place("bayern", "passau", "advisor", draw=names)
    rules = web_of_power()
    last = rules.forecast(rules.view(state, YELLOW), rules.read(order)).lines[-1]
    assert said in last


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
