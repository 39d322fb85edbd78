"""The parts of a report, made of its facts alone: the text, the page, plots, pictures and the form."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.interface import Json, Numbers
from pbem.text.reports.layout import (
    bare,
    by_entries,
    commented,
    entry_in_order,
    fold_lines,
    layout_map,
    named,
    named_facts,
    named_line,
    own_line,
    truncate_line,
    wrap_text,
)
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment, Template


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


def extend_history(history: Json, turn: int, numbers: Mapping[str, Numbers]) -> dict[str, Json]:
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
    for title, here in numbers.items():
        lines = plots.setdefault(title, {})
        for name in here:
            lines.setdefault(name, [None] * len(turns))
    longer: dict[str, Json] = {
        title: {name: [*past, numbers.get(title, {}).get(name)] for name, past in lines.items()}
        for title, lines in plots.items()
    }
    return {"turns": [*turns, turn], "plots": longer}


def charts(history: Json) -> tuple[Chart, ...]:
    """Return the charts of a history, one below the other; none before there are two turns to compare.

    Args:
        history: As `extend_history` returns it.
    """
    if not isinstance(history, dict) or len(turns := _whole_numbers(history.get("turns"))) < 2:
        return ()
    made: list[Chart] = []
    top = 0
    plots = history["plots"]
    assert isinstance(plots, dict), "a history has plots"
    for title, lines in plots.items():
        assert isinstance(lines, dict), "a plot has lines"
        made.append(_chart(title, turns, {name: _numbers_or_none(past) for name, past in lines.items()}, top))
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
    labels = spread_labels({name: line[-1][1] for name, line in dots.items() if line}, high, low)
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
                path="M" + " ".join(f"{x} {y}" for x, y in _bend_points(line)),
                dots=line,
                signs="".join(
                    f"M{x} {y}{SIGNS[number % len(SIGNS)]}"
                    for x, y in (*_signed_points(line, number), (NAMES - 12, labels[name]))
                ),
                label=labels[name],
            )
            for number, (name, line) in enumerate(dots.items())
            if line
        ),
    )


def _bend_points(line: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return the points of a line without those that lie between two of the same height."""
    ends = {0, len(line) - 1}
    return [
        point
        for at, point in enumerate(line)
        if at in ends or not line[at - 1][1] == point[1] == line[at + 1][1]
    ]


def _signed_points(line: tuple[tuple[int, int], ...], number: int) -> tuple[tuple[int, int], ...]:
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


def spread_labels(wanted: Mapping[str, int], high: int, low: int) -> dict[str, int]:
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


def _whole_numbers(turns: Json) -> list[int]:
    return [one for one in turns if isinstance(one, int)] if isinstance(turns, list) else []


def _numbers_or_none(past: Json) -> list[int | None]:
    return [one if isinstance(one, int) else None for one in past] if isinstance(past, list) else []


FILTERS: Final[Mapping[str, Callable[..., object]]] = {
    "flow": dump_flow,
    "bare": bare,
    "within": truncate_line,
    "wrapped": wrap_text,
    "laid_out": layout_map,
    "folded": fold_lines,
    "commented": commented,
    "by_entries": by_entries,
    "named": named,
    "named_facts": named_facts,
    "named_line": named_line,
    "own_line": own_line,
    "placed": entry_in_order,
}
"""What templates can do with texts, besides what Jinja brings."""

# What reports say that older versions did not know: pages and pictures are made of their facts too.
_SINCE: Final[Mapping[str, Json]] = {
    "draft": {},
    "plan": {},
    "names": {},
    "silence": "",
    "press": False,
    "stops": "",
    "detail": "",
}

BOARD: Final = "board.svg"
PLOTS: Final = "plots.svg"
BRIEF_BOARD: Final = "brief-board.svg"
PAGES: Final = ("report.html", BOARD, PLOTS)
"""What is made of a report's facts when it is mailed, looked at or published, the same bytes each time."""

_PART: Final = {"report.html": "html", BOARD: "board", PLOTS: "plots", BRIEF_BOARD: "brief_board"}

_compact: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

# Stands around the title and the position in what `show.txt.j2` makes.
_MARK: Final = "\ue001"


class Report:
    """One report: what a turn keeps of it, and the page and the pictures that are made of the same facts.

    Each part is made when it is first asked for, by templates that may fail. FOOT stands where the turn's
    root will stand, or the root itself where the facts were committed.
    """

    def __init__(self, environment: Environment, facts: Mapping[str, Json]) -> None:
        """Take what a report is made of.

        Args:
            environment: Where the templates are found, from `environment`.
            facts: What `facts` returned, or a `report.json` that was read.
        """
        self._environment = environment
        self._facts = facts

    @cached_property
    def json(self) -> str:
        """Every fact; from this file all other parts can be made again."""
        # Not sorted: the order of squares or seats is a fact too.
        lines = (f"{json.dumps(name)}:{_compact(fact)}" for name, fact in self._facts.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @cached_property
    def text(self) -> str:
        """The report as plain text."""
        return self._page("report.txt.j2")

    @cached_property
    def position(self) -> tuple[str, str]:
        """A title for people who look at the game, and the position as the text report tells it."""
        return self._title_and_position()

    @cached_property
    def standing(self) -> str:
        """The position as an order page tells it, which leaves to the report what was before."""
        return self._title_and_position(standing=True)[1]

    @cached_property
    def form(self) -> str:
        """The orders form for what the seat is asked next; "" for a spectator, or when the game is over."""
        ask = self._facts.get("ask")
        is_unasked = isinstance(ask, dict) and not ask["next"]
        return "" if is_unasked or self._facts["seat"] is None else self._page("orders.yaml.j2")

    @cached_property
    def html(self) -> str:
        """The report as a page."""
        return self._page("report.html.j2")

    @cached_property
    def board(self) -> str:
        """The board as its reader sees it, as SVG; "" before the deal, or if the rules draw none."""
        return self._page("board.svg.j2").lstrip()

    @cached_property
    def brief_board(self) -> str:
        """The board for a mail, whose page tells in tables what lies out of reach; "" if there is none."""
        return self._page("board.svg.j2", brief=True).lstrip()

    @cached_property
    def plots(self) -> str:
        """Plots of the game so far, as SVG; "" before there are two turns to compare."""
        drawn = charts(self._facts.get("history"))
        return self._page("plots.svg.j2", charts=drawn) if drawn else ""

    def kept(self) -> dict[str, str]:
        """Return the files that a turn keeps, by name; no form when nothing more is asked."""
        made = {"report.json": self.json, "report.txt": self.text, "orders.yaml": self.form}
        return {name: text for name, text in made.items() if text}

    def page(self, name: str) -> str:
        """Return what is made when somebody looks: one of PAGES or BRIEF_BOARD, or "" where there is none."""
        made: str = getattr(self, _PART[name])
        return made

    def files(self) -> dict[str, str]:
        """Return all files by name: those that a turn keeps, the page, and the pictures that there are."""
        pages = {name: self.page(name) for name in PAGES}
        return self.kept() | {name: page for name, page in pages.items() if page}

    def _title_and_position(self, **more: object) -> tuple[str, str]:
        """Return what stands between the marks of `show.txt.j2`."""
        marked = self._page("show.txt.j2", layout=self._template("report.txt.j2"), **more).split(_MARK)
        title, position = (marked[1], marked[3]) if len(marked) == 5 else ("", "")
        return title.strip(), position.strip("\n")

    def _page(self, name: str, **more: object) -> str:
        """Return what a template of the rules, or else the common one, makes of the facts."""
        return self._template(name).render({**_SINCE, **self._facts, **more})

    def _template(self, name: str) -> Template:
        found = (
            page_environment(self._environment)
            if name.endswith((".html.j2", ".svg.j2"))
            else self._environment
        )
        return found.select_template([f"{self._facts['rules']}/{name}", f"common/{name}"])


@lru_cache(maxsize=16)
def page_environment(environment: Environment) -> Environment:
    """Return the environment of pages: what they import and include is escaped as they are, macros too."""
    return environment.overlay(autoescape=True)
