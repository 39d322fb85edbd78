"""Commands by mail: a word in the subject, or as the first line of a mail without orders; one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.run.acting import EndedError
from pbem.mail.arrivals.desk import Desk
from pbem.mail.conversation import requests, statusmail
from pbem.mail.conversation.requests import Told, Wish
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Declined
from pbem.store.journals.stamped import act_key, stamped
from pbem.text.mail.sayings.plainwords import is_closing, is_thanks, words_of
from pbem.text.names.seatnames import seat_in_game
from pbem.text.yaml.plaintext import with_plain_hyphens

_START: Final = re.compile(r"(?:\s*(?:re|aw|sv|fwd?|antw|vs|wg)\s*:|\s*\[[^\]]{0,80}\])*\s*", re.IGNORECASE)
_POLITE: Final = re.compile(r"(?:^|(?<![\s,])[\s,]+)(?:please|thanks|thank you)\s*$", re.IGNORECASE)
_FOR_ME: Final = re.compile(r"me\b[\s,]*(?=(?:please|thanks)?$)", re.IGNORECASE)
_MOST_WORDS: Final = 10
_LONGEST: Final = 200
"""Letters of a command: what is longer is none, and no pattern is run over it."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command as it was given.

    Attributes:
        word: Its word, in lower case.
        rest: What stands behind it.
    """

    word: str
    rest: str


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table.

    Attributes:
        usage: How it is written.
        what: What it does.
        carry_out: Does it; raises Declined with what would be right.
        has_words: Words may stand behind it.
    """

    usage: str
    what: str
    carry_out: Callable[[Desk, SavedGame, Seat, Wish], Told]
    has_words: bool = False


def _help(_desk: Desk, saved: SavedGame, seat: Seat, _wish: Wish) -> Told:
    """Say what can be asked for by mail."""
    lines = [f"{command.usage}\n    {command.what}" for command in COMMANDS.values()]
    how = (
        f"You play {seat_in_game(seat, saved.name)}. To send orders, reply to a report with its form filled "
        "in, or attach the form. For everything else write a word of this list as the subject, or as the "
        "first line of a mail without orders. What you write in your own words, or below a first line "
        "`to: moderator`, reaches a person."
    )
    press = "To write to other players, reply with `to: NAMES` as the first line."
    return Told("What can be asked for by mail", (how, press), "\n".join(lines))


COMMANDS: Final[Mapping[str, Command]] = {
    "help": Command("help", "Brings this list.", _help),
    "rules": Command("rules", "Brings the game book: rules, tables, how orders are written.", requests.rules),
    "status": Command(
        "status",
        "Tells how the game stands, with points and votes, and your orders in it.",
        statusmail.status,
    ),
    "resend": Command("resend", "Brings your newest report again.", requests.resend),
    "page": Command(
        "page", "Brings the page to click orders in, also while you are not asked.", requests.page
    ),
    "absent": Command(
        "absent 2026-12-24 to 2026-12-28",
        "Says that you are away, in whole days; `absent back` says that you are back.",
        requests.absent,
        has_words=True,
    ),
    "vote": Command(
        "vote pause",
        "Votes for a `pause`, an `extension` of the deadline, a `draw`, or an `end` without a result.",
        requests.vote_for,
        has_words=True,
    ),
    "unvote": Command("unvote pause", "Takes your vote back.", requests.vote_no_more, has_words=True),
}


def given_command(subject: str, lines: Iterable[str]) -> Given | None:
    """Return the command of a mail, or None: of its subject, or of the first line that says anything."""
    written = [line for line in lines if line.strip()]
    said = _START.sub("", subject, count=1) if len(subject) <= 2 * _LONGEST else ""
    for text, below in ((said, written), ("".join(written[:1]), written[1:])):
        if len(text.strip()) > _LONGEST:
            continue
        word, _, rest = with_plain_hyphens(text.strip().rstrip(".!")).partition(" ")
        word, rest = word.lower().rstrip(","), _FOR_ME.sub("", rest.strip())
        if word.endswith("?") and not rest and is_closing(below):
            word = word.rstrip("?")
        command = COMMANDS.get(word)
        if command and len(rest.split()) <= (_MOST_WORDS if command.has_words else 1):
            return Given(word, rest)
    return None


def words_beside(given: Given, lines: Iterable[str]) -> str:
    """Say that what stands beside a vote goes to nobody; "" if no more does than the end of a mail."""
    written = [line for line in words_of(lines) if line.strip()]
    if given.word not in ("vote", "unvote"):
        return ""
    below = written[1:] if given_command("", written) else written
    if is_closing(below) or is_thanks(below):
        return ""
    return (
        "Nobody reads what else you wrote beside the vote. To write to other players, reply with "
        "`to: NAMES` as the first line; to a person, with `to: moderator`."
    )


def carry_out(desk: Desk, saved: SavedGame, seat: Seat, given: Given, number: int) -> Told:
    """Carry a command out, once, or say what is wrong with it; then nothing was changed.

    Args:
        desk: What is at hand.
        saved: The game.
        seat: Whose command it is.
        given: The command.
        number: The number of its mail.
    """
    key, command = act_key(number), COMMANDS[given.word]
    if desk.db.note("", key):
        words = f"{given.word} {given.rest}".strip()
        said = f"`{words}` is done; the program was stopped before it could say more."
        return Told(f"{given.word}: done", (said, "A mail with the word `status` tells how the game stands."))
    once = replace(desk, home=Home(stamped(desk.home.store, key)))
    try:
        return command.carry_out(once, saved, seat, Wish(_POLITE.sub("", given.rest), number))
    except Declined as wrong:
        is_over = saved.cancelled is not None or isinstance(saved.ask, Outcome)
        hint = () if is_over or not command.has_words else (f"It is written so: {command.usage}.",)
        return Told(
            f"{given.word}: not done",
            (f"`{given.word}` was not done: {wrong.for_player}", *hint),
            is_done=False,
            tells_end=isinstance(wrong, EndedError),
        )
