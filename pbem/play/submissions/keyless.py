"""Seats whose orders must carry a key that nobody has given to their players: it was asked for later on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.records import Note
from pbem.text.submission.orders import Fault

KEYED: Final = "keyed:"
"""Before a seat: the moderator was told its key, to give it to its player."""


def keyless(saved: SavedGame) -> tuple[Seat, ...]:
    """Return the seats whose orders must carry a key that was told to nobody.

    `pbem new` tells the keys of a game that asks for them from the first. Where `key: true` was written into
    `game.yaml` later, the commands that make a key tell it, and note that.
    """
    if not saved.table.key or _is_asked_from_the_first(saved):
        return ()
    told = set[str]()
    if saved.home.has_journal:
        with saved.home.journal() as db:
            told = {key.removeprefix(KEYED) for key in db.notes(saved.name, KEYED)}
    others = {*saved.players.bots, *saved.table.free, *told}
    return tuple(seat for seat in saved.start.seats if seat not in others and not saved.players.standby(seat))


def told_keyless(game: str, seats: Sequence[Seat]) -> str:
    """Return in words that some seats of a game have no key yet, and the command that gives it."""
    have, more = ("have", ", and so for each") if len(seats) > 1 else ("has", "")
    which = f"{', '.join(seats)} {have} no key yet, and orders must carry one"
    return f"{which}. Give it: pbem seat {game} {seats[0]} --new-key{more}"


def told_to_host(game: str, fault: Fault) -> str:
    """Return what is wrong with lodged orders, in words for the moderator: a key, only its player can add."""
    return str(fault._replace(hint=send_again(game)) if is_of_key(fault) else fault)


def is_of_key(fault: Fault) -> bool:
    """Tell whether a mistake is that the key is missing or another."""
    return fault.kind in ("key-missing", "key-wrong")


def send_again(game: str) -> str:
    """Return what mends a key that is missing or another, in words for the moderator."""
    return f"Let the player send again with the key, which stands in games/{game}/secret.json."


def keyed_note(game: str, seat: Seat) -> Note:
    """Return the note that the moderator was told the key of a seat."""
    return Note(game, f"{KEYED}{seat}", "true")


def _is_asked_from_the_first(saved: SavedGame) -> bool:
    """Tell whether the game asked for keys when it was made, as the reports of then say."""
    facts = saved.turns.at(0) / "reports" / saved.start.seats[0] / "report.json"
    return not facts.is_file() or saves.read_json(facts).get("key_asked") is True
