"""Which reports are with their readers: queued, not made yet, or the same as before a turn was taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.engine.notices import ModeratorActed
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import read_json
from pbem.play.homes.turns import Turns
from pbem.store.errors import WrongInput
from pbem.store.journals.journal import Journal
from pbem.store.place import Place
from pbem.text.schemas.codec import fields_of

REPORTED: Final = "reported:"
"""The key of a game's note that says which revision of a turn was queued, before the turn."""


def earlier_report(saved: SavedGame, db: Journal, seat: Seat) -> Place | None:
    """Return where the newest turn lies whose report a seat's player was sent before it was taken back.

    Who has come to the seat since, or to another address, was sent none. Nor was anybody whose report was
    taken back before it went out.
    """
    back = {one.revision: one.place for one in saved.undone if one.turn == saved.turn}
    if not back:
        return None
    address = saved.players.address(seat)
    sent = db.sent_revision(saved.name, seat, saved.turn, rcpt=address, before=max(back))
    return None if sent is None else back.get(sent + 1)


def knows_report(saved: SavedGame, db: Journal, seat: Seat) -> bool:
    """Tell whether a seat was sent this very report before the turn was taken back and run again."""
    before = earlier_report(saved, db, seat)
    return before is not None and is_same_report(before, saved.turns.at(saved.turn), seat)


def untold(turns: Turns, notes: Mapping[str, str]) -> dict[int, int]:
    """Return the turns whose reports were not queued, each with its revision.

    Args:
        turns: The turns of a game.
        notes: What is noted of those that were queued.
    """
    numbers = turns.numbers()
    told = {int(key.removeprefix(REPORTED)): int(value) for key, value in notes.items()}
    first = min(told, default=numbers[-1] if numbers else 0)
    current = {turn: turns.revision(turn) for turn in numbers if turn >= first}
    return {turn: revision for turn, revision in current.items() if told.get(turn) != revision}


def unqueued(saved: SavedGame, db: Journal) -> list[Seat]:
    """Return the seats whose mail of the newest turn was not queued yet, or could not be made."""
    turn, revision = saved.turn, saved.revision
    if db.note(saved.name, f"{REPORTED}{turn}") == str(revision):
        return []
    there = db.queued_reports(saved.name, turn, revision)
    addressed = (seat for seat in saved.start.seats if seat not in there and saved.players.address(seat))
    return [seat for seat in addressed if not knows_report(saved, db, seat)]


_ACTED = ModeratorActed.__name__


def is_same_report(before: Place, after: Place, reader: str) -> bool:
    """Tell whether a reader's report says the same in two turns.

    Neither the foot counts nor that the moderator took a turn back, which all are told when it is done.

    Args:
        before: Where the turn lies that was taken back.
        after: The turn that was run in its stead.
        reader: A seat, or the spectator.

    Returns:
        That; False where a file of theirs is damaged, for better it is sent once more than never.
    """
    form = f"reports/{reader}/orders.yaml"
    try:
        old, new = (_hashes(read_json(folder / "turn.json"), reader) for folder in (before, after))
        return old == new or (
            old.get(form) == new.get(form) and compared_facts(before, reader) == compared_facts(after, reader)
        )
    except WrongInput:
        return False


def _hashes(record: Mapping[str, Json], reader: str) -> dict[str, Json]:
    """Return the hashes of a reader's pages, which were taken without the foot."""
    reports = fields_of(record.get("reports"))
    return {name: sha for name, sha in reports.items() if name.startswith(f"reports/{reader}/")}


def compared_facts(turn: Place, reader: str) -> dict[str, Json]:
    """Return what a reader's report of a turn says, without its foot and the moderator's acts.

    Raises:
        WrongInput: A file is missing or damaged.
    """
    path = turn / "reports" / reader / "report.json"
    facts = read_json(path)
    events = facts.get("events")
    if not isinstance(events, list):
        raise WrongInput(f"{path} is damaged: expected a list of events.")
    told: list[Json] = [one for one in events if not isinstance(one, dict) or one.get("event") != _ACTED]
    return {**facts, "events": told, "foot": ""}
