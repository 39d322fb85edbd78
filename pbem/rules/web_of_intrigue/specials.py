"""Enacting specials: what each of the 14 kinds of effect does (rules 5 and 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from pbem.core.events import ALL, Seat, only
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.course import Course
from pbem.rules.web_of_intrigue.facts import Effect
from pbem.rules.web_of_intrigue.moves import Enact
from pbem.rules.web_of_intrigue.state import Blight, Sighting, Spotting, Square, TileId
from pbem.rules.web_of_intrigue.words import describe


def enact(course: Course, seat: Seat, order: Enact) -> None:
    """Enact a special: it always succeeds, wherever its tile lies by now.

    Source: rules 5; ruling 11.
    """
    special = course.facts.specials[TileId(order.tile)]
    course.enacted[seat].append(special.id)
    effect = describe(special.effect)
    course.tell(events.SpecialEnacted(seat=seat, special=special.name, effect=effect, to=ALL))
    if special.effect.kind in _DEEDS:
        _DEEDS[special.effect.kind](_Deed(course, seat, order, special.name, special.effect))


class _Deed(NamedTuple):
    """One enactment."""

    course: Course
    seat: Seat
    order: Enact
    name: str
    effect: Effect


def widen_view(deed: _Deed) -> None:
    """Widen the diamond of the next report.

    Source: rules 5.1, Telegraph tap; ruling 20.
    """
    reach = deed.course.players[deed.seat].reach + deed.effect.value
    deed.course.change(deed.seat, reach=reach)


def guess_at_random(deed: _Deed) -> None:
    """Guess a random House of a random player whom the seat has not guessed yet.

    Source: rules 5.1, Malleus Maleficarum; ruling 6.
    """
    course, seat = deed.course, deed.seat
    own = course.players[seat]
    others = [other for other in course.players if other not in {seat, *own.known}]
    if not others:
        course.tell_void(seat, deed.name, "you have guessed the Houses of all players")
        return
    houses = [house for house in course.facts.houses if house != own.house]
    player = course.dice.pick(others, f"{course.phase}/whom/{seat}")
    house = course.dice.pick(houses, f"{course.phase}/house/{seat}")
    course.guess(seat, player, house, free=True)


def reveal_tile(deed: _Deed) -> None:
    """Show a tile to the enacter, obscured or not, as it lies at this moment.

    Source: rules 5.1, Covert agents; ruling 17.
    """
    course, seat = deed.course, deed.seat
    square = Square(str(deed.order.square))
    tile = course.web[square]
    course.change(seat, memory={**course.players[seat].memory, square: Sighting(tile, course.turn)})
    name, owner = course.facts.name(tile), course.owners.get(tile)
    course.tell(events.TileRevealed(seat=seat, square=square, tile=name, controller=owner, to=only(seat)))


def reveal_player(deed: _Deed) -> None:
    """Show the enacter where a player stands at this moment.

    Source: rules 5.1, Rhabdomancy; ruling 18.
    """
    course, seat, whom = deed.course, deed.seat, Seat(str(deed.order.player))
    square = course.players[whom].square
    spotted = {**course.players[seat].spotted, whom: Spotting(square, course.turn)}
    course.change(seat, spotted=spotted)
    course.tell(events.PlayerRevealed(seat=seat, player=whom, square=square, to=only(seat)))


def exchange_tiles(deed: _Deed) -> None:
    """Exchange the tiles of two squares.

    Source: rules 5.1, Mischief; ruling 16.
    """
    course = deed.course
    one, other = (Square(square) for square in deed.order.squares or ())
    course.put({one: course.web[other], other: course.web[one]})
    course.tell(events.TilesExchanged(seat=deed.seat, squares=(one, other), to=only(deed.seat)))


def shift_line(deed: _Deed) -> None:
    """Move the tiles of a whole row or column by one square, round the edge.

    Source: rules 5.1, Square aspect to Sextile aspect; ruling 15.
    """
    course, effect = deed.course, deed.effect
    name = deed.order.row or str(deed.order.column)
    line, squares = f"{effect.subject} {name}", course.facts.grid.line(name)
    course.put(shifted({square: course.web[square] for square in squares}, squares, effect.step))
    course.tell(events.LineShifted(seat=deed.seat, line=line, direction=effect.direction, to=only(deed.seat)))


def shifted(tiles: Mapping[Square, TileId], squares: tuple[Square, ...], step: int) -> dict[Square, TileId]:
    """Return where the tiles of a line lie after it moved by one; squares without a tile give none.

    Source: rules 1, the Web wraps round; 5.1; ruling 15.
    """
    return {
        squares[(place + step) % len(squares)]: tiles[square]
        for place, square in enumerate(squares)
        if square in tiles
    }


def transfer_vp(deed: _Deed) -> None:
    """Move victory points from one random player to another.

    Source: rules 5.1, Redistribution of wealth; ruling 25.
    """
    course = deed.course
    donor = course.dice.pick(list(course.players), f"{course.phase}/donor/{deed.seat}")
    others = [seat for seat in course.players if seat != donor]
    receiver = course.dice.pick(others, f"{course.phase}/receiver/{deed.seat}")
    amount = max(0, min(deed.effect.value, course.players[donor].total))
    for seat, change in ((donor, -amount), (receiver, amount)):
        course.change(seat, transfers=course.players[seat].transfers + change)
        course.tell(events.VpMoved(seat=seat, amount=change, to=only(seat)))


def change_points(deed: _Deed) -> None:
    """Give the enacter more action points next turn, or take some from a player, who is not told by whom.

    Source: rules 5.1, New recruits and Blight; ruling 9.
    """
    course, seat, value = deed.course, deed.seat, deed.effect.value
    own, whom = course.players[seat], deed.order.player or seat
    if deed.effect.subject:
        course.change(seat, blights=(*own.blights, Blight(whom, -value)))
        course.tell(events.PlayerBlighted(seat=seat, player=whom, amount=value, to=only(seat)))
    else:
        course.change(seat, gained=own.gained + value)
    course.tell(events.PointsChanged(seat=whom, amount=value, to=only(whom)))


def obscure_tile(deed: _Deed) -> None:
    """Obscure the tile that lies on a square at this moment; it stays so wherever it goes.

    Source: rules 5.1, Fog of war; ruling 19.
    """
    square = Square(str(deed.order.square))
    deed.course.obscured.append((deed.seat, deed.course.web[square]))
    deed.course.tell(events.TileObscured(seat=deed.seat, square=square, to=only(deed.seat)))


# The kinds that are not here last until the end of the turn and count in bids: `modifiers`.
_DEEDS: Final[Mapping[str, Callable[[_Deed], None]]] = {
    "view_radius": widen_view,
    "random_guess": guess_at_random,
    "reveal_tile": reveal_tile,
    "reveal_player": reveal_player,
    "exchange_tiles": exchange_tiles,
    "shift_row": shift_line,
    "shift_column": shift_line,
    "transfer_vp": transfer_vp,
    "points_next_turn": change_points,
    "obscure_tile": obscure_tile,
}
