"""Plots of a game so far: public numbers turn by turn, and where each line of a chart runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.interface import Json, Numbers

LEFT: Final = 52
"""Where charts begin, in a picture 600 wide; to the left stand the numbers."""

RIGHT: Final = 420
"""Where they end; to the right stand the names of the lines."""

HEAD: Final = 40
"""The height of a chart's title, and FOOT that of the numbers of turns below it."""

FOOT: Final = 34
ROW: Final = 19
LEAST: Final = 120
MOST_TICKS: Final = 5
MOST_TURNS: Final = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart, in units of its picture.

    Attributes:
        name: Whose line it is: a seat, or words.
        last: Its newest number.
        path: The line, as an SVG path.
        dots: Where it has its numbers.
        label: The height of its name beside the chart.
    """

    name: str
    last: int
    path: str
    dots: tuple[tuple[float, float], ...]
    label: float


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of a picture, in its units.

    Attributes:
        title: What it shows.
        top: The height of its title.
        high: The height of its uppermost number.
        low: The height of its axis.
        ticks: Numbers on the left, each with its height.
        turns: Turns below, each with its place.
        lines: The lines, as the rules name them.
    """

    title: str
    top: float
    high: float
    low: float
    ticks: tuple[tuple[float, int], ...]
    turns: tuple[tuple[float, int], ...]
    lines: tuple[Line, ...]


def extended(history: Json, turn: int, numbers: Mapping[str, Numbers]) -> dict[str, Json]:
    """Return a history with one more turn.

    Args:
        history: `{"turns": [1, 2], "plots": {title: {name: [number or null, one for each turn]}}}`, or
            anything else for a game that has none yet.
        turn: The number of the turn.
        numbers: What is counted after it, by title and name; empty before the deal.
    """
    before: Mapping[str, Any] = history if isinstance(history, dict) and "turns" in history else {}
    turns: list[Json] = list(before.get("turns", []))
    plots: dict[str, Any] = {title: dict(lines) for title, lines in before.get("plots", {}).items()}
    if not numbers:
        return {"turns": turns, "plots": plots}
    for title, named in numbers.items():
        lines = plots.setdefault(title, {})
        for name in named:
            lines.setdefault(name, [None] * len(turns))
    longer: dict[str, Json] = {
        title: {name: [*past, numbers.get(title, {}).get(name)] for name, past in lines.items()}
        for title, lines in plots.items()
    }
    return {"turns": [*turns, turn], "plots": longer}


def charts(history: Json) -> tuple[Chart, ...]:
    """Return the charts of a history, one below the other; none before there are two turns to compare.

    Args:
        history: As `extended` returns it.
    """
    if not isinstance(history, dict) or len(turns := _whole(history.get("turns"))) < 2:
        return ()
    made: list[Chart] = []
    top = 0.0
    plots = history["plots"]
    assert isinstance(plots, dict), "a history has plots"
    for title, lines in plots.items():
        assert isinstance(lines, dict), "a plot has lines"
        made.append(_chart(title, turns, {name: _known(past) for name, past in lines.items()}, top))
        top = made[-1].low + FOOT
    return tuple(made)


def _chart(title: str, turns: list[int], lines: Mapping[str, list[int | None]], top: float) -> Chart:
    numbers = [one for line in lines.values() for one in line if one is not None]
    step = nice_step(max(0, *numbers) - min(0, *numbers))
    least, most = math.floor(min(0, *numbers) / step) * step, max(step, math.ceil(max(numbers) / step) * step)
    high = top + HEAD
    low = high + max(LEAST, ROW * len(lines))
    span = turns[-1] - turns[0]

    def place(turn: int, number: int) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * (turn - turns[0]) / span
        return round(x, 1), round(low - (low - high) * (number - least) / (most - least), 1)

    dots = {
        name: tuple(place(turn, one) for turn, one in zip(turns, past, strict=True) if one is not None)
        for name, past in lines.items()
    }
    labels = spread({name: line[-1][1] for name, line in dots.items() if line}, high, low)
    every = -(-span // MOST_TURNS)
    return Chart(
        title=title,
        top=top + 22,
        high=high,
        low=low,
        ticks=tuple((place(turns[0], one)[1], one) for one in range(least, most + 1, step)),
        turns=tuple((place(one, 0)[0], one) for one in range(turns[0], turns[-1] + 1, every)),
        lines=tuple(
            Line(
                name=name,
                last=next(one for one in reversed(lines[name]) if one is not None),
                path="M" + "L".join(f"{x:g} {y:g}" for x, y in line),
                dots=line,
                label=labels[name],
            )
            for name, line in dots.items()
            if line
        ),
    )


def nice_step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that parts a span into five at most."""
    size = 1
    while True:
        for one in (1, 2, 5):
            if span <= one * size * MOST_TICKS:
                return one * size
        size *= 10


def spread(wanted: Mapping[str, float], high: float, low: float) -> dict[str, float]:
    """Return heights for names beside their lines' ends, apart from each other and within the chart.

    Args:
        wanted: Where each would stand best; the first is the uppermost of those that are level.
        high: The uppermost height.
        low: The lowest.
    """
    names = sorted(wanted, key=lambda name: wanted[name])
    placed: dict[str, float] = {}
    for number, name in enumerate(names):
        above = placed[names[number - 1]] + ROW if number else high
        placed[name] = max(wanted[name], above)
    floor = low
    for name in reversed(names):
        placed[name] = round(min(placed[name], floor), 1)
        floor = placed[name] - ROW
    return placed


def _whole(turns: Json) -> list[int]:
    return [one for one in turns if isinstance(one, int)] if isinstance(turns, list) else []


def _known(past: Json) -> list[int | None]:
    return [one if isinstance(one, int) else None for one in past] if isinstance(past, list) else []
