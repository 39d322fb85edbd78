"""Plots of a game so far: public numbers turn by turn, and where each line of a chart runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbem.core.interface import Json, Numbers

LEFT: Final = 42
"""Where charts begin, in a picture 450 wide; to the left stand the numbers."""

RIGHT: Final = 292
"""Where they end; to the right stand the names of the lines."""

HEAD: Final = 40
"""The height of a chart's title, and FOOT that of the numbers of turns below it."""

FOOT: Final = 36
ROW: Final = 18
LEAST: Final = 120
MOST_TICKS: Final = 5
MOST_TURNS: Final = 8
MOST_SIGNS: Final = 10
NAMES: Final = 326
"""Where the names of lines begin; before each stands its sign."""

SIGNS: Final = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "m-4-4h8v8h-8z",
    "m0-6l5 9h-10z",
    "m0-6l6 6-6 6-6-6z",
    "m-5-3h10l-5 9z",
    "m-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    "m-6-3h12v6h-12z",
    "m-3-6h6v12h-6z",
    "m0-7l2 5 5 2-5 2-2 5-2-5-5-2 5-2z",
    "m-5-5h10l-10 10h10z",
    "m-5-5v10l10-10v10z",
    "m-5 5v-6a5 5 0 0 1 10 0v6z",
)
"""The signs of lines, drawn from the point that they mark: disc, square, triangle and so on."""


class Line(NamedTuple):
    """One line of a chart, in units of its picture.

    Attributes:
        name: Whose line it is: a seat, or words.
        last: Its newest number.
        path: The line, as an SVG path.
        dots: Where it has its numbers.
        signs: Its signs at some of its numbers and its name, as an SVG path; no two lines have the same.
        label: The height of its name beside the chart.
    """

    name: str
    last: int
    path: str
    dots: tuple[tuple[int, int], ...]
    signs: str
    label: int


class Chart(NamedTuple):
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
    top: int
    high: int
    low: int
    ticks: tuple[tuple[int, int], ...]
    turns: tuple[tuple[int, int], ...]
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
    top = 0
    plots = history["plots"]
    assert isinstance(plots, dict), "a history has plots"
    for title, lines in plots.items():
        assert isinstance(lines, dict), "a plot has lines"
        made.append(_chart(title, turns, {name: _known(past) for name, past in lines.items()}, top))
        top = made[-1].low + FOOT
    return tuple(made)


def _chart(title: str, turns: list[int], lines: Mapping[str, list[int | None]], top: int) -> Chart:
    numbers = [one for line in lines.values() for one in line if one is not None]
    step = nice_step(max(0, *numbers) - min(0, *numbers))
    least, most = math.floor(min(0, *numbers) / step) * step, max(step, math.ceil(max(numbers) / step) * step)
    high = top + HEAD
    low = high + max(LEAST, ROW * len(lines))
    span = turns[-1] - turns[0]

    def place(turn: int, number: int) -> tuple[int, int]:
        x = LEFT + (RIGHT - LEFT) * (turn - turns[0]) / span
        return round(x), round(low - (low - high) * (number - least) / (most - least))

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
                path="M" + " ".join(f"{x} {y}" for x, y in _bends(line)),
                dots=line,
                signs="".join(
                    f"M{x} {y}{SIGNS[number % len(SIGNS)]}"
                    for x, y in (*_some(line, number), (NAMES - 12, labels[name]))
                ),
                label=labels[name],
            )
            for number, (name, line) in enumerate(dots.items())
            if line
        ),
    )


def _bends(line: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return the points of a line without those that lie between two of the same height."""
    ends = {0, len(line) - 1}
    return [
        point
        for at, point in enumerate(line)
        if at in ends or not line[at - 1][1] == point[1] == line[at + 1][1]
    ]


def _some(line: tuple[tuple[int, int], ...], number: int) -> tuple[tuple[int, int], ...]:
    """Return the points with a sign: all of a few, else some, at other turns for each line, and the last."""
    every = -(-len(line) // MOST_SIGNS)
    return line if every == 1 else (*line[number % every : -1 : every], line[-1])


def nice_step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that parts a span into five at most."""
    size = 1
    while True:
        for one in (1, 2, 5):
            if span <= one * size * MOST_TICKS:
                return one * size
        size *= 10


def spread(wanted: Mapping[str, int], high: int, low: int) -> dict[str, int]:
    """Return heights for names beside their lines' ends, apart from each other and within the chart.

    Args:
        wanted: Where each would stand best; the first is the uppermost of those that are level.
        high: The uppermost height.
        low: The lowest.
    """
    names = sorted(wanted, key=lambda name: wanted[name])
    placed: dict[str, int] = {}
    for number, name in enumerate(names):
        above = placed[names[number - 1]] + ROW if number else high
        placed[name] = max(wanted[name], above)
    floor = low
    for name in reversed(names):
        placed[name] = min(placed[name], floor)
        floor = placed[name] - ROW
    return placed


def _whole(turns: Json) -> list[int]:
    return [one for one in turns if isinstance(one, int)] if isinstance(turns, list) else []


def _known(past: Json) -> list[int | None]:
    return [one if isinstance(one, int) else None for one in past] if isinstance(past, list) else []
