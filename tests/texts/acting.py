"""What the moderator is answered who mails acts."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path
from typing import Final

from tests.hosting.games import HOUR, TUESDAY, pbem
from tests.mail.host import text_of
from tests.mail.moderator import mary

_EVENINGS: Final = (
    ("help", "help run", "Help seat."),
    ("status", "run club", "extend club by 1d", "extend club --to “Friday 18:00”", "seat club 1"),
    ("pause club from 20 Dec to 2 Jan why we rest", "resume club", "away club 3 from 20 Dec to 27 Dec"),
    ("hold club 1 why it is unclear\nhold club 2", "hold club 1 release", "announce club\n\nWait for it."),
    ("undo club", "yes", "run club"),
    (
        "seat club 1 new-secret",
        "yes",
        "seat club 2 address bob@b.example",
        "yes",
        "seat club 3 name Cleopatra",
    ),
    (
        "cancel club why two players left",
        "No!",
        "cancel club why two players left",
        "yes",
        "cancel club undo",
    ),
    (
        *("hold club CLEO", "hold club 1\nThanks a lot, dear host", "extend club Friday", "extend club to"),
        *("extend club by Friday", "extend club by 1d to Friday", "hold club", "run", "announce club"),
        *(
            "run club override leak",
            "run club override luck",
            "extnd club by 1d",
            "seat club 1 adress a@b.example",
        ),
        *("replace club 1", "cancel club", "cancel club undo it", "undo club turn 1", "undo club turn last"),
        *("away club 1", "seat club 1 address nowhere", "help replace", "yes", ""),
    ),
)
"""Mails of an evening, each in turn; a yes or no answers the answer before it."""

_LATE: Final = ("run club", "run club due", "run club due override down, silent", "yes")
"""Mails after the deadline, to a host that was not at work."""


def acts() -> str:
    """Return mails of acts, each with its answer."""
    return "".join(_answers(evening) for evening in _EVENINGS) + _answers(_LATE, is_late=True)


def _answers(evening: tuple[str, ...], *, is_late: bool = False) -> str:
    found = list[str]()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        moderator = mary(Path(folder))
        if is_late:
            pbem(moderator.home, "send")
            moderator.host.now = TUESDAY + HOUR
        for text in evening:
            is_word = text.strip("!").lower() in ("yes", "no")
            moderator.mails(text, to=moderator.reply_to() if is_word else "")
            answer = moderator.answers()[-1]
            found.append(f"=== {text}\n--- {answer['Subject']}\n{text_of(answer).rstrip()}\n\n")
    return "".join(found)
