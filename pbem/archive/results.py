"""Who played and how games came out; people of one name are told apart; and ratings by rules."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypeVar

from pbem.archive.public import Turn
from pbem.core.book import OPEN, START
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.notices import FORCED, is_for_silent
from pbem.play.config.gamefile import NOBODY, GameTable
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.text.codec import decode, fields_of, items_of

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
class TurnAttendance:
    """The turns that a seat was asked in, and those of them that it missed."""

    asked: frozenset[int]
    missed: frozenset[int]


def normalize_player_name(name: str) -> str:
    """Return a name as it is compared: without regard to case, spaces and ways to write a letter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def player_page_name(name: str) -> str:
    """Return the file name of a player's page: safe letters of the name, and a hash of it."""
    same = normalize_player_name(name)
    plain = unicodedata.normalize("NFKD", same).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG].strip("-")
    told = hashlib.sha256(same.encode()).hexdigest()[:_HASH]
    return f"player-{slug}-{told}.html" if slug else f"player-{told}.html"


def stints(
    saved: SavedGame, turns: Sequence[Turn], *, over: bool, attended: Mapping[str, TurnAttendance] | None
) -> list[Stint]:
    """Return who had the seats of a game whose players are named; seats of bots and free ones are nobody's.

    Args:
        saved: The game.
        turns: Its turns as they are published, with names.
        over: The game has ended.
        attended: What to tell of missed turns, by seat; None to tell nothing.
    """
    holders = _seat_holders_by_turn(turns, over)
    bots = _bots(saved) if over else {str(seat): True for seat in saved.table.bots}
    found: list[Stint] = []
    for seat in map(str, saved.start.seats):
        if bots.get(seat) is not True:
            players = [*reversed(saved.tenures.names_of(Seat(seat)))]
            _unify_player_names(holders, seat, players)
            found += _seat_stints(seat, holders, saved, seat in bots)
    return [_add_attendance(one, attended[one.seat]) for one in found] if attended is not None else found


def address_of(table: GameTable, stint: Stint) -> str:
    """Return the address of a player by the game's file as it is compared; "" if none is written."""
    for seat, name in table.players.items():
        if seat == stint.seat and name == stint.name:
            return table.addresses.get(seat, "").casefold()
    return table.standby.get(stint.name, "").casefold()


def attendance(saved: SavedGame) -> dict[str, TurnAttendance]:
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
    return {seat: TurnAttendance(frozenset(asked[seat]), frozenset(missed[seat])) for seat in asked}


def _answers(record: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield who was waited for in a turn, and what answered: no start forms, bots, or only legal orders."""
    for step in saves.objects_in(record["steps"]):
        if step["label"] != START:
            for seat, source in fields_of(step["sources"]).items():
                if not str(source).startswith("bot ") and source != FORCED:
                    yield seat, str(source)


def _seat_holders_by_turn(turns: Sequence[Turn], over: bool) -> list[tuple[int, dict[str, str]]]:
    """Return who had the seats in each turn from the deal on; of a game that runs, who has them now too."""
    found = []
    for before, turn in pairwise(turns):
        if _is_dealt(before):
            replaced = {one["seat"]: _names(before) for one in _events(turn, "PlayerReplaced")}
            names = {seat: replaced.get(seat, {seat: name})[seat] for seat, name in _names(turn).items()}
            found.append((turn.number, names))
    return found if over else [*found, (turns[-1].number + 1, _names(turns[-1]))]


def _unify_player_names(
    holders: Sequence[tuple[int, dict[str, str]]], seat: str, players: Sequence[tuple[str, ...]]
) -> None:
    """Give each player of a seat one name in all their turns: the last that they had.

    Args:
        holders: Who had the seats, turn by turn.
        seat: The seat.
        players: The names of each of its players, the last player first.
    """
    at = 0
    for _, names in reversed(holders):
        found = next((at + n for n, known in enumerate(players[at:]) if names[seat] in known), None)
        if found is not None:
            at, names[seat] = found, players[found][-1]


def _seat_stints(
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


def _add_attendance(stint: Stint, attended: TurnAttendance) -> Stint:
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


Address: TypeAlias = Callable[[str, Stint], str]
"""Returns the address of a player by game, or "" if none is written or it cannot be read."""


@dataclass(slots=True)
class GameStint:
    """A player's time in a seat, and which game it was in.

    Attributes:
        game: The id of the game.
        stint: The time in the seat.
    """

    game: str
    stint: Stint


def number_namesakes(
    games: Mapping[str, tuple[str, Sequence[Stint]]], address: Address
) -> dict[str, list[Stint]]:
    """Return the players of all games with their numbers among those of the same name.

    The same name and the same address are one person. Without an address a player is the only one of that
    name with an address, if there is just one. Numbers go by who played first. They depend on the games
    alone, not on what was numbered before: an old number only saves a look into a game's file.

    Args:
        games: When each began and who played it; a person of 0 is new.
        address: Tells addresses.
    """
    sat = {game: [GameStint(game, stint) for stint in played] for game, (_, played) in games.items()}
    by_name: dict[str, list[GameStint]] = {}
    for game in sorted(games, key=lambda one: (games[one][0], one)):
        for one in sat[game]:
            by_name.setdefault(normalize_player_name(one.stint.name), []).append(one)
    for same in by_name.values():
        _number_stints(same, address)
    return {game: [one.stint for one in played] for game, played in sat.items()}


def _number_stints(same: Sequence[GameStint], address: Address) -> None:
    """Give numbers to all of one name, who stand in order of their games."""
    addresses = _stint_addresses(same, address)
    known = {one for one in addresses if one}
    alone = next(iter(known)) if len(known) == 1 else ""
    numbers: dict[str, int] = {}
    for sat, found in zip(same, addresses, strict=True):
        number = numbers.setdefault(found or alone, len(numbers) + 1)
        sat.stint = replace(sat.stint, person=number)


def _stint_addresses(same: Sequence[GameStint], address: Address) -> list[str]:
    """Return the address of each; those that had one number have one address, which is read once."""
    if all(sat.stint.person == 1 for sat in same):
        return ["the same" if sat.stint.known else "" for sat in same]
    read: dict[int, str] = {}
    found: list[str] = []
    for sat in same:
        number = sat.stint.person
        if not sat.stint.known:
            found.append("")
        elif number and number in read:
            found.append(read[number])
        else:
            found.append(address(sat.game, sat.stint) or f"unread {number}")
            if number:
                read[number] = found[-1]
    return found


Competitor = TypeVar("Competitor", bound=Hashable)

MU: Final = 25.0
SIGMA: Final = 25 / 3
BETA: Final = 25 / 6
TAU: Final = 25 / 300
KAPPA: Final = 0.0001
"""The parameters of the model, which are OpenSkill's own: written out so that a table can be recomputed."""

_SURE: Final = ((6.0, "a guess"), (4.0, "rough"), (2.5, "fair"))


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player's strength.

    Attributes:
        mu: How strong, as a mean.
        sigma: How unsure that is, as a standard deviation.
        games: The games that it was made of.
        course: How strong after each of them, as a mean.
    """

    mu: float
    sigma: float
    games: int
    course: tuple[float, ...] = ()

    @property
    def low(self) -> float:
        """The strength is above this in 39 of 40 cases, as the model has it."""
        return self.mu - 2 * self.sigma

    @property
    def high(self) -> float:
        """The strength is below this in 39 of 40 cases."""
        return self.mu + 2 * self.sigma

    @property
    def sure(self) -> str:
        """How sure it is, in words."""
        return next((word for least, word in _SURE if self.sigma > least), "firm")


def rating_library() -> str:
    """Return the library that makes the ratings, with its version; "" without the extra `ratings`."""
    return f"OpenSkill {importlib.metadata.version('openskill')}" if has_ratings() else ""


def has_ratings() -> bool:
    """Tell whether the extra `ratings` is installed."""
    return importlib.util.find_spec("openskill") is not None


def places(won: Sequence[bool], scores: Sequence[int | None]) -> list[int] | None:
    """Return the places of a finished game's seats, from 1; None if it has no result.

    Winners share the first place. The others come in order of their points, and equal points share a place.
    Where one of them has more points than a winner, points do not tell who was second: they share a place.
    """
    if not any(won) and any(score is None for score in scores):
        return None
    best = [score for score, is_one in zip(scores, won, strict=True) if is_one and score is not None]
    rest = [score for score, is_one in zip(scores, won, strict=True) if not is_one]
    is_told = all(score is not None and (not best or score <= min(best)) for score in rest)
    keys = [
        (0, 0) if is_one else (1, -score if is_told and score is not None else 0)
        for is_one, score in zip(won, scores, strict=True)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def rated(games: Sequence[Mapping[Competitor, int]]) -> dict[Competitor, Rating]:
    """Return the ratings of all players after some games.

    Args:
        games: In order of their ends; of each the places of its players. One with less than two is no game.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, kappa=KAPPA)
    found: dict[Competitor, Rating] = {}
    for game in games:
        if len(game) < 2:
            continue
        before = [found.get(who, Rating(MU, SIGMA, 0)) for who in game]
        teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        after = model.rate(teams, ranks=[float(place) for place in game.values()])
        for who, was, (now,) in zip(game, before, after, strict=True):
            found[who] = Rating(now.mu, now.sigma, was.games + 1, (*was.course, round(now.mu, 2)))
    return found


Who: TypeAlias = tuple[str, int]
"""A person: the name as it is compared, and which of those of that name."""


class SeatRow(NamedTuple):
    """A seat of a game as its row has it."""

    seat: str
    title: str
    name: str
    score: int | None
    won: bool
    points: int | None = None
    colour: str = ""


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
        asked: The seats whose turn it is, while it runs and everybody is told.
    """

    name: str
    rules: str
    title: str
    begun: str
    at: str
    turns: int
    over: bool
    players: tuple[SeatRow, ...]
    people: tuple[Stint, ...]
    stopped: bool = False
    asked: tuple[str, ...] = ()

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
        seats = Counter(player_identity(one) for one in self.people)
        placed = self.places()
        rated = {
            player_identity(one): placed[one.seat]
            for one in self.people
            if placed and one.whole and seats[player_identity(one)] == 1
        }
        return rated if len(rated) > 1 else {}

    def seat(self, seat: str) -> SeatRow:
        """Return a seat by its id."""
        return next(one for one in self.players if one.seat == seat)

    def holder(self, seat: str) -> Stint | None:
        """Return who had a seat from the deal to the end; None if that was nobody who is named."""
        return next((one for one in self.people if one.seat == seat and one.whole), None)


def player_identity(stint: Stint) -> Who:
    """Return the person who had a seat."""
    return normalize_player_name(stint.name), stint.person


def stints_of(row: Mapping[str, Json]) -> tuple[Stint, ...]:
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
        players=tuple(_seat_row(one) for one in players if isinstance(one, dict)),
        people=stints_of(row),
        asked=_asked_seats(row),
    )


def _asked_seats(row: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the seats whose turn it is; none before the first turn, and when the game has ended."""
    ask = fields_of(row.get("ask"))
    if row["over"] or row["ended"] or ask.get("label") in (START, OPEN):
        return ()
    return decode(tuple[str, ...], ask.get("seats", []), "seats")


def _seat_row(one: Mapping[str, Json]) -> SeatRow:
    """Return a seat; points that are no whole number count as none."""
    score, points = (found if isinstance(found := one.get(key), int) else None for key in ("score", "points"))
    seat, title, name, colour = (str(one.get(key, "")) for key in ("seat", "title", "name", "colour"))
    return SeatRow(seat, title, name, score, one["won"] is True, points, colour)
