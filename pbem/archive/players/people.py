"""Who played a game whose players are named: when each of them had a seat, and which turns they missed."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from pbem.archive.pages.turns import Turn
from pbem.core.engine.sources import FORCED, is_for_silent
from pbem.core.interface import Json
from pbem.core.labels import START
from pbem.host.people.names import names_of_each
from pbem.play.config.gamefile import NOBODY, Table
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.text.schemas.codec import fields_of, items_of

_SLUG: Final = 40
_HASH: Final = 10


@dataclass(frozen=True, slots=True)
class Stint:
    """A named player's time in a seat of a game.

    Attributes:
        seat: The seat.
        name: The player's name, as the game has it.
        first: The first turn that was the player's to order for.
        last: The last one; None for who has the seat at the end, or now.
        whole: Nobody else and no bot of the moderator's had the seat, from the deal on.
        with_bot: A bot of the moderator's had it in some turns.
        known: The player's address is written in the game's file; it is told nowhere.
        asked: Turns in which the seat was asked, of a finished game whose home publishes it.
        missed: Those of them that it was silent in.
        person: Which of those of this name it is, from 1; 0 as long as nobody has looked.
    """

    seat: str
    name: str
    first: int
    last: int | None
    whole: bool
    with_bot: bool
    known: bool
    asked: int | None = None
    missed: int | None = None
    person: int = 0


@dataclass(frozen=True, slots=True)
class Attended:
    """The turns that a seat was asked in, and those of them that it missed."""

    asked: frozenset[int]
    missed: frozenset[int]


def folded(name: str) -> str:
    """Return a name as it is compared: without regard to case, spaces and ways to write a letter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def page_of(name: str) -> str:
    """Return the file name of a player's page: safe letters of the name, and a hash of it."""
    same = folded(name)
    plain = unicodedata.normalize("NFKD", same).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG].strip("-")
    told = hashlib.sha256(same.encode()).hexdigest()[:_HASH]
    return f"player-{slug}-{told}.html" if slug else f"player-{told}.html"


def stints(
    saved: SavedGame, turns: Sequence[Turn], *, over: bool, attended: Mapping[str, Attended] | None
) -> list[Stint]:
    """Return who had the seats of a game whose players are named; seats of bots and free ones are nobody's.

    Args:
        saved: The game.
        turns: Its turns as they are published, with names.
        over: The game has ended.
        attended: What to tell of missed turns, by seat; None to tell nothing.
    """
    holders = _holders(turns, over)
    bots = _bots(saved) if over else {str(seat): True for seat in saved.table.bots}
    found: list[Stint] = []
    named = _names_of_each(saved)
    for seat in map(str, saved.start.seats):
        if bots.get(seat) is not True:
            _call_one_name(holders, seat, named.get(seat, ()))
            found += _of_seat(seat, holders, saved, seat in bots)
    return [_attending(one, attended[one.seat]) for one in found] if attended is not None else found


def address_of(table: Table, stint: Stint) -> str:
    """Return the address of a player by the game's file as it is compared; "" if none is written."""
    for seat, name in table.players.items():
        if seat == stint.seat and name == stint.name:
            return table.addresses.get(seat, "").casefold()
    return table.standby.get(stint.name, "").casefold()


def attendance(saved: SavedGame) -> dict[str, Attended]:
    """Return the turns that each seat of a finished game was asked in, and those that it missed.

    A turn counts once however often it asked. The start, an announced absence and an order that was the only
    legal one are no missed turns.
    """
    asked: dict[str, set[int]] = {str(seat): set() for seat in saved.start.seats}
    missed: dict[str, set[int]] = {seat: set() for seat in asked}
    for number in saved.turns.numbers()[1:]:
        record = saves.load_record(saved.turns.at(number))
        excused = list(map(str, items_of(fields_of(record.get("policy")).get("excused"))))
        for seat, source in _answers(record):
            asked[seat].add(number)
            if is_for_silent(source) and seat not in excused:
                missed[seat].add(number)
    return {seat: Attended(frozenset(asked[seat]), frozenset(missed[seat])) for seat in asked}


def _answers(record: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield who was waited for in a turn, and what answered: no start forms, bots, or only legal orders."""
    for step in saves.objects(record["steps"]):
        if step["label"] != START:
            for seat, source in fields_of(step["sources"]).items():
                if not str(source).startswith("bot ") and source != FORCED:
                    yield seat, str(source)


def _holders(turns: Sequence[Turn], over: bool) -> list[tuple[int, dict[str, str]]]:
    """Return who had the seats in each turn from the deal on; of a game that runs, who has them now too."""
    found = []
    for before, turn in pairwise(turns):
        if _is_dealt(before):
            replaced = {one["seat"]: _names(before) for one in _events(turn, "PlayerReplaced")}
            names = {seat: replaced.get(seat, {seat: name})[seat] for seat, name in _names(turn).items()}
            found.append((turn.number, names))
    return found if over else [*found, (turns[-1].number + 1, _names(turns[-1]))]


def _names_of_each(saved: SavedGame) -> dict[str, list[tuple[str, ...]]]:
    """Return the names that each player of a seat has had, the player of now first."""
    if not saved.home.has_journal:
        return {}
    with saved.home.journal() as db:
        return {str(seat): names_of_each(saved, seat, db) for seat in saved.start.seats}


def _call_one_name(
    holders: Sequence[tuple[int, dict[str, str]]], seat: str, players: Sequence[tuple[str, ...]]
) -> None:
    """Give each player of a seat one name in all their turns: the last that they had.

    Args:
        holders: Who had the seats, turn by turn.
        seat: The seat.
        players: The names of each of its players, the last player first; of some with one name only, nothing.
    """
    at = 0
    for _, names in reversed(holders):
        found = next((at + n for n, known in enumerate(players[at:]) if names[seat] in known), None)
        if found is not None:
            at, names[seat] = found, players[found][-1]


def _of_seat(
    seat: str, holders: Sequence[tuple[int, Mapping[str, str]]], saved: SavedGame, was_a_bots: bool
) -> list[Stint]:
    spans: list[tuple[str, int]] = []
    for number, names in holders:
        if not spans or spans[-1][0] != names[seat]:
            spans.append((names[seat], number))
    ends: list[int | None] = [*(first - 1 for _, first in spans[1:]), None]
    found = [
        Stint(seat, name, first, last, len(spans) == 1 and not was_a_bots, was_a_bots, known=False)
        for (name, first), last in zip(spans, ends, strict=True)
        if name not in (NOBODY, seat)
    ]
    return [replace(one, known=bool(address_of(saved.table, one))) for one in found]


def _attending(stint: Stint, attended: Attended) -> Stint:
    def within(turns: frozenset[int]) -> int:
        return sum(stint.first <= turn and (stint.last is None or turn <= stint.last) for turn in turns)

    return replace(stint, asked=within(attended.asked), missed=within(attended.missed))


def _bots(saved: SavedGame) -> dict[str, bool]:
    """Return the seats in a finished game that the moderator gave to bots; True if for all of it."""
    turns = []
    for number in saved.turns.numbers()[1:]:
        policy = fields_of(saves.load_record(saved.turns.at(number)).get("policy"))
        turns.append(set(fields_of(policy.get("bots"))))
    return {seat: all(seat in bots for bots in turns) for bots in turns for seat in bots}


def _names(turn: Turn) -> dict[str, str]:
    players = turn.told.facts["players"]
    assert isinstance(players, list), "every report has them"
    return {str(one["seat"]): str(one["name"]) for one in players if isinstance(one, dict)}


def _is_dealt(turn: Turn) -> bool:
    return fields_of(turn.told.facts["ask"])["label"] != START


def _events(turn: Turn, kind: str) -> list[dict[str, Json]]:
    events = turn.told.facts["events"]
    assert isinstance(events, list), "every report has them"
    return [one for one in events if isinstance(one, dict) and one["event"] == kind]
