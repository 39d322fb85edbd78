"""Records and tables of the finished games of some rules: lengths, points, and who wins from which seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

from pbem.archive.players.results import Result, Seated


@dataclass(frozen=True, slots=True)
class Held:
    """A record: a number, and the game and the seat that holds it; of a game as a whole without a seat."""

    what: str
    value: int
    game: str
    seat: Seated | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class FromSeat:
    """How a seat did in games of as many players.

    Attributes:
        players: So many seats had the games.
        title: What the seat is called.
        games: So many of them ended with a result.
        wins: So many of them it won; a shared win counts for each.
        points: Its points as a mean, where the rules count points.
    """

    players: int
    title: str
    games: int
    wins: int
    points: float | None

    @property
    def share(self) -> int:
        """The share of games that it won, in per cent."""
        return round(100 * self.wins / self.games)


@dataclass(frozen=True, slots=True)
class Span:
    """The least, the median and the most of some numbers."""

    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class Records:
    """The finished games of some rules.

    Attributes:
        games: So many there are.
        stopped: So many of them ended without a result.
        turns: How many turns those with a result took; None without any.
        days: How many days.
        held: The records.
        seats: How each seat did.
    """

    games: int
    stopped: int
    turns: Span | None
    days: Span | None
    held: tuple[Held, ...]
    seats: tuple[FromSeat, ...]


def records_of(games: Iterable[Result]) -> Records:
    """Return the records of the finished games among some that have the same rules."""
    over = sorted((game for game in games if game.over), key=lambda game: (game.at, game.name))
    ended = [game for game in over if game.places()]
    return Records(
        len(over),
        len(over) - len(ended),
        _span([game.turns for game in ended]),
        _span([game.days for game in ended]),
        tuple(_held(ended)),
        tuple(_seats(ended)),
    )


def _span(numbers: Sequence[int]) -> Span | None:
    return Span(min(numbers), median(numbers), max(numbers)) if numbers else None


def _held(ended: Sequence[Result]) -> list[Held]:
    """Return the records; who was first keeps one that is only reached again."""
    if not ended:
        return []
    longest = max(ended, key=lambda game: game.turns)
    shortest = min(ended, key=lambda game: game.turns)
    slowest = max(ended, key=lambda game: game.days)
    games = [
        Held("most turns", longest.turns, longest.name),
        Held("fewest turns", shortest.turns, shortest.name),
        Held("most days", slowest.days, slowest.name),
    ]
    scored = [(game, one, one.score) for game in ended for one in game.players if one.score is not None]
    if not scored:
        return games
    winning = [entry for entry in scored if entry[1].won]
    found = [("most points", max(scored, key=_points)), ("fewest points", min(scored, key=_points))]
    if winning:
        found.append(("fewest points of a winner", min(winning, key=_points)))
    return [*(_record(what, *entry) for what, entry in found), *games]


def _points(entry: tuple[Result, Seated, int]) -> int:
    return entry[2]


def _record(what: str, game: Result, one: Seated, points: int) -> Held:
    holder = game.holder(one.seat)
    return Held(what, points, game.name, one, holder.name if holder else "")


def _seats(ended: Sequence[Result]) -> list[FromSeat]:
    """Return how each seat did, by the number of players, in the order of the seats."""
    by_seat: dict[tuple[int, str], list[Seated]] = {}
    for game in ended:
        for one in game.players:
            by_seat.setdefault((len(game.players), one.title), []).append(one)
    found = []
    for (players, title), seats in by_seat.items():
        points = [one.score for one in seats if one.score is not None]
        wins = sum(one.won for one in seats)
        found.append(FromSeat(players, title, len(seats), wins, mean(points) if points else None))
    return sorted(found, key=lambda one: one.players)
