"""What becomes of the mails that came in."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.mail.db import open_mail


@dataclass(frozen=True, slots=True)
class Processed:
    """A mail that was processed.

    Attributes:
        intake: Its number.
        verdict: What became of it, in a word.
        rule: The rule of the screening that decided.
        game: The game it is about, or "".
        seat: The seat it came from, or "".
    """

    intake: int
    verdict: str
    rule: str
    game: str
    seat: str


def process(disk: Disk, home: Home, now: datetime.datetime) -> list[Processed]:
    """Process the mails that came in, in order of arrival; each once."""
    done = []
    with open_mail(disk, home) as db:
        for intake in db.new():
            db.finish(intake.id, verdict="kept", rule="none")
            done.append(Processed(intake.id, "kept", "none", "", ""))
    return done
