"""The resolution cases of `cases.txt`, each laid out, resolved and compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue import events as told
from pbem.rules.web_of_intrigue.moves import SPECIALS
from pbem.rules.web_of_intrigue.state import State

from .cases import Case, Misread, Row, Turn, house_id, lay_out, orders_of, read_cases
from .claims import holds
from .table import do, problems, woi

DOCUMENT = Path(__file__).with_name("cases.txt")
CASES = read_cases(DOCUMENT.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Fallen(Dice):
    """Dice that fall as a case says, and no others; lots decide nothing where the points differ."""

    falls: Mapping[str, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def below(self, limit: int, label: str, n: int = 0) -> int:
        self.used.add(label)
        if "/tie/" in label:
            return self.falls.get(label, 0)
        assert label in self.falls, f"the case does not say how {label} fell"
        assert 0 <= self.falls[label] < limit, f"{label} cannot fall so"
        return self.falls[label]


def dice_of(state: State, rows: list[Row]) -> Fallen:
    """Return the dice as the rows say that they fell."""
    falls: dict[str, int] = {}
    for row in rows:
        for part in filter(None, row.dice.split(", ")):
            for name, fall in _fall(state, row.seat, part):
                falls[f"{row.place}/{name}"] = fall
    return Fallen(b"cases", 1, falls)


def _fall(state: State, seat: Seat, part: str) -> Iterator[tuple[str, int]]:
    others = [other for other in state.players if other != seat]
    if found := re.fullmatch(r"[1-6]", part):
        yield f"die/{seat}", int(found[0]) - 1
    elif found := re.fullmatch(r"lot (\d+)", part):
        yield f"tie/{seat}", int(found[1])
    elif found := re.fullmatch(r"from (\d+) to (\d+)", part):
        seats = list(state.players)
        yield f"donor/{seat}", seats.index(Seat(found[1]))
        seats.remove(Seat(found[1]))
        yield f"receiver/{seat}", seats.index(Seat(found[2]))
    elif found := re.fullmatch(r"(\d+) is (\w+)", part):
        own = state.players[seat]
        open_ones = [other for other in others if other not in own.known]
        houses = [house for house in woi().facts.houses if house != own.house]
        yield f"whom/{seat}", open_ones.index(Seat(found[1]))
        yield f"house/{seat}", [str(house) for house in houses].index(house_id(found[2]))
    else:
        raise Misread(f"no fall of the dice: {part!r}")


def play(state: State, turn: Turn) -> tuple[State, list[tuple[str, str, str]]]:
    """Resolve a turn of a case; return what came of each order: seat, place and result, in order."""
    orders = orders_of(turn.rows)
    came: list[tuple[str, str, str]] = []
    for seat, order in list(orders.items()):
        wrong = problems_of(state, seat, order)
        came += [(seat, place, wrong.get(place, "refused with the others")) for place in order if wrong]
        if wrong:
            del orders[seat]
    _check_lots(turn.rows)
    dice = dice_of(state, [row for row in turn.rows if row.seat in orders])
    after, events = do(state, orders, dice)
    spare = dice.falls.keys() - dice.used
    assert not spare, f"never thrown: {sorted(spare)}"
    return after, [*came, *results(orders, events)]


def problems_of(state: State, seat: Seat, order: Mapping[str, Json]) -> dict[str, str]:
    """Return why orders are refused, by place of the orders."""
    return {
        str(path[0]): f"refused: {text.partition('. ')[0]}"
        for path, text in reversed(problems(state, order, seat))
    }


def _check_lots(rows: list[Row]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        if row.points and "lot" not in row.dice and "refused" not in row.result:
            key = (row.place, row.points)
            assert key not in seen, f"{row.place}: {seen[key]} and {row.seat} tie, and no lots are given"
            seen[key] = row.seat


def results(
    orders: Mapping[Seat, Mapping[str, Json]], events: tuple[Event, ...]
) -> list[tuple[str, str, str]]:
    """Return what came of each order in the words of the document, in the order of the turn."""
    facts, rows = woi().facts, list[tuple[str, str, str]]()

    def place_of(seat: Seat, special: str) -> str:
        for place in SPECIALS:
            order = orders[seat].get(place)
            if isinstance(order, dict) and facts.find_tile(str(order["enact"])) == facts.find_tile(special):
                return place
        raise AssertionError(f"{seat} did not order {special}")

    made: told.BidMade | None = None
    for event in events:
        match event:
            case told.SpecialEnacted():
                rows.append((event.seat, place_of(event.seat, event.special), "done"))
            case told.BidMade():
                made = event
            case told.BidWeighed():
                assert made is not None, "a bid is told to all before it is weighed"
                rows.append((event.seat, event.phase, _bid(made, event)))
            case told.ActionVoid():
                if rows and rows[-1][:2] == (event.seat, event.phase):
                    rows.pop()
                rows.append((event.seat, event.phase, f"nothing: {event.why}"))
            case told.HouseGuessed(free=False):
                rows.append((event.seat, "guess", "right" if event.right else "wrong"))
            case told.SeatMoved():
                rows.append((event.seat, "move", "gone"))
            case _ if type(event) in _ADDED:
                seat, place, result = rows[-1]
                rows[-1] = (seat, place, f"{result}; {_ADDED[type(event)](event)}")
    return rows


def _bid(made: told.BidMade, weighed: told.BidWeighed) -> str:
    parts = ", ".join(f"{name} {value:+d}" for name, value in weighed.parts.items())
    others = [f", {needed} against {name.capitalize()}" for name, needed in weighed.if_element.items()]
    why = f" ({parts})" if parts else ""
    return f"needs {weighed.needed}{why}{''.join(others)}: {'won' if made.success else 'lost'}"


_ADDED: Mapping[type[Event], Callable[..., str]] = {
    told.TileRevealed: lambda one: f"sees {one.tile}{f' of {one.controller}' if one.controller else ''}",
    told.PlayerRevealed: lambda one: f"sees {one.player} on {one.square}",
    told.HouseGuessed: lambda one: "right" if one.right else "wrong",
    told.PointsChanged: lambda one: f"{one.seat} {one.amount:+d} next turn",
    told.VpMoved: lambda one: f"{one.seat} {one.amount:+d}",
}


@pytest.mark.paragraph(
    "intro-web",
    "tiles-diamond",
    "tiles-memory",
    "turn-phases",
    "points-budget",
    "points-order",
    "points-others",
    "bid-roll",
    "bid-known",
    "bid-distance",
    "bid-rival",
    "objects-gains",
    "objects-keeping",
    "enact-succeeds",
    "special-view",
    "special-guess",
    "special-tile",
    "special-player",
    "special-category",
    "special-unless",
    "special-element",
    "special-adjacent",
    "special-distance",
    "special-exchange",
    "special-wealth",
    "special-row",
    "special-column",
    "special-recruits",
    "special-blight",
    "special-fog",
    "specials-once",
    "effects-last",
    "effects-skill",
    "effects-others",
    "example-7",
    "guess-bonus",
    "orders-actions",
    "orders-move",
    "victory-points",
    "victory-target",
    "victory-mean",
    "ruling-ties",
    "ruling-last-turn",
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case {case.number}: {case.title}")
def test_a_case_comes_out_as_the_document_says(case: Case) -> None:
    compare(case)


def compare(case: Case) -> None:
    """Play a case and compare each turn with its table and with what the case says after it."""
    state = lay_out(case)
    for turn in case.turns:
        state, came = play(state, turn)
        assert [(row.seat, row.place, row.result) for row in turn.rows] == came
        for claim in turn.after:
            assert holds(state, claim), claim


def test_cases_are_numbered_from_1_and_say_why() -> None:
    assert [case.number for case in CASES] == list(range(1, len(CASES) + 1))
    assert len({case.title for case in CASES}) == len(CASES) >= 40
    for case in CASES:
        assert re.search(r"\b[Rr]ules \d|\b[Rr]uling: ", case.why), case.title
        assert case.turns and all(turn.is_told for turn in case.turns), case.title
        assert any(turn.rows or turn.after for turn in case.turns), case.title
