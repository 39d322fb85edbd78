"""What simulations of Game of Powers count: tasks collected, trades, actions, and cards spent on sailing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.core.events import Event
from pbem.core.interface import Outcome, Tables
from pbem.rules.game_of_powers import events as told
from pbem.rules.game_of_powers.rules import GameOfPowers


def tally(rules: GameOfPowers, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended; every task has a row."""
    tasks = Counter({task.name: 0 for task in rules.facts.tasks.values()})
    trades = Counter(dict.fromkeys(("offered", "countered", "declined", "made"), 0))
    actions = Counter(dict.fromkeys(("take tokens", "take cards", "cards played", "none possible"), 0))
    sailing = Counter({"cards to turn round": 0, "cards to sail further": 0})
    bonus = Counter({"alone": 0, "shared": 0, "nobody": 0})
    for event in events:
        match event:
            case told.TaskClaimed():
                tasks[event.name] += 1
            case told.TradeProposed():
                trades["offered"] += 1
            case told.TradeCountered():
                trades["countered"] += 1
            case told.TradeDeclined():
                trades["declined"] += 1
            case told.TradeMade():
                trades["made"] += 1
            case told.CardPlayed():
                actions["cards played"] += 1
            case told.CardReturned():
                sailing["cards to turn round" if event.use == "reverse" else "cards to sail further"] += 1
            case told.PointsCounted():
                found = sum(parts["bonus"] > 0 for parts in event.points.values())
                bonus["alone" if found == 1 else "shared" if found else "nobody"] += 1
            case told.TokensTaken():
                actions["take tokens"] += 1
            case told.CardsTaken():
                actions["take cards"] += 1
            case told.ActionSkipped():
                actions["none possible"] += 1
    return {"tasks": tasks, "trades": trades, "actions": actions, "sailing": sailing, "bonus": bonus}
