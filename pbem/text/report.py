"""Reports: every fact into one `report.json`, and from that the text, the page, the pictures and the form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from pbem.core.book import Orders
from pbem.core.conditions import holds
from pbem.core.events import ALL, Recorded
from pbem.core.interface import Ask, Choices, Json, Outcome
from pbem.core.labels import label_after_next, next_label
from pbem.core.opening import Opening, StartView
from pbem.text.codec import encode, encode_event
from pbem.text.frame import Frame
from pbem.text.layout import commented, folded, laid_out, named, named_facts, within, wrapped
from pbem.text.plots import charts
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import BaseLoader, BytecodeCache, Environment

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")

FILTERS: Final[Mapping[str, Callable[..., object]]] = {
    "flow": dump_flow,
    "within": within,
    "wrapped": wrapped,
    "laid_out": laid_out,
    "folded": folded,
    "commented": commented,
    "named": named,
    "named_facts": named_facts,
}
"""What templates can do with texts, besides what Jinja brings."""

# What reports say that older versions did not know: pages and pictures are made of their facts too.
_SINCE: Final[Mapping[str, Json]] = {
    "draft": {},
    "names": {},
    "silence": "",
    "press": False,
    "stops": "",
    "detail": "",
}

BOARD: Final = "board.svg"
PLOTS: Final = "plots.svg"
PAGES: Final = ("report.html", BOARD, PLOTS)
_PART: Final = {"report.html": "html", BOARD: "board", PLOTS: "plots"}
"""What is made of a report's facts when it is mailed, looked at or published, the same bytes each time."""

# Where the turn's root will stand; a private-use character, which no orders file may hold.
FOOT: Final = "\ue000" * 19


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
        lines = (
            f"{json.dumps(name)}:{json.dumps(fact, ensure_ascii=False, separators=(',', ':'))}"
            for name, fact in self._facts.items()
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @cached_property
    def text(self) -> str:
        """The report as plain text."""
        return self._page("report.txt.j2")

    @cached_property
    def form(self) -> str:
        """The orders form for what the seat is asked next; "" for a spectator, or when the game is over."""
        ask = self._facts.get("ask")
        is_over = isinstance(ask, dict) and ask["kind"] == "over"
        return "" if is_over or self._facts["seat"] is None else self._page("orders.yaml.j2")

    @cached_property
    def html(self) -> str:
        """The report as a page."""
        return self._page("report.html.j2")

    @cached_property
    def board(self) -> str:
        """The board as its reader sees it, as SVG; "" before the deal, or if the rules draw none."""
        return self._page("board.svg.j2").lstrip()

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
        """Return what is made when somebody looks: one of PAGES, or "" where there is none."""
        made: str = getattr(self, _PART[name])
        return made

    def files(self) -> dict[str, str]:
        """Return all files by name: those that a turn keeps, the page, and the pictures that there are."""
        pages = {name: self.page(name) for name in PAGES}
        return self.kept() | {name: page for name, page in pages.items() if page}

    def _page(self, name: str, **more: object) -> str:
        """Return what a template of the rules, or else the common one, makes of the facts."""
        found = escaping(self._environment) if name.endswith((".html.j2", ".svg.j2")) else self._environment
        template = found.select_template([f"{self._facts['rules']}/{name}", f"common/{name}"])
        return template.render({**_SINCE, **self._facts, **more})


def facts(
    rules: Opening[S, V, M],
    frame: Frame,
    view: V | StartView,
    ask: Ask | Outcome,
    events: tuple[Recorded, ...],
) -> dict[str, Json]:
    """Return everything a report says, as JSON: a function of frame, view and visible events.

    Args:
        rules: The rules of the game, for the choices, the drafts and the standing of pending orders.
        frame: What the report needs besides.
        view: The reader's view after the turn.
        ask: Whom the game waits for now, or how it ended.
        events: The events the reader may know.
    """
    asked = isinstance(ask, Ask) and frame.seat in ask.seats | ask.optional
    choices = rules.choices(view) if asked else Choices(())
    told: dict[str, Json] = {
        "game": frame.game,
        "rules": frame.rules,
        "turn": frame.turn,
        "seat": frame.seat,
        "players": [{"seat": seat, "name": name} for seat, name in frame.players.items()],
        "deadline": frame.deadline,
        "commitment": frame.commitment,
        "key_asked": frame.key_asked,
        "new_key": frame.new_key,
        "marker": frame.marker,
        "own_tables": list(frame.own_tables),
        "history": dict(frame.history),
        "by_mail": frame.by_mail,
        "welcome": dict(frame.welcome),
        "events": [_told(entry) for entry in events],
        "view": encode(view),
        "ask": _ask(ask, frame),
        "orders": [] if isinstance(ask, Outcome) else _pending(rules, view, frame.orders),
        "stop_if": dict(frame.orders.stop_if),
        "stops": rules.wording.condition(frame.orders.stop_if),
        "menus": encode(choices.menus),
        "draft": _draft(rules, view, choices) if frame.seat and isinstance(ask, Ask) else {},
        "silence": frame.silence,
        "press": frame.press,
        "detail": frame.orders.detail,
        "foot": FOOT,
    }
    told["names"] = _named(rules.wording.names, told)
    return told


def environment(loader: BaseLoader, compiled: BytecodeCache | None = None) -> Environment:
    """Return a sandboxed environment for report templates: undefined names fail, HTML is escaped.

    Args:
        loader: Where templates are found.
        compiled: Where compiled templates are kept; None compiles them anew.
    """
    from jinja2 import StrictUndefined

    from pbem.text.sandbox import FactsEnvironment

    made = FactsEnvironment(
        loader=loader,
        bytecode_cache=compiled,
        autoescape=lambda name: name is not None and name.endswith((".html", ".html.j2", ".svg", ".svg.j2")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name, work in FILTERS.items():
        made.filters[name] = work
    return made


@lru_cache(maxsize=16)
def escaping(environment: Environment) -> Environment:
    """Return the environment of pages: what they import and include is escaped as they are, macros too."""
    return environment.overlay(autoescape=True)


def _told(entry: Recorded) -> dict[str, Json]:
    """Return an event without its audience: a reader learns what happened, and only whether all know it."""
    event = encode_event(entry.event)
    is_public = event.pop("to") == ALL
    return {"at": entry.at, "public": is_public, **event}


def _ask(ask: Ask | Outcome, frame: Frame) -> dict[str, Json]:
    if isinstance(ask, Outcome):
        return {"kind": "over", "label": "", "seats": [], "mine": False, "next": "", "after": ""}
    seat = frame.seat
    return {
        "kind": ask.kind,
        "label": ask.label,
        "seats": [one for one in frame.players if one in ask.seats],
        "mine": seat in ask.seats | ask.optional,
        "next": next_label(ask, frame.asked, seat) if seat is not None else "",
        "after": label_after_next(ask, frame.asked, seat) if seat is not None else "",
    }


def _named(names: Mapping[str, str], told: Json) -> dict[str, Json]:
    """Return the names of all ids that stand in what is told, and of no others: nothing is told by them."""
    found: dict[str, Json] = {}
    waiting = [told]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one)
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, str) and one in names:
            found[one] = names[one]
    return dict(sorted(found.items()))


def _draft(rules: Opening[S, V, M], view: V | StartView, choices: Choices) -> dict[str, Json]:
    """Return lines that fit the position, with their conditions in words; only what there is."""
    found = rules.draft(view, choices)
    told: dict[str, Json] = {"now": found.now} if found.now is not None else {}
    if found.then is not None:
        plan: dict[str, Json] = {"do": found.then}
        if found.when:
            plan |= {"when": dict(found.when), "if": rules.wording.condition(found.when)}
        told["plan"] = plan
    if found.keep is not None:
        told["keep"] = found.keep
    if found.stop_if:
        told["stop"] = {"when": dict(found.stop_if), "if": rules.wording.condition(found.stop_if)}
    return told


def _pending(rules: Opening[S, V, M], view: V | StartView, orders: Orders) -> list[Json]:
    """Return the reader's pending lines, and what is wrong with those that fit this view as it is."""
    out: list[Json] = []
    for line in orders.lines:
        problems = rules.check(view, rules.read(line.do)) if holds(line.when, view) else ()
        if any(problem.elsewhere for problem in problems):
            problems = ()  # it waits for another kind of ask
        out.append(
            {
                "order": line.number,
                "at": line.at or "",
                "when": dict(line.when),
                "keep": line.keep,
                "if_silent": line.if_silent,
                "do": line.do,
                "words": rules.wording.order(line.do),
                "if": rules.wording.condition(line.when),
                "now": "; ".join(problem.text for problem in problems if not problem.bearable),
            }
        )
    return out
