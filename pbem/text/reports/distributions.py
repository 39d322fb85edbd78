"""Distributions of many games as a picture: lengths, scores and wins, placed in the units of its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Final

from pbem.text.reports.plots import nice_step

LEFT: Final = 102
RIGHT: Final = 390
BARS: Final = 20
"""At most so many bars stand for lengths."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of lengths: its place, its width, how high it is of 1, and in words what it counts."""

    x: float
    width: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Box:
    """The scores of one seat: places of the least, the quartiles and the most, and the same in numbers."""

    seat: str
    places: tuple[float, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Won:
    """The games that one seat won: where its bar ends, and how many there were."""

    seat: str
    x: float
    games: int


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale below a chart: numbers and their places."""

    ticks: tuple[tuple[float, int], ...]
    least: int
    most: int

    def place(self, number: float) -> float:
        """Return where a number stands."""
        return round(LEFT + (RIGHT - LEFT) * (number - self.least) / (self.most - self.least), 1)


def scale(least: int, most: int) -> Scale:
    """Return a scale of round numbers that holds these two."""
    step = nice_step(max(1, most - least))
    start, end = least // step * step, -(-(most + 1) // step) * step
    made = Scale((), start, end)
    return Scale(tuple((made.place(one), one) for one in range(start, end + 1, step)), start, end)


def lengths(steps: Sequence[int]) -> tuple[Scale, tuple[Bar, ...]]:
    """Return how long games were, as bars of equal width.

    Args:
        steps: The steps of each game, at least one game.
    """
    below = scale(min(steps), max(steps))
    width = max(1, -(-(below.most - below.least) // BARS))
    counts: dict[int, int] = {}
    for one in steps:
        start = below.least + (one - below.least) // width * width
        counts[start] = counts.get(start, 0) + 1
    highest = max(counts.values())
    return below, tuple(
        Bar(
            below.place(start),
            round(below.place(start + width) - below.place(start), 1),
            round(count / highest, 3),
            f"{start if width == 1 else f'{start} to {start + width - 1}'} steps: {count}",
        )
        for start, count in sorted(counts.items())
    )


def scores(points: Mapping[str, Sequence[int]]) -> tuple[Scale, tuple[Box, ...]]:
    """Return what each seat scored: the least, the quartiles and the most."""
    every = [one for found in points.values() for one in found]
    below = scale(min(every), max(every))
    boxes = []
    for seat, found in points.items():
        quarters = quantiles(found, n=4, method="inclusive") if len(found) > 1 else [float(found[0])] * 3
        numbers = (float(min(found)), *quarters, float(max(found)))
        boxes.append(Box(seat, tuple(map(below.place, numbers)), numbers))
    return below, tuple(boxes)


def wins(won: Mapping[str, int]) -> tuple[Scale, tuple[Won, ...]]:
    """Return how often each seat won."""
    below = scale(0, max(won.values(), default=0))
    return below, tuple(Won(seat, below.place(games), games) for seat, games in won.items())
