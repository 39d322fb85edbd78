"""Workers of a home in a database. A worker looks, for each job, at what is true now, and does what is left.

A job says only where to look. Whoever does it twice, late, or beside a command finds nothing left, and what
fails is set aside in the same words as by the night job.
"""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.archive.site import write_archive
from pbem.host.office.watch import beat, down_after
from pbem.host.run.batch import SkippedGame, run_games
from pbem.host.run.losses import REPORTED, FaultGuard, unqueued_report_turns
from pbem.host.run.night import Night
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.mail.arrivals.processing import process_one, process_postponed_mails
from pbem.mail.conversation.acts import CommandLine
from pbem.mail.outgoing.letters import queue_reports, write_letters
from pbem.mail.outgoing.outbox import Sender
from pbem.mail.outgoing.transports import Carrier, open_carrier
from pbem.play.homes.home import Home
from pbem.play.turn.running import RunOutcome
from pbem.store.errors import GateClosedError, JournalRefused
from pbem.store.postgresql.postgres import PostgresStore
from pbem.store.records import (
    letters_job,
    look_job,
    process_job,
    process_later_job,
    reports_job,
    send_job,
    wake_job,
)

Moment = datetime.datetime

FLOOD: Final = datetime.timedelta(minutes=1)
"""Until the newest of a flood of mails is looked at."""

AHEAD: Final = datetime.timedelta(minutes=2)
"""So long before a game's moment its job is planned: jobs that wait for long would slow all others down."""

_MOST: Final = 500
"""So many mails, either way, are given jobs by one sweep."""


_PASSING: Final = frozenset(["unread", "unsent"])
"""Reasons of the gate that other jobs are about to put right."""


class BusyError(Exception):
    """Another job or program is at work on what a job is about: it is done a little later."""


@dataclass(frozen=True, slots=True)
class JobRunner:
    """What a worker works with.

    Attributes:
        store: The home's store.
        clock: Tells the time.
        talk: Gets a line for whatever became of something.
        commands: Reads what the moderator mails.
        pages: The folder of the archive, if this worker writes it.
    """

    store: PostgresStore
    clock: Callable[[], Moment]
    talk: Callable[[str], None]
    commands: CommandLine
    pages: Path | None = None
    _lines: threading.local = field(default_factory=threading.local)
    _open: list[Carrier] = field(default_factory=list)

    def close(self) -> None:
        """Say goodbye to the mail servers."""
        for carrier in self._open:
            carrier.close()

    @property
    def _home(self) -> Home:
        return Home(self.store)

    def _fault_guard(self, now: Moment) -> FaultGuard:
        return FaultGuard(self._home, now, self.talk)

    def _settings(self) -> MailSettings | None:
        return mail_settings(self._home) if self._home.mail_section() else None

    # --- mails that came in

    def process(self, number: int) -> None:
        """Process a mail that came in.

        Raises:
            BusyError: Its game is held by another program.
        """
        now = self.clock()
        one = process_one(self._home, now, self.commands, number)
        if one is None:
            return
        self.talk(one.line())
        if one.verdict == "waits":
            raise BusyError(one.line())
        if one.verdict == "later":
            self.store.db.after(process_later_job(one.game, now + FLOOD))

    def process_later(self, game: str) -> None:
        """Process the newest mails of seats that send more than is ever looked at."""
        for one in process_postponed_mails(self._home, self.clock(), self.commands, game):
            self.talk(one.line())

    # --- games

    def look(self, game: str, *, is_last: bool = False) -> None:
        """Do whatever is due in a game: run it, tell what came of it, remind; then let it rest.

        Args:
            game: The game.
            is_last: It was tried for a while: a mail that waits for long is no other job's matter any more.

        Raises:
            BusyError: It is held by another program, or waits for a mail that other jobs are at work on.
        """
        now, results = self.clock(), list[RunOutcome | SkippedGame]()
        if not self.store.is_stirring(game, now):
            return
        night = Night(self._home, now, self.talk, seen={game: self.store.seen(game)})
        run_games(
            self._home,
            [game],
            now=now,
            due=True,
            overrides=(),
            deal=False,
            done=results.append,
            attended=False,
        )
        for one in results:
            if isinstance(one, SkippedGame) and (one.is_busy or (not is_last and _is_temporary(one))):
                raise BusyError(f"{game}: {one.reasons[0]}")
            if isinstance(one, SkippedGame):
                self.talk(f"{game}: set aside: {'; '.join(one.reasons)}")
            elif one.turn is not None:
                self.talk(one.line())
        night.follow_up_results(results)
        self._queue_waiting_jobs(game)

    def _queue_waiting_jobs(self, game: str) -> None:
        """Let mails be looked at that waited for a run, and reports be made that are not yet."""
        db = self.store.db
        for intake in db.postponed_mails("late", game):
            db.after(process_job(intake.id, intake.recipient, intake.envelope_from))
        if self._settings() is not None and unqueued_report_turns(
            self._home.turns(game), db.notes(game, REPORTED)
        ):
            db.after(reports_job(game))

    def report(self, game: str) -> None:
        """Make the mails of what was committed in a game, with their pages and pictures.

        Raises:
            BusyError: It is held by another program.
        """
        settings, now = self._settings(), self.clock()
        if settings is None or not self._home.has(game):
            return
        troubles = self._fault_guard(now)
        try:
            aside = troubles.set_aside
            write_letters(self._home, self.store.db, settings, now, aside, game=game, is_before_reports=True)
            queue_reports(self._home, self.store.db, settings, game, now, troubles.set_aside)
        except GateClosedError as closed:
            raise BusyError(str(closed)) from None
        except JournalRefused:
            raise  # the database is gone: that is no fault of the game
        except Exception as wrong:
            troubles.set_aside(f"{game}: its reports are not queued", wrong)

    def write(self, game: str) -> None:
        """Write to their readers what is to be told about a game, or about none."""
        settings, now = self._settings(), self.clock()
        if settings is not None:
            aside = self._fault_guard(now).set_aside
            write_letters(self._home, self.store.db, settings, now, aside, game=game)

    # --- mails that go out

    def send(self, number: int, domain: str, has_turn: bool) -> None:
        """Send a mail, at the pace of its domain.

        Args:
            number: The mail.
            domain: Where it goes.
            has_turn: It has waited for its turn.
        """
        settings, now, db = self._settings(), self.clock(), self.store.db
        if settings is None:
            return
        if settings.per_minute and not has_turn:
            turn = db.turn_of(domain, now, datetime.timedelta(minutes=1) / settings.per_minute)
            if turn > now:
                db.after(send_job(number, f"@{domain}", turn, has_turn=True))
                return
        aside = self._fault_guard(now).set_aside
        carrier = self._carrier(settings)
        Sender(self._home, db, settings, carrier, self.talk, now, aside=aside).send_one(number)

    def _carrier(self, settings: MailSettings) -> Carrier:
        """Return what takes mails out; its line stays open for the next mail."""
        known: tuple[MailSettings, Carrier] | None = getattr(self._lines, "carrier", None)
        if known is None or known[0] != settings:
            self._lines.carrier = known = (settings, open_carrier(settings))
            self._open.append(known[1])
        return known[1]

    # --- what is done from time to time

    def archive(self) -> None:
        """Bring the pages of the archive up to date."""
        if self.pages is not None:
            found = write_archive(self._home, self.pages)
            for name, why in found.aside.items():
                self.talk(f"{name}: set aside: {why}")

    def sweep(self) -> None:
        """Note that the host is at work, and give jobs to whatever has none and should.

        That is what changed before there were workers, and what a restored backup or a lost job has left.
        """
        now, db = self.clock(), self.store.db
        with self._fault_guard(now).around("pbem: it is not noted that the host is at work"):
            beat(db, now, None, down_after(self._home))
        for game in self.store.stirring(now)[:_MOST]:
            db.after(look_job(game))
        for game, moment in self.store.waking_games(now, now + AHEAD):
            db.after(wake_job(game, moment))
        for intake in db.mails_without_verdict(_MOST):
            db.after(process_job(intake.id, intake.recipient, intake.envelope_from))
        for number, rcpt in db.due(now, _MOST):
            db.after(send_job(number, rcpt))
        for game in sorted({told.game for _, told in db.untold()}):
            db.after(letters_job(game))

    def digest(self) -> None:
        """Tell the moderator what came back and what was odd since the last digest."""
        Night(self._home, self.clock(), self.talk).tell_digest()


def _is_temporary(aside: SkippedGame) -> bool:
    """Tell whether a game was set aside only for what other jobs are about to put right."""
    return len(aside.overrides) == len(aside.reasons) and _PASSING.issuperset(aside.overrides)
