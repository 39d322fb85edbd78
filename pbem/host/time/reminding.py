"""Reminders: who owes orders is told so before the deadline, once."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.core.labels import BEFORE_DEAL
from pbem.host.notices.telling import to_player
from pbem.host.run.notes import notes_of
from pbem.host.run.trouble import Aside
from pbem.host.time.deadlines import deadline_in_force, owing_seats, reminding_from
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.silence import when_silent
from pbem.store.journals.journal import Journal
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Telling, iso
from pbem.text.reports.layout import brief

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Reminder:
    """Somebody who owes orders.

    Attributes:
        game: The id of the game.
        seat: The seat.
        player: Its player.
        label: The ask.
        due: When the orders are due, in the player's zone.
        about: What the reminder is about: a seat is reminded of a deadline once.
        then: What becomes of the seat if it stays silent; the end of a sentence.
    """

    game: str
    seat: Seat
    player: str
    label: str
    due: str
    about: str
    then: str

    def text(self) -> str:
        """Return the reminder."""
        is_start = self.label in BEFORE_DEAL
        what = f"start form for {self.game} is" if is_start else f"orders for {self.label} in {self.game} are"
        none = "none has come.\n\nWithout it" if is_start else "none have come.\n\nWithout them"
        mail = "invitation" if is_start else "report"
        return (
            f"{self.player}, your {what} due {self.due}, and {none} {self.then}.\n\n"
            f"Reply with your {self.owed} to the {mail if is_start else 'report of the turn'}, or to this "
            f"mail. A mail with the one word `resend` brings the {mail} again."
        )

    @property
    def owed(self) -> str:
        """What the seat owes, in words: before the deal the start form that came with the invitation."""
        return "start form" if self.label in BEFORE_DEAL else "orders"


def reminders(saved: SavedGame, now: Moment) -> list[Reminder]:
    """Return who owes orders of a game and should be told now; players who are away should not."""
    notes, ask = notes_of(saved.home, saved.name), saved.ask
    if isinstance(ask, Outcome) or notes.cancelled is not None or notes.rest_at(now) is not None:
        return []
    deadline = deadline_in_force(saved, notes)
    start = None if deadline is None else reminding_from(saved, deadline)
    if deadline is None or start is None or not start <= now < deadline:
        return []
    return [
        Reminder(
            saved.name,
            seat,
            saved.players.holder(seat),
            ask.label,
            saved.table.spelled(deadline, seat),
            iso(deadline),
            when_silent(saved, saved.position, seat),
        )
        for seat in owing_seats(saved, notes)
        if seat not in saved.table.free and not notes.is_away(seat, now)
    ]


def queue_reminders(
    home: Home, db: Journal, game: str, now: Moment, aside: Aside | None = None
) -> list[Reminder]:
    """Queue the reminders of a game that are due; return those that are new.

    Args:
        home: The home.
        db: Its journal.
        game: The id of the game.
        now: The moment.
        aside: Told of a reminder that cannot be made; the other seats get theirs. None: what is wrong is
            raised.
    """
    saved, new = SavedGame(home, game), []
    for one in reminders(saved, now):
        try:
            if _queue(saved, db, now, one):
                new.append(one)
        except Exception as wrong:
            if aside is None:
                raise
            aside(f"{game}: {one.seat} is not reminded", wrong)
    return new


def is_owed(saved: SavedGame, told: Telling, now: Moment) -> bool:
    """Tell whether a reminder that was to be sent would be made now, too."""
    return any(told.name == one.name for due in reminders(saved, now) for one in _told(saved, now, due))


def _queue(saved: SavedGame, db: Journal, now: Moment, one: Reminder) -> bool:
    return any(db.tell(telling) for telling in _told(saved, now, one))


def _told(saved: SavedGame, now: Moment, one: Reminder) -> tuple[Telling, ...]:
    is_due = "is due" if one.label in BEFORE_DEAL else "are due"
    title = f"Reminder: your {one.owed} {is_due} {brief(one.due)} ({one.label})"
    about, facts = f"{one.label} {one.about}", facts_of("reminder", label=one.label, due=one.about)
    return to_player(saved, now, one.seat, "reminder", about, title, one.text(), facts=facts)
