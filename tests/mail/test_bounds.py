"""How much of a mail is ever looked at: letters, lines and parts are counted before anything reads them."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbem.core.wording import most_similar_name
from pbem.host.time.dates import hour_of, read_span, read_when
from pbem.mail.arrivals import identify
from pbem.mail.conversation.commands import find_mail_command
from pbem.store.errors import RequestRefused
from pbem.text import mail, mending
from pbem.text.mail.bodies import Text, text_of
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.headers import MAX_LINE, MAX_LINES, MAX_TEXT, MAX_TEXTS, RefusedMail
from pbem.text.mail.quotes import own_lines
from tests.benchmarks.patterns import patterns
from tests.homes import NOW
from tests.mail.host import ANN, RED, a_host
from tests.mail.letters import MEANT, ORDERS, attached, boxed, letter_of, search
from tests.mail.letters import mail as mail_of

PLAIN = "Content-Type: text/plain; charset=utf-8"
PAGE = "Content-Type: text/html; charset=utf-8"
FEW_HUNDRED = 400
MANY = 40_000


class Watched:
    """A pattern that notes how many letters it is given."""

    def __init__(self, pattern: re.Pattern[str], most: list[int], size: Callable[[str], int] = len) -> None:
        self.pattern, self.most, self.size = pattern, most, size

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.pattern, name)
        if not callable(found):
            return found

        def called(*given: Any, **more: Any) -> Any:
            self.most.append(max(self.size(one) for one in given if isinstance(one, str)))
            return found(*given, **more)

        return called


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many letters each call gives to a pattern of commands, what they ask for, and moments."""
    most: list[int] = []
    of_mail = "pbem.mail.conversation"
    for name in (f"{of_mail}.commands", "pbem.host.time.dates"):
        module: ModuleType = importlib.import_module(name)
        for key, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                monkeypatch.setattr(module, key, Watched(value, most))
    return most


BEFORE_LINES = ("bodies", "letter", "limits", "headers", "pagerows", "charsets", "auto", "bounces", "compose")
"""Modules of mails that read bytes, headers and pages, before there are lines."""


@pytest.fixture
def lines_read(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """Return how many letters the longest line has that each pattern of the orders' reader is given."""
    most: dict[str, list[int]] = defaultdict(list)
    for package in (mail, mending):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(one.name)
            if one.name.rpartition(".")[2] in BEFORE_LINES:
                continue
            for key, value in list(vars(module).items()):
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str) and key != "_NO_LETTER":
                    watched = Watched(value, most[f"{one.name}.{key}"], longest_line)
                    monkeypatch.setattr(module, key, watched)
    return most


def longest_line(text: str) -> int:
    """Return how many letters the longest line of a text has."""
    return max(map(len, text.split("\n")))


STARTS = ("", "absent back ", f"{ORDERS}- at: ", "to: ", "to: moderator ", "My luck words are ")
LONG = [one * (5000 // len(one)) for one in (",", " ", "a: ", "- ", "{", "'", "“", "> ", "word ")]


@pytest.mark.parametrize(
    ("kind", "every"), [("text/plain", 1), ("text/plain; format=flowed", 4), ("text/html", 4)]
)
def test_no_pattern_reads_more_of_a_line_than_its_bound(
    tmp_path: Path, kind: str, every: int, lines_read: dict[str, list[int]]
) -> None:
    host = a_host(tmp_path, orders_per_hour=1000, receipts_per_hour=1000)
    for number, (start, rest) in enumerate([*product(STARTS, LONG)][::every]):
        text = f"{start}{rest}!\n".replace("\n", "<br>" if kind == "text/html" else "\n")
        head = f"From: {ANN}\nMessage-ID: <{number}@example.test>\nContent-Type: {kind}; charset=utf-8\n\n"
        host.gets((head + text).encode(), host.address())

    beyond = {name: max(sizes) for name, sizes in lines_read.items() if max(sizes, default=0) > MAX_LINE}

    assert beyond == {}
    assert sum(map(len, lines_read.values())) > len(STARTS) * len(LONG) // every


def test_what_is_behind_the_bound_of_a_line_is_data() -> None:
    said = "word " * 700
    letter = letter_of(f"From: {ANN}\n\nto: 2 {said}x\n{said}y\n".encode())

    found = search(mail_of(f"{ORDERS}press:\n- {{to: [white], say: '{said}'}}\n"))

    assert own_lines(letter) == (f"to: 2 {said}x", f"{said}y")
    assert isinstance(found, FoundOrders)
    assert found.document is not None
    assert found.document.value == {**MEANT, "press": [{"to": ["white"], "say": said}]}


@pytest.mark.parametrize("rest", ["," * MANY, " " * MANY, "1 " * 9 + "-" * MANY, "please" * 9000])
@pytest.mark.parametrize("word", ["absent back", "vote pause", "help"])
def test_what_is_longer_than_a_command_is_none_and_no_pattern_reads_it(
    word: str, rest: str, letters: list[int]
) -> None:
    for subject, lines in (("", [f"{word} {rest}x"]), (f"{word} {rest}x"[:2000], []), ("re:" * 600, ["x"])):
        assert find_mail_command(subject, lines) is None
        assert max(letters, default=0) <= FEW_HUNDRED


@pytest.mark.parametrize("text", [one * MANY for one in (",", " ", "1", "a", "1 a", "on ", "+1")])
def test_what_is_longer_than_a_moment_is_none_and_no_pattern_reads_it(text: str, letters: list[int]) -> None:
    with pytest.raises(RequestRefused):
        read_when(f"{text}x", NOW, "Europe/Helsinki")

    assert (read_span(f"{text}x"), hour_of(f"{text}x")) == (None, None)
    assert max(letters, default=0) <= FEW_HUNDRED


def test_all_texts_of_a_mail_have_one_bound() -> None:
    size = MAX_TEXTS // 3
    letter = letter_of(boxed(*[(PLAIN, "x" * size)] * 4))

    found = [text_of(part) for part in letter.parts]

    assert [isinstance(one, Text) for one in found] == [True, True, True, False]
    assert isinstance(found[-1], RefusedMail) and found[-1].reason == "too-long"


@pytest.mark.parametrize(
    ("kind", "line"), [(PLAIN, "x\n"), (PLAIN, "x\r"), (PAGE, "<br>"), (PAGE, "<p>x"), (PAGE, "x\n")]
)
def test_the_lines_of_all_texts_have_one_bound(kind: str, line: str) -> None:
    letter = letter_of(boxed(*[(kind, line * (MAX_LINES // 8))] * 12))

    texts = [one for one in map(text_of, letter.parts) if isinstance(one, Text)]

    assert sum(len(one.lines) for one in texts) <= MAX_LINES + len(texts)
    assert len(texts) >= 6


def test_a_text_too_long_by_itself_and_pictures_take_nothing_from_the_others() -> None:
    log, photo = "x" * (MAX_TEXT + 1), attached("a.png", "x" * MAX_TEXT, "image/png")

    found = search(boxed(attached("log.txt", log), photo, photo, (PLAIN, ORDERS)))

    assert isinstance(found, FoundOrders)


@pytest.mark.parametrize("headers", [{}, {"Auto-Submitted": "auto-replied"}])
def test_of_a_mail_that_is_not_proven_nothing_is_read_to_doubt_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    host, calls = a_host(tmp_path), list[str]()
    for name in ("own_lines", "find_orders", "find_mail_command", "orders_in"):
        monkeypatch.setattr(identify, name, lambda *_, name=name, **__: calls.append(name))
    raw = host.a_mail(ORDERS, sender="eve@example.test", **headers)

    number = host.put(raw, host.address(), "eve@example.test")
    assert number is not None
    with host.home.journal() as db:
        from pbem.cli.moderation.mailed import MailedCommands
        from pbem.mail.account.settings import mail_settings
        from pbem.mail.arrivals.desk import Desk

        desk = Desk(host.home, db, mail_settings(host.home), host.now, MailedCommands())
        looked = identify.inspect_mail(desk, db.intake(number), raw)

    assert (looked.mail.unproven, looked.seat, looked.found) == ("sender", RED, None)
    assert calls == []


def test_a_word_longer_than_any_name_is_compared_with_none(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def noting(word: str, *_: object, **__: object) -> list[str]:
        compared.append(len(word))
        return []

    monkeypatch.setattr(difflib, "get_close_matches", noting)

    assert (most_similar_name("x" * MANY, ["pawn"]), most_similar_name("prawn", ["pawn"])) == ("", "")
    assert compared == [5]


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 keeps half a repetition then: what it matches is too long."""
    parser: Any = importlib.import_module("re._parser")

    def groups(tree: Any) -> bool:
        for kind, value in tree:
            name, inner = str(kind), []
            if name == "POSSESSIVE_REPEAT":
                if len(value[2]) > 1 or str(value[2][0][0]) in ("BRANCH", "SUBPATTERN", "MAX_REPEAT"):
                    return True
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                inner = [value[2]]
            elif name == "SUBPATTERN":
                inner = [value[3]]
            elif name == "BRANCH":
                inner = value[1]
            elif name in ("ASSERT", "ASSERT_NOT"):
                inner = [value[1]]
            if any(map(groups, inner)):
                return True
        return False

    found = {name for name, one in patterns().items() if groups(parser.parse(one.pattern, one.flags))}

    assert found == set()
