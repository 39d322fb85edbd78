"""Games that hide something keep the contract in fifty games, and leaks that might come about are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

import pytest

from pbem.contract import Checked, Subject, check, find_leak
from pbem.core.interface import Json
from pbem.rules.web_of_power.rules import load
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.rules.game_of_powers import leaks as powers
from tests.rules.web_of_intrigue import leaks as intrigue
from tests.rules.web_of_power import leaks as power
from tests.rules.web_of_power.table import small_data
from tests.rules.web_of_power_cards import leaks as cards
from tests.subjects import subject
from tests.written import yaml_beside

LEAKS: Final[Mapping[str, ModuleType]] = {
    "game-of-powers": powers,
    "web-of-intrigue": intrigue,
    "web-of-power": power,
    "web-of-power-cards": cards,
}
ROWS: Final[Mapping[str, Mapping[str, Any]]] = {
    row["rules"]: row for row in yaml_beside(__file__, "worlds.yaml")
}


def table(rules: str, seats: int, options: Mapping[str, Json] | None = None) -> Subject:
    """Return rules at a table, with what the others may order besides where nobody is ever told."""
    other_moves = getattr(LEAKS.get(rules), "other_moves", None)
    return replace(subject(rules, seats, **(options or {})), other_moves=other_moves)


def laid(
    rules: str,
    seats: int,
    options: Mapping[str, Json] | None = None,
    pieces: Sequence[int] = (),
    *,
    shown: bool = False,
) -> Subject:
    """Return the table of a row."""
    found = table(rules, seats, options)
    if pieces:
        cloisters, advisors = pieces
        found = replace(found, rules=load(small_data(pieces=(cloisters, advisors))))
    return found if shown else replace(found, environment=None)


@pytest.mark.worlds
@pytest.mark.parametrize("rules", ROWS)
def test_nobody_can_tell_worlds_apart_in_fifty_games(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[Checked] = []
    for number, row in enumerate(ROWS[rules]["tables"]):
        played = laid(rules, **{name: value for name, value in row.items() if name != "games"})
        runs.append(check(played, games=row["games"], worlds=1, seed=f"table {number}"))
        with capsys.disabled():
            print(f"\n{rules}, {row}: {runs[-1]}")

    assert not [breach for run in runs for breach in run.breaches]
    assert sum(run.games for run in runs) == 50
    assert sum(run.worlds_kept for run in runs) > ROWS[rules]["kept"]
    assert all(run.worlds_kept for run in runs)
    assert {run.planted_found for run in runs} == {2}
    told = {name for run in runs for name in run.events}
    kinds = {kind.__name__ for kind in subject(rules).rules.event_kinds}
    assert told == kinds - {*ROWS[rules].get("unplayed", [])}


def leaks_of(rules: str) -> list[type[Any]]:
    """Return rules of a game with one leak each."""
    found = [one for one in vars(LEAKS[rules]).values() if isinstance(one, type)]
    return [one for one in found if issubclass(one, Leaky) and one is not Leaky]


@pytest.mark.parametrize(
    ("rules", "leaky"),
    [pytest.param(rules, one, id=one.__name__) for rules in LEAKS for one in leaks_of(rules)],
)
def test_a_leak_as_it_might_come_about_is_found(rules: str, leaky: type[Any]) -> None:
    looked = dict(ROWS[rules]["leaks"])
    honest = table(rules, looked.pop("seats"))
    spoilt = replace(honest, rules=leaky(honest.rules), environment=None)

    assert tells(find_leak(spoilt, **looked))
