"""What the moderator mails: acts, a line each, which the command line reads; or a yes or a no."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from pbem.play.homes.home import Home
from pbem.store.errors import Declined, WrongInput
from pbem.store.stamped import is_shown
from pbem.text.mail.plainwords import signing_lines, words_of, yes_or_no

Moment = datetime.datetime

MOST: Final = 10
"""So many acts stand in a mail."""

NO_CLEAR_YES: Final = (
    "Nothing was done, for this is no clear yes. Reply with the one word `yes`, and nothing below it but "
    "your name. `no` forgets what you had asked for."
)


@dataclass(frozen=True, slots=True)
class Act:
    """A line that asks for something to be done.

    Attributes:
        line: As it was written.
        text: The text of it that stood below the line, or "".
        verb: What is to be done.
        game: In which game, or "".
        brief: It in a few words: without what stands behind its options, but with those that turn it.
        asks_first: It is done only after the moderator has said yes to it.
        is_look: It changes nothing.
        run: Does it in a home, at a moment, as it was meant at another, perhaps only to try it. It returns
            what it came to, or raises WrongInput; or GateClosedError, with why it may be possible soon:
            "locked", another program holds the game, or "unread", there are mails to be read first.
    """

    line: str
    text: str
    verb: str
    game: str
    brief: str
    asks_first: bool
    is_look: bool
    run: Callable[[Home, Moment, Moment, bool], str]


class CommandLine(Protocol):
    """The command line, as it reads what is mailed."""

    def begins(self, line: str) -> bool:
        """Tell whether a line begins with a verb that can be mailed."""

    def read(self, line: str, below: str = "") -> Act:
        """Return the act that a line asks for, with a text that may stand below it.

        Raises:
            WrongInput: It cannot be understood.
        """


def named(acts: Sequence[Act]) -> str:
    """Return acts in a few words, for a subject."""
    names = [one.brief for one in acts]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def read_word(commands: CommandLine, lines: Iterable[str]) -> Literal["yes", "no", "unclear", ""]:
    """Return what an answer says to what was asked back; "" if it begins with an act.

    Below a yes or a no there may be a short closing, such as a name.
    """
    said = [line.strip() for line in words_of(lines) if line.strip()]
    first, closing = said[0] if said else "", said[1:]
    if commands.begins(first):
        return ""
    if any(map(commands.begins, closing)):
        return "unclear"
    return yes_or_no(said) or "unclear"


def read_acts(commands: CommandLine, subject: str, lines: Iterable[str], name: str = "") -> list[Act]:
    """Return the acts that a mail asks for, in order.

    Args:
        commands: What reads a line.
        subject: Its subject, which counts where nothing else stands in the mail.
        lines: What its sender wrote.
        name: The moderator's name, which may stand below the acts; "" if nobody knows it.

    Raises:
        Declined: One of them cannot be understood, or there are none, or too many.
    """
    written = words_of(lines)
    given = [line for line in written if line.strip()] or [subject]
    if any(map(is_shown, given)):
        raise Declined("your secret address for acts stands in this mail, and others might read it.")
    found: list[Act] = []
    for number, line in enumerate(given[: len(given) - signing_lines(written, name)]):
        try:
            act = commands.read(line, "\n".join(one.strip() for one in given[number + 1 :]))
        except WrongInput as wrong:
            raise Declined(f"{placed(number, line) if len(given) > 1 else ''}{wrong}") from None
        found.append(act)
        if act.text:
            return found
    if len(found) > MOST:
        raise Declined(f"there are {len(found)} acts in this mail, and {MOST} at most are done.")
    return found


def placed(number: int, line: str) -> str:
    """Return what names an act of a mail, behind so many others, before what is wrong with it."""
    ordinal = f"{number + 1}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number + 1, 'th') }"
    return f"the {ordinal} act, `{line.strip()}`: "
