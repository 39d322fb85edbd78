"""Positions for the tests, laid out by hand or played by bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.game_of_powers import SYSTEM
from pbem.rules.game_of_powers.hands import by_number
from pbem.rules.game_of_powers.rules import GameOfPowers, load
from pbem.rules.game_of_powers.state import SEATS, Card, City, Player, Section, State, Token, Tokens
from pbem.rules.game_of_powers.view import View
from pbem.text.schema import Schema
from tests.rules.played import played
from tests.subjects import subject
from tests.written import read_yaml

DICE = Dice(b"table", 0)
WHITE, BLACK, ORANGE, PURPLE, BROWN = SEATS


@cache
def shipped_text() -> str:
    """Read the shipped facts as they are written."""
    return (files(SYSTEM.package) / "data" / "game_of_powers.yaml").read_text(encoding="utf-8")


def shipped_data() -> dict[str, Any]:
    """Read the shipped facts."""
    data: dict[str, Any] = read_yaml(shipped_text())
    return data


@cache
def game() -> GameOfPowers:
    """Return the rules with the shipped facts."""
    return load(shipped_data())


@cache
def schema() -> Schema:
    """Return the schema of orders."""
    return subject("game-of-powers").moves


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "3 14", by number."""
    return by_number(Card(number) for number in text.split())


def tokens(text: str) -> Tokens:
    """Return the tokens of a text such as "military religious religious"."""
    return game().facts.count_tokens(Token(one) for one in text.split())


def hold(text: str, *, at: str = "wolin clockwise", tokens_of: str = "", **more: Any) -> Player:
    """Return a player with a hand that nobody has seen."""
    city, direction = at.split()
    player = Player(
        city=City(city),
        direction="clockwise" if direction == "clockwise" else "anticlockwise",
        hand=cards(text),
        open=(),
        shown={},
        tokens=tokens(tokens_of),
        played=(),
        tasks={},
        asks=1,
        traded=False,
        start_points=0,
        beaten=False,
    )
    return replace(player, **more)


def position(
    *players: Player,
    fields: Mapping[str, str] | None = None,
    stock: Mapping[str, str] | None = None,
    pile: str | None = None,
    **more: Any,
) -> State:
    """Return a position with white on turn; every card that is named nowhere lies open or in the pile."""
    facts = game().facts
    given = {Section(name): cards(text) for name, text in (fields or {}).items()}
    used = {card for player in players for card in (*player.hand, *player.played)}
    used |= {card for found in given.values() for card in found} | {*cards(pile or "")}
    rest = [card for card in facts.cards if card not in used]
    laid: dict[Section, tuple[Card, ...]] = {}
    for section, count in facts.sections.items():
        laid[section] = given[section] if section in given else tuple(rest[:count])
        rest = rest if section in given else rest[count:]
    piled = cards(pile) if pile is not None else tuple(rest)
    out = tuple(rest) if pile is not None else ()
    some = "military military religious commercial commercial diplomatic"
    state = State(
        order=SEATS[: len(players)],
        to_move=WHITE,
        players=dict(zip(SEATS, players, strict=False)),
        fields=laid,
        stock={city: tokens((stock or {}).get(city, some)) for city in facts.ring},
        pool=tokens("military religious commercial diplomatic " * 3),
        pile=piled,
        under=(),
        box=out,
        tasks={name: task.values for name, task in facts.tasks.items()},
        offer=None,
        may_trade=True,
        is_last=False,
        is_over=False,
    )
    return replace(state, **more)


def asked(state: State) -> Seat:
    """Return the seat that is asked."""
    ask = game().ask(state)
    assert isinstance(ask, Ask)
    (seat,) = ask.seats
    return seat


def view_of(state: State, seat: Seat | None = None) -> View:
    """Return the view of a seat, or of the one that is asked."""
    return game().view(state, seat or asked(state))


def wrong(state: State, order: Json, seat: Seat | None = None) -> list[str]:
    """Return what is wrong with an order: "place: what", the schema's complaints first."""
    assert not schema().problems(order), schema().problems(order)
    problems = game().check(view_of(state, seat), game().read(order))
    return [f"{'.'.join(map(str, one.path))}: {one}" for one in problems]


def do(state: State, order: Json, dice: Dice = DICE) -> tuple[State, tuple[Event, ...]]:
    """Resolve one order of the seat that is asked; it must fit the schema."""
    assert not schema().problems(order), schema().problems(order)
    step = game().resolve(state, {asked(state): game().read(order)}, dice)
    return step.state, step.events


def after(state: State, *orders: Json) -> State:
    """Return the position after some orders, each of the seat that is asked then."""
    for order in orders:
        state, _ = do(state, order)
    return state


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]


def deal(seed: str, seats: int = 3, **options: Json) -> State:
    """Return a dealt game."""
    return game().setup(SEATS[:seats], {**SYSTEM.options, **options}, {}, Dice(seed.encode(), 0))


def playout(
    seed: str, skills: Mapping[Seat, str], **options: Json
) -> Iterator[tuple[State, Ask | Outcome, tuple[Event, ...]]]:
    """Play a game by bots; yield every position with its ask, at last the outcome, and what led to it."""
    yield from played(game(), deal(seed, len(skills), **options), seed, skills)


def skills(seats: int, *names: str) -> dict[Seat, str]:
    """Return the skills of bots, dealt to the seats in turn."""
    return {seat: names[number % len(names)] for number, seat in enumerate(SEATS[:seats])}


FIELDS = {"blue": "10 11 13 38", "red": "18 22 42 43"}
STATE = position(
    hold("4 17", at="aarhus clockwise", tokens_of="military religious"),
    hold("", at="sorte_muld clockwise", tokens_of="diplomatic"),
    fields=FIELDS,
)
TAKE: dict[str, Json] = {"take_tokens": ["any", "any"]}


def offered() -> State:
    """Return a position in which black must answer an offer of white."""
    trade: Json = {"with": "black", "give": ["military", 4], "want": ["diplomatic"]}
    return after(STATE, {"sail": 2, **TAKE, "trade": trade})


def laid_out(
    players: Sequence[Mapping[str, Any]], *, pool: str | None = None, to_move: str = WHITE, **more: Any
) -> State:
    """Return a position of plain data: each player has fields of its side, cards and tokens as texts."""
    sides = []
    for player in players:
        fields = dict(player)
        hand, at, held = fields.pop("hand", ""), fields.pop("at", "wolin clockwise"), fields.pop("tokens", "")
        texts = {name: cards(fields.pop(name)) for name in ("played", "open") if name in fields}
        sides.append(hold(hand, at=at, tokens_of=held, **texts, **fields))
    beside: dict[str, Any] = {} if pool is None else {"pool": tokens(pool)}
    return position(*sides, to_move=Seat(to_move), **beside, **more)


def judged_position(named: str = "", **more: Any) -> State:
    """Return a position of plain data, or one that is named: a turn is asked, a start, or an answer."""
    if not named:
        return laid_out(**more)
    return {"turns": lambda: STATE, "starts": lambda: deal("start"), "answers": offered}[named]()
