"""All that was done to a game, as `pbem acts` lists it: what was noted, and what its turns alone tell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from pbem.core.interface import Json
from pbem.play.homes.called import called_in
from pbem.play.homes.home import Home
from pbem.play.homes.saves import record_of_undone
from pbem.play.homes.turns import Turns
from pbem.play.submissions.takenback import told_of
from pbem.store.journals.journal import Journal
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import HOST, MODERATOR, Act
from pbem.store.place import Place

_HANDED: Final = {
    "BotTookOver": "{seat} missed {missed} in a row: a {skill} bot plays it until orders come again.",
    "PlayerReplaced": "{seat} missed {missed} in a row: {player}, a standby, plays it from now on.",
    "PlayerReturned": "{seat}: orders came, and the bot gave it back to its player.",
}
"""What a turn tells of seats that changed hands in it, by the kind of the event."""


def all_acts(home: Home, game: str, db: Journal) -> list[Act]:
    """Return what was done to a game, in order.

    Which seats bots and standbys took over stands in the turns. So does which turns were taken back: where
    nothing had been noted of a home until then, it stands nowhere else.

    Args:
        home: The home.
        game: The id of the game.
        db: The home's journal.
    """
    found, turns = db.acts(game), home.turns(game)
    for act in (*_handed(turns), *_taken_back(turns, found)):
        moment = datetime.fromisoformat(act.at)
        later = (at for at, one in enumerate(found) if datetime.fromisoformat(one.at) > moment)
        found.insert(next(later, len(found)), act)
    return found


def _handed(turns: Turns) -> Iterator[Act]:
    for number in turns.numbers():
        turn = turns.at(number)
        record = record_of_undone(turn)
        called = called_in(turn, record)
        for event in _events(turn):
            words = {name: called.named(str(value)) for name, value in event.items()}
            detail = _HANDED[str(event["event"])].format_map(words)
            facts = facts_of("seat-handed", seat=str(event["seat"]), event=str(event["event"]))
            yield from _dated(turns.game, record, HOST, "stand-in", detail, facts)


def _events(turn: Place) -> Iterator[Mapping[str, Json]]:
    """Yield the events of a turn by which seats changed hands; none if it is damaged."""
    try:
        lines = (turn / "events.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines if any(f'"{kind}"' in line for kind in _HANDED)]
    except (OSError, ValueError):
        return
    yield from (row for row in rows if isinstance(row, dict) and row.get("event") in _HANDED)


def _taken_back(turns: Turns, noted: list[Act]) -> Iterator[Act]:
    """Yield that turns were taken back of which nobody noted it; when that was is not known."""
    known = Counter(one.detail for one in noted if one.act == "undo")
    for one in reversed(turns.taken_back()):
        if known[told_of(one.turn)]:
            known[told_of(one.turn)] -= 1
            continue
        detail = f"turn {one.turn}, which was run at this time, was taken back later."
        record, facts = record_of_undone(one.place), facts_of("turn-undone", turn=one.turn)
        yield from _dated(turns.game, record, MODERATOR, "undo", detail, facts)


def _dated(
    game: str, record: Mapping[str, Json], who: str, act: str, detail: str, facts: str
) -> Iterator[Act]:
    """Yield an act of the moment at which a turn was run; none if the turn is damaged."""
    if at := record.get("at"):
        yield Act(str(at), who, game, act, detail, 1, facts)
