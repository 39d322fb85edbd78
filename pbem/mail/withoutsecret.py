"""A mail as it is kept: as it came, but for secrets for acts by mail, which are stars in it."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Iterator
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Final

from pbem.store.actsaddress import starred, tokens_in
from pbem.text.mail.charsets import codec_of
from pbem.text.mail.limits import beyond_limits

_ENCODED: Final = (
    *(b"=?", b"base64", b"quoted-printable", b"uuencode", b"uue", b"text/html"),
    *(b"utf-7", b"utf7", b"utf-16", b"utf16", b"utf-32", b"utf32"),
)
"""One of these stands in each mail whose words may not all be read as they stand there."""

_WORD: Final = rb"=\?[^?\s]{1,40}\?[bq]\?[^?\s]{0,1000}\?="
_WORDS: Final = re.compile(rb"%b(?:\s{1,3}%b)*" % (_WORD, _WORD), re.IGNORECASE)
"""Encoded words of a header that are read as one (RFC 2047)."""

_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
_TAG: Final = re.compile(r"<[^<>]*>")
_WIDE: Final = re.compile(r"utf-?(?:7|(?:16|32)(?:-?[bl]e)?)", re.IGNORECASE)
"""Charsets in which letters are not what they are in ASCII, though no orders are read in them."""

_UU: Final = ("x-uuencode", "uuencode", "uue", "x-uue")
_ENCODINGS: Final = ("base64", "quoted-printable", *_UU)
_UU_BYTES: Final = 45
_DEEPEST: Final = 3
"""So deep mails are looked at that are attached to mails as files."""


def without_secret(raw: bytes, recipient: str) -> bytes:
    """Return a mail as it is kept; the same mail always comes out the same.

    Secrets are found as they stand, in encoded words of headers, and in parts in each transfer encoding and
    charset. Nothing else is changed, and of a mail without one nothing at all. A mail that cannot be read
    without one is kept without its words.

    Args:
        raw: The mail as it came.
        recipient: The address it was delivered to: its secret is starred wherever it stands.
    """
    return _without(raw, tokens_in(recipient), 0)


def _without(raw: bytes, tokens: frozenset[str], depth: int) -> bytes:
    plain = _starred(raw, tokens)
    lower = plain.lower()
    if not any(one in lower for one in _ENCODED):
        return plain
    is_told = plain != raw or bool(tokens)
    if beyond_limits(plain):
        return _wordless(plain) if is_told else plain
    try:
        plain = _WORDS.sub(lambda one: _encoded_words(one[0], tokens), plain)
        for body, instead in _bodies(BytesParser(policy=compat32).parsebytes(plain), tokens, depth):
            if body not in plain:
                return _wordless(plain)
            plain = plain.replace(body, instead)
    except Exception:  # whatever the parser and the decoders of the standard library trip over
        return _wordless(plain) if is_told else plain
    return plain


def _starred(data: bytes, tokens: frozenset[str]) -> bytes:
    return starred(data.decode("latin-1"), tokens).encode("latin-1")


def _wordless(raw: bytes) -> bytes:
    """Return a mail with a star for each letter below its headers."""
    blank = _BLANK_LINE.search(raw)
    end = blank.end() if blank else 0
    return raw[:end] + re.sub(rb"[^\r\n]", b"*", raw[end:])


def _encoded_words(words: bytes, tokens: frozenset[str]) -> bytes:
    found = decode_header(words.decode("ascii", "replace"))
    text = "".join(
        one.decode(codec_of(charset or "us-ascii") or "utf-8", "replace") if isinstance(one, bytes) else one
        for one, charset in found
    )
    if (instead := starred(text, tokens)) == text:
        return words
    return b"=?utf-8?b?%b?=" % base64.b64encode(instead.encode())


def _bodies(message: Message, tokens: frozenset[str], depth: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield each body with a secret as it stands in the mail, and what stands there instead."""
    for part in message.walk():
        encoding = str(part.get("content-transfer-encoding", "")).strip().casefold()
        inner, is_mail = part.get_payload(), str(part.get_filename("")).casefold().endswith(".eml")
        if encoding in _ENCODINGS and isinstance(inner, list) and isinstance(inner[0], Message):
            inner, is_mail = inner[0].get_payload(), True  # a mail in a mail, encoded as a whole
        if not isinstance(inner, str):
            continue
        data = _decoded(inner, encoding)
        instead = _starred_part(part, data, tokens)
        if is_mail and depth < _DEEPEST:
            instead = _without(instead, tokens, depth + 1)
        if instead != data:
            yield _bytes(inner), _encoded(instead, encoding)


def _bytes(payload: str) -> bytes:
    return payload.encode("ascii", "surrogateescape")


def _decoded(payload: str, encoding: str) -> bytes:
    one = Message(policy=compat32)
    one["Content-Transfer-Encoding"] = encoding
    one.set_payload(payload)
    data = one.get_payload(decode=True)
    return data if isinstance(data, bytes) else _bytes(payload)


def _encoded(data: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.encodebytes(data)
    if encoding == "quoted-printable":
        return quopri.encodestring(data)
    if encoding in _UU:
        lines = (data[at : at + _UU_BYTES] for at in range(0, len(data), _UU_BYTES))
        return b"begin 644 mail\n%b`\nend\n" % b"".join(map(binascii.b2a_uu, lines))
    return data


def _starred_part(part: Message, data: bytes, tokens: frozenset[str]) -> bytes:
    """Return the bytes of a part without secrets, in whichever letters its readers see them."""
    charset = str(part.get_content_charset(""))
    codec = charset if _WIDE.fullmatch(charset) else codec_of(charset) or "utf-8"
    data = _starred(data, tokens)
    text = data.decode(codec, "replace")
    shown = starred(text, tokens)
    if part.get_content_type() == "text/html":
        for read in (html.unescape(shown), _TAG.sub("", html.unescape(shown))):
            if (instead := starred(read, tokens)) != read:
                shown = instead
    return data if shown == text else shown.encode(codec, "replace")
