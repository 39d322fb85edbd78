"""What is searched as a whole and skipped is found and told as if every line were looked at."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.mail.quotes import own_lines
from tests.mail.hostile import hostile
from tests.mail.letters import mail
from tests.mail.linebyline import read_line_by_line
from tests.mail.samples import newest, orders_file
from tests.mail.styles import MORE_STYLES, write

PLAYER, HOST = "ann@example.test", "host+web-1.k3v9qq7tk3v9qq7t@pbem.example"
LINES = (
    "game: web-1", "seat: 7", "key: abc", "orders:", "- at: x", "  do: {a: b}", "do:", "    move: i5",
    "press:", "- {to: [2], say: there}", "Wait: 3", "wait: true", "GAME: x", "- – x", "\t- at: q",
    "\xa0 do: x", "# pbem form web-1 7 3 abc", "# pbem form", "# a comment", "  # more", "#",
    "# On 3 May, Ann wrote:",
    "", "-- ", "---", "-----Original Message-----", "_" * 24, "From: a@b.c", "Sent: today", "To: me",
    "Von: a", "Subject: x", "Datum: 3", "от: x", "кому: y", "差出人：x", "件名: 3", "宛先: z", "5 YAZDI:",
    "On 3 May, Ann wrote:", "On 3 May:", "Am 3. Mai schrieb Ann:", "Le 3 a écrit :", "Ann пишет 3:",
    "3 日 写道：", "ſeat: 5", "\u200bgame: y", "\u2028", "\x0bFrom: x",
    "words that go on and on until a program of mails would wrap them",
)  # fmt: skip
FORM = "# pbem form web-1 7 3 abc"
LINES_OF_ORDERS = ["orders:", "- at: x", "  do: {a: b}"]
MARKS = st.sampled_from(["", "> ", ">", ">> ", "> > ", "| ", "  ", " >"])


def ends_of(raw: bytes) -> tuple[object, ...]:
    """Return what is found in a mail, and what its sender wrote."""
    letter = read_letter(raw)
    if not isinstance(letter, Letter):
        return (letter,)
    found: list[FoundOrders | NoOrders] = [
        find_orders(letter, lambda line, believes=believes: believes, game="rose-1", seat="red")  # type: ignore[misc]
        for believes in (True, False)
    ]
    return (*found, own_lines(letter))


def line_by_line(raw: bytes) -> tuple[object, ...]:
    with pytest.MonkeyPatch.context() as patch:
        read_line_by_line(patch)
        return ends_of(raw)


def test_hostile_mails_are_read_as_line_by_line() -> None:
    for name, raw in hostile(60):
        assert ends_of(raw) == line_by_line(raw), name


@pytest.mark.parametrize("style", MORE_STYLES)
def test_replies_of_every_mail_program_are_read_as_line_by_line(style: str) -> None:
    for sent in newest()[::8]:
        for orders in (orders_file(sent), None):
            raw = write(style, sent.raw, orders, PLAYER, HOST)
            assert ends_of(raw) == line_by_line(raw), sent


@given(
    st.lists(st.tuples(MARKS, st.lists(st.sampled_from(LINES), max_size=9)), max_size=6),
    st.sampled_from(["plain", "plain; format=flowed", "html"]),
)
@example([("", [*LINES_OF_ORDERS, "---", "game: web-1", *LINES_OF_ORDERS])], "plain")
@example([("", ["GAME: x", *LINES_OF_ORDERS])], "plain")
@example(
    [("> ", [FORM, *LINES_OF_ORDERS, "# a comment"]), ("", ["  # more"]), ("> ", ["# a comment"])], "plain"
)
@example([("> ", [FORM, *LINES_OF_ORDERS]), ("> ", ["# 3 May, Ann wrote:", "# From", "stop_if:"])], "plain")
def test_any_lines_are_read_as_line_by_line(stretches: list[tuple[str, list[str]]], kind: str) -> None:
    body = "".join(f"{marks}{line}\n" for marks, lines in stretches for line in lines)
    raw = mail(f"<pre>{body}</pre>" if kind == "html" else body, kind=f"text/{kind}; charset=utf-8")

    assert ends_of(raw) == line_by_line(raw)
