"""The game book: it tells all of the data in force, nothing else, and the same to everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.play.config import registry
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import Book, book_of, book_of_rules, markdown_parser, names_of
from pbem.text.orders import Grammar, Submission, open_envelope, read_lines
from tests.books import RULES, book_with, names, read_aloud, shipped, without_code
from tests.facts import tells
from tests.homes import top

SAMPLES = ("cards-1", "powers-1", "rose-1", "web-1", "wop-1")


def orders_of(book: Book) -> list[str]:
    """Return the examples of orders in a book, each as a whole file."""
    head = f"game: {book.facts['game'] or 'my-game'}\nseat: {_seat(book)}\n"
    found = [one.content for one in markdown_parser().parse(book.markup) if one.type == "fence"]
    return [text if text.startswith("game:") else head + text for text in found]


def _seat(book: Book) -> str:
    example = book.facts["example"]
    assert isinstance(example, dict)
    return str(example["seat"])


def problems(book: Book) -> list[str]:
    """Return what is wrong with the examples of a book, as a reader of orders finds it."""
    system = registry.find_rules(str(book.facts["rules"]))
    assert system.system is not None and isinstance(book.facts["seats"], list)
    seats = tuple(book.facts["seats"])
    grammar = Grammar(seats, system.move_schema, system.start_schema, system.system.actions)  # type: ignore[arg-type]
    found: list[str] = []
    for text in orders_of(book):
        envelope = open_envelope(text.encode())
        if isinstance(envelope, list):
            found += map(str, envelope)
        elif not isinstance(lines := read_lines(envelope, grammar), Submission):
            found += map(str, lines)
    return found


@pytest.mark.parametrize("rules", RULES)
def test_a_book_names_every_thing_of_its_tables(rules: str) -> None:
    book = book_of_rules(rules)
    page, text = read_aloud(book.page), " ".join(book.text.split())
    wanted = sorted({*names(shipped(rules))} - {"sea"})  # a set of alliances, which has its own names

    assert len(wanted) >= 8
    assert [name for name in wanted if name not in page] == []
    assert [name for name in wanted if len(name.split()) == 1 and name not in text] == []


def _letters(number: int) -> str:
    return chr(97 + number // 26) + chr(97 + number % 26)


def _own(rules: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return data in which all that has a name has another, and the new name of each old one."""
    data = shipped(rules)
    fixed = {one["id"] for one in data.get("law_cards", {}).get("list", [])}  # what they do is code
    renamed = {
        name: f"Thing{_letters(number)}" for number, name in enumerate(sorted({*names(data)} - {"sea"}))
    }
    ids = {id: renamed[name].lower() for id, name in names_of(data).items() if id not in fixed}
    cards = [one["id"] for one in data.get("cards", {}).get("list", []) if "id" in one]
    ids |= {card: f"type{_letters(number)}" for number, card in enumerate(cards) if card not in ids}

    def changed(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {ids.get(name, name): changed(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [changed(one, key) for one in value]
        if isinstance(value, str):
            return renamed.get(value, value) if key == "name" else ids.get(value, value)
        return value

    return changed(data), renamed


@pytest.mark.parametrize("rules", [name for name in RULES if name != "rose-king"])
def test_a_game_with_tables_of_its_own_has_a_book_of_them_and_of_nothing_shipped(
    rules: str, tmp_path: Path
) -> None:
    data, renamed = _own(rules)
    book = book_with(tmp_path, rules, data)
    page = read_aloud(book.page)

    assert len(renamed) >= 12
    assert [new for new in renamed.values() if new not in page] == []
    assert [old for old in renamed if re.search(rf"\b{re.escape(old)}(?!\w)", page)] == []
    assert problems(book) == []


def test_a_smaller_rose_king_has_a_book_of_its_own_board_and_cards(tmp_path: Path) -> None:
    data = shipped("rose-king")
    data["power_tokens"].update(total=20)
    data["hands"].update(limit=3)
    data["board"].update(size=5, crown_start="C3")
    data["power_cards"].update(directions=data["power_cards"]["directions"][::2], distances=[2, 4], total=8)
    book = book_with(tmp_path, "rose-king", data)
    page = read_aloud(book.page)

    assert tells(page, "5")
    assert tells(page, "8", "2", "4")
    assert not re.search(r"E5|N1|NE\d|north-east|Nothing is reconstructed", page)


def _numbers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of numbers, of each list those of its first entry."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _numbers(one, (*path, key))
    elif isinstance(value, list):
        yield from _numbers(value[0], (*path, 0)) if value else ()
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


TELLING = {
    "rose-king": 6,
    "web-of-intrigue": 14,
    "web-of-power": 10,
    "web-of-power-cards": 7,
    "game-of-powers": 17,
}
"""So many numbers can be changed alone, so that tables still add up."""


def _with(data: Any, path: tuple[str | int, ...], change: int) -> Any:
    """Return a copy of data with one number changed."""
    copy = json.loads(json.dumps(data))
    place = copy
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] += change
    return copy


@pytest.mark.parametrize("rules", RULES)
def test_every_number_of_the_data_that_is_changed_changes_the_book(rules: str) -> None:
    system, data = registry.find_rules(rules), shipped(rules)
    before, silent, changed = book_of_rules(rules), [], 0
    for path in _numbers(data):
        for change in (1, -1):
            other = _with(data, path, change)
            try:
                system.load(other)
                book = _book(rules, other, before)
            except Exception:  # the tables no longer add up, or no game can be dealt with them
                continue
            changed += 1
            if book.markup == before.markup:
                silent.append(".".join(map(str, path)))
            break

    assert silent == []
    assert changed >= TELLING[rules]


def _book(rules: str, data: dict[str, Any], before: Book) -> Book:
    """Return the book of rules with other data."""
    from pbem.play.reports import books

    system = registry.find_rules(rules)
    assert system.system is not None
    seats = system.system.seat_names(system.system.seats[-1])
    facts = books._facts(system, system.load(data), data, system.options({}), seats)
    return Book({**before.facts, **facts}, before.environment)


@pytest.mark.parametrize("rules", RULES)
def test_a_book_holds_no_internal_name_but_where_it_shows_how_orders_are_written(rules: str) -> None:
    book = book_of_rules(rules)
    told = without_code(book.page)
    ids = [id for id, name in names_of(shipped(rules)).items() if id not in (name, name.lower())]

    assert re.findall(r"\b[a-z]+_[a-z_]+\b", told) == []
    assert [id for id in ids if re.search(rf"\b{re.escape(id)}\b", told)] == []


@pytest.mark.parametrize("rules", RULES)
def test_the_examples_of_a_book_are_orders_that_can_be_read(rules: str) -> None:
    book = book_of_rules(rules)

    assert len(orders_of(book)) == 3
    assert problems(book) == []


@pytest.mark.parametrize("game", SAMPLES)
def test_a_book_knows_nothing_of_what_happens_in_its_game(samples: Home, game: str) -> None:
    now, start = SavedGame(samples, game), SavedGame(samples, game, at_turn=0)
    seed = now.secret

    book = book_of(now)

    assert now.turn > 0
    assert (book.text, book.page) == (book_of(start).text, book_of(start).page)
    told = book.text + book.page
    assert [
        one for one in (seed.seed.hex(), *seed.keys.values(), *now.table.players.values()) if one in told
    ] == []


def test_the_command_prints_the_book_as_text_and_as_a_page(
    samples: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home, game = samples, SAMPLES[0]
    book = book_of(SavedGame(home, game))

    assert run_command(["book", game, "--home", str(top(home))]) == 0
    assert capsys.readouterr().out == book.text
    assert run_command(["book", game, "--html", "--home", str(top(home))]) == 0
    assert capsys.readouterr().out == book.page
