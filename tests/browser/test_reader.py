"""The page reads YAML as the host does, or says that it cannot; and what it writes the host reads."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.anyfile import SubmittedFile, handed_in
from pbem.store.opening import shipped_folder
from pbem.text.strictyaml import Document, YamlProblem, dump, parse
from tests.behaviour.slips import rows
from tests.browser.forms import Desk, asked, judged
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
SAMPLES = [path.read_text(encoding="utf-8") for path in sorted(shipped_folder("orders").glob("*/*.yaml"))] + [
    text
    for page in sorted(DOCS.rglob("*.md"))
    for text in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
]
SIGNS = [
    *" \n:-{}[],'\"#|>?&*!%@`~a1.0\t\u2028\u00a0é", "  ", "- ", ": ", "\n  ", "\n- ", "true", "null",
]  # fmt: skip
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


FOUND = """all => all.map((text) => {
  try {
    const { value, marks, from } = pbem.pasted.read(text);
    return {value, sent: from ? from.text : text, marks: [...marks], isPart: Boolean(from)};
  } catch (problem) {
    if (!(problem instanceof pbem.yaml.Problem)) throw problem;
    return null;
  }
})"""
BLANK = "# pbem form rose-1 red red-33 k3v9qq7t2m\ngame: rose-1\nseat: red\norders:\n- at: red-33\n  do: {}\n"


def quoted(text: str) -> str:
    """Return a text as a mail program quotes it."""
    return "".join(f"> {line}\n" for line in text.splitlines())


WRAPPED: dict[str, Callable[[str], str]] = {
    "quoted": quoted,
    "quoted without a space": lambda text: "".join(f">{line}\n" for line in text.splitlines()),
    "words above": lambda text: f"Hello,\n\nhere are my orders.\n\n{text}",
    "words with a colon above": lambda text: f"Dear host: good evening\n\n{text}",
    "words below": lambda text: f"{text}\nSee you,\nAnn\n",
    "a signature": lambda text: f"{text}\n--\nAnn Onymous\n",
    "an answer above what it quotes": lambda text: (
        f"{text}\nAm Montag schrieb der Spielleiter:\n{quoted('Turn 32 is done. ' + chr(10) + BLANK)}"
    ),
    "an answer below what it quotes": lambda text: f"On Monday the host wrote:\n{quoted(BLANK)}\n{text}",
    "line ends of another system": lambda text: text.replace("\n", "\r\n"),
    "quoted with words around": lambda text: f"Hi!\n\n> On Monday\n>\n{quoted(text)}\nThanks\n",
}


def test_orders_in_a_text_that_holds_more_are_read_as_the_host_reads_them(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red")
    orders = [path.read_text("utf-8") for path in sorted(shipped_folder("orders").glob("*/*.yaml"))][::2]
    pairs = [(text, wrap(text)) for wrap in WRAPPED.values() for text in orders]
    found = desk.page.evaluate(FOUND, [text for _, text in pairs])
    for (order, text), page in zip(pairs, found, strict=True):
        assert page is not None, text
        assert page["value"] == parse(order).value
        assert parse(page["sent"]).value == page["value"]
        handed = handed_in(demo, text.encode())
        assert isinstance(handed, SubmittedFile)
        assert parse(handed.data).value == page["value"], text


def test_places_of_what_was_found_are_those_in_the_whole_text(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red")
    text = "Hello\n\n> game: rose-1\n> seat: red\n> orders:\n> - at: red-99\n>   do: {draw: 3}\n"
    desk.writes(text)

    assert [line.split(":")[0] for line in desk.wrong()] == ["Row 7, column 16"]
    assert desk.page.inner_text("#problems pre").split("\n")[0] == ">   do: {draw: 3}"
    assert "Read from rows 3 to 7; only they are sent" in desk.page.inner_text("#verdict")


def test_only_the_orders_of_a_pasted_answer_are_sent(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red", "host+x@example.test")
    own = "game: rose-1\nseat: red\norders:\n- at: red-99\n  do: {draw: true}\n"
    desk.writes(f"Hello host,\n\n{quoted(own)}\nAnn\n")
    query = (desk.page.get_attribute("#mail", "href") or "").partition("?")[2]
    with desk.page.expect_download() as download:
        desk.page.click("#save")

    assert parse_qs(query)["body"][0].replace("\r\n", "\n") == own
    assert download.value.suggested_filename == "rose-1.red.yaml"
    assert Path(download.value.path()).read_text(encoding="utf-8") == own


NOT_ONE = (
    "game: rose-1\nseat: red\norders:\n- do: {draw: true}\n\nor rather\n\n"
    "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n",
    "Hello\n\ngame: rose-1\nseat: red\norders:\n- do: {draw: true}\nand then\n"
    "- at: red-40\n  do: {draw: true}\n",
    "Hello\n\norders:\n- do: {draw: true}\n",
    "Where are the rules?\n",
    "Hello\n\ngame: rose-1\nseat: red\n\nwait\n\norders:\n- do: {draw: true}\n",
)


def test_a_text_without_just_one_whole_set_of_orders_is_not_read(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red")
    for text in NOT_ONE:
        desk.writes(text)
        assert len(desk.wrong()) >= 1
        assert desk.page.inner_text("#loosely").startswith("You can send it anyway: the host reads more")


def test_what_the_page_finds_in_any_text_the_host_reads_as_the_same(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red")
    chance = random.Random(2)
    short = [text for text in SAMPLES if len(text) < 1500 and text.count("game:") == 1]
    ways = list(WRAPPED.values())
    texts = [changed(chance.choice(ways)(chance.choice(short)), chance) for _ in range(500)]
    parts = 0
    for text, page in zip(texts, desk.page.evaluate(FOUND, texts), strict=True):
        if page is None or not page["isPart"]:
            continue
        parts += 1
        document = host(page["sent"])
        assert document is not None, text
        assert document.value == page["value"]

    assert parts > 80


SLIPS = rows("slips.yaml")


@pytest.mark.parametrize("game", ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"])
def test_no_slip_is_found_good_that_the_host_refuses(
    game: str, demo: Home, tmp_path: Path, desk: Desk
) -> None:
    saved = SavedGame(demo, game)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    looked = 0
    for slip in [slip for slip in SLIPS if slip["slip"].startswith(game)][::3]:
        text = slip["written"]
        desk.writes(text)
        result = judged(demo, text, tmp_path)
        looked += 1
        if isinstance(result, list) and "when:" not in text:  # whether a condition is one the host tells
            assert desk.wrong() != [], (slip["slip"], list(map(str, result)))
        if desk.wrong() != []:
            assert desk.page.is_visible("#loosely") or desk.page.is_disabled("#copy"), slip["slip"]

    assert looked >= 5


WORDS = """all => all.map((text) => {
  try {
    pbem.yaml.read(text);
    return null;
  } catch (problem) {
    return problem.text;
  }
})"""


def test_what_is_no_yaml_is_told_in_the_words_of_check(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "red")
    head = "game: rose-1\nseat: red\norders:\n"
    texts = [
        f"{head}- at: red-33\n  do: play: S3, hero: true\n",
        f"{head}- at: red-33\n  do: {{play: S3\n",
        f"{head}- at: red-33\n  do: [play, S3\n",
        f"{head}- at: red-33\n  do: {{play: [S3\n",
        f"{head}- at: red-33\n  do: [play, {{play: S3\n",
        f"{head}- at: red-33\n  do: {{play: S3}} now\n",
        f"{head}- at: red-33\n  do: {{play: S3}}}}\n",
        f"{head}- at: red-33\n  do: {{play:S3, hero: true}}\n",
        f"{head}- at: red-33\n   do: {{draw: true}}\n",
        f"{head}- at:red-33\n  do: {{draw: true}}\n",
        f"{head}- at: *red\n  do: {{draw: true}}\n",
        f"{head}- at: !red\n  do: {{draw: true}}\n",
        f"{head}- at: &red\n  do: {{draw: true}}\n",
        f"{head}- at: @red\n  do: {{draw: true}}\n",
        f"{head}\t- at: red-33\n",
        "game: rose-1\ngame: rose-2\n",
        "game: rose-1\nseat: red\npress:\n- to: [white]\n  say: 'tis mine\n",
        'game: rose-1\nseat: red\npress:\n- to: [white]\n  say: "mine" now\n',
        'game: rose-1\nseat: red\npress:\n- to: [white]\n  say: "mine\n',
        "game: rose-1\nseat: red\npress: - to: [white]\n",
        "%YAML 1.1\ngame: rose-1\n",
    ]
    for text, page in zip(texts, desk.page.evaluate(WORDS, texts), strict=True):
        with pytest.raises(YamlProblem) as refused:
            parse(text)
        assert page == refused.value.text, text
