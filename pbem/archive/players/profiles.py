"""What the archive tells of each player: games, results by rules with a rating, and missed turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pbem.archive.players.people import Stint, folded, page_of
from pbem.archive.players.ratings import Rating, has_ratings, rated
from pbem.archive.players.results import Result, Who, who_is

Ratings: TypeAlias = Mapping[str, Mapping[Who, Rating]]
"""Ratings of people by rules."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of a player.

    Attributes:
        game: Its id.
        title: What its rules are called.
        seat: What the player's seat is called.
        ended: When it ended, ISO 8601; "" while it runs, for then it changes too often.
        stopped: The moderator ended it.
        place: The player's place; None without a result, and for a seat that changed hands.
        of: How many seats it has.
        score: The points of the seat, if it has ended and the rules count any.
        stint: The player's time in the seat.
    """

    game: str
    title: str
    seat: str
    ended: str
    stopped: bool
    place: int | None
    of: int
    score: int | None
    stint: Stint


@dataclass(frozen=True, slots=True)
class ByRules:
    """How a player did by some rules, in games with a result in which the seat was the player's alone."""

    rules: str
    title: str
    games: int
    won: int
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A player.

    Attributes:
        name: As the newest game has it.
        person: Which of those of this name.
        page: The page of all of this name.
        entries: The games, the newest first.
        by_rules: The results by rules.
    """

    name: str
    person: int
    page: str
    entries: tuple[Entry, ...]
    by_rules: tuple[ByRules, ...]

    @property
    def who(self) -> Who:
        """Who it is among all people."""
        return folded(self.name), self.person

    @property
    def running(self) -> int:
        """How many games run in which the player has a seat."""
        return sum(not (one.ended or one.stopped) and one.stint.last is None for one in self.entries)

    @property
    def games(self) -> int:
        """How many games ended with a result of the player's own."""
        return sum(one.games for one in self.by_rules)

    @property
    def won(self) -> int:
        """How many of them the player won, alone or with others."""
        return sum(one.won for one in self.by_rules)

    @property
    def asked(self) -> int:
        """In how many turns of finished games the player was asked, where that is told."""
        return sum(one.stint.asked or 0 for one in self.entries)

    @property
    def missed(self) -> int:
        """In how many of them the player was silent."""
        return sum(one.stint.missed or 0 for one in self.entries)


def ratings_of(results: Sequence[Result]) -> Ratings:
    """Return all ratings, made from the first game on; nothing without the extra `ratings`."""
    if not has_ratings():
        return {}
    in_order = sorted(results, key=lambda one: (one.at, one.name))
    games: dict[str, list[Mapping[Who, int]]] = {}
    for one in in_order:
        if placed := one.rated():
            games.setdefault(one.rules, []).append(placed)
    return {rules: rated(found) for rules, found in games.items()}


def profiles_of(results: Sequence[Result], ratings: Ratings) -> list[Profile]:
    """Return all players in order of their names."""
    newest_first = sorted(
        results, key=lambda one: (one.at if one.over else one.begun, one.name), reverse=True
    )
    found: dict[Who, list[tuple[Result, Stint]]] = {}
    for one in sorted(newest_first, key=lambda one: one.over):
        for stint in one.people:
            found.setdefault(who_is(stint), []).append((one, stint))
    return [_profile(who, found[who], ratings) for who in sorted(found)]


def _profile(who: Who, played: Sequence[tuple[Result, Stint]], ratings: Ratings) -> Profile:
    entries = tuple(_entry(result, stint) for result, stint in played)
    rules = sorted({(result.title, result.rules) for result, _ in played})
    name = max(played, key=lambda one: (one[0].begun, one[0].name))[1].name
    by_rules = (_by_rules(one, title, played, ratings.get(one, {}).get(who)) for title, one in rules)
    return Profile(name, who[1], page_of(name), entries, tuple(one for one in by_rules if one.games))


def _entry(result: Result, stint: Stint) -> Entry:
    seat = result.seat(stint.seat)
    return Entry(
        result.name,
        result.title,
        seat.title,
        result.at if result.over else "",
        result.stopped,
        result.places().get(stint.seat) if stint.whole else None,
        len(result.players),
        seat.score,
        stint,
    )


def _by_rules(
    rules: str, title: str, played: Sequence[tuple[Result, Stint]], rating: Rating | None
) -> ByRules:
    ended = [
        result.seat(stint.seat)
        for result, stint in played
        if stint.whole and result.rules == rules and result.places()
    ]
    return ByRules(rules, title, len(ended), sum(one.won for one in ended), rating)
