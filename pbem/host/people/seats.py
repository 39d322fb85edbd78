"""Seats change hands: replaced, given back before the deal, or taken by sign-up.

A standby takes a seat over for missed turns in a run (`core.turn.count_miss`); its letters are here.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pbem.core.book import START, Orders
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.announcements import release_rows
from pbem.host.notices.questions import departure_notes
from pbem.host.notices.queue import (
    FOR_NEW_PLAYER,
    about_game,
    former_player_notice,
    is_mailed,
    make_act,
    newest_report_telling,
    notice_to_player,
    notice_words,
)
from pbem.host.people.gamewriting import changed, seat_own_fields, without_standby
from pbem.host.people.names import forgotten, former_sender_note, next_epoch
from pbem.host.people.seatorders import seat_orders, seat_orders_facts
from pbem.host.run.notes import AWAY, VOTE, Notes, hold_game, standby_replacements
from pbem.host.time.extensions import refuse_strange_seat
from pbem.play.config.gamefile import A_BOT, NOBODY
from pbem.play.config.schedule import is_zone
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person, refuse_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.play.submissions import lodging
from pbem.play.submissions.gate import LodgedOrders, read_lodged_orders
from pbem.play.submissions.lodging import Receipt
from pbem.play.submissions.seatkeys import key_told_note
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.interface import Change
from pbem.store.records import Note, QueuedNotice, Row, facts_of, iso
from pbem.text.codec import dumps
from pbem.text.names import is_same_address, seat_in_game
from pbem.text.orders import Fault, is_key, open_envelope
from pbem.text.strictyaml import dump

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class SeatReplacement:
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


def plan_replacement(
    saved: SavedGame, notes: Notes, seat: Seat, former: Person, person: Person, now: Moment, *, drop: bool
) -> tuple[Change, SeatReplacement]:
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
        old_names = forgotten(saved, seat, epoch)
        tries = departure_notes(db, saved.name, seat)
    key = saved.secret.key(seat, f"{person.player}\n{epoch}")  # no name has a line feed
    secret = saved.secret._replace(keys={**saved.secret.keys, seat: key})
    table = changed(saved, seat, {**person.row(), **seat_own_fields(saved, seat)})
    if not any(saved.tenures.is_player_of(one, person.player) for one in saved.start.seats):
        table = without_standby(table, person.player)
    kept: dict[str, bytes] = {
        f"games/{saved.name}/secret.json": dumps(secret.as_json()).encode(),
        f"games/{saved.name}/game.yaml": table.encode(),
    }
    file = saved.home.orders_file(saved.name, seat)
    is_there, found = file.is_file(), read_lodged_orders(saved, only=(seat,))
    gone: dict[str, None] = {}
    if drop and _has_pending_lines(saved, seat):
        kept[file.path] = _withdrawal(saved, seat, key)
    elif drop and is_there:
        gone[file.path] = None
    elif is_there and (again := rekey_orders(saved, seat, file.read_bytes(), key)):
        kept[file.path] = again
    done = SeatReplacement(
        former.player,
        person.player,
        key if saved.table.key and not person.bot else "",
        _fate_of_orders(saved, found, seat, drop=drop),
    )
    tenures, is_there = saved.tenures, saved.tenures.is_player_of(seat, person.player)
    sent = former_sender_note(saved, notes, seat, tenures.of(seat)[-2 if is_there else -1], found)
    seated = (
        tenures.known_tenures_note(seat)
        if is_there
        else tenures.next_tenure_note(seat, person.player, person.address)
    )
    after = saved.after(kept, seated)
    rows = (*old_names, *tries, seated, sent, *_rows(after, notes, seat, former, now, done))
    files: dict[str, bytes | None] = {**kept, **gone}
    what: dict[str, Json] = {
        "words": f"giving {seat} to {person.player}",
        "seat": seat,
        "replaced": [done.before, done.now, done.key, done.orders],
    }
    return Change(what, files, rows=rows), done


def _has_pending_lines(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether turns have left lines of a seat over."""
    return bool(saved.pending.get(seat, Orders()).lines)


def _withdrawal(saved: SavedGame, seat: Seat, key: str) -> bytes:
    """Return orders that withdraw what turns have left over of a seat's orders."""
    keyed: dict[str, Json] = {"key": key} if saved.table.key else {}
    return dump({"game": saved.name, "seat": seat, **keyed, "orders": "none"}).encode()


def _fate_of_orders(saved: SavedGame, found: LodgedOrders, seat: Seat, *, drop: bool) -> str:
    """Return what becomes of orders of a seat: "kept", "dropped", or "" if none stand."""
    if drop and (seat in found.submissions or seat in found.bad or _has_pending_lines(saved, seat)):
        return "dropped"
    return "kept" if seat in found.bad or found.orders.get(seat, Orders()).lines else ""


def read_replacement(change: Change, seat: Seat) -> SeatReplacement | None:
    """Return what came of a replacement of this seat, if a change was one."""
    found = change.what.get("replaced")
    if change.what.get("seat") != seat or not isinstance(found, list):
        return None
    return SeatReplacement(*map(str, found))


def rekey_orders(saved: SavedGame, seat: Seat, data: bytes, key: str) -> bytes:
    """Return lodged orders so that they count on under the new key; nothing if they may stay as they are."""
    envelope, old = open_envelope(data), saved.players.key(seat)
    if isinstance(envelope, list) or not is_key(envelope.key, old) or not saved.table.key:
        return b""
    return data.replace(envelope.key.encode(), key.encode(), 1)  # which stands there once only


def _rows(
    after: SavedGame, notes: Notes, seat: Seat, former: Person, now: Moment, done: SeatReplacement
) -> tuple[Row, ...]:
    """Return what is written down: who plays the seat, what was its former player's, what both are told."""
    gone = [f"{VOTE}{turn}:{kind}:{voter}" for turn, kind, voter in notes.votes if voter == seat]
    is_bot = seat in after.table.bots
    is_another = is_bot or not is_same_address(former.address, after.players.address(seat))
    by = "bot" if is_bot else "player"
    facts = facts_of("player-replaced", seat=seat, by=by, player=done.now, former=done.before)
    return (
        make_act(now, after.name, "replace", public=True, facts=facts),
        *(release_rows(after, seat, now) if seat in notes.held else ()),
        *([key_told_note(after.name, seat)] if done.key else []),
        *(Note(after.name, key, None) for key in (f"{AWAY}{seat}", *gone)),
        *(
            _farewell_tellings(after, now, seat, former, f"thanks {iso(now)}")
            if is_another and former.player != A_BOT
            else ()
        ),
        *(() if is_bot else _welcome(after, notes, seat, now, done)),
    )


def _welcome(
    after: SavedGame, notes: Notes, seat: Seat, now: Moment, done: SeatReplacement
) -> tuple[Row, ...]:
    """Return what a new player is told of the seat, and the wish for its newest report."""
    free = notes._replace(held={one: why for one, why in notes.held.items() if one != seat})
    found = LodgedOrders({}, {}, {}, {}) if done.orders == "dropped" else None
    stands = replace(seat_orders(after, free, [seat], found)[seat], sender=done.before)
    orders = seat_orders_facts(after, free, now, stands)
    told: dict[str, Json] = {
        **orders,
        "name": done.now,
        "before": done.before,
        "here": seat_in_game(seat, after.name),
        "key": done.key,
        "turn": after.turn,
        "about_game": about_game(after) if orders["by_mail"] else "",
    }
    words, facts = notice_words(after.home, "seat-welcome", told), facts_of("seat-welcome", seat=seat)
    return (
        *notice_to_player(after, now, seat, "notice", f"welcome {iso(now)}", *words, facts=facts),
        *newest_report_telling(after, now, seat, f"{FOR_NEW_PLAYER}{now:%Y%m%dT%H%M%S}"),
    )


def removed_player_notices(saved: SavedGame, now: Moment, revision: int) -> Iterator[QueuedNotice]:
    """Yield what those are told who missed so many turns that a standby has their seat since the newest turn.

    Args:
        saved: The game at that turn.
        now: The moment.
        revision: How often the turn was taken back.
    """
    missed = saved.table.misses.after
    for seat, former in standby_replacements(saved).items():
        yield from _farewell_tellings(saved, now, seat, former, f"missed r{revision}", missed)


def standby_undo_notices(
    newest: SavedGame, seats: Iterable[Seat], now: Moment, about: str
) -> Iterator[QueuedNotice]:
    """Yield what standbys are told who lose the seats that they came to in a turn that is taken back.

    Args:
        newest: The game at that turn.
        seats: Those that they came to.
        now: The moment.
        about: What it is about: the same is never told twice.
    """
    for seat in seats:
        standby = Person(newest.players.holder(seat), newest.players.address(seat))
        yield from _lost_seat_tellings(newest, now, seat, standby, about, {"undone": newest.turn})


def _farewell_tellings(
    after: SavedGame, now: Moment, seat: Seat, former: Person, about: str, missed: int = 0
) -> tuple[QueuedNotice, ...]:
    """Return what the player is told who had the seat until now."""
    return _lost_seat_tellings(after, now, seat, former, about, {"undone": 0, "missed": missed})


def _lost_seat_tellings(
    saved: SavedGame, now: Moment, seat: Seat, former: Person, about: str, how: Mapping[str, Json]
) -> tuple[QueuedNotice, ...]:
    """Return what somebody is told who has lost a seat; `how` is the turn taken back, or turns missed."""
    told: dict[str, Json] = {
        **how,
        "seat": str(seat),
        "here": seat_in_game(seat, saved.name),
        "name": former.player,
        "by_mail": is_mailed(saved.home, former.address),
    }
    words = notice_words(saved.home, "seat-lost", told)
    return former_player_notice(
        saved, now, seat, former, about, *words, facts=facts_of("seat-lost", seat=seat)
    )


def replace_player(
    home: Home, game: str, seat: Seat, person: Person | None, now: Moment, *, drop_orders: bool = False
) -> SeatReplacement:
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
        RequestRefused: Others take the name for somebody else.
    """
    with hold_game(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        done = read_replacement(act.begun, seat) if act.begun is not None else None
        if done is not None and (person is None or saved.tenures.is_player_of(seat, person.player)):
            return done
        chosen = person or _next_standby(saved)
        former = Person(saved.players.holder(seat), saved.players.address(seat))
        if saved.tenures.is_player_of(seat, chosen.player):
            if not (by_hand := saved.tenures.untold(seat)):
                raise WrongInput(f"{chosen.player} plays {seat} already.")
            chosen, former = _fill_from_game_file(saved, seat, chosen), Person(by_hand)
        elif not chosen.bot:
            saved.players.refuse_name(chosen.player, seat, is_new=False)
        refuse_unreachable(home, chosen.address)
        change, done = plan_replacement(saved, act.notes, seat, former, chosen, now, drop=drop_orders)
        home.store.change(game, change)
        return done


def _fill_from_game_file(saved: SavedGame, seat: Seat, person: Person) -> Person:
    """Return somebody whom `game.yaml` names already, with what it says of them besides."""
    address, zone = saved.players.address(seat), saved.table.zones.get(seat, "")
    return person._replace(address=person.address or address, zone=person.zone or zone)


def _next_standby(saved: SavedGame) -> Person:
    if (found := next(saved.tenures.waiting(), None)) is not None:
        return Person(*found)
    hint = f"Name somebody: pbem replace {saved.name} SEAT --player NAME --address ADDRESS"
    raise WrongInput(f"nobody waits for a seat in {saved.name}.", hint)


def free_seat(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Take a seat of an open game from its player before the deal; return the player's name.

    Given again after a kill or an error it finishes what was begun, and returns the same.

    Raises:
        WrongInput: The game is not open, or was dealt already.
    """
    with hold_game(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        if act.begun is not None and act.begun.what.get("freed") == seat:
            return str(act.begun.what["before"])
        if saved.position.game is not None or seat in saved.table.free:
            raise WrongInput(f"{seat} of {game} cannot be freed: nobody has it, or the game was dealt.")
        before, lodged = saved.players.holder(seat), home.orders_file(game, seat)
        table = changed(saved, seat, seat_own_fields(saved, seat))
        files: dict[str, bytes | None] = {f"games/{game}/game.yaml": table.encode()}
        if lodged.is_file():
            files[lodged.path] = None
        facts = facts_of("seat-freed", seat=seat, player=before)
        told = make_act(now, game, "free", public=False, facts=facts)
        what = {"words": f"freeing {seat}", "freed": seat, "before": before}
        with home.journal() as db:
            old_names = forgotten(saved, seat, next_epoch(saved, seat, db, now))
            seated = saved.tenures.next_tenure_note(seat, NOBODY)
            rows: tuple[Row, ...] = (*old_names, seated, told)
        home.store.change(game, Change(what, files, rows=rows))
    return before


@dataclass(frozen=True, slots=True)
class SignupResult:
    """What came of a sign-up.

    Attributes:
        seat: The seat.
        is_new: It was free until now; a second sign-up from the same address gets the same seat.
        form: The start form, as YAML.
        receipt: The receipt of the start form that came with the sign-up, its mistakes, or None without one.
        free: How many seats are free still.
    """

    seat: Seat
    is_new: bool
    form: str
    receipt: Receipt | list[Fault] | None
    free: int


def sign_up(
    home: Home,
    game: str,
    person: Person,
    now: Moment,
    *,
    wish: str = "",
    answers: Mapping[str, Json] | None = None,
) -> SignupResult:
    """Give somebody a free seat of an open game, and lodge the start form if it came along.

    Args:
        home: The home.
        game: The id of the game.
        person: Who asks; the address is where the start form goes.
        now: The moment.
        wish: The seat they would like.
        answers: Their start form: luck words, and what else the rules ask, such as a target.

    Raises:
        RequestRefused: The game is not open, all seats are taken, or the name cannot be used.
    """
    with hold_game(home, game) as act:
        saved = act.saved
        known = [seat for seat, one in saved.table.addresses.items() if is_same_address(one, person.address)]
        if not known:
            seat = _free_seat(saved, person, wish)
            table = changed(saved, seat, person.row()).encode()
            facts = facts_of("seat-taken", seat=seat, player=person.player)
            told = make_act(now, game, "join", public=False, who=seat, facts=facts)
            what = {"words": f"giving {seat} to {person.player}"}
            home.store.change(game, Change(what, {f"games/{game}/game.yaml": table}, rows=(told,)))
        else:
            seat = known[0]
    saved = SavedGame(home, game)
    receipt = _start_form(saved, seat, answers) if answers and saved.position.game is None else None
    form = report(home, game, seat, name="orders.yaml")
    return SignupResult(seat, not known, form, receipt, len(saved.table.free))


def _free_seat(saved: SavedGame, person: Person, wish: str) -> Seat:
    """Return the seat that somebody can have, or refuse them.

    Raises:
        RequestRefused: The game is not open, all seats are taken, or the name or zone cannot be used.
    """
    table = saved.table
    if not table.free or saved.position.game is not None:
        raise RequestRefused(f"no seat of {saved.name} is free.")
    seat = next((one for one in table.free if one == wish), table.free[0])
    saved.players.refuse_name(person.player, seat)
    if person.zone and not is_zone(person.zone):
        hint = "Write a name such as Europe/Helsinki, or leave it out."
        raise RequestRefused(f"there is no time zone {person.zone!r}.", hint, to_player=hint)
    return seat


def _start_form(saved: SavedGame, seat: Seat, answers: Mapping[str, Json]) -> Receipt | list[Fault]:
    key: dict[str, Json] = {"key": saved.players.key(seat)} if saved.table.key else {}
    line: dict[str, Json] = {"at": START, "do": dict(answers)}
    form = dump({"game": saved.name, "seat": seat, **key, "orders": [line]})
    lodged = lodging.lodge(saved.home, form.encode())
    assert not isinstance(lodged, lodging.PressReceipt), "the form holds a line"
    return lodged
