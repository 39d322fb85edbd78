"""Addresses that say who writes about what: `host+web-1.TOKEN@domain`; also for press, bounces and answers.

A token is a secret of one seat: whoever knows it may write for the seat as far as the game's level of proof
allows. It is made anew for a new player, and when the moderator says so.

No address grows beyond what a mail server takes: 64 letters before the @. Where the host's address is so long
that a game of the longest id would not fit behind it, a short code stands for the id of every game, as in
`host+o_CODE.TOKEN`. Such words have an underscore, which no id has. Both ways of writing are understood.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final, Literal

from pbem.core.events import Seat
from pbem.host.people.names import epoch_of, old_epochs
from pbem.mail.account.settings import MailSettings
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import seed_hmac
from pbem.store.journal import Journal
from pbem.store.stamped import ACTS
from pbem.text.names import LONGEST_LOCAL

TOKEN_LETTERS: Final = 16

_BOUNCE: Final = re.compile(
    r"b_[a-z2-7]{16}|bounce\.[a-z0-9-]+\.[^.]+\.t[0-9]{1,6}r[0-9]{1,4}(?:\.[a-z2-7]{16})?"
)
"""What stands behind the plus sign where bounces go; the long form is of mails that older versions sent."""

_ANSWER: Final = re.compile(r"a_[0-9]{1,8}\.[a-z2-7]{16}")
"""What stands behind the plus sign where the moderator answers a mail: its number, and a token of its own."""

_SHORT: Final = re.compile(r"([opj])_([a-z2-7]{7})(?:\.(.+))?")
_KINDS: Final[dict[str, Literal["orders", "press", "join"]]] = {"o": "orders", "p": "press", "j": "join"}
_LONGEST_GAME: Final = 21
_LONGEST_DETAIL: Final = len("+") + _LONGEST_GAME + len("-press.") + TOKEN_LETTERS
_LONGEST_PART: Final = 48
"""So many letters of a name are written out in a Message-ID."""

_GMAIL: Final = ("gmail.com", "googlemail.com")
"""Domains of one provider, to whom dots before the @ are nothing."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """One of our own addresses, taken apart.

    Attributes:
        kind: What is written to: "host" is the bare address, "answer" where the moderator answers a mail,
            "moderator" where acts are mailed to.
        game: The game, in lower case; "" for the host, a bounce or an answer.
        token: What stands where the token should be; "" for a sign-up or the host. Of a bounce: all that
            stands behind the plus sign, in lower case. Of an answer: the number of the mail, a dot, a token.
            Of acts: a token, or the same as of an answer; the journal keeps the token as a hash.
    """

    kind: Literal["orders", "press", "join", "bounce", "answer", "moderator", "host"]
    game: str = ""
    token: str = ""


def token_of(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the token of the player who has a seat now."""
    return token_at(saved, seat, saved.tenures.current(seat).secret_name, epoch_of(saved, seat, db))


def token_at(saved: SavedGame, seat: Seat, name: str, epoch: int) -> str:
    """Return the token of a seat's player of this first name, after it was made anew so often."""
    secret = seed_hmac(saved.secret.seed, "address", saved.name, seat, name, epoch)
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


def seat_of_token(saved: SavedGame, token: str, db: Journal) -> Seat | None:
    """Return the seat that a token belongs to; every seat is compared, and each in constant time."""
    given = token.lower().encode(errors="replace")
    found = [
        seat for seat in saved.start.seats if hmac.compare_digest(token_of(saved, seat, db).encode(), given)
    ]
    return found[0] if found else None


def seat_of_old_token(saved: SavedGame, token: str, db: Journal) -> Seat | None:
    """Return the seat whose player had this token before it was made anew; None if nobody had."""
    given = token.lower().encode(errors="replace")
    found = [
        seat
        for seat in saved.start.seats
        for epoch in old_epochs(saved, seat, db)
        if hmac.compare_digest(
            token_at(saved, seat, saved.tenures.current(seat).secret_name, epoch).encode(), given
        )
    ]
    return found[0] if found else None


def orders_address(settings: MailSettings, game: str, token: str) -> str:
    """Return where a seat sends its orders."""
    named = f"o_{_game_code(game)}" if _has_short_addresses(settings) else game
    return f"{settings.local}+{named}.{token}@{settings.domain}"


def press_address(settings: MailSettings, game: str, token: str) -> str:
    """Return where a seat sends press."""
    named = f"p_{_game_code(game)}" if _has_short_addresses(settings) else f"{game}-press"
    return f"{settings.local}+{named}.{token}@{settings.domain}"


def join_address(settings: MailSettings, game: str, token: str = "") -> str:
    """Return where anybody asks for a seat of an open game; with a token, where it is confirmed."""
    named = f"j_{_game_code(game)}" if _has_short_addresses(settings) else f"{game}-join"
    return f"{settings.local}+{named}{f'.{token}' if token else ''}@{settings.domain}"


def join_token(saved: SavedGame, address: str) -> str:
    """Return what shows that somebody reads the mail of an address."""
    secret = seed_hmac(saved.secret.seed, "join", saved.name, address.casefold())
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


def bounce_address(settings: MailSettings, saved: SavedGame, seat: Seat, turn: int, revision: int) -> str:
    """Return the envelope's sender of a mail to a seat: not to be guessed, and known to the outbox."""
    secret = seed_hmac(saved.secret.seed, "bounce", saved.name, seat, turn, revision)
    code = base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()
    return f"{settings.local}+b_{code}@{settings.domain}"


def answer_address(settings: MailSettings, saved: SavedGame, number: int) -> str:
    """Return where the moderator answers a mail of a player, by the mail's number."""
    return f"{settings.local}+a_{number}.{answer_token(saved, number)}@{settings.domain}"


def answer_token(saved: SavedGame, number: int) -> str:
    """Return what shows that somebody read the mail that asks the moderator for an answer."""
    secret = seed_hmac(saved.secret.seed, "answer", saved.name, number)
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


NO_GAME: Final = "-"
"""Stands for the game of an address that is about mails, or to which acts are mailed.

No game has such a name, and no run waits for what comes there.
"""


def named_game(address: str) -> str:
    """Return the game that an address names, without looking whether it is ours or there is such a game.

    Returns:
        The game, `NO_GAME`, or "" if the address names none: a mail to it may be for any.
    """
    detail = address.partition("@")[0].lower().partition("+")[2]
    if _BOUNCE.fullmatch(detail) or _ANSWER.fullmatch(detail) or ACTS.fullmatch(detail):
        return NO_GAME
    game, _, token = detail.partition(".")
    if _SHORT.fullmatch(detail) or not (token or game.endswith("-join")):
        return ""
    return game.removesuffix("-press").removesuffix("-join")


def read_recipient(settings: MailSettings, address: str, home: Home | None = None) -> Recipient | None:
    """Take an address of an envelope apart.

    Args:
        settings: Whose addresses are ours.
        address: The address; letters may have been made large or small on the way.
        home: Where the games are: one may be called `x-press`, and codes stand for names; None if it is
            only asked whether the address is ours.

    Returns:
        What is written to, or None if the address is not ours.
    """
    local, at, domain = address.strip().removeprefix("<").removesuffix(">").lower().rpartition("@")
    base, plus, detail = local.partition("+")
    if not at or not _is_own_address(settings, base, domain):
        return None
    if not plus:
        return Recipient("host")
    if _BOUNCE.fullmatch(detail):
        return Recipient("bounce", token=detail)
    if _ANSWER.fullmatch(detail):
        return Recipient("answer", token=detail.removeprefix("a_"))
    if ACTS.fullmatch(detail):
        return Recipient("moderator", token=detail.removeprefix("m_"))
    if found := _SHORT.fullmatch(detail):
        return Recipient(_KINDS[found[1]], _game_of(home, found[2]), found[3] or "")
    game, _, token = detail.partition(".")
    if not token:
        return Recipient("join", game.removesuffix("-join")) if game.endswith("-join") else Recipient("host")
    if game.endswith("-join") and not (home and home.has(game)):
        return Recipient("join", game.removesuffix("-join"), token)
    if game.endswith("-press") and not (home and home.has(game)):
        return Recipient("press", game.removesuffix("-press"), token)
    return Recipient("orders", game, token)


def _is_own_address(settings: MailSettings, base: str, domain: str) -> bool:
    own, at = settings.local.lower(), settings.domain.lower()
    if at in _GMAIL:
        return domain in _GMAIL and base.replace(".", "") == own.replace(".", "")
    return domain == at and base == own


def _has_short_addresses(settings: MailSettings) -> bool:
    """Tell whether codes stand for the ids of games: the longest id would not fit."""
    return len(settings.local) + _LONGEST_DETAIL > LONGEST_LOCAL


def _game_code(game: str) -> str:
    """Return the code that stands for a game in a short address."""
    return base64.b32encode(hashlib.sha256(game.encode()).digest())[:7].decode().lower()


def _game_of(home: Home | None, code: str) -> str:
    """Return the game that a code stands for; one that stands for none is no id of a game either."""
    return next((game for game in home.games() if _game_code(game) == code), f"_{code}") if home else ""


def message_id_part(name: str) -> str:
    """Return a name as it stands in a Message-ID: of a long one, a hash."""
    written = re.sub(r"[^A-Za-z0-9-]", lambda one: f"={ord(one[0]):x}", name)
    if len(written) <= _LONGEST_PART:
        return written
    return f"={base64.b32encode(hashlib.sha256(name.encode()).digest())[:TOKEN_LETTERS].decode().lower()}"


def report_id(settings: MailSettings, game: str, turn: int, seat: str, kind: str, revision: int) -> str:
    """Return the Message-ID of a report or invitation: the same for the same mail, always."""
    return f"<{game}.t{turn}.{message_id_part(seat)}.{kind}.r{revision}@{settings.domain}>"
