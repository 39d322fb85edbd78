"""What goes wrong with one game or one mail: it is set aside and told in words, and all others go on."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from pbem.play.homes.home import Home
from pbem.store.errors import OUR_FAULT, GateClosedError, WrongInput, told_in_words
from pbem.store.interface import WAIT_SECONDS
from pbem.store.records import HOST, facts_of
from pbem.text.names import mask

Aside: TypeAlias = Callable[[str, Exception], None]
"""Is told what was set aside, after `GAME: ` if it is of one game, and what was wrong; the others go on."""

FOLDER: Final = "shunted"
"""The folder in `mail` where it stands what tripped the program up."""

_DAILY: Final = "trouble:"


def code_of(wrong: Exception) -> int:
    """Return what a program ends with for this: 1 the moderator can mend it, 3 the gate, 4 our fault."""
    if isinstance(wrong, WrongInput | GateClosedError):
        return wrong.exit_code
    return WrongInput.exit_code if isinstance(wrong, OSError) else OUR_FAULT


@dataclass(frozen=True, slots=True)
class Troubles:
    """Keeps what goes wrong from stopping anything else.

    Attributes:
        home: The home.
        now: The moment.
        talk: Gets a line for each.
        codes: What the program should end with, for each.
        of: The games that something went wrong with, among other words.
    """

    home: Home
    now: datetime.datetime
    talk: Callable[[str], None]
    codes: list[int] = field(default_factory=list)
    of: set[str] = field(default_factory=set)

    @property
    def exit_code(self) -> int:
        """What the program should end with for the worst of all; 0 if nothing went wrong."""
        return max(self.codes, default=0)

    def set_aside(self, what: str, wrong: Exception) -> None:
        """Say what was set aside and why, in a line; a fault of ours is told to the moderator, once a day."""
        told = f"{what}: {told_in_words(wrong)}"
        self.codes.append(code_of(wrong))
        self.of.add(what.partition(": ")[0])
        self.talk(mask(told))
        if self.codes[-1] == OUR_FAULT:
            try:
                self._keep(what, told, wrong)
            except Exception as worse:  # nothing can be written down; the line that was said has to do
                self.talk(f"pbem: nor can that be written down: {told_in_words(worse)}")

    @contextlib.contextmanager
    def around(self, what: str) -> Iterator[None]:
        """Set aside what fails inside."""
        try:
            yield
        except Exception as wrong:
            self.set_aside(what, wrong)

    def _keep(self, what: str, told: str, fault: Exception) -> None:
        """Write the traceback into a file for the moderator alone, and tell the moderator where it is."""
        from pbem.host.notices.queue import act_of, tell_moderator

        name = f"fault-{hashlib.sha256(mask(told).encode()).hexdigest()[:12]}"
        lines = traceback.TracebackException.from_exception(fault, limit=-30).format()
        text = f"{told}\n\nPlease report this fault with what follows.\n\n{''.join(lines)}"
        folder, store = f"mail/{FOLDER}", self.home.store
        with store.held(folder, wait_seconds=WAIT_SECONDS):  # nobody clears leftovers there meanwhile
            store.lodge(f"{folder}/{name}.txt", mask(text).encode("utf-8", "replace"))
        game = what.partition(": ")[0] if self.home.has(what.partition(": ")[0]) else ""
        day = f"{self.now.astimezone(datetime.UTC):%Y-%m-%d}"
        with self.home.journal() as db, db.writing():
            if db.note("", f"{_DAILY}{name}") == day:
                return
            db.set_note("", f"{_DAILY}{name}", day)
            facts = facts_of("fault", file=f"{name}.txt")
            db.act(act_of(self.now, game, "fault", mask(told), public=False, who=HOST, facts=facts))
            words = (
                f"{mask(told)}.\n\nEverything else went on. Please report it, with mail/{FOLDER}/{name}.txt."
            )
            about, title = f"{day} {name}", "something was set aside"
            tell_moderator(self.home, db, self.now, "notice", about, title, words, game, facts=facts)


def only_said(talk: Callable[[str], None]) -> Aside:
    """Return what says what was set aside, and does no more."""
    return lambda what, wrong: talk(mask(f"{what}: {told_in_words(wrong)}"))
