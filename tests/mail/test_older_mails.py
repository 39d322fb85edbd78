"""What is quoted or forwarded is told from a sender's own words and orders by its head, in any language.

Two signs show it: a head with an address, and a line that mails of ours hold. Where only the latter stands in
a mail, its words are passed on to nobody.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest

from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.quotes import host_lines_in, own_lines
from pbem.text.strictyaml import parse
from tests.mail.letters import FILLED, MEANT, ORDERS, letter_of, mail, quoted, search
from tests.written import yaml_beside

PAGE = "text/html; charset=utf-8"
WHOSE = "The games of Mary <host@pbem.test>"
WHEN = "28.11.2026 10:00"

TABLES: Mapping[str, Mapping[str, Any]] = yaml_beside(__file__, "older_mails.yaml")
LANGUAGES = TABLES["languages"]


def fields(language: str) -> str:
    """Return the four fields above a mail, as Outlook writes them."""
    sender, date, reader, subject, _ = LANGUAGES[language]
    return f"{sender}: {WHOSE}\n{date}: {WHEN}\n{reader}: Ann\n{subject}: [rose-1] Orders accepted\n"


def in_one(language: str) -> str:
    return f"{fields(language).strip().replace(chr(10), ' ')}\n"


def bold(language: str) -> str:
    return "".join(f"*{line.replace(':', ':*', 1)}\n" for line in fields(language).splitlines())


def date_first(language: str) -> str:
    first, second, *rest = fields(language).splitlines()
    return "".join(f"{line}\n" for line in (second, first, *rest))


def table(language: str) -> str:
    """Return the table of NetEase, below its rule."""
    rows = (line.partition(": ") for line in fields(language).splitlines())
    return "---- Replied Message ----\n" + "".join(f"| {name} | {value} |\n" for name, _, value in rows)


def said(language: str) -> str:
    return f'{WHEN}, "Mary" <host@pbem.test> {LANGUAGES[language][4]}:\n'


def wrapped(language: str) -> str:
    return f"{WHEN}, The games of Mary <\nhost@pbem.test> {LANGUAGES[language][4]}:\n"


def wide(language: str) -> str:
    return f"Mary <host@pbem.test> 于2026年11月28日 10:00 {LANGUAGES[language][4]}：\n"


HEADS: Mapping[str, Callable[[str], str]] = {
    "fields": fields,
    "fields in one line": in_one,
    "fields in bold": bold,
    "date first": date_first,
    "table": table,
    "words": said,
    "words in two lines": wrapped,
    "words with a wide colon": wide,
}
MARKS: Mapping[str, Callable[[str, str], str]] = {
    "no marks": lambda head, text: f"{head}\n{text}",
    "no gap": lambda head, text: f"{head}{text}",
    "marks below": lambda head, text: f"{head}{quoted(text)}",
    "marks": lambda head, text: quoted(f"{head}\n{text}"),
}
MADE = [*product(HEADS, MARKS)]
OWN = ("to: white", "", "Hello Bob, peace?")
SECRET = (
    "Your orders for rose-1 are lodged: receipt 1.\n\nTHESE LINES WILL RUN\n    | - at: red-1\n"
    "    |   do: {play: N2}\n\nYou spend 0 of 20 action points; House: Cancer.\n"
)
OTHERS = "orders:\n- at: red-7\n  do: {play: SE3}\n"


def below(language: str, program: str, marks: str, text: str) -> str:
    return MARKS[marks](HEADS[program](language), text)


@pytest.mark.parametrize(("program", "marks"), MADE)
def test_a_head_begins_what_is_quoted(program: str, marks: str) -> None:
    for language in LANGUAGES:
        old = below(language, program, marks, SECRET)

        assert own_lines(letter_of(mail("\n".join(OWN) + f"\n\n{old}"))) == OWN, language
        if marks == "marks below":
            assert own_lines(letter_of(mail(f"{old}\nI agree.\n"))) == ("", "I agree."), language


@pytest.mark.parametrize(("program", "marks"), MADE)
def test_no_orders_below_a_head_are_its_senders_but_those_in_a_form(program: str, marks: str) -> None:
    for language in LANGUAGES:
        old = below(language, program, marks, OTHERS)
        form = below(language, program, marks, f"Turn 7\n\n{FILLED}")

        above, filled = search(mail(f"{ORDERS}\n{old}")), search(mail(f"See below.\n\n{form}"))

        assert isinstance(search(mail(f"FYI\n\n{old}")), NoOrders), language
        assert isinstance(above, FoundOrders) and parse(above.text).value == MEANT, language
        assert isinstance(filled, FoundOrders) and parse(filled.text).value == MEANT, language


@pytest.mark.parametrize("gap", ["", "<p>&nbsp;</p>"], ids=["no gap", "a gap"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_of_a_page_begins_what_is_quoted(language: str, gap: str) -> None:
    head = "<br>".join(
        f"<b>{html.escape(name)}:</b> {html.escape(value)}"
        for name, _, value in (line.partition(": ") for line in fields(language).splitlines())
    )
    words = "".join(f"<p>{line or '<br>'}</p>" for line in OWN)
    shown = f"<div style='border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>{head}</p></div>{gap}"

    assert own_lines(letter_of(mail(f"{words}{shown}<pre>{SECRET}</pre>", kind=PAGE))) == OWN
    assert isinstance(search(mail(f"<p>FYI</p>{shown}<pre>{OTHERS}</pre>", kind=PAGE)), NoOrders)


@pytest.mark.parametrize("words", TABLES["plain"].values(), ids=TABLES["plain"])
def test_own_words_stay_own_words(words: str) -> None:
    letter = letter_of(mail(f"{words}\n\n{ORDERS}"))
    found = search(mail(f"{words}\n\n{ORDERS}"))

    assert "\n".join(own_lines(letter)).startswith(words)
    assert host_lines_in(letter) == ()
    assert isinstance(found, FoundOrders) and parse(found.text).value == MEANT
