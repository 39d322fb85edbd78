"""Positions for the tests, laid out by hand or played by bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import cycle
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.web_of_power_cards import SYSTEM
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards, load
from pbem.rules.web_of_power_cards.state import SEATS, Card, Law, Player, State
from tests.rules.played import played
from tests.written import read_yaml

DICE = Dice(b"table", 0)
YELLOW, RED, GREEN, PURPLE, BLUE = SEATS


def shipped_data() -> dict[str, Any]:
    """Read the shipped facts."""
    text = (files(SYSTEM.package) / "data" / "web_of_power_cards.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = read_yaml(text)
    return data


@cache
def rules() -> WebOfPowerCards:
    """Return the rules with the shipped facts."""
    return load(shipped_data())


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "Fr3 Ba1"."""
    return tuple(Card(name) for name in text.split())


def position(
    *rows: str,
    players: int = 3,
    held: Mapping[Seat, str] | None = None,
    stones: Mapping[str, Seat] | None = None,
    reserve: Mapping[Seat, int] | None = None,
    removed: Mapping[Seat, int] | None = None,
    laws: Mapping[str, Law] | None = None,
    own_laws: Mapping[Seat, Sequence[Law]] | None = None,
    to_move: Seat = YELLOW,
    own_claim_free: bool = False,
) -> State:
    """Return a position: the rows as they lie, and what is not as at the start.

    What is held by nobody and does not lie is given to the last seat, so that no card is missing. A reserve
    that is not given holds the stones that are neither on cards nor removed.
    """
    seats, own = SEATS[:players], held or {}
    on = {Card(card): seat for card, seat in (stones or {}).items()}
    lying = [cards(row) for row in rows]
    known = {
        *(card for row in lying for card in row),
        *(card for text in own.values() for card in cards(text)),
    }
    rest = tuple(card for card in rules().facts.lands if card not in known)
    gone = {seat: (removed or {}).get(seat, 0) for seat in seats}
    piles = {seat: cards(own.get(seat, "")) for seat in seats}
    piles[seats[-1]] += rest
    taken = [card for pile in piles.values() for card in pile]
    width = rules().facts.columns
    layout = tuple(
        (*row, *(taken.pop() for _ in range(width - len(row)))) for row in (*lying, *((),) * (4 - len(lying)))
    )
    return State(
        to_move=to_move,
        layout=layout,
        laws={Card(card): law for card, law in (laws or {}).items()},
        stones=on,
        players={
            seat: Player(
                cards=piles[seat],
                laws=tuple((own_laws or {}).get(seat, ())),
                reserve=(reserve or {}).get(seat, 3 - gone[seat] - list(on.values()).count(seat)),
                removed=gone[seat],
                asks=0,
                lost=(),
            )
            for seat in seats
        },
        played=(),
        skips=0,
        own_claim_free=own_claim_free,
    )


def do(state: State, order: Json) -> tuple[State, tuple[Event, ...]]:
    """Resolve one order of the seat on turn."""
    step = rules().resolve(state, {state.to_move: rules().read(order)}, DICE)
    return step.state, step.events


def problems(state: State, order: Json) -> list[str]:
    """Return what the seat on turn is told about an order."""
    view = rules().view(state, state.to_move)
    return [str(problem) for problem in rules().check(view, rules().read(order))]


def is_legal(state: State, order: Json) -> bool:
    """Tell whether the seat on turn may give an order."""
    return problems(state, order) == []


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]


def deal(seed: str, players: int = 3, **options: Json) -> State:
    """Return a dealt game."""
    return rules().setup(SEATS[:players], options, {}, Dice(seed.encode(), 0))


def outcome(state: State) -> Outcome:
    """Return how a game ended."""
    found = rules().ask(state)
    assert isinstance(found, Outcome)
    return found


def playout(
    seed: str, players: int, skills: Sequence[str] = ("random",), **options: Json
) -> Iterator[tuple[State, Ask | Outcome, tuple[Event, ...]]]:
    """Play a game by bots, skills dealt in turn; yield every position, its ask and what led to it."""
    dealt = dict(zip(SEATS[:players], cycle(skills), strict=False))
    yield from played(rules(), deal(seed, players, **options), seed, dealt)
