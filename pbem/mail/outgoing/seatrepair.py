"""A seat is mended: its player's address was wrong, or its secret was seen by others."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import (
    FOR_NEW_PLAYER,
    about_game,
    is_mailed,
    make_act,
    newest_report_telling,
    notice_to_player,
    notice_words,
)
from pbem.host.people.gamewriting import changed, row_of, seat_own_fields
from pbem.host.people.names import epoch_notes, epoch_of, next_epoch
from pbem.host.people.seats import rekey_orders
from pbem.host.run.notes import hold_game
from pbem.host.time.extensions import refuse_strange_seat
from pbem.mail.account.addresses import token_at
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person, refuse_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import read_lodged_orders
from pbem.play.submissions.seatkeys import key_told_note, seats_without_key
from pbem.store.errors import WrongInput
from pbem.store.interface import Change
from pbem.store.records import AddressChange, Row, facts_of, iso
from pbem.text.codec import dumps
from pbem.text.names import seat_in_game

Moment = datetime.datetime

NO_MAIL = "no mail goes to {seat} of {game}: {why}."


@dataclass(frozen=True, slots=True)
class SeatRepair:
    """What came of mending a seat.

    Attributes:
        player: Who plays it.
        address: Where its mail goes now, or "".
        key: Its new key where orders must carry one, else "".
        is_first: It had no key before.
    """

    player: str
    address: str
    key: str
    is_first: bool = False

    def told(self, game: str, seat: Seat, *, is_moved: bool, by_mail: bool) -> str:
        """Return what was mended, in sentences.

        Args:
            game: The game.
            seat: The seat.
            is_moved: The address is new.
            by_mail: The home plays by mail; else a seat has no secret but its key.
        """
        secret = "secret" if by_mail else "key" if self.key else ""
        where = f"{'mail goes to' if by_mail else 'the address is'} {self.address} now" if is_moved else ""
        what = ", and ".join(one for one in (where, secret and f"the {secret} is new") if one)
        both = " (address or key)" if by_mail and self.key else ""
        end = f" What comes with the old {secret}{both} from now on does not count." if secret else ""
        if secret == "key" and self.is_first:
            end = " Orders must carry it from now on."
        end += " The newest report goes out again." if by_mail and self.address else ""
        return f"{game}: {seat} is mended: {what}.{end}"


def mend_seat(home: Home, game: str, seat: Seat, now: Moment, address: str = "") -> SeatRepair:
    """Make a seat's key and its address for orders anew; with an address, its mail goes there from now on.

    A new address always brings a new secret: who reads the mail at the old one has read the old secret. Mails
    that had failed or wait go to the new address, and the newest report once more. Given again after a kill
    or an error it finishes what was begun, and returns the same.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        now: The moment.
        address: Where its mail shall go; "" to leave it.

    Raises:
        WrongInput: There is no such seat, no person plays it, it has no secret, or the address is none or is
            the seat's.
        RequestRefused: The game is over.
    """
    with hold_game(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        if (
            act.begun is not None
            and (done := _earlier_repair(act.begun, seat))
            and address in ("", done.address)
        ):
            return done
        _refuse_nobody(saved, seat)
        if not (address or saved.table.key or home.mail_section()):
            hint = "With `key: true` in its game.yaml, orders must carry a key, and this makes one."
            raise WrongInput(f"{game} has no secrets of seats: it is played by files, without keys.", hint)
        if address and address == saved.players.address(seat):
            hint = f"For a new secret alone: pbem seat {game} {seat} --new-secret"
            raise WrongInput(f"mail for {seat} goes to {address} already.", hint)
        refuse_unreachable(home, address)
        change, done = _plan_repair(saved, seat, now, address)
        home.store.change(game, change)
        return done


def key_of(home: Home, game: str, seat: Seat) -> str:
    """Return the key that a seat's orders must carry; "" where they need none."""
    saved = SavedGame(home, game)
    return saved.secret.key(seat) if saved.table.key else ""


def resend(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Let a seat have its newest report once more by mail; return where it goes.

    Raises:
        WrongInput: There is no such seat, or no mail can go to it.
    """
    with hold_game(home, game) as act:
        saved = act.saved
        refuse_strange_seat(saved, seat)
        _refuse_nobody(saved, seat)
        address = saved.players.address(seat)
        if not address or not home.mail_section():
            why = "no address is known" if not address else "the home does not play by mail"
            hint = f"Give it by hand: pbem report {game} {seat}, pbem form {game} {seat}."
            raise WrongInput(NO_MAIL.format(seat=seat, game=game, why=why), hint)
        facts = facts_of("report-wanted", seat=seat)
        told = make_act(now, game, "seat", public=False, facts=facts)
        rows: tuple[Row, ...] = (told, *newest_report_telling(saved, now, seat, f"again-{now:%Y%m%dT%H%M%S}"))
        home.store.change(game, Change({"words": f"sending the report of {seat} again"}, {}, rows=rows))
    return address


def resend_newest(home: Home, game: str, seat: Seat, now: Moment) -> str:
    """Let a seat have its newest report once more, and say so; raises WrongInput as `resend` does."""
    where = resend(home, game, seat, now)
    return f"{game}: the newest report of {seat} goes to {where} once more, with `pbem send`."


def _earlier_repair(change: Change, seat: Seat) -> SeatRepair | None:
    found = change.what.get("mended")
    if change.what.get("seat") != seat or not isinstance(found, list):
        return None
    player, address, key = map(str, found)
    return SeatRepair(player, address, key, change.what.get("is_first") is True)


def _refuse_nobody(saved: SavedGame, seat: Seat) -> None:
    if seat in saved.table.free or seat in saved.players.bots:
        who = "a bot plays" if seat in saved.players.bots else "nobody has taken"
        hint = f"Give it to somebody: pbem replace {saved.name} {seat} --player NAME --address ADDRESS"
        raise WrongInput(f"{who} {seat} of {saved.name}.", hint)


def _plan_repair(saved: SavedGame, seat: Seat, now: Moment, address: str) -> tuple[Change, SeatRepair]:
    """Return what becomes true when a seat is mended: files, what is noted, and what its player is told."""
    game, before = saved.name, saved.players.address(seat)
    with saved.home.journal() as db:
        epoch, name = epoch_of(saved, seat, db), saved.tenures.current(seat).secret_name
        new = next_epoch(saved, seat, db, now)
        epochs = epoch_notes(saved, seat, db, new)
        invites = db.is_uninvited(game, seat, before)
        is_wrong = invites and db.is_wrong(game, seat, before)
    key = saved.secret.key(seat, f"{saved.players.holder(seat)}\n{new}")  # no name has a line feed
    person = Person(saved.players.holder(seat), address or before)
    row = {**person.row(), **seat_own_fields(saved, seat)}
    if not saved.players.standby(seat):
        row = {**row_of(saved, seat), **row}
    secret = saved.secret._replace(keys={**saved.secret.keys, seat: key})
    files: dict[str, bytes | None] = {
        f"games/{game}/secret.json": dumps(secret.as_json()).encode(),
        f"games/{game}/game.yaml": changed(saved, seat, row).encode(),
    }
    file = saved.home.orders_file(game, seat)
    if file.is_file() and (again := rekey_orders(saved, seat, file.read_bytes(), key)):
        files[file.path] = again
    kept = {path: data for path, data in files.items() if data is not None}
    seated = saved.tenures.known_tenures_note(seat)
    after = saved.after(kept, seated)
    done = SeatRepair(
        person.player, person.address, key if saved.table.key else "", seat in seats_without_key(saved)
    )
    tokens = (token_at(saved, seat, name, epoch), token_at(after, seat, name, new))
    what: dict[str, Json] = {
        "words": f"mending {seat}",
        "seat": seat,
        "mended": [done.player, done.address, done.key],
        "is_first": done.is_first,
    }
    kind = "secret" if saved.home.mail_section() else "key" if saved.table.key else ""
    renewed = [one for one in ("address" if address else "", kind) if one]
    facts = facts_of("secret-renewed", seat=seat, what=renewed)
    rows: tuple[Row, ...] = (
        make_act(now, game, "seat", public=False, facts=facts),
        *epochs,
        *([key_told_note(game, seat)] if done.key else []),
        seated,
        AddressChange(game, seat, before, person.address, *tokens),
        *_letter(
            after,
            seat,
            now,
            done,
            is_new=bool(address),
            invites=invites,
            was_wrong=bool(address) and is_wrong,
            facts=facts,
        ),
    )
    return Change(what, files, rows=rows), done


def _letter(
    after: SavedGame,
    seat: Seat,
    now: Moment,
    done: SeatRepair,
    *,
    is_new: bool,
    invites: bool,
    was_wrong: bool,
    facts: str,
) -> tuple[Row, ...]:
    """Return what the player is told, at the address that holds now: if that is new, or a key their first.

    Whom no invitation reached gets the newest report as a new player does, with the game book. Who never had
    a mail, for the address was wrong, is told of no old one.
    """
    mailed = is_mailed(after.home, done.address)
    found = read_lodged_orders(after, only=(seat,))
    told: dict[str, Json] = {
        "here": seat_in_game(seat, after.name),
        "by_mail": mailed,
        "is_new": is_new,
        "was_wrong": was_wrong,
        "about_game": about_game(after) if mailed and is_new else "",
        "key": done.key,
        "is_first": done.is_first,
        "stands": bool(found.orders.get(seat, Orders()).lines),
        "is_void": bool(done.key) and seat in found.bad,
    }
    words = notice_words(after.home, "secret-renewed", told)
    return (
        *notice_to_player(after, now, seat, "notice", f"mended {iso(now)}", *words, facts=facts),
        *newest_report_telling(
            after, now, seat, f"{FOR_NEW_PLAYER if invites else ''}mended-{now:%Y%m%dT%H%M%S}"
        ),
    )
