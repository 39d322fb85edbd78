"""Taking mail in: its bytes into a file, its envelope into the database, then its source may forget it."""

from __future__ import annotations

import datetime
import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

from pbem.mail.account.addresses import named_game
from pbem.mail.arrivals.spool import MOST_BYTES
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.journal import Journal
from pbem.store.records import Intake
from pbem.store.stamped import seal_address, shows_secret, star_secrets, tokens_in
from pbem.text.mail.headers import collapse_spaces, decode_header_text, decode_text
from pbem.text.mail.letter import Letter, Part, RefusedMail, read_letter
from pbem.text.mail.quotes import host_lines_in, own_lines

_TAG: Final = re.compile(r"<[^<>]*>")
_LONG_NUMBER: Final = re.compile(r"&#[0-9]{20,}+")
"""That of no character, and Python reads none of thousands of digits."""

_DEEPEST: Final = 3
"""So deep mails are looked at that are attached to mails."""

_PLAIN: Final = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
_BELOW: Final = "-- "
"""Above lines of older mails of ours: nobody takes them for the sender's own, nor can tell what is."""

_AUTOMATIC: Final = "Auto-Submitted: auto-generated\n"


def canonical_mail(raw: bytes, recipient: str) -> bytes:
    """Return a mail as it is kept; the same mail always comes out the same.

    Of a mail to an address for acts, or in which one can be read, the headers and the words of its sender are
    kept, with stars in place of secrets. Of one that cannot be read nothing is, and nobody answers it.

    Args:
        raw: The mail as it came.
        recipient: The address it was delivered to: its secret is starred wherever it stands.
    """
    letter = read_letter(raw)
    tokens = tokens_in(recipient)
    if not tokens and not any(map(shows_secret, _readable_forms(raw, letter))):
        return raw
    if isinstance(letter, RefusedMail):
        return f"{_AUTOMATIC}\n".encode()
    automatic = _AUTOMATIC if letter.auto or letter.bounce else ""
    older = host_lines_in(letter)
    words = "\n".join([*own_lines(letter), *([_BELOW, *older] if older else []), ""])
    kept = "".join([*_header_lines(raw, letter, tokens), automatic, _PLAIN, words])
    return star_secrets(kept, tokens).encode("utf-8", "replace")


def _header_lines(raw: bytes, letter: Letter, tokens: frozenset[str]) -> Iterator[str]:
    """Yield the headers of a mail, but for those that say how its body is written.

    They are not decoded: one could be read as another sender then. A star stands for one that shows a secret.
    """
    for name, value in BytesHeaderParser(policy=compat32).parsebytes(raw).raw_items():
        text = collapse_spaces(str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        if name.strip().casefold() == "from":
            text = "" if letter.doubled else letter.sender or ""
        if not name.casefold().startswith("content-"):
            words = decode_header_text(star_secrets(text, tokens))
            yield f"{name}: {text if star_secrets(words, tokens) == words else '*'}\n"


def _readable_forms(raw: bytes, letter: Letter | RefusedMail, depth: int = 0) -> Iterator[str]:
    """Yield what can be read in a mail: its bytes, its headers in words, and its parts, decoded."""
    yield raw.decode("latin-1")
    if isinstance(letter, RefusedMail):
        return
    yield from (decode_header_text(value) for values in letter.headers.values() for value in values)
    for part in letter.parts:
        yield part.data.decode("latin-1")
        if not isinstance(text := decode_text(part.data, part.charset), RefusedMail):
            yield _TAG.sub("", html.unescape(_LONG_NUMBER.sub("", text[0])))
        if depth < _DEEPEST and (inside := _mail_in(part)):
            yield from _readable_forms(inside, read_letter(inside), depth + 1)


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


KEPT_BYTES = MOST_BYTES + 1
"""So much is kept of any mail: one byte more than is ever read shows that it was too big."""


class NotForgottenError(Exception):
    """A mail is safe here, and its source could not be made to forget it: it will come again, in vain."""


class LostMailError(Exception):
    """Somebody has removed a mail that was taken in: it never can be processed, so it must not wait."""


def _nothing() -> None:
    """Forget nothing: the source keeps its mails."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that lies somewhere and is to be taken in.

    Attributes:
        source: Where it came from: maildir, imap, lmtp, spool, mbox or stdin.
        received: When our own side had it; nothing that its sender wrote.
        sender: The sender of its envelope, "" for a bounce.
        recipient: The address it was delivered to.
        raw: Its bytes, at most KEPT_BYTES.
        forget: Makes the source forget it; called when it is safe here. Raises NotForgottenError.
    """

    source: str
    received: datetime.datetime
    sender: str
    recipient: str
    raw: bytes
    forget: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class IntakeCount:
    """How many mails were taken in, and how many had been before."""

    new: int
    known: int


def store_arrival(home: Home, db: Journal, arrival: Arrival) -> int | None:
    """Make a mail safe, so that its source may forget it; a secret for acts in it is never written down.

    Returns:
        Its number, or None if the very same mail with the same envelope was taken in before: a server that
        was told nothing, because this program was killed, delivers again.
    """
    key = arrival_key(arrival.sender, arrival.recipient, arrival.raw)
    if db.knows(key):
        return None
    kept = canonical_mail(arrival.raw, arrival.recipient)
    sha256 = hashlib.sha256(kept).hexdigest()
    with home.store.together():
        return db.take_in(
            key=key,
            source=arrival.source,
            received=arrival.received,
            envelope_from=arrival.sender,
            recipient=seal_address(arrival.recipient),
            sha256=sha256,
            raw=_store_raw(home, sha256, kept),
            game=named_game(arrival.recipient),
        )


def store_arrivals(
    home: Home,
    db: Journal,
    arrivals: Iterable[Arrival],
    talk: Callable[[str], None],
    aside: Callable[[str, Exception], None] | None = None,
) -> IntakeCount:
    """Take mails in one after the other; one at a time is in memory.

    Args:
        home: The home.
        db: Its journal.
        arrivals: The mails.
        talk: Told of a mail that its source keeps.
        aside: Told of a mail that cannot be taken in; its source keeps it, and the others go on. None: what
            is wrong is raised.
    """
    remove_partial_mails(home)
    new = known = 0
    for arrival in arrivals:
        try:
            is_new = store_arrival(home, db, arrival) is not None
            new += is_new
            known += not is_new
            arrival.forget()
        except NotForgottenError as wrong:
            talk(str(wrong))
        except (WrongInput, OSError):  # it is about the disk, and so about all of them
            raise
        except Exception as wrong:
            if aside is None:
                raise
            aside("a mail was not taken in, and stays where it was", wrong)
    return IntakeCount(new, known)


def arrival_key(sender: str, recipient: str, raw: bytes) -> str:
    """Return what a mail is recognised by when it is delivered again: its envelope and every byte of it."""
    digest = hashlib.sha256("\0".join([sender, recipient, ""]).encode(errors="surrogateescape"))
    digest.update(raw)
    return digest.hexdigest()


def read_raw_mail(home: Home, intake: Intake) -> bytes:
    """Return the bytes of a mail that was taken in, as they are kept (`canonical_mail`).

    Raises:
        LostMailError: Its file is not there any more, or was changed.
    """
    try:
        raw = home.store.read(f"mail/{intake.raw}")
        if hashlib.sha256(raw).hexdigest() == intake.sha256:
            return raw
        raise LostMailError(f"mail {intake.id} is not as it was kept: mail/{intake.raw} was changed")
    except FileNotFoundError:
        raise LostMailError(f"mail {intake.id} is noted, but mail/{intake.raw} is not there") from None


def _store_raw(home: Home, sha256: str, raw: bytes) -> str:
    """Write the bytes of a mail into a file that its hash names, and return its name in `mail`."""
    name = f"raw/{sha256}.eml"
    with home.store.held("mail/raw", wait_seconds=WAIT_SECONDS):
        home.store.lodge(f"mail/{name}", raw)
    return name


def remove_partial_mails(home: Home) -> None:
    """Remove what killed programs, or a full disk, have left of mails that were being kept.

    Such a mail is not lost: its source has not been told to forget it.
    """
    with home.store.held("mail/raw", wait_seconds=WAIT_SECONDS):
        home.store.tidy("mail/raw")
