"""The doctor looks at a home and its mail from outside in, and says what is wrong and what mends it."""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pbem.core.interface import Outcome
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import JournalDamaged, WrongInput, error_in_words
from pbem.store.opening import SCHEMES

if TYPE_CHECKING:
    import datetime

    from pbem.doctor.servers import NameServers


LMTP_PORT: Final = 2424
"""Where `pbem lmtp` listens if nothing else is said."""

SALVAGE: Final = "pbem help home salvage   # shows all steps, with a backup and without one"
"""What mends a damaged journal."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong.

    Attributes:
        text: What is wrong, in one line and without anything secret.
        mend: What mends it, as a line for a shell; what cannot be typed stands in it as a comment.
        part: What was looked at, in a word or two.
    """

    text: str
    mend: str
    part: str = ""


class NotCheckableError(Exception):
    """A part cannot be looked at here, for a reason that is no fault; it is said in words."""


@dataclass(frozen=True)
class Patient:
    """A home that is looked at.

    Attributes:
        home: The home.
        where: The folder or the address of the database, as it was given.
        now: The moment.
        home_words: What names the home in a command, such as `--home games`; "" if that needs no word.
        names: What asks name servers; None if nothing on this machine can.
        asks_reserved: Domains that no name server of the world knows are asked for all the same.
        lmtp_port: Where `pbem lmtp` would listen on this machine.
    """

    home: Home
    where: str
    now: datetime.datetime
    home_words: str = ""
    names: NameServers | None = None
    asks_reserved: bool = False
    lmtp_port: int = LMTP_PORT

    @property
    def is_database(self) -> bool:
        """Tell whether a database keeps the home."""
        return self.where.startswith(SCHEMES)

    @cached_property
    def games(self) -> list[str]:
        """The ids of all games."""
        return self.home.games()

    @cached_property
    def running(self) -> dict[str, bool]:
        """The games that wait for orders, and whether each has days on which its turns are due.

        One that cannot be read is told where games are looked at.
        """
        found = {}
        for game in self.games:
            with contextlib.suppress(WrongInput):
                saved = SavedGame(self.home, game)
                if not isinstance(saved.ask, Outcome) and saved.cancelled is None:
                    found[game] = bool(saved.table.schedule.days)
        return found

    @property
    def has_deadlines(self) -> bool:
        """Tell whether a game that goes on has days on which its turns are due."""
        return any(self.running.values())

    @cached_property
    def mail(self) -> MailSettings | None:
        """What the home says about mail; None if it does not play by mail, or says it wrong."""
        try:
            return mail_settings(self.home) if self.home.mail_section() else None
        except WrongInput:  # told where home.yaml is looked at
            return None

    def needed_mail(self) -> MailSettings:
        """Return what the home says about mail.

        Raises:
            NotLookedAtError: It does not play by mail, or says it wrong.
        """
        if self.mail is not None:
            return self.mail
        is_wrong = self.has_wrong_settings
        raise NotCheckableError("home.yaml is wrong" if is_wrong else "the home does not play by mail")

    @property
    def has_wrong_settings(self) -> bool:
        """Tell whether what `home.yaml` says of mail cannot be taken as it stands."""
        try:
            return self.mail is None and bool(self.home.mail_section())
        except WrongInput:
            return True

    def pbem(self, words: str, remark: str = "") -> str:
        """Return a command of this program for this home, with a remark behind it."""
        return _add_remark(f"pbem {words} {self.home_words}".strip(), remark)

    def refused(self, wrong: Exception, mend: str) -> Finding:
        """Return what a refusal of the program tells; the command it names mends it, or the one given."""
        if isinstance(wrong, JournalDamaged):
            return Finding(error_in_words(wrong), SALVAGE)
        if not (isinstance(wrong, WrongInput) and wrong.command):
            return Finding(error_in_words(wrong), mend)
        of_home = wrong.command.startswith("pbem ")
        typed = self.pbem(wrong.command.removeprefix("pbem ")) if of_home else wrong.command
        return Finding(" ".join(wrong.text.split()), typed)

    def edit(self, name: str, remark: str = "") -> str:
        """Return what opens a file of the moderator's, with what to do there."""
        if self.is_database:
            got = self.pbem(f"home get {name} > mine.yaml")
            put = self.pbem(f"home put {name} mine.yaml")
            return _add_remark(f"{got} && ${{EDITOR:-nano}} mine.yaml && {put}", remark)
        return _add_remark(f"${{EDITOR:-nano}} {shlex.quote(self.home.store.spelled(name))}", remark)

    def settings_edit_command(self, remark: str) -> str:
        """Return what opens `home.yaml`, with what to do there."""
        return self.edit(SETTINGS, remark)


def _add_remark(command: str, remark: str) -> str:
    return f"{command}   # {remark}" if remark else command


def secret_file(file: str) -> str:
    """Return what writes a password into a file that only its owner can read."""
    told = "and type it, then Return and Control-D; an app password, where the provider has them"
    return _add_remark(f"(umask 077; cat > {shlex.quote(file)})", told)


def as_shell_comment(words: str) -> str:
    """Return what cannot be typed here, as a line for a shell."""
    return f"# {' '.join(words.split())}"
