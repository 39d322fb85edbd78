"""Everything that is due: mail is taken in, games are run, reports, reminders and a digest go out."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pbem.host.batch import SetAside
from pbem.host.deadlines import tried
from pbem.host.digest import digest, news_of, note_told
from pbem.host.heartbeat import Uptime, beat
from pbem.host.notes import read_notes
from pbem.host.reasons import down_after
from pbem.host.reminding import Reminder, queue_reminders
from pbem.host.telling import act_of, tell_moderator
from pbem.host.trouble import Troubles
from pbem.play.home import Home
from pbem.play.privacy import open_secrets
from pbem.play.running import Ran
from pbem.play.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal

Moment = datetime.datetime


class Letterbox(Protocol):
    """What the night job asks of mail."""

    def take_in(self) -> tuple[int, int]:
        """Take mail in; return how many mails were processed, and what a program should end with."""

    def send_out(self) -> int:
        """Send what is due; return what a program should end with."""


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
    """

    home: Home
    now: Moment
    talk: Callable[[str], None]
    uptime: Uptime | None = None
    letterbox: Letterbox | None = None
    codes: list[int] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """What the program should end with: 0, or the worst of what went wrong besides the runs of games."""
        return max(self.codes, default=0)

    @property
    def _troubles(self) -> Troubles:
        return Troubles(self.home, self.now, self.talk, self.codes)

    def begin(self) -> None:
        """Note that the host is at work, say which secrets are open, take mail in, and send the answers."""
        with self._troubles.around("pbem: nobody has looked whether secrets are open"):
            for told in open_secrets(self.home):
                self.talk(f"pbem: {told}")
        with self.home.journal() as db:
            beat(db, self.now, self.uptime, down_after(self.home))
        if self._receive():
            self._send()

    def end(self, results: Sequence[Ran | SetAside], games: Sequence[str]) -> list[Reminder]:
        """Tell everybody what there is to tell, and send it; return who was reminded."""
        with self.home.journal() as db:
            for result in results:
                with self._troubles.around(f"{result.game}: what came of its run is not noted"):
                    self._log_override(db, result)
                    self._note_tried(db, result.game)
                if isinstance(result, SetAside):
                    with self._troubles.around(f"{result.game}: nobody is told that it was set aside"):
                        self._tell_set_aside(db, result)
        self._receive()  # what came after a deadline is looked at now
        reminded = self._remind(games)
        with self._troubles.around("pbem: there is no digest"), self.home.journal() as db:
            self._tell_digest(db, results, games)
        self._send()
        return reminded

    def log(self, results: Sequence[Ran | SetAside]) -> None:
        """Note runs that the moderator made by hand; a home without notes has them in its turns only."""
        if not self.home.has_journal:
            return
        with self.home.journal() as db:
            for result in results:
                with self._troubles.around(f"{result.game}: what came of its run is not noted"):
                    self._log_override(db, result)
                    self._note_tried(db, result.game)

    def _log_override(self, db: Journal, result: Ran | SetAside) -> None:
        if isinstance(result, Ran) and result.overrides:
            told = f"turn {result.turn} was run in spite of: {', '.join(result.overrides)}"
            db.act(act_of(self.now, result.game, "override", told, public=False))

    def _tell_digest(self, db: Journal, results: Sequence[Ran | SetAside], games: Sequence[str]) -> None:
        if not self.home.mail_section() or not news_of(self.home, db, results):
            return
        found = digest(self.home, db, results, games, self._troubles.set_aside)
        about = hashlib.sha256("\n".join(found.news).encode()).hexdigest()
        title = "; ".join(_short(one) for one in results if not _is_idle(one)) or "what was odd"
        with db.writing():
            tell_moderator(self.home, db, self.now, "digest", about, title[:150], found.text())
            note_told(db)

    def _note_tried(self, db: Journal, game: str) -> None:
        """Note that a run was tried, so that orders that came late are looked at."""
        try:
            db.write(tried(SavedGame(self.home, game), read_notes(db, game), self.now))
        except WrongInput:
            return  # the game is damaged, and was set aside for it

    def _tell_set_aside(self, db: Journal, result: SetAside) -> None:
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

    def _send(self) -> None:
        if self.letterbox is not None:
            with self._troubles.around("pbem: not all mail was sent"):
                self.codes.append(self.letterbox.send_out())


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
