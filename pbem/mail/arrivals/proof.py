"""Whose a mail is: by the token of the address, the key in its orders, its sender, or a signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.mail.account.addresses import seat_of_token, token_of
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.journal import Journal
from pbem.text.mail.message.letter import Letter
from pbem.text.submission.orders import is_key


@dataclass(frozen=True, slots=True)
class Who:
    """Whose a mail is.

    Attributes:
        seat: The seat; "" if nothing tells.
        unproven: What is missing for the proof that the game demands: "token", "sender", "signature",
            "both" (of token and sender: it came from an address of before), "former" (its sender had the
            seat before another), or "".
    """

    seat: Seat
    unproven: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a mail says of whose it is.

    Attributes:
        token: The token of the address it was sent to, or "".
        sender: The address of its From header, if it has one that can be relied on; else "".
        seat: The seat that its orders name, or "".
        key: The key that they name, or "".
    """

    token: str = ""
    sender: str = ""
    seat: str = ""
    key: str = ""


def whose(saved: SavedGame, claims: Claims, db: Journal, *, signed: bool = False) -> Who:
    """Return whose a mail is, and whether that is proven as the game demands.

    Args:
        saved: The game.
        claims: What the mail says.
        db: Where it stands how often tokens were made anew.
        signed: A good signature by the key of the seat that its claims lead to covers what counts in it.
    """
    level = saved.table.auth
    by_secret = _by_secret(saved, claims, db)
    by_sender = [seat for seat in saved.start.seats if is_sender(saved, seat, claims.sender)]
    seat = by_secret or _one_of(by_sender, claims.seat)
    if not seat:
        return Who(Seat(""))
    if level == "openpgp":
        return Who(seat, "" if signed else "signature")
    if level != "sender" and not by_secret:
        return Who(seat, "token")
    if level != "token" and seat not in by_sender:
        return Who(seat, "sender")
    return Who(seat)


def is_genuine(letter: Letter) -> bool | None:
    """Tell what the moderator's own mail server says of a sender; None if it says neither yes nor no.

    A signature that holds for the beginning of a mail only proves nothing about the rest, and so it counts
    for nothing, nor does what rests on it.
    """
    domain = (letter.sender or "").rpartition("@")[2]
    results = [one for one in letter.authentication if one.domain and _speaks_for(one.domain, domain)]
    if any(one.method == "dmarc" and one.result == "fail" for one in results):
        return False
    proofs = ("spf",) if letter.has_signature_with_length else ("spf", "dkim", "dmarc")
    if any(one.method in proofs and one.result == "pass" for one in results):
        return True
    return False if any(one.result == "fail" for one in results) else None


def _speaks_for(one: str, domain: str) -> bool:
    """Tell whether a domain is the sender's, or stands above it."""
    return "." in one and (domain == one or domain.endswith(f".{one}"))


def _by_secret(saved: SavedGame, claims: Claims, db: Journal) -> Seat:
    """Return the seat whose token or key a mail knows, or ""."""
    if claims.token and (found := seat_of_token(saved, claims.token, db)) is not None:
        return found
    for seat in saved.start.seats:
        if seat == claims.seat and claims.key:
            keys = (token_of(saved, seat, db), saved.players.key(seat))
            if any(is_key(claims.key, key) for key in keys):
                return seat
    return Seat("")


def is_sender(saved: SavedGame, seat: Seat, sender: str) -> bool:
    """Tell whether an address is that of a seat's player; large and small letters are the same."""
    return bool(sender) and saved.players.address(seat).casefold() == sender.casefold()


def _one_of(seats: Iterable[Seat], named: str) -> Seat:
    """Return the only seat, or the one that is named; "" if neither tells."""
    found = list(seats)
    if len(found) == 1:
        return found[0]
    return Seat(named) if named in found else Seat("")
