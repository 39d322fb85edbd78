"""Orders are found wherever they stand, whatever happened to them, and all that was done is told."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.config.templates import render_mail_words
from pbem.text.envelope import ENVELOPE, LINE, TOP
from pbem.text.mail.findorders import FoundOrders, NoOrders, find_orders
from pbem.text.mail.headers import RefusedMail, decode_text
from pbem.text.mail.quotes import LAST_LINE
from tests.behaviour import corpus, readings
from tests.facts import tells
from tests.mail.letters import FORM, IS_OURS, MEANT, ORDERS, attached, boxed, letter_of, mail, quoted, search
from tests.mail.samples import all_sent

PAGE = "text/html; charset=utf-8"
FLOWED = "text/plain; charset=utf-8; format=flowed"
ROWS = readings.rows()


@pytest.mark.parametrize("row", ROWS, ids=[row["mail"] for row in ROWS])
def test_what_is_found_in_a_mail_is_what_its_row_says(row: readings.Row) -> None:
    assert readings.found_in(row) == {name: row[name] for name in row if name not in readings.WRITTEN}


@pytest.mark.parametrize("row", [row for row in ROWS if "none" in row], ids=lambda row: str(row["mail"]))
def test_whatever_holds_no_orders_is_told_with_a_known_reason(row: readings.Row) -> None:
    found = search(corpus.raw_of(row))

    assert isinstance(found, NoOrders)
    assert render_mail_words(None, f"noorders/{found.reason}", found.said).strip()
    assert "photo" not in row["mail"] or "IMG_1.jpg" in str(found.said)


LONG_MAILS: dict[str, tuple[bytes, str]] = {
    "pictures of the report sent back": (
        boxed(
            ("Content-Type: text/plain", ORDERS), attached("board.png", bytes(range(256)) * 2000, "image/png")
        ),
        "body",
    ),
    "a text": (mail("x" * 300_000 + "\n" + ORDERS), "too-long"),
    "a file": (boxed(attached("o.yml", "# " + "x" * 70000 + "\n" + ORDERS)), "too-long"),
    "a list": (mail("orders:\n- at: x\n" * 48_000), "too-long"),
    "very many lists": (mail("orders:\n" * 1001), "too-many"),
}


@pytest.mark.parametrize(("raw", "said"), LONG_MAILS.values(), ids=LONG_MAILS)
def test_orders_are_found_beside_what_is_long_and_not_in_it(raw: bytes, said: str) -> None:
    found = search(raw)

    assert (found.origin if isinstance(found, FoundOrders) else found.reason) == said


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        *((name, b"K\x82vin", "Kévin") for name in ("cp850", "cp-850", "CP_850", "IBM850")),
        *((name, "ü".encode(), "ü") for name in ("utf8", "UTF_8", "utf-8")),
        *((name, b"\x93so\x94", "“so”") for name in ("windows-1252", "windows1252", "ISO8859-1", "cp1252")),
        ("iso_8859-2", b"\xb1", "ą"),
        ("shift_jis", b"\x87\x40", "①"),
        ("Shift-JIS", b"\x87\x40", "①"),
        ("gb2312", "镕".encode("gb18030"), "镕"),
    ],
)
def test_a_charset_is_known_however_its_name_is_written(charset: str, data: bytes, text: str) -> None:
    assert decode_text(data, charset) == (text, "")


@pytest.mark.parametrize("charset", ["utf-7", "UTF7", "hz-gb-2312"])
def test_a_charset_that_can_hide_text_is_refused_however_its_name_is_written(charset: str) -> None:
    assert isinstance(decode_text(b"x", charset), RefusedMail)


def test_a_place_in_a_joined_line_is_that_of_its_piece() -> None:
    raw = mail(ORDERS.replace("  do: {play: N2}", "   do: {play: N2, \nmore: N3}"), kind=FLOWED)

    found = search(raw)

    assert isinstance(found, FoundOrders)
    line = found.text.decode().splitlines()[4]
    assert line == "  do: {play: N2, more: N3}"
    assert [found.place(5, 1 + line.index(word)) for word in ("do", "N2", "more", "N3")] == [
        (5, 4),
        (5, 15),
        (6, 1),
        (6, 7),
    ]
    assert found.shown(5, line.index("more") + 1) == "more: N3}"


def test_what_was_written_in_for_them_stands_in_no_line_of_theirs() -> None:
    found = search(mail("orders:\n- do: {play: N2}\n"))

    assert isinstance(found, FoundOrders)
    assert found.text.decode() == "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n"
    assert [found.place(line, 1)[0] for line in (1, 2, 3, 4, 5)] == [0, 0, 1, 2, 0]


def test_orders_of_two_seats_name_nobody_from_the_address() -> None:
    assert isinstance(search(mail(ORDERS), named=False), FoundOrders)
    found = search(mail(ORDERS.replace("seat: red\n", "")), named=False)

    assert isinstance(found, FoundOrders)
    assert b"seat" not in found.text


def test_every_field_of_an_orders_file_is_known_in_a_mail() -> None:
    schema: Any = ENVELOPE
    fields = schema["properties"]

    assert set(TOP) == set(fields)
    assert set(fields["orders"]["items"]["properties"]) <= set(LINE)


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("orders-rose-1-red-7.html", "text/html", ("Copy", "Save")),
        ("orders-rose-1-red-7.html", "text/plain", ("Copy", "Save")),
        ("Orders-rose-1-red-7 (1).htm", "application/octet-stream", ("Copy", "Save")),
        ("notes.html", "text/html", ()),
    ],
)
@pytest.mark.parametrize("body", ["Here they are.\n", quoted(FORM)], ids=["words", "form untouched"])
def test_who_attaches_a_page_learns_that_it_is_not_read(
    name: str, kind: str, told: tuple[str, ...], body: str
) -> None:
    found = search(boxed(("Content-Type: text/plain", body), attached(name, f"<pre>{FORM}</pre>", kind)))

    assert isinstance(found, NoOrders), found
    assert tells(str(found.said), name, *told)


def test_a_seat_that_looks_like_a_number_is_the_same_with_and_without_its_name() -> None:
    file = "game: rose-1\nseat: 1\norders:\n- at: red-7\n  do: {play: N2}\npress:\n- {to: [2], say: Hi}\n"
    body = "orders:\n- at: red-7\n  do: {play: N2}\npress:\n- {to: ['2'], say: Hi}\n"
    letter = letter_of(boxed(("Content-Type: text/plain", body), attached("o.yml", file)))

    assert isinstance(find_orders(letter, IS_OURS, game="rose-1", seat="1"), FoundOrders)


@pytest.mark.parametrize("orders", [ORDERS, "orders: [{at: red-7, do: {play: N2}}]\n"])
def test_orders_right_below_the_last_line_of_a_report_are_read_whole(orders: str) -> None:
    found = search(mail(f"> {LAST_LINE}\n{orders}"))

    assert isinstance(found, FoundOrders)
    assert found.document is not None and found.document.value == MEANT


def test_the_line_that_is_known_to_be_whole_is_the_last_of_every_report() -> None:
    for sent in all_sent():
        text = letter_of(sent.raw).parts[0].data.decode().rstrip().splitlines()
        assert text[-1] == LAST_LINE
