"""Reports of Web of Intrigue: every fact is said, the maps lie as the Web does, and they fit into a mail."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, cast

import pytest

from pbem.core.book import Orders
from pbem.core.events import Event, Recorded, Seat, visible
from pbem.core.opening import Begun, Opened, Opening
from pbem.core.turn import Policy, Position, advance
from pbem.rules.web_of_intrigue import seat_names
from pbem.rules.web_of_intrigue.state import Square, State
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report
from tests.said import Facts, Path, Said, is_over
from tests.subjects import subject

from .table import A, B, change, do, position, woi

SUBJECT = subject("web-of-intrigue", 5)
assert SUBJECT.environment is not None


def is_own(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an object of the reader."""
    return told["view"]["objects"][path[2]]["controller"] == told["seat"]  # type: ignore[no-any-return]


def is_certain(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an object that any roll wins."""
    return told["view"]["objects"][path[2]]["needed"] <= 1  # type: ignore[no-any-return]


def is_private(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an event that is told to the reader alone."""
    return not told["events"][path[1]]["public"]


def is_plain(told: Any, path: Path) -> bool:
    """Tell whether a path is that of a distance in steps, not of the modifier for it."""
    return "parts" not in path


def is_news(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an event that stands among the news."""
    return "phase" not in told["events"][path[1]]


def is_not_helped(told: Any, path: Path) -> bool:
    """Tell whether a path is that of what specials do for an object, where none helps or none is needed."""
    offer = told["view"]["objects"][path[2]]
    return path[3] in ("at_best", "helped") and (not offer["helped"] or offer["needed"] <= 1)


def is_others(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an object that another player controls."""
    return told["view"]["owners"][path[2]]["controller"] != told["seat"]  # type: ignore[no-any-return]


def is_public(told: Any, path: Path) -> bool:
    """Tell whether the target is no secret."""
    return told["view"]["options"]["target"] != "secret"  # type: ignore[no-any-return]


def is_beside(told: Any, path: Path) -> bool:
    """Tell whether a path is that of a place of the map beside the diamond."""
    _, _, row, column = path
    return told["view"]["diamond"][row][column] is None


def is_unsieved(told: Any, path: Path) -> bool:
    """Tell whether the reader is not told who can be who, but by its own guesses."""
    return told["seat"] is None and told["view"]["options"]["sieve"] == "seats"


def is_empty(told: Any, path: Path) -> bool:
    """Tell whether a path is that of an empty table."""
    found = told
    for key in path:
        found = found[key]
    return not found


SAID = Said(
    SUBJECT.environment,
    "web-of-intrigue",
    machine_only={
        "events.BidWeighed.object": "the bid above it names it",
        "view.players.*.proven.*": "the table of Houses says what follows",
        "view.numbers.[plhu]*": "they matter at the start only, or `you` says what you have",
        "view.numbers.start*": "it matters at the start only",
        "view.numbers.wrong_costs": "it is said where wrong guesses cost something",
        "view.options.guess_pays": "the number that it comes to is said",
    },
    not_always=[
        ("view.options.free_wrong_guesses", lambda told, path: True, "what wrong ones cost is said in words"),
        ("view.options.sieve", lambda told, path: True, "the table is there, or it is not"),
        ("view.houses*", is_unsieved, "they head the table of who can be who"),
        ("view.can_be*", is_unsieved, "what the bids prove is left to be worked out"),
        ("names.*", lambda told, path: True, "the form calls so what can be ordered; the view has names"),
        ("events.*.seat", is_private, "what is told to the seat alone says `you`"),
        (
            "events.BidWeighed.phase",
            lambda told, path: True,
            "it stands below the bid, which begins the phase",
        ),
        (
            "events.BonusCounted.[!e]*",
            lambda told, path: True,
            "the part about the reader says the last bonus",
        ),
        ("events.TotalCounted.[!e]*", lambda told, path: True, "the part about the reader says the points"),
        ("events.ObjectsCounted.*", lambda told, path: True, "the standings say them"),
        ("events.*Revealed.event", is_over, "the end is told from all of them"),
        ("events.*.at", lambda told, path: True, "a report of one turn has no heading for it"),
        ("view.size", is_over, "the map at the end has what it needs"),
        ("events.*.public", is_news, "news come first, whoever knows them"),
        ("view.objects.*", is_not_helped, "no special helps"),
        (
            "view.owners.*.gives.*",
            is_others,
            "it is said of what lies in the diamond, and of the own objects",
        ),
        ("view.options.*", is_over, "no turn will come"),
        ("view.[wdosm][ewpib][bjeam]*", is_over, "no orders are asked"),
        ("view.[d][i]*", is_over, "no orders are asked"),
        ("view.own.[sra][qeuc]*", is_over, "no orders are asked"),
        ("view.own.suggestion", is_public, "the target is no secret"),
        ("view.numbers.*", is_over, "no turn will come"),
        ("view.numbers.radius", lambda told, path: told["seat"], "`you` see as far as is said"),
        ("view.*.distance", is_plain, "the map shows it, and the modifier counts it"),
        ("view.memory.*.tile", lambda told, path: True, "its name is said instead; here is who controls it"),
        ("view.objects.*", is_own, "a bid for one's own object does nothing"),
        ("view.objects.*.needed", is_certain, "any roll will do"),
        ("view.objects.*.faces", lambda told, path: True, "the roll says it"),
        ("view.diamond.*", is_beside, "the map is empty there"),
        ("view.*", is_empty, "there is nothing to say"),
        ("view.size", lambda told, path: not told["view"]["memory"], "there is no map of the Web"),
        ("view.turn", is_over, "no orders are asked"),
        ("view.[hc][oa][utn]*", is_over, "the Houses are known"),
        ("view.players.*.[bp][ir][do]*", is_over, "the Houses are known"),
    ],
    words=("2", "a1", "leo", "bid_2", "bid_3", "secret", "none", "total", "snapshot", "anywhere"),
    alike=r"\b(objects|specials|owners)\.\w+|\b(\d+|[a-j]\d+)\b",
)


Game = tuple[Opening[Any, Any, Any], Any]


@cache
def played(seats: int, steps: int, skill: str = "random", **options: Any) -> Game:
    """Return a game after so many steps of bots, the deal counted."""
    opening = Opening(woi(), seat_names(seats), {**SUBJECT.options, **options})
    start: Position[Begun[Any]] = Position(None)
    policy = Policy(bots=dict.fromkeys(seat_names(seats), skill), most_steps=steps)
    return opening, advance(opening, seat_names(seats), start, {}, b"report" * 6, policy)


def last_turn(events: tuple[Recorded, ...]) -> list[Recorded]:
    """Return what a report of the last step tells."""
    last = [entry.at for entry in events if entry.at][-1]
    return [entry for entry in events if entry.at in (last, "")]


def framed(seat: Seat | None, seats: tuple[Seat, ...], asked: dict[str, int]) -> Frame:
    """Return what a report needs besides view and events."""
    return Frame(
        game="web-1",
        rules="web-of-intrigue",
        turn=5,
        seat=seat,
        players={one: f"Player called {one}" for one in seats},
        deadline="Saturday 20:00",
        commitment="ab" * 32,
        key_asked=False,
        asked=asked,
        orders=Orders(),
    )


def told(game: Game, seat: Seat | None) -> Facts:
    """Return the facts of a report of the last turn."""
    opening, run = game
    frame = framed(seat, opening.seats, run.position.asked)
    view = opening.view(run.position.game, seat)
    return facts(opening, frame, view, run.ask, visible(last_turn(run.events), seat))


def facts_of(state: State, seat: Seat, events: tuple[Event, ...] = ()) -> Facts:
    """Return the facts of a report of a position laid out by hand."""
    opening = Opening(woi(), tuple(state.players), SUBJECT.options)
    frame = framed(seat, tuple(state.players), {})
    game = Opened(dict.fromkeys(state.players, ""), state)
    recorded = [Recorded(f"turn-{state.turn - 1}", event) for event in events]
    return facts(opening, frame, opening.view(game, seat), opening.ask(game), visible(recorded, seat))


def brief_text(told: Facts) -> str:
    """Return the text report of facts, as who asked for no more gets it."""
    return Report(SAID.templates, told).text


def report(game: Game, seat: Seat | None) -> Report:
    """Return a report of the last turn."""
    assert SUBJECT.environment is not None
    return Report(SUBJECT.environment, told(game, seat))


SCENES = {
    "dealt": played(5, 1),
    "begun": played(5, 3),
    "later": played(6, 7, "greedy"),
    "fixed": played(3, 6, vp="snapshot", turns=9, target=150, reveal_reach="diamond"),
    "over": played(4, 9, turns=7, target="none"),
}
READERS = [Seat("1"), None]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("seat", READERS, ids=str)
def test_every_fact_of_a_report_is_said_in_its_text(scene: str, seat: Seat | None) -> None:
    assert SAID.unsaid(told(SCENES[scene], seat)) == []


def test_only_what_is_never_said_is_for_machines_only() -> None:
    assert SAID.needless([told(game, seat) for game in SCENES.values() for seat in READERS]) == (set(), set())


WIDER = {"special_1": {"enact": "telegraph_tap", "points": 1}}


@pytest.mark.parametrize(("reach", "width"), [(3, 10), (4, 8)])
@pytest.mark.parametrize("square", ["e5", "a1", "j10"])
def test_the_map_lies_as_the_web_does(square: str, reach: int, width: int) -> None:
    state = position(squares={A: square}, tiles={square: "telegraph_tap"})
    if reach == 4:
        state, _ = do(state, {A: WIDER})
    told_to = facts_of(state, A)
    lines = SAID.text(told_to).split("YOUR DIAMOND", 1)[1].split("OBJECTS", 1)[0].splitlines()

    rows = [line for line in lines if re.match(r" *[a-j]\d+( you)?( +[a-j]\d+( you)?)*$", line)]
    columns = range(0, width * (2 * reach + 1), width)
    found = [[line[at : at + width].split()[:1] for at in columns] for line in rows]

    middle = woi().facts.grid.places[Square(square)]
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            here = woi().facts.grid.at(middle[0] + dx, middle[1] + dy)
            wanted = [here] if abs(dx) + abs(dy) <= reach else []
            assert found[dy + reach][dx + reach] == wanted
    assert f"{square} you" in rows[reach]


@pytest.mark.parametrize(
    ("prize", "special"), [("france", "inflation"), ("henrik_ibsen", "new_recruits"), ("kraken", "pyramid")]
)
def test_the_special_of_the_example_helps_its_bid_or_needs_none(prize: str, special: str) -> None:
    tiles = {"d5": prize, "d4": "inflation", "c5": "new_recruits", "e5": "pyramid"}
    rules, state = woi(), position(tiles=tiles, squares={A: "d5"})
    hidden = tuple(square for square in rules.view(state, A).web if square not in tiles)
    state = change(state, B, shrouds=hidden)
    view = rules.view(state, A)
    now = cast("Any", rules.draft(view, rules.choices(view)).now)
    assert (now["bid_1"]["for"], now["special_1"]["enact"]) == (prize, special)


def test_a_short_report_tells_from_where_most_could_be_won_next_turn() -> None:
    told = facts_of(position(tiles={"e6": "henrik_ibsen"}, squares={A: "e5", B: "j10"}), A)

    advice = brief_text(told).split("WHERE TO GO", 1)[1].split("\n\n")[0]

    listed = re.findall(r"^  ([a-j][0-9]+)(?: \(stay\))?: (.*(?:\n {6}.*)*)", advice, re.MULTILINE)
    assert len(listed) == 6
    view = cast("Any", told["view"])
    for square, won in listed:
        stood = facts_of(position(tiles={"e6": "henrik_ibsen"}, squares={A: square, B: "j10"}), A)
        offers = {one["name"]: one["needed"] for one in cast("Any", stood["view"])["objects"].values()}
        for name, needed in re.findall(r"(.+?) (any|[1-6]\+?)(?:, |$)", " ".join(won.split())):
            assert offers[name] <= 1 if needed == "any" else offers[name] == int(needed[0])
    assert {square for square, _ in listed} <= set(view["web"])
