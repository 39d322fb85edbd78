"""A mail as it came, read once, within limits; whether it may be answered; and notices of delivery."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from itertools import chain, islice
from typing import Final

from pbem.text.mail import headers as read
from pbem.text.mail.headers import (
    MAX_BOXES,
    MAX_FIELD,
    MAX_HEADERS,
    MAX_LINES,
    MAX_PARTS,
    MAX_TEXT,
    MAX_TEXTS,
    RefusedMail,
    SenderCheck,
    codec_of,
    max_line_count,
    why_beyond_limits,
)

MOST_RECEIVED: Final = 30

NAMED_AS_ROBOT: Final = "its sender is nobody who reads answers"
"""Said where nothing but the name of its sender speaks for a machine: a player may have such an address."""

_MACHINE: Final = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|owner-.*|.*-request|.*-owner|bounces?(?:[+-].*)?)@.*",
    re.IGNORECASE,
)
_REPLIERS: Final = (
    "x-autoreply", "x-autorespond", "x-auto-reply", "x-autoresponder", "x-mail-autoreply",
    "x-fc-machinegenerated",
)  # fmt: skip
_BULK: Final = frozenset(["bulk", "junk", "list", "auto_reply", "autoreply"])
_SUPPRESSED: Final = frozenset(["all", "dr", "autoreply"])
_COMMENT: Final = re.compile(r"\([^()]*\)")


def why_automatic(
    headers: Mapping[str, tuple[str, ...]],
    sender: str | None,
    own: Collection[str] = (),
    *,
    null_sender: bool = False,
) -> str:
    """Return why a mail must not be answered, or "".

    Args:
        headers: Its headers, by their names in lower case.
        sender: The address of its From header; None if it cannot be relied on, which says nothing of a
            machine. Answers go to the registered address.
        own: What our own mails carry in X-Loop or List-Id.
        null_sender: The envelope names nobody to answer to.
    """
    if null_sender:
        return "the envelope names no sender"
    if any(word not in ("", "no") for word in _bare_header_values(headers, "auto-submitted")):
        return "Auto-Submitted says that a program sent it"
    if is_own(headers, own):
        return "it is a mail of our own that came back"
    if "multipart/report" in _bare_header_values(headers, "content-type"):
        return "it is a report that a program wrote, such as one that a mail was read"
    if any(headers.get("list-id", ())) or not _BULK.isdisjoint(_bare_header_values(headers, "precedence")):
        return "it came through a mailing list or in bulk"
    wishes = ",".join(_bare_header_values(headers, "x-auto-response-suppress")).split(",")
    if not _SUPPRESSED.isdisjoint(map(str.strip, wishes)):
        return "X-Auto-Response-Suppress asks for none"
    if any(name in headers for name in _REPLIERS):
        return "an autoresponder sent it"
    if len(headers.get("received", ())) > MOST_RECEIVED:
        return "it went through too many servers"
    return NAMED_AS_ROBOT if sender is not None and _MACHINE.fullmatch(sender) else ""


def own_headers(address: str, about: str = "", *, is_answer: bool = False) -> tuple[tuple[str, str], ...]:
    """Return the headers by which no robot answers a mail of ours, and we know it again.

    Args:
        address: The host's address.
        about: What mail programs list it under, such as the game with the host's domain; "" for nothing.
        is_answer: A mail of somebody made it, and not the program by itself.
    """
    said = "auto-replied" if is_answer else "auto-generated"
    listed = (("List-Id", f"<{about}>"),) if about else ()
    return (("Auto-Submitted", said), ("X-Auto-Response-Suppress", "All"), ("X-Loop", address), *listed)


def is_own(headers: Mapping[str, tuple[str, ...]], own: Collection[str]) -> bool:
    """Tell whether a mail carries the mark of our own mails."""
    marks = {mark.casefold() for mark in own if mark}
    found = (*headers.get("x-loop", ()), *headers.get("list-id", ()))
    return any(mark in field.casefold() for field in found for mark in marks)


def _bare_header_values(headers: Mapping[str, tuple[str, ...]], name: str) -> tuple[str, ...]:
    """Return the values of a header without comments and parameters, in lower case."""
    values = headers.get(name, ())
    return tuple(_COMMENT.sub(" ", value).partition(";")[0].strip().casefold() for value in values)


_DAEMONS: Final = ("mailer-daemon@", "postmaster@")
_STATUS_PARTS: Final = ("message/delivery-status", "message/global-delivery-status")
_BETWEEN_GROUPS: Final = re.compile(rb"\r?\n[ \t]*\r?\n")
_MOST_PARTS: Final = 4
_MOST: Final = 100
_MOST_LETTERS: Final = 64 * 1024
"""So many parts, groups, fields and letters of a notice are looked at."""

_WORD: Final = re.compile(r"[a-z]{1,20}", re.IGNORECASE)
_FATES: Final[Mapping[str, str]] = {
    "failed": "failed",
    "delayed": "delayed",
    "delivered": "arrived",
    "relayed": "arrived",
    "expanded": "arrived",
}
_CLASSES: Final[Mapping[str, str]] = {"5": "failed", "4": "delayed", "2": "arrived"}
_GRAVEST: Final = ("failed", "delayed", "arrived")


def bounce_of(
    message: Message, headers: Mapping[str, tuple[str, ...]], sender: str | None, *, null_sender: bool
) -> str:
    """Return "failed", "delayed", "arrived" or "unknown" for a notice of delivery; "" for other mails."""
    groups = chain.from_iterable(map(_field_groups, islice(_status_parts(message), _MOST_PARTS)))
    fates = set(map(_fate_of, groups))
    if found := next((fate for fate in _GRAVEST if fate in fates), ""):
        return found
    kind = headers.get("content-type", ("",))[0].casefold()
    if fates - {""} or (kind.startswith("multipart/report") and "delivery-status" in kind):
        return "unknown"
    is_daemon = sender is not None and sender.casefold().startswith(_DAEMONS)
    return "unknown" if null_sender and is_daemon else ""


def _status_parts(message: Message) -> Iterator[Message]:
    """Yield the machine-readable parts of a notice; not those of a mail that it holds."""
    kind = message.get_content_type()
    if kind in _STATUS_PARTS:
        yield message
    elif kind.startswith("multipart/") and isinstance(parts := message.get_payload(), list):
        for part in parts:
            if isinstance(part, Message):
                yield from _status_parts(part)


def _field_groups(part: Message) -> Iterator[Message]:
    """Yield the groups of fields of such a part: that of the mail first, then one for each reader.

    The parser of the standard library knows the groups of one of the two types, and never an encoded part.

    Source: RFC 3464, 2.1; RFC 6533, 4 (which lets the part be encoded).
    """
    boxed, lines = part.get_payload(), list[str]()
    for one in boxed[:_MOST] if isinstance(boxed, list) else ():
        if isinstance(one, Message):
            lines += [f"{name}: {value}" for name, value in islice(one.raw_items(), _MOST)]
            lines += ["", rest if isinstance(rest := one.get_payload(), str) else "", ""]
    body = Message()
    body["Content-Transfer-Encoding"] = str(part.get("content-transfer-encoding", "7bit"))
    body.set_payload("\n".join(lines)[:_MOST_LETTERS])
    data = body.get_payload(decode=True)
    for group in _BETWEEN_GROUPS.split(data if isinstance(data, bytes) else b"", maxsplit=_MOST):
        yield BytesHeaderParser(policy=compat32).parsebytes(group.lstrip())


def _fate_of(group: Message) -> str:
    """Return what became of a mail for one reader; "unknown" for another action, "" for no group of a reader.

    Source: RFC 3464, 2.3.3 (Action) and 2.3.4 (Status, which stands for an action that is missing).
    """
    if word := _WORD.match(str(group.get("action", "")).strip()):
        return _FATES.get(word[0].casefold(), "unknown")
    return _CLASSES.get(str(group.get("status", "")).strip()[:1], "")


__all__ = ["Letter", "Part", "RefusedMail", "SenderCheck", "read_letter"]

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
    authentication: tuple[SenderCheck, ...]
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
) -> Letter | RefusedMail:
    """Read a mail.

    Args:
        raw: The mail as it came.
        envelope_from: The sender of the envelope, "" for the null sender; None takes the Return-Path header.
        authserv: The name in the Authentication-Results of the moderator's own mail server; "" believes none.
        own: What our own mails carry in X-Loop or List-Id.

    Returns:
        The letter, or why it is not read. Nothing is raised, whatever the bytes are.
    """
    if refused := why_beyond_limits(raw):
        return refused
    try:
        message = _parsed(raw)
        parts = tuple(_limit_parts(_parts(message)))
        if len(parts) > MAX_PARTS:
            return RefusedMail("many-parts", f"It has more than {MAX_PARTS} parts.")
        if any(len(part.inside) > MAX_BOXES for part in parts):
            return RefusedMail("too-deep", "Its parts hold other parts, too often within each other.")
        return _letter(message, parts, _has_many_from_headers(raw), envelope_from, authserv, own)
    except RecursionError:
        return RefusedMail("too-deep", "Its parts hold other parts, too often within each other.")
    except Exception:  # whatever the parser of the standard library trips over
        return RefusedMail("unreadable", "It is no mail that can be read.")


def _has_many_from_headers(raw: bytes) -> bool:
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
        subject=read.decode_header_text(subjects[0]) if len(subjects) == 1 else "",
        message_id=read.message_id_of(headers.get("message-id", ())),
        headers=headers,
        doubled=tuple(
            name for name in read.SINGLE if len(headers.get(name, ())) > 1 or (name == "from" and is_of_many)
        ),
        parts=parts,
        auto=why_automatic(headers, sender, own, null_sender=null),
        bounce=bounce_of(message, headers, sender, null_sender=null),
        authentication=read.sender_checks(authserv, _trusted_results(listed)),
        has_signature_with_length=any(map(_LENGTH_TAG.search, headers.get("dkim-signature", ()))),
    )


def _headers(message: Message) -> Iterator[tuple[str, str]]:
    for name, value in list(message.raw_items())[:MAX_HEADERS]:
        data = str(value)[: 2 * MAX_FIELD].encode("utf-8", "surrogateescape")
        yield name.strip().casefold(), read.collapse_spaces(data.decode("utf-8", "replace"))[:MAX_FIELD]


def _trusted_results(listed: list[tuple[str, str]]) -> tuple[str, ...]:
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


def _limit_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts; of the texts as many as are read, from the first: one too long by itself takes nothing."""
    letters, lines = MAX_TEXTS, MAX_LINES
    for part in parts:
        data = part.data if part.may_be_read else b""
        if len(data) <= MAX_TEXT:
            letters -= len(data)
            lines -= max_line_count(data, is_page=part.content_type == "text/html")
        yield replace(part, is_beyond=min(letters, lines) < 0)


def _parameters(message: Message, header: str) -> dict[str, str]:
    """Return the parameters of a header, each in words and one short line, by their names in lower case."""
    try:
        found = message.get_params([], header)[1:] if header in message else []
    except Exception:  # malformed parameters make it raise all kinds of errors
        return {}
    first: dict[str, str] = {}
    for name, value in found:
        first.setdefault(name.lower(), _decode_parameter(value))
    return first


def _decode_parameter(value: str | tuple[str | None, str | None, str]) -> str:
    if isinstance(value, tuple):
        charset, _, text = value
        codec = codec_of(charset or "us-ascii") or "utf-8"
        value = text.encode("latin-1", "replace").decode(codec, "replace")
    return read.decode_header_text(str(value))[:_MAX_LABEL]


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
