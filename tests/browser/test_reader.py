"""The page reads YAML as the host does, or says that it cannot; and what it writes the host reads."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.store.shipped import shipped
from pbem.text.strictyaml import Document, YamlProblem, dump, parse
from tests.browser.forms import Desk
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
SAMPLES = [path.read_text(encoding="utf-8") for path in sorted(shipped("orders").glob("*/*.yaml"))] + [
    text
    for page in sorted(DOCS.rglob("*.md"))
    for text in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
]
SIGNS = [
    *" \n:-{}[],'\"#|>?&*!%@`~a1.0\t",
    "  ",
    "- ",
    ": ",
    "\n  ",
    "\n- ",
    "true",
    "null",
    "é",
    "\u2028",
    "\u00a0",
]
READ = """all => all.map((text) => {
  try {
    const read = pbem.yaml.read(text);
    const written = pbem.yaml.write(read.value);
    return {value: read.value, written, marks: [...read.marks], keys: [...read.keys]};
  } catch (problem) {
    if (!(problem instanceof pbem.yaml.Problem)) throw problem;
    return null;
  }
})"""


def host(text: str) -> Document | None:
    """Return what the host reads, or None if it refuses the text."""
    try:
        return parse(text)
    except YamlProblem:
        return None


def places(marks: Any) -> dict[tuple[str | int, ...], tuple[int, int]]:
    """Return the host's marks as line and column by path."""
    return {path: (mark.line, mark.column) for path, mark in marks.items()}


def told(page: list[list[Any]]) -> dict[tuple[str | int, ...], tuple[int, int]]:
    """Return the page's marks in the same way."""
    import json

    return {tuple(json.loads(path)): (mark["line"], mark["column"]) for path, mark in page}


def changed(text: str, chance: random.Random) -> str:
    """Return a text with a few signs put in, taken away or replaced."""
    signs = list(text)
    for _ in range(chance.randint(1, 3)):
        at, kind = chance.randrange(len(signs) + 1), chance.random()
        if kind < 0.4:
            signs[at:at] = chance.choice(SIGNS)
        elif kind < 0.7:
            del signs[at : at + chance.randint(1, 3)]
        else:
            signs[at : at + 1] = chance.choice(SIGNS)
    return "".join(signs)


def test_all_sample_orders_are_read_as_the_host_reads_them(tmp_path: Path, desk: Desk) -> None:
    desk.opens(a_game(a_home(tmp_path)), "red")
    for text, page in zip(SAMPLES, desk.page.evaluate(READ, SAMPLES), strict=True):
        document = host(text)
        assert document is not None
        assert page is not None, text
        assert page["value"] == document.value
        assert told(page["marks"]) == places(document.marks)
        assert told(page["keys"]) == places(document.keys)
        assert parse(page["written"]).value == document.value


def test_what_the_page_reads_the_host_reads_as_the_same(tmp_path: Path, desk: Desk) -> None:
    desk.opens(a_game(a_home(tmp_path)), "red")
    chance = random.Random(1)
    short = [text for text in SAMPLES if len(text) < 1500]
    texts = [changed(chance.choice(short), chance) for _ in range(600)]
    read = 0
    for text, page in zip(texts, desk.page.evaluate(READ, texts), strict=True):
        if page is None:
            continue
        document = host(text)
        read += 1
        assert document is not None, text
        assert page["value"] == document.value
        assert told(page["marks"]) == places(document.marks), text
        assert parse(page["written"]).value == document.value

    assert read > 150


def test_values_are_written_in_the_words_of_the_host(tmp_path: Path, desk: Desk) -> None:
    desk.opens(a_game(a_home(tmp_path)), "red")
    values = [host(text).value for text in SAMPLES]  # type: ignore[union-attr]
    values += [
        "yes",
        "1e3",
        "012",
        "",
        " x",
        "a: b",
        "#",
        "\u00a0",
        "a\nb\n",
        "é",
        "don't",
        "x y",
        '"',
        "0.5",
        "-",
    ]

    for value, written in zip(
        values, desk.page.evaluate("all => all.map(pbem.yaml.write)", values), strict=True
    ):
        assert parse(written).value == value
        assert isinstance(value, dict) or written == dump(value)
