"""Game books: what is told of a game to all its players, from its data and options; as text and page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from pbem.core.book import parts
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json
from pbem.core.opening import Opening
from pbem.core.statements import example_sentence, spell_example, state_condition
from pbem.play.config import registry
from pbem.play.config.registry import InstalledRules
from pbem.play.config.templates import templates_of, translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import encode
from pbem.text.lookahead import AskContext, followed, is_never_playable
from pbem.text.reports.layout import WIDTH, truncate_line
from pbem.text.reports.report import page_environment
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode


GAP: Final = 2
LEAST: Final = 8
"""No column is made narrower than so many letters."""

_UNTOLD: Final = frozenset(["id", "status"])


def lay_out_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table of 72 columns; cells that are too wide are wrapped.

    Args:
        rows: The rows, the heading first; a line is drawn below it.
    """
    count = max(len(row) for row in rows)
    full = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = _widths(full)
    ruler = ["-" * width for width in widths]
    lines = [line for row in (full[0], ruler, *full[1:]) for line in _lines(row, widths)]
    return "\n".join(lines)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how wide each column is: what it needs, and less of the widest if all is too wide."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in columns]
    while sum(widths) + GAP * (len(widths) - 1) > WIDTH and max(widths) > LEAST:
        whole = [width for width, word in zip(widths, words, strict=True) if width > word]
        widest = max(whole, default=0) or max(widths)  # words are cut only where nothing else helps
        place = next(
            n for n, width in enumerate(widths) if width == widest and (not whole or width > words[n])
        )
        widths[place] -= 1
    return widths


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, cells))):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        line = (" " * GAP).join(f"{part:{width}}" for part, width in zip(parts, widths, strict=True))
        yield line.rstrip()


def table_facts(data: Mapping[str, Json], schema: Mapping[str, Json]) -> list[Json]:
    """Return data tables as a game book shows those that no template knows.

    Args:
        data: The tables in force.
        schema: Their schema, for titles and descriptions.

    Returns:
        A table each: `title`, `says`, `head` and `rows`, all of it texts. What has an id and a name is called
        by its name everywhere.
    """
    names = names_of(data)
    fields = schema.get("properties")
    known = fields if isinstance(fields, dict) else {}
    return [_one_table_facts(key, value, known.get(key), names) for key, value in data.items()]


def _one_table_facts(key: str, value: Json, schema: Json, names: Mapping[str, str]) -> dict[str, Json]:
    about = schema if isinstance(schema, dict) else {}
    head, rows = _rows(value, names)
    title = about.get("title") or key.replace("_", " ").capitalize()
    told: dict[str, Json] = {"title": title, "says": about.get("description") or ""}
    return {**told, "head": list[Json](head), "rows": [list[Json](row) for row in rows]}


def _rows(value: Json, names: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of one table."""
    if isinstance(value, dict) and isinstance(value.get("list"), list) and value["list"]:
        value = value["list"]
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        rows = [one for one in value if isinstance(one, dict)]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        named = any("name" in row for row in rows)
        keys = [key for key in keys if key != "status" and not (named and key == "id")]
        head = [key.replace("_", " ") for key in keys]
        return head, [[_cell(row.get(key, ""), names) for key in keys] for row in rows]
    if isinstance(value, list) and value and all(isinstance(one, list) for one in value):
        return ["value"], [[_cell(one, names)] for one in value]
    if isinstance(value, dict):
        told = [(key, one) for key, one in value.items() if key not in _UNTOLD]
        return ["what", "value"], [
            [names.get(key, key.replace("_", " ")), _cell(one, names)] for key, one in told
        ]
    return ["value"], [[_cell(value, names)]]


def _cell(value: Json, names: Mapping[str, str]) -> str:
    """Return a value in a few words."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        return ", ".join(_cell(one, names) for one in value)
    return dump_flow(_replace_ids(value, names))


def _replace_ids(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_replace_ids(one, names) for one in value]
    if isinstance(value, dict):
        return {names.get(key, key): _replace_ids(one, names) for key, one in value.items()}
    return value


def names_of(data: Mapping[str, Json]) -> dict[str, str]:
    """Return the name of whatever has an id and a name in data tables, by its id."""
    return dict(_names(dict(data)))


def _names(value: Json) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of whatever has both."""
    if isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, dict):
        if isinstance(value.get("id"), str) and isinstance(value.get("name"), str):
            yield str(value["id"]), str(value["name"])
        for one in value.values():
            yield from _names(one)


_MARKS: Final = "\\`*|#\n"
HIDDEN: Final = {ord(mark): chr(0xE010 + number) for number, mark in enumerate(_MARKS)}
_UNMARKED: Final = {ord("_"): "\ue000"}
_SHOWN: Final = {ord(there): chr(mark) for mark, there in (HIDDEN | _UNMARKED).items()}
"""Marks that stand in the data mean themselves: they are hidden while the template and the text are read.

An underscore is never a mark.
"""

_OF_PAGES: Final = (
    ("<table>", '<div class="wide" tabindex="0"><table>'),
    ("</table>", "</table></div>"),
    ("<th></th>", "<td></td>"),
    ("<th>", '<th scope="col">'),
    ("<pre><code>", '<pre tabindex="0">'),
    ("</code></pre>", "</pre>"),
)
"""What a page has for tags: wide blocks can be moved by keys, and headings of columns are told as such."""


def book(environment: Environment, facts: Mapping[str, Json]) -> str:
    """Return the game book as its template writes it: a small part of Markdown.

    Args:
        environment: The templates of the rules.
        facts: What is told of the game, as JSON.
    """
    names = [f"{facts['rules']}/book.md.j2", "common/book.md.j2"]
    templates = _book_environment(environment)
    told = {name: _translate_texts(value, HIDDEN) for name, value in facts.items()}
    return templates.select_template(names).render(told)


@lru_cache(maxsize=16)
def _book_environment(environment: Environment) -> Environment:
    """Return the environment of books: what is written as in orders is so with all its marks."""
    made = environment.overlay()
    made.filters = {**environment.filters, "flow": _flow_yaml}
    return made


def _flow_yaml(value: Json) -> str:
    return dump_flow(_translate_texts(value, _SHOWN)).translate(HIDDEN)


def _translate_texts(value: Json, table: Mapping[int, str]) -> Json:
    """Return JSON with the marks of Markdown in its texts hidden, or shown again."""
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, list):
        return [_translate_texts(one, table) for one in value]
    if isinstance(value, dict):
        return {key.translate(table): _translate_texts(one, table) for key, one in value.items()}
    return value


def as_text(markup: str) -> str:
    """Return a game book as plain text of 72 columns."""
    from markdown_it.tree import SyntaxTreeNode

    found = SyntaxTreeNode(markdown_parser().parse(markup.translate(_UNMARKED))).children
    return "\n\n".join(map(_block_text, found)).translate(_SHOWN) + "\n"


def as_page(environment: Environment, facts: Mapping[str, Json], markup: str) -> str:
    """Return a game book as one page, which prints well and loads nothing."""
    body = markdown_parser().render(markup.translate(_UNMARKED)).translate(_SHOWN)
    for tag, ours in _OF_PAGES:
        body = body.replace(tag, ours)
    title = re.search("<h1>(.+)</h1>", body)
    named = Markup(title[1]).striptags() if title else str(facts["rules"])
    return page_environment(environment).get_template("common/book.html.j2").render(title=named, body=body)


@cache
def markdown_parser() -> MarkdownIt:
    """Return what reads the part of Markdown that books are written in."""
    from markdown_it import MarkdownIt  # few commands make a book

    return MarkdownIt("zero").enable(["heading", "list", "table", "fence", "emphasis", "backticks"])


def _node_text(node: SyntaxTreeNode, code: str = "`") -> str:
    """Return text without marks, but for those of words that are written as they stand."""
    if node.children:
        return "".join(_node_text(one, code) for one in node.children)
    if node.type == "code_inline":
        return f"{code}{node.content}{code}"
    return " " if node.type == "softbreak" else node.content


def _wrap(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _block_text(block: SyntaxTreeNode) -> str:
    """Return a block as plain text; the first cell of a row is its heading."""
    if block.type == "fence":
        return textwrap.indent(block.content.rstrip("\n"), "    ")
    if block.type.endswith("list"):
        items = ((f"{one.info}{one.markup} ", _node_text(one)) for one in block.children)
        return "\n".join(_wrap(text, mark, " " * len(mark)) for mark, text in items)
    if block.type == "table":
        rows = [row.children for part in block.children for row in part.children]
        return lay_out_table(
            [[_node_text(one, "`" if at else "") for at, one in enumerate(row)] for row in rows]
        )
    if block.type != "heading":
        return _wrap(_node_text(block))
    text = _node_text(block, "")
    if block.tag in ("h1", "h2"):
        return text.upper() + ("\n" + "=" * len(text) if block.tag == "h1" else "")
    return text + "\n" + "-" * len(text)


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
        with translate_template_errors():
            return book(self.environment, self.facts)

    @property
    def text(self) -> str:
        """The book as plain text."""
        return as_text(self.markup)

    @property
    def page(self) -> str:
        """The book as one page that prints."""
        with translate_template_errors():
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
        "fields": _field_rows(system.move_schema.schema),
        "start": [{"name": one.name, "example": one.example, "says": one.meaning} for one in questions],
        "tables": table_facts(data, system.data_schema.schema),
        "paragraphs": system.paragraphs,
        "example": _example(Opening(rules, seats, options, questions, system.takes)),
    }


def _options(system: InstalledRules, options: Mapping[str, Json]) -> list[Json]:
    """Return the options with their values in force, and what the schema says of them."""
    assert system.system is not None, "find returns no broken rules"
    shipped, described = system.system.options, _field_rows(system.options_schema.schema)
    return [
        {**one, "value": options[name], "shipped": shipped.get(name)}
        for one in described
        if isinstance(one, dict) and (name := str(one["name"])) in options
    ]


def _field_rows(schema: Mapping[str, Json]) -> list[Json]:
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
    paths = [_condition_path(name, value) for name, value in (seen.items() if isinstance(seen, dict) else ())]
    return {
        "seat": asked[0],
        "label": ask.label,
        "next": f"{label.owner}-{label.count + 1}" if (label := parts(ask.label)) else ask.label,
        "do": do,
        "later": _later_example(AskContext(opening, view, ask, {}, asked[0]), do),
        "paths": list[Json](paths),
        "conditions": [
            {"text": spell_example(one), "says": example_sentence(one)}
            for one in opening.wording.predicates.values()
        ],
    }


def _later_example(here: AskContext, do: Json) -> dict[str, Json]:
    """Return the example for the next ask after an order, `do` and perhaps `when`; {} if none can follow."""
    draft = here.rules.draft(here.view, here.rules.choices(here.view))
    found = followed(here, draft, do)
    if found.then is not None:
        return {
            "do": found.then,
            **({"when": state_condition(here.rules, found.when, here.seat)} if found.when else {}),
        }
    others = (one for one in (draft.now, do) if one is not None and not is_never_playable(here, do, one, {}))
    then = next(others, None)
    return {} if then is None else {"do": then}


def _condition_path(name: str, value: Json) -> dict[str, Json]:
    """Return a path of conditions with what is there; of a large table only its first entry."""
    if isinstance(value, dict) and value and len(dump_flow(value)) > _LONGEST:
        first = next(iter(value))
        return _condition_path(f"{name}.{first}", value[first])
    return {"path": name, "there": truncate_line(dump_flow(value), _LONGEST)}
