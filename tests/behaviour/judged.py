"""Orders at positions of each of the rules, and where they are wrong; `tests.texts` has what is said of them.

Usage: python -m tests.behaviour.judged

writes down anew where each order of `judged.yaml` is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import pytest

from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Problem
from pbem.rules.rose_king.state import RED
from tests.behaviour import corpus
from tests.rules.game_of_powers import table as powers
from tests.rules.rose_king import table as rose
from tests.rules.web_of_intrigue import table as intrigue
from tests.rules.web_of_power import table as power
from tests.rules.web_of_power_cards import table as cards
from tests.written import yaml_beside

FILE: Final = "judged.yaml"

Row = dict[str, Any]
"""A name (`order`), rules, a position (`at`: what its table lays out), an order (`do`), where it is wrong."""

RULES: Final[Mapping[str, tuple[Callable[[], AnyRules], Seat | None, Callable[..., Any]]]] = {
    "game-of-powers": (powers.game, None, powers.judged_position),
    "rose-king": (rose.rose_king, RED, rose.position),
    "web-of-intrigue": (intrigue.woi, intrigue.A, intrigue.judged_position),
    "web-of-power": (power.web_of_power, power.YELLOW, power.position),
    "web-of-power-cards": (cards.rules, cards.YELLOW, lambda rows, **more: cards.position(*rows, **more)),
}
"""The rules, the seat that orders, if not whoever is asked, and what lays out a position."""


@cache
def rows(rules: str = "") -> list[Row]:
    """Return the rows, of some rules if asked."""
    return [row for row in yaml_beside(__file__, FILE) if rules in ("", row["rules"])]


def named(rules: str) -> list[Any]:
    """Return the rows of some rules as parameters of a test."""
    return [pytest.param(row, id=row["order"]) for row in rows(rules)]


def judge(row: Row) -> tuple[tuple[Problem, ...], tuple[str, ...]]:
    """Return what is wrong with the order of a row, and what its forecast says."""
    load, seat, lay_out = RULES[row["rules"]]
    rules, state = load(), lay_out(**row["at"])
    view, move = rules.view(state, seat or powers.asked(state)), rules.read(row["do"])
    wrong = rules.check(view, move)
    return wrong, () if wrong else rules.forecast(view, move).lines


def places(row: Row) -> list[Json]:
    """Return where the order of a row is wrong: the field, for good, and whether the rest can be played."""
    return [
        {
            "at": ".".join(map(str, one.path)),
            **({"lasting": True} if one.lasting else {}),
            **({"bearable": True} if one.bearable else {}),
        }
        for one in judge(row)[0]
    ]


def is_as_written(row: Row) -> bool:
    """Tell whether an order is wrong just where its row says, and has a forecast if it is in order."""
    return places(row) == row["wrong"] and (row["wrong"] != [] or judge(row)[1] != ())


def main() -> int:
    """Write down anew where orders are wrong."""
    corpus.write(FILE, ({**row, "wrong": places(row)} for row in rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
