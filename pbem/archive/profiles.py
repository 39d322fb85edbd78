"""What the archive tells over several games: a page of each player, tables by rules, records."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import mean, median
from typing import Any, Final, NamedTuple, TypeAlias

from pbem.archive.rendering import Pages
from pbem.archive.results import (
    Rating,
    Result,
    SeatRow,
    Stint,
    Who,
    has_ratings,
    normalize_player_name,
    player_identity,
    player_page_name,
    rated,
    rating_library,
)
from pbem.archive.thumbnails import Boards, Sheet
from pbem.text.codec import dumps_line, encode

Ratings: TypeAlias = Mapping[str, Mapping[Who, Rating]]
"""Ratings of people by rules."""


class Standing(NamedTuple):
    """A seat of a game as a player's page shows it; `own` if it is the player's."""

    title: str
    name: str
    colour: str
    points: int | None
    own: bool


class Entry(NamedTuple):
    """A game of a player.

    Attributes:
        game: Its id.
        title: What its rules are called.
        seat: What the player's seat is called.
        ended: When it ended, ISO 8601; "" while it runs, for then it changes too often.
        stopped: The moderator ended it.
        place: The player's place; None without a result, and for a seat that changed hands.
        of: How many seats it has.
        stint: The player's time in the seat.
        table: All seats, those that came out best or have most points first.
        asked: What the seats are called whose turn it is, while it runs.
    """

    game: str
    title: str
    seat: str
    ended: str
    stopped: bool
    place: int | None
    of: int
    stint: Stint
    table: tuple[Standing, ...]
    asked: tuple[str, ...] = ()


class RulesSummary(NamedTuple):
    """How a player did by some rules, in games with a result in which the seat was the player's alone."""

    rules: str
    title: str
    games: int
    won: int
    rating: Rating | None


class Rivalry(NamedTuple):
    """How a player did against another, in games with a result in which both had their seats alone.

    Attributes:
        who: The other.
        games: So many games they played.
        ahead: In so many of them the player came out ahead.
        behind: In so many the other did.
    """

    who: Who
    games: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A player.

    Attributes:
        name: As the newest game has it.
        person: Which of those of this name.
        page: The page of all of this name.
        entries: The games, the newest first.
        by_rules: The results by rules.
        against: The results against others, most games first.
    """

    name: str
    person: int
    page: str
    entries: tuple[Entry, ...]
    by_rules: tuple[RulesSummary, ...]
    against: tuple[Rivalry, ...] = ()

    @property
    def who(self) -> Who:
        """Who it is among all people."""
        return normalize_player_name(self.name), self.person

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
            found.setdefault(player_identity(stint), []).append((one, stint))
    return [_profile(who, found[who], ratings) for who in sorted(found)]


def _profile(who: Who, played: Sequence[tuple[Result, Stint]], ratings: Ratings) -> Profile:
    entries = tuple(_entry(result, stint) for result, stint in played)
    rules = sorted({(result.title, result.rules) for result, _ in played})
    name = max(played, key=lambda one: (one[0].begun, one[0].name))[1].name
    by_rules = (_by_rules(one, title, played, ratings.get(one, {}).get(who)) for title, one in rules)
    told = tuple(one for one in by_rules if one.games)
    return Profile(name, who[1], player_page_name(name), entries, told, _rivalries(who, played))


_OTHERS: Final = 20
"""So many other players are told of on a player's page."""


def _rivalries(who: Who, played: Sequence[tuple[Result, Stint]]) -> tuple[Rivalry, ...]:
    found: dict[Who, list[int]] = {}
    for result, _ in played:
        placed = result.rated()
        for other, place in placed.items() if who in placed else ():
            found.setdefault(other, []).append(place - placed[who])
    told = [
        Rivalry(other, len(apart), sum(one > 0 for one in apart), sum(one < 0 for one in apart))
        for other, apart in found.items()
        if other != who
    ]
    return tuple(sorted(told, key=lambda one: (-one.games, one.who))[:_OTHERS])


def _entry(result: Result, stint: Stint) -> Entry:
    seat, placed = result.seat(stint.seat), result.places()
    names = {one.seat: one.name for one in result.people if one.last is None}
    counts = {one.seat: one.points if one.score is None else one.score for one in result.players}
    ranked = sorted(result.players, key=lambda one: (placed.get(one.seat, 0), -(counts[one.seat] or 0)))
    return Entry(
        result.name,
        result.title,
        seat.title,
        result.at if result.over else "",
        result.stopped,
        placed.get(stint.seat) if stint.whole else None,
        len(result.players),
        stint,
        tuple(
            Standing(one.title, names.get(one.seat, ""), one.colour, counts[one.seat], one.seat == stint.seat)
            for one in ranked
        ),
        tuple(result.seat(one).title for one in result.asked),
    )


def _by_rules(
    rules: str, title: str, played: Sequence[tuple[Result, Stint]], rating: Rating | None
) -> RulesSummary:
    ended = [
        result.seat(stint.seat)
        for result, stint in played
        if stint.whole and result.rules == rules and result.places()
    ]
    return RulesSummary(rules, title, len(ended), sum(one.won for one in ended), rating)


class RecordHolder(NamedTuple):
    """A record: a number, and the game and the seat that holds it; of a game as a whole without a seat."""

    what: str
    value: int
    game: str
    seat: SeatRow | None = None
    name: str = ""


class SeatSummary(NamedTuple):
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


class Span(NamedTuple):
    """The least, the median and the most of some numbers."""

    least: int
    median: float
    most: int


class Records(NamedTuple):
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
    held: tuple[RecordHolder, ...]
    seats: tuple[SeatSummary, ...]


def records_of(games: Iterable[Result]) -> Records:
    """Return the records of the finished games among some that have the same rules."""
    over = sorted((game for game in games if game.over), key=lambda game: (game.at, game.name))
    ended = [game for game in over if game.places()]
    return Records(
        len(over),
        len(over) - len(ended),
        _span([game.turns for game in ended]),
        _span([game.days for game in ended]),
        tuple(_record_holders(ended)),
        tuple(_seat_summaries(ended)),
    )


def _span(numbers: Sequence[int]) -> Span | None:
    return Span(min(numbers), median(numbers), max(numbers)) if numbers else None


def _record_holders(ended: Sequence[Result]) -> list[RecordHolder]:
    """Return the records; who was first keeps one that is only reached again."""
    if not ended:
        return []
    longest = max(ended, key=lambda game: game.turns)
    shortest = min(ended, key=lambda game: game.turns)
    slowest = max(ended, key=lambda game: game.days)
    games = [
        RecordHolder("most turns", longest.turns, longest.name),
        RecordHolder("fewest turns", shortest.turns, shortest.name),
        RecordHolder("most days", slowest.days, slowest.name),
    ]
    scored = [(game, one, one.score) for game in ended for one in game.players if one.score is not None]
    if not scored:
        return games
    winning = [entry for entry in scored if entry[1].won]
    found = [
        ("most points", max(scored, key=_record_points)),
        ("fewest points", min(scored, key=_record_points)),
    ]
    if winning:
        found.append(("fewest points of a winner", min(winning, key=_record_points)))
    return [*(_make_record_holder(what, *entry) for what, entry in found), *games]


def _record_points(entry: tuple[Result, SeatRow, int]) -> int:
    return entry[2]


def _make_record_holder(what: str, game: Result, one: SeatRow, points: int) -> RecordHolder:
    holder = game.holder(one.seat)
    return RecordHolder(what, points, game.name, one, holder.name if holder else "")


def _seat_summaries(ended: Sequence[Result]) -> list[SeatSummary]:
    """Return how each seat did, by the number of players, in the order of the seats."""
    by_seat: dict[tuple[int, str], list[SeatRow]] = {}
    for game in ended:
        for one in game.players:
            by_seat.setdefault((len(game.players), one.title), []).append(one)
    found = []
    for (players, title), seats in by_seat.items():
        points = [one.score for one in seats if one.score is not None]
        wins = sum(one.won for one in seats)
        found.append(SeatSummary(players, title, len(seats), wins, mean(points) if points else None))
    return sorted(found, key=lambda one: one.players)


PLAYERS: Final = "players.html"
_LISTED: Final = 100
"""So many games stand on a page of all games."""

_DRAWN: Final = 12
"""So many of a player's games are shown with small pictures, the first of their list."""


class Link(NamedTuple):
    """A player's name as it is shown, and the page with the place on it."""

    name: str
    page: str


class OverallFiles:
    """The files that tell of several games, by their paths in the archive.

    Attributes:
        keys: What each was made from, in a hash.
        made: Those that are made anew.
        rules: The page of each rules that has one, by what they are called.
        players: How many players are named.
        unrated: There are results to rate, and the extra for it is missing.
    """

    def __init__(
        self,
        pages: Pages,
        results: Sequence[Result],
        mark: str,
        old: Mapping[str, str],
        boards: Boards,
        *,
        punctual: bool,
    ) -> None:
        """Make them.

        Args:
            pages: Makes pages.
            results: All games of the archive.
            mark: What changes whenever all pages must be made again.
            old: The key of each file that stands in the archive.
            boards: The small pictures of the games.
            punctual: Missed turns are told.
        """
        self.boards = boards
        self.pages = pages
        self.mark = mark
        self.old = old
        self.punctual = punctual
        self.keys: dict[str, str] = {}
        self.made: dict[str, bytes] = {}
        ratings = ratings_of(results)
        profiles = profiles_of(results, ratings)
        self.players = len(profiles)
        self.unrated = not has_ratings() and any(one.rated() for one in results)
        self.rules: dict[str, str] = {}
        links = _links(profiles)
        self._add_rules(results, ratings, links)
        self._add_players(profiles, links)

    def _add(self, name: str, template: str, drawn: Iterable[str] = (), **values: object) -> None:
        """Add a page, made only if it would not come out as it stands there; with pictures of some games."""
        keys = {game: key for game in drawn if (key := self.boards.keys.get(game))}
        told = f"{self.mark} {dumps_line(encode(values))}{[*keys.items()] or ''}"
        self.keys[name] = hashlib.sha256(told.encode()).hexdigest()[:32]
        if self.old.get(name) != self.keys[name]:
            sheet = Sheet(self.boards.read([*keys]))
            shown = {"shared": sheet.shared, "pictures": sheet.pictures}
            self.made[name] = self.pages.page(template, **shown, **values).encode()

    def add_lists(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
        """Add pages that hold all games in the order in which they began. Returns each page, with its games.

        A game never moves from one to another, so that a turn changes only the page of its game.
        """
        in_order = sorted(rows, key=lambda row: (row["begun"], row["name"]))
        lists = []
        for at in range(0, len(in_order), _LISTED):
            games = in_order[at : at + _LISTED]
            page, span = f"games-{at // _LISTED + 1}.html", f"{at + 1} to {at + len(games)}"
            self._add(page, "games.html", games=games, span=span)
            lists.append((page, span))
        return lists

    def _add_players(self, profiles: Sequence[Profile], links: Mapping[Who, Link]) -> None:
        if profiles:
            shown = [(links[one.who], one) for one in profiles]
            in_short: list[object] = [{"link": link, **_list_entry(one)} for link, one in shown]
            self._add(PLAYERS, "players.html", players=in_short, punctual=self.punctual)
        for page, same in groupby(profiles, lambda one: one.page):
            people = list(same)
            against = [[(links[one.who], one) for one in person.against] for person in people]
            told = {"people": people, "against": against, "rules_pages": self.rules}
            games = dict.fromkeys(entry.game for person in people for entry in person.entries)
            self._add(page, "player.html", [*games][:_DRAWN], **told, punctual=self.punctual)

    def _add_rules(self, results: Sequence[Result], ratings: Ratings, links: Mapping[Who, Link]) -> None:
        in_order = sorted(results, key=lambda one: (one.at, one.name))
        for rules in sorted({one.rules for one in results if one.over}):
            games = [one for one in in_order if one.rules == rules]
            page, title = f"rules-{rules}.html", games[0].title
            self.rules[title] = page
            ranked = sorted(
                ratings.get(rules, {}).items(), key=lambda one: (3 * one[1].sigma - one[1].mu, one[0])
            )
            self._add(
                page,
                "rules.html",
                title=title,
                records=records_of(games),
                ratings=[(links[who], replace(rating, course=())) for who, rating in ranked],
                method=rating_library(),
                rated=[_rated_game_row(one, links) for one in games if one.rated()],
            )


def _links(profiles: Sequence[Profile]) -> dict[Who, Link]:
    """Return how each player is called and linked to; those of one name have numbers, and one page."""
    many = Counter(one.page for one in profiles)
    return {
        one.who: Link(f"{one.name} ({one.person})", f"{one.page}#person-{one.person}")
        if many[one.page] > 1
        else Link(one.name, one.page)
        for one in profiles
    }


def _list_entry(one: Profile) -> dict[str, object]:
    """Return what the list of players tells of one; nothing that changes with every turn."""
    rules = [by.title for by in one.by_rules]
    counts = {"games": one.games, "won": one.won, "running": one.running}
    return {**counts, "rules": rules, "asked": one.asked, "missed": one.missed}


def _rated_game_row(one: Result, links: Mapping[Who, Link]) -> dict[str, object]:
    """Return a game that ratings were made of, with its players in order of their places."""
    places = sorted((place, links[who].name) for who, place in one.rated().items())
    return {"game": one.name, "at": one.at, "places": places}
