"""What players can make their orders wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import Bound, Predicate, Predicates, by_name
from pbem.rules.kit.conditions import one_of, other_player, player
from pbem.rules.web_of_intrigue.choices import likeliest
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.view import Own, View


def conditions(facts: Facts) -> Predicates:
    """Return the conditions of this game, the most useful first."""
    seats = [str(number) for number in range(1, len(facts.houses) + 1)]
    thing = one_of("object", facts.objects, facts.name)
    tile = one_of("tile", (*facts.objects, *facts.specials), facts.name)
    square, house = one_of("square", facts.grid.squares), one_of("house", facts.houses, facts.name)
    who, other = player(seats, _seat_title), other_player(seats, _seat_title)
    return by_name(
        (
            Predicate(
                "controls",
                "{player} [control/controls] {object}",
                {"owners.{object}.controller": "{player}"},
                (thing, who),
            ),
            Predicate(
                "another_controls",
                "another player controls {object}",
                {"owners.{object}.controller": {"not": "{me}"}},
                (thing,),
            ),
            Predicate(
                "nobody_controls",
                "nobody controls {object}",
                {"owners": {"not": {"has": "{object}"}}},
                (thing,),
            ),
            Predicate(
                "in_sight",
                "you see {tile} in your diamond",
                {"any": [{"objects": {"has": "{tile}"}}, {"specials": {"has": "{tile}"}}]},
                (tile,),
            ),
            Predicate(
                "roll_needed",
                "you see {object} and need a roll of {number} without specials",
                {"objects.{object}.needed": "{number}"},
                (thing,),
                Bound(None),
            ),
            Predicate("i_stand_on", "you stand on {square}", {"own.square": "{square}"}, (square,)),
            Predicate(
                "action_points",
                "you have {number} action [point|points]",
                {"own.action_points": "{number}"},
                (),
                Bound(0),
            ),
            Predicate(
                "may_be",
                "by all you know {player} may be {house}",
                {"can_be.{player}": {"has": "{house}"}},
                (other, house),
            ),
            Predicate(
                "must_be",
                "by all you know {player} can only be {house}",
                {"can_be.{player}": {"has": "{house}"}, "count": ["can_be.{player}", {"not": ""}, 1]},
                (other, house),
            ),
            Predicate(
                "object_points",
                "{player} [have/has] {number} [point|points] from objects",
                {"players.{player}.points": "{number}"},
                (who,),
                Bound(0),
            ),
            Predicate(
                "my_points",
                "you have {number} [point|points]",
                {"own.total": "{number}"},
                (),
                Bound(None),
            ),
            Predicate("turn", "the number of the turn is {number}", {"turn": "{number}"}, (), Bound(1)),
        )
    )


def _seat_title(seat: str) -> str:
    return f"player {seat}"


def conditions_in(facts: Facts, view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions that matter in a position, the most useful first."""
    if view.own is None or view.over:
        return
    wanted = [tile for tile in likeliest(view) if tile not in view.held]
    for tile in sorted(view.held, key=lambda tile: (-facts.objects[tile].vp, tile))[:1]:
        yield {"another_controls": tile}
    rivals = [tile for tile in wanted[1:] if view.objects[tile].controller is not None]
    for tile in [*wanted[:1], *rivals[:1]]:
        yield {"controls": tile}
    yield from _elsewhere(view, view.own)
    yield {"action_points": {"at_most": view.numbers.points - 1}}
    hard = [tile for tile in wanted if view.objects[tile].needed > 2]
    for tile in hard[:1]:
        yield {"roll_needed": {"object": tile, "at_most": min(view.objects[tile].needed - 1, 4)}}
    yield {"my_points": {"at_least": view.own.total + 25}}
    yield from _foes(view)


def _elsewhere(view: View, own: Own) -> Iterator[Mapping[str, Json]]:
    """Yield conditions on where the seat stands and what it sees."""
    targets = [offer.square for offer in view.objects.values() if offer.square != own.square]
    for square in targets[:1]:
        yield {"i_stand_on": square}
    for one in islice((one for one in view.memory.values() if not one.gone), 1):
        yield {"in_sight": one.tile}


def _foes(view: View) -> Iterator[Mapping[str, Json]]:
    """Yield conditions on the points of the first of the others, and on whom one can be sure of soon."""
    leader = max(view.others, key=lambda seat: (view.players[seat].points, seat), default=None)
    if leader is None:
        return
    face = view.players[leader]
    yield {"object_points": {"player": _written(leader), "at_least": face.points + max(face.income, 5)}}
    doubts = [seat for seat in view.others if len(view.can_be[seat]) > 1]
    for seat in sorted(doubts, key=lambda one: len(view.can_be[one]))[:1]:
        yield {"must_be": {"player": _written(seat), "house": view.can_be[seat][0]}}


def _written(seat: Seat) -> Json:
    """Return a seat as players write it."""
    return int(seat) if seat.isdecimal() else seat
