"""How games came out, from the rows that the record of the archive keeps of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pbem.archive.players.people import Stint, folded
from pbem.archive.players.ratings import places
from pbem.core.interface import Json
from pbem.text.schemas.codec import decode

Who: TypeAlias = tuple[str, int]
"""A person: the name as it is compared, and which of those of that name."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat of a game as its row has it."""

    seat: str
    title: str
    name: str
    score: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A game as its row has it.

    Attributes:
        name: Its id.
        rules: The rules.
        title: What the rules are called.
        begun: When it began, ISO 8601.
        at: When its newest turn was run.
        turns: How many turns were played, without the deal; while it runs, the number of its newest turn.
        over: It has ended.
        players: Its seats.
        people: Who had them, if players are named.
        stopped: Its moderator ended it, without a result.
    """

    name: str
    rules: str
    title: str
    begun: str
    at: str
    turns: int
    over: bool
    players: tuple[Seated, ...]
    people: tuple[Stint, ...]
    stopped: bool = False

    @property
    def days(self) -> int:
        """How many days it took, or has taken."""
        return (datetime.fromisoformat(self.at) - datetime.fromisoformat(self.begun)).days

    def places(self) -> dict[str, int]:
        """Return the place of each seat; nothing of a game that runs, or was stopped without a result."""
        won, scores = [one.won for one in self.players], [one.score for one in self.players]
        found = places(won, scores) if self.over else None
        return {one.seat: place for one, place in zip(self.players, found, strict=True)} if found else {}

    def rated(self) -> dict[Who, int]:
        """Return the places by which its players are rated.

        Seats of bots, seats that changed hands and players of several seats are left out; what the model says
        of the others does not depend on them.
        """
        seats = Counter(who_is(one) for one in self.people)
        placed = self.places()
        rated = {
            who_is(one): placed[one.seat]
            for one in self.people
            if placed and one.whole and seats[who_is(one)] == 1
        }
        return rated if len(rated) > 1 else {}

    def seat(self, seat: str) -> Seated:
        """Return a seat by its id."""
        return next(one for one in self.players if one.seat == seat)

    def holder(self, seat: str) -> Stint | None:
        """Return who had a seat from the deal to the end; None if that was nobody who is named."""
        return next((one for one in self.people if one.seat == seat and one.whole), None)


def who_is(stint: Stint) -> Who:
    """Return the person who had a seat."""
    return folded(stint.name), stint.person


def people_of(row: Mapping[str, Json]) -> tuple[Stint, ...]:
    """Return who played a game, from its row; a row of an older version names nobody."""
    return decode(tuple[Stint, ...], row.get("people", []), "people")


def result_of(row: Mapping[str, Json]) -> Result:
    """Return a game from its row."""
    players = row["players"]
    assert isinstance(players, list), "every row has them"
    return Result(
        name=str(row["name"]),
        rules=str(row["rules"]),
        title=str(row["title"]),
        begun=str(row["begun"]),
        at=str(row["at"]),
        turns=decode(int, row["turns"], "turns"),
        over=row["over"] is True,
        stopped=row["ended"] is True,
        players=tuple(_seated(one) for one in players if isinstance(one, dict)),
        people=people_of(row),
    )


def _seated(one: Mapping[str, Json]) -> Seated:
    """Return a seat; points that are no whole number count as none."""
    score = one["score"]
    points = score if isinstance(score, int) else None
    return Seated(str(one["seat"]), str(one["title"]), str(one["name"]), points, one["won"] is True)
