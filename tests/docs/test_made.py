"""What is made here stands as it is made now: pages, pictures, tables of figures, readings, the recording."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs import make_book, make_pictures, make_readings
from tests.docs.make_coverage import games
from tests.docs.make_recording import LARGEST, LONGEST, RECORDING, recorded, recording, seconds_of
from tests.docs.make_tables import TABLES, pattern
from tests.pictures import RULES

DOCS = make_book.DOCS
KEPT = RECORDING.read_text(encoding="utf-8")


def test_the_readings_stand_as_the_rules_say_them() -> None:
    old = [
        folder for folder in games() if text_of(make_readings.file_of(folder)) != make_readings.made(folder)
    ]

    assert old == [], "run `make docs`"


@pytest.mark.wording("documents show what the program says")
@pytest.mark.parametrize("guide", make_book.guides(), ids=lambda guide: guide.parent.name)
def test_the_guides_of_the_games_stand_as_the_program_says_them(guide: Path) -> None:
    assert text_of(guide) == make_book.made(guide), "run `make docs`"


def test_each_guide_shares_sections_with_the_book_of_its_game() -> None:
    wanted = {"The rules", "What you can write", "Orders for later", "Conditions", "Options"}

    assert [guide.parent.name for guide in make_book.guides()] == sorted(RULES)
    for guide in make_book.guides():
        assert wanted < {*make_book.shared(guide)}, "tables are shared too"


@pytest.mark.wording("words that are drawn have widths and places")
def test_the_pictures_of_the_guides_are_those_that_the_program_draws() -> None:
    kept = {path.name: text_of(path) for path in make_pictures.FOLDER.glob("*.svg")}

    assert kept == make_pictures.pictures(), "draw them anew with `make docs`"


@pytest.mark.parametrize("rules", RULES)
def test_each_guide_shows_board_and_plots_and_says_what_they_are(rules: str) -> None:
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", text_of(DOCS / rules / "guide.md"))

    assert {Path(path).name for _, path in shown} >= {f"{rules}.svg", f"{rules}-plots.svg"}
    assert all((DOCS / rules / path).resolve().parent == make_pictures.FOLDER for _, path in shown)
    assert all(len(told) > 20 for told, _ in shown)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_was_counted_with_the_rules_as_they_are(name: str) -> None:
    """Whoever changes the rules runs `make docs`."""
    assert counted(name)[1] == TABLES[name].stamp


@pytest.mark.parametrize(
    "name",
    [name if name == "houses left" else pytest.param(name, marks=pytest.mark.worlds) for name in TABLES],
)
def test_counting_again_gives_the_figures_of_the_guide(name: str) -> None:
    """Of a table whose games must be played, its first row; all rows are of the rules of its stamp."""
    again = list(TABLES[name].rows() if name == "houses left" else islice(TABLES[name].rows(), 3))

    assert counted(name)[2].splitlines()[: len(again)] == again
    assert len(again) >= 3


def test_the_recording_shows_what_its_commands_print_now_and_is_short_and_small() -> None:
    assert recording(recorded()) == KEPT, "record it anew with `make recording`"
    assert seconds_of(KEPT) < LONGEST
    assert len(KEPT.encode()) <= LARGEST


def test_the_recording_needs_neither_network_nor_script_and_keeps_its_text_as_text() -> None:
    elements = list(ElementTree.fromstring(KEPT).iter())
    kinds = {element.tag.partition("}")[2] for element in elements}

    assert kinds <= {"svg", "title", "style", "g", "rect", "text"}
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", KEPT)
    assert "".join(element.text or "" for element in elements).count("pbem check white.yaml") == 2


def text_of(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


def counted(name: str) -> re.Match[str]:
    """Return a table of figures as its guide has it: its stamp, then its lines."""
    found = pattern(name).search(text_of(TABLES[name].guide))
    assert found is not None
    return found
