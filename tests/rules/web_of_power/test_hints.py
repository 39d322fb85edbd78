"""What the form page is told of turns: tables of choices that say what check and forecast say of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from pbem.core.interface import Json, Outcome
from pbem.rules.web_of_power.hints import list_hints
from pbem.rules.web_of_power.view import View

from .table import place, playout, web_of_power

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


def wrong_in(view: View, order: Json) -> list[str]:
    """Return what is wrong with an order."""
    return [one.text for one in web_of_power().check(view, web_of_power().read(order))]


def told(view: View, order: Json) -> tuple[list[str], list[str]]:
    """Return what is wrong with an order, or what it will bring."""
    wrong = wrong_in(view, order)
    return wrong, [] if wrong else list(web_of_power().forecast(view, web_of_power().read(order)).lines)


@cache
def positions() -> list[tuple[View, Any]]:
    """Return views of who is on turn with their hints, from two games: some, and all when nobody draws."""
    found = []
    games = (playout(f"tables {seats}", ("greedy", "random"), seats) for seats in (3, 5))
    for number, (state, ask, _) in enumerate(chain(*games)):
        if not isinstance(ask, Outcome) and (number % 12 == 0 or state.closing):
            view = web_of_power().view(state, state.to_move)
            found.append((view, list_hints(web_of_power(), view)))
    return found


def test_each_placement_of_the_tables_is_what_check_and_forecast_say() -> None:
    counts: Counter[str] = Counter()
    for view, hints in positions():
        lines = hints["lines"]
        for country, number in hints["pieces"].items():
            first = hints["nodes"][number]
            for words, taken, node in paths(hints, number):
                wrong, said = told(view, place(country, *words)) if words else ([], [])
                ways = hints["payments"][country][len(words) - 1] if words else None
                assert wrong == ([lines[ways]] if isinstance(ways, int) else []), words
                assert ("note" in node) == bool(words and not wrong)
                assert all(lines[one] in said for one in node.get("said", [])), words
                if taken != words:
                    assert told(view, place(country, *taken)) == (wrong, said)
                here = {**first.get("not", {}), **node.get("not", {})} if len(words) < first["most"] else {}
                for word in here.keys() - {row[0] for row in node.get("next", [])}:
                    assert wrong_in(view, place(country, *taken, word)) == [lines[here[word]]], (words, word)
                counts.update(paid=bool(said), wrong=bool(wrong), refused=len(here))
            more = place(country, *["cloister"] * (first["most"] + 1))
            assert wrong_in(view, more) == [lines[first["full"]]]

    assert min(counts.values()) > 100, counts


def test_each_way_to_pay_and_what_is_kept_is_what_check_and_forecast_say() -> None:
    paid = 0
    for view, hints in positions():
        lines, orders = hints["lines"], list(payable(view, hints))
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
            for order, ways in orders if words[0] != "any" else ():
                wrong = wrong_in(view, place_paid(order, words))
                assert bool(wrong) != (sorted(words) in map(sorted, ways)), (words, ways)
                paid += not wrong

    assert paid > 40


def payable(view: View, hints: Any) -> Iterator[tuple[dict[str, Json], list[list[str]]]]:
    """Yield orders to place something that are legal, with the ways to pay for each that the hints list."""
    for country, ways in hints["payments"].items():
        for pieces, found in enumerate(ways, start=1):
            order = place(country, *(["cloister"] if pieces == 1 else ["advisor", "cloister"][:pieces]))
            if not wrong_in(view, order):
                yield order, found


def place_paid(order: dict[str, Json], cards: list[str]) -> Json:
    """Return an order to place something, with the cards to pay with."""
    plan = order["place"]
    assert isinstance(plan, dict)
    return {"place": {**plan, "pay": list[Json](cards)}}


def test_each_draw_of_the_tables_is_what_the_forecast_says() -> None:
    drawn = 0
    for view, hints in positions():
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

    assert drawn > 40
