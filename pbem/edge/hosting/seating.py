"""Who sits where: a player is replaced by another, or a seat is given back before the deal."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.edge.errors import WrongInput
from pbem.edge.files import Disk, replace_file
from pbem.edge.gamefile import table_of
from pbem.edge.gameschema import game_schema
from pbem.edge.home import Home
from pbem.edge.hosting.acts import acting, write_act
from pbem.edge.hosting.gamewriting import seat_row, with_seat
from pbem.edge.hosting.moving import refuse_strange_seat
from pbem.edge.hosting.notes import AWAY, VOTE, Notes
from pbem.edge.hosting.post import tell, tell_former
from pbem.edge.mail.db import MailDb
from pbem.edge.mail.outgoing import Post, newest_again
from pbem.edge.mail.rows import iso
from pbem.edge.mail.settings import has_mail, mail_settings
from pbem.edge.saved import SavedGame
from pbem.text.codec import dumps
from pbem.text.orders import open_envelope
from pbem.text.strictyaml import parse

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes a seat.

    Attributes:
        player: The name that all see.
        address: Where mail goes, or "".
        zone: The time zone, or "" for the home's.
    """

    player: str
    address: str = ""
    zone: str = ""

    def row(self) -> dict[str, Json]:
        """Return the entry of the seat."""
        fields = {"player": self.player, "address": self.address, "zone": self.zone}
        return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class Replaced:
    """What came of a replacement.

    Attributes:
        before: The name of the player who left.
        now: The one who plays the seat now.
        key: The seat's new key where orders must carry one, else "".
        orders: What became of orders that were lodged already: "kept", "dropped" or "" if there were none.
    """

    before: str
    now: str
    key: str
    orders: str


def replace_player(
    disk: Disk,
    home: Home,
    game: str,
    seat: Seat,
    person: Person | None,
    now: Moment,
    *,
    drop_orders: bool = False,
) -> Replaced:
    """Give a seat to another player, with a new key and a new token.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        game: The id of the game.
        seat: The seat.
        person: Who takes it; None for the next one of the standby list.
        now: The moment.
        drop_orders: What was lodged for the seat and not taken yet does not count any more.

    Raises:
        WrongInput: There is no such seat, nobody to take it, or that is who plays it.
    """
    with acting(disk, home, game) as (saved, notes, db):
        refuse_strange_seat(saved, seat)
        chosen = person or _next_standby(saved)
        before = saved.holder(seat)
        if chosen.player == before:
            raise WrongInput(f"{before} plays {seat} already.")
        row = {**chosen.row(), **_kept(saved, seat)}
        text = changed(saved, seat, row)
        key = saved.secret.key(seat, chosen.player)
        orders = _take_orders_over(disk, saved, seat, key, drop=drop_orders)
        _write_key(disk, saved, seat, key)
        told = f"{chosen.player} plays {seat} from now on, in place of {before}."
        write_act(db, now, game, "replace", told, public=True)  # before it is done: no act stays unwritten
        write(disk, saved, text)
        _forget_player(db, notes, game, seat)
        replaced = Replaced(before, chosen.player, key if saved.table.key else "", orders)
        after = SavedGame(home, game)
        if saved.address(seat).casefold() != after.address(seat).casefold():
            _thank(saved, db, now, seat)
        _welcome(after, db, now, seat, replaced)
        return replaced


def _forget_player(db: MailDb, notes: Notes, game: str, seat: Seat) -> None:
    """Forget when a player who left would be away, and what they voted for."""
    db.set_note(game, f"{AWAY}{seat}", None)
    for turn, kind, voter in notes.votes:
        if voter == seat:
            db.set_note(game, f"{VOTE}{turn}:{kind}:{seat}", None)


def _next_standby(saved: SavedGame) -> Person:
    table, holders = saved.table, {saved.holder(seat) for seat in saved.start.seats}
    for name, address in table.standby.items():
        if name not in holders and name not in table.players.values():
            return Person(name, address)
    hint = "Name somebody: pbem replace GAME SEAT --player NAME --address ADDRESS"
    raise WrongInput(f"nobody waits for a seat in {saved.name}.", hint)


def _kept(saved: SavedGame, seat: Seat) -> dict[str, Json]:
    """Return what belongs to the seat and not to its player."""
    row = seat_row(_text(saved), seat)
    return {"silent": row["silent"]} if "silent" in row else {}


def _text(saved: SavedGame) -> str:
    return (saved.folder / "game.yaml").read_text(encoding="utf-8")


def changed(saved: SavedGame, seat: Seat, row: Mapping[str, Json]) -> str:
    """Return the `game.yaml` of a game with another entry for a seat.

    Raises:
        WrongInput: It would not fit what such a file must be.
    """
    path = saved.folder / "game.yaml"
    text = with_seat(path, _text(saved), seat, row)
    value = parse(text).value
    assert isinstance(value, dict), "it was an object before"
    for problem in game_schema().problems(value):
        place = ".".join(map(str, problem.path))
        raise WrongInput(f"{place}: {problem.text}.", problem.hint)
    table_of(path, value, saved.start.seats, None, "")
    return text


def write(disk: Disk, saved: SavedGame, text: str) -> None:
    """Replace the `game.yaml` of a game; whoever may read it now may read it then."""
    path = saved.folder / "game.yaml"
    replace_file(disk, path, text.encode(), path.stat().st_mode & 0o777)


def _write_key(disk: Disk, saved: SavedGame, seat: Seat, key: str) -> None:
    secret = replace(saved.secret, keys={**saved.secret.keys, seat: key})
    replace_file(disk, saved.folder / "secret.json", dumps(secret.as_json()).encode(), 0o600)


def _take_orders_over(disk: Disk, saved: SavedGame, seat: Seat, key: str, *, drop: bool) -> str:
    """Let the orders that were lodged count on under the new key, or not at all."""
    path = saved.home.orders_file(saved.name, seat)
    if not path.is_file():
        return ""
    if drop:
        disk.rename(path, path.with_name(f".{path.name}.dropped"))
        disk.sync_names(path.parent)
        return "dropped"
    data = path.read_bytes()
    envelope = open_envelope(data)
    if not isinstance(envelope, list) and envelope.key == saved.key(seat) and saved.table.key:
        old = saved.key(seat).encode()  # which stands there once only
        replace_file(disk, path, data.replace(old, key.encode(), 1))
    return "kept"


def _welcome(saved: SavedGame, db: MailDb, now: Moment, seat: Seat, replaced: Replaced) -> None:
    lines = [
        f"Welcome, {replaced.now}: you play {seat} in {saved.name} now, in place of {replaced.before}.",
        "",
        "Answer this mail, or the next, to send orders; the address is yours alone.",
        *([f"Your key is {replaced.key}; write it under `key:` in your orders."] if replaced.key else []),
        f"The last report of the seat, with the form, is report {saved.turn}; it comes in a mail of its own, "
        "and a mail with the one word `resend` brings it again.",
    ]
    tell(saved, db, now, seat, "notice", f"welcome {iso(now)}", "Your seat", "\n".join(lines))
    if has_mail(saved.home):
        post = Post(mail_settings(saved.home), saved, db)
        if (newest := newest_again(post, seat, f"for-{now:%Y%m%dT%H%M%S}")) is not None:
            db.put(newest, now)


def _thank(saved: SavedGame, db: MailDb, now: Moment, seat: Seat) -> None:
    """Tell the player who had a seat until now that it is somebody else's.

    Args:
        saved: The game as it was before.
        db: The mail database.
        now: The moment.
        seat: The seat.
    """
    text = (
        f"From now on {seat} in {saved.name} is played by somebody else. What you send for this seat does "
        "not count any more, and you get no more mail about it.\n\nThank you for having played, "
        f"{saved.holder(seat)}."
    )
    tell_former(saved, db, now, seat, f"thanks {iso(now)}", "Your seat is played by another", text)


def free_seat(disk: Disk, home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Take a seat of an open game from its player before the deal; return the player's name.

    Raises:
        WrongInput: The game is not open, or was dealt already.
    """
    with acting(disk, home, game) as (saved, _, db), db.writing():
        refuse_strange_seat(saved, seat)
        if saved.position.game is not None or seat in saved.table.free:
            raise WrongInput(f"{seat} of {game} cannot be freed: nobody has it, or the game was dealt.")
        before = saved.holder(seat)
        text = changed(saved, seat, _kept(saved, seat))
        _take_orders_over(disk, saved, seat, "", drop=True)
        write(disk, saved, text)
        write_act(db, now, game, "free", f"{seat} is free again; {before} had it.", public=False)
    return before
