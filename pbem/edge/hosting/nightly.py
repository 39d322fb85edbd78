"""Everything that is due: mail is taken in, games are run, reports, reminders and a digest go out."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.edge.app import Ran
from pbem.edge.batch import SetAside
from pbem.edge.errors import WrongInput
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.hosting.acts import write_act
from pbem.edge.hosting.digest import digest, news_of, note_told
from pbem.edge.hosting.heartbeat import Uptime, beat
from pbem.edge.hosting.late import note_tried
from pbem.edge.hosting.notes import has_notes, read_notes
from pbem.edge.hosting.post import tell_moderator
from pbem.edge.hosting.reminding import Reminder, queue_reminders
from pbem.edge.hosting.trouble import Troubles
from pbem.edge.hosting.watch import down_after
from pbem.edge.mail.db import MailDb, open_mail
from pbem.edge.mail.settings import has_mail
from pbem.edge.privacy import open_secrets
from pbem.edge.saved import SavedGame

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Night:
    """One night's work on a home.

    Attributes:
        disk: The door to the disk.
        home: The home.
        now: The moment.
        talk: Tells the person at the keyboard, if there is one.
        uptime: The machine's other clock, if `now` was read from the first.
        say: Tells what became of each mail, where nothing went wrong; None for `talk`.
        codes: What the program should end with, for each thing that went wrong.
    """

    disk: Disk
    home: Home
    now: Moment
    talk: Callable[[str], None]
    uptime: Uptime | None = None
    say: Callable[[str], None] | None = None
    codes: list[int] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """What the program should end with: 0, or the worst of what went wrong besides the runs of games."""
        return max(self.codes, default=0)

    @property
    def _troubles(self) -> Troubles:
        return Troubles(self.disk, self.home, self.now, self.talk, self.codes)

    def begin(self) -> None:
        """Note that the host is at work, say which secrets are open, take mail in, and send the answers."""
        with self._troubles.around("pbem: nobody has looked whether secrets are open"):
            for told in open_secrets(self.home):
                self.talk(f"pbem: {told}")
        with open_mail(self.disk, self.home) as db:
            beat(db, self.now, self.uptime, down_after(self.home))
        if self._receive():
            self._send()

    def end(self, results: Sequence[Ran | SetAside], games: Sequence[str]) -> list[Reminder]:
        """Tell everybody what there is to tell, and send it; return who was reminded."""
        with open_mail(self.disk, self.home) as db:
            for result in results:
                with self._troubles.around(f"{result.game}: what came of its run is not noted"):
                    self._log_override(db, result)
                    self._note_tried(db, result.game)
                if isinstance(result, SetAside):
                    with self._troubles.around(f"{result.game}: nobody is told that it was set aside"):
                        self._tell_set_aside(db, result)
        self._receive()  # what came after a deadline is looked at now
        reminded = self._remind(games)
        with self._troubles.around("pbem: there is no digest"), open_mail(self.disk, self.home) as db:
            self._tell_digest(db, results, games)
        self._send()
        return reminded

    def log(self, results: Sequence[Ran | SetAside]) -> None:
        """Note runs that the moderator made by hand; a home without notes has them in its turns only."""
        if not has_notes(self.home):
            return
        with open_mail(self.disk, self.home) as db:
            for result in results:
                with self._troubles.around(f"{result.game}: what came of its run is not noted"):
                    self._log_override(db, result)
                    self._note_tried(db, result.game)

    def _log_override(self, db: MailDb, result: Ran | SetAside) -> None:
        if isinstance(result, Ran) and result.overrides:
            told = f"turn {result.turn} was run in spite of: {', '.join(result.overrides)}"
            write_act(db, self.now, result.game, "override", told, public=False)

    def _tell_digest(self, db: MailDb, results: Sequence[Ran | SetAside], games: Sequence[str]) -> None:
        if not has_mail(self.home) or not news_of(self.home, db, results):
            return
        found = digest(self.home, db, results, games, self._troubles.set_aside)
        about = hashlib.sha256("\n".join(found.news).encode()).hexdigest()
        title = "; ".join(_short(one) for one in results if not _is_idle(one)) or "what was odd"
        with db.writing():
            tell_moderator(self.home, db, self.now, "digest", about, title[:150], found.text())
            note_told(db)

    def _note_tried(self, db: MailDb, game: str) -> None:
        """Note that a run was tried, so that orders that came late are looked at."""
        try:
            note_tried(SavedGame(self.home, game), read_notes(db, game), db, self.now)
        except WrongInput:
            return  # the game is damaged, and was set aside for it

    def _tell_set_aside(self, db: MailDb, result: SetAside) -> None:
        """Tell the moderator once of what closed the gate."""
        overrides = " ".join(f"--override {name}" for name in result.overrides)
        way = f"\n\nMend that, or run it all the same: pbem run {result.game} --due {overrides}"
        text = f"{result.game} was not run:\n\n" + "\n".join(result.reasons) + (way if overrides else "")
        about = f"{_turn(self.home, result.game)} {' '.join(result.reasons)}"
        title = f"was not run: {', '.join(result.overrides) or 'see why'}"
        tell_moderator(self.home, db, self.now, "notice", about, title, text, result.game)

    def _remind(self, games: Sequence[str]) -> list[Reminder]:
        """Remind those who owe orders; a game that fails is left out, as it was set aside."""
        found: list[Reminder] = []
        with open_mail(self.disk, self.home) as db:
            for game in games:
                with self._troubles.around(f"{game}: nobody is reminded"):
                    found += queue_reminders(self.home, db, game, self.now, self._troubles.set_aside)
        return found

    def _receive(self) -> bool:
        """Take mail in; tell whether there was any."""
        if not has_mail(self.home):
            return False
        from pbem.edge.mail.delivery import receive

        with self._troubles.around("pbem: no mail was taken in"):
            received = receive(self.disk, self.home, self.now, self.talk, uptime=self.uptime)
            for one in received.processed:
                (self.say or self.talk)(one.line())
            for problem in received.problems:
                self.talk(f"pbem: {problem}")
            self.codes.append(received.exit_code)
            return bool(received.processed)
        return False

    def _send(self) -> None:
        if not has_mail(self.home):
            return
        from pbem.edge.mail.delivery import send

        with self._troubles.around("pbem: not all mail was sent"):
            self.codes.append(send(self.disk, self.home, self.now, self.talk).exit_code)


def _turn(home: Home, game: str) -> str:
    """Return the newest turn of a game that may be damaged."""
    try:
        return str(SavedGame(home, game).turn)
    except WrongInput:
        return ""


def _is_idle(result: Ran | SetAside) -> bool:
    return isinstance(result, Ran) and result.turn is None


def _short(result: Ran | SetAside) -> str:
    return (
        f"{result.game}: set aside" if isinstance(result, SetAside) else f"{result.game}: turn {result.turn}"
    )
