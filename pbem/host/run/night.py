"""Everything that is due: mail, runs, reports, reminders, a digest; games that rest are not opened."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pbem.host.notices.digest import (
    digest,
    news_of,
    note_reruns_told,
    ready_reruns,
    subject_of_digest,
    untold_news_text,
)
from pbem.host.notices.queue import (
    clear_owed_turns,
    journal_mark,
    note_digest_told,
    note_owed_turns,
    owed_turn_outcomes,
    tell_moderator,
)
from pbem.host.office.watch import Uptime, beat, down_after, has_jumped, note_if_lost
from pbem.host.run.batch import SkippedGame, note_run, results_without_held
from pbem.host.run.losses import REPORTED, FaultGuard, unqueued_report_turns
from pbem.host.run.notes import Notes, read_notes
from pbem.host.time.deadlines import closing_moment, deadline_in_force, last_run_moment, reminder_start
from pbem.host.time.extensions import queue_reminders
from pbem.play.config.schedule import Span
from pbem.play.homes.home import Home, exposed_secrets, is_exposed
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.records import facts_of

if TYPE_CHECKING:
    from pbem.host.run.batch import SkippedGame
    from pbem.host.time.extensions import Reminder
    from pbem.play.turn.running import RunOutcome


Moment = datetime.datetime


class NightMail(Protocol):
    """What the night job asks of mail."""

    def take_in(self) -> tuple[int, int]:
        """Take mail in; return how many mails were processed, and what a program should end with."""

    def send_out(self, games: Iterable[str] | None = None) -> int:
        """Send what is due of these games, or of all; return what a program should end with."""


@dataclass(frozen=True, slots=True)
class Night:
    """One night's work on a home.

    Attributes:
        home: The home.
        now: The moment.
        talk: Tells the person at the keyboard, if there is one.
        uptime: The machine's other clock, if `now` was read from the first.
        letterbox: Takes mail in and sends it; None for a home that does not play by mail.
        codes: What the program should end with, for each thing that went wrong.
        named: The games that the moderator named; without names, all are looked at that do not rest.
        troubled: The games that something went wrong with, among other words.
        seen: What stood in each game that does not rest, before it was opened.
    """

    home: Home
    now: Moment
    talk: Callable[[str], None]
    uptime: Uptime | None = None
    letterbox: NightMail | None = None
    codes: list[int] = field(default_factory=list)
    named: tuple[str, ...] = ()
    troubled: set[str] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """What the program should end with: 0, or the worst of what went wrong besides the runs of games."""
        return max(self.codes, default=0)

    @property
    def _troubles(self) -> FaultGuard:
        return FaultGuard(self.home, self.now, self.talk, self.codes, self.troubled)

    def begin(self) -> list[str]:
        """Note that the host is at work, say which secrets are open, take mail in, and send what is due.

        Returns:
            The games to look at.

        Raises:
            WrongInput: This is no home.
        """
        games = None if self.named else self.home.store.stirring(self.now)
        with self._troubles.around("pbem: nobody has looked whether secrets are open"):
            for told in exposed_secrets(self.home, games):
                self.talk(f"pbem: {told}")
        with self.home.journal() as db:
            note_if_lost(self.home, db, self.now)
            beats = beat(db, self.now, self.uptime, down_after(self.home), is_night=not self.named)
            is_mail = self._receive()
            if is_mail or self.named or games:
                self._send(self.named or games)  # so that a report is with its players before a run goes on
            if games is None:
                return [*self.named]
            if is_mail or has_jumped(beats, self.now):
                games = self.home.store.stirring(self.now)
            self.seen.update((game, self.home.store.seen(game)) for game in games)
            note_owed_turns(self.home, db, games)
        return games

    def resting(self) -> tuple[str, ...]:
        """Return which games rest, besides those that are looked at."""
        with self.home.journal() as db:
            return tuple(sorted(db.resting(self.now).keys() - self.seen.keys()))

    def end(self, results: Sequence[RunOutcome | SkippedGame], games: Sequence[str]) -> list[Reminder]:
        """Tell everybody what there is to tell, and send it; return who was reminded."""
        with self.home.journal() as db:  # opened once for all of it
            if results:
                self._note(results)
            self._receive()  # what came after a deadline is looked at now
            reminded = self._remind(games)
            self._send(None if self.named else games)  # so that the digest knows what was refused
            with self._troubles.around("pbem: there is no digest"):
                if self._tell_digest(db, results, games):
                    self._send(())
            self._let_rest(results)
        return reminded

    def follow_up_results(self, results: Sequence[RunOutcome | SkippedGame]) -> None:
        """Tell everybody what there is to tell of games, and let them rest; for workers."""
        self._note(results)
        self._tell_to_send(results)
        self._remind([one.game for one in results])
        self._let_rest(results)

    def tell_digest(self) -> None:
        """Tell the moderator what came back and what was odd since the last digest; for workers."""
        with self._troubles.around("pbem: there is no digest"), self.home.journal() as db:
            self._tell_digest(db, (), self.home.games())

    def _note(self, results: Sequence[RunOutcome | SkippedGame]) -> None:
        """Note what came of each game, and tell the moderator of those that were set aside."""
        with self.home.journal() as db:
            for result in results_without_held(results):
                note_run(db, self._troubles, result)
                if isinstance(result, SkippedGame):
                    with self._troubles.around(f"{result.game}: nobody is told that it was set aside"):
                        self._tell_set_aside(db, result)

    def _let_rest(self, results: Sequence[RunOutcome | SkippedGame]) -> None:
        """Let those games rest that have got no turn, and with which nothing went wrong."""
        idle = [one.game for one in results if _is_idle(one) and one.game in self.seen]
        if not idle:
            return

        with self.home.journal() as db:
            for game in idle:
                if game not in self.troubled:
                    with self._troubles.around(f"{game}: it is looked at again next time"):
                        let_rest(self.home, db, game, self.seen[game], self.now)

    def _tell_digest(
        self, db: Journal, results: Sequence[RunOutcome | SkippedGame], games: Sequence[str]
    ) -> bool:
        """Queue the digest; return whether there is anything to tell."""
        if not self.home.mail_section():
            return False

        if not self.home.mail_section().get("moderator"):
            if waiting := len(news_of(self.home, db, (), now=self.now)):
                self.talk(untold_news_text(waiting))
            return False
        results, upto = results_without_held(results), journal_mark(db)
        results += owed_turn_outcomes(self.home, db, [one.game for one in results if not _is_idle(one)])
        own = [one for one in results if not isinstance(one, SkippedGame)]
        awaited = [*ready_reruns(self.home, db, games, self.now)]
        if not (awaited or news_of(self.home, db, own, now=self.now)):
            clear_owed_turns(db)
            return False  # a game that was set aside is told of by itself, once
        news = [*news_of(self.home, db, results, now=self.now), *(one.mark for one in awaited)]
        aside, resting = self._troubles.set_aside, self.resting()
        of = (self.home, db, results, games, aside)
        found = digest(*of, resting=resting, is_mailed=True, now=self.now, awaited=awaited)
        about = hashlib.sha256("\n".join(news).encode()).hexdigest()
        title = subject_of_digest(self.home, db, results, self.now, awaited)
        with db.writing():
            reader, facts = (self.home, db, self.now), facts_of("digest")
            tell_moderator(*reader, "digest", about, title[:150], found.text(), facts=facts)
            note_digest_told(db, upto)
            note_reruns_told(db, awaited)
        return True

    def _tell_set_aside(self, db: Journal, result: SkippedGame) -> None:
        """Tell the moderator once of what closed the gate."""
        way = result.override_hint(due=True)
        text = f"{result.game} was not run:\n\n" + "\n".join(result.reasons)
        text += f"\n\n{way[0].upper()}{way[1:]}" if way else ""
        if result.to_send:
            text = "\n\n".join((text.rstrip(), "\n".join(result.to_send)))
        about = f"{_turn(self.home, result.game)} {' '.join((*result.reasons, *result.to_send))}"
        title = f"was not run: {', '.join(result.overrides) or 'see why'}"
        of, facts = (self.home, db, self.now), facts_of("run-refused", reasons=[*result.overrides])
        tell_moderator(*of, "notice", about, title, text, result.game, facts=facts)

    def _tell_to_send(self, results: Sequence[RunOutcome | SkippedGame]) -> None:
        """Tell the moderator what to send by hand; who reads along learns that, if no mail can tell it."""
        is_told_aside = bool(self.home.mail_section().get("moderator"))
        for ran in results:
            if not ran.to_send or (is_told_aside and isinstance(ran, SkippedGame)):
                continue
            text = "\n".join(ran.to_send)
            with self._troubles.around(f"{ran.game}: nobody is told what to send by hand"):
                with self.home.journal() as db, db.writing():
                    of, facts = (self.home, db, self.now), facts_of("send-by-hand")
                    title = "to be sent by hand"
                    is_told = tell_moderator(*of, "notice", text, title, text, ran.game, facts=facts)
                if not is_told:
                    self.talk(text)

    def _remind(self, games: Sequence[str]) -> list[Reminder]:
        """Remind those who owe orders; a game that fails is left out, as it was set aside."""
        found: list[Reminder] = []
        if not games:
            return found

        with self.home.journal() as db:
            for game in games:
                with self._troubles.around(f"{game}: nobody is reminded"):
                    found += queue_reminders(self.home, db, game, self.now, self._troubles.set_aside)
        return found

    def _receive(self) -> bool:
        """Take mail in; tell whether there was any."""
        if self.letterbox is None:
            return False
        with self._troubles.around("pbem: no mail was taken in"):
            processed, code = self.letterbox.take_in()
            self.codes.append(code)
            return processed > 0
        return False

    def _send(self, games: Sequence[str] | None) -> None:
        if self.letterbox is not None:
            with self._troubles.around("pbem: not all mail was sent"):
                self.codes.append(self.letterbox.send_out(games))


def _turn(home: Home, game: str) -> str:
    """Return the newest turn of a game that may be damaged."""
    try:
        return str(home.turns(game).newest())
    except WrongInput:
        return ""


def _is_idle(result: RunOutcome | SkippedGame) -> bool:

    return not isinstance(result, SkippedGame) and result.turn is None


_LEAST, _SPREAD = Span(hours=18), Span(hours=12)


def rests_until(saved: SavedGame, notes: Notes, now: Moment) -> Moment:
    """Return the earliest moment when a night job may have something to do though nothing changes.

    That may be:

    - the moment of the reminder before the deadline, or, within the time of reminders, the one in which a
      player who is away is back;
    - the earliest run of a turn that all have answered (`early`);
    - the deadline, at which such a turn is run that may not run early;
    - the beginning of a pause and its end;
    - the end of its grace, when silence is answered for and it is noted that the run was tried;
    - in any case, after a day or so. This is for what nobody foresees, such as a file of a turn that somebody
      changed. The games are spread over 12 hours by their names, so that not all are opened in one night.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment at which the night job has done what there was to do.
    """
    schedule, deadline, closes = (
        saved.table.schedule,
        deadline_in_force(saved, notes),
        closing_moment(saved, notes),
    )
    found = [now + _LEAST + _game_offset(saved.name)]
    if notes.cancelled is not None:
        return found[0]
    if deadline is not None and closes is not None:
        found += [deadline, closes]
        reminding = reminder_start(saved, deadline)
        if reminding is not None:
            found.append(reminding)
    if schedule.early is not None:
        found.append(last_run_moment(saved) + schedule.early)
    if notes.paused is not None:
        found += [moment for moment in (notes.paused.start, notes.paused.end) if moment is not None]
    for absences in notes.away.values():
        found += [moment for one in absences for moment in (one.start, one.end)]
    return min(moment for moment in found if moment > now)


def _game_offset(game: str) -> Span:
    """Return a span from nothing to 12 hours that is a game's own."""
    part = int.from_bytes(hashlib.sha256(game.encode()).digest()[:4], "big") / 2**32
    return Span(seconds=int(part * _SPREAD.total_seconds()))


def let_rest(home: Home, db: Journal, game: str, seen: str, now: Moment) -> None:
    """Let a game rest in which a night job has nothing left to do.

    Args:
        home: The home.
        db: Its journal.
        game: The game, of which the night job has made no turn and in which nothing went wrong.
        seen: What stood in it before it was opened.
        now: The moment of the night job.
    """
    if is_exposed(home, game):  # which is told every time
        return
    if home.mail_section() and unqueued_report_turns(home.turns(game), db.notes(game, REPORTED)):
        return
    until = rests_until(SavedGame(home, game), read_notes(db, home, game), now)
    home.store.let_rest(game, seen, until)
