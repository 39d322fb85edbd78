"""What the form page is told of turns: tables of choices that say what check and forecast say of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from pbem.core.interface import Json, Outcome
from pbem.rules.web_of_power.hints import list_hints
from pbem.rules.web_of_power.state import State
from pbem.rules.web_of_power.view import View

from .table import GREEN, RED, place, playout, position, web_of_power

Path = tuple[list[str], list[Any], dict[str, Any]]
"""The choices that lead to a node, what is taken by each, and the node."""


def paths(hints: Any, number: int) -> Iterator[Path]:
    """Yield each node of a table, as far as choices are sure."""
    found: list[Path] = [([], [], hints["nodes"][number])]
    for words, taken, node in found:  # grows while it is walked
        yield words, taken, node
        for word, after, *more in node.get("next", []):
            if len(more) < 2:
                following = {} if after is None else hints["nodes"][after]
                found.append(([*words, word], [*taken, *(more or [word])], following))


def told(view: View, order: Json) -> tuple[list[str], list[str]]:
    """Return what is wrong with an order, or what it will bring."""
    move = web_of_power().read(order)
    wrong = [one.text for one in web_of_power().check(view, move)]
    return wrong, [] if wrong else list(web_of_power().forecast(view, move).lines)


def asked(state: State) -> tuple[View, Any]:
    """Return the view of the seat on turn, and its hints."""
    view = web_of_power().view(state, state.to_move)
    return view, list_hints(web_of_power(), view)


def positions() -> Iterator[State]:
    """Yield positions of two games, one of them to its end, and one in which nobody draws any more."""
    games = (playout(f"tables {seats}", ("greedy", "random"), seats) for seats in (3, 5))
    for number, (state, ask, _) in enumerate(chain(*games)):
        if not isinstance(ask, Outcome) and (number % 6 == 0 or state.closing):
            yield state


def test_each_placement_of_the_tables_is_what_check_and_forecast_say() -> None:
    counts: Counter[str] = Counter()
    for state in positions():
        view, hints = asked(state)
        lines = hints["lines"]
        for country, number in hints["pieces"].items():
            first = hints["nodes"][number]
            for words, taken, node in paths(hints, number):
                wrong, said = told(view, place(country, *words)) if words else ([], [])
                ways = hints["payments"][country][len(words) - 1] if words else None
                assert wrong == ([lines[ways]] if isinstance(ways, int) else []), words
                assert ("note" in node) == bool(words and not wrong)
                assert all(lines[one] in said for one in node.get("said", [])), words
                assert told(view, place(country, *taken)) == (wrong, said) or not words
                here = {**first.get("not", {}), **node.get("not", {})} if len(words) < first["most"] else {}
                for word in here.keys() - {row[0] for row in node.get("next", [])}:
                    assert told(view, place(country, *taken, word))[0] == [lines[here[word]]], (words, word)
                counts.update(paid=bool(said), wrong=bool(wrong), refused=len(here))
            more = place(country, *["cloister"] * (first["most"] + 1))
            assert told(view, more)[0] == [lines[first["full"]]]

    assert min(counts.values()) > 100, counts


def test_each_way_to_pay_and_what_is_kept_is_what_check_and_forecast_say() -> None:
    paid = 0
    for state in positions():
        view, hints = asked(state)
        lines = hints["lines"]
        for words, taken, node in paths(hints, hints["hand"]):
            if not words:
                continue
            assert node["missing"] == 3 - len(view.hand) + len(words)
            if len(words) == 1:
                _, said = told(view, {"discard": list[Json](words)})
                assert said[0].startswith("You place no piece") and said[-1].startswith(
                    lines[node["kept"]].partition("{}")[0]
                )
                assert told(view, {"discard": taken}) == ([], said)
            for country, ways in hints["payments"].items():
                for pieces, found in enumerate(ways, start=1):
                    orders = (place(country, *["advisor", "cloister"][:pieces]), place(country, "cloister"))
                    order = orders[pieces == 1]
                    if told(view, order)[0] or words[0] == "any":
                        continue
                    wrong, _ = told(view, place_paid(order, words))
                    assert bool(wrong) != (sorted(words) in map(sorted, found)), (words, found)
                    paid += not wrong

    assert paid > 100


def place_paid(order: dict[str, Json], cards: list[str]) -> Json:
    """Return an order to place something, with the cards to pay with."""
    plan = order["place"]
    assert isinstance(plan, dict)
    return {"place": {**plan, "pay": list[Json](cards)}}


def test_each_draw_of_the_tables_is_what_the_forecast_says() -> None:
    drawn = 0
    for state in positions():
        view, hints = asked(state)
        lines = hints["lines"]
        for card, after, *more in hints["nodes"][hints["hand"]]["next"]:
            node = hints["nodes"][after]
            if more or "draw" not in node:
                assert more or view.closing
                continue
            for words, taken, _ in paths(hints, node["draw"]):
                if not 0 < len(words) <= node["missing"] or "" in words:
                    continue
                _, said = told(view, {"discard": card, "draw": list[Json](words)})
                texts = [lines[one] for one in taken]
                assert all(text in said[-1] for text in texts), (words, said)
                if len(words) == node["missing"] == 1:
                    assert said[-1] == lines[node["kept"]].replace("{}", f": {texts[0]}")
                drawn += 1

    assert drawn > 100


def test_who_is_not_on_turn_is_told_what_pieces_cost_and_nothing_else() -> None:
    state = position(to_move=GREEN)
    view = web_of_power().view(state, RED)

    assert list_hints(web_of_power(), view) == {
        "nowhere": "it does not say in which country",
        "price": [
            "Costs a card {} ({}), or 2 of one type.",
            "Costs for each of the 2 pieces a card {} ({}), or 2 of one type.",
        ],
    }
    assert list_hints(web_of_power(), web_of_power().view(state, None)) is None
