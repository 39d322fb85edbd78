"""A seat goes from one player to another: orders, key, file, and what both are told, each step once."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pbem.core.events import Seat
from pbem.host.acts import write_act
from pbem.host.gamewriting import Person, changed, kept_of_seat, write
from pbem.host.notes import AWAY, REPLACE, VOTE, read_notes
from pbem.host.telling import tell, tell_former, tell_newest
from pbem.play.chain import sha256
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.disk import Disk, replace_file
from pbem.store.journal import MailDb
from pbem.store.records import iso
from pbem.text.codec import dumps
from pbem.text.orders import open_envelope

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement that is meant, with all that is needed to finish it whatever was done of it.

    Attributes:
        seat: The seat.
        player: Who takes it, with address and zone.
        address: Where mail for the new player goes, or "".
        zone: The new player's time zone, or "".
        before: Who had it.
        before_address: Where the mail of that player went, or "".
        key: The seat's new key.
        orders: What becomes of orders that are lodged: "kept", "dropped", or "" if there are none.
        dropped: SHA-256 of those that are dropped, or "".
        at: The moment, ISO 8601.
    """

    seat: str
    player: str
    address: str
    zone: str
    before: str
    before_address: str
    key: str
    orders: str
    dropped: str
    at: str


def meant(saved: SavedGame, seat: Seat, person: Person, now: Moment, *, drop: bool) -> Replacement:
    """Return a replacement as it is about to be carried out.

    Raises:
        WrongInput: The file of the game could not be written so.
    """
    changed(saved, seat, {**person.row(), **kept_of_seat(saved, seat)})
    path = saved.home.orders_file(saved.name, seat)
    there = path.is_file()
    return Replacement(
        seat=seat,
        player=person.player,
        address=person.address,
        zone=person.zone,
        before=saved.holder(seat),
        before_address=saved.address(seat),
        key=saved.secret.key(seat, person.player),
        orders=("dropped" if drop else "kept") if there else "",
        dropped=sha256(path.read_bytes()) if there and drop else "",
        at=now.isoformat(),
    )


def carry_out(disk: Disk, home: Home, db: MailDb, game: str, one: Replacement) -> None:
    """Do what is left to do of a replacement, with the game locked; its intent is over with the last step."""
    db.set_note(game, REPLACE, json.dumps(asdict(one)))
    saved, seat = SavedGame(home, game), Seat(one.seat)
    _take_orders_over(disk, saved, seat, one)
    _write_key(disk, saved, seat, one.key)
    row = {**Person(one.player, one.address, one.zone).row(), **kept_of_seat(saved, seat)}
    write(disk, saved, changed(saved, seat, row))
    with db.writing():
        _tell(SavedGame(home, game), db, one)
        db.set_note(game, REPLACE, None)


def finish(disk: Disk, home: Home, db: MailDb, game: str) -> Replacement | None:
    """Finish a replacement that was begun and cut off; return it, or None if there is none."""
    if (written := db.note(game, REPLACE)) is None:
        return None
    begun = Replacement(**json.loads(written))
    carry_out(disk, home, db, game, begun)
    return begun


def _tell(saved: SavedGame, db: MailDb, one: Replacement) -> None:
    """Write down who plays a seat now, forget what was its former player's, and tell both."""
    seat, now = Seat(one.seat), Moment.fromisoformat(one.at)
    told = f"{one.player} plays {seat} from now on, in place of {one.before}."
    write_act(db, now, saved.name, "replace", told, public=True)
    _forget_player(db, saved.name, seat)
    if one.before_address.casefold() != saved.address(seat).casefold():
        _thank(saved, db, now, one)
    _welcome(saved, db, now, one)


def _forget_player(db: MailDb, game: str, seat: Seat) -> None:
    """Forget when a player who left would be away, and what they voted for."""
    db.set_note(game, f"{AWAY}{seat}", None)
    for turn, kind, voter in read_notes(db, game).votes:
        if voter == seat:
            db.set_note(game, f"{VOTE}{turn}:{kind}:{seat}", None)


def _write_key(disk: Disk, saved: SavedGame, seat: Seat, key: str) -> None:
    secret = replace(saved.secret, keys={**saved.secret.keys, seat: key})
    replace_file(disk, saved.folder / "secret.json", dumps(secret.as_json()).encode(), 0o600)


def drop_orders(disk: Disk, path: Path) -> None:
    """Put lodged orders aside: they do not count any more."""
    disk.rename(path, path.with_name(f".{path.name}.dropped"))
    disk.sync_names(path.parent)


def _take_orders_over(disk: Disk, saved: SavedGame, seat: Seat, one: Replacement) -> None:
    """Let the orders that were lodged count on under the new key, or not at all."""
    path = saved.home.orders_file(saved.name, seat)
    if not path.is_file():
        return
    data = path.read_bytes()
    if one.dropped:
        if sha256(data) == one.dropped:  # others may have come since this was begun
            drop_orders(disk, path)
        return
    envelope = open_envelope(data)
    if not isinstance(envelope, list) and envelope.key == saved.key(seat) and saved.table.key:
        old = saved.key(seat).encode()  # which stands there once only
        replace_file(disk, path, data.replace(old, one.key.encode(), 1))


def _welcome(saved: SavedGame, db: MailDb, now: Moment, one: Replacement) -> None:
    seat = Seat(one.seat)
    key = f"Your key is {one.key}; write it under `key:` in your orders."
    lines = [
        f"Welcome, {one.player}: you play {seat} in {saved.name} now, in place of {one.before}.",
        "",
        "Answer this mail, or the next, to send orders; the address is yours alone.",
        *([key] if saved.table.key else []),
        f"The last report of the seat, with the form, is report {saved.turn}; it comes in a mail of its own, "
        "and a mail with the one word `resend` brings it again.",
    ]
    tell(saved, db, now, seat, "notice", f"welcome {iso(now)}", "Your seat", "\n".join(lines))
    tell_newest(saved, db, now, seat, f"for-{now:%Y%m%dT%H%M%S}")


def _thank(saved: SavedGame, db: MailDb, now: Moment, one: Replacement) -> None:
    """Tell the player who had a seat until now that it is somebody else's."""
    text = (
        f"From now on {one.seat} in {saved.name} is played by somebody else. What you send for this seat "
        "does not count any more, and you get no more mail about it.\n\n"
        f"Thank you for having played, {one.before}."
    )
    title = "Your seat is played by another"
    former = Person(one.before, one.before_address)
    tell_former(saved, db, now, Seat(one.seat), former, f"thanks {iso(now)}", title, text)
