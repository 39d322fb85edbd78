"""The figures of a home in the text format of Prometheus, for whatever watches over it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from pbem.play.homes.home import Home
from pbem.store.journals.figures import Figure

KINDS: Final = {
    "mails_in_total": ("counter", "Mails that ever came in."),
    "mails_in_waiting": ("gauge", "Mails that came in and are not processed, by reason."),
    "mails_in_oldest_seconds": ("gauge", "Age of the oldest mail that nobody has looked at."),
    "mails_out": ("gauge", "Mails that are not with their readers, by state."),
    "mails_sent_total": ("counter", "Mails that ever went out, those that came back among them."),
    "tellings_waiting": ("gauge", "News for players and the moderator that no mail was made of."),
    "games": ("gauge", "Games."),
    "games_stirring": ("gauge", "Games to look at: something changed in them, or they are due."),
    "games_overdue_seconds": ("gauge", "Time since the first of the games that are due was due."),
    "jobs": ("gauge", "Jobs, by task and state; planned ones have a moment that has not come."),
    "jobs_oldest_seconds": ("gauge", "Time since the oldest job that waits could have been done."),
    "workers": ("gauge", "Workers that were heard of within 20 seconds."),
    "database_bytes": ("gauge", "Size of the database."),
}
"""What each figure is: its kind, and what it counts."""


def metrics(home: Home, now: datetime.datetime) -> str:
    """Return the figures of a home as Prometheus reads them: no address in them, no name, no secret."""
    found = home.store.figures(now)
    parts = (_part(name, list(some)) for name, some in groupby(found, lambda one: one.name))
    return "".join(f"{line}\n" for part in parts for line in part)


def _part(name: str, figures: Iterable[Figure]) -> Iterator[str]:
    kind, words = KINDS[name]
    yield f"# HELP pbem_{name} {words}"
    yield f"# TYPE pbem_{name} {kind}"
    for one in figures:
        labels = ",".join(f'{label}="{_escaped(value)}"' for label, value in one.labels.items())
        yield f"pbem_{name}{f'{{{labels}}}' if labels else ''} {one.value:.12g}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
