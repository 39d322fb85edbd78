"""A mail as it is kept: as it came, but of one that shows the secret for acts only what was read of it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

from pbem.store.journals.actsaddress import shows_secret, starred, tokens_in
from pbem.text.mail.message.charsets import decoded
from pbem.text.mail.message.headers import collapsed, in_words
from pbem.text.mail.message.letter import Letter, Part, Refused, read_letter
from pbem.text.mail.message.ownwords import host_lines_in, own_lines

_TAG: Final = re.compile(r"<[^<>]*>")
_LONG_NUMBER: Final = re.compile(r"&#[0-9]{20,}+")
"""That of no character, and Python reads none of thousands of digits."""

_DEEPEST: Final = 3
"""So deep mails are looked at that are attached to mails."""

_PLAIN: Final = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
_BELOW: Final = "-- "
"""Above lines of older mails of ours: nobody takes them for the sender's own, nor can tell what is."""

_AUTOMATIC: Final = "Auto-Submitted: auto-generated\n"


def as_kept(raw: bytes, recipient: str) -> bytes:
    """Return a mail as it is kept; the same mail always comes out the same.

    Of a mail to an address for acts, or in which one can be read, the headers and the words of its sender are
    kept, with stars in place of secrets. Of one that cannot be read nothing is, and nobody answers it.

    Args:
        raw: The mail as it came.
        recipient: The address it was delivered to: its secret is starred wherever it stands.
    """
    letter = read_letter(raw)
    tokens = tokens_in(recipient)
    if not tokens and not any(map(shows_secret, _readings(raw, letter))):
        return raw
    if isinstance(letter, Refused):
        return f"{_AUTOMATIC}\n".encode()
    automatic = _AUTOMATIC if letter.auto or letter.bounce else ""
    older = host_lines_in(letter)
    words = "\n".join([*own_lines(letter), *([_BELOW, *older] if older else []), ""])
    kept = "".join([*_head(raw, letter, tokens), automatic, _PLAIN, words])
    return starred(kept, tokens).encode("utf-8", "replace")


def _head(raw: bytes, letter: Letter, tokens: frozenset[str]) -> Iterator[str]:
    """Yield the headers of a mail, but for those that say how its body is written.

    They are not decoded: one could be read as another sender then. A star stands for one that shows a secret.
    """
    for name, value in BytesHeaderParser(policy=compat32).parsebytes(raw).raw_items():
        text = collapsed(str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        if name.strip().casefold() == "from":
            text = "" if letter.doubled else letter.sender or ""
        if not name.casefold().startswith("content-"):
            words = in_words(starred(text, tokens))
            yield f"{name}: {text if starred(words, tokens) == words else '*'}\n"


def _readings(raw: bytes, letter: Letter | Refused, depth: int = 0) -> Iterator[str]:
    """Yield what can be read in a mail: its bytes, its headers in words, and its parts, decoded."""
    yield raw.decode("latin-1")
    if isinstance(letter, Refused):
        return
    yield from (in_words(value) for values in letter.headers.values() for value in values)
    for part in letter.parts:
        yield part.data.decode("latin-1")
        if not isinstance(text := decoded(part.data, part.charset), Refused):
            yield _TAG.sub("", html.unescape(_LONG_NUMBER.sub("", text[0])))
        if depth < _DEEPEST and (inside := _mail_in(part)):
            yield from _readings(inside, read_letter(inside), depth + 1)


def _mail_in(part: Part) -> bytes:
    """Return the mail that is attached to a mail, decoded as a whole; b"" if a part holds none."""
    if part.filename.casefold().endswith(".eml") and not part.source.is_multipart():
        return part.data
    whole = Message()
    whole["Content-Transfer-Encoding"] = str(part.source.get("content-transfer-encoding", ""))
    try:
        boxed = part.source.get_payload() if part.source.is_multipart() else []
        whole.set_payload("".join(one.as_string() for one in boxed if isinstance(one, Message)))
        return data if isinstance(data := whole.get_payload(decode=True), bytes) else b""
    except Exception:  # whatever the standard library trips over
        return b""
