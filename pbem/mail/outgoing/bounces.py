"""Mails that come back: notices of delivery, for programs and for people alone, and what they are about."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.mail.account.addresses import Recipient, read_recipient, seat_of_token
from pbem.mail.account.settings import MailSettings
from pbem.mail.arrivals.desk import Desk
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.records import MODERATOR, Act, facts_of, iso
from pbem.text.mail.bodies import rows_of
from pbem.text.mail.letter import Letter, RefusedMail
from pbem.text.mail.plainwords import is_about_absence
from pbem.text.names import mask_tokens

_MOST_LINES: Final = 80
_MOST_LETTERS_OF_ROW: Final = 240
"""So much is looked at of a notice, and of each line."""

_RETURNED: Final = re.compile(r"(?:>? ?)(?:return-path|received|message-id|mime-version|x-\w[\w-]*):", re.I)
"""A header: here begins the mail that came back, which may hold anything."""

_CODE: Final = re.compile(r"(?<![\d.,:])(?:([45])\.\d{1,3}\.\d{1,3}(?![.\d])|([45])[0-5]\d(?=[ -]))")
"""An enhanced status code (RFC 3463), or the reply of a server (RFC 5321, 4.2)."""

_WAITS: Final = re.compile(
    r"\bdelay(?:ed)?\b|\bnot yet been delivered|\bstill (?:be )?(?:trying|queued)|\bwill (?:keep|continue)\b"
    r"|\bwill (?:be )?retr|\bto be retried|\bdeferred\b|\bno action is required\b",
    re.IGNORECASE,
)
_FAILED: Final = re.compile(
    r"\bundeliver|\bfail(?:ed|ure)\b|\breturned (?:mail|to sender)|\b(?:not|n't) be (?:delivered|sent|found)"
    r"|\b(?:unknown|invalid|no such|unable|disabled|rejected|bounced?|non.?existent|permanent)\b"
    r"|\b(?:not|n't) (?:exist|found|known|listed|reach|deliver)|\bover ?quota|\bquota exceeded|\bfull\b",
    re.IGNORECASE,
)


class NoticeFate(NamedTuple):
    """What a notice shows: "failed", "delayed" or "", and the line that shows it."""

    fate: str
    line: str


def read_bounce_notice(letter: Letter) -> NoticeFate:
    """Return what a notice shows of a mail that went to somebody.

    A notice that says that a mail waits is none of a failure, though it tells why it waits.
    """
    lines = [line.strip(" .") for line in (*_lines(letter), letter.subject[:_MOST_LETTERS_OF_ROW])]
    coded = [(found[1] or found[2], line) for line in lines if (found := _CODE.search(line))]
    final = next((line for digit, line in coded if digit == "5"), None)
    passing = next((line for digit, line in coded if digit == "4"), None)
    if final is None and any(
        is_about_absence([line]) for line in lines
    ):  # a person's robot, from an address that is not known
        return NoticeFate("", "")
    waits = next(filter(_WAITS.search, lines), None)
    failed = next(filter(_FAILED.search, lines), None)
    if waits is not None:
        return NoticeFate("delayed", passing or waits)
    if letter.header("x-failed-recipients") or final is not None or failed is not None:
        return NoticeFate("failed", final or failed or "")
    return NoticeFate("delayed", passing) if passing is not None else NoticeFate("", "")


def _lines(letter: Letter) -> Iterator[str]:
    """Yield the lines of a notice above the mail that came back, each cut."""
    for kind in ("text/plain", "text/html"):
        texts = [
            [row.text[:_MOST_LETTERS_OF_ROW] for row in islice(rows, _MOST_LINES)]
            for rows in rows_of(letter, kind)
        ]
        if texts:
            yield from takewhile(
                lambda line: not _RETURNED.match(line), (line for text in texts for line in text)
            )
            return


ARRIVED: Final = ("arrived", "reply")
"""What becomes of a mail that needs no word: it is with its reader, or a robot of theirs answered it."""

NO_WORDS: Final = "its server gave it back"
"""Stands for what a server said of a mail, where a notice shows no words of it."""

_WORDS: Final = 200
_ADDRESSES: Final = 10
"""So many addresses of ours are looked at in a notice."""

_ID: Final = re.compile(rb"^Message-ID:\s*(<[^<>\s]+>)", re.MULTILINE | re.IGNORECASE)
_READER: Final = re.compile(
    rb"^(?:Original|Final)-Recipient:\s*rfc822\s*;\s*<?([^<>\s;]+@[^<>\s;]+)", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class BounceFacts:
    """What a bounce is about.

    Attributes:
        game: The game.
        seat: The seat whose mails came back.
        turn: The turn that they were about.
        sender: The sender of their envelopes, as the outbox has it.
    """

    game: str
    seat: str
    turn: int
    sender: str


def find_bounced_mail(db: Journal, settings: MailSettings, recipient: Recipient) -> BounceFacts | None:
    """Return which mails were sent with this sender of their envelope; None if there are none.

    Letters may have been made large or small on the way. A mail of an older version is found as well: what
    it was sent with stands in the outbox.
    """
    if recipient.kind != "bounce":
        return None
    sender = f"{settings.local}+{recipient.token}@{settings.domain}"
    found = db.find_by_envelope_sender(sender)
    return BounceFacts(found.game, found.seat, found.turn, found.envelope_from) if found else None


def find_reported_mail(desk: Desk, raw: bytes) -> BounceFacts | None:
    """Return which mail a notice shows that came elsewhere than to its own address; None if none of ours.

    So it is where the envelope may name the bare address only (`plain_sender`), or a program that takes mail
    out leaves its sender away. A notice holds the head of the mail that came back: its Message-ID, and where
    it is answered, which only its reader and we know.
    """
    ours = re.compile(
        rb"(?<![^\s<,:])%s\+[^\s<>,@]+@%s(?![^\s>,])"
        % (re.escape(desk.settings.local.encode()), re.escape(desk.settings.domain.encode())),
        re.IGNORECASE,
    )
    for address in _find_shown(ours, raw):
        recipient = read_recipient(desk.settings, address, desk.home)
        saved = desk.game(recipient.game) if recipient is not None and recipient.kind == "orders" else None
        seat = seat_of_token(saved, recipient.token, desk.db) if saved and recipient else None
        if saved is None or seat is None:
            continue
        for mail in desk.db.newest_returnable_mails(saved.name, seat):
            if mail.message_id.encode() in raw:
                return BounceFacts(mail.game, mail.seat, mail.turn, mail.envelope_from)
    return None


def find_claimed_mail(desk: Desk, notice: bytes) -> QueuedMail | None:
    """Return which mail a notice claims to be about, without a proof; None if none to a player of now.

    Any stranger can know an address of a player, or guess a Message-ID.

    Source: RFC 3464, 2.3.1 and 2.3.2 (Original-Recipient, Final-Recipient).
    """
    ids, readers = _find_shown(_ID, notice), _find_shown(_READER, notice)
    for mail in chain(map(desk.db.find_by_message_id, ids), map(desk.db.find_by_recipient, readers)):
        saved = desk.game(mail.game) if mail and mail.seat not in ("", MODERATOR) else None
        if mail and saved and saved.players.address(Seat(mail.seat)).casefold() == mail.rcpt.casefold():
            return mail
    return None


def _find_shown(what: re.Pattern[bytes], notice: bytes) -> list[str]:
    """Return what a notice shows of a kind, each once; not all of too many."""
    return [one.decode("ascii", "replace") for one in dict.fromkeys(what.findall(notice)[:_ADDRESSES])]


def read_fate(desk: Desk, letter: Letter | RefusedMail, found: BounceFacts | None) -> NoticeFate:
    """Return what a notice says of a mail, with the line that shows it.

    Args:
        desk: The desk.
        letter: The notice; of one that cannot be read nobody knows what it says.
        found: The mail that it is about, if that is proven.

    Returns:
        "failed", "delayed" or "arrived"; "reply" where a robot of the mail's own reader answered it, so that
        it is there; else "unknown".
    """
    if isinstance(letter, RefusedMail):
        return NoticeFate("unknown", "")
    if letter.bounce in ("failed", "delayed", "arrived"):
        return NoticeFate(letter.bounce, "")
    if (
        found is not None
        and letter.sender
        and desk.db.find_by_recipient(letter.sender, found.game, found.seat)
    ):
        return NoticeFate("reply" if letter.auto else "unknown", "")
    shown = read_bounce_notice(letter)
    return shown if shown.fate else NoticeFate("unknown", "")


def server_words(notice: bytes) -> str:
    """Return what a server said of a mail that it gave back, as the field for it has it; or "".

    Source: RFC 3464, 2.3.6 (Diagnostic-Code).
    """
    found = re.search(rb"^Diagnostic-Code:[ \t]*(?:smtp;)?((?:.*\r?\n[ \t])*.*)", notice, re.MULTILINE | re.I)
    if not found:
        return ""
    return " ".join(
        "".join(filter(str.isprintable, one)) for one in found[1].decode(errors="replace").split()
    )


def note_bounce(
    db: Journal, found: BounceFacts, why: str, now: datetime.datetime, notice: bytes = b""
) -> bool:
    """Mark the mails that came back, and tell the moderator with the next digest.

    Args:
        db: The journal.
        found: What the bounce is about.
        why: What the bounce says, in words; any stranger's, so it is shown to nobody but the moderator.
        now: The moment.
        notice: The bounce, which may show which mail it is.

    Returns:
        Whether it is about a mail that was sent and is not known to have come back.
    """
    text = mask_tokens(" ".join(why.split()))[:_WORDS]
    with db.writing():
        if not db.set_bounced(found.sender, text, notice):
            return False
        facts = facts_of("mail-bounced", turn=found.turn, seat=found.seat, why=text)
        db.act(Act(iso(now), "host", found.game, "mail bounced", "", 0, facts))
    return True
