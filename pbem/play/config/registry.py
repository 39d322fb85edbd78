"""Which rule systems are installed, and documents of rules and moderators with the place of each value."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import __version__
from pbem.core.interface import AnyRules, Json, System
from pbem.core.opening import Question
from pbem.play.config.schedule import is_zone
from pbem.store.errors import WrongInput
from pbem.store.interface import Readable
from pbem.text.codec import fields_of
from pbem.text.envelope import start_schema
from pbem.text.schema import Schema, SchemaProblem, near
from pbem.text.strictyaml import Document, Limits, YamlProblem, find_mark, parse

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


GROUP = "pbem.rules"
OURS = Path(__file__).parents[2] / "rules"
SCHEMAS = ("orders.schema.json", "options.schema.json", "data.schema.json")

parsed = partial(parse, limits=Limits(size=1 << 20, nodes=100_000, depth=12))
"""Reads the bytes of a YAML file that people wrote."""


@dataclass(frozen=True)
class InstalledRules:
    """One entry point of the group `pbem.rules`.

    Attributes:
        name: The name of the rules.
        origin: The distribution that brings them, with its version.
        system: What was found there, or None if it is broken.
        problem: Why it is broken: expected, got; "" if it is not.
    """

    name: str
    origin: str
    system: System | None
    problem: str = ""

    @cached_property
    def folder(self) -> Path:
        """The package folder with data, schemas and templates."""
        assert self.system is not None, self.problem
        return Path(next(iter(import_module(self.system.package).__path__)))

    @cached_property
    def move_schema(self) -> Schema:
        """The schema of `do`."""
        return Schema(self._json("orders.schema.json"))

    def takes(self, order: Json) -> bool:
        """Tell whether the schema of `do` takes an order."""
        return self.move_schema.takes(order)

    @cached_property
    def start_schema(self) -> Schema:
        """The schema of a start form's `do`."""
        return Schema(start_schema(self._start_questions))

    @cached_property
    def sealed_schema(self) -> Schema:
        """The same where luck words may be sealed."""
        return Schema(start_schema(self._start_questions, sealed=True))

    @cached_property
    def order_words(self) -> frozenset[str]:
        """The words that can stand right under `do`, of a start form too."""
        schemas = (self.move_schema.schema, self.sealed_schema.schema)
        named = [schema.get("properties") for schema in schemas]
        return frozenset(word for words in named if isinstance(words, dict) for word in words)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What the rules ask in the start form, with the first of the schema's examples."""
        return tuple(
            Question(name, asked["examples"][0], str(asked["description"]))
            for name, asked in self._start_questions.items()
        )

    @cached_property
    def _start_questions(self) -> dict[str, Any]:
        """The rules' own questions, as `start.schema.json` holds them."""
        own = self._json("start.schema.json") if (self.folder / "start.schema.json").exists() else {}
        questions = own.get("properties", {})
        return questions if isinstance(questions, dict) else {}

    @cached_property
    def options_schema(self) -> Schema:
        """The schema of the rules' options."""
        return Schema(self._json("options.schema.json"))

    def options(self, given: Mapping[str, Json]) -> dict[str, Json]:
        """Return the options in force: those given, the shipped ones for the others.

        Raises:
            WrongInput: There is no such option, or it cannot be that.
        """
        assert self.system is not None, self.problem
        options: dict[str, Json] = {**self.system.options, **given}
        for problem in self.options_schema.problems(options):
            place = ".".join(map(str, problem.path))
            raise WrongInput(f"option {place}: {problem.text}.", problem.hint)
        return options

    @property
    def templates(self) -> Path:
        """The folder with this system's report templates."""
        return self.folder / "templates"

    @property
    def data_files(self) -> list[Path]:
        """The files of the shipped data tables."""
        return sorted((self.folder / "data").glob("*.yaml"))

    def shipped_data(self) -> dict[str, Json]:
        """Return the shipped data tables: all `data/*.yaml` files, merged."""
        merged: dict[str, Json] = {}
        for path in self.data_files:
            merged.update(read_table(path))
        return merged

    @cached_property
    def paragraphs(self) -> list[Json]:
        """The paragraphs of the rules in words, `{id, says}` each, if the package has `paragraphs.yaml`.

        What a text leaves open has its reading under `how`, with `place` and perhaps `option`.

        Raises:
            WrongInput: It cannot be read; with FILE:LINE:COLUMN.
        """
        path = self.folder / "paragraphs.yaml"
        return read_paragraphs(str(path), _parse_file(path, parsed)) if path.exists() else []

    @cached_property
    def data_schema(self) -> Schema:
        """The schema of the data tables."""
        return Schema(self._json("data.schema.json"))

    def load(self, data: Mapping[str, Json]) -> AnyRules:
        """Return the rules built from data tables.

        Raises:
            WrongInput: The tables break the data schema or do not add up.
        """
        assert self.system is not None, self.problem
        for problem in self.data_schema.problems(dict(data)):
            place = ".".join(map(str, problem.path)) or "the tables"
            raise WrongInput(f"data of {self.name}: {place}: {problem.text}.", problem.hint)
        try:
            return self.system.load(data)
        except ValueError as wrong:
            raise WrongInput(f"data of {self.name}: {wrong}.") from wrong

    def _json(self, name: str) -> dict[str, Json]:
        value: Json = json.loads((self.folder / name).read_text(encoding="utf-8"))
        assert isinstance(value, dict), f"{name} of {self.name} must be an object"
        return value


def read_table(path: Readable) -> dict[str, Json]:
    """Return a YAML table that people wrote: data, game.yaml, home.yaml.

    Raises:
        WrongInput: It cannot be read; with FILE:LINE:COLUMN.
    """
    value = read_document(path).value
    assert isinstance(value, dict), "a table that was read has fields"
    return value


def read_document(path: Readable, parsed: Callable[[bytes], Document] = parsed) -> Document:
    """Return a YAML table that people wrote, with the place of each value; `parsed` reads its bytes.

    Raises:
        WrongInput: It cannot be read, or has no fields; with FILE:LINE:COLUMN.
    """
    document = _parse_file(path, parsed)
    if not isinstance(document.value, dict):
        raise WrongInput(f"{path}:1:1: expected fields (name: value).")
    return document


def _parse_file(path: Readable, parsed: Callable[[bytes], Document]) -> Document:
    """Return a YAML file that people wrote.

    Raises:
        WrongInput: It cannot be read; with FILE:LINE:COLUMN.
    """
    try:
        return parsed(path.read_bytes())
    except YamlProblem as wrong:
        place = f"{path}:{wrong.mark.line}:{wrong.mark.column}"
        raise WrongInput(f"{place}: {wrong.text}.", wrong.hint) from None
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None


@cache
def _entries() -> Mapping[str, EntryPoint]:
    from importlib import metadata  # slow to load, and a shipped system is found without it

    found = sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found}


def installed_rules() -> tuple[InstalledRules, ...]:
    """Return every registered rule system in the order of names; a broken one does not hide the others."""
    return tuple(map(_load_plugin, _entries()))


def clear_rules_cache() -> None:
    """Look for plug-ins anew at the next question; for programs that install some while they run."""
    _entries.cache_clear()
    _load_plugin.cache_clear()


def find_rules(name: str) -> InstalledRules:
    """Return a rule system by name.

    Raises:
        WrongInput: There is none of that name, or it is broken.
    """
    if (ours := _shipped_rules(name)) is not None:
        return ours
    if name not in _entries():
        raise WrongInput(f"there are no rules {name!r}.", near(name, [*_entries()]).hint)
    found = _load_plugin(name)
    if found.system is None:
        hint = f"They come with {found.origin}."
        raise WrongInput(f"the rules {name} are broken: {found.problem}.", hint)
    return found


@cache
def _shipped_rules(name: str) -> InstalledRules | None:
    """Return rules that come with pbem, without asking what is installed, which takes a while; or None."""
    module = name.replace("-", "_")
    if not module.isidentifier() or not (OURS / module).is_dir():
        return None
    system = import_module(f"{GROUP}.{module}").SYSTEM
    return InstalledRules(name, f"pbem {__version__}", system)


@cache
def _load_plugin(name: str) -> InstalledRules:
    """Load one plug-in; the others are not imported."""
    entry = _entries()[name]
    origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
    try:
        system = entry.load()
    except (Exception, SystemExit) as wrong:  # whatever a plug-in does, the others must run
        return InstalledRules(entry.name, origin, None, f"expected a System at {entry.value}, got {wrong!r}")
    if not isinstance(system, System):
        got = type(system).__name__
        return InstalledRules(entry.name, origin, None, f"expected a System at {entry.value}, got {got}")
    if system.name != entry.name:
        return InstalledRules(entry.name, origin, None, f"expected the name {entry.name}, got {system.name}")
    if problem := _why_unfit(system):
        return InstalledRules(entry.name, origin, None, problem)
    return InstalledRules(entry.name, origin, system)


def _why_unfit(system: System) -> str:
    """Say what the folder that a system names lacks, or return ""."""
    try:
        from importlib import resources

        folder = Path(str(resources.files(system.package)))
    except (Exception, SystemExit) as wrong:  # the name is the plug-in's, and so is what it imports
        return f"expected the package {system.package}, got {wrong!r}"
    return "; ".join(filter(None, (_why_no_object(folder / name) for name in SCHEMAS)))


def _why_no_object(schema: Path) -> str:
    """Say why a file holds no JSON object, or return ""."""
    try:
        value = json.loads(schema.read_text(encoding="utf-8"))
    except OSError as wrong:
        return f"expected the file {schema.name} in the package, got {wrong.strerror}"
    except ValueError as wrong:
        return f"expected JSON in {schema.name}, got {wrong}"
    return (
        "" if isinstance(value, dict) else f"expected an object in {schema.name}, got {type(value).__name__}"
    )


class FieldsFile(NamedTuple):
    """A YAML file with fields, as it was read.

    Attributes:
        path: Where it lies.
        document: What it says, and where.
    """

    path: Readable
    document: Document

    @property
    def value(self) -> Mapping[str, Json]:
        """What it says."""
        assert isinstance(self.document.value, dict), "a table that was read has fields"
        return self.document.value

    def at(self, *keys: str | int, at_key: bool = False) -> str:
        """Return the place of a value, or of the nearest one around it, and what it is called there.

        Args:
            keys: Its keys and its places in lists.
            at_key: Its key is meant.
        """
        is_key = at_key and keys in self.document.keys
        mark = self.document.keys[keys] if is_key else find_mark(self.document, keys)
        named = f": {'.'.join(map(str, keys))}" if keys else ""
        return f"{self.path}:{mark.line}:{mark.column}{named}"

    def refuse_misfits(self, schema: Schema) -> None:
        """Refuse a file that does not fit its schema.

        Raises:
            WrongInput: The first misfit, with FILE:LINE:COLUMN.
        """
        for problem in schema.problems(self.document.value):
            place = self.at(*problem.path, at_key=problem.at_key)
            raise WrongInput(f"{place}: {problem.text}.", _field_place(schema, problem) or problem.hint)

    def refuse_strange_zone(self, zone: str, *keys: str | int) -> None:
        """Refuse a time zone that there is not.

        Raises:
            WrongInput: It is so.
        """
        if not is_zone(zone):
            hint = "Write a name such as Europe/Helsinki; Debian has them in the package tzdata."
            raise WrongInput(f"{self.at(*keys)}: there is no time zone {zone!r}.", hint)


def _field_place(schema: Schema, problem: SchemaProblem) -> str:
    """Say where a field belongs that stands in another place; "" if it belongs nowhere."""
    if not problem.at_key or not problem.path:
        return ""
    known = fields_of(schema.schema.get("properties"))
    *around, name = problem.path
    if around:
        return f"Write it beside `{around[0]}`, not inside." if name in known else ""
    inside = [one for one, below in known.items() if name in fields_of(fields_of(below).get("properties"))]
    return f"Write it inside `{inside[0]}`." if inside else ""


def read_fields_file(path: Readable) -> FieldsFile:
    """Return a YAML file that people wrote.

    Raises:
        WrongInput: It cannot be read, or has no fields; with FILE:LINE:COLUMN.
    """
    return FieldsFile(path, read_document(path, _read_cached))


@lru_cache(maxsize=16)
def _read_cached(data: bytes) -> Document:
    """Return what a file says; a run reads the same few files many times, and never changes what it read."""
    return parsed(data)


INTERPRETED = "interpreted"
"""The standing of a paragraph that leaves something open; it has its reading and its place in the text."""


def read_paragraphs(path: str, document: Document) -> list[Json]:
    """Return the paragraphs of a file.

    Args:
        path: The name of the file.
        document: What was read of it.

    Raises:
        WrongInput: They are none; with FILE:LINE:COLUMN, and the id of the paragraph.
    """
    found = document.value
    if not isinstance(found, list) or not all(isinstance(one, dict) and "says" in one for one in found):
        raise WrongInput(f"{path}:1:1: expected a list of paragraphs (- says: words).")
    for number, one in enumerate(found):
        if isinstance(one, dict) and (missing := _missing(one)):
            mark = document.marks[(number,)]
            told = f"the paragraph {one.get('id', number + 1)!r} says how it is read, and has no `{missing}`"
            hint = "Write `place: where in the text it stands` and `how: the reading`, or `standing: kept`."
            raise WrongInput(f"{path}:{mark.line}:{mark.column}: {told}.", hint)
    return found


def _missing(paragraph: dict[str, Json]) -> str:
    """Return the field that a paragraph with a reading lacks, or ""."""
    if paragraph.get("standing") != INTERPRETED and "how" not in paragraph:
        return ""
    return next((name for name in ("place", "how") if not paragraph.get(name)), "")
