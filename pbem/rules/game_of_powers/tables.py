"""The facts, built from the data tables and checked against the totals that stand in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from pbem.core.interface import Json
from pbem.rules.game_of_powers.facts import Face, Facts, Harbour, Prerequisite
from pbem.rules.game_of_powers.orders import ANY, as_word
from pbem.rules.game_of_powers.state import (
    ANTICLOCKWISE,
    CLOCKWISE,
    SEATS,
    Card,
    Category,
    City,
    Section,
    Task,
    Token,
)

Table: TypeAlias = Mapping[str, Json]


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/game_of_powers.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: rulebook, "Game components", "Types of cards" and "Card description".
    """
    limits, tokens = _table(data, "limits"), _table(data, "tokens")
    cities = {City(_text(row, "id")): _harbour(row) for row in _rows(data, "cities")}
    facts = Facts(
        ring=tuple(cities),
        cities=cities,
        sites=tuple(city for city, harbour in cities.items() if harbour.is_site),
        sections={Section(_text(row, "id")): _whole(row, "fields") for row in _rows(data, "sections")},
        types=tuple(Token(one) for one in _words(tokens, "types")),
        per_type=_whole(_table(data, "token_split"), "per_type"),
        per_field=_whole(tokens, "per_field"),
        categories=tuple(Category(one) for one in _words(_table(data, "categories"), "list")),
        cards={Card(str(_whole(row, "number"))): _face(row) for row in _rows(data, "cards")},
        tasks={Task(_text(row, "id")): _task(row) for row in _rows(data, "tasks")},
        hand_limit=_whole(limits, "hand"),
        token_limit=_whole(limits, "tokens"),
        free_spaces=_whole(limits, "free_spaces"),
        taken_tokens=_whole(limits, "taken_tokens"),
        taken_cards=_whole(limits, "taken_cards"),
        first_card=_whole(limits, "first_card"),
        next_cards=_whole(limits, "next_cards"),
        dealt=_whole(_table(data, "start"), "hand"),
        seats_to_box=_whole(_table(data, "movement_cards"), "seats_to_box"),
        alone=_whole(_table(data, "bonus"), "alone"),
        shared=_whole(_table(data, "bonus"), "shared"),
    )
    _check_cities(facts, data)
    _check_tokens(facts, _whole(tokens, "total"))
    _check_cards(facts, data)
    _check_tasks(facts, _whole(_table(data, "tasks"), "total"))
    _check_bonus(_whole(_table(data, "bonus"), "tokens"))
    _check_limits(facts)
    _check_names(facts)
    return facts


def _check_limits(facts: Facts) -> None:
    """Check that there is room for what a turn brings, without which no game comes to its end."""
    for name, got, least, why in (
        (
            "hand",
            facts.hand_limit,
            facts.dealt + facts.taken_cards,
            "the cards dealt and those of one action",
        ),
        ("tokens", facts.token_limit, len(facts.types), "one of each type, or some cards could not be paid"),
        ("free_spaces", facts.free_spaces, 1, "a ship must sail on"),
        ("taken_tokens", facts.taken_tokens, 1, "cards are paid with them"),
        ("taken_cards", facts.taken_cards, 1, "the game ends when the pile is used up"),
    ):
        if got < least:
            raise ValueError(f"limits.{name}: expected {least} or more ({why}), got {got}")


def _check_names(facts: Facts) -> None:
    """Check that a word in an order means one thing: tokens, cities and cards can share a place."""
    ports = facts.cities.items()
    _tell_apart(
        [
            *((f"the word {word}", word) for word in (ANY, CLOCKWISE, ANTICLOCKWISE)),
            *((f"token {one}", one) for one in facts.types),
            *((f"city {city}", str(name)) for city, port in ports for name in (city, port.name)),
            *((f"card {number}", face.name) for number, face in facts.cards.items()),
        ]
    )
    tasks = facts.tasks.items()
    _tell_apart([(f"task {task}", str(name)) for task, found in tasks for name in (task, found.name)])
    _tell_apart([(f"category {one}", one) for one in facts.categories])
    for word in (*facts.types, *facts.categories, *facts.cities, *facts.tasks):
        if (easy := as_word(word)) != word:
            raise ValueError(f"expected a word in small letters without spaces, such as {easy}, got {word}")


def _tell_apart(named: Sequence[tuple[str, str]]) -> None:
    """Check that no two things have a name that orders cannot tell apart, and none looks like a number."""
    owners: dict[str, str] = {}
    for owner, name in named:
        if not any(letter.isalpha() for letter in name):
            raise ValueError(f"{owner}: expected a name with letters, got {name!r}")
        other = owners.setdefault(as_word(name), owner)
        if other != owner:
            raise ValueError(f"{owner}: expected another name than that of {other}, got {name!r}")


def _check_cities(facts: Facts, data: Mapping[str, Json]) -> None:
    """Check the ring: ships need a city on either side, and every colour one city at least."""
    _expect("cities.total", _whole(_table(data, "cities"), "total"), len(_rows(data, "cities")))
    _expect("cities.list: different ids", len(_rows(data, "cities")), len(facts.cities))
    if len(facts.ring) <= facts.free_spaces:
        raise ValueError(f"cities: expected more than {facts.free_spaces}, got {len(facts.ring)}")
    used = {harbour.section for harbour in facts.cities.values()}
    if used != set(facts.sections):
        expected, got = ", ".join(sorted(facts.sections)), ", ".join(sorted(used))
        raise ValueError(f"cities: expected the sections {expected}, got {got}")


def _check_tokens(facts: Facts, expected: int) -> None:
    """Check that the types make up all tokens, and that the fields can be filled at the start."""
    _expect("tokens.total: types x per_type", expected, len(facts.types) * facts.per_type)
    if (most := len(facts.ring) * facts.per_field) > expected:
        raise ValueError(f"tokens.per_field: expected at most {expected} on all fields, got {most}")


def _check_cards(facts: Facts, data: Mapping[str, Json]) -> None:
    """Check the pack against its totals, and that all it names is there."""
    table = _table(data, "cards")
    _expect("cards.total: cards in the list", _whole(table, "total"), len(_rows(data, "cards")))
    _expect("cards.list: different numbers", _whole(table, "total"), len(facts.cards))
    per_site = Counter(face.site for face in facts.cards.values())
    for site in facts.sites:
        _expect(f"cards.per_site: cards of {site}", _whole(table, "per_site"), per_site[site])
    for number, face in facts.cards.items():
        for name, value, known in (
            ("site", face.site, facts.sites),
            ("category", face.category, facts.categories),
            ("token", face.token, facts.types),
        ):
            if value not in known:
                raise ValueError(f"card {number}: expected a {name} of {', '.join(known)}, got {value}")
    needed = sum(facts.sections.values()) + len(SEATS) * facts.dealt
    if needed > len(facts.cards):
        raise ValueError(
            f"cards: expected {needed} for fields and {len(SEATS)} hands, got {len(facts.cards)}"
        )


def _check_tasks(facts: Facts, expected: int) -> None:
    _expect("tasks.total: task tokens", expected, sum(len(task.values) for task in facts.tasks.values()))
    for name, task in facts.tasks.items():
        groups: tuple[str, ...] = facts.sites if task.by == "site" else facts.categories
        if task.of and task.of not in groups:
            raise ValueError(f"task {name}: expected a {task.by} of {', '.join(groups)}, got {task.of}")
        if task.groups > (1 if task.of else len(groups)):
            raise ValueError(f"task {name}: expected groups to be {len(groups)} at most, got {task.groups}")


def _check_bonus(tokens: int) -> None:
    """Check the bonus tokens: one for a player alone, and one for each of two."""
    _expect("bonus.tokens: one alone and two shared", tokens, 3)


def _expect(place: str, expected: int, got: int) -> None:
    if expected != got:
        raise ValueError(f"{place}: expected {expected}, got {got}")


def _harbour(row: Table) -> Harbour:
    return Harbour(_text(row, "name"), Section(_text(row, "section")), row.get("site") is True)


def _face(row: Table) -> Face:
    return Face(
        _text(row, "name"),
        City(_text(row, "site")),
        Category(_text(row, "category")),
        Token(_text(row, "token")),
        _whole(row, "score"),
    )


def _task(row: Table) -> Prerequisite:
    by: Literal["site", "category"] = "site" if _text(row, "by") == "site" else "category"
    of = _text(row, "of") if "of" in row else ""
    values = row.get("values")
    points = tuple(one for one in values if isinstance(one, int)) if isinstance(values, list) else ()
    return Prerequisite(_text(row, "name"), by, of, _whole(row, "groups"), _whole(row, "each"), points)


def _table(data: Mapping[str, Json], name: str) -> Table:
    match data.get(name):
        case dict(found):
            return found
    raise ValueError(f"{name}: expected a table, got {data.get(name)!r}")


def _rows(data: Mapping[str, Json], name: str) -> tuple[Table, ...]:
    match _table(data, name).get("list"):
        case list(found) if all(isinstance(one, dict) for one in found):
            return tuple(one for one in found if isinstance(one, dict))
    raise ValueError(f"{name}.list: expected a list of tables")


def _words(table: Table, name: str) -> tuple[str, ...]:
    match table.get(name):
        case list(found):
            return tuple(str(one) for one in found)
    raise ValueError(f"{name}: expected a list, got {table.get(name)!r}")


def _text(table: Table, name: str) -> str:
    found = table.get(name)
    if not isinstance(found, str) or not found:
        raise ValueError(f"{name}: expected a text, got {found!r}")
    return found


def _whole(table: Table, name: str) -> int:
    found = table.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ValueError(f"{name}: expected a whole number, got {found!r}")
    return found
