"""Pages of reports, forms and books, drawn once in each process: many tests ask for those of the same facts.

They are drawn each time where the test may change something of the program, and where a home or a test
brings templates of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment

from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json, Outcome
from pbem.core.opening import Opening
from pbem.play.config.registry import OURS, InstalledRules
from pbem.play.reports import books, formpages
from pbem.store.opening import shipped_folder
from pbem.text.codec import encode
from pbem.text.reports.report import Report
from tests.homes import PATCHED

MOST = 1000
"""So many pages are kept."""

_KEPT: OrderedDict[tuple[object, ...], str] = OrderedDict()


def draw_once() -> None:
    """Let reports and form pages be taken that were drawn before."""
    draw, draw_form = Report._page, formpages.render_form_page

    def page(report: Report, name: str, **more: Any) -> str:
        environment = report._environment
        if PATCHED or not _is_shipped(environment):
            return draw(report, name, **more)
        told = json.dumps([report._facts, sorted(how for how, is_so in more.items() if is_so is True)])
        key = environment, name, hashlib.sha256(told.encode()).digest()
        return _kept(key, lambda: draw(report, name, **more))

    def form_page(
        system: InstalledRules,
        environment: Environment,
        opening: Opening[Any, Any, Any],
        ask: Ask | Outcome,
        game: Any,
        seat: Seat,
        facts: Mapping[str, Json],
        **more: Any,
    ) -> str:
        asked = system, environment, opening, ask, game, seat, facts
        if PATCHED or not _is_shipped(environment):
            return draw_form(*asked, **more)
        table = [*opening.seats], opening.options, opening.sealed_for
        told = json.dumps([table, encode(ask), encode(game), seat, facts, more])
        key = system.name, environment, opening.rules, hashlib.sha256(told.encode()).digest()
        return _kept(key, lambda: draw_form(*asked, **more))

    Report._page = page  # type: ignore[assignment, method-assign]
    formpages.render_form_page = form_page
    _make_books_once()


def _make_books_once() -> None:
    """Let game books be taken that were made before."""
    facts, as_page, as_text, book = books._facts, books.as_page, books.as_text, books.book

    def facts_of(system: InstalledRules, rules: AnyRules, *more: Any) -> dict[str, Json]:
        made: list[dict[str, Json]] = []

        def make() -> str:
            made.append(facts(system, rules, *more))
            return json.dumps(made[0])

        if PATCHED:
            return facts(system, rules, *more)
        kept = _kept((system.name, type(rules), "facts", _hash(more)), make)
        return made[0] if made else json.loads(kept)

    def page_of(environment: Environment, told: Mapping[str, Json], of: str) -> str:
        if PATCHED or not _is_shipped(environment):
            return as_page(environment, told, of)
        return _kept((environment, "book page", _hash(told), of), lambda: as_page(environment, told, of))

    def markup_of(environment: Environment, told: Mapping[str, Json]) -> str:
        if PATCHED or not _is_shipped(environment):
            return book(environment, told)
        return _kept((environment, "book", _hash(told)), lambda: book(environment, told))

    def text_of(of: str) -> str:
        return as_text(of) if PATCHED else _kept(("book text", of), lambda: as_text(of))

    made_once = {"_facts": facts_of, "book": markup_of, "as_page": page_of, "as_text": text_of}
    for name, make in made_once.items():
        setattr(books, name, make)


def _hash(told: object) -> bytes:
    """Return a hash of facts."""
    return hashlib.sha256(json.dumps(told).encode()).digest()


def _kept(key: tuple[object, ...], draw: Callable[[], str]) -> str:
    """Return the page that was drawn for a key, or draw it."""
    if key in _KEPT:
        _KEPT.move_to_end(key)
        return _KEPT[key]
    made = _KEPT[key] = draw()
    if len(_KEPT) > MOST:
        _KEPT.popitem(last=False)
    return made


def _is_shipped(environment: Environment) -> bool:
    """Tell whether templates come with the program: a home has none, and the rules are no test's."""
    loaders: Any = getattr(environment.loader, "loaders", ())
    if len(loaders) != 1:
        return False
    (below,) = loaders
    folders = [str(path) for loader in below.mapping.values() for path in loader.searchpath]
    return all(path.startswith((str(shipped_folder("templates")), str(OURS))) for path in folders)
