"""The reader of `cases.txt`: positions, orders, dice and what came of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.moves import BIDS, PLACES
from pbem.rules.web_of_intrigue.state import State

from .table import change, position, woi

WIDTH = 120
HEADER = ["player", "place", "order", "points", "dice", "result"]
NOBODY = "Nobody orders anything."
GIVEN = ("Players", "Tiles", "Control", "Points", "Suggestions", "Options")
_PARTS = {"objects": "objects", "guesses": "bonus", "transfers": "transfers"}


class Misread(ValueError):
    """A line of the document that the reader does not know."""


@dataclass(frozen=True, slots=True)
class Row:
    """One action of a turn: who, where in the orders, what, for how many points, the dice, the result."""

    seat: Seat
    place: str
    order: str
    points: str
    dice: str
    result: str


@dataclass(slots=True)
class Turn:
    """The rows of a turn in the order in which they are carried out, and what holds after it."""

    rows: list[Row] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    is_told: bool = False


@dataclass(slots=True)
class Case:
    """A numbered case; `given` holds the lines of its position by their first word."""

    number: int
    title: str
    why: str = ""
    given: dict[str, list[str]] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)


def read_cases(text: str) -> list[Case]:
    """Read the cases of the document, which follow its introduction.

    Raises:
        PressRefusal: A line is none that is known, or stands where it must not.
    """
    cases: list[Case] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _match(rf".{{0,{WIDTH}}}", line)
            if line.startswith("## "):
                cases.append(_title(line))
            elif cases and line:
                _read_line(cases[-1], line)
        except Misread as wrong:
            raise Misread(f"line {number}: {wrong}: {line!r}") from wrong
    return cases


def _title(line: str) -> Case:
    found = _match(r"## Case (\d+): (.+[^.])", line)
    return Case(int(found[1]), found[2])


def _read_line(case: Case, line: str) -> None:
    if line.startswith("|"):
        _read_row(case, line)
    elif line.startswith("- "):
        key, _, value = line.removeprefix("- ").partition(": ")
        clauses = [clause.strip() for clause in value.removesuffix(".").split(";")]
        if key == "After":
            _told(case).after += clauses
        elif key in GIVEN and not case.turns:
            case.given.setdefault(key, []).extend(clauses)
        else:
            raise Misread(f"expected a list of {', '.join(GIVEN)} or After")
    elif found := re.fullmatch(r"Turn (\d+):", line):
        if int(found[1]) != len(case.turns) + 1 or (case.turns and not case.turns[-1].is_told):
            raise Misread("turns are counted from 1, and each has its table")
        case.turns.append(Turn())
    elif line == NOBODY:
        _new_table(case)
    elif not case.given:
        case.why = f"{case.why} {line}".strip()
    else:
        raise Misread("expected a list or a table")


def _read_row(case: Case, line: str) -> None:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if len(cells) != len(HEADER):
        raise Misread(f"expected {len(HEADER)} cells")
    if cells == HEADER:
        _new_table(case)
    elif set("".join(cells)) != {"-"}:
        seat, place, *rest = cells
        if place.replace(" ", "_") not in (*PLACES, "guess", "move"):
            raise Misread(f"no place of the orders {place!r}")
        _told(case).rows.append(Row(Seat(seat), place.replace(" ", "_"), *rest))


def _new_table(case: Case) -> None:
    if not case.given:
        raise Misread("the position comes first")
    if not case.turns:
        case.turns.append(Turn())
    if case.turns[-1].is_told:
        raise Misread("the table of another turn needs a line such as Turn 2: before it")
    case.turns[-1].is_told = True


def _told(case: Case) -> Turn:
    if not case.turns or not case.turns[-1].is_told:
        raise Misread("a table with its header comes first")
    return case.turns[-1]


def lay_out(case: Case) -> State:
    """Return the position that a case starts from."""
    people = [_match(r"(\d+) (\w+) on (\w+)", clause) for clause in case.given.get("Players", [])]
    squares = {Seat(one[1]): _square(one[3]) for one in people}
    if not people or list(squares) != [str(number) for number in range(1, len(people) + 1)]:
        raise Misread(f"case {case.number}: players are counted from 1")
    laid = [_match(r"([a-j]\d+) (.+)", clause) for clause in case.given.get("Tiles", [])]
    tiles = {_square(one[1]): tile_id(one[2]) for one in laid}
    if not len(laid) == len(tiles) == len(set(tiles.values())):
        raise Misread(f"case {case.number}: a square or a tile is named twice")
    state = position(
        tiles=tiles,
        squares=squares,
        houses={Seat(one[1]): house_id(one[2]) for one in people},
        owners=_owners(case),
        seats=len(people),
        **dict(_option(clause) for clause in case.given.get("Options", [])),
    )
    for clause in case.given.get("Points", []):
        found = _match(r"(\d+) has (-?\d+) from (objects|guesses|transfers)", clause)
        state = change(state, Seat(found[1]), **{_PARTS[found[3]]: int(found[2])})
    for clause in case.given.get("Suggestions", []):
        found = _match(r"(\d+) suggests (\d+)", clause)
        state = change(state, Seat(found[1]), suggestion=int(found[2]))
    return state


def _owners(case: Case) -> dict[str, Seat]:
    """Return who controls each tile that a case names as controlled."""
    found: dict[str, Seat] = {}
    for clause in case.given.get("Control", []):
        read = _match(r"(\d+) controls (.+)", clause)
        for tile in tile_ids(read[2]):
            if tile in found:
                raise Misread(f"case {case.number}: {tile} is controlled twice")
            found[tile] = Seat(read[1])
    return found


def _option(clause: str) -> tuple[str, Json]:
    found = _match(r"(vp|turns|target|reveal_reach) (\w+)", clause)
    return found[1], int(found[2]) if found[2].isdigit() else found[2]


def orders_of(rows: Iterable[Row]) -> dict[Seat, dict[str, Json]]:
    """Return the orders of a turn as players write them, from the rows of its table."""
    orders: dict[Seat, dict[str, Json]] = {}
    for row in rows:
        own = orders.setdefault(row.seat, {})
        if row.place in own:
            raise Misread(f"{row.seat} has two orders for {row.place}")
        own[row.place] = _order(row)
    return orders


def _order(row: Row) -> Json:
    if row.place in ("guess", "move"):
        if row.points:
            raise Misread(f"a {row.place} takes no points")
        if row.place == "move":
            return _square(row.order)
        found = _match(r"(\d+) is (\w+)", row.order)
        house_id(found[2])
        return {"player": found[1], "house": found[2]}
    points = int(_match(r"\d+", row.points)[0])
    if row.place in BIDS:
        tile_id(row.order)
        return {"for": row.order, "points": points}
    special, _, subject = row.order.partition(": ")
    tile_id(special)
    return {"enact": special, "points": points, **(_subject(subject) if subject else {})}


def _subject(text: str) -> dict[str, Json]:
    found = _match(r"(player|row|column) (\w+)|([a-j]\d+)(?: and ([a-j]\d+))?", text)
    if found[1]:
        return {found[1]: int(found[2]) if found[1] == "row" else found[2]}
    if found[4]:
        return {"squares": [_square(found[3]), _square(found[4])]}
    return {"square": _square(found[3])}


def tile_id(name: str) -> str:
    """Return the tile of a name as it is printed on it."""
    found = woi().facts.find_tile(name)
    if woi().facts.name(found) != name:
        raise Misread(f"no tile {name!r}")
    return found


def tile_ids(names: str) -> list[str]:
    """Return the tiles of a list of names; "nothing" is none."""
    return [] if names == "nothing" else [tile_id(name) for name in names.split(", ")]


def house_id(name: str) -> str:
    """Return the House of a name."""
    found = woi().facts.find_house(name)
    if found == name:
        raise Misread(f"no House {name!r}")
    return found


def _square(text: str) -> str:
    if text not in woi().facts.grid.places:
        raise Misread(f"no square {text!r}")
    return text


def _match(pattern: str, text: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    if found is None:
        raise Misread(f"expected {pattern!r}, got {text!r}")
    return found
