"""Who came into a seat since the newest turn: somebody else than whom its reports name."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import A_BOT, NOBODY
from pbem.play.homes import saves
from pbem.play.homes.called import FORMER
from pbem.store.errors import WrongInput
from pbem.store.place import Place

if TYPE_CHECKING:
    from pbem.play.homes.saved import SavedGame
    from pbem.store.journals.journal import Journal

NAMES: Final = "names:"
"""Before a seat: the names that its player has had, as the journal notes them, if there was more than one."""


def arrived(saved: SavedGame) -> frozenset[Seat]:
    """Return the seats that missed turns under another player than the one who has them now.

    Whoever is called otherwise, and is the same person, has not arrived.
    """
    missed = saved.position.attendance.missed
    if not missed:
        return frozenset()
    before = named_in_report(saved.turns.at(saved.turn), saves.SPECTATOR)
    return frozenset(seat for seat in missed if is_another(saved, seat, before.get(seat, "")))


def named_in_report(turn: Place, reader: str) -> dict[Seat, str]:
    """Return what a reader's report of a turn calls the player of each seat; nothing if it is damaged."""
    try:
        return named_in(saves.read_json(turn / "reports" / reader / "report.json"))
    except WrongInput:  # the gate and `pbem verify` tell of it
        return {}


def named_in(facts: Mapping[str, Json]) -> dict[Seat, str]:
    """Return what a report calls the player of each seat, from the facts that it is made of."""
    rows = saves.objects(facts.get("players"))
    return {Seat(str(row.get("seat"))): str(row.get("name", "")) for row in rows}


def played_before(saved: SavedGame) -> Iterator[tuple[Seat, str]]:
    """Yield the seats that others than their present players had, each with whom a public report names."""
    for turn in reversed(saved.turns.numbers()):
        named = named_in_report(saved.turns.at(turn), saves.SPECTATOR)
        yield from ((seat, name) for seat, name in named.items() if is_another(saved, seat, name))


def is_of_others(saved: SavedGame, seat: Seat, name: str) -> bool:
    """Tell whether a name is of a person, and not what the player of a seat is called now."""
    return name not in ("", NOBODY, A_BOT, saved.players.holder(seat))


def is_another(saved: SavedGame, seat: Seat, name: str) -> bool:
    """Tell whether a name is of another person than the player of a seat, whatever they were called."""
    return is_of_others(saved, seat, name) and name not in names_before(saved, seat)


def names_before(saved: SavedGame, seat: Seat) -> tuple[str, ...]:
    """Return the names that the present player of a seat had before."""
    if not saved.home.has_journal:
        return ()
    with saved.home.journal() as db:
        return known_names(db, saved.name, seat)


def known_names(db: Journal, game: str, seat: Seat) -> tuple[str, ...]:
    """Return the names of a player, as they are noted of a seat; () if there was only one."""
    return tuple(map(str, json.loads(db.note(game, f"{NAMES}{seat}") or "[]")))


def former_names(db: Journal, game: str) -> tuple[str, ...]:
    """Return the names that players of a game had who left by a command, or are called otherwise now."""
    return tuple(map(str, json.loads(db.note(game, FORMER) or "[]")))


def given_by_hand(saved: SavedGame) -> dict[Seat, str]:
    """Return the seats that got another player by hand since the newest turn, each with who had it then."""
    named = named_in_report(saved.turns.at(saved.turn), saves.SPECTATOR)
    others = {seat: name for seat, name in named.items() if is_of_others(saved, seat, name)}
    recorded = recorded_names(saved, others)
    return {seat: name for seat, name in others.items() if name not in recorded[seat]}


def recorded_names(saved: SavedGame, seats: Collection[Seat]) -> dict[Seat, tuple[str, ...]]:
    """Return what the player of each seat was called before, with the names of all who left by a command."""
    if not seats or not saved.home.has_journal:
        return dict.fromkeys(seats, ())
    with saved.home.journal() as db:
        left = former_names(db, saved.name)
        return {seat: (*known_names(db, saved.name, seat), *left) for seat in seats}
