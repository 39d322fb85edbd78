"""What is to be done when a change is committed: values only, which a store hands to its workers.

Each job is harmless when it is done twice, or late, or when there is nothing left for it to do: what is true
stands in the home, and a job only says where to look.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.core.interface import Json

GAMES: Final = "games"
MAILS: Final = "mails"
SENDING: Final = "sending"
PAGES: Final = "pages"

QUEUES: Final = (MAILS, GAMES, SENDING, PAGES)
"""The queues of jobs: mails that came in, games, mails that go out, and pages of the archive."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job for a worker.

    Attributes:
        task: What is to be done.
        queue: The queue it stands in.
        about: Which mail or game it is about; no secret.
        lock: Jobs of one lock are done one after the other, in order; "" is none.
        once: While such a job waits, no second one is added; "" is none.
        at: When; None is at once. A job that waits for its moment has no lock, or it would hold up others.
    """

    task: str
    queue: str
    about: Mapping[str, Json] = field(default_factory=dict)
    lock: str = ""
    once: str = ""
    at: datetime.datetime | None = None


def to_process(number: int, recipient: str, sender: str) -> Job:
    """Return the job that processes a mail that came in; those of one seat in the order of arrival.

    A seat is told by the token at the end of its addresses, of which the lock holds a hash; at the host's own
    address it is told by who sends.
    """
    detail = recipient.partition("@")[0].partition("+")[2]
    whose = detail.rpartition(".")[2] or sender
    return Job("process", MAILS, {"number": number}, lock=f"mail {_hash(whose)}", once=f"mail {number}")


def to_send(number: int, rcpt: str, at: datetime.datetime | None = None, *, has_turn: bool = False) -> Job:
    """Return the job that sends a mail of the outbox.

    Args:
        number: The mail.
        rcpt: Its reader's address; mails to one reader go out in order.
        at: When; None is at once.
        has_turn: At that moment it is its turn, at the pace of its domain.
    """
    domain = rcpt.rpartition("@")[2].lower()
    about: dict[str, Json] = {"number": number, "domain": domain, "has_turn": has_turn}
    return Job("send", SENDING, about, "" if at else f"to {_hash(rcpt)}", f"send {number}", at)


def _hash(text: str) -> str:
    return hashlib.sha256(text.lower().encode(errors="surrogateescape")).hexdigest()[:16]


def to_write(game: str) -> Job:
    """Return the job that writes to their readers what is to be told about a game, or about none."""
    return Job("write", GAMES, {"game": game}, once=f"write {game}")


def to_look_at(game: str) -> Job:
    """Return the job that looks at a game: runs it, reminds, plans the next look."""
    return Job("look", GAMES, {"game": game}, lock=f"game {game}", once=f"look {game}")


def to_wake(game: str, at: datetime.datetime) -> Job:
    """Return the job that looks at a game when its next moment has come."""
    return Job("wake", GAMES, {"game": game}, once=f"wake {game}", at=at)


def to_report(game: str) -> Job:
    """Return the job that makes the mails of what was committed in a game, with their pages and pictures."""
    return Job("report", GAMES, {"game": game}, lock=f"game {game}", once=f"report {game}")


def to_archive() -> Job:
    """Return the job that brings the pages of the archive up to date; one is enough for many changes."""
    return Job("archive", PAGES, lock="pages", once="archive")


def to_process_later(game: str, at: datetime.datetime) -> Job:
    """Return the job that looks at the newest of a flood of mails."""
    return Job("process_later", MAILS, {"game": game}, once=f"flood {game}", at=at)
