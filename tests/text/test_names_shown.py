"""What players read calls things by their names: no ids in reports, in forms and in answers."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from typing import Final

import pytest

from pbem.core.interface import Json
from pbem.host.office.samples import sample_names
from pbem.play.homes.home import Home
from tests.homes import a_home, sample_games, top

GAMES: Final = sample_names()
WORD: Final = re.compile(r"[^\W\d]\w*")
FORM: Final = "# pbem form "
ORDER: Final = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")


def hidden_ids(data: Json) -> Iterator[str]:
    """Yield the ids of things that are called otherwise, but for capitals."""
    if isinstance(data, dict):
        rows = {**data, str(data.get("id")): data}
        for key, row in rows.items():
            name = row.get("name") if isinstance(row, dict) else None
            own = row.get("id", key) if isinstance(row, dict) else key
            if isinstance(name, str) and key == own and name.casefold() != str(own).casefold():
                yield str(own)
        for value in data.values():
            yield from hidden_ids(value)
    elif isinstance(data, list):
        for value in data:
            yield from hidden_ids(value)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The sample games as they are saved, with all their reports."""
    home = a_home(tmp_path_factory.mktemp("shown"))
    shutil.copytree(sample_games(), top(home) / "games", dirs_exist_ok=True)
    return home


def ids_in(home: Home, name: str) -> frozenset[str]:
    """Return the ids of the things of a game that are called otherwise."""
    file = top(home) / "games" / name / "turns/0000/data.json"
    return frozenset(hidden_ids(json.loads(file.read_text("utf-8"))))


def texts_of(home: Home, name: str) -> Iterator[tuple[str, str]]:
    """Yield the reports and the forms of all turns of a game, each with its place."""
    folder = top(home) / "games" / name / "turns"
    for file in sorted([*folder.glob("*/reports/*/report.txt"), *folder.glob("*/reports/*/orders.yaml")]):
        yield str(file.relative_to(folder)), file.read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_no_report_and_no_form_shows_an_id_of_what_has_a_name(home: Home, name: str) -> None:
    ids = ids_in(home, name)

    found = [
        (place, word) for place, text in texts_of(home, name) for word in WORD.findall(text) if word in ids
    ]

    assert found == []


OFFERED = re.compile(r"^WHAT YOU CAN DO NOW.*?\n\n", re.MULTILINE | re.DOTALL)
"""Whole orders as a form has them."""


@pytest.mark.parametrize("name", GAMES)
def test_a_report_has_words_with_an_underscore_in_orders_and_in_the_form_only(home: Home, name: str) -> None:
    prose = [(place, text.partition(FORM)[0]) for place, text in texts_of(home, name) if FORM in text]
    found = [
        (place, word)
        for place, text in prose
        for word in WORD.findall(ORDER.sub("", OFFERED.sub("", text)))
        if "_" in word and not place.endswith("orders.yaml")
    ]

    assert found == []
