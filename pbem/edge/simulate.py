"""Bots play whole games through the same loop as people do; what came out, counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Outcome
from pbem.core.opening import Opened, Opening
from pbem.core.turn import Policy, Position, advance

MOST_STEPS = 100_000


@dataclass(slots=True)
class Statistics:
    """What happened in many games.

    Attributes:
        lengths: Steps of each game, the deal not counted.
        scores: Points of each seat in each game.
        endings: How often each ending came up.
        decided_by: How often points or each tie-break decided.
        wins: Games won by each seat; shared victories count for each.
        wins_by_skill: The same by the skill of the bot.
        games_by_skill: In how many seats each skill played.
        draws: Games nobody won.
    """

    lengths: list[int] = field(default_factory=list)
    scores: dict[Seat, list[int]] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)
    decided_by: Counter[str] = field(default_factory=Counter)
    wins: Counter[Seat] = field(default_factory=Counter)
    wins_by_skill: Counter[str] = field(default_factory=Counter)
    games_by_skill: Counter[str] = field(default_factory=Counter)
    draws: int = 0

    def add(self, outcome: Outcome, steps: int, bots: Mapping[Seat, str]) -> None:
        """Count one game that ended."""
        self.lengths.append(steps)
        for seat, points in outcome.scores.items():
            self.scores.setdefault(seat, []).append(points)
        self.endings[outcome.reason] += 1
        self.decided_by[outcome.decided_by] += 1
        self.wins.update(outcome.winners)
        self.wins_by_skill.update(bots[seat] for seat in outcome.winners)
        self.games_by_skill.update(bots.values())
        self.draws += not outcome.winners

    def as_json(self) -> dict[str, Json]:
        """Return all counts, and of lengths and scores the least, median, mean and most."""
        return {
            "games": len(self.lengths),
            "steps": _spread(self.lengths),
            "points": {str(seat): _spread(points) for seat, points in self.scores.items()},
            "endings": dict(sorted(self.endings.items())),
            "decided_by": dict(sorted(self.decided_by.items())),
            "wins": {str(seat): self.wins[seat] for seat in self.scores},
            "wins_by_skill": {skill: self.wins_by_skill[skill] for skill in sorted(self.games_by_skill)},
            "seats_by_skill": dict(sorted(self.games_by_skill.items())),
            "draws": self.draws,
        }


def simulate(
    rules: AnyRules,
    seats: tuple[Seat, ...],
    options: Mapping[str, Any],
    skills: Sequence[str],
    games: int,
    seed: str,
    each: Callable[[int], None],
) -> Statistics:
    """Play games between bots; skills are dealt to the seats in turn, moving on by one seat each game.

    Args:
        rules: The rules.
        seats: The seats.
        options: The rules' options.
        skills: Skills of the bots, at least one.
        games: How many games.
        seed: Any text; the same text gives the same games.
        each: Told after each game how many are done.
    """
    statistics = Statistics()
    opening = Opening(rules, seats, options)
    for number in range(games):
        bots = {seat: skills[(place + number) % len(skills)] for place, seat in enumerate(seats)}
        dice = hashlib.sha256(f"{seed}/{number}".encode()).digest()
        policy = Policy(bots=bots, most_steps=MOST_STEPS)
        start: Position[Opened[Any] | None] = Position(None)
        run = advance(opening, seats, start, {}, dice, policy)
        if not isinstance(run.ask, Outcome):
            raise RuntimeError(f"game {number} of seed {seed!r} did not end within {MOST_STEPS} steps")
        statistics.add(run.ask, len(run.steps) - 1, bots)
        each(number + 1)
    return statistics


def _spread(values: Sequence[int]) -> dict[str, Json]:
    if not values:
        return {}
    middle = float(median(values))
    return {"least": min(values), "median": middle, "mean": round(fmean(values), 1), "most": max(values)}
