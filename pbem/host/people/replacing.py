"""A seat goes from one player to another: orders, key, file, and what both are told, all of it together."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.engine.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.host.notices.announcing import released
from pbem.host.notices.questions import forgotten_tries
from pbem.host.notices.telling import (
    FOR_NEW_PLAYER,
    about_game,
    act_of,
    is_mailed,
    to_former,
    to_player,
    with_newest,
)
from pbem.host.people.gamewriting import Person, changed, kept_of_seat, without_standby
from pbem.host.people.inherited import told_of_orders
from pbem.host.people.names import forgotten, former_name, next_epoch
from pbem.host.people.senders import sent_before
from pbem.host.people.standins import stood_in
from pbem.host.run.notes import AWAY, VOTE, Notes
from pbem.host.time.deadlines import deadline_in_force
from pbem.play.config.gamefile import A_BOT
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import Lodged, lodged
from pbem.play.submissions.keyless import keyed_note
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Note, Row, Telling, iso
from pbem.store.memory import MemoryStore
from pbem.text.names.seatnames import seat_in_game
from pbem.text.schemas.codec import dumps
from pbem.text.submission.orders import is_key, open_envelope
from pbem.text.yaml.strictyaml import dump

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


def replacement(
    saved: SavedGame, notes: Notes, seat: Seat, former: Person, person: Person, now: Moment, *, drop: bool
) -> tuple[Change, Replaced]:
    """Return what becomes true when a seat goes to another player.

    Args:
        saved: The game, held.
        notes: What is noted of it.
        seat: The seat.
        former: Who leaves it.
        person: Who takes it.
        now: The moment.
        drop: What was lodged for the seat does not count any more, nor what turns left over of it.

    Raises:
        WrongInput: The file of the game could not be written so.
    """
    with saved.home.journal() as db:
        epoch = next_epoch(saved, seat, db, now)
        old_names = forgotten(saved, seat, db, epoch)
        left = former_name(saved, seat, db)
        tries = forgotten_tries(db, saved.name, seat)
    key = saved.secret.key(seat, f"{person.player}\n{epoch}")  # no name has a line feed
    secret = saved.secret._replace(keys={**saved.secret.keys, seat: key})
    table = changed(saved, seat, {**person.row(), **kept_of_seat(saved, seat)})
    if all(saved.players.holder(one) != person.player for one in saved.start.seats):
        table = without_standby(table, person.player)
    kept: dict[str, bytes] = {
        f"games/{saved.name}/secret.json": dumps(secret.as_json()).encode(),
        f"games/{saved.name}/game.yaml": table.encode(),
    }
    file = saved.home.orders_file(saved.name, seat)
    is_there, found = file.is_file(), lodged(saved, only=(seat,))
    gone: dict[str, None] = {}
    if drop and _is_left_over(saved, seat):
        kept[file.path] = _withdrawal(saved, seat, key)
    elif drop and is_there:
        gone[file.path] = None
    elif is_there and (again := under_new_key(saved, seat, file.read_bytes(), key)):
        kept[file.path] = again
    done = Replaced(
        former.player,
        person.player,
        key if saved.table.key and not person.bot else "",
        _fate(saved, found, seat, drop=drop),
    )
    after = SavedGame(Home(MemoryStore(kept, behind=saved.home.store), saved.home.unmailed), saved.name)
    sent = sent_before(saved, notes, seat, former.player, found)
    rows = (*old_names, *tries, left, sent, *_rows(after, notes, seat, former, now, done))
    files: dict[str, bytes | None] = {**kept, **gone}
    what: dict[str, Json] = {
        "words": f"giving {seat} to {person.player}",
        "seat": seat,
        "replaced": [done.before, done.now, done.key, done.orders],
    }
    return Change(what, files, rows=rows), done


def _is_left_over(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether turns have left lines of a seat over."""
    return bool(saved.pending.get(seat, Orders()).lines)


def _withdrawal(saved: SavedGame, seat: Seat, key: str) -> bytes:
    """Return orders that withdraw what turns have left over of a seat's orders."""
    keyed: dict[str, Json] = {"key": key} if saved.table.key else {}
    return dump({"game": saved.name, "seat": seat, **keyed, "orders": "none"}).encode()


def _fate(saved: SavedGame, found: Lodged, seat: Seat, *, drop: bool) -> str:
    """Return what becomes of orders of a seat: "kept", "dropped", or "" if none stand."""
    if drop and (seat in found.submissions or seat in found.bad or _is_left_over(saved, seat)):
        return "dropped"
    return "kept" if seat in found.bad or found.orders.get(seat, Orders()).lines else ""


def replaced_of(change: Change, seat: Seat) -> Replaced | None:
    """Return what came of a replacement of this seat, if a change was one."""
    found = change.what.get("replaced")
    if change.what.get("seat") != seat or not isinstance(found, list):
        return None
    return Replaced(*map(str, found))


def under_new_key(saved: SavedGame, seat: Seat, data: bytes, key: str) -> bytes:
    """Return lodged orders so that they count on under the new key; nothing if they may stay as they are."""
    envelope, old = open_envelope(data), saved.players.key(seat)
    if isinstance(envelope, list) or not is_key(envelope.key, old) or not saved.table.key:
        return b""
    return data.replace(envelope.key.encode(), key.encode(), 1)  # which stands there once only


def _rows(
    after: SavedGame, notes: Notes, seat: Seat, former: Person, now: Moment, done: Replaced
) -> tuple[Row, ...]:
    """Return what is written down: who plays the seat, what was its former player's, what both are told."""
    told = f"{done.now} plays {seat} from now on, in place of {done.before}."
    gone = [f"{VOTE}{turn}:{kind}:{voter}" for turn, kind, voter in notes.votes if voter == seat]
    is_bot = seat in after.table.bots
    is_same = former.address != "" and former.address.casefold() == after.players.address(seat).casefold()
    is_another = is_bot or not is_same
    facts = facts_of("player-replaced", seat=seat, by="bot" if is_bot else "player")
    return (
        act_of(now, after.name, "replace", told, public=True, facts=facts),
        *(released(after, seat, now) if seat in notes.held else ()),
        *([keyed_note(after.name, seat)] if done.key else []),
        *(Note(after.name, key, None) for key in (f"{AWAY}{seat}", *gone)),
        *(
            _thanks(after, now, seat, former, f"thanks {iso(now)}")
            if is_another and former.player != A_BOT
            else ()
        ),
        *(() if is_bot else _welcome(after, notes, seat, now, done)),
    )


def _made_before(after: SavedGame, notes: Notes, seat: Seat, done: Replaced) -> str:
    """Return what a report that was made for the former player does not say of the new one."""
    due = deadline_in_force(after, notes)
    until = f" Orders are due {after.table.spelled(due, seat)}." if due and isinstance(after.ask, Ask) else ""
    return (
        f" It was made before you came, so it may name {done.before}, and tell times in another zone.{until}"
    )


def _welcome(after: SavedGame, notes: Notes, seat: Seat, now: Moment, done: Replaced) -> tuple[Row, ...]:
    key = [f"Your key is {done.key}; write it under `key:` in your orders."] if done.key else []
    stands = told_of_orders(after, notes, seat, done.before, is_dropped=done.orders == "dropped")
    here = seat_in_game(seat, after.name)
    lines = [f"Welcome, {done.now}: you play {here} now, in place of {done.before}.", ""]
    if is_mailed(after.home, after.players.address(seat)):
        lines += [
            about_game(after),
            "",
            "To send orders, reply to this mail or to the next; the address is yours alone.",
            *key,
            *filter(None, [stands]),
            f"The newest report of the seat, with the form, is report {after.turn}. It comes in a mail of "
            "its own. A mail with the one word `resend` brings it again, and `help` tells what else can be "
            f"asked for.{_made_before(after, notes, seat, done)}",
        ]
    else:
        lines += [
            "To send orders, fill in the form, and send it to the moderator.",
            *key,
            *filter(None, [stands]),
            f"The newest report of the seat is report {after.turn}. It comes along with this, and so does "
            f"the form.{_made_before(after, notes, seat, done)}",
        ]
    words, facts = "\n".join(lines), facts_of("seat-welcome", seat=seat)
    return (
        *to_player(after, now, seat, "notice", f"welcome {iso(now)}", "Your seat", words, facts=facts),
        *with_newest(after, now, seat, f"{FOR_NEW_PLAYER}{now:%Y%m%dT%H%M%S}"),
    )


def partings(saved: SavedGame, now: Moment, revision: int) -> Iterator[Telling]:
    """Yield what those are told who missed so many turns that a standby has their seat since the newest turn.

    Args:
        saved: The game at that turn.
        now: The moment.
        revision: How often the turn was taken back.
    """
    missed = saved.table.misses.after
    why = f"You missed {missed} {'turn' if missed == 1 else 'turns'} in a row. "
    for seat, former in stood_in(saved).items():
        yield from _thanks(saved, now, seat, former, f"missed r{revision}", why)


def partings_of_undo(newest: SavedGame, seats: Iterable[Seat], now: Moment, about: str) -> Iterator[Telling]:
    """Yield what standbys are told who lose the seats that they came to in a turn that is taken back.

    Args:
        newest: The game at that turn.
        seats: Those that they came to.
        now: The moment.
        about: What it is about: the same is never told twice.
    """
    for seat in seats:
        standby = Person(newest.players.holder(seat), newest.players.address(seat))
        here = seat_in_game(seat, newest.name)
        text = (
            f"The moderator has taken turn {newest.turn} back, in which you came to {here}. "
            f"So {seat} is its former player's again. What you send for this seat does not count any more. "
            "If it comes to you once more, you get a mail that says so."
        )
        title = f"Turn {newest.turn} is taken back, and so is your seat"
        facts = facts_of("seat-lost", seat=seat)
        yield from to_former(newest, now, seat, standby, about, title, text, facts=facts)


def _thanks(
    after: SavedGame, now: Moment, seat: Seat, former: Person, about: str, why: str = ""
) -> tuple[Telling, ...]:
    """Return what the player is told who had the seat until now."""
    here = seat_in_game(seat, after.name)
    text = (
        f"{why}From now on {here} is played by somebody else. What you send for this seat "
        "does not count any more, and you get no more mail about it.\n\n"
        f"Thank you for having played, {former.player}."
    )
    if is_mailed(after.home, former.address):
        text += " If you want to tell the moderator something, reply to this mail."
    title, facts = "Your seat is played by another", facts_of("seat-lost", seat=seat)
    return to_former(after, now, seat, former, about, title, text, facts=facts)
