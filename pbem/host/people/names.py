"""The names of a seat's player: somebody whose name was mended is the same person, with the same secrets."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.notes import EPOCH, note
from pbem.play.config.gamefile import NOBODY
from pbem.play.homes.arrivals import NAMES, former_names, known_names, named_in, names_before
from pbem.play.homes.called import FORMER
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.formowner import changed_by_hand
from pbem.store.journals.journal import Journal
from pbem.store.journals.records import Note

_PAST: Final = "past names:"
"""Before a seat: the names that each of its players had who left, if there was more than one."""

_OLD_EPOCHS: Final = "old epochs:"
"""Before a seat: the numbers that its secrets were made with before."""

_MOST_EPOCHS: Final = 20


def names_of(saved: SavedGame, seat: Seat, db: Journal, name: str = "") -> tuple[str, ...]:
    """Return the names that the player who has a seat now has had in this game, the present one last.

    Args:
        saved: The game.
        seat: The seat.
        db: The journal.
        name: What they are called now; "" for what the game says.
    """
    holder, known = name or saved.players.holder(seat), known_names(db, saved.name, seat)
    return known if known and known[-1] == holder else (holder,)


def names_of_each(saved: SavedGame, seat: Seat, db: Journal) -> list[tuple[str, ...]]:
    """Return the names of each player of a seat, the present one's first; of others if there were several."""
    past = [tuple(map(str, one)) for one in json.loads(db.note(saved.name, f"{_PAST}{seat}") or "[]")]
    now, known = names_of(saved, seat, db), known_names(db, saved.name, seat)
    left = [known] if known and known != now else []  # such as for a standby
    return [now, *left, *reversed(past)]


def past_names(saved: SavedGame, seat: Seat, db: Journal, stays: str = "") -> tuple[Note, ...]:
    """Return the note of the names of who left a seat, before they are noted of another; () if there is none.

    Args:
        saved: The game.
        seat: The seat.
        db: The journal.
        stays: What the player of now is called, who stays; "" if they leave.
    """
    names = known_names(db, saved.name, seat)
    if len(names) < 2 or names[-1] == stays:
        return ()
    past = json.loads(db.note(saved.name, f"{_PAST}{seat}") or "[]")
    return (note(saved.name, f"{_PAST}{seat}", [*past, [*names]]),)


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


def noted_epoch(saved: SavedGame, seat: Seat, db: Journal, new: int) -> tuple[Note, Note]:
    """Return the notes of what a seat's secrets are made with now, and were before."""
    before = [*old_epochs(saved, seat, db), epoch_of(saved, seat, db)]
    return (
        note(saved.name, f"{_OLD_EPOCHS}{seat}", [*before[-_MOST_EPOCHS:]]),
        Note(saved.name, f"{EPOCH}{seat}", str(new)),
    )


def noted_names(saved: SavedGame, seat: Seat, names: tuple[str, ...]) -> Note:
    """Return the note of the names of a seat's player, the present one last."""
    return note(saved.name, f"{NAMES}{seat}", [*names] if len(names) > 1 else None)


def former_name(saved: SavedGame, seat: Seat, db: Journal) -> Note:
    """Return the note of the name of a seat's player, who leaves or gets another: acts may have told it.

    With it stands whose name was changed by hand before.
    """
    by_hand = changed_by_hand(saved, seat)
    names = [*former_names(db, saved.name), *([by_hand] if by_hand else []), saved.players.holder(seat)]
    return note(saved.name, FORMER, [*dict.fromkeys(names)])


def left_by_hand(saved: SavedGame, seat: Seat, db: Journal) -> tuple[Note, ...]:
    """Return the note that whoever had a seat has left, if that was written into `game.yaml` by hand."""
    if not (name := changed_by_hand(saved, seat)):
        return ()
    return (note(saved.name, FORMER, [*former_names(db, saved.name), name]),)


def forgotten(saved: SavedGame, seat: Seat, db: Journal, epoch: int) -> tuple[Note, ...]:
    """Return what is noted when a seat's player leaves who had more than one name.

    Whoever takes one of these names later gets other secrets.

    Args:
        saved: The game.
        seat: The seat.
        db: The journal.
        epoch: What the seat's next secrets are made with.
    """
    if db.note(saved.name, f"{NAMES}{seat}") is None:
        return ()
    return (
        *past_names(saved, seat, db),
        Note(saved.name, f"{NAMES}{seat}", None),
        Note(saved.name, f"{EPOCH}{seat}", str(epoch)),
    )


def named_otherwise(saved: SavedGame, facts: Mapping[str, Json]) -> dict[Seat, tuple[str, str]]:
    """Return the seats of which a report of the newest turn names another player than plays them now.

    Args:
        saved: The game.
        facts: What the report is made of.

    Returns:
        For each such seat the name in the report, and that of now; of an older turn none.
    """
    listed = named_in(facts) if saved.turn == saved.turns.newest() else {}
    now = {seat: (name, saved.players.holder(seat)) for seat, name in listed.items() if name != NOBODY}
    return {seat: names for seat, names in now.items() if names[0] != names[1]}


def told_otherwise(saved: SavedGame, seat: Seat, names: tuple[str, str], report: str) -> str:
    """Say that a report names another player of a seat than plays it now, or the same one by an older name.

    Args:
        saved: The game.
        seat: The seat.
        names: The name in the report, and that of now.
        report: What stands for the report in the sentence.
    """
    before, now = names
    is_same = before in names_before(saved, seat)
    who = f"The player of {seat} is called {now} now" if is_same else f"{now} plays {seat} now"
    return f"{who}; {report}, which was made before, says {before}."
