"""What rules say of orders at the positions of their tests: what is wrong with them, or what they will do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json
from pbem.rules.rose_king.state import RED
from pbem.text.strictyaml import dump_flow
from tests.rules.game_of_powers import table as powers
from tests.rules.game_of_powers import test_check as of_powers
from tests.rules.rose_king import table as rose
from tests.rules.rose_king import test_check as of_rose
from tests.rules.web_of_intrigue import table as intrigue
from tests.rules.web_of_intrigue import test_check as of_intrigue
from tests.rules.web_of_power import table as power
from tests.rules.web_of_power import test_check as of_power
from tests.rules.web_of_power_cards import table as cards
from tests.rules.web_of_power_cards import test_check as of_cards

Row: TypeAlias = tuple[Any, ...]
"""The name of a row, a state and an order; what else it has is what its test asserts."""


def judged() -> Mapping[str, str]:
    """Return what is said of orders, by their rules."""
    at = {"turns": of_powers.STATE, "starts": powers.deal("start"), "answers": of_powers.offered()}
    wrong = [(row["id"], at[name], row["order"]) for name in at for row in of_powers.WRONG[name]]
    return {
        "game-of-powers": _said(powers.game(), None, wrong),
        "rose-king": _said(rose.rose_king(), RED, [*of_rose.PROBLEMS, *of_rose.FORECASTS]),
        "web-of-intrigue": _said(intrigue.woi(), intrigue.A, [*of_intrigue.PROBLEMS, *of_intrigue.FORECASTS]),
        "web-of-power": _said(power.web_of_power(), power.YELLOW, [*of_power.PROBLEMS, *of_power.FORECASTS]),
        "web-of-power-cards": _said(cards.rules(), cards.YELLOW, [*of_cards.PROBLEMS, *of_cards.FORECASTS]),
    }


def _said(rules: AnyRules, seat: Seat | None, rows: Iterable[Row]) -> str:
    """Return what a seat is told about its orders; without one it is the seat that is asked."""
    found = ""
    for name, state, order, *_ in rows:
        told = _told(rules, rules.view(state, seat or powers.asked(state)), order)
        found += f"=== {name}\n{dump_flow(order)}\n{told}\n"
    return found


def _told(rules: AnyRules, view: Any, order: Json) -> str:
    move = rules.read(order)
    wrong = [f"  {'.'.join(map(str, one.path))}: {one}\n" for one in rules.check(view, move)]
    return "".join(wrong or [f"  {line}\n" for line in rules.forecast(view, move).lines])
