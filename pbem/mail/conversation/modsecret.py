"""The moderator's own secret: the address to which acts are mailed, and those of the answers to them."""

from __future__ import annotations

import base64
import contextlib
import datetime
import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Final

from pbem.host.notices.queue import act_of
from pbem.mail.account.addresses import TOKEN_LETTERS
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.mail.arrivals.intake import LostMailError, raw_of
from pbem.play.homes.home import Home
from pbem.play.homes.saves import keyed
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.records import Note, facts_of
from pbem.store.stamped import hash_of, tokens_shown
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
        return _token(keyed(self.seed, "reply", number))

    def is_reply(self, number: int, token: str) -> bool:
        """Tell whether this is the token of the answer to a mail, in constant time."""
        return hmac.compare_digest(hash_of(self.reply_token(number)), hash_of(token))


def waiting(home: Home, now: Moment) -> list[str]:
    """Return the keys of the notes of mails whose acts wait for a yes that still counts."""
    with home.journal() as db:
        noted = {key: text for key, text in db.notes("", WAITS).items() if text != FORGOTTEN}
    said = {key: Moment.fromisoformat(json.loads(text)["said"]) for key, text in noted.items()}
    return [key for key, moment in said.items() if now - moment <= LONGEST_WAIT]


def renew(home: Home, now: Moment) -> str:
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
    told = act_of(now, "", "secret", public=False, facts=facts)
    gone = [Note("", key, FORGOTTEN) for key in waiting(home, now)]
    home.store.note((Note("", _KEY, kept), *gone, told))
    return f"{settings.local}+m_{token}@{settings.domain}"


def forget(home: Home, now: Moment) -> None:
    """Let no act be mailed any more, until there is a new secret."""
    facts = facts_of("acts-address", is_open=False)
    told = act_of(now, "", "secret", public=False, facts=facts)
    home.store.note((Note("", _KEY, None), told))


def answered(token: str) -> int:
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
    for intake in db.to_acts() if secret is not None else ():
        with contextlib.suppress(LostMailError):  # told elsewhere
            said = raw_of(home, intake).decode("latin-1")
            if any(secret is not None and secret.knows(token) for token in tokens_shown(said)):
                found.append(intake.id)
    return found


def reply_address(settings: MailSettings, secret: ModeratorSecret, number: int) -> str:
    """Return where the answer to a mail is answered."""
    return f"{settings.local}+m_{number}.{secret.reply_token(number)}@{settings.domain}"


def _token(data: bytes) -> str:
    return base64.b32encode(data)[:TOKEN_LETTERS].decode().lower()
