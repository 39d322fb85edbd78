"""Which reports are with their readers: queued, not made yet, or the same as before a turn was taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.notices import ModeratorActed
from pbem.play.home import Home
from pbem.play.integrity import Finding
from pbem.play.made import gone_turns
from pbem.play.saved import SavedGame
from pbem.play.saves import read_json
from pbem.play.turns import Turns
from pbem.store.errors import JournalRefused
from pbem.store.journal import Journal
from pbem.store.place import Place

if TYPE_CHECKING:
    from pbem.play.verify import Verified

REPORTED: Final = "reported:"
"""The key of a game's note that says which revision of a turn was queued, before the turn."""


def knows_report(saved: SavedGame, db: Journal, turn: int, seat: Seat) -> bool:
    """Tell whether a seat was sent this very report before the turn was taken back and run again."""
    sent = db.sent_revision(saved.name, seat, turn)
    if sent is None:
        return False
    found = [one.place for one in saved.turns.taken_back(turn) if one.revision == sent + 1]
    return bool(found) and is_same_report(found[0], saved.turns.at(turn), seat)


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


def lost_turns(turns: Turns, db: Journal) -> tuple[int, ...]:
    """Return the turns that were mailed and are not here, nor were they taken back: somebody removed them."""
    notes = db.notes(turns.game, REPORTED)
    mailed = {int(key.removeprefix(REPORTED)): int(revision) for key, revision in notes.items()}
    later = (turn for turn in mailed if turn > turns.newest())
    return tuple(sorted(turn for turn in later if turns.revision(turn) <= mailed[turn]))


def unqueued(saved: SavedGame, db: Journal) -> list[Seat]:
    """Return the seats whose mail of the newest turn was not queued yet, or could not be made."""
    turn, revision = saved.turn, saved.turns.revision(saved.turn)
    if db.note(saved.name, f"{REPORTED}{turn}") == str(revision):
        return []
    there = db.queued_reports(saved.name, turn, revision)
    addressed = (seat for seat in saved.start.seats if seat not in there and saved.players.address(seat))
    return [seat for seat in addressed if not knows_report(saved, db, turn, seat)]


def lost_findings(home: Home, game: str) -> Iterator[Finding]:
    """Name the turns that were mailed, or made in a home without mail, and whose folders are gone.

    Raises:
        JournalRefused: The journal is damaged.
    """
    if home.has_journal:
        with home.journal() as db:
            lost = lost_turns(home.turns(game), db)
        yield from (Finding(f"turns/{turn:04d}", "it was mailed, and is not here") for turn in lost)
    yield from _made_findings(home.turns(game))


def _made_findings(turns: Turns) -> Iterator[Finding]:
    for turn in gone_turns(turns):
        yield Finding(f"turns/{turn:04d}", "it was made, and is not here")


def with_lost(home: Home, game: str, found: Verified) -> Verified:
    """Return what verification found, and the turns that were mailed or made and are gone besides."""
    try:
        return replace(found, findings=(*found.findings, *lost_findings(home, game)))
    except JournalRefused:
        unknown = "whether a turn that was mailed is gone is not known: the journal cannot be read"
        gone = _made_findings(home.turns(game))
        return replace(found, findings=(*found.findings, *gone), notes=(*found.notes, unknown))


_ACTED = ModeratorActed.__name__


def is_same_report(before: Place, after: Place, reader: str) -> bool:
    """Tell whether a reader's report says the same in two turns.

    Neither the foot counts nor that the moderator took a turn back, which all are told when it is done.

    Args:
        before: Where the turn lies that was taken back.
        after: The turn that was run in its stead.
        reader: A seat, or the spectator.

    Raises:
        WrongInput: A file is missing or damaged.
    """
    old, new = (_hashes(read_json(folder / "turn.json"), reader) for folder in (before, after))
    if old == new:
        return True
    form = f"reports/{reader}/orders.yaml"
    return old.get(form) == new.get(form) and _facts(before, reader) == _facts(after, reader)


def _hashes(record: Mapping[str, Json], reader: str) -> dict[str, Json]:
    """Return the hashes of a reader's pages, which were taken without the foot."""
    reports = record.get("reports")
    assert isinstance(reports, dict), "every record has them"
    return {name: sha for name, sha in reports.items() if name.startswith(f"reports/{reader}/")}


def _facts(turn: Place, reader: str) -> dict[str, Json]:
    facts = read_json(turn / "reports" / reader / "report.json")
    events = facts.get("events")
    assert isinstance(events, list), "every report has them"
    told: list[Json] = [one for one in events if not isinstance(one, dict) or one.get("event") != _ACTED]
    return {**facts, "events": told, "foot": ""}
