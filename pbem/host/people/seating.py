"""Who sits where: a player is replaced by another, or a seat is given back before the deal."""

from __future__ import annotations

import datetime
from dataclasses import replace

from pbem.core.events import Seat
from pbem.host.notices.telling import act_of
from pbem.host.people.gamewriting import Person, changed, kept_of_seat
from pbem.host.people.names import forgotten, former_name, next_epoch
from pbem.host.people.replacing import Replaced, replaced_of, replacement
from pbem.host.run.acting import acting
from pbem.host.time.moving import refuse_strange_seat
from pbem.play.homes.home import Home
from pbem.play.homes.players import refuse_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.formowner import changed_by_hand
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Row

Moment = datetime.datetime


def replace_player(
    home: Home, game: str, seat: Seat, person: Person | None, now: Moment, *, drop_orders: bool = False
) -> Replaced:
    """Give a seat to another player or a bot, with a new key and a new token.

    Whom `game.yaml` names since it was changed by hand may be given it too: then all are told.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        person: Who takes it; None for the next one of the standby list.
        now: The moment.
        drop_orders: What was lodged for the seat does not count any more, nor what turns left over of it.

    Given again after a kill or an error it finishes what was begun, and returns the same.

    Raises:
        WrongInput: There is no such seat, nobody to take it, or that is who plays it.
        Declined: Others take the name for somebody else.
    """
    with acting(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        done = replaced_of(act.begun, seat) if act.begun is not None else None
        if done is not None and (person is None or person.player == done.now):
            return done
        chosen = person or _next_standby(saved)
        former = Person(saved.players.holder(seat), saved.players.address(seat))
        if chosen.player == former.player:
            if not (by_hand := changed_by_hand(saved, seat)):
                raise WrongInput(f"{chosen.player} plays {seat} already.")
            chosen, former = _as_written(saved, seat, chosen), Person(by_hand)
        elif not chosen.bot:
            saved.players.refuse_name(chosen.player, seat)
        refuse_unreachable(home, chosen.address)
        change, done = replacement(saved, act.notes, seat, former, chosen, now, drop=drop_orders)
        home.store.change(game, change)
        return done


def _as_written(saved: SavedGame, seat: Seat, person: Person) -> Person:
    """Return somebody whom `game.yaml` names already, with what it says of them besides."""
    address, zone = saved.players.address(seat), saved.table.zones.get(seat, "")
    return replace(person, address=person.address or address, zone=person.zone or zone)


def _next_standby(saved: SavedGame) -> Person:
    table, holders = saved.table, {saved.players.holder(seat) for seat in saved.start.seats}
    for name, address in table.standby.items():
        if name not in holders and name not in table.players.values():
            return Person(name, address)
    hint = f"Name somebody: pbem replace {saved.name} SEAT --player NAME --address ADDRESS"
    raise WrongInput(f"nobody waits for a seat in {saved.name}.", hint)


def free_seat(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Take a seat of an open game from its player before the deal; return the player's name.

    Given again after a kill or an error it finishes what was begun, and returns the same.

    Raises:
        WrongInput: The game is not open, or was dealt already.
    """
    with acting(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        if act.begun is not None and act.begun.what.get("freed") == seat:
            return str(act.begun.what["before"])
        if saved.position.game is not None or seat in saved.table.free:
            raise WrongInput(f"{seat} of {game} cannot be freed: nobody has it, or the game was dealt.")
        before, lodged = saved.players.holder(seat), home.orders_file(game, seat)
        table = changed(saved, seat, kept_of_seat(saved, seat))
        files: dict[str, bytes | None] = {f"games/{game}/game.yaml": table.encode()}
        if lodged.is_file():
            files[lodged.path] = None
        words, facts = f"{seat} is free again; {before} had it.", facts_of("seat-freed", seat=seat)
        told = act_of(now, game, "free", words, public=False, facts=facts)
        what = {"words": f"freeing {seat}", "freed": seat, "before": before}
        with home.journal() as db:
            old_names = forgotten(saved, seat, db, next_epoch(saved, seat, db, now))
            rows: tuple[Row, ...] = (*old_names, former_name(saved, seat, db), told)
        home.store.change(game, Change(what, files, rows=rows))
    return before
