"""What the night job has of mail: mail is taken in, and what there is to send goes out."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from pbem.host.heartbeat import Uptime
from pbem.mail.delivery import receive, send
from pbem.play.home import Home


@dataclass(frozen=True, slots=True)
class Letterbox:
    """The mail of a home at a moment.

    Attributes:
        home: The home, which plays by mail.
        now: The moment.
        talk: Told what went wrong.
        say: Told what became of each mail.
        uptime: The machine's other clock, if `now` was read from the first.
    """

    home: Home
    now: datetime.datetime
    talk: Callable[[str], None]
    say: Callable[[str], None]
    uptime: Uptime | None = None

    def take_in(self) -> tuple[int, int]:
        """Take mail in; return how many mails were processed, and what a program should end with."""
        received = receive(self.home, self.now, self.talk, uptime=self.uptime)
        for one in received.processed:
            self.say(one.line())
        for problem in received.problems:
            self.talk(f"pbem: {problem}")
        return len(received.processed), received.exit_code

    def send_out(self) -> int:
        """Send what is due; return what a program should end with."""
        return send(self.home, self.now, self.talk).exit_code
