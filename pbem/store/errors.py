"""The kinds of wrong that end a command, each with its exit code."""

from __future__ import annotations

import datetime
from typing import ClassVar, Final, NamedTuple

WHOLE: Final = "Each change is whole or not there at all: `pbem status` tells which. Give the command again."
"""What is true of a command that a disk or a database has stopped, whatever it had done before."""

OUR_FAULT: Final = 4
"""The exit code of a fault of pbem itself."""


class WrongInput(Exception):
    """A mistake of the person at the keyboard: what was expected, what was found, where, and the way out.

    Attributes:
        text: All that is said of it, without the command.
        command: What to type is the way out; "" if nothing is.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, text: str, hint: str = "", *, command: str = "") -> None:
        self.text, self.command = f"{text} {hint}".strip(), command
        super().__init__(f"{self.text} Type: {command}" if command else self.text)


class JournalRefused(WrongInput):
    """The disk of the journal is full or fails, or another program never lets it go."""


class JournalDamaged(JournalRefused):
    """The journal is no database any more, or not all of one."""


class UnfinishedChange(WrongInput):
    """A change was begun and could not be finished now; whoever changes the game next does that."""


class RequestRefused(WrongInput):
    """What somebody asked for cannot be done; the only such mistake that a player who wrote by mail is told.

    Attributes:
        for_player: The sentence for a player: nothing in it is a command or a file of the moderator's.
    """

    def __init__(self, text: str, hint: str = "", *, to_player: str = "") -> None:
        """Say what cannot be done; `hint` is the way out at the keyboard, `to_player` the one by mail."""
        super().__init__(text, hint)
        self.for_player = f"{text} {to_player}".strip()


class RepeatedCommand(Exception):
    """The same command did this before, and nothing was done since; nothing was changed now.

    Attributes:
        at: When it was done.
    """

    def __init__(self, at: datetime.datetime) -> None:
        super().__init__(f"this was done at {at:%Y-%m-%d %H:%M:%S %Z}")
        self.at = at


class Reason(NamedTuple):
    """Why a game is not run now.

    Attributes:
        name: What `--override` takes.
        text: What was found, without anything secret.
        can_override: Whether the moderator may run the game all the same.
    """

    name: str
    text: str
    can_override: bool = True

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class GateClosedError(Exception):
    """The gate refused a game; nothing was changed."""

    exit_code: ClassVar[int] = 3

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__("; ".join(map(str, reasons)))
        self.reasons = reasons


def trace_of(fault: BaseException, limit: int | None = None) -> str:
    """Return the traceback of a fault, as a report of it needs it; with a limit only the newest calls."""
    import traceback  # faults are rare

    found = traceback.TracebackException.from_exception(fault, limit=None if limit is None else -limit)
    return "".join(found.format())


def fault_in_words(fault: BaseException) -> str:
    """Return a fault of pbem itself in words: its kind and its place, and nothing that it was working on."""
    where, at = "", fault.__traceback__
    while at is not None:  # to the place where it was raised
        code = at.tb_frame.f_code
        where = f" at {code.co_name} in {code.co_filename.rpartition('/')[2]}:{at.tb_lineno}"
        at = at.tb_next
    return f"a fault of pbem itself ({type(fault).__name__}{where})"


def error_in_words(wrong: Exception) -> str:
    """Return what went wrong, as a moderator is told: whatever it is, in one line."""
    if isinstance(wrong, WrongInput | GateClosedError):
        return " ".join(str(wrong).split())
    if isinstance(wrong, OSError):
        about = f" ({wrong.filename})" if wrong.filename else ""
        return f"{wrong.strerror or type(wrong).__name__}{about}"
    return fault_in_words(wrong)
