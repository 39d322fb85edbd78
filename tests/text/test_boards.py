"""Boards and plots over whole games: small, and every text whole, apart, and large enough for a telephone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from pbem.play.config import registry
from pbem.store.opening import shipped_folder
from tests.homes import worked_out_once
from tests.pictures import RULES, course, readers
from tests.text.drawing import Word, words_of

pytest.importorskip("PIL")

NARROW, LEAST = 336, 11.0
"""Pixels: how wide a telephone shows a picture, and how high its smallest text is then."""

EVERY = 6
"""About so many positions of each game are looked at, from the deal to the end."""

MOST = {
    "game-of-powers": 31_000,
    "rose-king": 12_000,
    "web-of-intrigue": 49_000,  # a diamond of which a special shows two steps more
    "web-of-power": 33_000,
    "web-of-power-cards": 31_000,
}
"""Bytes of a game's largest picture."""

LETTERS = re.compile(r"[^\W\d_]{2,}")
CUT = re.compile(r"([^\W\d_]{2,})…")


Drawn = tuple[tuple[str, str, frozenset[str]], ...]


@cache
def drawn(rules: str) -> Drawn:
    """Return the pictures of a game: where each is, the picture, and the words of its facts."""
    return worked_out_once(f"boards-{rules}", lambda: _drawn(rules))


def _drawn(rules: str) -> Drawn:
    scenes = course(rules)
    step = max(1, len(scenes) // EVERY)
    chosen = sorted({*range(0, len(scenes), step), 1, len(scenes) - 1})
    known = written(rules)
    return tuple(
        (f"{name}, step {at}, {seat or 'spectator'}", picture, known | words_in(told(scenes[at].facts(seat))))
        for at in chosen
        for seat in readers(scenes[at])
        for name, picture in scenes[at].pictures(seat).items()
    )


def told(facts: object) -> str:
    """Return facts as text."""
    return json.dumps(facts, ensure_ascii=False)


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text, in small letters."""
    return frozenset(one.lower() for one in LETTERS.findall(text))


@cache
def written(rules: str) -> frozenset[str]:
    """Return the words that templates of a game write of their own."""
    folders = registry.find_rules(rules).templates, shipped_folder("templates") / "common"
    files = [path for folder in folders for path in folder.glob("*") if path.suffix == ".j2"]
    return words_in(" ".join(path.read_text(encoding="utf-8") for path in files))


@cache
def texts(rules: str) -> tuple[tuple[str, tuple[float, float], list[Word], frozenset[str]], ...]:
    """Return every picture of a game: where it is, its size, its texts, and the words that are known."""
    return tuple(
        (
            where,
            (float(svg.get("viewBox", "").split()[2]), float(svg.get("viewBox", "").split()[3])),
            list(words_of(svg)),
            known,
        )
        for where, picture, known in drawn(rules)
        for svg in [ET.fromstring(picture)]
    )


@pytest.mark.parametrize("rules", RULES)
def test_every_text_has_eleven_pixels_on_a_telephone(rules: str) -> None:
    for where, (width, _), found, _ in texts(rules):
        small = {one.text for one in found if one.size * NARROW / width < LEAST}
        assert small == set(), where


@pytest.mark.parametrize("rules", RULES)
def test_no_text_stands_upon_another(rules: str) -> None:
    for where, _, found, _ in texts(rules):
        upon = {(one.text, two.text) for one, two in combinations(found, 2) if one.covers(two)}
        assert upon == set(), where


def test_names_on_the_map_of_europe_do_not_touch() -> None:
    for where, _, found, _ in texts("web-of-power"):
        near = {(one.text, two.text) for one, two in combinations(found, 2) if one.covers(two, slack=-3.0)}
        assert near == set(), where


@pytest.mark.parametrize("rules", RULES)
def test_every_text_is_whole_on_the_paper(rules: str) -> None:
    for where, (width, height), found, _ in texts(rules):
        boxes = [(one.text, *one.box) for one in found]
        beyond = {text for text, x, y, right, low in boxes if min(x, y) < 0 or right > width or low > height}
        assert beyond == set(), where


@pytest.mark.wording("words that are drawn have widths and places")
@pytest.mark.parametrize("rules", RULES)
def test_no_word_is_broken(rules: str) -> None:
    """Every word is of the facts or of the templates, or begins one before an ellipsis; seats are short."""
    for where, _, found, known in texts(rules):
        said = {one for text in found for one in LETTERS.findall(text.text)}
        cut = {one for text in found for one in CUT.findall(text.text) if _begins_any(one.lower(), known)}
        broken = {one for one in said - cut if one.lower() not in known and len(one) > 2}
        assert broken == set(), where


def _begins_any(start: str, words: Iterable[str]) -> bool:
    return any(word.startswith(start) for word in words)


@pytest.mark.parametrize("rules", RULES)
def test_pictures_are_small(rules: str) -> None:
    sizes = {where: len(picture.encode()) for where, picture, _ in drawn(rules)}
    assert {where: size for where, size in sizes.items() if size > MOST[rules]} == {}
