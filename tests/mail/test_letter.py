"""Mails are read within limits, without a way to fail, and so that nobody can pass for somebody else."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import compat32

import pytest

from pbem.text.mail.headers import Checked
from pbem.text.mail.letter import Letter, Refused, read_letter
from tests.mail.letters import HEAD, ORDERS, attached, boxed, letter_of, mail


def sent_by(*fields: str) -> Letter:
    """Return a mail with these From headers."""
    head = "".join(f"From: {field}\n" for field in fields)
    return letter_of(f"{head}To: host@pbem.example\nSubject: x\n\nHello\n".encode("utf-8", "surrogateescape"))


# Who sent it

SENDERS = {
    "plain": ("alice@example.org", "alice@example.org"),
    "named": ("Alice Smith <alice@example.org>", "alice@example.org"),
    "quoted-name": ('"Smith, Alice" <alice@example.org>', "alice@example.org"),
    "encoded-name": ("=?utf-8?q?Al=C3=AFce?= <alice@example.org>", "alice@example.org"),
    "raw-name": ("Alïce <alice@example.org>", "alice@example.org"),
    "old-comment": ("alice@example.org (Alice)", "alice@example.org"),
    "domain-in-capitals": ("Alice <Alice@EXAMPLE.ORG>", "Alice@example.org"),
    "detail": ("alice+games@example.org", "alice+games@example.org"),
    "folded": ("Alice\n <alice@example.org>", "alice@example.org"),
    "no-space": ('"Alice"<alice@example.org>', "alice@example.org"),
    "another-address-as-name": ('"alice@example.org" <eve@example.net>', "eve@example.net"),
    "encoded-line-feed-in-name": ("=?UTF-8?Q?=0AMy_self?= <me@example.org>", "me@example.org"),
}


@pytest.mark.parametrize(("field", "address"), SENDERS.values(), ids=SENDERS)
def test_one_plain_address_is_the_sender(field: str, address: str) -> None:
    assert sent_by(field).sender == address


FORGED = {
    "two-headers": ("alice@example.org", "eve@example.net"),
    "none": (),
    "empty": ("",),
    "two-addresses": ("alice@example.org, eve@example.net",),
    "two-in-angles": ("Alice <alice@example.org> <eve@example.net>",),
    "nested-comment": ("alice@example.org(<eve@example.net>",),
    "comment-within": ("alice(x)@example.org",),
    "comment-with-address": ("eve@example.net (alice@example.org)",),
    "address-as-bare-name": ("alice@example.org <eve@example.net>",),
    "group": ("players: alice@example.org;",),
    "route": ("<@relay.example:alice@example.org>",),
    "quoted-local-part": ('"alice"@example.org',),
    "other-alphabet": ("alice@ехample.org",),
    "look-alike-name": ("аlice@example.org",),
    "punycode-is-plain-but-spaces-are-not": ("alice @example.org",),
    "encoded-address": ("=?utf-8?q?alice=40example=2Eorg?=",),
    "encoded-line-feed-in-address": ("<alice=?utf-8?q?=0A?=@example.org>",),
    "null": ("<>",),
    "no-domain": ("alice",),
    "ends-in-a-dot": ("alice@example.org.",),
    "two-dots": ("alice@example..org",),
    "zero-width": ("alice@example\u200b.org",),
    "nul": ("alice@example.org\0",),
    "tabbed-second": ("alice@example.org\t<eve@example.net>",),
    "angle-open": ("<alice@example.org",),
    "escaped-quote": ('"Alice\\" <alice@example.org> <eve@example.net>',),
    "second-behind-many-spaces": ("alice@example.org" + " " * 5000 + ", eve@example.net",),
    "vertical-tab": ("alice@example.org\x0b",),
    "parens-x500": ("(" * 500 + "alice@example.org",),
}


@pytest.mark.parametrize("fields", FORGED.values(), ids=FORGED)
def test_what_is_not_one_plain_address_is_nobody(fields: tuple[str, ...]) -> None:
    assert sent_by(*fields).sender is None


# Headers


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        ("[web-1] Turn 3", "[web-1] Turn 3"),
        ("=?UTF-8?Q?x=0D=0ABcc:_victim@example.org?=", "x Bcc: victim@example.org"),
        ("=?utf-8?b?SGVsbG8=?=", "Hello"),
        ("=?koi8-r?q?=F0=D2=C9=D7=C5=D4?=", "Привет"),
        ("=?utf-7?q?+ADw-script+AD4-?=", "+ADw-script+AD4-"),
        ("=?x-nope?q?abc?=", "abc"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?unicode_escape?q?=5Cu0041?=", "\\u0041"),
        ("a\tb\x0b\x0cc\x85d\u2028e\x00f", "a b c d e f"),
        ("folded\n and on", "folded and on"),
        ("raw ü", "raw ü"),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_subject_is_one_line_of_words(field: str, subject: str) -> None:
    letter = letter_of(f"From: a@example.org\nSubject: {field}\n\nHello\n".encode())

    assert letter.subject == subject


def test_twenty_thousand_encoded_words_are_cut_before_they_are_decoded() -> None:
    words = "\n ".join(["=?utf-8?q?a?="] * 4000)

    letter = letter_of(f"From: a@example.org\nSubject: {words}\n\nHello\n".encode())

    assert len(letter.headers["subject"][0]) <= 2000
    assert len(letter.subject) <= 2000


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("<a.b@example.org>", True),
        ("<[a].b@[c].OUTLOOK.EXAMPLE>", True),
        ("<a@b><c@d>", False),
        ("<a b@example.org>", False),
        ("a@example.org", False),
        ("<>", False),
        ("<a@b>\n X-Injected: y", False),
        (f"<{'a' * 250}@example.org>", False),
        ("<ü@example.org>", False),
    ],
    ids=range(9),
)  # fmt: skip
def test_a_message_id_that_cannot_be_answered_to_is_none(field: str, expected: bool) -> None:
    letter = letter_of(f"From: a@example.org\nMessage-ID: {field}\n\nHello\n".encode())

    assert (letter.message_id is not None) is expected


ONCE = (
    *("From", "Sender", "Reply-To", "To", "Cc", "Subject"),
    *("Date", "Message-ID", "In-Reply-To", "Content-Type"),
)


@pytest.mark.parametrize("name", ONCE)
def test_a_header_that_stands_twice_and_may_not_is_named(name: str) -> None:
    letter = letter_of(f"{name}: a@example.org\n{name.upper()}: b@example.org\n\nHello\n".encode())

    assert letter.doubled == (name.lower(),)
    assert letter.subject == ""
    assert letter.message_id is None
    assert letter.sender is None


@pytest.mark.parametrize(
    "head",
    [
        b"From : eve@example.test\nFrom: ann@example.test\n",
        b"From \t: eve@example.test\r\nFrom: ann@example.test\r\n",
        b"From: ann@example.test\nFrom : eve@example.test\nSubject: x\n",
        b"From: ann@example.test\nSubject: x\nfrom : eve@example.test\n",
        b"From: ann@example.test\nDate : today\nFROM: eve@example.test\n",
        b"From: ann@example.test\nfrom\t: eve@example.test\nSubject: x\n",
        b"From : eve@example.test\nFrom : ann@example.test\n",
    ],
)
def test_a_second_sender_with_a_space_before_the_colon_is_a_second_sender(head: bytes) -> None:
    letter = read_letter(head + b"\nGood evening.\n")

    assert isinstance(letter, Letter)
    assert letter.sender is None
    assert letter.doubled == ("from",)


def test_a_mark_of_a_mailbox_and_a_sender_in_the_text_are_no_second_sender() -> None:
    raw = b"From ann@example.test Sat Nov 21 20:00:00 2026\nFrom: ann@example.test\n\nFrom: eve@x.test\n"

    letter = read_letter(raw)

    assert isinstance(letter, Letter)
    assert (letter.sender, letter.doubled) == ("ann@example.test", ())


def test_headers_may_be_doubled_that_servers_add() -> None:
    letter = letter_of(b"Received: a\nReceived: b\nDKIM-Signature: v=1\nDKIM-Signature: v=1\n\nHello\n")

    assert letter.doubled == ()
    assert letter.headers["received"] == ("a", "b")


# What the moderator's own server says

OURS = (
    "Authentication-Results: mx.pbem.example; dkim=pass header.d=example.org;\n"
    " spf=fail smtp.mailfrom=eve@example.net\n"
)
FOREIGN = "Authentication-Results: mx.evil.example; dkim=pass header.d=example.org\n"
RECEIVED = "Received: from somewhere by mx.pbem.example; Sat, 21 Nov 2026 20:00:00 +0000\n"


def checked(head: str, server: str = "mx.pbem.example") -> tuple[Checked, ...]:
    """Return what is believed of a mail that begins so."""
    letter = read_letter(f"{head}From: a@example.org\n\nHello\n".encode(), authserv=server)
    assert isinstance(letter, Letter)
    return letter.authentication


def test_the_results_of_the_own_server_are_read() -> None:
    assert checked(OURS + RECEIVED) == (
        Checked("dkim", "pass", "example.org"),
        Checked("spf", "fail", "example.net"),
    )


@pytest.mark.parametrize(
    ("head", "server"),
    [
        (FOREIGN + RECEIVED, "mx.pbem.example"),
        (OURS + RECEIVED, ""),
        (OURS + RECEIVED, "pbem.example"),
        (FOREIGN + RECEIVED + OURS, "mx.pbem.example"),
        (FOREIGN.replace("mx.evil.example", "mx.evil.example (mx.pbem.example)"), "mx.pbem.example"),
        (FOREIGN.replace("mx.evil.example", "mx.evil.example; mx.pbem.example"), "mx.pbem.example"),
    ],
    ids=["foreign", "none-named", "another-name", "below-the-last-server", "in-a-comment", "as-a-result"],
)
def test_no_other_server_is_believed(head: str, server: str) -> None:
    assert checked(head, server) == ()


def test_results_that_a_sender_wrote_below_those_of_the_own_server_do_not_count() -> None:
    forged = OURS.replace("spf=fail", "spf=pass")

    assert [one.result for one in checked(OURS + RECEIVED + forged)] == ["pass", "fail"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [("v=1; a=rsa-sha256; l=120; b=x", True), ("v=1;\n l = 0; b=x", True), ("v=1; bl=1; b=l=2", False)],
)
def test_a_signature_of_a_beginning_is_noted(field: str, expected: bool) -> None:
    letter = letter_of(f"DKIM-Signature: {field}\nFrom: a@example.org\n\nHello\n".encode())

    assert letter.has_signature_with_length is expected


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

    assert isinstance(refused, Refused)
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


def test_the_name_of_an_attachment_is_a_label_of_one_short_line() -> None:
    raw = boxed(
        attached("x.yml", ORDERS),
        (
            "Content-Disposition: attachment; filename*=utf-8''..%2F..%2Fetc%2Fx%00%0A.yml",
            "x",
        ),
        (f"Content-Type: text/plain; name={'y' * 300}", "x"),
        ("Content-Type: text/plain; name*", "x"),
        ("Content-Type: text/plain; name*=x-nope''%FF%FE", "x"),
    )

    names = [part.filename for part in letter_of(raw).parts]

    assert names[:3] == ["x.yml", "../../etc/x .yml", "y" * 80]
    assert all("\n" not in name and len(name) <= 80 for name in names)


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
GLOBAL = DSN.replace("message/delivery-status", "message/global-delivery-status")
ENCODED = GLOBAL.replace("\n\nReporting", "\nContent-Transfer-Encoding: quoted-printable\n\nReporting")


@pytest.mark.parametrize(
    ("notice", "bounce"),
    [
        (DSN.format("failed"), "failed"),
        (DSN.format("Delayed"), "delayed"),
        (DSN.format("delivered (to mailbox)"), "arrived"),
        (DSN.format("relayed"), "arrived"),
        (DSN.format("expanded"), "arrived"),
        (DSN.format("lost"), "unknown"),
        (DSN.replace("Action: {}\n", ""), "failed"),
        (DSN.format("failed\nStatus: 5.1.1" + GROUP.format("delayed")), "failed"),
        (DSN.format("delivered" + GROUP.format("delayed")), "delayed"),
        (DSN.format("failed").replace("\n", "\r\n"), "failed"),
        (GLOBAL.format("delayed"), "delayed"),
        (GLOBAL.format("delivered" + GROUP.format("failed")), "failed"),
        (ENCODED.format("fai=6Ced"), "failed"),
    ],
)
def test_a_notice_of_delivery_says_what_became_of_the_mail(notice: str, bounce: str) -> None:
    """The gravest of what it says of several readers counts (RFC 3464, RFC 6533)."""
    letter = letter_of(notice.encode())

    assert (letter.bounce, letter.is_bounce) == (bounce, True)
    assert letter.auto


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", ["message/delivery-status", "multipart/report; boundary=b"])
def test_a_notice_of_thousands_of_groups_reaches_no_parser(kind: str, end: str) -> None:
    head = f"From: x@mx.example\nContent-Type: {kind}\n\n--b\nContent-Type: message/delivery-status\n\n"

    refused = read_letter((head.replace("\n", end) + end * 6000).encode())

    assert isinstance(refused, Refused)
    assert refused.reason == "many-parts"


def test_of_a_notice_of_very_many_readers_the_first_are_looked_at() -> None:
    late = DSN.format("delayed" + GROUP.format("delayed") * 200 + GROUP.format("failed"))

    assert letter_of(late.encode()).bounce == "delayed"


def test_a_notice_within_a_mail_says_nothing_of_that_mail() -> None:
    head = "From: ann@example.org\nContent-Type: message/rfc822\n\n"

    assert letter_of((head + DSN.format("failed")).encode()).bounce == ""


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"Return-Path: <>\nFrom: postmaster@mx.example\n\nCould not deliver\n", True),
        (b"Return-Path: <>\nFrom: ann@example.org\nAuto-Submitted: auto-replied\n\nI am away.\n", False),
        (b"From: postmaster@mx.example\nReturn-Path: <postmaster@mx.example>\n\nHello\n", False),
        (b"From: a@b.example\nContent-Type: multipart/report; report-type=delivery-status\n\n", True),
    ],
    ids=["daemon", "vacation", "a-postmaster-who-plays", "empty-report"],
)
def test_a_bounce_without_a_notice_is_known_by_its_sender(raw: bytes, expected: bool) -> None:
    assert letter_of(raw).is_bounce is expected


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
