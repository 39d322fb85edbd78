"""Addresses that say who writes about what: `host+web-1.TOKEN@domain`, and the same for press and bounces.

A token is a secret of one seat: whoever knows it may write for the seat as far as the game's level of proof
allows. It is made anew for a new player, and when the moderator says so.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from pbem.core.events import Seat
from pbem.edge.chain import keyed
from pbem.edge.mail.db import MailDb
from pbem.edge.mail.settings import MailSettings
from pbem.edge.saved import SavedGame

TOKEN_LETTERS: Final = 16
EPOCH: Final = "epoch:"
"""The key of a game's note that counts how often a seat's token was made anew, before the seat."""

_TOKEN: Final = re.compile(
    r"(?<=\.)[a-z2-7]{16}(?![a-z0-9])|(?<![a-z0-9])(?=[a-z]*[2-7])[a-z2-7]{16}(?![a-z0-9])", re.IGNORECASE
)
_BOUNCE: Final = re.compile(
    r"bounce\.([a-z0-9-]+)\.([^.]+)\.t([0-9]{1,6})r([0-9]{1,4})(?:\.([a-z2-7]{16}))?", re.IGNORECASE
)
_HEX: Final = re.compile(r"=([0-9a-f]{2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recipient:
    """One of our own addresses, taken apart.

    Attributes:
        kind: What is written to: "host" is the bare address.
        game: The game, in lower case; "" for the host.
        token: What stands where the token should be; "" for a sign-up or the host.
        seat: Of a bounce: the seat whose mail came back, as it was written.
        turn: Of a bounce: the turn that the mail was about.
        revision: Of a bounce: how often the turn had been taken back.
    """

    kind: Literal["orders", "press", "join", "bounce", "host"]
    game: str = ""
    token: str = ""
    seat: str = ""
    turn: int = 0
    revision: int = 0


def token_of(saved: SavedGame, seat: Seat, db: MailDb) -> str:
    """Return the token of the player who has a seat now."""
    epoch = int(db.note(saved.name, f"{EPOCH}{seat}") or "0")
    secret = keyed(saved.secret.seed, "address", saved.name, seat, saved.holder(seat), epoch)
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


def rotate_token(saved: SavedGame, seat: Seat, db: MailDb) -> str:
    """Make a seat's token anew, and return it; the old one is worth nothing from now on."""
    with db.writing():
        epoch = int(db.note(saved.name, f"{EPOCH}{seat}") or "0")
        db.set_note(saved.name, f"{EPOCH}{seat}", str(epoch + 1))
    return token_of(saved, seat, db)


def seat_of_token(saved: SavedGame, token: str, db: MailDb) -> Seat | None:
    """Return the seat that a token belongs to; every seat is compared, and each in constant time."""
    given = token.lower().encode(errors="replace")
    found = [
        seat for seat in saved.start.seats if hmac.compare_digest(token_of(saved, seat, db).encode(), given)
    ]
    return found[0] if found else None


def orders_address(settings: MailSettings, game: str, token: str) -> str:
    """Return where a seat sends its orders."""
    return f"{settings.local}+{game}.{token}@{settings.domain}"


def press_address(settings: MailSettings, game: str, token: str) -> str:
    """Return where a seat sends press."""
    return f"{settings.local}+{game}-press.{token}@{settings.domain}"


def join_address(settings: MailSettings, game: str, token: str = "") -> str:
    """Return where anybody asks for a seat of an open game; with a token, where it is confirmed."""
    return f"{settings.local}+{game}-join{f'.{token}' if token else ''}@{settings.domain}"


def join_token(saved: SavedGame, address: str) -> str:
    """Return what shows that somebody reads the mail of an address."""
    secret = keyed(saved.secret.seed, "join", saved.name, address.casefold())
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


def bounce_address(settings: MailSettings, saved: SavedGame, seat: Seat, turn: int, revision: int) -> str:
    """Return the envelope's sender of a mail to a seat: its bounce names the seat and cannot be forged."""
    written = "".join(one if re.fullmatch(r"[A-Za-z0-9-]", one) else _as_hex(one) for one in seat)
    code = _bounce_token(saved, seat, turn, revision)
    return f"{settings.local}+bounce.{saved.name}.{written}.t{turn}r{revision}.{code}@{settings.domain}"


def read_recipient(
    settings: MailSettings, address: str, has_game: Callable[[str], bool] = lambda _game: False
) -> Recipient | None:
    """Take an address of an envelope apart.

    Args:
        settings: Whose addresses are ours.
        address: The address; letters may have been made large or small on the way.
        has_game: Whether there is a game of this id: one may be called `x-press`.

    Returns:
        What is written to, or None if the address is not ours.
    """
    local, at, domain = address.strip().removeprefix("<").removesuffix(">").rpartition("@")
    base, plus, detail = local.lower().partition("+")
    if not at or domain.lower() != settings.domain.lower() or base != settings.local.lower():
        return None
    if not plus:
        return Recipient("host")
    if bounced := _BOUNCE.fullmatch(detail):
        game, seat, turn, revision, code = bounced.groups()
        return Recipient("bounce", game, code or "", _unescaped(seat), int(turn), int(revision))
    game, _, token = detail.partition(".")
    if not token:
        return Recipient("join", game.removesuffix("-join")) if game.endswith("-join") else Recipient("host")
    if game.endswith("-join") and not has_game(game):
        return Recipient("join", game.removesuffix("-join"), token)
    if game.endswith("-press") and not has_game(game):
        return Recipient("press", game.removesuffix("-press"), token)
    return Recipient("orders", game, token)


def seat_of_bounce(saved: SavedGame, recipient: Recipient) -> Seat | None:
    """Return the seat that a bounce names, if its address is one that the host has made."""
    for seat in saved.start.seats:
        code = _bounce_token(saved, seat, recipient.turn, recipient.revision)
        same = hmac.compare_digest(code.encode(), recipient.token.lower().encode(errors="replace"))
        if same and seat.lower() == recipient.seat.lower():
            return seat
    return None


def mask(text: str) -> str:
    """Return a text for a log or for other eyes: whatever looks like a token is starred."""
    return _TOKEN.sub("*" * 4, text)


def _bounce_token(saved: SavedGame, seat: Seat, turn: int, revision: int) -> str:
    secret = keyed(saved.secret.seed, "bounce", saved.name, seat, turn, revision)
    return base64.b32encode(secret)[:TOKEN_LETTERS].decode().lower()


def _as_hex(one: str) -> str:
    return "".join(f"={byte:02x}" for byte in one.encode())


def _unescaped(seat: str) -> str:
    return _HEX.sub(lambda found: chr(int(found[1], 16)), seat).encode("latin-1").decode(errors="replace")


def report_id(settings: MailSettings, game: str, turn: int, seat: str, kind: str, revision: int) -> str:
    """Return the Message-ID of a report or invitation: the same for the same mail, always."""
    written = re.sub(r"[^A-Za-z0-9-]", lambda one: f"={ord(one[0]):x}", seat)
    return f"<{game}.t{turn}.{written}.{kind}.r{revision}@{settings.domain}>"
