"""Mails that go out: as they are put into the outbox, and as they stand in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from pbem.store.journals.records import Kind

OVERTAKEN: Final = "what it tells was so no longer when it was to leave"
"""Why a mail was kept back; it can be queued again."""

OR_AGAIN: Final = (
    "ON CONFLICT (message_id) DO UPDATE SET rcpt = excluded.rcpt, raw = excluded.raw, "
    "envelope_from = excluded.envelope_from, state = 'queued', tries = 0, "
    "next_try = excluded.next_try, created = excluded.created, why = '' "
    f"WHERE outbox.state = 'muted' AND outbox.why = '{OVERTAKEN}' RETURNING id"
)
"""Ends the statement that queues a mail: one that is there stays as it is, unless it was kept back so."""

State: TypeAlias = Literal["queued", "claimed", "sent", "failed", "bounced", "muted"]
"""Of a mail that goes out."""


@dataclass(frozen=True, slots=True)
class Outbound:
    """A mail to be put into the outbox.

    Attributes:
        game: The game it is about, or "".
        turn: The turn it is about.
        seat: The seat it goes to; "" for the moderator or nobody at the table.
        kind: What it is.
        revision: How often the turn had been taken back.
        rcpt: Where it goes.
        envelope_from: Where bounces go; "" for a mail that must not bounce.
        message_id: Its Message-ID: the same again is the same mail, and changes nothing.
        raw: Its bytes.
    """

    game: str
    turn: int
    seat: str
    kind: Kind
    revision: int
    rcpt: str
    envelope_from: str
    message_id: str
    raw: bytes


class NotThere(NamedTuple):
    """A mail to a seat that is not with its reader.

    Attributes:
        seat: The seat.
        kind: What it is.
        turn: The turn it is about.
        state: queued, claimed, failed or bounced.
        why: What the server said, or "".
        rcpt: Where it went, or goes.
    """

    seat: str
    kind: Kind
    turn: int
    state: State
    why: str
    rcpt: str


@dataclass(frozen=True, slots=True)
class Queued(Outbound):
    """A mail of the outbox.

    Attributes:
        id: Its number.
        state: queued, claimed (being sent, or its sender was killed), sent, failed, bounced or muted.
        tries: How often it was claimed.
        next_try: Not before this moment; "" for at once.
        created: When it was put in.
        claimed: When it was claimed last, or "".
        sent: When it was sent, or "".
        why: What the server said, if it failed or waits.
    """

    id: int
    state: State
    tries: int
    next_try: str
    created: str
    claimed: str
    sent: str
    why: str
