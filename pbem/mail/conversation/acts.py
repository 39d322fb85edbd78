"""Acts that the moderator mails: the secret address for them; their lines, which the command line reads."""

from __future__ import annotations

import base64
import contextlib
import datetime
import hmac
import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from pbem.host.notices.queue import make_act
from pbem.mail.account.addresses import TOKEN_LETTERS
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.mail.arrivals.intake import LostMailError, read_raw_mail
from pbem.play.homes.home import Home
from pbem.play.homes.saves import seed_hmac
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.journal import Journal
from pbem.store.records import Note, facts_of
from pbem.store.stamped import hash_of, is_shown, tokens_shown
from pbem.text.mail.plainwords import person_lines, signing_lines, yes_or_no
from pbem.text.names import is_same_address

Moment = datetime.datetime

_KEY: Final = "moderator's secret"

WAITS: Final = "acting:"
"""Before the number of a mail: its acts wait for a yes."""

FORGOTTEN: Final = ""
"""What stands there of acts that waited when the secret was made anew."""

LONGEST_WAIT: Final = datetime.timedelta(days=3)
"""So long a yes to acts counts, and so long an answer can be answered with other acts."""


@dataclass(frozen=True, slots=True)
class ModeratorSecret:
    """What is kept of the secret: enough to know it again, and not enough to tell it.

    Attributes:
        hash: Of the token.
        seed: What the addresses of answers are made from.
    """

    hash: str
    seed: bytes

    def knows(self, token: str) -> bool:
        """Tell whether this is the token, in constant time."""
        return hmac.compare_digest(self.hash, hash_of(token))

    def missing(self, token: str, sender: str, moderator: str) -> str:
        """Say what proof a mail with acts lacks: "" nothing, "token", "sender", or "both" of them.

        Args:
            token: What stands in its address: a token, or a number, a dot and a token.
            sender: The address that it comes from, or "".
            moderator: The moderator's.
        """
        number, dot, reply = token.partition(".")
        is_known = self.is_reply(int(number), reply) if dot else self.knows(token)
        is_theirs = is_same_address(sender, moderator)
        if is_known:
            return "" if is_theirs else "sender"
        return "token" if is_theirs else "both"

    def reply_token(self, number: int) -> str:
        """Return what stands in the address of the answer to a mail."""
        return _token(seed_hmac(self.seed, "reply", number))

    def is_reply(self, number: int, token: str) -> bool:
        """Tell whether this is the token of the answer to a mail, in constant time."""
        return hmac.compare_digest(hash_of(self.reply_token(number)), hash_of(token))


def waiting_acts(home: Home, now: Moment) -> list[str]:
    """Return the keys of the notes of mails whose acts wait for a yes that still counts."""
    with home.journal() as db:
        noted = {key: text for key, text in db.notes("", WAITS).items() if text != FORGOTTEN}
    said = {key: Moment.fromisoformat(json.loads(text)["said"]) for key, text in noted.items()}
    return [key for key, moment in said.items() if now - moment <= LONGEST_WAIT]


def renew_secret(home: Home, now: Moment) -> str:
    """Make the secret anew, and return the address that holds it: it is told this once.

    What was mailed before and waits for a yes is forgotten with the old one.

    Raises:
        WrongInput: The home does not play by mail, or names no address of its moderator.
    """
    settings = mail_settings(home)
    if not settings.moderator:
        hint = "Write `moderator: ADDRESS` into the section `mail` of home.yaml."
        raise WrongInput(
            "acts by mail are taken from your own address alone, and home.yaml names none.", hint
        )
    token = _token(secrets.token_bytes(32))
    kept = json.dumps({"hash": hash_of(token), "seed": secrets.token_hex(32)})
    facts = facts_of("acts-address", is_open=True)
    told = make_act(now, "", "secret", public=False, facts=facts)
    gone = [Note("", key, FORGOTTEN) for key in waiting_acts(home, now)]
    home.store.note((Note("", _KEY, kept), *gone, told))
    return f"{settings.local}+m_{token}@{settings.domain}"


def forget_secret(home: Home, now: Moment) -> None:
    """Let no act be mailed any more, until there is a new secret."""
    facts = facts_of("acts-address", is_open=False)
    told = make_act(now, "", "secret", public=False, facts=facts)
    home.store.note((Note("", _KEY, None), told))


def answered_number(token: str) -> int:
    """Return the number of the mail whose answer is answered at an address with this token; 0 for none."""
    number, dot, _ = token.partition(".")
    return int(number) if dot else 0


def secret_of(db: Journal) -> ModeratorSecret | None:
    """Return what is kept of the secret, or None if there is none."""
    kept = db.note("", _KEY)
    if kept is None:
        return None
    found = json.loads(kept)
    return ModeratorSecret(found["hash"], bytes.fromhex(found["seed"]))


def mails_with_secret(home: Home, db: Journal) -> list[int]:
    """Return the numbers of kept mails in which the secret that counts stands, as older versions kept it."""
    secret, found = secret_of(db), list[int]()
    for intake in db.mails_to_acts() if secret is not None else ():
        with contextlib.suppress(LostMailError):  # told elsewhere
            said = read_raw_mail(home, intake).decode("latin-1")
            if any(secret is not None and secret.knows(token) for token in tokens_shown(said)):
                found.append(intake.id)
    return found


def reply_address(settings: MailSettings, secret: ModeratorSecret, number: int) -> str:
    """Return where the answer to a mail is answered."""
    return f"{settings.local}+m_{number}.{secret.reply_token(number)}@{settings.domain}"


def _token(data: bytes) -> str:
    return base64.b32encode(data)[:TOKEN_LETTERS].decode().lower()


MOST: Final = 10
"""So many acts stand in a mail."""

NO_CLEAR_YES: Final = (
    "Nothing was done, for this is no clear yes. Reply with the one word `yes`, and nothing below it but "
    "your name. `no` forgets what you had asked for."
)


@dataclass(frozen=True, slots=True)
class ActLine:
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

    def read(self, line: str, below: str = "") -> ActLine:
        """Return the act that a line asks for, with a text that may stand below it.

        Raises:
            WrongInput: It cannot be understood.
        """


def acts_summary(acts: Sequence[ActLine]) -> str:
    """Return acts in a few words, for a subject."""
    names = [one.brief for one in acts]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def read_confirmation(commands: CommandLine, lines: Iterable[str]) -> Literal["yes", "no", "unclear", ""]:
    """Return what an answer says to what was asked back; "" if it begins with an act.

    Below a yes or a no there may be a short closing, such as a name.
    """
    said = [line.strip() for line in person_lines(lines) if line.strip()]
    first, closing = said[0] if said else "", said[1:]
    if commands.begins(first):
        return ""
    if any(map(commands.begins, closing)):
        return "unclear"
    return yes_or_no(said) or "unclear"


def read_acts(commands: CommandLine, subject: str, lines: Iterable[str], name: str = "") -> list[ActLine]:
    """Return the acts that a mail asks for, in order.

    Args:
        commands: What reads a line.
        subject: Its subject, which counts where nothing else stands in the mail.
        lines: What its sender wrote.
        name: The moderator's name, which may stand below the acts; "" if nobody knows it.

    Raises:
        RequestRefused: One of them cannot be understood, or there are none, or too many.
    """
    written = person_lines(lines)
    given = [line for line in written if line.strip()] or [subject]
    if any(map(is_shown, given)):
        raise RequestRefused("your secret address for acts stands in this mail, and others might read it.")
    found: list[ActLine] = []
    for number, line in enumerate(given[: len(given) - signing_lines(written, name)]):
        try:
            act = commands.read(line, "\n".join(one.strip() for one in given[number + 1 :]))
        except WrongInput as wrong:
            raise RequestRefused(f"{act_place_text(number, line) if len(given) > 1 else ''}{wrong}") from None
        found.append(act)
        if act.text:
            return found
    if len(found) > MOST:
        raise RequestRefused(f"there are {len(found)} acts in this mail, and {MOST} at most are done.")
    return found


def act_place_text(number: int, line: str) -> str:
    """Return what names an act of a mail, behind so many others, before what is wrong with it."""
    ordinal = f"{number + 1}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number + 1, 'th') }"
    return f"the {ordinal} act, `{line.strip()}`: "
