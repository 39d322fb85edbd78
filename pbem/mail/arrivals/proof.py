"""Whose a mail is: by its address, the key in its orders, a signature; did it come before, or go astray."""

from __future__ import annotations

import email.policy
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final

from pbem.core.book import TOGETHER, parts
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.mail.account.addresses import read_recipient, seat_of_old_token, seat_of_token, token_of
from pbem.mail.arrivals.desk import Desk
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.records import Intake
from pbem.text.codec import fields_of, items_of
from pbem.text.mail.findorders import FoundOrders
from pbem.text.mail.letter import Letter, RefusedMail
from pbem.text.names import is_same_address
from pbem.text.orders import is_key


@dataclass(frozen=True, slots=True)
class MailOwner:
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


def prove_mail_owner(saved: SavedGame, claims: Claims, db: Journal, *, signed: bool = False) -> MailOwner:
    """Return whose a mail is, and whether that is proven as the game demands.

    Args:
        saved: The game.
        claims: What the mail says.
        db: Where it stands how often tokens were made anew.
        signed: A good signature by the key of the seat that its claims lead to covers what counts in it.
    """
    level = saved.table.auth
    by_secret = _seat_of_secret(saved, claims, db)
    by_sender = [seat for seat in saved.start.seats if is_sender(saved, seat, claims.sender)]
    seat = by_secret or _pick_seat(by_sender, claims.seat)
    if not seat:
        return MailOwner(Seat(""))
    if level == "openpgp":
        return MailOwner(seat, "" if signed else "signature")
    if level != "sender" and not by_secret:
        return MailOwner(seat, "token")
    if level != "token" and seat not in by_sender:
        return MailOwner(seat, "sender")
    return MailOwner(seat)


def is_genuine(letter: Letter) -> bool | None:
    """Tell what the moderator's own mail server says of a sender; None if it says neither yes nor no.

    A signature that holds for the beginning of a mail only proves nothing about the rest, and so it counts
    for nothing, nor does what rests on it.
    """
    domain = (letter.sender or "").rpartition("@")[2]
    results = [one for one in letter.authentication if one.domain and _is_sender_domain(one.domain, domain)]
    if any(one.method == "dmarc" and one.result == "fail" for one in results):
        return False
    proofs = ("spf",) if letter.has_signature_with_length else ("spf", "dkim", "dmarc")
    if any(one.method in proofs and one.result == "pass" for one in results):
        return True
    return False if any(one.result == "fail" for one in results) else None


def _is_sender_domain(one: str, domain: str) -> bool:
    """Tell whether a domain is the sender's, or stands above it."""
    return "." in one and (domain == one or domain.endswith(f".{one}"))


def _seat_of_secret(saved: SavedGame, claims: Claims, db: Journal) -> Seat:
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
    return is_same_address(sender, saved.players.address(seat))


def _pick_seat(seats: Iterable[Seat], named: str) -> Seat:
    """Return the only seat, or the one that is named; "" if neither tells."""
    found = list(seats)
    if len(found) == 1:
        return found[0]
    return Seat(named) if named in found else Seat("")


GPGV: Final = "gpgv"
_SECONDS: Final = 20
_CLEAR: Final = b"-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = b"-----BEGIN PGP SIGNATURE-----"
_VALID: Final = re.compile(r"^\[GNUPG:\] VALIDSIG [0-9A-F]+ [0-9-]+ ([0-9]+)", re.MULTILINE)
_GOOD: Final = re.compile(r"^\[GNUPG:\] GOODSIG ", re.MULTILINE)
"""Said of a signature by a key that is neither revoked nor expired: else it is EXPKEYSIG or REVKEYSIG."""

_BOUNDARY: Final = re.compile(rb'multipart/signed;[^\x00]*?boundary="?([^"\s;]{1,70})"?', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SignedContent:
    """What a good signature covers.

    Attributes:
        data: A part of a mail with its headers (PGP/MIME), or plain text.
        is_part: It is a part of a mail with its headers.
        made: When it was signed, in seconds since 1970.
    """

    data: bytes
    is_part: bool
    made: int


def keyring(home: Path, game: str, seat: str) -> Path:
    """Return where the public keys of a seat's player lie: a file for each seat."""
    return home / "mail" / "keys" / game / f"{seat}.gpg"


def signed_part(raw: bytes, text: bytes, ring: Path) -> SignedContent | None:
    """Return what one of a player's keys has signed of a mail, or None.

    Args:
        raw: The mail.
        text: Its plain text, decoded, as it may hold a clear-signed text.
        ring: The keys of this player and nobody else.
    """
    if not ring.is_file():
        return None
    if pair := _split_signed(raw):
        return _verify_signature(*pair, ring)
    if _CLEAR in text:
        return _verify_signature(text[text.index(_CLEAR) :], None, ring)
    return None


def _split_signed(raw: bytes) -> tuple[bytes, bytes] | None:
    """Return the signed part of a PGP/MIME mail (RFC 3156) byte for byte, and its signature."""
    raw = re.sub(rb"\r?\n", b"\r\n", raw)
    head, _, body = raw.partition(b"\r\n\r\n")
    found = _BOUNDARY.search(re.sub(rb"\r\n[ \t]", b" ", head))
    if not found:
        return None
    parts = re.split(rb"(?:^|\r\n)--" + re.escape(found[1]) + rb"(?:--)?[ \t]*(?:\r\n|$)", body)
    if len(parts) != 4 or _SIGNATURE not in parts[2]:  # preamble, part, signature, epilogue
        return None
    return parts[1], parts[2][parts[2].index(_SIGNATURE) :]


def _verify_signature(signed: bytes, signature: bytes | None, ring: Path) -> SignedContent | None:
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        given, out, detached = Path(folder) / "in", Path(folder) / "out", Path(folder) / "sig"
        given.write_bytes(signed)
        files = [str(given)]
        if signature is not None:
            detached.write_bytes(signature)
            files = [str(detached), str(given)]
        command = [GPGV, "--status-fd", "1", "--keyring", str(ring.absolute()), "--homedir", folder]
        written = [] if signature is not None else ["--output", str(out)]
        try:
            ran = subprocess.run(
                [*command, *written, "--", *files], capture_output=True, check=False, timeout=_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        said = ran.stdout.decode("ascii", "replace")
        valid = _VALID.findall(said)
        if ran.returncode != 0 or len(valid) != 1 or len(_GOOD.findall(said)) != 1:
            return None
        data = signed if signature is not None else out.read_bytes()
    return SignedContent(data, is_part=signature is not None, made=int(valid[0]))


_UNDATED: Final = "@no-date>"
_WRITTEN: Final = ("from", "to", "cc", "reply-to", "subject", "in-reply-to", "references")
"""The headers that a sender writes: others may be added on the way."""


def mail_identity(letter: Letter, raw: bytes, orders: bytes | None, *, is_command: bool) -> tuple[str, str]:
    """Return what a mail is recognised by when it comes again, and the hash of its orders.

    Args:
        letter: The mail.
        raw: Its bytes.
        orders: The orders in it, or None.
        is_command: It gives a command: the same one may be meant again.

    Returns:
        Its Message-ID, or a hash in its place: of its sender, its date and what it says; where it has no date
        either, of all that its sender wrote, or of a command as it came. Beside it the hash of date and
        orders, or "".
    """
    sender, written = (letter.sender or "").casefold(), letter.header("date")
    if not written and not (is_command and orders is None):
        body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
        head = (letter.header(name).encode(errors="replace") for name in _WRITTEN)
        whole = hashlib.sha256(b"\0".join([*head, body])).hexdigest()
        return letter.message_id or f"<{whole}{_UNDATED}", ""
    said = written.encode() + b"\0" + (raw if orders is None else orders)
    identity = hashlib.sha256(sender.encode() + b"\0" + said).hexdigest()
    content = hashlib.sha256(said).hexdigest()
    return letter.message_id or f"<{identity}@no-id>", "" if orders is None else content


def explain_repetition(
    db: Journal,
    intake: Intake,
    whose: tuple[str, Seat],
    identity: str,
    content: str,
    signed: SignedContent | None,
) -> str:
    """Say by what a mail is recognised as one that came before, or "".

    Args:
        db: The journal.
        intake: The mail.
        whose: The game and the seat that it comes from.
        identity: Its Message-ID, or what stands for one.
        content: The hash of what it says, or "".
        signed: What is signed of it, if its game demands a signature.
    """
    game, seat = whose
    if db.is_repeated_mail(identity, game, seat, intake.id):
        return "whole" if identity.endswith(_UNDATED) else "message-id"
    if signed is not None and signed.made <= int(db.note(game, f"signed:{seat}") or "0"):
        return "signature"
    heard = db.note(game, f"heard:{seat}:{content[:32]}") if content else None
    return "content" if heard is not None and heard != str(intake.id) else ""


def has_matching_sender(desk: Desk, letter: Letter, envelope_from: str) -> bool:
    """Tell whether a mail is from the address in its head, as our own server says, or else its envelope.

    An envelope can be forged; nothing but a warning to the registered address, once a day, rests on it.
    """
    if desk.settings.authserv:
        return is_genuine(letter) is True
    return is_same_address(letter.sender or "", envelope_from)


def stray_mail_owner(
    desk: Desk, letter: Letter | RefusedMail, envelope_from: str, game: str = "", named: str = ""
) -> tuple[SavedGame, MailOwner] | None:
    """Return the game and the player who wrote a mail that leads to no seat; None if nobody tells.

    It is the seat that was written to last at this address, as long as its player of now is who was written
    to: their address may be another one by now. Where another has it, who wrote is a former player.

    Args:
        desk: The desk.
        letter: The mail.
        envelope_from: The sender of its envelope.
        game: The game that it names, or "".
        named: The seat that its orders name, or "".
    """
    if (
        isinstance(letter, RefusedMail)
        or letter.doubled
        or not has_matching_sender(desk, letter, envelope_from)
    ):
        return None
    sender = letter.sender or ""
    found = desk.db.find_by_recipient(sender, game, named)
    saved = desk.game(found.game) if found is not None else None
    if found is None or saved is None:
        return None
    seat = Seat(found.seat)
    if is_sender(saved, seat, sender):
        return saved, MailOwner(seat, "token")
    token = _reply_token(desk, found.raw)
    is_theirs = seat in (seat_of_token(saved, token, desk.db), seat_of_old_token(saved, token, desk.db))
    return saved, MailOwner(seat, "both" if is_theirs else "former")


def _reply_token(desk: Desk, raw: bytes) -> str:
    """Return the token in the address at which a mail of ours is answered, of its reader alone; or ""."""
    to = BytesHeaderParser(policy=email.policy.default).parsebytes(raw)["Reply-To"]
    found = read_recipient(desk.settings, to.addresses[0].addr_spec) if to and to.addresses else None
    return found.token if found is not None else ""


_NOTHING: Final = "Nothing was changed."


def stray_orders_advice(desk: Desk, saved: SavedGame, seat: Seat, found: FoundOrders) -> str:
    """Return which game orders are for, if their player plays that one too, and where to send them; or "".

    The answer goes to the registered address. So another game is named only where the player of a seat of it
    has the same name and the same address.

    Args:
        desk: The desk.
        saved: The game whose address they came to.
        seat: The seat that they came from.
        found: Orders that this game does not take.
    """
    if found.document is None or not saved.players.address(seat):
        return ""
    value = fields_of(found.document.value)
    named = str(value.get("game", ""))
    if named != saved.name:
        is_theirs = _label_in_other_game(desk, named, saved, seat) is not None
        told = f"These orders are for {named}, and came to {saved.name}. You play in {named} too"
        return f"{told}: send them as a reply to a mail of {named}. {_NOTHING}" if is_theirs else ""
    strange = [label for label in _labels(value) if not _is_label_of_game(saved, label)]
    later = ""
    for name in desk.db.games_mailed_to(saved.players.address(seat)) if strange else ():
        theirs = _label_in_other_game(desk, name, saved, seat) if name != saved.name else None
        if theirs is None:
            continue
        asked, owners = theirs
        mine = [label for label in strange if label == asked or _label_owner(label) in owners]
        way = f"in {name}, which you play too. Send them as a reply to a mail of {name}. {_NOTHING}"
        if asked in mine:
            return f"{asked} is asked {way}"
        if mine and not later:
            later = f"{mine[0]} is a label of yours {way}"
    return later


def game_of_secret(desk: Desk, name: str, secret: str) -> SavedGame | None:
    """Return a game if a secret is that of one of its seats; None too if the game cannot be opened."""
    try:
        saved = desk.game(name)
        return saved if saved is not None and seat_of_token(saved, secret, desk.db) is not None else None
    except WrongInput:
        return None


def _label_in_other_game(
    desk: Desk, name: str, saved: SavedGame, seat: Seat
) -> tuple[str, Collection[str]] | None:
    """Return the label under which a player is asked in another game, and whose counts their labels have.

    Returns:
        None if the player has no seat there, or that game cannot be opened. "" if others are asked.
    """
    try:
        other = desk.game(name)
        seats = set(_seats_of(other, saved, seat)) if other is not None else set()
        if other is None or not seats:
            return None
        ask = other.ask
    except WrongInput:  # a game that is damaged keeps no mail of another one waiting
        return None
    if not isinstance(ask, Ask):
        return "", ()
    return ask.label if seats & (ask.seats | ask.optional) else "", {*seats, *({TOGETHER} & _owners(other))}


def _seats_of(other: SavedGame, saved: SavedGame, seat: Seat) -> Iterator[Seat]:
    """Yield the seats that a player has in another game."""
    player, address = saved.tenures.current(seat).player, saved.players.address(seat)
    for one in other.start.seats:
        there = other.tenures.current(one).player
        is_same = player is not None and there is not None and there.id == player.id
        if is_same and is_same_address(address, other.players.address(one)):
            yield one


def _labels(value: dict[str, Json]) -> Iterator[str]:
    """Yield the labels that orders name."""
    for line in items_of(value.get("orders")):
        if isinstance(at := fields_of(line).get("at"), str):
            yield at


def _is_label_of_game(saved: SavedGame, label: str) -> bool:
    """Tell whether a label can be one of a game; what has no count is not looked for elsewhere."""
    return (owner := _label_owner(label)) == "" or owner in _owners(saved)


def _label_owner(label: str) -> str:
    """Return whose count a label has; "" if it is no label with a count."""
    found = parts(label)
    return found.owner if found is not None else ""


def _owners(saved: SavedGame) -> set[str]:
    """Return whose counts the labels of a game have; before the deal it may be all at once, or each seat."""
    seats = {str(seat) for seat in saved.start.seats}
    now = parts(saved.ask.label) if isinstance(saved.ask, Ask) else None
    if now is None:
        return {TOGETHER, *seats}
    return {TOGETHER} if now.owner == TOGETHER else seats
