"""Figures about a home for whoever watches over it: counts and ages, found by indexes; no game is opened."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.store.journals.journal import Journal

_REASONS: Final = {"": "new", "waits": "busy", "late": "late", "later": "flood"}
"""Why a mail that came in is not processed, by its verdict so far."""

_UNSENT: Final = ("queued", "claimed", "failed", "bounced", "muted")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; nothing in it tells of a person, an address or a secret.

    Attributes:
        name: What it is, as `pbem status --metrics` names it behind `pbem_`.
        value: Its value.
        labels: What it is about, by the kind of thing.
    """

    name: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


def of_journal(db: Journal, now: datetime.datetime) -> list[Figure]:
    """Return the figures of the journal: mails, and what is to be told."""
    waiting = dict.fromkeys(_REASONS.values(), 0)
    for verdict, count in db.waiting_by_verdict().items():
        waiting[_REASONS.get(verdict, verdict)] = count
    out = dict.fromkeys(_UNSENT, 0) | db.outbox_by_state()
    return [
        Figure("mails_in_total", db.arrived()),
        *(Figure("mails_in_waiting", count, {"reason": reason}) for reason, count in waiting.items()),
        Figure("mails_in_oldest_seconds", age(db.oldest_new(), now)),
        *(Figure("mails_out", out[state], {"state": state}) for state in _UNSENT),
        Figure("mails_sent_total", out.get("sent", 0) + out["bounced"]),
        Figure("tellings_waiting", db.count_untold()),
    ]


def of_games(
    games: int, stirring: int, due: datetime.datetime | None, now: datetime.datetime
) -> list[Figure]:
    """Return the figures of the games.

    Args:
        games: How many there are.
        stirring: How many of them are to be looked at.
        due: Since when the first of those is due whose moment has come; None if there is none.
        now: The moment.
    """
    return [
        Figure("games", games),
        Figure("games_stirring", stirring),
        Figure("games_overdue_seconds", age(due, now)),
    ]


def age(since: datetime.datetime | None, now: datetime.datetime) -> float:
    """Return how many seconds ago something was, never fewer than none; 0 if it never was."""
    return max(0.0, (now - since).total_seconds()) if since else 0.0
