"""Positions for the tests, laid out by hand or played at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.rose_king import SYSTEM
from pbem.rules.rose_king.rules import RoseKing, load
from pbem.rules.rose_king.state import RED, SEATS, WHITE, Card, Player, Square, State
from tests.rules.played import played
from tests.written import read_yaml

DICE = Dice(b"table", 0)


def shipped_data() -> dict[str, Any]:
    """Read the shipped facts."""
    text = (files(SYSTEM.package) / "data" / "rose_king.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = read_yaml(text)
    return data


@cache
def rose_king() -> RoseKing:
    """Return the rules with the shipped facts."""
    return load(shipped_data())


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "N1 SW3"."""
    return tuple(Card(name) for name in text.split())


def drawn(rows: list[str]) -> dict[str, str]:
    """Return the tokens of a board drawn from the north, R red, W white."""
    holders = {"R": "red", "W": "white"}
    return {
        f"{'ABCDEFGHI'[x]}{y + 1}": holders[mark]
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark in holders
    }


def position(
    *,
    red: str = "N1 N2 N3 NE1 NE2",
    white: str = "S1 S2 S3 SW1 SW2",
    tokens: Mapping[str, str] | None = None,
    crown: str = "E5",
    to_move: Seat = RED,
    heroes: tuple[int, int] = (4, 4),
    pile: str | None = None,
    discards: str = "",
    supply: int | None = 52,
    own: tuple[int | None, int | None] = (None, None),
) -> State:
    """Return a position; a pile that is not given holds every other card, in card order."""
    hands = {RED: cards(red), WHITE: cards(white)}
    used = (*hands[RED], *hands[WHITE], *cards(discards))
    rest = tuple(card for card in rose_king().facts.deck if card not in used)
    return State(
        to_move=to_move,
        crown=Square(crown),
        tokens={Square(square): Seat(holder) for square, holder in (tokens or {}).items()},
        players={
            seat: Player(hands[seat], heroes[i], 0, own[i], turned=False) for i, seat in enumerate(SEATS)
        },
        pile=rest if pile is None else cards(pile),
        discards=cards(discards),
        supply=supply,
    )


def do(state: State, order: Json | None = None, dice: Dice = DICE) -> tuple[State, tuple[Event, ...]]:
    """Resolve one order of the seat on turn, or its skip."""
    rules = rose_king()
    moves = {} if order is None else {state.to_move: rules.read(order)}
    step = rules.resolve(state, moves, dice)
    return step.state, step.events


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]


def deal(seed: str, own_tokens: int = 0) -> State:
    """Return a dealt game."""
    return rose_king().setup(SEATS, {"own_tokens": own_tokens}, {}, Dice(seed.encode(), 0))


def playout(
    seed: str, skills: Mapping[Seat, str], own_tokens: int = 0
) -> Iterator[tuple[State, Ask | Outcome]]:
    """Play a game by bots and yield every position with its ask; the last one is the outcome."""
    for state, ask, _ in played(rose_king(), deal(seed, own_tokens), seed, skills):
        yield state, ask


RANDOM: Mapping[Seat, str] = {RED: "random", WHITE: "random"}
MIXED: Mapping[Seat, str] = {RED: "greedy", WHITE: "random"}
