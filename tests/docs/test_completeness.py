"""Whatever can be written or typed is named in a guide."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.cli.base import NAMES
from pbem.cli.verbs import OPTIONS
from pbem.core.interface import Json
from pbem.play.config.homefile import game_schema, home_schema
from pbem.play.config.registry import find_rules
from pbem.play.reports.books import book_of_rules
from pbem.text.envelope import ENVELOPE, start_schema
from pbem.text.schema import Schema
from tests.docs.blocks import blocks, commands
from tests.docs.make_book import section
from tests.docs.make_commands import COMMANDS
from tests.docs.test_guides import GUIDES, PROJECT
from tests.written import read_yaml

DOCS = PROJECT / "docs"
MODERATORS = [DOCS / f"{name}.md" for name in ("moderator", "people", "trouble")]
PLAYERS = {
    name: DOCS / name / "guide.md"
    for name in ("game-of-powers", "rose-king", "web-of-intrigue", "web-of-power", "web-of-power-cards")
}
RULES = PROJECT / "pbem" / "rules"

_SPAN = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[A-Za-z_][\w-]*")


def _named(guide: Path) -> set[str]:
    """Return the words that a guide names: those within back quotes, and those of its files."""
    text = guide.read_text(encoding="utf-8")
    files = [block.text for block in blocks(guide) if block.kind == "yaml"]
    return {word for span in [*_SPAN.findall(text), *files] for word in _WORD.findall(span)}


def _words(schema: Json, *, values: bool) -> Iterator[str]:
    """Yield the names of all fields of a schema, and the values that a field can have if asked for."""
    if isinstance(schema, list):
        for part in schema:
            yield from _words(part, values=values)
    elif isinstance(schema, dict):
        fields = schema.get("properties")
        yield from fields if isinstance(fields, dict) else ()
        choices = schema.get("enum")
        yield from (str(one) for one in choices) if values and isinstance(choices, list) else ()
        for part in schema.values():
            yield from _words(part, values=values)


def _typed() -> list[str]:
    return [
        command.words
        for guide in GUIDES
        for block in blocks(guide)
        if block.kind == "console"
        for command in commands(block)
    ]


def test_every_verb_and_each_of_its_options_is_used_in_a_guide() -> None:
    typed = _typed()

    assert len(COMMANDS) > 30
    assert [gap for verb in sorted(COMMANDS) for gap in _unused(verb, typed)] == []


def _unused(verb: str, typed: list[str]) -> Iterator[str]:
    """Yield the verb if none of these commands uses it, and its options that none of them uses.

    `--again` means the same for every verb that changes something: it is enough that one is given with it.
    """
    lines = [line for one in typed for line in re.findall(rf"\bpbem {verb}\b[^|;&]*", one)]
    if not lines:
        yield f"pbem {verb}"
    words = {word for line in lines for word in line.split()} | {"--again"}
    for param in COMMANDS[verb].params:
        is_asked = param.param_type_name == "option" and param.name not in {"help", "home", *NAMES}
        if is_asked and words.isdisjoint(param.opts):
            yield f"pbem {verb} {param.opts[0]}"


def test_every_option_that_stands_everywhere_is_used_in_a_guide() -> None:
    typed = {word for line in _typed() if line.startswith("pbem ") for word in line.split()}

    assert {option.split()[0].rstrip(",") for option, _ in OPTIONS} - {"-h", "-q"} <= typed | {"--version"}
    assert "--quiet" in typed


@pytest.mark.parametrize("name", PLAYERS)
def test_a_players_guide_names_every_field_of_an_orders_file(name: str) -> None:
    rules = find_rules(name)
    start = start_schema({question.name: {} for question in rules.questions})
    wanted = {
        *_words(ENVELOPE, values=False),
        *_words(dict(rules.move_schema.schema), values=False),
        *_words(start, values=False),
    }

    assert len(wanted) > 15
    assert sorted(wanted - _named(PLAYERS[name])) == []


@pytest.mark.parametrize("name", PLAYERS)
def test_a_players_guide_names_every_option_and_what_it_can_be(name: str) -> None:
    wanted = {*_words(dict(find_rules(name).options_schema.schema), values=True), "forced", "most_steps"}

    assert len(wanted) >= 3
    assert sorted(wanted - _named(PLAYERS[name])) == []


def test_every_built_in_game_has_a_players_guide() -> None:
    folders = {path.parent.name for path in RULES.glob("*/orders.schema.json")}

    assert {name.replace("-", "_") for name in PLAYERS} == folders


@pytest.mark.parametrize("schema", [home_schema, game_schema], ids=["home.yaml", "game.yaml"])
def test_the_moderators_pages_name_every_key_of_a_file_and_what_it_can_be(
    schema: Callable[[], Schema],
) -> None:
    wanted = set(_words(dict(schema().schema), values=True))
    text = "".join(page.read_text(encoding="utf-8") for page in MODERATORS)
    named = {word for page in MODERATORS for word in _named(page)}

    assert len(wanted) >= 5
    in_words = {word for word in wanted if " " in word and f"`{word}`" in text}
    assert sorted(wanted - in_words - named) == []


def _facts(name: str) -> Iterator[tuple[str, dict[str, Json]]]:
    for path in sorted((RULES / name.replace("-", "_") / "data").glob("*.yaml")):
        for title, table in read_yaml(path.read_text(encoding="utf-8")).items():
            if isinstance(table, dict):
                yield title, table


@pytest.mark.wording("documents show what the program says")
def test_the_book_of_web_of_intrigue_names_every_reconstructed_fact() -> None:
    told = section(book_of_rules("web-of-intrigue").markup, "What is reconstructed")
    part = " ".join(told.split()).lower()
    names = []
    for title, table in _facts("web-of-intrigue"):
        names += [title] if table["status"] != "stated" else []
        rows = table.get("list", [])
        assert isinstance(rows, list)
        for row in rows:
            assert isinstance(row, dict)
            names += [str(row["name"])] if row.get("status", "stated") != "stated" else []

    assert len(names) >= 5
    assert [name for name in names if name.lower() not in part] == []


def test_nothing_of_the_rose_king_is_reconstructed_as_its_guide_says() -> None:
    assert {table["status"] for _, table in _facts("rose-king")} == {"stated", "found"}
    assert "Nothing is reconstructed" in PLAYERS["rose-king"].read_text(encoding="utf-8")


def test_links_of_a_guide_lead_somewhere() -> None:
    pages = [*GUIDES, PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md"]

    assert [f"{page.relative_to(PROJECT)}: {link}" for page in pages for link in _dead_links(page)] == []


def _dead_links(guide: Path) -> Iterator[str]:
    """Yield the links of a guide to files or headings that are not there."""
    for target, place in re.findall(
        r"\]\((?!https:)([^)#]+)(?:#([^)]*))?\)", guide.read_text(encoding="utf-8")
    ):
        there = guide.parent / target
        if not there.exists() or (place and place not in _headings(there)):
            yield f"{target}#{place}" if place else target


@cache
def _headings(page: Path) -> set[str]:
    """Return the headings of a page as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8").lower(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one).replace(" ", "-") for one in found}
