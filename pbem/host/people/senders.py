"""Who sent the orders that stand for a seat which has come to another player since."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from pbem.core.events import Seat
from pbem.host.run.notes import SENT, Notes, note
from pbem.play.homes.chain import sha256
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import Lodged
from pbem.store.journals.records import Note


def sent_before(saved: SavedGame, notes: Notes, seat: Seat, former: str, found: Lodged) -> Note:
    """Return the note of who sent the orders that stand when a seat comes to another player.

    Args:
        saved: The game before it.
        notes: What is noted of it.
        seat: The seat.
        former: Who leaves it.
        found: What it has lodged.
    """
    sha = _hash(saved, found, seat)
    before, known = notes.senders.get(seat, ("", ""))
    return note(saved.name, f"{SENT}{seat}", [before if sha == known else former, sha] if sha else None)


def senders(
    saved: SavedGame, notes: Notes, found: Lodged, by_hand: Mapping[Seat, str], seats: Iterable[Seat]
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
        name, sha = notes.senders.get(seat, ("", ""))
        if sha and sha == _hash(saved, found, seat):
            told[seat] = name  # who may have come back since
        elif seat in by_hand:
            told[seat] = f"{by_hand[seat]} or {saved.players.holder(seat)}"
    return {seat: name for seat, name in told.items() if name != saved.players.holder(seat)}


def told_by_hand(saved: SavedGame, by_hand: Mapping[Seat, str]) -> tuple[str, ...]:
    """Return what is said of seats that were given to another by hand, and the command that tells all of it.

    Args:
        saved: The game.
        by_hand: Who had them.
    """
    told = []
    for seat, former in by_hand.items():
        player, skill = saved.players.holder(seat), saved.table.bots.get(seat, "")
        name = shlex.quote(player)
        who = f"--bot {skill}" if skill else f"--player {name}"
        same = "" if skill else f". If it is the same person: pbem seat {saved.name} {seat} --name {name}"
        told.append(
            f"game.yaml gives {seat} to {player}, in place of {former}, and nobody was told. This tells all, "
            f"and makes new secrets: pbem replace {saved.name} {seat} {who}{same}"
        )
    return tuple(told)


def _hash(saved: SavedGame, found: Lodged, seat: Seat) -> str:
    """Return the hash of the file that a seat's lines came in: lodged, or left over of what a turn took."""
    is_lodged = seat in found.submissions and seat not in found.kept
    return sha256(found.submissions[seat]) if is_lodged else str(saved.taken.get(seat, ""))
