"""Positions for the tests, laid out by hand or played by bots, and dice that fall as told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Recorded, Seat, visible
from pbem.core.interface import Ask, Outcome
from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue, load
from pbem.rules.web_of_intrigue.state import Blight, Guess, HouseId, Player, Sighting, Square, State, TileId
from tests.rules.played import played

A, B, C, D = (Seat(name) for name in "1234")


@cache
def woi() -> WebOfIntrigue:
    """Return the rules with the shipped facts."""
    return load(shipped_data())


def shipped_data() -> dict[str, Any]:
    """Read the shipped facts."""
    return find_rules("web-of-intrigue").shipped_data()


@dataclass(frozen=True)
class Loaded(Dice):
    """Dice that fall as told where they are told: die rolls by "bid_1/die/7", draws from 0 by their label."""

    falls: Mapping[str, int] = field(default_factory=dict)

    def below(self, limit: int, label: str, n: int = 0) -> int:
        if label not in self.falls:
            return super().below(limit, label, n)
        return self.falls[label] - ("/die/" in label)


def loaded(**falls: int) -> Loaded:
    """Return dice; `bid_1_die_7=6` makes the roll of player 7's first bid a 6."""
    return Loaded(b"table", 1, {name[::-1].replace("_", "/", 2)[::-1]: fall for name, fall in falls.items()})


def deal(seats: int = 4, seed: str = "table", **options: Any) -> State:
    """Return a dealt game."""
    key = Dice(seed.encode(), 0)
    return woi().setup(seat_names(seats), {**SYSTEM.options, **options}, {}, key)


def position(
    *,
    tiles: Mapping[str, str] | None = None,
    squares: Mapping[Seat, str] | None = None,
    houses: Mapping[Seat, str] | None = None,
    owners: Mapping[str, Seat] | None = None,
    seats: int = 4,
    **options: Any,
) -> State:
    """Return a position: tiles on their squares, the others as in the tables; players far apart.

    Houses that are not given are capricorn, pisces, virgo and gemini in the order of seats.
    """
    state = deal(seats, **options)
    facts = woi().facts
    wanted = {Square(square): TileId(tile) for square, tile in (tiles or {}).items()}
    rest = iter([one for one in (*facts.objects, *facts.specials) if one not in wanted.values()])
    web = {square: wanted[square] if square in wanted else next(rest) for square in facts.grid.squares}
    places = dict(zip(state.players, ("a1", "f1", "a6", "f6", "c3", "h3"), strict=False))
    places.update(squares or {})
    signs = dict(zip(state.players, ("capricorn", "pisces", "virgo", "gemini", "leo", "aries"), strict=False))
    signs.update(houses or {})
    players = {
        seat: replace(
            player,
            square=Square(places[seat]),
            house=HouseId(signs[seat]),
            memory={},
        )
        for seat, player in state.players.items()
    }
    held = {TileId(tile): owner for tile, owner in (owners or {}).items()}
    return replace(state, web=web, players=players, owners=held)


def change(state: State, seat: Seat, **fields: Any) -> State:
    """Return a position with one player's fields changed."""
    player: Player = replace(state.players[seat], **fields)
    return replace(state, players={**state.players, seat: player})


AROUND_D5 = {
    "d5": "france",
    "d4": "inflation",
    "e5": "spain",
    "d6": "chaos",
    "c5": "blackmail",
    "f5": "fog_of_war",
    "c4": "blight",
    "c6": "square_aspect",
    "e6": "opposition",
    "e4": "queen_victoria",
    "j10": "usa",
    "j9": "pyramid",
    "d3": "henrik_ibsen",
    "d7": "druids",
}


AT_D5 = {A: "d5"}


def here(tiles: Mapping[str, str] = AROUND_D5, squares: Mapping[Seat, str] = AT_D5, **more: Any) -> State:
    """Return a position in which the first player stands on d5, and has seen what lies on j10."""
    state = position(tiles=tiles, squares=squares, **more)
    return change(state, A, memory={Square("j10"): Sighting(TileId("usa"), 3)})


def judged_position(
    *,
    blight: int = 0,
    shrouds: Sequence[str] = (),
    objects: int = 0,
    guesses: Sequence[tuple[str, bool]] = (),
    **more: Any,
) -> State:
    """Return the position of `here`, in which the second player has done something or controls objects.

    The first player may have guessed at it: Houses, each with whether it was right.
    """
    blights = (Blight(A, blight),) if blight else ()
    fields = {"blights": blights, "shrouds": tuple(map(Square, shrouds)), "objects": objects}
    made = tuple(Guess(1, B, HouseId(house), right=right, free=False) for house, right in guesses)
    state = change(here(**more), A, guesses=made)
    return change(state, B, **{name: value for name, value in fields.items() if value})


def do(state: State, orders: Mapping[Seat, Any], dice: Dice | None = None) -> tuple[State, tuple[Event, ...]]:
    """Resolve a turn; seats without orders stay where they are."""
    rules = woi()
    moves = {seat: rules.read(orders.get(seat, {"move": "stay"})) for seat in state.players}
    step = rules.resolve(state, moves, dice or Dice(b"table", 1))
    return step.state, step.events


def of(events: tuple[Event, ...], kind: type[Event], seat: Seat | None = None) -> list[Any]:
    """Return the events of a kind, of one seat if it is given."""
    return [one for one in events if isinstance(one, kind) and (seat is None or one.seat == seat)]  # type: ignore[attr-defined]


def seen_by(events: tuple[Event, ...], seat: Seat | None) -> list[Event]:
    """Return what a seat is told."""
    return [entry.event for entry in visible([Recorded("", event) for event in events], seat)]


def problems(state: State, order: Any, seat: Seat = A) -> list[tuple[tuple[str | int, ...], str]]:
    """Return what is wrong with an order: path, and sentence with hint."""
    rules = woi()
    found = rules.check(rules.view(state, seat), rules.read(order))
    return [(problem.path, str(problem)) for problem in found]


def playout(
    seed: str, skills: Mapping[Seat, str], **options: Any
) -> Iterator[tuple[State, Ask | Outcome, tuple[Event, ...]]]:
    """Play a game by bots; yield every position with its ask and the events that led to it."""
    yield from played(woi(), deal(len(skills), seed, **options), seed, skills)


def all_play(skill: str, seats: int) -> dict[Seat, str]:
    """Return the same skill for every seat."""
    return dict.fromkeys(seat_names(seats), skill)
