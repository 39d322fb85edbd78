"""Positions for the tests, laid out by hand or played by bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import cycle
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.web_of_power import SYSTEM
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.rules import WebOfPower, load
from pbem.rules.web_of_power.state import SEATS, Card, Country, Player, Site, State
from tests.rules.played import played
from tests.written import read_yaml

DICE = Dice(b"table", 0)
YELLOW, RED, GREEN, PURPLE, BLUE = SEATS
SHORT: Mapping[str, str] = {
    "fa": "franken_aragon",
    "bb": "bayern_burgund",
    "li": "lothringen_italien",
    "es": "england_schwaben",
    "fr": "frankreich",
}


def shipped_data() -> dict[str, Any]:
    """Read the shipped facts."""
    text = (files(SYSTEM.package) / "data" / "web_of_power.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = read_yaml(text)
    return data


def small_data(
    *, pieces: tuple[int, int] = (20, 8), counts: tuple[int, ...] = (6, 6, 5, 5, 4)
) -> dict[str, Any]:
    """Return facts with so many cards of each type, and cloisters and advisors each: games are soon over."""
    data = shipped_data()
    for card, count in zip(data["cards"]["list"], counts, strict=True):
        card["count"] = count
    data["cards"]["total"] = sum(counts)
    data["pieces"].update(cloisters=pieces[0], advisors=pieces[1])
    return data


@cache
def web_of_power() -> WebOfPower:
    """Return the rules with the shipped facts."""
    return load(shipped_data())


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "fa fa fr", in card order."""
    return web_of_power().facts.in_order(Card(SHORT[name]) for name in text.split())


def cloisters(text: str) -> dict[Site, Seat]:
    """Return owners of sites from a text such as "red: york st_albans; blue: mainz"."""
    found = {}
    for part in filter(None, text.split(";")):
        seat, _, sites = part.partition(":")
        found.update({Site(site): Seat(seat.strip()) for site in sites.split()})
    return found


def advisors(text: str) -> dict[Country, dict[Seat, int]]:
    """Return advisors from a text such as "franken: red 2, blue 1; england: red 1"."""
    found = {}
    for part in filter(None, text.split(";")):
        country, _, held = part.partition(":")
        pairs = (one.split() for one in held.split(","))
        found[Country(country.strip())] = {Seat(seat): int(count) for seat, count in pairs}
    return found


def board(taken: str = "", sent: str = "") -> Board:
    """Return a map with pieces."""
    return Board(web_of_power().facts, cloisters(taken), advisors(sent))


def position(
    *,
    hands: Mapping[Seat, str] | None = None,
    taken: str = "",
    sent: str = "",
    to_move: Seat = YELLOW,
    starter: Seat = YELLOW,
    seats: tuple[Seat, ...] = SEATS[:3],
    face_up: str = "fr es",
    pile: str | None = None,
    discards: str = "",
    half: int = 1,
    closing: bool = False,
    alliances: str = "land",
    next_in_turn: bool = False,
    points: Mapping[Seat, int] | None = None,
) -> State:
    """Return a position; hands are three different cards if not given, and the pile is what is left."""
    facts = web_of_power().facts
    held = {seat: cards((hands or {}).get(seat, "fa bb li")) for seat in seats}
    up, out = tuple(Card(SHORT[name]) for name in face_up.split()), cards(discards)
    rest = list(facts.deck(len(seats)))
    for card in (*up, *out, *(one for hand in held.values() for one in hand)):
        rest.remove(card)
    left = tuple(rest) if pile is None else tuple(Card(SHORT[name]) for name in pile.split())
    return State(
        seats=seats,
        starter=starter,
        to_move=to_move,
        half=half,
        closing=closing,
        ended="",
        alliances=alliances,
        next_in_turn=next_in_turn,
        players={
            seat: Player(held[seat], known=(), points=(points or {}).get(seat, 0), asks=0, led=(), news=())
            for seat in seats
        },
        cloisters=cloisters(taken),
        advisors=advisors(sent),
        pile=left,
        face_up=up,
        discards={card: out.count(card) for card in dict.fromkeys(out)},
    )


def do(state: State, order: Json, dice: Dice = DICE) -> tuple[State, tuple[Event, ...]]:
    """Resolve one order of the seat on turn, which must be legal."""
    rules = web_of_power()
    seat, move = state.to_move, rules.read(order)
    assert rules.check(rules.view(state, seat), move) == ()
    step = rules.resolve(state, {seat: move}, dice)
    return step.state, step.events


def why(state: State, order: Json) -> list[str]:
    """Return what is wrong with an order of the seat on turn, each with its place."""
    rules = web_of_power()
    problems = rules.check(rules.view(state, state.to_move), rules.read(order))
    return [f"{'.'.join(map(str, problem.path))}: {problem}" for problem in problems]


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]


def place(country: str, *pieces: Json, **more: Json) -> dict[str, Json]:
    """Return an order that places pieces."""
    return {"place": {"country": country, "pieces": list[Json](pieces)}, **more}


def deal(seed: str, seats: int = 4, **options: Json) -> State:
    """Return a dealt game."""
    chosen = {**SYSTEM.options, **options}
    return web_of_power().setup(SYSTEM.seat_names(seats), chosen, {}, Dice(seed.encode(), 0))


def playout(
    seed: str, skills: tuple[str, ...], seats: int = 4, **options: Json
) -> Iterator[tuple[State, Ask | Outcome, tuple[Event, ...]]]:
    """Play a game by bots; yield every position with its ask and what came before it, at last the outcome."""
    state = deal(seed, seats, **options)
    yield from played(web_of_power(), state, seed, dict(zip(state.seats, cycle(skills), strict=False)))
