"""Who sits where: a player is replaced by another, or a seat is given back before the deal."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.host.acting import acting
from pbem.host.acts import write_act
from pbem.host.gamewriting import Person, changed, kept_of_seat, write
from pbem.host.intents import finish
from pbem.host.moving import refuse_strange_seat
from pbem.host.replacing import Replacement, carry_out, drop_orders, meant
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.disk import LOCK_SECONDS, Disk, locked
from pbem.store.errors import WrongInput
from pbem.store.journal import open_mail

Moment = datetime.datetime


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

    Given again after a kill or an error it finishes what was begun, and returns the same.

    Raises:
        WrongInput: There is no such seat, nobody to take it, or that is who plays it.
    """
    begun = _finished(disk, home, game)
    with acting(disk, home, game) as (saved, _, db):
        refuse_strange_seat(saved, seat)
        if begun and begun.seat == seat and (person is None or person.player == begun.player):
            return _replaced(saved, begun)
        chosen = person or _next_standby(saved)
        before = saved.holder(seat)
        if chosen.player == before:
            raise WrongInput(f"{before} plays {seat} already.")
        one = meant(saved, seat, chosen, now, drop=drop_orders)
        carry_out(disk, home, db, game, one)
        return _replaced(saved, one)


def _finished(disk: Disk, home: Home, game: str) -> Replacement | None:
    """Finish what an earlier command had begun, and return the replacement if it was one."""
    if not home.has_journal:
        return None
    with locked(home.game(game), wait_seconds=LOCK_SECONDS), open_mail(disk, home) as db:
        return finish(disk, home, db, game)


def _replaced(saved: SavedGame, one: Replacement) -> Replaced:
    return Replaced(one.before, one.player, one.key if saved.table.key else "", one.orders)


def _next_standby(saved: SavedGame) -> Person:
    table, holders = saved.table, {saved.holder(seat) for seat in saved.start.seats}
    for name, address in table.standby.items():
        if name not in holders and name not in table.players.values():
            return Person(name, address)
    hint = "Name somebody: pbem replace GAME SEAT --player NAME --address ADDRESS"
    raise WrongInput(f"nobody waits for a seat in {saved.name}.", hint)


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
        text = changed(saved, seat, kept_of_seat(saved, seat))
        if (path := home.orders_file(game, seat)).is_file():
            drop_orders(disk, path)
        write(disk, saved, text)
        write_act(db, now, game, "free", f"{seat} is free again; {before} had it.", public=False)
    return before
