"""Orders are found wherever they stand, whatever happened to them, and all that was done is told."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pbem.play.config.templates import mail_words
from pbem.text.envelope import ENVELOPE
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.headers import Refused, decoded
from pbem.text.mail.keys import LINE, TOP, marker
from pbem.text.orders import open_envelope
from pbem.text.strictyaml import parse
from tests.facts import each_tells, tells
from tests.mail.letters import (
    FILLED,
    FORM,
    GAME,
    HEAD,
    LABEL,
    MARKER,
    MEANT,
    ORDERS,
    SECRET,
    attached,
    boxed,
    mail,
    quoted,
    search,
)

OUTLOOK = (
    "From: The host <host@pbem.example>\nSent: Saturday, 21 November 2026 20:00\nTo: Ann\nSubject: Turn 7\n\n"
)
PAGE = "text/html; charset=utf-8"
FLOWED = "text/plain; charset=utf-8; format=flowed"
HTML_ORDERS = (
    "<div>game: rose-1</div><div>seat: red</div><div>orders:</div><div>- at: red-7</div>"
    "<div>&nbsp; do: {play: N2}</div>"
)
LONG = "do: {play: N2, because: [" + "one, two, three, " * 8 + "four]}"
OTHER = ORDERS.replace("N2", "SE3")
LINES = ORDERS[ORDERS.index("orders:") :]
MAC = b"\0\5\x16\7\0\2\0\0Mac OS X"
CELLS = "".join(
    f"<tr><td>{name}</td>\n<td>{value}</td></tr>"
    for name, value in (
        ("game:", "rose-1"), ("seat:", "red"), ("orders:", ""), ("- at:", "red-7"),
        ("&nbsp; do:", "{play: N2}"),
    )
)  # fmt: skip

# What arrives, and where it was found.
FOUND: dict[str, tuple[bytes, str]] = {
    "alone": (mail(ORDERS), "body"),
    "between-words": (mail(f"Hello,\n\n{ORDERS}\nCheers,\nAnn\n"), "body"),
    "signature-below": (mail(f"{ORDERS}-- \nAnn, host of nothing\n"), "body"),
    "disclaimer-below": (
        mail(f"{ORDERS}\nThis e-mail is confidential: if it is not for you, forget it.\n"),
        "body",
    ),
    "fenced": (mail(f"```yaml\n{ORDERS}```\n"), "body"),
    "dashes-around": (mail(f"---\n{ORDERS}---\nAnn\n"), "body"),
    "crlf": (mail(ORDERS.replace("\n", "\r\n")), "body"),
    "cr-only": (mail(ORDERS.replace("\n", "\r")), "body"),
    "byte-order-mark": (mail("\ufeff" + ORDERS), "body"),
    "nbsp": (mail(ORDERS.replace("  do", "\xa0 do").replace(": ", ":\xa0")), "body"),
    "wide-spaces": (mail(ORDERS.replace("  do", "\u2003\u3000do")), "body"),
    "all-lines-indented": (mail("".join(f"   {line}\n" for line in ORDERS.splitlines())), "body"),
    "double-spaced": (mail(ORDERS.replace("\n", "\n\n")), "body"),
    "capital-charset": (mail(ORDERS, kind='TEXT/PLAIN; CHARSET="UTF-8"'), "body"),
    "koi8-r": (
        mail(ORDERS.replace("N2}", "N2}  # Привет").encode("koi8-r"), kind="text/plain; charset=koi8-r"),
        "body",
    ),
    "latin-1": (
        mail(ORDERS.replace("N2}", "N2}  # Grüße").encode("latin-1"), kind="text/plain; charset=iso-8859-1"),
        "body",
    ),
    "windows-1252": (
        mail(ORDERS.replace("N2}", "N2}  # “so”").encode("cp1252"), kind="text/plain; charset=windows-1252"),
        "body",
    ),
    "no-charset": (mail(ORDERS, kind="text/plain"), "body"),
    "no-content-type": (f"{HEAD}\n{ORDERS}".encode(), "body"),
    "base64": (
        f"{HEAD}Content-Transfer-Encoding: base64\n\n".encode() + base64.encodebytes(ORDERS.encode()),
        "body",
    ),
    "quoted-printable": (
        (
            HEAD + "Content-Transfer-Encoding: quoted-printable\n\n" + ORDERS.replace("at: red", "at: =\nred")
        ).encode(),
        "body",
    ),
    "above-a-quote": (mail(f"{ORDERS}\nOn Saturday, the host wrote:\n{quoted(FORM)}"), "body"),
    "below-a-quote": (mail(f"On Saturday 21, the host wrote:\n{quoted(FORM)}\n{ORDERS}"), "body"),
    "above-an-unmarked-quote": (mail(f"{ORDERS}\nAnn\n\n{OUTLOOK}{FORM}"), "body"),
    "above-old-orders": (mail(f"{ORDERS}\nI wrote on the 3rd:\n{quoted(OTHER)}"), "body"),
    "above-an-older-form-filled-in": (
        mail(f"{ORDERS}\n{quoted(FILLED.replace('N2', 'SE3'), '> > ')}"),
        "body",
    ),
    "press-like-headers": (
        mail(ORDERS.replace("{play: N2}", '{play: N2}  # From: me\n# Subject: "--- wrote:"')),
        "body",
    ),
    "form-filled-in-the-quote": (mail(f"Hi\n\n{quoted(FILLED)}"), "quoted form"),
    "form-quoted-without-space": (mail(quoted(FILLED, ">")), "quoted form"),
    "form-quoted-twice": (mail(quoted(FILLED, "> > ")), "quoted form"),
    "form-quoted-twice-without-spaces": (mail(quoted(FILLED, ">> ")), "quoted form"),
    "form-quoted-with-bars": (mail(quoted(FILLED, "| ")), "quoted form"),
    "form-below-headers": (mail(f"See below.\n\n{OUTLOOK}{FILLED}"), "quoted form"),
    "form-below-headers-in-german": (
        mail(f"Siehe unten.\n\nVon: Host\nGesendet: Samstag\nAn: Ann\nBetreff: Zug 7\n\n{FILLED}"),
        "quoted form",
    ),
    "form-below-headers-of-an-unknown-language": (
        mail(f"Hm.\n\n{'_' * 30}\nAb: Host\nMissum: hodie\nAd: Ann\nRes: Dies 7\n\n{FILLED}"),
        "quoted form",
    ),
    "form-below-words-without-marks": (mail(f"Ok.\n\nOn 21 Nov, host wrote:\n\n{FILLED}"), "quoted form"),
    "form-typed-over": (mail(FILLED), "body"),
    "lines-typed-into-the-quote": (
        mail(
            quoted(FORM.split("  do")[0]) + "  do: {play: N2}\n" + quoted("  # Cards\nRoot of turn 7: abcd\n")
        ),
        "quoted form",
    ),
    "flowed": (mail(ORDERS.replace("  do: {play: N2}", "   do: {play: \nN2}"), kind=FLOWED), "body"),
    "flowed-delsp": (
        mail(
            ORDERS.replace("at: red-7", "at: red- \n7").replace("  do", "   do"), kind=f"{FLOWED}; delsp=yes"
        ),
        "body",
    ),
    "flowed-without-stuffing": (mail(ORDERS.replace("{play: N2}", "{play: \nN2}"), kind=FLOWED), "body"),
    "flowed-quote": (mail(quoted(FILLED), kind=FLOWED), "quoted form"),
    "not-really-flowed": (mail(ORDERS, kind=FLOWED), "body"),
    "flowed-with-spaces-at-ends": (mail(ORDERS.replace("\n", " \n"), kind=FLOWED), "body"),
    "page": (mail(f"<html><body>{HTML_ORDERS}</body></html>", kind=PAGE), "html"),
    "page-of-breaks": (
        mail(ORDERS.replace("\n  ", "\n&nbsp;&nbsp;").replace("\n", "<br>\n"), kind=PAGE),
        "html",
    ),
    "page-preformatted": (mail(f"<p>Hi</p><pre>{ORDERS}</pre>", kind=PAGE), "html"),
    "page-with-kept-spaces": (mail(f'<div style="white-space: pre-wrap">{ORDERS}</div>', kind=PAGE), "html"),
    "page-of-list-items": (
        mail("game: rose-1<br>seat: red<br>orders:<ul><li>{at: red-7, do: {play: N2}}</li></ul>", kind=PAGE),
        "html",
    ),
    "page-with-quote": (
        mail(f"<div>{HTML_ORDERS}</div><blockquote><pre>{FORM}</pre></blockquote>", kind=PAGE),
        "html",
    ),
    "page-with-form-filled-in": (
        mail(f"<div>Hi</div><blockquote type=cite><pre>{FILLED}</pre></blockquote>", kind=PAGE),
        "quoted form",
    ),
    "page-of-outlook-with-form-filled-in": (
        mail(f"<p>Hi</p><div id=divRplyFwdMsg>From: x</div><pre>{FILLED}</pre>", kind=PAGE),
        "quoted form",
    ),
    "page-beside-an-empty-text": (
        boxed(
            ("Content-Type: text/plain", ""),
            ("Content-Type: text/html", HTML_ORDERS),
            kind="multipart/alternative",
        ),
        "html",
    ),
    "page-beside-a-text-that-lost-its-lines": (
        boxed(
            ("Content-Type: text/plain", ORDERS.replace("\n", " ") + "\n"),
            ("Content-Type: text/html", HTML_ORDERS),
            kind="multipart/alternative",
        ),
        "html",
    ),
    "text-beside-a-page": (
        boxed(
            ("Content-Type: text/plain", ORDERS),
            ("Content-Type: text/html", HTML_ORDERS),
            kind="multipart/alternative",
        ),
        "body",
    ),
    "attachment": (boxed(attached("orders.yaml", ORDERS)), "attachment orders.yaml"),
    "attachment-in-capitals": (boxed(attached("ORDERS.YML", ORDERS)), "attachment ORDERS.YML"),
    "attachment-by-its-type": (boxed(attached("orders", ORDERS, "application/yaml")), "attachment orders"),
    "attachment-of-text": (boxed(attached("o.txt", f"Hi\n{ORDERS}", "text/plain")), "attachment o.txt"),
    "attachment-with-byte-order-mark": (
        boxed(attached("o.yml", b"\xef\xbb\xbf" + ORDERS.encode())),
        "attachment o.yml",
    ),
    "attachment-of-the-notepad": (boxed(attached("o.yml", ORDERS.encode("utf-16"))), "attachment o.yml"),
    "attachment-called-yaml-of-another-type": (
        boxed(attached("o.yaml", ORDERS, "text/html")),
        "attachment o.yaml",
    ),
    "attachment-beside-what-a-mac-adds": (
        boxed(attached("._o.yaml", MAC), attached("o.yaml", ORDERS)),
        "attachment o.yaml",
    ),
    "attachment-in-two-forks": (
        boxed(attached("o.yaml", MAC, "application/applefile"), attached("o.yaml", ORDERS)),
        "attachment o.yaml",
    ),
    "attachment-beside-a-picture-called-so": (
        boxed(attached("a.yml", b"\x89PNG\r\n\x1a\n\0"), attached("o.yml", ORDERS)),
        "attachment o.yml",
    ),
    "the-same-twice": (mail(f"{ORDERS}\n\n{ORDERS}"), "body"),
    "the-same-lines-twice": (mail(f"{LINES}\n{LINES}"), "body"),
    "the-same-below-a-blank-form": (mail(f"orders:\n- at: red-7\n  do: {{}}\n\n{LINES}"), "body"),
    "markdown": (mail(ORDERS, kind="text/markdown; charset=utf-8"), "body"),
    "page-with-a-table": (mail(f"<table>{CELLS}</table>", kind=PAGE), "html"),
    "attachment-inline": (
        boxed(('Content-Type: text/yaml; name="o.yml"\nContent-Disposition: inline', ORDERS)),
        "attachment o.yml",
    ),
    "attachment-and-the-same-body": (
        boxed(("Content-Type: text/plain", ORDERS), attached("o.yml", ORDERS.replace("7\n", "7  # again\n"))),
        "attachment o.yml",
    ),
    "attachment-beside-a-blank-form": (
        boxed(("Content-Type: text/plain", quoted(FORM)), attached("o.yml", ORDERS)),
        "attachment o.yml",
    ),
    "blank-form-attached": (
        boxed(("Content-Type: text/plain", ORDERS), attached("orders.yaml", FORM)),
        "body",
    ),
    "footer-of-a-list": (
        boxed(("Content-Type: text/plain", ORDERS), ("Content-Type: text/plain", "____\nList\n")),
        "body",
    ),
    "pictures-of-the-report-sent-back": (
        boxed(
            ("Content-Type: text/plain", ORDERS), attached("board.png", bytes(range(256)) * 2000, "image/png")
        ),
        "body",
    ),
    "named-attachment-that-climbs": (
        boxed(attached("../../etc/cron.d/x.yml", ORDERS)),
        "attachment ../../etc/cron.d/x.yml",
    ),
    "clear-signed": (
        mail(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"
            + ORDERS.replace("\n- ", "\n- - ")
            + "-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n"
        ),
        "body",
    ),
}


@pytest.mark.parametrize(("raw", "origin"), FOUND.values(), ids=FOUND)
def test_orders_are_found(raw: bytes, origin: str) -> None:
    found = search(raw)

    assert isinstance(found, FoundOrders), found
    assert parse(found.text).value == MEANT
    assert found.origin == origin


@pytest.mark.parametrize(
    "name", [name for name in FOUND if not name.startswith(("above-an-older", "flowed-with"))]
)
def test_nothing_is_told_where_nothing_was_done(name: str) -> None:
    found = search(FOUND[name][0])

    assert isinstance(found, FoundOrders)
    assert found.notes == ()


# Orders, as they came and as they were meant, and what is told of the difference.
MENDED: dict[str, tuple[bytes, str]] = {
    "tabs": (
        mail(ORDERS.replace("  do", "\tdo")),
        "Tabs at the start of line 5 were read as two spaces each.",
    ),
    "smart-dash": (mail(ORDERS.replace("- at", "– at")), "were put right in line 4."),
    "bullet": (mail(ORDERS.replace("- at", "•\tat")), "were put right in line 4."),
    "smart-quotes": (mail(ORDERS.replace("red\n", "“red”\n", 1)), "were put right in line 2."),
    "german-quotes": (mail(ORDERS.replace("N2", "„N2“")), "were put right in line 5."),
    "single-smart-quotes": (mail(ORDERS.replace("N2", "‘N2’")), "were put right in line 5."),
    "capitals-of-a-phone": (
        mail(
            ORDERS.replace("game", "Game")
            .replace("seat", "Seat")
            .replace("orders", "Orders")
            .replace("at: r", "At: r")
        ),
        "were put right in lines 1, 2, 3 and 4.",
    ),
    "zero-width": (mail(ORDERS.replace("N2", "N\u200b2")), "Invisible characters were dropped from line 5."),
    "soft-hyphen": (
        mail(ORDERS.replace("red-7", "red\xad-7")),
        "Invisible characters were dropped from line 4.",
    ),
    "right-to-left": (
        mail(ORDERS.replace("N2", "\u202eN2\u202c")),
        "Invisible characters were dropped from line 5.",
    ),
    "lost-spaces": (mail(ORDERS.replace("  do", "do")), "Line 5 was moved right"),
    "lost-spaces-below-do": (
        mail(ORDERS.replace("  do: {play: N2}", "do:\nplay: N2")),
        "Lines 5 and 6 were moved right",
    ),
    "wrapped-comment": (
        mail(
            ORDERS.replace(
                "  do",
                "  # this is a comment so long that the mail program has wrapped it into\ntwo lines\n  do",
            )
        ),
        "Line 6 was joined to the line before",
    ),
    "wrapped-quote": (
        mail(
            quoted(FILLED + "  # this is a comment so long that the mail program has wrapped it into\n")
            + "two lines\n"
        ),
        "was joined to the line before",
    ),
    "a-word-in-between": (
        mail(
            quoted(FILLED.split("  do")[0]) + "what fits best:\n" + quoted("  do" + FILLED.split("  do")[1])
        ),
        "Line 6 between the lines of the form is no orders and did not count.",
    ),
    "indented-words-behind": (
        mail(f"{ORDERS}\n    Ann: the first\n"),
        "Line 7 is no orders and did not count.",
    ),
    "unknown-charset": (
        mail(ORDERS, kind="text/plain; charset=x-mac-klingon"),
        "The charset 'x-mac-klingon' is not known",
    ),
    "wrong-charset": (
        mail(ORDERS.replace("N2}", "N2}  # ü").encode("latin-1"), kind="text/plain; charset=us-ascii"),
        "it was read as Windows-1252.",
    ),
    "broken-utf-8": (mail(ORDERS.encode() + b"# \xff\n"), "Some characters are not in the charset 'utf-8'"),
    "no-game-and-seat": (mail(ORDERS.partition("seat: red\n")[2]), ""),
    "no-seat": (boxed(attached("o.yml", "---\n" + ORDERS.replace("seat: red\n", ""))), ""),
}


@pytest.mark.parametrize(("raw", "told"), MENDED.values(), ids=MENDED)
def test_what_a_mail_program_did_is_undone_and_told(raw: bytes, told: str) -> None:
    found = search(raw)

    assert isinstance(found, FoundOrders), found
    assert parse(found.text).value == MEANT


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            mail(
                ORDERS.replace(
                    "{play: N2}",
                    LONG.replace("three, one, two, three, one", "three,\none, two, three, one")[4:],
                )
            ),
            1,
        ),
        (mail(ORDERS.replace("N2}", 'N2, say: "one\ntwo"}')), 1),
    ],
    ids=["in-brackets", "in-quotes"],
)
def test_a_line_that_was_wrapped_within_brackets_is_whole(raw: bytes, expected: int) -> None:
    found = search(raw)

    assert isinstance(found, FoundOrders)
    value = parse(found.text).value
    assert isinstance(value, dict)
    assert isinstance(value["orders"], list)
    assert len(value["orders"]) == expected
    assert "N2" in str(value)


def test_press_that_a_mail_program_wrapped_is_whole() -> None:
    say = "Whoever reads this far should know that the north will not be held for"
    raw = mail(ORDERS + f"press:\n- to: [white]\n  say: {say}\nlong.\n\nAnn\n")

    found = search(raw)

    assert isinstance(found, FoundOrders)
    assert f"say: {say} long.\n" in found.text.decode()
    assert each_tells(found.notes, ("9",))


@pytest.mark.parametrize("say", ["“Never!”", "‘Mustard’ it is"])
def test_quotation_marks_in_press_stay_what_they_are(say: str) -> None:
    found = search(mail(ORDERS + f"press:\n- {{to: [white], say: {say}}}\n"))

    assert isinstance(found, FoundOrders)
    assert say in found.text.decode()


# No orders, and why.
STALE = marker(GAME, "red", "red-6", SECRET)
WRONG_SEAT = marker(GAME, "white", LABEL, SECRET)
REASONS: dict[str, tuple[bytes, str]] = {
    "empty": (mail(""), "no-orders"),
    "words": (mail("Dear host,\nI am away. Orders: none.\npress: no\n"), "no-orders"),
    "words-like-keys": (mail("game: great!\n\norders: I will send them tomorrow\n"), "no-orders"),
    "form-untouched": (mail(FORM), "blank-form"),
    "form-untouched-in-a-quote": (mail(quoted(FORM)), "blank-form"),
    "form-untouched-and-wrapped": (
        mail(
            quoted(
                FORM.replace(
                    "of these between", "of these, which are all that you have on your hand now, between"
                )
            ).replace("have on ", "have on\n> ")
        ),
        "blank-form",
    ),
    "form-untouched-without-spaces": (mail(FORM.replace("  ", "")), "blank-form"),
    "form-with-a-key-only": (mail(FORM.replace("orders:", "key: k3v9\norders:")), "blank-form"),
    "do-left-empty": (mail(FORM.replace("{}", "")), "blank-form"),
    "quoted-without-marker": (mail(quoted(ORDERS)), "only-quoted"),
    "below-headers-without-marker": (mail(f"Hi\n\n{OUTLOOK}{ORDERS}"), "only-quoted"),
    "marker-without-code": (mail(quoted(FILLED.replace(MARKER, MARKER.rpartition(" ")[0]))), "old-form"),
    "marker-with-another-code": (mail(quoted(FILLED.replace(MARKER, MARKER[:-1] + "2"))), "old-form"),
    "marker-of-an-earlier-ask": (mail(quoted(FILLED.replace(MARKER, STALE))), "old-form"),
    "marker-of-another-seat": (mail(quoted(FILLED.replace(MARKER, WRONG_SEAT))), "old-form"),
    "forwarded": (
        boxed(("Content-Type: text/plain", "see"), ("Content-Type: message/rfc822", mail(ORDERS))),
        "forwarded",
    ),
    "zip": (boxed(("Content-Type: text/plain", "see"), attached("orders.zip", b"PK\x03\x04")), "not-text"),
    "winmail": (boxed(attached("winmail.dat", b"\x78\x9f\x3e\x22", "application/ms-tnef")), "not-text"),
    "text-too-long": (mail("x" * 300_000 + "\n" + ORDERS), "too-long"),
    "too-long": (boxed(attached("o.yml", "# " + "x" * 70000 + "\n" + ORDERS)), "too-long"),
    "utf-7": (mail(ORDERS, kind="text/plain; charset=utf-7"), "charset"),
    "encrypted": (
        boxed(("Content-Type: application/pgp-encrypted", "Version: 1"), kind="multipart/encrypted"),
        "encrypted",
    ),
    "packed": (mail("MIIB", kind="application/pkcs7-mime; smime-type=signed-data; name=smime.p7m"), "packed"),
    "encrypted-by-another-name": (
        mail("MIIB", kind="application/x-pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"),
        "encrypted",
    ),
    "encrypted-without-a-word": (mail("MIIB", kind="application/pkcs7-mime"), "encrypted"),
    "encrypted-and-authenticated": (
        mail("MIIB", kind="application/pkcs7-mime; smime-type=authEnveloped-data"),
        "encrypted",
    ),
    "a-photo-alone": (mail("/9j/", kind="image/jpeg; name=IMG_1.jpg"), "not-text"),
    "a-photo-beside-words": (
        boxed(("Content-Type: text/plain", "see"), attached("IMG_1.jpg", b"\xff\xd8", "image/jpeg")),
        "not-text",
    ),
    "a-picture-of-a-report": (
        boxed(
            ("Content-Type: text/plain", "see"),
            ("Content-Type: image/png; name=b.png\nContent-Disposition: inline", "x"),
        ),
        "no-orders",
    ),
    "parts-that-nothing-parts": (mail(f"--b\n\n{ORDERS}\n--b--\n", kind="multipart/mixed"), "not-text"),
    "two-sets-in-one-text": (mail(f"{LINES}\n{LINES.replace('N2', 'SE3')}"), "two-orders"),
    "two-sets": (mail(f"{ORDERS}\n\nor rather\n\n{OTHER}"), "two-orders"),
    "two-sets-body-and-attachment": (
        boxed(("Content-Type: text/plain", ORDERS), attached("o.yml", OTHER)),
        "two-orders",
    ),
    "two-attachments": (boxed(attached("a.yml", ORDERS), attached("b.yml", OTHER)), "two-orders"),
    "body-and-form-in-the-quote": (mail(f"{OTHER}\n{quoted(FILLED)}"), "two-orders"),
    "two-subjects": (mail(ORDERS, head="Subject: another\n"), "doubled-header"),
    "two-content-types": (mail(ORDERS, head="Content-Type: text/html\n"), "doubled-header"),
    "hidden": (mail(f'<div style="display: none">{HTML_ORDERS}</div>', kind=PAGE), "hidden"),
    "hidden-line": (mail(HTML_ORDERS + "<div hidden>stop_if: {crown: E5}</div>", kind=PAGE), "hidden"),
    "struck-out": (mail(f"<del>{HTML_ORDERS}</del>", kind=PAGE), "hidden"),
    "struck-out-line": (mail(HTML_ORDERS + "<s>stop_if: {crown: E5}</s>", kind=PAGE), "hidden"),
    "struck-out-by-style": (
        mail(f'<span style="text-decoration: line-through">{HTML_ORDERS}</span>', kind=PAGE),
        "hidden",
    ),
    "struck-out-in-the-page-alone": (
        boxed(
            ("Content-Type: text/plain; charset=utf-8", ORDERS),
            (f"Content-Type: {PAGE}", f"<s>{HTML_ORDERS}</s>"),
            kind="multipart/alternative",
        ),
        "hidden",
    ),
    "font-of-nothing": (mail(f'<p style="font-size:0px">{HTML_ORDERS}</p>', kind=PAGE), "hidden"),
}


@pytest.mark.parametrize(("raw", "reason"), REASONS.values(), ids=REASONS)
def test_no_orders_are_told_with_the_reason(raw: bytes, reason: str) -> None:
    found = search(raw)

    assert isinstance(found, NoOrders), found
    assert found.reason == reason
    assert mail_words(None, f"noorders/{reason}", found.said).count("\n") == 3


@pytest.mark.parametrize("name", ["a-photo-alone", "a-photo-beside-words"])
def test_a_file_that_is_not_read_is_named(name: str) -> None:
    found = search(REASONS[name][0])

    assert isinstance(found, NoOrders)
    assert "IMG_1.jpg" in str(found.said)


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


def test_a_form_with_press_only_is_press_only() -> None:
    found = search(mail(FORM + 'press:\n- {to: [white], say: "Peace?"}\n'))

    assert isinstance(found, FoundOrders)
    value = parse(found.text).value
    assert value == {"game": "rose-1", "seat": "red", "press": [{"to": ["white"], "say": "Peace?"}]}
    assert len(found.notes) == 1


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


def test_orders_that_wait_for_the_deadline_are_one_set_with_what_follows() -> None:
    press = "press:\n- {to: [white], say: 'Wait: I think.'}\n"
    found = search(mail(f"Wait: I have changed my mind.\n\n{ORDERS}wait: true\n{press}"))

    assert isinstance(found, FoundOrders), found
    value = parse(found.text).value
    assert isinstance(value, dict)
    assert value["wait"] == "true" or value["wait"] is True
    assert list(value)[-3:] == ["orders", "wait", "press"]


def test_who_asks_to_wait_in_words_has_ordered_nothing_by_it() -> None:
    found = search(mail(f"Wait: I have changed my mind.\n{ORDERS}"))

    assert isinstance(found, FoundOrders), found
    assert parse(found.text).value == MEANT


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (OTHER.replace("rose-1", "web-1"), ()),
        (OTHER.replace("red", "white"), ()),
        (OTHER, ()),
    ],
    ids=["two games", "two seats", "one seat"],
)
def test_two_sets_of_orders_are_told_with_the_way_out(other: str, told: tuple[str, ...]) -> None:
    found = search(mail(f"{ORDERS}\n\n{other}"))

    assert isinstance(found, NoOrders), found
    assert found.reason == "two-orders"
    assert tells(str(found.said), *told)


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


@pytest.mark.parametrize("name", ["orders.html", "ORDERS.HTM", ""])
@pytest.mark.parametrize("body", ["", "Thanks.\n"], ids=["no words", "words"])
def test_a_page_that_is_attached_is_never_searched(name: str, body: str) -> None:
    page = f"<html><body><pre>{ORDERS}</pre><pre>{FILLED}</pre></body></html>"
    file = attached(name, page, "text/html; charset=utf-8")

    found = search(boxed(("Content-Type: text/plain", body), file))

    assert isinstance(found, NoOrders)
    assert isinstance(search(boxed(("Content-Type: text/html", f"<p>{body}</p>"), file)), NoOrders)


def test_the_page_of_a_form_beside_orders_is_no_second_set_of_orders() -> None:
    page = attached("orders.html", f"<pre>{OTHER}</pre>", "text/html; charset=utf-8")

    found = search(boxed(("Content-Type: text/html", HTML_ORDERS), page))

    assert isinstance(found, FoundOrders)
    assert parse(found.text).value == MEANT


@pytest.mark.parametrize(
    "written", ["Orders: None.", "orders: none yet, sorry", "orders: *none*", "Orders: “none”!"]
)
@pytest.mark.parametrize("below", ["", "\n" + quoted(FORM)], ids=["alone", "above a blank form"])
def test_nearly_the_word_that_withdraws_is_told_with_the_word_and_withdraws_nothing(
    written: str, below: str
) -> None:
    found = search(mail(f"{written}\n{below}"))

    assert isinstance(found, NoOrders)
    assert found.reason == "nearly-none"
    assert found.said == {"line": written}
