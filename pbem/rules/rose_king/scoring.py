"""Territories, points and the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from pbem.core.events import Seat
from pbem.rules.kit.ranking import find_ahead
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.state import SEATS, Square

Territory: TypeAlias = tuple[Square, ...]
Lands: TypeAlias = Mapping[Square, Territory]
"""The territory of every square with a token; squares of one territory have the same tuple."""


class Change(NamedTuple):
    """What one new token does to the territories, sizes in squares.

    Attributes:
        joined: Sizes of the own territories that it touches, largest first.
        broken: Size of the opponent's territory that it was turned out of; 0 for a new token.
        pieces: Sizes of what is left of that territory, largest first.
        gain: Points the mover gains.
        loss: Points the opponent loses.
    """

    joined: tuple[int, ...]
    broken: int
    pieces: tuple[int, ...]
    gain: int
    loss: int


def find_lands(facts: Facts, tokens: Mapping[Square, str]) -> Lands:
    """Find the territories of both seats.

    Args:
        facts: The board.
        tokens: The holder of squares; whatever is held by no seat is left out.

    Source: rulebook, "Ending the Game": squares that share a side; a corner does not count.
    """
    lands: dict[Square, Territory] = {}
    for square, holder in tokens.items():
        if square in lands or holder not in SEATS:
            continue
        territory = _spread(facts, tokens, square, holder)
        lands.update(dict.fromkeys(territory, territory))
    return lands


def _spread(facts: Facts, tokens: Mapping[Square, str], start: Square, holder: str) -> Territory:
    found, seen = [start], {start}
    for square in found:  # grows while it is walked
        for side in facts.near[square]:
            if side not in seen and tokens.get(side) == holder:
                seen.add(side)
                found.append(side)
    return tuple(found)


def lands_after(
    facts: Facts, tokens: Mapping[Square, str], lands: Lands, seat: Seat, square: Square
) -> Lands:
    """Return the territories after a token of `seat` came to lie on a square, placed or turned.

    Only those are looked at that it joins or breaks; the tokens and the territories are those before it.
    """
    found = dict(lands)
    for piece in _left(facts, lands, square) if square in lands else ():
        found.update(dict.fromkeys(piece, piece))
    joined = {lands[side][0]: lands[side] for side in facts.near[square] if tokens.get(side) == seat}
    territory = (square, *(one for land in joined.values() for one in land))
    found.update(dict.fromkeys(territory, territory))
    return found


def sizes(lands: Lands, tokens: Mapping[Square, str], seat: Seat) -> tuple[int, ...]:
    """Return the sizes of a seat's territories in squares, largest first."""
    own = (len(land) for square, land in lands.items() if land[0] == square and tokens[square] == seat)
    return tuple(sorted(own, reverse=True))


def measured(lands: Lands, tokens: Mapping[Square, str], seat: Seat) -> dict[str, Any]:
    """Return the fields of a side that count what a seat has on the board: `roses`, `points`, `largest`."""
    return _counted(sizes(lands, tokens, seat))


def _counted(own: Sequence[int]) -> dict[str, int]:
    return {"roses": sum(own), "points": points_of(own), "largest": max(own, default=0)}


def territories(facts: Facts, tokens: Mapping[Square, str]) -> dict[Seat, tuple[int, ...]]:
    """Return the sizes of both seats' territories in squares, largest first."""
    lands = find_lands(facts, tokens)
    return {seat: sizes(lands, tokens, seat) for seat in SEATS}


def points_of(own: Sequence[int]) -> int:
    """Return the points of territories of these sizes: each size squared, all added up.

    Source: rulebook, "Ending the Game", the table of territory size and points.
    """
    return sum(size * size for size in own)


def change(facts: Facts, tokens: Mapping[Square, str], lands: Lands, seat: Seat, square: Square) -> Change:
    """Return what a token of `seat` on `square` changes, placed or turned; the tokens are those before it."""
    beside = {
        land[0]: len(land)
        for side in facts.near[square]
        if tokens.get(side) == seat and (land := lands[side])
    }
    size = 1 + sum(beside.values())
    joined = tuple(sorted(beside.values(), reverse=True))
    gain = size * size - points_of(joined)
    if square not in lands:
        return Change(joined, 0, (), gain, 0)
    broken = len(lands[square])
    pieces = tuple(sorted(map(len, _left(facts, lands, square)), reverse=True))
    return Change(joined, broken, pieces, gain, broken * broken - points_of(pieces))


def _left(facts: Facts, lands: Lands, square: Square) -> list[Territory]:
    """Return what is left of the territory of a square without it."""
    rest = dict.fromkeys(lands[square], "left")
    del rest[square]
    found: list[Territory] = []
    seen: set[Square] = set()
    for side in facts.near[square]:
        if side in rest and side not in seen:
            piece = _spread(facts, rest, side, "left")
            seen.update(piece)
            found.append(piece)
    return found


def decide(found: Mapping[Seat, Sequence[int]]) -> tuple[tuple[Seat, ...], str]:
    """Return the winner and what decided; nobody and "draw" if all is equal.

    Args:
        found: Sizes of both seats' territories in squares.

    Source: rulebook, "Ending the Game": points, then the largest single territory, then roses on the board.
    """
    counted = {seat: _counted(own) for seat, own in found.items()}
    names = {"points": "points", "largest territory": "largest", "more roses": "roses"}
    counts = ((told, {seat: counted[seat][name] for seat in SEATS}) for told, name in names.items())
    ahead, decided_by = find_ahead(SEATS, *counts)
    return (ahead, decided_by) if decided_by else ((), "draw")
