"""What the headers of a mail say, read strictly; charsets that are believed; limits before it is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

from pbem.text.names import is_plain_address

MAX_BYTES: Final = 1024 * 1024
MAX_TEXT: Final = 256 * 1024
MAX_TEXTS: Final = 384 * 1024
MAX_LINES: Final = 16_000
MAX_LINE: Final = 1000
"""Letters of a line that patterns read, about as many as a line may have in a mail (RFC 5322, 2.1.1).

What stands behind them is data: press, or a value in orders.
"""
MAX_HEAD: Final = 64 * 1024
MAX_HEADERS: Final = 200
MAX_BOXES: Final = 10
MAX_PARTS: Final = 50
MAX_FIELD: Final = 2000

_MOST_BLANK: Final = 5000
_EMPTY_LINE: Final = re.compile(rb"(?<=[\r\n])\r?\n|(?<=\r)\r")
_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n|\r\r|\A\r?\n")
_FIELD: Final = re.compile(rb"(?:^|[\r\n])[!-9;-~]+[ \t]*:")
# In the mail in lower case: a search for plain letters is quicker than one for letters of both cases.
_BOUNDARY: Final = re.compile(rb"boundary(?:\*[0-9]*\*?)?\s*=")
_LETTER_INSIDE: Final = re.compile(rb"content-type:\s*message/")
_PART_FIELD: Final = re.compile(
    rb"content-(?:(?<=\A........)|(?<=[\r\n]........))[!-9;-~]+:[^\r\n]*(?:(?:\r\n|\r|\n)[ \t][^\r\n]*)*"
)


@dataclass(frozen=True, slots=True)
class RefusedMail:
    """A mail, or a part of one, that is not read.

    Attributes:
        reason: Why, as a short name for logs and tables.
        text: Why, in words for its sender.
    """

    reason: str
    text: str


def why_beyond_limits(raw: bytes) -> RefusedMail | None:
    """Say why a mail must not reach a parser, or None.

    The parser of the standard library needs a call for each box in a box, and seconds for thousands of parts
    or a field of thousands of parameters; so they are counted first, by what each of them cannot do without.
    """
    if len(raw) > MAX_BYTES:
        text = f"It is larger than {MAX_BYTES // 1024} KiB. Leave out pictures and earlier mails."
        return RefusedMail("too-big", text)
    blank = _BLANK_LINE.search(raw)
    head = raw[: blank.start()] if blank else raw
    if len(head) > MAX_HEAD:
        return RefusedMail("long-head", f"Its headers are longer than {MAX_HEAD // 1024} KiB.")
    if sum(1 for _ in _FIELD.finditer(head)) > MAX_HEADERS:
        return RefusedMail("many-headers", f"It has more than {MAX_HEADERS} headers.")
    lower = raw.lower()
    if any(len(field) > MAX_FIELD for field in _PART_FIELD.findall(lower)):
        return RefusedMail(
            "long-header", f"A header of one of its parts is longer than {MAX_FIELD} characters."
        )
    boxes = len(_BOUNDARY.findall(lower)) + len(_LETTER_INSIDE.findall(lower))
    if boxes > 2 * MAX_BOXES:
        return RefusedMail("too-deep", "Its parts hold other parts, too often within each other.")
    if b"delivery-status" in lower and _blank_lines(raw) > _MOST_BLANK:
        return RefusedMail(
            "many-parts", f"It has more than {_MOST_BLANK} empty lines, each of which parts it."
        )
    if boxes and raw.count(b"\n--") + raw.count(b"\r--") > 10 * MAX_PARTS:
        return RefusedMail("many-parts", f"It has more than {MAX_PARTS} parts.")
    return None


def _blank_lines(raw: bytes) -> int:
    """Return how many lines of a mail are empty: the parser makes a message of what stands between them."""
    return len(_EMPTY_LINE.findall(raw))


def max_line_count(data: bytes, *, is_page: bool) -> int:
    """Return how many lines a text can have at most: of a page one for each tag, too."""
    return max(data.count(b"\n"), data.count(b"\r")) + data.count(b"<") * is_page


One = TypeVar("One")
Found = TypeVar("Found")


def once(find: Callable[[One], Found]) -> Callable[[One], Found]:
    """Return a function that looks once at each thing, and forgets what it found together with that thing."""
    known: WeakKeyDictionary[One, Found] = WeakKeyDictionary()

    def found(one: One) -> Found:
        if one not in known:
            known[one] = find(one)
        return known[one]

    return found


_SAME: Final = (
    "utf-8", "koi8-r", "koi8-u", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
    "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
    "windows-1256", "windows-1257", "windows-1258", "cp437", "cp850", "cp866", "macintosh",
    "gb18030", "big5", "euc-jp", "iso-2022-jp",
)  # fmt: skip

CODECS: Final[Mapping[str, str]] = {
    **{name: name for name in _SAME},
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    # What says Latin-1 is written by programs of Windows, and so everybody reads it.
    "iso-8859-1": "windows-1252",
    "latin1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8",
    **{f"cp{number}": f"windows-{number}" for number in range(1250, 1259)},
    "ibm437": "cp437",
    "ibm850": "cp850",
    "ibm866": "cp866",
    # What says that it is one of these holds letters of Windows too, which the charset itself has not.
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
"""The charsets that are read, and with which codec of Python. What is not here has another meaning for the
same bytes than programs show, such as UTF-7, or is no charset of texts at all."""

_SIGNS: Final = re.compile(r"[^a-z0-9]")

_REFUSED: Final = frozenset(["utf7", "unicode11utf7", "xunicode20utf7", "utf7imap", "hzgb2312", "hz"])
"""As `_bare` names them."""

_BYTE_ORDER: Final[Mapping[bytes, str]] = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}


def codec_of(charset: str) -> str | None:
    """Return the codec for a charset that a mail names, or None if it is not read."""
    return _BY_NAME.get(_charset_key(charset))


def _charset_key(charset: str) -> str:
    """Return a name of a charset without what programs write as they like: capitals, hyphens and the like.

    Source: Unicode Technical Standard 22, 1.4 (charset alias matching).
    """
    return _SIGNS.sub("", charset.casefold())


_BY_NAME: Final[Mapping[str, str]] = {_charset_key(name): codec for name, codec in CODECS.items()}


def decode_text(data: bytes, charset: str) -> tuple[str, str] | RefusedMail:
    """Return the text of a part, and what was odd about its charset, or "".

    Args:
        data: The part.
        charset: The charset it names, or "".
    """
    name = charset.strip().strip("\"'").casefold()
    if _charset_key(name) in _REFUSED:
        return RefusedMail(
            "charset", f"Your mail program wrote it in the charset {name}, which can hide text. Use UTF-8."
        )
    for start, codec in _BYTE_ORDER.items():
        if data.startswith(start) and (not name or name.startswith("utf")):
            return data[len(start) :].decode(codec, "replace"), ""
    known = codec_of(name) if name else "utf-8"
    try:
        note = "" if known else f"The charset {name!r} is not known; it was read as UTF-8."
        return data.decode(known or "utf-8"), note
    except UnicodeDecodeError:
        if known not in (None, "utf-8") or _charset_key(name) == "utf8":
            text = data.decode(known or "utf-8", "replace")
            return text, f"Some characters are not in the charset {name!r}; they are shown as \ufffd."
    named = f"The charset {name!r} does not fit its text" if name else "It names no charset"
    return data.decode("windows-1252", "replace"), f"{named}; it was read as Windows-1252."


SINGLE: Final = (
    "from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references",
    "mime-version", "content-type", "content-transfer-encoding",
)  # fmt: skip
"""Headers that a mail has once at most."""

_LOCAL: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_DOMAIN: Final = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_NAME: Final = rf"(?=(?P<name>(?:{_QUOTED}|[^\x00-\x08\x0a-\x1f\x7f\"<>()\[\]:;@,\\])*))(?P=name)"
_COMMENT: Final = r"(?:[ \t]+\([^()<>@,;:\\\"]*\))?"
_FROM: Final = re.compile(
    rf"[ \t]*+(?:(?P<bare>{_LOCAL}@{_DOMAIN})|{_NAME}<(?P<angled>{_LOCAL}@{_DOMAIN})>){_COMMENT}[ \t]*"
)
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_NOT_SHOWN: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_FOLD: Final = re.compile(r"\r?\n(?=[ \t])")
_MAX_FROM: Final = 1000
_MAX_ID: Final = 250
_RESULT: Final = re.compile(r"\s*([a-z0-9-]+)\s*=\s*([a-z]+)(.*)", re.IGNORECASE)
_PROPERTY: Final = re.compile(
    r"\s(?:header\.(?:d|i|from)|smtp\.(?:mailfrom|helo))\s*=\s*\"?(?:[^\s;@\"]*@)?([a-z0-9.-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SenderCheck:
    """What the moderator's own mail server found out about a sender, as one method says.

    Attributes:
        method: Such as "spf", "dkim" or "dmarc".
        result: Such as "pass", "fail" or "none".
        domain: The domain that it is about, in lower case; "" if none is named.
    """

    method: str
    result: str
    domain: str


def sender_of(fields: tuple[str, ...]) -> str | None:
    """Return the one plain address of the one From header, its domain in lower case; else None.

    Args:
        fields: Every From header, as it stands in the mail.
    """
    if len(fields) != 1:
        return None
    field = _FOLD.sub("", fields[0])
    found = _FROM.fullmatch(field) if len(field) <= _MAX_FROM else None
    address = (found["bare"] or found["angled"]) if found else ""
    if not found or not is_plain_address(address):
        return None
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.casefold()}"


def message_id_of(fields: tuple[str, ...]) -> str | None:
    """Return a Message-ID that can be answered to, or None."""
    if len(fields) != 1:
        return None
    text = fields[0].strip()
    return text if len(text) <= _MAX_ID and _MESSAGE_ID.fullmatch(text) else None


def decode_header_text(field: str) -> str:
    """Return a header as people read it: encoded words decoded, and everything that is not shown a space.

    A line feed that was encoded must not become one: it would start another header in an answer.
    """
    if "=?" in field:
        try:
            pieces = decode_header(field)
        except (MessageError, ValueError):
            pieces = [(field, None)]
        field = "".join(_decode_piece(piece, charset) for piece, charset in pieces)
    return collapse_spaces(field)


def collapse_spaces(text: str) -> str:
    """Return a text in one line, its control characters and runs of spaces made one space."""
    return _NOT_SHOWN.sub(" ", text).strip()


def sender_checks(server: str, fields: tuple[str, ...]) -> tuple[SenderCheck, ...]:
    """Return what the Authentication-Results headers of one mail server say.

    Args:
        server: The name it gives itself there; "" believes nobody.
        fields: Those of its headers that no other server can have written.
    """
    out: list[SenderCheck] = []
    for field in fields:
        name, *results = re.sub(r"\([^()]*\)", " ", collapse_spaces(field)).split(";")
        if not server or name.strip().split(" ")[0].casefold() != server.casefold():
            continue
        out.extend(filter(None, map(_parse_sender_check, results)))
    return tuple(out)


def _parse_sender_check(text: str) -> SenderCheck | None:
    found = _RESULT.fullmatch(text)
    if not found:
        return None
    method, result, rest = found.groups()
    named = _PROPERTY.search(rest)
    return SenderCheck(method.casefold(), result.casefold(), named[1].casefold() if named else "")


def _decode_piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    return piece.decode(codec_of(charset or "us-ascii") or "utf-8", "replace")
