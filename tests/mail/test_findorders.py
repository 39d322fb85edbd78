"""Orders are found wherever they stand, whatever happened to them, and all that was done is told."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.config.templates import mail_words
from pbem.text.envelope import ENVELOPE, LINE, TOP
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.headers import Refused, decoded
from pbem.text.orders import open_envelope
from tests.behaviour import readings
from tests.facts import tells
from tests.mail.letters import (
    FILLED,
    FORM,
    ORDERS,
    attached,
    boxed,
    mail,
    quoted,
    search,
)

PAGE = "text/html; charset=utf-8"
FLOWED = "text/plain; charset=utf-8; format=flowed"
ROWS = readings.rows()


@pytest.mark.parametrize("row", ROWS, ids=[row["mail"] for row in ROWS])
def test_what_is_found_in_a_mail_is_what_its_row_says(row: readings.Row) -> None:
    assert readings.found_in(row) == {name: row[name] for name in row if name not in readings.WRITTEN}


@pytest.mark.parametrize("row", [row for row in ROWS if "none" in row], ids=lambda row: str(row["mail"]))
def test_whatever_holds_no_orders_is_told_with_a_known_reason(row: readings.Row) -> None:
    found = search(readings.raw_of(row))

    assert isinstance(found, NoOrders)
    assert mail_words(None, f"noorders/{found.reason}", found.said).strip()
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
    assert decoded(data, charset) == (text, "")


@pytest.mark.parametrize("charset", ["utf-7", "UTF7", "hz-gb-2312"])
def test_a_charset_that_can_hide_text_is_refused_however_its_name_is_written(charset: str) -> None:
    assert isinstance(decoded(b"x", charset), Refused)


def first_fault(raw: bytes) -> tuple[int, int, str, str]:
    """Return line and column of the first mistake in their mail, that line, and what is said of it."""
    found = search(raw)
    assert isinstance(found, FoundOrders), found
    faults = open_envelope(found.text)
    assert isinstance(faults, list), faults
    line, column = found.place(faults[0].line, faults[0].column)
    return line, column, found.shown(faults[0].line, faults[0].column), faults[0].text


@pytest.mark.parametrize(
    ("raw", "place", "shown"),
    [
        (mail(f"Hello\n\n{ORDERS}partial: maybe\n"), (8, 10), "partial: maybe"),
        (mail(f"Hello\n\n{quoted(FILLED)}> partial: maybe\n"), (11, 12), "> partial: maybe"),
        (mail(f"Hello\n\n{quoted(FILLED, '>> ')}>> partial: maybe\n"), (11, 13), ">> partial: maybe"),
        (mail("orders:\n- at: red-7\n  do: {play: N2}\npartial: maybe\n"), (4, 10), "partial: maybe"),
        (mail(f"  {ORDERS}partial: maybe\n".replace("\n", "\n  ")), (6, 12), "  partial: maybe"),
        (mail(ORDERS.replace("  do", "\tdoo")), (5, 2), "\tdoo: {play: N2}"),
        (mail(ORDERS.replace("{play", "{play: [1, \n2], plax: {, "), kind=FLOWED), None, ""),
        (mail(f"<p>Hi</p><pre>{ORDERS}partial: maybe</pre>", kind=PAGE), (7, 10), "partial: maybe"),
        (mail("orders:\n- do: {play: N2}\n\nor rather\n\n- do: {play: N3}\n"), (4, 1), "or rather"),
    ],
    ids=["body", "quote", "quote-twice", "without-names", "indented", "tab", "flowed", "page", "parted"],
)  # fmt: skip
def test_a_mistake_is_shown_where_it_stands_in_their_mail(
    raw: bytes, place: tuple[int, int] | None, shown: str
) -> None:
    line, column, text, _ = first_fault(raw)

    if place is None:  # a flowed line has two lines in the mail
        assert line in (5, 6)
    else:
        assert ((line, column), text) == (place, shown)


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


@pytest.mark.parametrize(
    "character",
    ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x00", "\x1b"],
    ids=lambda one: f"U+{ord(one):04X}",
)
def test_a_character_that_ends_lines_for_some_readers_only_is_refused_with_its_place(character: str) -> None:
    line, column, _, _text = first_fault(mail(ORDERS.replace("N2}", f"N2}}{character}stop_if: {{}}")))

    assert (line, column) == (5, 17)


def test_a_second_key_of_a_name_is_a_mistake() -> None:
    line, _, _, _text = first_fault(mail(ORDERS + "orders: []\n"))

    assert line == 6


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


@pytest.mark.parametrize(
    "written", ["Orders: None.", "orders: none yet, sorry", "orders: *none*", "Orders: “none”!"]
)
def test_nearly_the_word_that_withdraws_is_told_with_the_word_and_withdraws_nothing(
    written: str,
) -> None:
    found = search(mail(f"{written}\n"))

    assert isinstance(found, NoOrders)
    assert found.reason == "nearly-none"
    assert found.said == {"line": written}
