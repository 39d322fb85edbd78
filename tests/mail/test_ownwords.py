"""What a mail says is what its sender wrote, from any mail program: commands, press, wishes for a seat."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest

from pbem.text.mail.quotes import own_lines
from tests.mail.host import ANN, Host
from tests.mail.letters import boxed, letter_of, mail, quoted

PAGE = "text/html; charset=utf-8"
FLOWED = "text/plain; charset=utf-8; format=flowed"
SENT = "vote end\nto: white\nWhat the host had sent.\n"
WROTE = "On Sat, 21 Nov 2026 at 20:00, The host <host@pbem.example> wrote:\n"
OUTLOOK = "From: The host <host@pbem.example>\nSent: Saturday\nTo: Ann\nSubject: [rose-1] Turn 7\n\n"
SENT_PAGE = f"<pre>{SENT}</pre>"


def divs(words: str) -> str:
    """Return words as lines of a page."""
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in words.splitlines())


def gmail(words: str) -> bytes:
    """Return a page as Gmail writes it, without its plain text."""
    quote = f'<div class="gmail_attr">{html.escape(WROTE)}<br></div><blockquote>{SENT_PAGE}</blockquote>'
    return mail(f'<div dir="ltr">{divs(words)}</div><br><div class="gmail_quote">{quote}</div>', kind=PAGE)


def outlook(words: str) -> bytes:
    """Return a page as Outlook writes it: headers, and nothing else, begin what it quotes."""
    lines = "".join(
        f"<p class=MsoNormal>{html.escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in words.split("\n")
    )
    head = "<br>".join(f"<b>{html.escape(line)}</b>" for line in OUTLOOK.strip().splitlines())
    return mail(f"<html><body>{lines}<div><p>{head}</p></div>{SENT_PAGE}</body></html>", kind=PAGE)


def outlook_on_the_web(words: str) -> bytes:
    """Return a page of Outlook on the web."""
    quote = f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: The host</div>{SENT_PAGE}'
    return mail(f"<div>{divs(words)}</div>{quote}", kind=PAGE)


def flowed(words: str) -> bytes:
    """Return `format=flowed` text with a soft line end after each third word, and a quote."""
    lines: list[str] = []
    for line in words.splitlines():
        pieces = line.split(" ")
        groups = [" ".join(pieces[at : at + 3]) for at in range(0, len(pieces), 3)] or [""]
        lines += [f"{group} " for group in groups[:-1]] + groups[-1:]
    return mail("\n".join(lines) + f"\n\n{WROTE}{quoted(SENT)}\n-- \nAnn\n", kind=FLOWED)


PROGRAMS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda words: mail(f"{words}\n-- \nAnn\nvote end\n"),
    "plain-reply": lambda words: mail(f"{words}\n\n{WROTE}{quoted(SENT)}"),
    "plain-reply-wrapped": lambda words: mail(
        f"{words}\n\n" + WROTE.replace("The host", "The\nhost") + quoted(SENT)
    ),
    "plain-outlook": lambda words: mail(f"{words}\n\n{OUTLOOK}{SENT}"),
    "plain-forwarded": lambda words: mail(f"{words}\n\n-----Original Message-----\n{OUTLOOK}{SENT}"),
    "german": lambda words: mail(f"{words}\n\nAm 21.11.26 um 20:00 schrieb Host:\n{quoted(SENT, '>')}"),
    "unknown-language": lambda words: mail(f"{words}\n\n21/11/26 host@pbem.example dixit:\n{quoted(SENT)}"),
    "flowed": flowed,
    "gmail-page": gmail,
    "outlook-page": outlook,
    "outlook-web-page": outlook_on_the_web,
    "apple-page": lambda words: mail(
        f"<body>{divs(words)}<div><br><blockquote type=cite><div>{html.escape(WROTE)}</div>{SENT_PAGE}"
        "</blockquote></div></body>",
        kind=PAGE,
    ),
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
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_words_of_a_mail_are_those_that_its_sender_wrote(program: str) -> None:
    words = "resend\n\nI have lost it, and would like to have it again, please: is that possible?"

    lines = own_lines(letter_of(PROGRAMS[program](words)))

    assert "\n".join(lines).strip() == words


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


def test_what_a_page_hides_says_nothing() -> None:
    page = '<div style="display:none">vote end</div><div>status</div><style>vote</style>'

    assert own_lines(letter_of(mail(page, kind=PAGE))) == ("status",)


def test_a_page_that_is_attached_says_nothing() -> None:
    page = 'Content-Type: text/html\nContent-Disposition: attachment; filename="orders.html"'
    raw = boxed(("Content-Type: text/plain", "\n"), (page, "<p>vote end</p>"))

    assert own_lines(letter_of(raw)) == ()


def sent(raw: bytes, host: Host, sender: str = ANN) -> bytes:
    """Return a mail of these tests as it comes from a player, with a Message-ID of its own."""
    host.numbers += 1
    raw = raw.replace(b"ann@example.test", sender.encode(), 1).replace(
        b"Subject: Orders", b"Subject: Re: Turn", 1
    )
    return raw.replace(b"<1@example.test>", b"<own%d@example.test>" % host.numbers, 1)
