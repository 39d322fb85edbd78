"""What simulations of Web of Power count: how turns were used, and where the points came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pbem.core.events import Event
from pbem.core.interface import Outcome, Tables
from pbem.rules.web_of_power import events as told
from pbem.rules.web_of_power.state import ADVISOR


def tally(rules: Any, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return the counts of one game that ended: turns by what was placed, points by what they were for."""
    turns = Counter({"two pieces": 0, "one piece": 0, "a card thrown away": 0})
    pieces = Counter({"cloisters": 0, "advisors": 0})
    points = Counter({"cloisters, first time": 0, "cloisters, second time": 0, "alliances": 0, "chains": 0})
    for event in events:
        match event:
            case told.PiecesPlaced():
                advisors = event.pieces.count(ADVISOR)
                turns["two pieces" if len(event.pieces) > 1 else "one piece"] += 1
                pieces.update({"advisors": advisors, "cloisters": len(event.pieces) - advisors})
            case told.CardDiscarded():
                turns["a card thrown away"] += 1
            case told.CloistersScored():
                title = "cloisters, first time" if event.half == 1 else "cloisters, second time"
                points[title] += sum(sum(earned.values()) for earned in event.points.values())
            case told.AlliancesScored():
                points["alliances"] += sum(sum(earned.values()) for earned in event.points.values())
            case told.ChainsScored():
                points["chains"] += sum(len(row) for rows in event.chains.values() for row in rows)
    return {"turns": turns, "pieces": pieces, "points_for": points}
