"""The facts, built from the data tables and checked against the totals that stand in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.interface import Json
from pbem.rules.game_of_powers.facts import Face, Facts, Harbour, Prerequisite
from pbem.rules.game_of_powers.moves import ANY
from pbem.rules.game_of_powers.orders import as_word
from pbem.rules.game_of_powers.state import SEATS, WAYS, Card, City, Section, Task
from pbem.rules.kit.tables import Checked, checked, same, wrong

LIMITS: Final = ("free_spaces", "taken_tokens", "taken_cards", "first_card", "next_cards")
"""The limits that the facts have under the names of the table."""


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/game_of_powers.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: rulebook, "Game components", "Types of cards" and "Card description".
    """
    limits, tokens, tasks = (checked(data, name) for name in ("limits", "tokens", "tasks"))
    cities, cards, bonus = (checked(data, name) for name in ("cities", "cards", "bonus"))
    ports = {City(row["id"]): Harbour(row["name"], row["section"], row["site"]) for row in cities["list"]}
    claims = {Task(row["id"]): _task(row) for row in tasks["list"]}
    facts = Facts(
        ring=tuple(ports),
        cities=ports,
        sites=tuple(city for city, harbour in ports.items() if harbour.is_site),
        sections={Section(row["id"]): row["fields"] for row in checked(data, "sections")["list"]},
        types=tuple(tokens["types"]),
        per_type=checked(data, "token_split")["per_type"],
        per_field=tokens["per_field"],
        categories=tuple(checked(data, "categories")["list"]),
        cards={Card(str(row["number"])): _face(row) for row in cards["list"]},
        tasks=claims,
        names={city: port.name for city, port in ports.items()}
        | {task: found.name for task, found in claims.items()},
        hand_limit=limits["hand"],
        token_limit=limits["tokens"],
        **{name: limits[name] for name in LIMITS},
        dealt=checked(data, "start")["hand"],
        seats_to_box=checked(data, "movement_cards")["seats_to_box"],
        alone=bonus["alone"],
        shared=bonus["shared"],
    )
    _check_cities(facts, cities)
    _check_tokens(facts, tokens["total"])
    _check_cards(facts, cards)
    _check_tasks(facts, tasks["total"])
    same("bonus.tokens: one alone and two shared", bonus["tokens"], 3)
    _check_limits(facts)
    _check_names(facts)
    return facts


def _check_limits(facts: Facts) -> None:
    """Check that there is room for what a turn brings, without which no game comes to its end."""
    cards = facts.dealt + facts.taken_cards
    for name, got, least, why in (
        ("hand", facts.hand_limit, cards, "the cards dealt and those of one action"),
        ("tokens", facts.token_limit, len(facts.types), "one of each type, or some cards could not be paid"),
        ("free_spaces", facts.free_spaces, 1, "a ship must sail on"),
        ("taken_tokens", facts.taken_tokens, 1, "cards are paid with them"),
        ("taken_cards", facts.taken_cards, 1, "the game ends when the pile is used up"),
    ):
        if got < least:
            wrong(f"limits.{name}", f"{least} or more ({why})", got)


def _check_names(facts: Facts) -> None:
    """Check that a word in an order means one thing: tokens, cities and cards can share a place."""
    ports = facts.cities.items()
    _tell_apart(
        [
            *((f"the word {word}", word) for word in (ANY, *WAYS)),
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
            wrong(owner, "a name with letters", repr(name))
        other = owners.setdefault(as_word(name), owner)
        if other != owner:
            wrong(owner, f"another name than that of {other}", repr(name))


def _check_cities(facts: Facts, table: Checked) -> None:
    """Check the ring: ships need a city on either side, and every colour one city at least."""
    same("cities.total", table["total"], len(table["list"]))
    same("cities.list: different ids", len(table["list"]), len(facts.cities))
    if len(facts.ring) <= facts.free_spaces:
        wrong("cities", f"more than {facts.free_spaces}", len(facts.ring))
    used = {harbour.section for harbour in facts.cities.values()}
    if used != set(facts.sections):
        wrong("cities", f"the sections {', '.join(sorted(facts.sections))}", ", ".join(sorted(used)))


def _check_tokens(facts: Facts, expected: int) -> None:
    """Check that the types make up all tokens, and that the fields can be filled at the start."""
    same("tokens.total: types x per_type", expected, len(facts.types) * facts.per_type)
    if (most := len(facts.ring) * facts.per_field) > expected:
        wrong("tokens.per_field", f"at most {expected} on all fields", most)


def _check_cards(facts: Facts, table: Checked) -> None:
    """Check the pack against its totals, and that all it names is there."""
    same("cards.total: cards in the list", table["total"], len(table["list"]))
    same("cards.list: different numbers", table["total"], len(facts.cards))
    per_site = Counter(face.site for face in facts.cards.values())
    for site in facts.sites:
        same(f"cards.per_site: cards of {site}", table["per_site"], per_site[site])
    for number, face in facts.cards.items():
        for name, value, known in (
            ("site", face.site, facts.sites),
            ("category", face.category, facts.categories),
            ("token", face.token, facts.types),
        ):
            if value not in known:
                wrong(f"card {number}", f"a {name} of {', '.join(known)}", value)
    needed = sum(facts.sections.values()) + len(SEATS) * facts.dealt
    if needed > len(facts.cards):
        wrong("cards", f"{needed} for fields and {len(SEATS)} hands", len(facts.cards))


def _check_tasks(facts: Facts, expected: int) -> None:
    same("tasks.total: task tokens", expected, sum(len(task.values) for task in facts.tasks.values()))
    for name, task in facts.tasks.items():
        groups: tuple[str, ...] = facts.sites if task.by == "site" else facts.categories
        if task.of and task.of not in groups:
            wrong(f"task {name}", f"a {task.by} of {', '.join(groups)}", task.of)
        if task.groups > (1 if task.of else len(groups)):
            wrong(f"task {name}", f"groups to be {len(groups)} at most", task.groups)


def _face(row: Checked) -> Face:
    return Face(row["name"], row["site"], row["category"], row["token"], row["score"])


def _task(row: Checked) -> Prerequisite:
    points = tuple(row["values"])
    return Prerequisite(row["name"], row["by"], row.get("of", ""), row["groups"], row["each"], points)
