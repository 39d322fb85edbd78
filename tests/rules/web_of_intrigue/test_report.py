"""Reports of Web of Intrigue: the maps lie as the Web does, and advice is what it comes to."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.opening import DealtGame, Opening
from pbem.rules.web_of_intrigue.state import Square, State
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report
from tests.subjects import subject

from .table import A, B, change, do, position, woi

SUBJECT = subject("web-of-intrigue", 5)
Facts = dict[str, Any]


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


def facts_of(state: State, seat: Seat) -> Facts:
    """Return the facts of a report of a position laid out by hand."""
    opening = Opening(woi(), tuple(state.players), SUBJECT.options)
    frame = framed(seat, tuple(state.players), {})
    game = DealtGame(dict.fromkeys(state.players, ""), state)
    return facts(opening, frame, opening.view(game, seat), opening.ask(game), ())


def text_of(told: Facts, detail: str = "full") -> str:
    """Return the text report of facts, in full or as who asked for no more gets it."""
    assert SUBJECT.environment is not None
    return Report(SUBJECT.environment, {**told, "detail": detail}).text


WIDER = {"special_1": {"enact": "telegraph_tap", "points": 1}}


@pytest.mark.parametrize(("reach", "width"), [(3, 10), (4, 8)])
@pytest.mark.parametrize("square", ["e5", "j10"])
def test_the_map_lies_as_the_web_does(square: str, reach: int, width: int) -> None:
    state = position(squares={A: square}, tiles={square: "telegraph_tap"})
    if reach == 4:
        state, _ = do(state, {A: WIDER})
    told_to = facts_of(state, A)
    lines = text_of(told_to).split("YOUR DIAMOND", 1)[1].split("OBJECTS", 1)[0].splitlines()

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

    advice = text_of(told, "short").split("WHERE TO GO", 1)[1].split("\n\n")[0]

    listed = re.findall(r"^  ([a-j][0-9]+)(?: \(stay\))?: (.*(?:\n {6}.*)*)", advice, re.MULTILINE)
    assert len(listed) == 6
    view = cast("Any", told["view"])
    for square, won in listed:
        stood = facts_of(position(tiles={"e6": "henrik_ibsen"}, squares={A: square, B: "j10"}), A)
        offers = {one["name"]: one["needed"] for one in cast("Any", stood["view"])["objects"].values()}
        for name, needed in re.findall(r"(.+?) (any|[1-6]\+?)(?:, |$)", " ".join(won.split())):
            assert offers[name] <= 1 if needed == "any" else offers[name] == int(needed[0])
    assert {square for square, _ in listed} <= set(view["web"])
