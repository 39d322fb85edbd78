"""A player's name is mended: the same person, with the same secrets, is called otherwise from now on."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.telling import act_of, is_mailed, to_player
from pbem.host.people.gamewriting import changed, kept_of_seat, row_of, with_standby
from pbem.host.people.names import former_name, names_of, noted_names, past_names
from pbem.host.run.acting import acting
from pbem.host.time.moving import refuse_strange_seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.formowner import changed_by_hand
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Row, iso
from pbem.store.memory import MemoryStore
from pbem.text.schemas.codec import dumps

Moment = datetime.datetime


def rename_player(home: Home, game: str, seat: Seat, name: str, now: Moment) -> str:
    """Call a seat's player otherwise from now on; return the name of before.

    Whom `game.yaml` calls so since it was changed by hand is then known to be the same person.

    Address, key and orders stay. Reports say the new name from the next on. Given again after a kill or an
    error it finishes what was begun, and returns the same.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        name: The new name.
        now: The moment.

    Raises:
        WrongInput: There is no such seat, nobody has it, or the name is taken, theirs already or no name.
        Declined: The game is over.
    """
    name = " ".join(name.split())
    with acting(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        begun = act.begun.what if act.begun is not None else {}
        if begun.get("named") == [str(seat), name]:
            return str(begun["before"])
        before = saved.players.holder(seat)
        if name == before and (by_hand := changed_by_hand(saved, seat)):
            before = by_hand  # the file calls them so already
        else:
            _refuse_name(saved, seat, name)
        home.store.change(game, _change(saved, seat, before, name, now))
    return before


def _refuse_name(saved: SavedGame, seat: Seat, name: str) -> None:
    """Refuse a name that cannot be given to a seat's player.

    Raises:
        WrongInput: It is so.
    """
    game = saved.name
    if seat in saved.table.free:
        way = f"Give it to somebody: pbem replace {game} {seat} --player NAME --address ADDRESS"
        raise WrongInput(f"nobody has taken {seat} of {game}.", way)
    if name == saved.players.holder(seat):
        raise WrongInput(f"the player of {seat} is called {name} already.")
    replaced = saved.position.attendance.substitutes.values()
    gone = [saved.called.named(one.of) for one in replaced]
    if name in saved.players.names_of_others(seat, *gone):
        raise WrongInput(f"the name {name} is taken in {game}.", "Choose another name.")
    saved.players.refuse_name(name, seat, *gone)


def _what_stays(after: SavedGame, seat: Seat) -> str:
    """Return what is as it was for a player who is called otherwise: no key or address that there is not."""
    by_mail = is_mailed(after.home, after.players.address(seat))
    mine = [*(["your address for orders"] if by_mail else []), *(["your key"] if after.table.key else [])]
    told = f"{', '.join(mine)} and your orders" if mine else "your seat and your orders"
    return f"{told[0].upper()}{told[1:]}"


def _change(saved: SavedGame, seat: Seat, before: str, name: str, now: Moment) -> Change:
    """Return what becomes true when a player is called otherwise."""
    game, standby = saved.name, saved.players.standby(seat)
    row: dict[str, Json] = {**row_of(saved, seat), "player": name}
    if standby:  # the file still names who was replaced
        address = saved.players.address(seat)
        row = {"player": name, **({"address": address} if address else {}), **kept_of_seat(saved, seat)}
    kept = {f"games/{game}/game.yaml": with_standby(changed(saved, seat, row), before, name).encode()}
    if standby:
        keys: dict[str, Json] = {
            str(one): saved.players.key(one) if one == seat else key for one, key in saved.secret.keys.items()
        }
        kept[f"games/{game}/secret.json"] = dumps({**saved.secret.as_json(), "keys": keys}).encode()
    after = SavedGame(Home(MemoryStore(kept, behind=saved.home.store), saved.home.unmailed), game)
    with saved.home.journal() as db:
        names, left = names_of(saved, seat, db, before), former_name(saved, seat, db)
        past = past_names(saved, seat, db, before)
    known = names[: names.index(name) + 1] if name in names else (*names, name)
    words = (
        f"You are called {name} in {game} from now on; until now you were {before}. Reports say so from the "
        f"next one on. {_what_stays(after, seat)} stay as they were."
    )
    told = f"the player of {seat} goes by another name from now on, and is the same person."
    facts = facts_of("player-renamed", seat=seat)
    what: dict[str, Json] = {"words": f"naming {seat}", "named": [str(seat), name], "before": before}
    rows: tuple[Row, ...] = (
        noted_names(saved, seat, known),
        left,
        *past,
        act_of(now, game, "seat", told, public=True, facts=facts),
        *to_player(after, now, seat, "notice", f"named {iso(now)}", "Your name", words, facts=facts),
    )
    return Change(what, dict[str, bytes | None](kept), rows=rows)
