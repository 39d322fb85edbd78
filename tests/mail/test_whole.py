"""Orders in a mail are read whole or refused whole, with words that name the line that was in doubt."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.config.registry import find_rules
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.mail.quotes import LAST_LINE
from tests.mail.letters import FILLED, FORM, IS_OURS, MEANT, ORDERS, attached, boxed, letter_of, mail, quoted
from tests.mail.replies import plain, said, table
from tests.mail.samples import all_sent

PRESS = 'press:\n- {to: [white], say: "Hi"}\n'
SAID: dict[str, Any] = {**MEANT, "press": [{"to": ["white"], "say": "Hi"}]}
HI_YOU: dict[str, Any] = {**MEANT, "press": [{"to": ["white"], "say": "Hi, you"}]}
LONG = "> A quoted line that is so very long that nobody can say whose it"
END = f"> {LAST_LINE}"
ONE_LINE = "orders: [{at: red-7, do: {play: N2}}]\n"
PAGE = "text/html; charset=utf-8"


def search(raw: bytes, seat: str = "red") -> FoundOrders | NoOrders:
    """Return what is found in a mail to a seat of The Rose King, held against the shape of its orders."""
    known = find_rules("rose-king").order_words
    fits = table("rose-1").fits
    return find_orders(letter_of(raw), IS_OURS, game="rose-1", seat=seat, known=known, fits=fits)


def in_lines(text: str) -> str:
    return "".join(f"<p>{line.replace('  ', '&nbsp; ')}</p>" for line in text.splitlines())


WHOLE: dict[str, tuple[bytes, Any]] = {
    "below-a-long-line": (mail(f"{LONG}\n{ORDERS}{PRESS}"), SAID),
    "without-names-below-a-long-line": (mail(f"{LONG}\n{ORDERS.partition('red' + chr(10))[2]}{PRESS}"), SAID),
    "below-the-end-of-a-report": (mail(f"{END}\n{ORDERS}{PRESS}"), SAID),
    "in-one-line-below-the-end-of-a-report": (mail(f"{END}\n{ONE_LINE}{PRESS}"), SAID),
    "below-a-quote-without-a-form": (
        mail(f"> orders:\n> - {{at: x, do: {{{'y' * 60}}}}}\n{ORDERS}{PRESS}"),
        SAID,
    ),
    "page-below-a-quote": (
        mail(f"<blockquote><p>{LONG[2:]}</p></blockquote>{in_lines(ORDERS + PRESS)}", kind=PAGE),
        SAID,
    ),
    "page-below-a-quoted-bar": (
        mail(f"<blockquote><pre>| peace</pre></blockquote>{in_lines(ORDERS)}", kind=PAGE),
        MEANT,
    ),
    "curly-quotes-with-a-comma": (mail(f"{ORDERS}{PRESS}".replace('"Hi"', "“Hi, you”")), HI_YOU),
    "outlook-list": (mail("orders:\n\n-          at: red-7\n\ndo: {play: N2}\n"), MEANT),
    "outlook-bullet": (mail("orders:\n\n·          at: red-7\n\n           do: {play: N2}\n"), MEANT),
    "list-of-gmail": (mail("orders:\n   - at: red-7\n   do: {play: N2}\n"), MEANT),
    "numbered-list": (mail("orders:\n1. at: red-7\n   do: {play: N2}\n"), MEANT),
    "list-in-a-page": (
        mail("<p>orders:</p><ul><li>at: red-7<br>do: {play: N2}</li></ul>", kind=PAGE),
        MEANT,
    ),
    "order-moved-to-the-left": (mail("orders:\n- at: red-7\n  do:\nplay: N2\n"), MEANT),
    "non-breaking-hyphen": (mail(ORDERS.replace("red-7", "red\u20117")), MEANT),
    "page-with-marks-as-text": (
        mail("<br>".join(f"&gt; {line}" for line in FILLED.replace("  ", "\xa0 ").splitlines()), kind=PAGE),
        MEANT,
    ),
    "text-that-was-spoilt-beside-a-page": (
        boxed(
            ("Content-Type: text/plain; charset=utf-8", f"{LONG}\n{ONE_LINE}{PRESS}"),
            ("Content-Type: text/html; charset=utf-8", in_lines(ORDERS + PRESS)),
            kind="multipart/alternative",
        ),
        SAID,
    ),
    "text-that-does-not-fit-beside-a-page-that-does": (
        boxed(
            ("Content-Type: text/plain; charset=utf-8", ORDERS.replace("play: N2", "play N2")),
            ("Content-Type: text/html; charset=utf-8", in_lines(ORDERS)),
            kind="multipart/alternative",
        ),
        MEANT,
    ),
    "file-and-the-same-words-spoilt-in-the-text": (
        boxed(
            (
                "Content-Type: text/plain; charset=utf-8",
                ORDERS.replace("  do: {play: N2}", "  do: {play: N2"),
            ),
            attached("orders.yaml", ORDERS),
        ),
        MEANT,
    ),
    "withdrawn": (mail("Orders: NONE\n"), {"game": "rose-1", "seat": "red", "orders": "NONE"}),
    "withdrawn-in-the-form": (
        mail(quoted(FORM.replace("orders:", "orders: none"))),
        {"game": "rose-1", "seat": "red", "orders": "none"},
    ),
    "withdrawn-by-a-file": (
        boxed(attached("o.yml", "game: rose-1\nseat: red\norders: none\n")),
        {"game": "rose-1", "seat": "red", "orders": "none"},
    ),
    "withdrawn-in-a-page": (
        mail("<p>orders: none</p>", kind=PAGE),
        {"game": "rose-1", "seat": "red", "orders": "none"},
    ),
}


@pytest.mark.parametrize(("raw", "meant"), WHOLE.values(), ids=WHOLE)
def test_orders_are_read_whole(raw: bytes, meant: Any) -> None:
    found = search(raw)

    assert isinstance(found, FoundOrders), found
    assert said(found) == plain(meant)


BROKEN: dict[str, Any] = {
    "in-one-line-below-a-long-line": (mail(f"{LONG}\n{ONE_LINE}"), "unclear"),
    "press-behind-such-a-line": (mail(f"{LONG}\n{ONE_LINE}\n{PRESS}"), "unclear"),
    "press-far-behind-it": (mail(f"{LONG}\n{ONE_LINE}\nBye.\n\n{PRESS}"), "press-alone"),
    "below-a-bar": (mail(f"> | peace\n{ORDERS}{PRESS}"), "unclear"),
    "without-a-head": (mail(f"- at: red-7\n  do: {{play: N2}}\n{PRESS}"), "not-whole"),
    "without-a-head-above-a-form": (mail(f"- at: red-7\n  do: {{play: N2}}\n\n{quoted(FORM)}"), "headless"),
    "beside-the-braces": (
        mail(quoted(FORM.split("  #")[0]) + "play: N2\n" + quoted("  # more\n")),
        "not-whole",
    ),
    "below-the-form": (mail(f"{quoted(FORM)}play: N2\n"), "headless"),
    "too-many": (mail("orders:\n" * 1001), "too-many"),
    "very-long": (mail("orders:\n- at: x\n" * 48_000), "too-long"),
    "text-and-page-differ": (boxed(
            ("Content-Type: text/plain", ORDERS),
            ("Content-Type: text/html", in_lines(ORDERS.replace("N2", "N3"))),
            kind="multipart/alternative",
        ), "two-texts"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "reason"), BROKEN.values(), ids=BROKEN)
def test_orders_of_which_a_part_is_in_doubt_are_refused_with_the_line(raw: bytes, reason: str) -> None:
    found = search(raw)

    assert isinstance(found, NoOrders), found.text.decode()
    assert found.reason == reason


def test_press_that_stands_apart_from_orders_is_not_left_out_in_silence() -> None:
    found = search(mail(f"{ORDERS}\nWhat I say:\n\n{PRESS}"))

    assert isinstance(found, NoOrders)


def test_a_seat_that_looks_like_a_number_is_the_same_with_and_without_its_name() -> None:
    file = "game: rose-1\nseat: 1\norders:\n- at: red-7\n  do: {play: N2}\npress:\n- {to: [2], say: Hi}\n"
    body = "orders:\n- at: red-7\n  do: {play: N2}\npress:\n- {to: ['2'], say: Hi}\n"

    found = search(boxed(("Content-Type: text/plain", body), attached("o.yml", file)), seat="1")

    assert isinstance(found, FoundOrders), found


def test_the_line_that_is_known_to_be_whole_is_the_last_of_every_report() -> None:
    for sent in all_sent():
        letter = read_letter(sent.raw)
        assert isinstance(letter, Letter)
        text = letter.parts[0].data.decode().rstrip().splitlines()
        assert text[-1] == LAST_LINE
