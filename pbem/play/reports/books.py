"""Game books: what is told of a game to all its players, from the data and options in force of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json
from pbem.core.labels import parts
from pbem.core.opening import Opening
from pbem.core.statements import say_example, spell_example, state
from pbem.play.config import registry
from pbem.play.config.registry import InstalledRules
from pbem.play.config.templates import template_faults, templates_of
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import encode
from pbem.text.lookahead import Standing, followed, is_vain
from pbem.text.reports.book import as_page, as_text, book, names_of, told_tables
from pbem.text.reports.layout import within
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment

_DEAL: Final = b"the example of a game book"
"""The dice of a deal that is only an example: no game's dice come into a book."""

_LONGEST: Final = 60


@dataclass(frozen=True)
class Book:
    """A game book.

    Attributes:
        facts: What it tells, as JSON: the same for everybody, from the start of the game to its end.
        environment: The templates that tell it.
    """

    facts: Mapping[str, Json]
    environment: Environment

    @cached_property
    def markup(self) -> str:
        """The book as its template writes it."""
        with template_faults():
            return book(self.environment, self.facts)

    @property
    def text(self) -> str:
        """The book as plain text."""
        return as_text(self.markup)

    @property
    def page(self) -> str:
        """The book as one page that prints."""
        with template_faults():
            return as_page(self.environment, self.facts, self.markup)

    @property
    def file(self) -> str:
        """The name of a file that holds it, without its ending."""
        return f"{self.facts['game'] or self.facts['rules']}-book"


def book_of(saved: SavedGame) -> Book:
    """Return the book of a game, from what was frozen when it was made.

    Raises:
        WrongInput: The game is damaged.
    """
    start, system = saved.start, saved.system
    data = saves.read_json(saved.turns.at(0) / "data.json")
    frozen: dict[str, Json] = {
        "game": saved.name,
        "forced": start.forced,
        "most_steps": start.most_steps,
        "own_tables": list[Json](start.own_tables),
    }
    told = _facts(system, saved.rules, data, start.options, start.seats)
    return Book({**told, **frozen}, saved.environment)


def book_of_rules(
    name: str,
    overrides: Place | None = None,
    seats: tuple[Seat, ...] = (),
    options: Mapping[str, Json] | None = None,
) -> Book:
    """Return the book of rules with the data that is shipped.

    Args:
        name: The name of the rules.
        overrides: The `templates` of a home.
        seats: The seats at the table; as many as can be, if left out.
        options: The options in force; None takes the shipped ones.

    Raises:
        WrongInput: There are no such rules.
    """
    system = registry.find_rules(name)
    assert system.system is not None, "find returns no broken rules"
    data, options = system.shipped_data(), system.options({}) if options is None else options
    seats = seats or system.system.seat_names(system.system.seats[-1])
    frozen: dict[str, Json] = {
        "game": "",
        "forced": False,
        "most_steps": system.system.most_steps,
        "own_tables": [],
    }
    told = _facts(system, system.load(data), data, options, seats)
    return Book({**told, **frozen}, templates_of(system, overrides))


def find_book(home: Home, name: str) -> Book:
    """Return the book of a game of a home, or that of the rules of this name.

    Raises:
        WrongInput: There is neither.
    """
    if home.has(name):
        return book_of(SavedGame(home, name))
    try:
        registry.find_rules(name)
    except WrongInput as wrong:
        hint = "Name a game of this home, or rules: `pbem rules` lists them."
        raise WrongInput(f"there is no game {name!r} in {home}, and {wrong}", hint) from wrong
    return book_of_rules(name, home.templates)


def _facts(
    system: InstalledRules,
    rules: AnyRules,
    data: Mapping[str, Json],
    options: Mapping[str, Json],
    seats: tuple[Seat, ...],
) -> dict[str, Json]:
    """Return what a book tells: of data, options and seats, and of nothing that happens in a game."""
    assert system.system is not None, "find returns no broken rules"
    questions = system.questions
    return {
        "rules": system.name,
        "seats": list[Json](seats),
        "fewest": system.system.seats[0],
        "most": system.system.seats[-1],
        "data": dict(data),
        "names": dict[str, Json](names_of(data)),
        "own": dict(system.system.book(rules, options)),
        "in_force": dict(options),
        "options": _options(system, options),
        "fields": _described(system.move_schema.schema),
        "start": [{"name": one.name, "example": one.example, "says": one.meaning} for one in questions],
        "tables": told_tables(data, system.data_schema.schema),
        "paragraphs": system.paragraphs,
        "example": _example(Opening(rules, seats, options, questions, system.takes)),
    }


def _options(system: InstalledRules, options: Mapping[str, Json]) -> list[Json]:
    """Return the options with their values in force, and what the schema says of them."""
    assert system.system is not None, "find returns no broken rules"
    shipped, described = system.system.options, _described(system.options_schema.schema)
    return [
        {**one, "value": options[name], "shipped": shipped.get(name)}
        for one in described
        if isinstance(one, dict) and (name := str(one["name"])) in options
    ]


def _described(schema: Mapping[str, Json]) -> list[Json]:
    """Return the fields of a schema with their titles and descriptions."""
    fields = schema.get("properties")
    told: list[Json] = []
    for name, field in fields.items() if isinstance(fields, dict) else ():
        about = field if isinstance(field, dict) else {}
        told.append({"name": name, "title": about.get("title", ""), "says": about.get("description", "")})
    return told


def _example(opening: Opening[object, object, object]) -> dict[str, Json]:
    """Return what a bot would order first in a deal that is only an example; {} if nothing is asked then."""
    dice = Dice(_DEAL, 1)
    starts: dict[Seat, Json] = {
        seat: {one.name: one.example for one in opening.questions} for seat in opening.seats
    }
    state = opening.rules.setup(opening.seats, opening.options, starts, dice)
    ask = opening.rules.ask(state)
    asked = [seat for seat in opening.seats if isinstance(ask, Ask) and seat in ask.seats]
    if not isinstance(ask, Ask) or not asked:
        return {}
    view = opening.rules.view(state, asked[0])
    do = bot_order(opening.rules, state, asked[0], dice.apart("example"), "greedy", opening.takes)
    seen = encode(view)
    paths = [_path(name, value) for name, value in (seen.items() if isinstance(seen, dict) else ())]
    return {
        "seat": asked[0],
        "label": ask.label,
        "next": f"{label.owner}-{label.count + 1}" if (label := parts(ask.label)) else ask.label,
        "do": do,
        "later": _later(Standing(opening, view, ask, {}, asked[0]), do),
        "paths": list[Json](paths),
        "conditions": [
            {"text": spell_example(one), "says": say_example(one)}
            for one in opening.wording.predicates.values()
        ],
    }


def _later(here: Standing, do: Json) -> dict[str, Json]:
    """Return the example for the next ask after an order, `do` and perhaps `when`; {} if none can follow."""
    draft = here.rules.draft(here.view, here.rules.choices(here.view))
    found = followed(here, draft, do)
    if found.then is not None:
        return {
            "do": found.then,
            **({"when": state(here.rules, found.when, here.seat)} if found.when else {}),
        }
    others = (one for one in (draft.now, do) if one is not None and not is_vain(here, do, one, {}))
    then = next(others, None)
    return {} if then is None else {"do": then}


def _path(name: str, value: Json) -> dict[str, Json]:
    """Return a path of conditions with what is there; of a large table only its first entry."""
    if isinstance(value, dict) and value and len(dump_flow(value)) > _LONGEST:
        first = next(iter(value))
        return _path(f"{name}.{first}", value[first])
    return {"path": name, "there": within(dump_flow(value), _LONGEST)}
