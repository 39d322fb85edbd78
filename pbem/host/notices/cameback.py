"""Mails that came back or were refused, as a digest tells of them: what became of each, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pbem.host.notices.alreadytold import already_told
from pbem.host.notices.undelivered import lost_now, to_mend, way_out
from pbem.play.homes.home import Home
from pbem.store.journals.journal import Journal
from pbem.store.journals.outgoing import Queued, State

_FATES: Final[Mapping[State, str]] = {"bounced": "came back", "failed": "was refused"}


def lost_mails(home: Home, db: Journal) -> list[Queued]:
    """Return the mails that did not arrive, and that no digest has told of."""
    known = set(already_told(db).came_back)
    return [*lost_now(home, (one for one in db.came_back() if one.id not in known))]


def invites(lost: Queued) -> bool:
    """Tell whether a mail is the invitation of a seat's player."""
    return lost.kind == "invitation" and bool(to_mend(lost))


def lost_in_brief(lost: Queued) -> str:
    """Return what became of a mail, in a few words for a subject."""
    if invites(lost):
        return f"{lost.seat} never got the invitation"
    return f"mail to {lost.seat if to_mend(lost) else 'the moderator'} {_FATES[lost.state]}"


def lost_in_lines(db: Journal, lost: Sequence[Queued]) -> list[str]:
    """Return what became of mails and what is to be done, a line each; first who was not invited."""
    return [*_uninvited(lost), *_came_back(db, lost)]


def _uninvited(lost: Iterable[Queued]) -> Iterator[str]:
    def told(one: Queued) -> tuple[str, str]:
        never = f"{one.game}: {one.seat} never got the invitation: to {one.rcpt} it {_what_became(one)}"
        return never, f"; `{to_mend(one)}` mends the address and sends it again"

    yield from _each_once(map(told, filter(invites, lost)))


def _came_back(db: Journal, lost: Iterable[Queued]) -> Iterator[str]:
    waits = {one.id for one in db.came_back(is_open=True)}

    def told(one: Queued) -> tuple[str, str]:
        reader = f"seat {one.seat} ({one.rcpt})" if to_mend(one) else "the moderator"
        about = f"{one.game or 'host'}: the {one.kind} of turn {one.turn} to {reader}"
        return f"{about} {_what_became(one)}", way_out(one, is_open=one.id in waits)

    yield from _each_once(told(one) for one in lost if not invites(one))


def _each_once(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield what became of mails and what is to be done; the same of several is told once, with a count."""
    for (became, way), number in Counter(told).items():
        yield f"{became}{f' ({number} such mails)' if number > 1 else ''}{way}"


def _what_became(lost: Queued) -> str:
    what = _FATES[lost.state]
    return f"{what}: {lost.why}" if lost.why else what
