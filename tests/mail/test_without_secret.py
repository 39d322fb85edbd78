"""The secret for acts by mail is kept nowhere: in no file and no row, as it stands or decoded."""

from __future__ import annotations

import base64
import binascii
import contextlib
import email
import html
import quopri
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from email.header import Header, decode_header, make_header
from email.policy import compat32
from pathlib import Path
from typing import Final

import pytest

from pbem.mail.arrivals.intake import Arrival, LostMailError, canonical_mail, read_raw_mail, store_arrival
from pbem.play.homes.home import Home
from pbem.store.salvage import salvage
from pbem.store.stamped import hash_of, seal_address
from tests.homes import home_at, top
from tests.hosting.games import GAME, MODERATOR
from tests.mail.hostile import CRAFTED
from tests.mail.moderator import Mary, mary

PLAIN: Final = 'text/plain; charset="utf-8"'


TRIPS: Final = (
    b"Content-Type: text/html\n\n&#" + b"9" * 5000 + b";\n",
    b'Content-Type: text/plain; charset="\0"\n\n\xff\n',
    b'Content-Type: message/rfc822\n\nContent-Type: text/plain; charset="\0"\n\n\xff\n',
)
"""What the standard library raises errors at that it does not name."""


def token_of(one: Mary) -> str:
    return one.address.partition("+m_")[2].partition("@")[0]


def readings(data: bytes) -> Iterator[bytes]:
    """Yield a file as it stands, and what a mail in it says: headers and parts, decoded."""
    yield data
    message = email.message_from_bytes(data, policy=compat32)
    for part in message.walk():
        yield from (str(make_header(decode_header(str(one)))).encode() for one in part.values())
        if isinstance(body := part.get_payload(decode=True), bytes):
            yield body
            with contextlib.suppress(LookupError):
                yield body.decode(part.get_content_charset("utf-8"), "replace").encode()
            yield html.unescape(body.decode("utf-8", "replace")).encode()


def everything(home: Home) -> Iterator[bytes]:
    """Yield every file and every row of a home, mails decoded too."""
    for path in top(home).rglob("*"):
        if path.is_file():
            yield from readings(path.read_bytes())
    with home.journal() as db:
        for _, row in db.every_row():
            for cell in row:
                yield from readings(cell) if isinstance(cell, bytes) else (str(cell).encode(),)


def is_kept(home: Home, token: str) -> bool:
    return bool(where_kept(home, token))


def where_kept(home: Home, token: str) -> list[bytes]:
    return [one[:2000] for one in everything(home) if token.encode() in one.lower()]


def uuencoded(data: bytes) -> bytes:
    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    return b"begin 644 x\n" + lines + b"`\nend\n"


def split_words(data: bytes) -> bytes:
    """Encode a text as quoted-printable with a line break after each third letter."""
    return b"=\n".join(b"".join(b"=%02X" % one for one in data[at : at + 3]) for at in range(0, len(data), 3))


ENCODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "7bit": bytes,
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
    "Quoted-Printable": split_words,
    "x-uuencode": uuencoded,
}


def part_of(data: bytes, encoding: str, kind: str = PLAIN, more: str = "") -> bytes:
    head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n{more}\n".encode()
    return head + ENCODINGS[encoding](data)


def boxed(*parts: bytes) -> bytes:
    inside = b"".join(b"--=box\n" + part + b"\n" for part in parts)
    return b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="=box"\n\n' + inside + b"--=box--\n"


def written(address: str) -> Iterator[tuple[str, bytes]]:
    """Yield ways to write a text with the address into a mail, each as what stands below its head."""
    said = f"Status, please.\nI write to {address} today.\n".encode()
    for encoding in ENCODINGS:
        yield encoding, part_of(said, encoding)
        yield (
            f"{encoding} file",
            boxed(
                part_of(b"status\n", "7bit"),
                part_of(said, encoding, "application/octet-stream", "Content-Disposition: attachment\n"),
            ),
        )
        page = f"<p>status {html.escape(address)} <b>{address.replace('m_', 'm&#95;')}</b></p>".encode()
        yield f"{encoding} page", boxed(part_of(page, encoding, "text/html"))
        eml = b"From: a@example.test\n" + part_of(said, "Quoted-Printable")
        file = 'application/octet-stream; name="a.eml"'
        attached = 'Content-Disposition: attachment; filename="a.eml"\n'
        yield (
            f"{encoding} mail",
            boxed(
                part_of(b"status\n", "7bit"),
                part_of(eml, encoding, file, attached),
                part_of(eml, encoding, "message/rfc822"),
            ),
        )
    yield "utf-16", part_of(said.decode().encode("utf-16"), "base64", "text/plain; charset=utf-16")
    subject = f"Subject: {Header(f'über {address}', 'utf-8', maxlinelen=40).encode()}\n".encode()
    yield "subject", subject + part_of(b"status\n", "7bit")
    yield "too many parts", boxed(*[part_of(b"status\n", "7bit")] * 60, part_of(said, "base64"))
    yield "too big", part_of(said + b"x" * (1 << 20), "base64")


def test_the_secret_is_kept_nowhere_however_a_mail_writes_it(tmp_path: Path) -> None:
    one = mary(tmp_path)
    token = token_of(one)
    for number, (name, rest) in enumerate(written(one.address)):
        head = f"From: {MODERATOR}\nTo: Host <{one.address}>\nMessage-ID: <s{number}@example.test>\n".encode()
        passed = f"Received: from x by y for <{one.address.upper()}>; now\n".encode()
        one.host.gets(passed + head + rest, one.address, MODERATOR)
        one.host.gets(passed + head.replace(b"<s", b"<t") + rest, "host@pbem.test", MODERATOR)
        assert not is_kept(one.home, token), name

    assert one.mails(f"pause {GAME} why I wrote to {one.address}") == "refused"
    assert not is_kept(one.home, token)
    assert one.mails(f"pause {GAME}") == "acts"


@pytest.mark.parametrize("encoding", ["7bit", "Quoted-Printable"])
def test_acts_are_done_that_a_mail_with_the_secret_asks_for(tmp_path: Path, encoding: str) -> None:
    one = mary(tmp_path)
    head = f"From: {MODERATOR}\nTo: {one.address}\nMessage-ID: <s@example.test>\n".encode()
    foot = part_of(b"-- \nwritten to " + one.address.encode(), "base64", "text/html")
    raw = head + boxed(part_of(f"pause {GAME}\n".encode(), encoding), foot)

    assert one.host.gets(raw, one.address, MODERATOR).verdict == "acts"
    assert one.host.put(raw, one.address, MODERATOR) is None
    later = b"X-Way: other\n" + raw
    assert one.host.gets(later, one.address, MODERATOR).verdict == "dropped"
    assert not is_kept(one.home, token_of(one))


def test_a_mail_that_was_cut_off_before_its_row_is_taken_in_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = mary(tmp_path)
    raw = one.host.a_mail(f"pause {GAME}", sender=MODERATOR, subject="", To=one.address)
    arrival = Arrival("stdin", one.host.now, MODERATOR, one.address, raw)
    with one.home.journal() as db, monkeypatch.context() as cut:
        cut.setattr(type(db), "take_in", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store_arrival(one.home, db, arrival)
    assert not is_kept(one.home, token_of(one))

    assert one.host.gets(raw, one.address, MODERATOR).verdict == "acts"
    assert len([*(top(one.home) / "mail" / "raw").iterdir()]) == 1
    assert one.host.put(raw, one.address, MODERATOR) is None


def test_a_kept_mail_that_was_changed_is_noticed(tmp_path: Path) -> None:
    one = mary(tmp_path)
    number = one.host.put(one.host.a_mail("status", To=one.address), one.address, MODERATOR)
    assert number is not None
    intake = one.host.intake(number)
    file = top(one.home) / "mail" / intake.raw
    assert b"status" in read_raw_mail(one.home, intake)

    file.write_bytes(file.read_bytes() + b"x")

    with pytest.raises(LostMailError):
        read_raw_mail(one.home, intake)


def test_the_hash_that_is_kept_of_the_secret_proves_nothing(tmp_path: Path) -> None:
    one = mary(tmp_path)
    kept = seal_address(one.address)
    assert kept != one.address and hash_of(token_of(one)) in kept

    for forged in (kept, kept.replace("m_=", "m_=="), kept.upper(), f"<{kept}>", f" {kept}"):
        assert one.mails("status", to=forged) in ("warned", "dropped"), forged


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Subject: =?utf-8?q?=E4?=\n\nhello m_short@x\n",
        b"Content-Type: text/html\n\n<p>&amp; &lt;team_up&gt;</p>\n",
        b"Content-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n",
        b"Content-Transfer-Encoding: base64\n\n!!!\n",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\xff\xfe=?utf-8?b?!!?=\n",
        b"Content-Type: text/plain; charset=utf-16\n\n\x00\xd8",
    ],
)
@pytest.mark.parametrize("to", ["host@pbem.test", "host+rose-1.abcdefghijklmnop@pbem.test"])
def test_a_mail_without_the_secret_is_kept_as_it_came(raw: bytes, to: str) -> None:
    assert canonical_mail(raw, to) == raw


@pytest.mark.parametrize(
    "head",
    [
        b"From: =?utf-8?q?mary=40example.test?=\n",
        b"From: =?utf-8?q?mary=40example.test=2C?= <x@y.test>\n",
        b"From : x@y.test\nFrom: mary@example.test\n",
        b"From: mary@example.test\nSubject: a\nSubject: b\n",
        b"From: mary@example.test\nAuto-Submitted: auto-replied\n",
        b"From: mary@example.test\nContent-Type: multipart/report; boundary=b\n",
    ],
)
def test_what_is_kept_of_a_mail_proves_no_more_than_it_did(head: bytes, tmp_path: Path) -> None:
    one = mary(tmp_path)
    raw = head + b"Message-ID: <s@example.test>\n\n" + f"pause {GAME}\n".encode()

    assert one.host.gets(raw, one.address, MODERATOR).verdict in ("warned", "dropped")


def test_a_mail_with_acts_that_cannot_be_read_warns_nobody(tmp_path: Path) -> None:
    one = mary(tmp_path)
    raw = f"From: {MODERATOR}\nMessage-ID: <s@example.test>\n\npause {GAME}\n".encode()

    assert one.host.gets(raw + b"x" * (1 << 20), one.address, MODERATOR).verdict == "dropped"


def test_of_a_mail_with_acts_only_what_was_read_is_kept(tmp_path: Path) -> None:
    one = mary(tmp_path)
    head = f"From: {MODERATOR}\nTo: {one.address}\nMessage-ID: <s@example.test>\n".encode()
    picture = part_of(b"a picture", "base64", "image/png", "Content-Disposition: attachment\n")
    raw = head + boxed(part_of(f"pause {GAME}\n> older words\n".encode(), "base64"), picture)

    done = one.host.gets(raw, one.address, MODERATOR)

    assert done.verdict == "acts"
    kept = read_raw_mail(one.home, one.host.intake(done.intake))
    assert kept.endswith(f"\n\npause {GAME}\n".encode()) and b"<s@example.test>" in kept


@pytest.mark.parametrize("to", ["host@pbem.test", "host+m_abcdefghijklmnop@pbem.test"])
def test_whatever_its_bytes_are_a_mail_can_be_kept(to: str) -> None:
    shown = b"\n\nhost+m_abcdefghijklmnop@pbem.test\n"
    for raw in (*(one for one in CRAFTED.values() if len(one) < 20_000), *TRIPS):
        kept = canonical_mail(raw + shown, to)
        assert b"abcdefghijklmnop" not in kept
        canonical_mail(raw, to)


def test_rows_of_an_older_journal_are_sealed_when_it_is_opened_or_salvaged(tmp_path: Path) -> None:
    one = mary(tmp_path)
    token = token_of(one)
    one.mails("status")
    waits = one.host.put(one.host.a_mail(f"pause {GAME}", MODERATOR, ""), one.address, MODERATOR)
    file = top(one.home) / "mail" / "mail.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as old:
        old.execute("UPDATE intake SET recipient = ?", (one.address,))
        old.execute("PRAGMA user_version = 6")
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "copy.db").write_bytes(file.read_bytes())
    assert token.encode() in file.read_bytes()

    home = home_at(top(one.home))
    with home.journal() as db:
        assert db.unread() == 1
    assert not is_kept(home, token)
    assert [done.verdict for done in one.host.process() if done.intake == waits] == ["acts"]

    for path in file.parent.glob("mail.db*"):
        path.unlink()
    salvage(home.store, tmp_path / "copy.db")
    assert not is_kept(home, token)
