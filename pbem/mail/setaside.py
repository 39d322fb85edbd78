"""Mails that tripped the program up: set aside with the fault, and processed again on demand."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path

from pbem.play.home import Home
from pbem.store.disk import LOCK_SECONDS, Disk, clear_traces, locked, replace_file
from pbem.store.errors import WrongInput
from pbem.store.journal import open_mail
from pbem.store.records import Intake
from pbem.text.masking import mask

VERDICT = "shunted"


def fault_file(home: Home, number: int) -> Path:
    """Return where it stands what tripped over a mail."""
    return home.mail_folder / VERDICT / f"{number}.txt"


def keep_fault(disk: Disk, home: Home, intake: Intake, fault: Exception) -> None:
    """Write down where the program tripped over a mail, for the moderator alone; tokens are starred."""
    lines = traceback.TracebackException.from_exception(fault, limit=-30).format()
    text = (
        f"Mail {intake.id}, received {intake.received}, is kept in mail/{intake.raw}.\n"
        f"It tripped pbem up. Please report this fault with what follows. When it is mended,\n"
        f"`pbem receive --again {intake.id}` processes the mail.\n\n"
    )
    path = fault_file(home, intake.id)
    disk.make_folder(path.parent, mode=0o700)
    with locked(path.parent, wait_seconds=LOCK_SECONDS):
        replace_file(disk, path, (text + mask("".join(lines))).encode("utf-8", "replace"), mode=0o600)


def clear_half_told(disk: Disk, home: Home) -> None:
    """Remove what killed programs, or a full disk, have left of faults that were being written down."""
    folder = home.mail_folder / VERDICT
    if folder.is_dir():
        with locked(folder, wait_seconds=LOCK_SECONDS):
            clear_traces(disk, folder)


def open_again(disk: Disk, home: Home, numbers: Iterable[int]) -> None:
    """Let mails that were set aside be processed again; all of them, or none.

    Raises:
        WrongInput: A mail is not there, or was not set aside.
    """
    with open_mail(disk, home) as db, db.writing():
        for number in numbers:
            found = db.rows("SELECT verdict, rule FROM intake WHERE id = ?", number)
            if not found:
                raise WrongInput(f"there is no mail {number}.", "`pbem digest` names the mails set aside.")
            verdict, rule = found[0]
            if verdict != VERDICT:
                what = f"{verdict} ({rule})" if rule else "not processed yet"
                raise WrongInput(f"mail {number} was not set aside: {what}.", "Others are processed once.")
            db.run("UPDATE intake SET state = 'new', verdict = '', rule = '' WHERE id = ?", number)
