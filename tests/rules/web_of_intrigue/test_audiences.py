"""`audiences.txt`: who is told what, compared with the program and with played games."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from pbem.core import book, notices, opening
from pbem.core.book import Orders, Press
from pbem.core.events import ALL, Audience, Event, Recorded, Seat, only
from pbem.core.interface import Json, Outcome
from pbem.core.notices import MoveForced
from pbem.core.opening import Begun, DealtGame, LuckSealed, Opening, SealsUnopened
from pbem.core.turn import STANDBY, MissPolicy, Policy, Position, Run, advance
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.facts import Numbers
from pbem.rules.web_of_intrigue.state import Options, Spotting, State
from pbem.rules.web_of_intrigue.view import Face, Offer, Own, Owned, Remembered, Spot, View
from tests.core.small_rules import lodged

from .table import A, B, C, D, all_play, change, do, playout, position, woi

DOCUMENT = Path(__file__).with_name("audiences.txt")
EVENTS = "| event | what it tells | who reads it | what nobody else is told |"
VIEW = "| part | what it holds | who sees it |"
READERS: Mapping[str, Callable[..., Audience]] = {
    "everybody": lambda event: ALL,
    "its seat": lambda event: only(event.seat),
    "its sender and readers": lambda event: (
        ALL if event.readers == ALL else only(event.sender, *event.readers)
    ),
}


def tables(header: str) -> dict[str, list[str]]:
    """Return the rows of all tables of the document with a header, by the name in the first cell."""
    rows: dict[str, list[str]] = {}
    parts = DOCUMENT.read_text(encoding="utf-8").split(f"\n{header}\n")[1:]
    for part in parts:
        rule, *lines = part.partition("\n\n")[0].splitlines()
        assert set(rule) <= set("|-"), rule
        for line in lines:
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            assert name.strip("`") not in rows, f"{name} is listed twice"
            rows[name.strip("`")] = cells
    assert parts, f"no table {header}"
    return rows


def named(text: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`(\w+)`", text)


def fields_of(kind: type) -> list[str]:
    return sorted(field.name for field in dataclasses.fields(kind) if field.name != "to")


def kinds() -> dict[str, type[Event]]:
    """Return every kind of event of the rules and of the engine, by name."""
    engine = [
        one
        for module in (book, notices, opening)
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Event) and one.__module__ == module.__name__
    ]
    return {kind.__name__: kind for kind in (*woi().event_kinds, *engine)}


TELLS = tables(EVENTS)


def test_every_kind_of_event_is_listed_and_no_other() -> None:
    of_sealed_words = {LuckSealed.__name__, SealsUnopened.__name__}
    assert TELLS.keys() == kinds().keys() - {MoveForced.__name__} - of_sealed_words


def test_an_event_tells_the_fields_that_it_has() -> None:
    fields = {name: sorted(named(tells)) for name, (tells, _, _) in TELLS.items()}

    assert fields == {name: fields_of(kinds()[name]) for name in TELLS}
    assert [
        name for name, (_, readers, hidden) in TELLS.items() if readers not in READERS or not hidden
    ] == []


@cache
def told_by_bots() -> tuple[tuple[Recorded, ...], ...]:
    """Return the events of whole games that bots played, from the deal to the seed."""
    games = []
    for seats, skill, options in (
        (2, "greedy", {"target": 60}),
        (4, "random", {"turns": 12, "free_wrong_guesses": 0}),
    ):
        names = seat_names(seats)
        game = Opening(woi(), names, {**SYSTEM.options, **options})
        start: Position[Begun[State]] = Position(None)
        run = advance(game, names, start, {}, b"audiences", Policy(bots=all_play(skill, seats)))
        assert isinstance(run.ask, Outcome)
        games.append(run.events)
    return tuple(games)


def special(name: str, **more: Json) -> Json:
    return {"enact": name, "points": 1, **more}


@cache
def told_by_hand() -> tuple[Event, ...]:
    """Return the events of a turn with every special that tells its enacter something, and of the end."""
    tiles = {"d5": "blackmail", "d4": "cartomancy", "e5": "chaos", "c5": "square_aspect", "d6": "fog_of_war"}
    tiles |= {"e4": "blight", "e6": "redistribution", "c4": "zohar", "c6": "new_recruits", "d7": "druids"}
    squares = dict.fromkeys((A, B, C, D), "d5")
    state = position(tiles=tiles, squares=squares, owners={"druids": C}, target=50)
    orders: dict[Seat, Json] = {
        A: {
            "special_1": special("blackmail", square="g7"),
            "special_2": special("cartomancy", player="2"),
            "special_3": special("chaos", squares=["d4", "d6"]),
            "bid_1": {"for": "druids", "points": 1},
        },
        B: {
            "special_1": special("square_aspect", row=5),
            "special_2": special("fog_of_war", square="d7"),
            "special_3": special("blight", player="1"),
        },
        C: {
            "special_1": special("redistribution"),
            "special_2": special("zohar"),
            "special_3": special("new_recruits"),
            "bid_3": {"for": "druids", "points": 1},
        },
        D: {"guess": {"player": "3", "house": "virgo"}, "move": "d6"},
    }
    return do(change(state, A, objects=60), orders)[1]


@cache
def told_by_lines() -> tuple[Event, ...]:
    """Return the events of runs with lines of every fate, press to one and to all, and a silent seat."""
    stay: dict[str, Json] = {"do": {"move": "stay"}}
    one, two, three = ({**stay, "at": f"turn-{number}"} for number in (1, 2, 3))
    illegal: dict[str, Json] = {"do": {"bid_1": {"for": "The Moon", "points": 1}}, "keep": True}
    press = (Press(only(B), "Peace?", False), Press(ALL, "Peace!", False))
    first = lodged(illegal, one, one, two, three, stop_if={"turn": 3}, press=press)
    always = lodged({**stay, "keep": True})
    runs = [
        run_lines({A: first, B: always, C: always}, Policy()),
        run_lines({A: always, B: always}, Policy(due=True, silent={C: "hold"})),
        *runs_of_missed_turns(always),
        run_lines({}, Policy(acts=("The deadline is a day later.",), ended=VOTED)),
    ]
    return tuple(entry.event for run in runs for entry in run.events)


VOTED = Outcome("all voted for it", (A,), {A: 0, B: 0, C: 0}, "a vote")


def runs_of_missed_turns(always: Orders) -> list[Run[Begun[State]]]:
    """Return runs in which a standby and a bot take a seat over, and its player comes back."""
    standby, bot = MissPolicy(1, STANDBY, ("Finn",), {C: "Cleo"}), MissPolicy(1, "greedy")
    played = {A: always, B: always}
    late = Policy(due=True, silent={C: "hold"}, most_steps=1)
    taken = run_lines(played, late._replace(misses=bot))
    back = run_lines({**played, C: always}, Policy(misses=bot, most_steps=1), taken.position)
    return [run_lines(played, late._replace(misses=standby)), taken, back]


def run_lines(
    orders: Mapping[Seat, Orders], policy: Policy, at: Position[Begun[State]] | None = None
) -> Run[Begun[State]]:
    game = Opening(woi(), (A, B, C), SYSTEM.options)
    start: Position[Begun[State]] = at or Position(DealtGame({}, position(seats=3)), steps=1)
    return advance(game, (A, B, C), start, orders, b"audiences", policy)


def all_told() -> list[Event]:
    played = [entry.event for game in told_by_bots() for entry in game]
    return [*played, *told_by_hand(), *told_by_lines()]


def test_every_listed_event_comes_up_and_reaches_its_readers_and_nobody_else() -> None:
    told = all_told()
    assert {type(event).__name__ for event in told} == TELLS.keys()
    for event in told:
        readers = READERS[TELLS[type(event).__name__][1]]
        assert event.to == readers(event), event


PARTS: Mapping[str, type] = {
    "options": Options,
    "numbers": Numbers,
    "own": Own,
    "objects": Offer,
    "specials": Spot,
    "memory": Remembered,
    "spotted": Spotting,
    "owners": Owned,
    "players": Face,
}
SHOWN = tables(VIEW)
AS_FAR_AS_IT_KNOWS = "everybody, as far as it knows"


def test_every_part_of_a_view_is_listed_with_what_it_holds() -> None:
    assert sorted(SHOWN) == fields_of(View)
    for name, (holds, _) in SHOWN.items():
        assert sorted(named(holds)) == (fields_of(PARTS[name]) if name in PARTS else []), name


@pytest.mark.paragraph("intro-houses", "bid-public")
def test_everybody_sees_the_same_of_what_everybody_sees_and_spectators_nothing_else() -> None:
    rules, filled = woi(), set[str]()
    for state, _, _ in playout("views", all_play("random", 4), turns=8):
        watched = rules.view(state, None)
        views = [rules.view(state, seat) for seat in state.players]
        for name, (_, readers) in SHOWN.items():
            values = [getattr(view, name) for view in views]
            assert readers in ("everybody", "its seat", AS_FAR_AS_IT_KNOWS), name
            if readers == AS_FAR_AS_IT_KNOWS:
                assert all(
                    set(value[seat]) <= set(watched.can_be[seat]) for value in values for seat in value
                )
            elif readers == "everybody":
                assert all(value == getattr(watched, name) for value in values), name
            else:
                assert not getattr(watched, name), name
                filled |= {name} if len({str(value) for value in values}) > 1 else set()
    assert filled == {name for name, (_, readers) in SHOWN.items() if readers == "its seat"}


def test_what_is_told_at_the_end_is_told_then_and_never_before() -> None:
    at_the_end = set(named(DOCUMENT.read_text(encoding="utf-8").partition("## When the game ends")[2]))
    for game in told_by_bots():
        last = [entry.at for entry in game if entry.at][-1]
        before = {type(entry.event).__name__ for entry in game if entry.at not in ("", last)}
        after = {type(entry.event).__name__ for entry in game if entry.at in ("", last)}
        assert at_the_end <= after
        assert not at_the_end & before
        assert after - at_the_end <= before
