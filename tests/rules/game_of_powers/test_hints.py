"""What the form page is told of turns: tables of choices that say what check and forecast say of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.core.interface import Json, Outcome
from pbem.rules.game_of_powers.hints import list_hints
from pbem.rules.game_of_powers.view import View

from .table import game, playout, skills, view_of


def paths(node: Any, taken: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each node of a table with the choices that lead to it."""
    yield taken, node
    for choice, after in node.get("next", []):
        yield from paths(after, (*taken, choice))


def told(view: View, order: Json) -> tuple[list[str], list[str]]:
    """Return what is wrong with an order, or what it will bring."""
    move = game().read(order)
    wrong = [one.text for one in game().check(view, move)]
    return wrong, [] if wrong else list(game().forecast(view, move).lines)


def check(view: View, order: dict[str, Json], name: str, table: Any, lines: list[str]) -> int:
    """Compare each choice of a table with what the rules say of an order; return how many there are."""
    count = 0
    for path, node in paths(table):
        if not path:
            continue
        chosen: list[Json] = [int(one) if one.isdecimal() else one for one in path]
        wrong, said = told(view, {**order, name: chosen})
        assert wrong == ([lines[node["why"]]] if "why" in node else []), chosen
        assert all(lines[one] in said for one in node.get("said", []) if not wrong), chosen
        for card, line in node.get("not", {}).items():
            wrong, _ = told(view, {**order, name: [*chosen, f"#{card}"]})
            assert wrong == [lines[line]], (chosen, card)
        for task in view.tasks if "claims" in node else ():
            wrong, _ = told(view, {**order, name: chosen, "claim": task})
            assert wrong == ([lines[node["claims"][task]]] if task in node["claims"] else []), task
        count += 1
    return count


def test_each_choice_of_the_tables_is_what_check_and_forecast_say() -> None:
    counts = dict.fromkeys(("take_tokens", "take_cards", "play_cards"), 0)
    for state, ask, _ in playout("tables", skills(3, "greedy", "random")):
        if isinstance(ask, Outcome) or ask.kind != "move":
            continue
        view = view_of(state)
        hints: Any = list_hints(game(), view)
        for row, city in zip(hints["courses"]["/"], hints["ways"], strict=True):
            if isinstance(row[0], str):
                continue
            tables = {
                "take_tokens": hints["tokens"][city],
                "take_cards": hints["fields"][view.cities[city].section][str(row[1])],
                "play_cards": hints["plays"][city],
            }
            for name, table in tables.items():
                counts[name] += check(view, {"sail": str(city)}, name, table, hints["lines"])

    assert min(counts.values()) > 20, counts
