"""A mail as it came, read once, within limits, and without a way to fail."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Final

from pbem.text.mail.message import headers as read
from pbem.text.mail.message.auto import why_automatic
from pbem.text.mail.message.bounces import bounce_of
from pbem.text.mail.message.charsets import codec_of
from pbem.text.mail.message.headers import Checked
from pbem.text.mail.message.limits import (
    MAX_BOXES,
    MAX_FIELD,
    MAX_HEADERS,
    MAX_LINES,
    MAX_PARTS,
    MAX_TEXT,
    MAX_TEXTS,
    Refused,
    beyond_limits,
    most_lines,
)

__all__ = ["Checked", "Letter", "Part", "Refused", "read_letter"]

_MAX_LABEL: Final = 80
_PLAIN: Final = dict.fromkeys(["text/markdown", "text/x-markdown", "text/x-web-markdown"], "text/plain")
"""Types of texts that are read as they stand there."""

_REACTIONS: Final = frozenset(["text/vnd.google.email-reaction+json"])
_BOX: Final = re.compile(rb"\n[Cc]ontent-[Tt]ype:\s*(?:multipart|message)/")
_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_END_OF_LINE: Final = rb"(?:\r\n|\n|\r(?!\n))"
_END_OF_HEAD: Final = re.compile(rb"%b(?:\r|\n)" % _END_OF_LINE)
_FROM: Final = re.compile(rb"(?:\A|[\r\n])from[ \t]*:", re.IGNORECASE)
"""A header that names the sender, also with the space before the colon that mails had long ago."""

_LENGTH_TAG: Final = re.compile(r"(?:^|;)\s*l\s*=")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Part:
    """A part of a mail that holds no other parts.

    Attributes:
        content_type: Such as "text/plain", in lower case.
        charset: As the part names it, in lower case; "" if it names none.
        filename: The name its sender gave it, "" if none: a label to show, never a path.
        disposition: "attachment", "inline" or "".
        flowed: The part is `format=flowed`.
        delsp: It is `DelSp=yes` too.
        smime: What S/MIME has made of it, such as "signed-data"; "" if nothing says so.
        inside: Content types of what it lies in, from the outermost.
        is_beyond: The texts above it are all that is read of a mail.
    """

    content_type: str
    charset: str
    filename: str
    disposition: str
    flowed: bool
    delsp: bool
    smime: str
    inside: tuple[str, ...]
    source: Message = field(repr=False, compare=False)
    is_beyond: bool = False

    @property
    def may_be_read(self) -> bool:
        """Tell whether it can be a text that somebody wrote."""
        is_text = self.content_type.startswith("text/") or "yaml" in self.content_type
        return is_text or self.filename.casefold().endswith((".yml", ".yaml", ".txt"))

    @property
    def is_attached(self) -> bool:
        """Tell whether mail programs show it as a file beside the mail."""
        return self.disposition == "attachment" or bool(self.filename)

    @property
    def data(self) -> bytes:
        """Its bytes, decoded anew each time; those that cannot be decoded are as they came."""
        try:
            payload = self.source.get_payload(decode=True)
        except Exception:  # the decoders of the standard library raise all kinds of errors
            payload = None
        return payload if isinstance(payload, bytes) else b""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Letter:
    """A mail that was read.

    Attributes:
        sender: The one plain address of its one From header, the domain in lower case; else None.
        subject: In one line, decoded; "" if there is none, or more than one.
        message_id: A Message-ID that can be answered to, or None.
        headers: All headers by their name in lower case, each in one line and cut at 2000 characters, not
            decoded; in the order of the mail.
        doubled: Names of the headers that may stand once and stand here more often.
        parts: What it holds, in order; a mail within it is a part without data.
        auto: Why it must not be answered (RFC 3834), or "".
        bounce: "failed", "delayed", "arrived" or "unknown" if it tells what became of a mail; else "".
        authentication: What the moderator's own mail server says of the sender.
        has_signature_with_length: A DKIM signature of it holds for its beginning only (`l=`).
    """

    sender: str | None
    subject: str
    message_id: str | None
    headers: Mapping[str, tuple[str, ...]]
    doubled: tuple[str, ...]
    parts: tuple[Part, ...]
    auto: str
    bounce: str
    authentication: tuple[Checked, ...]
    has_signature_with_length: bool

    @property
    def is_reaction(self) -> bool:
        """Tell whether it is a reaction to a mail, such as a thumb (RFC 9078, or as Gmail has it)."""
        return any(part.disposition == "reaction" or part.content_type in _REACTIONS for part in self.parts)

    @property
    def is_bounce(self) -> bool:
        """Tell whether it is a notice of what became of a mail."""
        return bool(self.bounce)

    def header(self, name: str) -> str:
        """Return the first header of a name, or ""."""
        return self.headers.get(name, ("",))[0]


def read_letter(
    raw: bytes, *, envelope_from: str | None = None, authserv: str = "", own: Collection[str] = ()
) -> Letter | Refused:
    """Read a mail.

    Args:
        raw: The mail as it came.
        envelope_from: The sender of the envelope, "" for the null sender; None takes the Return-Path header.
        authserv: The name in the Authentication-Results of the moderator's own mail server; "" believes none.
        own: What our own mails carry in X-Loop or List-Id.

    Returns:
        The letter, or why it is not read. Nothing is raised, whatever the bytes are.
    """
    if refused := beyond_limits(raw):
        return refused
    try:
        message = _parsed(raw)
        parts = tuple(_within_limits(_parts(message)))
        if len(parts) > MAX_PARTS:
            return Refused("many-parts", f"It has more than {MAX_PARTS} parts.")
        if any(len(part.inside) > MAX_BOXES for part in parts):
            return Refused("too-deep", "Its parts hold other parts, too often within each other.")
        return _letter(message, parts, _is_of_many(raw), envelope_from, authserv, own)
    except RecursionError:
        return Refused("too-deep", "Its parts hold other parts, too often within each other.")
    except Exception:  # whatever the parser of the standard library trips over
        return Refused("unreadable", "It is no mail that can be read.")


def _is_of_many(raw: bytes) -> bool:
    """Tell whether more than one line above the first empty one names a sender.

    The parser of the standard library takes some of them for something else, other programs do not.
    """
    likely = [end for end in (raw.find(b"\n\n"), raw.find(b"\n\r\n")) if end >= 0]
    head = raw[: min(likely, default=len(raw))].lower()  # it may reach too far, never not far enough
    if head.startswith(b"from") + head.count(b"\nfrom") + head.count(b"\rfrom") < 2:
        return False
    end = _END_OF_HEAD.search(raw)
    found = _FROM.finditer(raw, 0, end.end() if end is not None else len(raw))
    return next(found, None) is not None and next(found, None) is not None


def _letter(
    message: Message,
    parts: tuple[Part, ...],
    is_of_many: bool,
    envelope_from: str | None,
    authserv: str,
    own: Collection[str],
) -> Letter:
    listed = list(_headers(message))
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in listed:
        headers[name] = (*headers.get(name, ()), value)
    senders = tuple(str(one) for name, one in message.raw_items() if name.lower() == "from")
    sender = read.sender_of(("", "") if is_of_many else senders)
    subjects = headers.get("subject", ())
    null = envelope_from == "" or (envelope_from is None and "<>" in headers.get("return-path", ()))
    return Letter(
        sender=sender,
        subject=read.in_words(subjects[0]) if len(subjects) == 1 else "",
        message_id=read.message_id_of(headers.get("message-id", ())),
        headers=headers,
        doubled=tuple(
            name for name in read.SINGLE if len(headers.get(name, ())) > 1 or (name == "from" and is_of_many)
        ),
        parts=parts,
        auto=why_automatic(headers, sender, own, null_sender=null),
        bounce=bounce_of(message, headers, sender, null_sender=null),
        authentication=read.checked_by(authserv, _own_results(listed)),
        has_signature_with_length=any(map(_LENGTH_TAG.search, headers.get("dkim-signature", ()))),
    )


def _headers(message: Message) -> Iterator[tuple[str, str]]:
    for name, value in list(message.raw_items())[:MAX_HEADERS]:
        data = str(value)[: 2 * MAX_FIELD].encode("utf-8", "surrogateescape")
        yield name.strip().casefold(), read.collapsed(data.decode("utf-8", "replace"))[:MAX_FIELD]


def _own_results(listed: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the Authentication-Results above what another server can have written.

    A server adds its headers on top. So the first of these headers is of the last server, if it writes any,
    and those below the next Received header may be the sender's own invention.
    """
    found: list[str] = []
    for name, value in listed:
        if name == "authentication-results":
            found.append(value)
        elif name == "received" and found:
            break
    return tuple(found)


def _parts(message: Message) -> Iterator[Part]:
    waiting: list[tuple[Message, tuple[str, ...]]] = [(message, ())]
    while waiting:
        one, inside = waiting.pop()
        kind = _PLAIN.get(kind := one.get_content_type(), kind)
        if one.is_multipart() and not kind.startswith("message/"):
            boxed = [part for part in one.get_payload() if isinstance(part, Message)]
            waiting.extend((part, (*inside, kind)) for part in reversed(boxed))
            continue
        named = _parameters(one, "content-type")
        placed = _parameters(one, "content-disposition")
        yield Part(
            content_type=kind,
            charset=named.get("charset", "").casefold(),
            filename=placed.get("filename", "") or named.get("name", ""),
            disposition=(one.get_content_disposition() or "").strip(),
            flowed=named.get("format", "").casefold() == "flowed",
            delsp=named.get("delsp", "").casefold() == "yes",
            smime=named.get("smime-type", "").casefold(),
            inside=inside,
            source=one,
        )


def _within_limits(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts; of the texts as many as are read, from the first: one too long by itself takes nothing."""
    letters, lines = MAX_TEXTS, MAX_LINES
    for part in parts:
        data = part.data if part.may_be_read else b""
        if len(data) <= MAX_TEXT:
            letters -= len(data)
            lines -= most_lines(data, is_page=part.content_type == "text/html")
        yield replace(part, is_beyond=min(letters, lines) < 0)


def _parameters(message: Message, header: str) -> dict[str, str]:
    """Return the parameters of a header, each in words and one short line, by their names in lower case."""
    try:
        found = message.get_params([], header)[1:] if header in message else []
    except Exception:  # malformed parameters make it raise all kinds of errors
        return {}
    first: dict[str, str] = {}
    for name, value in found:
        first.setdefault(name.lower(), _in_words(value))
    return first


def _in_words(value: str | tuple[str | None, str | None, str]) -> str:
    if isinstance(value, tuple):
        charset, _, text = value
        codec = codec_of(charset or "us-ascii") or "utf-8"
        value = text.encode("latin-1", "replace").decode(codec, "replace")
    return read.in_words(str(value))[:_MAX_LABEL]


def _parsed(raw: bytes) -> Message:
    """Return a mail as the parser of the standard library reads it, which looks at each line.

    It looks at the headers only where nothing below them can be headers too.
    """
    blank = _BLANK_LINE.search(raw)
    head = raw[: blank.end()] if blank is not None else b""
    if blank is not None and not _BOX.search(head):
        message = BytesParser(policy=compat32).parsebytes(head)
        is_one = message.get_content_maintype() not in ("multipart", "message")
        if (
            is_one
            and not message.defects
            and message.get_payload() == ""
            and head.count(b"\r") in (0, head.count(b"\n"))
        ):
            message.set_payload(raw[blank.end() :].decode("ascii", "surrogateescape"))
            return message
    return BytesParser(policy=compat32).parsebytes(raw)
