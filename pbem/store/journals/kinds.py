"""Every kind of thing that is done or told, with the names of its facts: for programs, beside the words.

Facts hold no words of a person, no address and no secret; moments are written as `records.iso` does. In
the journal they are one JSON object, in which "kind" comes first.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Final, TypeAlias

from pbem.core.interface import Json
from pbem.store.journals.records import iso

Fact: TypeAlias = str | int | bool | datetime.datetime | list[str] | None

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    # deadlines and pauses
    "deadline-moved": ("label", "due", "before"),
    "game-paused": ("start", "end", "due"),
    "game-resumed": ("start", "due"),
    "absence-noted": ("seat", "start", "end"),
    "absence-ended": ("seat",),
    "reminder": ("label", "due"),
    # votes
    "vote-given": ("seat", "vote", "yes"),
    "vote-proposed": ("vote",),
    "vote-withdrawn": ("vote",),
    "vote-carried": ("vote",),
    # the course of a game
    "game-cancelled": (),
    "game-brought-back": ("due",),
    "turn-undone": ("turn",),
    "turn-remade": ("turn",),
    "turn-stands": ("turn",),
    "report-corrected": ("turn",),
    "report-again": ("turn",),
    "gate-overridden": ("turn", "reasons"),
    "run-refused": ("reasons",),
    "orders-lodged-for": ("seat", "receipt"),
    "press-lodged-for": ("seat",),
    "orders-held": ("seat",),
    "orders-released": ("seat",),
    # seats and their players
    "seat-taken": ("seat",),
    "seat-freed": ("seat",),
    "seat-handed": ("seat", "event"),
    "player-replaced": ("seat", "by"),
    "player-renamed": ("seat",),
    "seat-welcome": ("seat",),
    "seat-lost": ("seat",),
    "secret-renewed": ("seat", "what"),
    "report-wanted": ("seat",),
    # the moderator
    "announcement": (),
    "answer": ("name",),
    "question-settled": ("name", "seat"),
    "press-to-moderator": ("seat",),
    "acts-address": ("is_open",),
    "acts-unproven": ("sign",),
    "answer-refused": ("name",),
    "digest": (),
    "send-by-hand": (),
    # answers to orders, as their mails have them; a fault is LINE:COLUMN:KIND in the player's mail
    "receipt": ("number", "withdraws", "mended", "left_out"),
    "press-receipt": ("mended", "left_out", "stands"),
    "refused": ("faults", "mended", "offer"),
    # mail and faults
    "mail-bounced": ("turn", "seat"),
    "mail-failed": ("mail", "turn", "seat"),
    "joins-slowed": (),
    "fault": ("file",),
}
"""The kinds, each with the names of its facts."""

NEWEST_ONLY: Final = "secret-renewed"
"""The kind of which only the newest counts that a seat is told, and is told alone."""


def facts_of(kind: str, **values: Fact) -> str:
    """Return facts as they stand in the journal.

    Args:
        kind: One of `KINDS`.
        values: Each of its facts.
    """
    assert set(values) == {*KINDS[kind]}, f"{kind} has other facts: {sorted(values)}"
    return json.dumps({"kind": kind, **{name: _as_json(values[name]) for name in KINDS[kind]}})


def read_facts(facts: str) -> dict[str, Json]:
    """Return facts as data; where an older pbem noted none, the kind is `earlier`."""
    found: dict[str, Json] = json.loads(facts) if facts else {"kind": "earlier"}
    return found


def beginning(kind: str) -> str:
    """Return how the facts of a kind begin as they stand in the journal."""
    return json.dumps({"kind": kind})[:-1]


def kind_of(facts: str) -> str:
    """Return the kind of facts; `earlier` where an older pbem noted none."""
    return str(read_facts(facts)["kind"])


def _as_json(value: Fact) -> Json:
    if isinstance(value, datetime.datetime):
        return iso(value)
    return [*value] if isinstance(value, list) else value
