"""Sign-up: somebody takes a free seat of an open game, and the start form may come along."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.labels import START
from pbem.host.notices.telling import act_of
from pbem.host.people.gamewriting import Person, changed
from pbem.host.run.acting import acting
from pbem.play.config.schedule import is_zone
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.play.submissions import lodging
from pbem.play.submissions.lodging import Receipt
from pbem.store.errors import Declined
from pbem.store.interface import Change
from pbem.store.journals.kinds import facts_of
from pbem.text.submission.orders import Fault
from pbem.text.yaml.strictyaml import dump

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class SignedUp:
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
) -> SignedUp:
    """Give somebody a free seat of an open game, and lodge the start form if it came along.

    Args:
        home: The home.
        game: The id of the game.
        person: Who asks; the address is where the start form goes.
        now: The moment.
        wish: The seat they would like.
        answers: Their start form: luck words, and what else the rules ask, such as a target.

    Raises:
        Declined: The game is not open, all seats are taken, or the name cannot be used.
    """
    with acting(home, game) as act:
        saved = act.saved
        known = [seat for seat, one in saved.table.addresses.items() if _same(one, person.address)]
        if not known:
            seat = _free_seat(saved, person, wish)
            table = changed(saved, seat, person.row()).encode()
            words = f"{person.player} takes {seat}."
            facts = facts_of("seat-taken", seat=seat)
            told = act_of(now, game, "join", words, public=False, who=seat, facts=facts)
            what = {"words": f"giving {seat} to {person.player}"}
            home.store.change(game, Change(what, {f"games/{game}/game.yaml": table}, rows=(told,)))
        else:
            seat = known[0]
    saved = SavedGame(home, game)
    receipt = _start_form(saved, seat, answers) if answers and saved.position.game is None else None
    form = report(home, game, seat, name="orders.yaml")
    return SignedUp(seat, not known, form, receipt, len(saved.table.free))


def _free_seat(saved: SavedGame, person: Person, wish: str) -> Seat:
    """Return the seat that somebody can have, or refuse them.

    Raises:
        Declined: The game is not open, all seats are taken, or the name or zone cannot be used.
    """
    table = saved.table
    if not table.free or saved.position.game is not None:
        raise Declined(f"no seat of {saved.name} is free.")
    if person.player in {*table.players.values(), *table.standby}:
        hint = "Choose another name."
        raise Declined(f"the name {person.player} is taken in {saved.name}.", hint, to_player=hint)
    seat = next((one for one in table.free if one == wish), table.free[0])
    saved.players.refuse_name(person.player, seat)
    if person.zone and not is_zone(person.zone):
        hint = "Write a name such as Europe/Helsinki, or leave it out."
        raise Declined(f"there is no time zone {person.zone!r}.", hint, to_player=hint)
    return seat


def _same(one: str, other: str) -> bool:
    return bool(one) and one.casefold() == other.casefold()


def _start_form(saved: SavedGame, seat: Seat, answers: Mapping[str, Json]) -> Receipt | list[Fault]:
    key: dict[str, Json] = {"key": saved.players.key(seat)} if saved.table.key else {}
    line: dict[str, Json] = {"at": START, "do": dict(answers)}
    form = dump({"game": saved.name, "seat": seat, **key, "orders": [line]})
    lodged = lodging.lodge(saved.home, form.encode())
    assert not isinstance(lodged, lodging.PressReceipt), "the form holds a line"
    return lodged
