"""What a mail says is what its sender wrote, from any mail program: commands, press, wishes for a seat."""

from __future__ import annotations

import html
from collections.abc import Callable
from itertools import product

import pytest

from pbem.text.mail.quotes import own_lines
from tests.behaviour.corpus import OURS
from tests.mail.letters import boxed, letter_of, mail, quoted
from tests.mail.replies import PROGRAMS, in_words

PAGE = "text/html; charset=utf-8"
SENT = "vote end\nto: white\nWhat the host had sent.\n"
WROTE = "On Sat, 21 Nov 2026 at 20:00, The host <host@pbem.example> wrote:\n"
OUTLOOK = "From: The host <host@pbem.example>\nSent: Saturday\nTo: Ann\nSubject: [rose-1] Turn 7\n\n"
SENT_PAGE = f"<pre>{SENT}</pre>"


def divs(words: str) -> str:
    """Return words as lines of a page."""
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in words.splitlines())


WRITTEN: dict[str, Callable[[str], bytes]] = {
    "plain": lambda words: mail(f"{words}\n-- \nAnn\nvote end\n"),
    "plain-forwarded": lambda words: mail(f"{words}\n\n-----Original Message-----\n{OUTLOOK}{SENT}"),
    "unknown-language": lambda words: mail(f"{words}\n\n21/11/26 host@pbem.example dixit:\n{quoted(SENT)}"),
    "page-beside-an-empty-text": lambda words: boxed(
        ("Content-Type: text/plain", "\n \n"),
        ("Content-Type: text/html; charset=utf-8", divs(words)),
        kind="multipart/alternative",
    ),
    "both": lambda words: boxed(
        ("Content-Type: text/plain", f"{words}\n\n{WROTE}{quoted(SENT)}"),
        ("Content-Type: text/html", divs(words) + SENT_PAGE),
        kind="multipart/alternative",
    ),
}
WORDS = "resend\n\nI have lost it, and would like to have it again: is that possible, and can it come today?"
UNKNOWN = ("thunderbird-finnish", "gnus")
"""Programs whose line above a quote is not known, in a plain text without an address or without a date."""


@pytest.mark.parametrize("how", WRITTEN)
def test_the_words_of_a_mail_are_those_that_its_sender_wrote(how: str) -> None:
    assert "\n".join(own_lines(letter_of(WRITTEN[how](WORDS)))).strip() == WORDS


SHOWS_OURS = ("gmx", "page")
"""Where nothing but the words of our mail shows that it is quoted."""


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        pytest.param(*one, marks=OURS if one == SHOWS_OURS else ())
        for one in product(PROGRAMS, ("text", "page"))
    ],
)
def test_the_words_of_a_reply_to_a_report_are_those_that_its_sender_and_their_program_wrote(
    program: str, kind: str
) -> None:
    written = "\n".join(own_lines(letter_of(in_words(program, kind, WORDS)))).strip()

    sign = PROGRAMS[program].sign
    own = WORDS
    if kind == "text":
        head = PROGRAMS[program].above if program in UNKNOWN else ""
        own = f"{PROGRAMS[program].greeting}{WORDS}\n{head}{'' if '-- ' in sign else sign}"
    assert " ".join(written.split()) == " ".join(own.split())


# What stands in a mail, and which words are its sender's.
ODD = {
    "words below a quote": (f"{WROTE}{quoted(SENT)}\nI agree.\n", "I agree."),
    "words between quotes": (f"Yes:\n{quoted('One?')}No.\n{quoted('Two?')}Perhaps.", "Yes:\nNo.\nPerhaps."),
    "a colon and no quote": ("I wrote to him:\nNothing.", "I wrote to him:\nNothing."),
    "nothing but a quote": (quoted(SENT), ""),
    "nothing": ("", ""),
    "two dashes": ("Above.\n--\nBelow.", "Above."),
    "a line of dashes": ("Above.\n---\nBelow.", "Above.\n---\nBelow."),
}


@pytest.mark.parametrize(("text", "words"), ODD.values(), ids=ODD)
def test_what_is_not_the_senders_is_left_out(text: str, words: str) -> None:
    assert "\n".join(own_lines(letter_of(mail(text)))).strip() == words


def test_what_a_page_hides_and_a_page_that_is_attached_say_nothing() -> None:
    hidden = '<div style="display:none">vote end</div><div>status</div><style>vote</style>'
    page = 'Content-Type: text/html\nContent-Disposition: attachment; filename="orders.html"'
    raw = boxed(("Content-Type: text/plain", "\n"), (page, "<p>vote end</p>"))

    assert own_lines(letter_of(mail(hidden, kind=PAGE))) == ("status",)
    assert own_lines(letter_of(raw)) == ()
