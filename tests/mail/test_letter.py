"""Mails are read within limits, without a way to fail, and so that nobody can pass for somebody else."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import compat32

import pytest

from pbem.text.mail.letter import Letter, RefusedMail, read_letter
from tests.behaviour import heads
from tests.mail.letters import HEAD, ORDERS, boxed, letter_of, mail

ROWS = heads.rows()


@pytest.mark.parametrize("row", ROWS, ids=[row["head"] for row in ROWS])
def test_what_is_read_in_a_head_is_what_its_row_says(row: heads.Row) -> None:
    assert heads.read_in(row) == {name: row[name] for name in row if name not in heads.WRITTEN}


def test_a_second_sender_behind_many_spaces_is_a_second_sender() -> None:
    letter = letter_of(f"From: alice@example.org{' ' * 5000}, eve@example.net\n\nHello\n".encode())

    assert letter.sender is None


def test_twenty_thousand_encoded_words_are_cut_before_they_are_decoded() -> None:
    words = "\n ".join(["=?utf-8?q?a?="] * 4000)

    letter = letter_of(f"From: a@example.org\nSubject: {words}\n\nHello\n".encode())

    assert len(letter.headers["subject"][0]) <= 2000
    assert len(letter.subject) <= 2000


# Limits

BOX = b"Content-Type: multipart/mixed; boundary=BOX\n\n"
PARAMETERS = b'; a*0=";"' * 3000
BEYOND: dict[str, tuple[bytes, str]] = {
    "a-megabyte": (HEAD.encode() + b"\n" + b"x" * (1 << 20), "too-big"),
    "head-of-80-kb": (b"From: a@b\nSubject: " + b"x" * 80_000 + b"\n\nHello\n", "long-head"),
    "no-body-and-80-kb": (b"x" * 80_000, "long-head"),
    "five-hundred-headers": (b"X-A: b\n" * 500 + b"\nHello\n", "many-headers"),
    "hundred-thousand-parts": (HEAD.encode() + BOX + b"--BOX\n\n" * 20_000, "many-parts"),
    "sixty-parts": (boxed(*[("Content-Type: text/plain", "x")] * 60), "many-parts"),
    "box-in-box-2000": (
        b"".join(b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(2000)),
        "too-deep",
    ),
    "mail-in-mail-1500": (b"Content-Type: message/rfc822\n\n" * 1500 + b"Hello\n", "too-deep"),
    "twelve-boxes-deep": (
        b"".join(b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(12))
        + b"\nHello\n",
        "too-deep",
    ),
    "parameters-of-30-kb": (b"Content-Type: text/plain" + PARAMETERS + b"\n\nHello\n", "long-header"),
    "parameters-of-a-part": (
        HEAD.encode() + BOX + b"--BOX\nContent-Disposition: attachment" + PARAMETERS + b"\n\nx\n--BOX--\n",
        "long-header",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "reason"), BEYOND.values(), ids=BEYOND)
def test_what_is_beyond_the_limits_is_refused_before_it_is_parsed(raw: bytes, reason: str) -> None:
    refused = read_letter(raw)

    assert isinstance(refused, RefusedMail)
    assert refused.reason == reason
    assert refused.text.endswith(".")


@pytest.mark.parametrize(
    "raw",
    [
        mail(ORDERS, head="X-Company-Header: of words\n  and more of them\n" * 186),
        mail("--\n-----\n" * 150 + "boundary=x\n" * 15),
    ],
    ids=["headers of a large company", "rules and boundaries in a text"],
)
def test_what_people_send_is_within_the_limits(raw: bytes) -> None:
    assert isinstance(read_letter(raw), Letter)


# Parts


@pytest.mark.parametrize(
    "fields",
    [
        "Content-Transfer-Encoding: x-uuencode",
        "Content-Transfer-Encoding: base64",
        "Content-Transfer-Encoding: \xff",
        'Content-Type: text/plain; charset="a\0b"',
        "Content-Type: text/plain; charset=*utf-8",
        "Content-Type: text/plain; charset*0=u; charset*1*=''tf-8",
        "Content-Type: (c):",
        "Content-Type: /",
        "Content-Disposition: ;;;=",
    ],
)
def test_a_part_that_cannot_be_decoded_is_as_it_came(fields: str) -> None:
    letter = letter_of(f"From: a@example.org\n{fields}\n\n!!! not encoded ü\n".encode("latin-1"))

    for part in letter.parts:
        assert isinstance(part.data, bytes)


# Bounces

DSN = (
    "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example\nSubject: Undelivered\nAuto-Submitted: auto-replied\n"
    "Content-Type: multipart/report; report-type=delivery-status; boundary=B\n\n--B\n\nSorry.\n--B\n"
    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
    "Final-Recipient: rfc822; gone@bounced.example\nAction: {}\nStatus: 5.1.1\n\n--B--\n"
)


GROUP = "\n\nFinal-Recipient: rfc822; other@bounced.example\nAction: {}\nStatus: 4.1.1"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", ["message/delivery-status", "multipart/report; boundary=b"])
def test_a_notice_of_thousands_of_groups_reaches_no_parser(kind: str, end: str) -> None:
    head = f"From: x@mx.example\nContent-Type: {kind}\n\n--b\nContent-Type: message/delivery-status\n\n"

    refused = read_letter((head.replace("\n", end) + end * 6000).encode())

    assert isinstance(refused, RefusedMail)
    assert refused.reason == "many-parts"


def test_of_a_notice_of_very_many_readers_the_first_are_looked_at() -> None:
    late = DSN.format("delayed" + GROUP.format("delayed") * 200 + GROUP.format("failed"))

    assert letter_of(late.encode()).bounce == "delayed"


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: x\n\nbody\n",
        b"Subject: x\r\n\r\nbody\r\nmore\r",
        b"Subject: x\r\n\nbody",
        b"Subject: x\rTo: y\n\nbody",
        b"no header\n\nbody\n",
        b"Subject: x\n folded\n\n\nbody\n",
        b"\n\nbody",
        b"From ann\nSubject: x\n\nbody \xff\n",
        b"content-TYPE:\n multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n",
        b"Content-Type: message/rfc822\n\nSubject: y\n\nz\n",
        b"Content-Type: text/plain\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n",
    ],
)
def test_a_mail_of_one_part_is_what_the_parser_of_the_standard_library_makes_of_it(raw: bytes) -> None:
    whole = BytesParser(policy=compat32).parsebytes(raw)
    letter = read_letter(raw)

    assert isinstance(letter, Letter)
    inside = [part for part in whole.walk() if not part.is_multipart()]
    if not whole.get_content_type().startswith("message/"):
        assert [part.data for part in letter.parts] == [part.get_payload(decode=True) for part in inside]
    assert list(letter.headers) == list(dict.fromkeys(name.strip().casefold() for name, _ in whole.items()))
