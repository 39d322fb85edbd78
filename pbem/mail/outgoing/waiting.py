"""Mails that are not with their readers: to whom, since when, why not, and the command that goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pbem.host.notices.undelivered import lost_now, to_mend, to_resend, why_in_words
from pbem.host.run.reported import unqueued
from pbem.host.time.deadlines import last_run
from pbem.mail.outgoing.shown import minute
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journals.journal import Journal
from pbem.store.journals.outgoing import Queued
from pbem.store.journals.records import MODERATOR, iso

UNWRITTEN: Final = "unwritten"
"""The state of what is to be told, and is no mail yet."""

_STATES: Final = {
    UNWRITTEN: "is to be written, since",
    "queued": "waits since",
    "claimed": "is being sent, or its sender was stopped; queued",
    "failed": "was refused; queued",
    "bounced": "came back; queued",
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail that is not with its reader.

    Attributes:
        kind: What it is: "report", "receipt" and so on.
        game: The game it is about, or "".
        turn: The turn it is about.
        seat: The seat that it is for; "" for the moderator or nobody at the table.
        to: Its address.
        since: When it was queued, or was to be told, ISO 8601.
        state: "unwritten", "queued", "claimed", "failed" or "bounced".
        why: What the server said, or "".
        next_try: It is not tried again before this moment, ISO 8601; "" for at once, or never.
        command: What goes on with it.
    """

    kind: str
    game: str
    turn: int
    seat: str
    to: str
    since: str
    state: str
    why: str
    next_try: str
    command: str

    def line(self) -> str:
        """Return it in a line for people."""
        about = f" of {self.game}, turn {self.turn}" if self.game else ""
        reader = f"{self.seat} ({self.to})" if self.seat else self.to
        again = f"; tried again after {minute(self.next_try)}" if self.next_try else ""
        why = f": {why_in_words(self.why, self.seat)}" if self.why else ""
        return f"{self.kind}{about}, to {reader}: {_STATES[self.state]} {minute(self.since)}{why}{again}"


def waiting_mails(home: Home, db: Journal) -> list[Waiting]:
    """Return the mails that wait, were refused or came back, by what goes on with them.

    What came back counts until its reader is heard, and only where the seat still has that address.
    """
    found = [*_reports(home, db), *_tellings(db)]
    found += [_queued(one) for state in ("queued", "claimed") for one in db.outbox(state)]
    found += [_queued(one) for one in lost_now(home, db.came_back(is_open=True)) if _counts(home, one)]
    return sorted(found, key=lambda one: one.command)


def in_lines(mails: list[Waiting]) -> Iterator[str]:
    """Yield mails in lines for people, below those of one kind the command that goes on with them."""
    for command, alike in groupby(mails, key=lambda one: one.command):
        yield from (one.line() for one in alike)
        yield f"    {command}"


def _reports(home: Home, db: Journal) -> Iterator[Waiting]:
    """Yield the reports of newest turns that are no mails yet."""
    for game in home.games():
        try:
            saved = SavedGame(home, game)
            seats, at = unqueued(saved, db), iso(last_run(saved))
        except WrongInput:  # a damaged game is told of by `pbem doctor`
            continue
        for seat in seats:
            of, to = ("report", game, saved.turn, seat), saved.players.address(seat)
            yield Waiting(*of, to, at, UNWRITTEN, "", "", "pbem send")


def _tellings(db: Journal) -> Iterator[Waiting]:
    for _, one in db.untold():
        of = (one.kind, one.game, one.turn, one.seat)
        yield Waiting(*of, one.address, one.at, UNWRITTEN, "", "", "pbem send")


def _queued(one: Queued) -> Waiting:
    mend = to_mend(one)
    command = to_resend(one) or mend
    if one.state == "failed":
        command = f"pbem send --again, or with another address: {mend}" if mend else "pbem send --again"
    elif one.state != "bounced":
        command = "pbem send"
    of = (one.kind, one.game, one.turn, "" if one.seat == MODERATOR else one.seat)
    return Waiting(*of, one.rcpt, one.created, one.state, one.why, one.next_try, command)


def _counts(home: Home, one: Queued) -> bool:
    """Tell whether a lost mail still matters: it was refused, or is of a game that is here."""
    return one.state == "failed" or (bool(to_mend(one)) and home.has(one.game))
