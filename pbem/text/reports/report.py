"""The parts of a report, made of its facts alone: the text, the page, the pictures and the form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from pbem.core.interface import Json
from pbem.text.reports.layout import (
    bare,
    by_entries,
    commented,
    folded,
    laid_out,
    named,
    named_facts,
    named_line,
    own_line,
    placed,
    within,
    wrapped,
)
from pbem.text.reports.plots import charts
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment, Template


FILTERS: Final[Mapping[str, Callable[..., object]]] = {
    "flow": dump_flow,
    "bare": bare,
    "within": within,
    "wrapped": wrapped,
    "laid_out": laid_out,
    "folded": folded,
    "commented": commented,
    "by_entries": by_entries,
    "named": named,
    "named_facts": named_facts,
    "named_line": named_line,
    "own_line": own_line,
    "placed": placed,
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
        return self._shown()

    @cached_property
    def standing(self) -> str:
        """The position as an order page tells it, which leaves to the report what was before."""
        return self._shown(standing=True)[1]

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

    def _shown(self, **more: object) -> tuple[str, str]:
        """Return what stands between the marks of `show.txt.j2`."""
        marked = self._page("show.txt.j2", layout=self._template("report.txt.j2"), **more).split(_MARK)
        title, position = (marked[1], marked[3]) if len(marked) == 5 else ("", "")
        return title.strip(), position.strip("\n")

    def _page(self, name: str, **more: object) -> str:
        """Return what a template of the rules, or else the common one, makes of the facts."""
        return self._template(name).render({**_SINCE, **self._facts, **more})

    def _template(self, name: str) -> Template:
        found = escaping(self._environment) if name.endswith((".html.j2", ".svg.j2")) else self._environment
        return found.select_template([f"{self._facts['rules']}/{name}", f"common/{name}"])


@lru_cache(maxsize=16)
def escaping(environment: Environment) -> Environment:
    """Return the environment of pages: what they import and include is escaped as they are, macros too."""
    return environment.overlay(autoescape=True)
