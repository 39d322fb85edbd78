"""A moderator who mails acts, for tests: what is sent, and what comes back."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

from pbem.mail.conversation.acts import renew_secret
from pbem.play.homes.home import Home
from tests.hosting.games import GAME, HOUR, MADE, MODERATOR, a_club, pbem, stay
from tests.mail.host import Host, read, text_of

NOW = MADE + 2 * HOUR


@dataclass
class Mary:
    """The moderator of a club, with a mail program.

    Attributes:
        host: The host.
        address: Where acts are mailed to.
    """

    host: Host
    address: str

    @property
    def home(self) -> Home:
        """The home."""
        return self.host.home

    def mails(self, text: str, *, to: str = "", sender: str = MODERATOR, **headers: str) -> str:
        """Mail something; return what became of the mail."""
        raw = self.host.a_mail(text, sender=sender, **{"subject": "", **headers})
        return self.host.gets(raw, to or self.address, sender).verdict

    def answers(self) -> list[Message]:
        """Return the answers that have come."""
        return [read(one.raw) for one in self.host.outbox() if one.rcpt == MODERATOR]

    def answer(self) -> str:
        """Return the text of the newest answer, its lines put together again."""
        return " ".join(text_of(self.answers()[-1]).split())

    def reply_to(self) -> str:
        """Return where the newest answer is answered."""
        return str(self.answers()[-1]["Reply-To"])

    def asks(self, text: str) -> str:
        """Mail an act, and say yes when it is asked back; return what became of the last mail."""
        said = self.mails(text)
        return self.mails("Yes.", to=self.reply_to()) if said == "asked" else said

    def passes(self, span: datetime.timedelta) -> None:
        """Let time go by."""
        self.host.now += span


def mary(path: Path, make: Callable[[Path], Home] | None = None) -> Mary:
    """Return the moderator of a club, of which a turn was run."""
    home = make(path) if make else a_club(path, by_mail=True, gate={"disk": 0})
    stay(home, "1", "2", "3")
    pbem(home, "run", GAME)
    return Mary(Host(home, now=NOW), renew_secret(home, MADE + HOUR))
