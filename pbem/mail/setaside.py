"""Mails that tripped the program up: set aside with the fault, and processed again on demand."""

from __future__ import annotations

import traceback
from collections.abc import Iterable

from pbem.play.home import Home
from pbem.store.interface import WAIT_SECONDS
from pbem.store.records import Intake
from pbem.text.masking import mask

VERDICT = "shunted"

_FOLDER = f"mail/{VERDICT}"


def fault_name(number: int) -> str:
    """Return the name of the file that says what tripped over a mail."""
    return f"{_FOLDER}/{number}.txt"


def keep_fault(home: Home, intake: Intake, fault: Exception) -> None:
    """Write down where the program tripped over a mail, for the moderator alone; tokens are starred."""
    lines = traceback.TracebackException.from_exception(fault, limit=-30).format()
    text = (
        f"Mail {intake.id}, received {intake.received}, is kept in mail/{intake.raw}.\n"
        f"It tripped pbem up. Please report this fault with what follows. When it is mended,\n"
        f"`pbem receive --again {intake.id}` processes the mail.\n\n"
    )
    with home.store.held(_FOLDER, wait_seconds=WAIT_SECONDS):
        told = text + mask("".join(lines))
        home.store.lodge(fault_name(intake.id), told.encode("utf-8", "replace"))


def clear_half_told(home: Home) -> None:
    """Remove what killed programs, or a full disk, have left of faults that were being written down."""
    if home.store.at(_FOLDER).is_dir():
        with home.store.held(_FOLDER, wait_seconds=WAIT_SECONDS):
            home.store.tidy(_FOLDER)


def open_again(home: Home, numbers: Iterable[int]) -> None:
    """Let mails that were set aside be processed again; all of them, or none.

    Raises:
        WrongInput: A mail is not there, or was not set aside.
    """
    with home.journal() as db, db.writing():
        for number in numbers:
            db.reopen(number, VERDICT)
