"""What simulations of Game of Powers count: tasks collected, trades, actions, and cards spent on sailing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.events import Event
from pbem.core.interface import Outcome, Tables
from pbem.rules.game_of_powers import events as told
from pbem.rules.game_of_powers.rules import GameOfPowers

_TRADES: Final[Mapping[str, type[Event]]] = {
    "offered": told.TradeProposed,
    "countered": told.TradeCountered,
    "declined": told.TradeDeclined,
    "made": told.TradeMade,
}
_ACTIONS: Final[Mapping[str, type[Event]]] = {
    "take tokens": told.TokensTaken,
    "take cards": told.CardsTaken,
    "cards played": told.CardPlayed,
    "none possible": told.ActionSkipped,
}


def tally(rules: GameOfPowers, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended; every task has a row."""
    tasks = Counter({task.name: 0 for task in rules.facts.tasks.values()})
    kinds = Counter(type(event) for event in events)
    trades = {name: kinds[kind] for name, kind in _TRADES.items()}
    actions = {name: kinds[kind] for name, kind in _ACTIONS.items()}
    sailing = Counter({"cards to turn round": 0, "cards to sail further": 0})
    bonus = Counter({"alone": 0, "shared": 0, "nobody": 0})
    won = Counter({"cards": 0, "tasks": 0, "bonus": 0})
    for event in events:
        match event:
            case told.TaskClaimed():
                tasks[event.name] += 1
            case told.CardReturned():
                sailing["cards to turn round" if event.use == "reverse" else "cards to sail further"] += 1
            case told.PointsCounted():
                found = sum(parts["bonus"] > 0 for parts in event.points.values())
                for seat in outcome.winners:
                    won.update({name: event.points[seat][name] for name in won})
                bonus["alone" if found == 1 else "shared" if found else "nobody"] += 1
    return {
        "tasks": tasks,
        "trades": trades,
        "actions": actions,
        "sailing": sailing,
        "bonus": bonus,
        "winners' points": won,
    }
