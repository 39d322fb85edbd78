"""What `cases.txt` says of positions, such as "2 controls France": does it hold?"""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.rules.kit.words import listing
from pbem.rules.web_of_intrigue.scoring import spell_target
from pbem.rules.web_of_intrigue.state import UNSEEN, Spotting, Square, State
from pbem.rules.web_of_intrigue.view import Own, View

from .cases import Misread, tile_id, tile_ids
from .table import woi


def _web(state: State, square: str, tile: str) -> bool:
    return state.web[Square(square)] == tile_id(tile)


def _controls(state: State, seat: str, tiles: str) -> bool:
    return {tile for tile, owner in state.owners.items() if owner == seat} == set(tile_ids(tiles))


def _sees(state: State, seat: str, tile: str, square: str) -> bool:
    return _view(state, seat).web[Square(square)] == (tile if tile == UNSEEN else tile_id(tile))


def _sees_one_of(state: State, seat: str, square: str, other: str) -> bool:
    web = _view(state, seat).web
    return Square(square) in web and Square(other) in set(woi().facts.grid.squares) - web.keys()


def _remembers(state: State, seat: str, tile: str, square: str, turn: str) -> bool:
    seen = _view(state, seat).memory[Square(square)]
    return (seen.tile, seen.turn) == (tile_id(tile), int(turn))


def _spotted(state: State, seat: str, other: str, square: str, turn: str) -> bool:
    return _view(state, seat).spotted.get(Seat(other)) == Spotting(Square(square), int(turn))


def _points(state: State, seat: str, points: str, part: str) -> bool:
    return bool(getattr(_own(state, seat), POINTS[part]) == int(points))


def _ended(state: State, winners: str, decided_by: str) -> bool:
    end = woi().ask(state)
    return isinstance(end, Outcome) and (listing(end.winners), end.decided_by) == (winners, decided_by)


CLAIMS: list[tuple[str, Callable[..., bool]]] = [
    (r"([a-j]\d+) (.+)", _web),
    (r"(\d+) controls (.+)", _controls),
    (r"(\d+) stands on (\w+)", lambda state, seat, square: _own(state, seat).square == square),
    (r"(\d+) sees (\d+) squares", lambda state, seat, count: len(_view(state, seat).web) == int(count)),
    (r"(\d+) sees (\w+) and not (\w+)", _sees_one_of),
    (r"(\d+) sees (.+) on (\w+)", _sees),
    (r"(\d+) remembers (.+) on (\w+) from turn (\d+)", _remembers),
    (r"(\d+) last spotted (\d+) on (\w+) in turn (\d+)", _spotted),
    (
        r"(\d+) has (\d+) action points",
        lambda state, seat, points: _own(state, seat).action_points == int(points),
    ),
    (r"(\d+) has (-?\d+) (points|from objects|from guesses|from transfers)", _points),
    (r"the target is (.+)", lambda state, target: spell_target(state) == target),
    (r"the game goes on", lambda state: not isinstance(woi().ask(state), Outcome)),
    (r"(.+) (?:wins|win) \((.+)\)", _ended),
]
POINTS = {
    "points": "total",
    "from objects": "objects",
    "from guesses": "bonus",
    "from transfers": "transfers",
}


def holds(state: State, claim: str) -> bool:
    """Tell whether a claim of the document holds in a position.

    Raises:
        PressRefusal: It is none that is known.
    """
    known = [(found, check) for pattern, check in CLAIMS if (found := re.fullmatch(pattern, claim))]
    if len(known) != 1:
        raise Misread(f"{len(known)} ways to read {claim!r}")
    found, check = known[0]
    return check(state, *found.groups())


def _view(state: State, seat: str) -> View:
    return woi().view(state, Seat(seat))


def _own(state: State, seat: str) -> Own:
    own = _view(state, seat).own
    assert own is not None, "a seat has a side"
    return own
