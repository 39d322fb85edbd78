"""Mails to send, as bytes: the same values always give the same bytes, and no value can add a header."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.header import Header
from email.message import EmailMessage
from typing import Final

from pbem.text.mail.headers import collapse_spaces, message_id_of
from pbem.text.names import is_plain_address

_POLICY: Final = policy.SMTP.clone(max_line_length=76)
_DATE: Final = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-3][0-9] (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
    r"[0-9]{4} [0-2][0-9]:[0-5][0-9]:[0-6][0-9] [+-][0-9]{4}"
)
_DATED: Final = re.compile(rb"(?m)^(Date: )[^\r\n]*")
_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]*")
_FILE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_HEADER: Final = re.compile(r"(?:X-[A-Za-z0-9-]{1,40}|Auto-Submitted|Precedence|List-Id|List-Unsubscribe)")
_LONGEST_LINE: Final = 990
_LONGEST_NAME: Final = 60
_LONGEST_SUBJECT: Final = 200
_QUOTED: Final = bytes([ord("="), *range(127, 256)])
_JOINER: Final = "\u200d"
_UNSHOWN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a mail.

    Attributes:
        name: Letters, digits, `.`, `_` and `-`.
        content_type: Such as "text/x-yaml".
        data: The file; of a text, UTF-8.
        content_id: Of a picture in the page, without the angle brackets; "" for a file beside the mail.
    """

    name: str
    content_type: str
    data: bytes
    content_id: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to send. Texts may be anything; addresses, ids, dates and names of files must be what they are.

    Attributes:
        kind: What it is, as the outbox names it.
        envelope_from: Where failures are told, "" for nowhere.
        to: The address of the one reader.
        from_: The address it comes from.
        subject: In words.
        message_id: With its angle brackets.
        date: As it stands in the header: `Sat, 21 Nov 2026 20:00:00 +0000`.
        text: The plain text, complete by itself.
        html: The same as a page, or "".
        reply_to: The address to answer to, or "".
        from_name: Who writes, in words.
        to_name: Who reads, in words.
        in_reply_to: The Message-ID of the mail it answers, or "".
        references: Message-IDs of the thread.
        headers: Headers besides, such as Auto-Submitted.
        attachments: Files, and pictures of the page.
        notice: What it tells, more finely than `kind`, for a header; "" if that says all.
    """

    kind: str
    envelope_from: str
    to: str
    from_: str
    subject: str
    message_id: str
    date: str
    text: str
    html: str = ""
    reply_to: str = ""
    from_name: str = ""
    to_name: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[Attachment, ...] = ()
    notice: str = ""


class NotSendableError(ValueError):
    """An address, an id, a date or a name in a mail is none."""


def compose(mail: Outgoing) -> bytes:
    """Return the bytes of a mail: CRLF, quoted-printable, boundaries made from what it says.

    Raises:
        NotSendableError: An address, an id, a date, a header's name or a file's name is none.
    """
    _check(mail)
    message = EmailMessage(_POLICY)
    message.set_content(_visible_text(mail.text), subtype="plain", charset="utf-8", cte="quoted-printable")
    pictures = [one for one in mail.attachments if one.content_id]
    if mail.html:
        shown = _visible_text(mail.html)
        message.add_alternative(shown, subtype="html", charset="utf-8", cte=_encoding_of(shown.encode()))
        page = list(message.iter_parts())[-1]
        assert isinstance(page, EmailMessage), "what was added is of its kind"
        for one in pictures:
            kind, _, subtype = one.content_type.partition("/")
            page.add_related(
                one.data, kind, subtype, cid=f"<{one.content_id}>", filename=one.name, disposition="inline"
            )
    for one in mail.attachments:
        if not one.content_id:
            _attach(message, one)
    _set_boundaries(message, mail)
    head = "".join(f"{name}: {value}\r\n" for name, value in _headers(mail))
    return head.encode("ascii") + message.as_bytes()


def set_mail_date(raw: bytes, date: str) -> bytes:
    """Return a mail that `compose` made with another date in its header, and nothing else changed.

    Raises:
        NotSendableError: That is no date.
    """
    if not _DATE.fullmatch(date):
        raise NotSendableError(f"{date!r} is no date")
    head, end, body = raw.partition(b"\r\n\r\n")
    return _DATED.sub(b"\\g<1>" + date.encode("ascii"), head, count=1) + end + body


def _check(mail: Outgoing) -> None:
    for address in (mail.to, mail.from_, *filter(None, (mail.envelope_from, mail.reply_to))):
        if not is_plain_address(address):
            raise NotSendableError(f"{address!r} is no address")
    for text in (mail.message_id, *filter(None, (mail.in_reply_to, *mail.references))):
        if message_id_of((text,)) != text:
            raise NotSendableError(f"{text!r} is no Message-ID")
    if not _DATE.fullmatch(mail.date):
        raise NotSendableError(f"{mail.date!r} is no date")
    for name, _ in mail.headers:
        if not _HEADER.fullmatch(name):
            raise NotSendableError(f"{name!r} is no header to add")
    for one in mail.attachments:
        if not (_FILE.fullmatch(one.name) and _TYPE.fullmatch(one.content_type)):
            raise NotSendableError(f"{one.name!r} ({one.content_type!r}) is no file to attach")
        if one.content_id and not (is_plain_address(one.content_id) and mail.html):
            raise NotSendableError(f"{one.content_id!r} is no picture of a page")


def _headers(mail: Outgoing) -> Iterator[tuple[str, str]]:
    yield "From", _mailbox(mail.from_name, mail.from_)
    yield "To", _mailbox(mail.to_name, mail.to)
    if mail.reply_to:
        yield "Reply-To", mail.reply_to
    yield "Subject", _encode_header("Subject", truncate_text(_header_text(mail.subject), _LONGEST_SUBJECT))
    yield "Date", mail.date
    yield "Message-ID", mail.message_id
    if mail.in_reply_to:
        yield "In-Reply-To", mail.in_reply_to
    if mail.references:
        yield "References", "\r\n ".join(mail.references)
    yield "X-PBEM-Kind", mail.notice or mail.kind
    for name, value in mail.headers:
        yield name, _encode_header(name, value)


def _mailbox(name: str, address: str) -> str:
    """Return an address with a name; the standard library would lose the quotes of a long one."""
    words = truncate_text(re.sub(r'["\\]', "'", _header_text(name)), _LONGEST_NAME)
    if not words:
        return address
    if words.isascii():
        return f'"{words}" <{address}>'
    return f"{_encode_header('To', words)}\r\n <{address}>"


def truncate_text(text: str, most: int) -> str:
    """Return the beginning of a text with so many characters at most; none is cut from what it joins."""
    if len(text) <= most:
        return text.strip()
    end = most - 1
    while end and (_is_combining(text[end]) or text[end - 1] == _JOINER):
        end -= 1
    return f"{text[:end].strip()}…"


def _is_combining(one: str) -> bool:
    return one == _JOINER or unicodedata.category(one)[0] == "M" or "\U0001f3fb" <= one <= "\U0001f3ff"


def _encode_header(name: str, text: str) -> str:
    """Return words as a header holds them: folded, and encoded where they are not ASCII."""
    words = _header_text(text)
    charset = "us-ascii" if words.isascii() else "utf-8"
    return Header(words, charset, maxlinelen=76, header_name=name).encode(linesep="\r\n")


def _header_text(text: str) -> str:
    return collapse_spaces(_visible_text(text)).replace("=?", "= ?")


def _visible_text(text: str) -> str:
    """Return text without what no mail shows; CRLF becomes LF, for it is made anew."""
    return _UNSHOWN.sub("", text.replace("\r\n", "\n"))


def _attach(message: EmailMessage, one: Attachment) -> None:
    kind, _, subtype = one.content_type.partition("/")
    if kind != "text" or (subtype == "html" and b"\r" in one.data):
        message.add_attachment(one.data, kind, subtype, filename=one.name)
        return
    text = one.data.decode("utf-8")
    if subtype == "html":  # kept but for the ends of its rows, for its scripts are hashed
        cte = _encoding_of(one.data)
    else:
        text, cte = _visible_text(text), "quoted-printable"
    message.add_attachment(text, subtype=subtype, charset="utf-8", cte=cte, filename=one.name)


def _encoding_of(page: bytes) -> str:
    """Return how a page is brought in the fewest bytes.

    As it is, if each line may stand in a mail (RFC 2045, 2.7); else in the shorter of the two encodings.
    """
    lines = page.split(b"\n")
    if page.isascii() and b"\0" not in page and max(map(len, lines)) <= _LONGEST_LINE:
        return "7bit"
    quoted = (3 * len(page) - 2 * len(page.translate(None, _QUOTED))) * 77 // 75
    return "quoted-printable" if quoted < len(page) * 4 // 3 * 78 // 76 else "base64"


def _set_boundaries(message: EmailMessage, mail: Outgoing) -> None:
    """Give each box a boundary that is a hash of the mail, so that it depends on nothing else."""
    seed = hashlib.sha256(repr(mail).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{number}_{seed}")
