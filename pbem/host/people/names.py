"""The names of players: mended, the person stays the same; who sent what stands; who came into a seat."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import is_mailed, make_act, notice_to_player, notice_words
from pbem.host.people.gamewriting import changed, rename_standby, row_of, seat_own_fields
from pbem.host.run.notes import EPOCH, SENT, Notes, Sender, hold_game, note
from pbem.host.time.extensions import refuse_strange_seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.play.homes.tenures import Tenure
from pbem.play.submissions.gate import LodgedOrders
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.records import Note, Row, facts_of, iso
from pbem.text.codec import dumps

if TYPE_CHECKING:
    from pbem.store.journal import Journal

_OLD_EPOCHS: Final = "old epochs:"
"""Before a seat: the numbers that its secrets were made with before."""

_MOST_EPOCHS: Final = 20


def epoch_of(saved: SavedGame, seat: Seat, db: Journal) -> int:
    """Return the number that a seat's secrets are made with: 0 at first, then another each time."""
    return int(db.note(saved.name, f"{EPOCH}{seat}") or "0")


def next_epoch(saved: SavedGame, seat: Seat, db: Journal, now: datetime.datetime) -> int:
    """Return a number that none of a seat's secrets was made with: the seconds since 1970, or more.

    A count would begin again where the journal was lost, and bring back a secret that others have seen.
    """
    return max(epoch_of(saved, seat, db) + 1, int(now.timestamp()))


def old_epochs(saved: SavedGame, seat: Seat, db: Journal) -> list[int]:
    """Return the numbers that a seat's secrets were made with before, the oldest first."""
    found = [0, *map(int, json.loads(db.note(saved.name, f"{_OLD_EPOCHS}{seat}") or "[]"))]
    return [one for one in dict.fromkeys(found) if one != epoch_of(saved, seat, db)]


def epoch_notes(saved: SavedGame, seat: Seat, db: Journal, new: int) -> tuple[Note, Note]:
    """Return the notes of what a seat's secrets are made with now, and were before."""
    before = [*old_epochs(saved, seat, db), epoch_of(saved, seat, db)]
    return (
        note(saved.name, f"{_OLD_EPOCHS}{seat}", [*before[-_MOST_EPOCHS:]]),
        Note(saved.name, f"{EPOCH}{seat}", str(new)),
    )


def forgotten(saved: SavedGame, seat: Seat, epoch: int) -> tuple[Note, ...]:
    """Return what is noted when a player leaves a seat of which somebody had more than one name.

    Whoever takes one of these names later gets other secrets.

    Args:
        saved: The game.
        seat: The seat.
        epoch: What the seat's next secrets are made with.
    """
    if not any(len(one.names) > 1 for one in saved.tenures.of(seat)):
        return ()
    return (Note(saved.name, f"{EPOCH}{seat}", str(epoch)),)


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
        RequestRefused: The game is over.
    """
    name = " ".join(name.split())
    with hold_game(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        begun = act.begun.what if act.begun is not None else {}
        if begun.get("named") == [str(seat), name]:
            return str(begun["before"])
        before = saved.players.holder(seat)
        if saved.tenures.is_player_of(seat, name) and (by_hand := saved.tenures.untold(seat)):
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
    if saved.tenures.is_player_of(seat, name):
        raise WrongInput(f"the player of {seat} is called {name} already.")
    replaced = saved.position.attendance.substitutes.values()
    gone = [saved.called.named(one.of) for one in replaced]
    saved.players.refuse_name(name, seat, *gone)


def _change(saved: SavedGame, seat: Seat, before: str, name: str, now: Moment) -> Change:
    """Return what becomes true when a player is called otherwise."""
    game, standby = saved.name, saved.players.standby(seat)
    row: dict[str, Json] = {**row_of(saved, seat), "player": name}
    if standby:  # the file still names who was replaced
        address = saved.players.address(seat)
        row = {"player": name, **({"address": address} if address else {}), **seat_own_fields(saved, seat)}
    kept = {f"games/{game}/game.yaml": rename_standby(changed(saved, seat, row), before, name).encode()}
    if standby:
        keys: dict[str, Json] = {
            str(one): saved.players.key(one) if one == seat else key for one, key in saved.secret.keys.items()
        }
        kept[f"games/{game}/secret.json"] = dumps({**saved.secret.as_json(), "keys": keys}).encode()
    named = saved.tenures.rename_note(seat, name)
    after = saved.after(kept, named)
    by_mail = is_mailed(after.home, after.players.address(seat))
    words = notice_words(
        saved.home,
        "player-renamed",
        {"name": name, "game": game, "before": before, "by_mail": by_mail, "has_key": after.table.key},
    )
    facts = facts_of("player-renamed", seat=seat)
    what: dict[str, Json] = {"words": f"naming {seat}", "named": [str(seat), name], "before": before}
    rows: tuple[Row, ...] = (
        named,
        make_act(now, game, "seat", public=True, facts=facts),
        *notice_to_player(after, now, seat, "notice", f"named {iso(now)}", *words, facts=facts),
    )
    return Change(what, dict[str, bytes | None](kept), rows=rows)


def former_sender_note(
    saved: SavedGame, notes: Notes, seat: Seat, former: Tenure, found: LodgedOrders
) -> Note:
    """Return the note of who sent the orders that stand when a seat comes to another player.

    Args:
        saved: The game before it.
        notes: What is noted of it.
        seat: The seat.
        former: The tenure that ends.
        found: What it has lodged.
    """
    sha = _hash(saved, found, seat)
    known = notes.senders.get(seat)
    sent = known if known is not None and known.sha == sha else Sender(former.who, sha, former.names[-1])
    return note(saved.name, f"{SENT}{seat}", [*sent] if sha else None)


def former_senders(
    saved: SavedGame, notes: Notes, found: LodgedOrders, by_hand: Mapping[Seat, str], seats: Iterable[Seat]
) -> dict[Seat, str]:
    """Return who sent the orders that stand, of seats whose players of now did not, or may not have.

    Args:
        saved: The game.
        notes: What is noted of it.
        found: What its seats have lodged.
        by_hand: Who had seats that were given to another by hand.
        seats: Those whose orders stand.
    """
    told = dict[Seat, str]()
    for seat in seats:
        sent = notes.senders.get(seat)
        if sent is not None and sent.sha == _hash(saved, found, seat):
            if not saved.tenures.is_present(seat, sent.who):  # who may have come back since
                told[seat] = sent.name
        elif seat in by_hand:
            told[seat] = f"{by_hand[seat]} or {saved.players.holder(seat)}"
    return told


def _hash(saved: SavedGame, found: LodgedOrders, seat: Seat) -> str:
    """Return the hash of the file that a seat's lines came in: lodged, or left over of what a turn took."""
    is_lodged = seat in found.submissions and seat not in found.kept
    return sha256(found.submissions[seat]) if is_lodged else str(saved.taken_hashes.get(seat, ""))
