"""How a view is made from the state: field by field, from what the seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.course import look
from pbem.rules.web_of_intrigue.deduction import possible_houses
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import in_force, shows_who
from pbem.rules.web_of_intrigue.helps import Helps, at_best, is_barred
from pbem.rules.web_of_intrigue.modifiers import Stand, needed_roll, weigh, winning_faces
from pbem.rules.web_of_intrigue.scoring import income
from pbem.rules.web_of_intrigue.state import UNSEEN, HouseId, Player, Square, State, TileId
from pbem.rules.web_of_intrigue.view import Face, Offer, Own, Owned, Remembered, Spot, View
from pbem.rules.web_of_intrigue.words import describe

T = TypeVar("T")


def build_view(facts: Facts, state: State, seat: Seat | None, *, is_over: bool) -> View:
    """Return everything a seat may know of a state, field by field.

    Source: rules 1, 2 and 4 on what all know and what is secret; ruling 26.
    """
    player = None if seat is None else state.players[seat]
    web = {} if seat is None else look(facts.grid, state.web, state.players, seat)
    near = sorted(web, key=lambda square: facts.grid.distance(player.square, square)) if player else []
    can_be = possible_houses(facts, state, seat, by_bids=is_over or shows_who(state.options, seat))
    return View(
        me=seat,
        turn=state.turn,
        over=is_over,
        options=state.options,
        numbers=in_force(facts.numbers, state.options),
        houses=tuple(house.name for house in facts.houses.values()),
        categories=facts.categories,
        size=facts.grid.size,
        own=_own(facts, state, seat) if seat is not None else None,
        web=web,
        diamond=facts.grid.rows_of_diamond(player.square, player.reach) if player else (),
        objects=_offers(facts, state, player, _held(state, seat), web, near, can_be) if player else {},
        specials=_spots(facts, player, _held(state, seat), web, near) if player else {},
        memory=_memory(facts, player, web) if player else {},
        spotted=_by_seat(state, player.spotted) if player else {},
        owners={
            tile: _owned(facts, tile, state.owners[tile]) for tile in facts.objects if tile in state.owners
        },
        players={other: _face(facts, state, other) for other in state.players},
        can_be={
            other: tuple(facts.houses[house].name for house in houses) for other, houses in can_be.items()
        },
    )


def _face(facts: Facts, state: State, seat: Seat) -> Face:
    player = state.players[seat]
    return Face(
        points=player.objects,
        income=income(facts, state.owners, seat),
        bids={name: player.bids[name] for name in facts.categories if name in player.bids},
        proven={name: player.proven[name] for name in facts.categories if name in player.proven},
    )


def _by_seat(state: State, table: Mapping[Seat, T]) -> dict[Seat, T]:
    """Return a table in seating order; a saved game keeps none."""
    return {seat: table[seat] for seat in state.players if seat in table}


def budget(facts: Facts, state: State, seat: Seat) -> int:
    """Return the action points a seat may spend this turn.

    Source: rules 3.1 and 5.1; ruling 9.
    """
    return max(0, facts.numbers.points + state.players[seat].gained - state.lost(seat))


def _own(facts: Facts, state: State, seat: Seat) -> Own:
    player = state.players[seat]
    house = facts.houses[player.house]
    return Own(
        house=house.name,
        element=house.element,
        modifiers=house.modifiers,
        square=player.square,
        reach=player.reach,
        action_points=budget(facts, state, seat),
        total=player.total,
        objects=player.objects,
        bonus=player.bonus,
        transfers=player.transfers,
        bonuses=_by_seat(state, player.bonuses),
        suggestion=player.suggestion,
        guesses=player.guesses,
        shrouds=player.shrouds,
        blights=player.blights,
    )


def _held(state: State, seat: Seat | None) -> frozenset[TileId]:
    return frozenset(tile for tile, owner in state.owners.items() if owner == seat)


def _offers(
    facts: Facts,
    state: State,
    player: Player,
    held: frozenset[TileId],
    web: Mapping[Square, TileId],
    near: list[Square],
    can_be: Mapping[Seat, list[HouseId]],
) -> dict[TileId, Offer]:
    """Return the objects in a diamond with what a bid would come to as things stand.

    Source: rules 4: what is added to the die is known to the bidder.
    """
    stand, helps, found = Stand(player.house, held), Helps(facts, web, held), {}
    elements = {seat: {facts.houses[house].element for house in houses} for seat, houses in can_be.items()}
    for square in near:
        thing = facts.objects.get(web[square])
        if thing is None:
            continue
        owner, distance = state.owners.get(thing.id), facts.grid.distance(player.square, square)
        parts = weigh(facts, stand, thing, distance, is_rivals=owner is not None and thing.id not in held)
        needed = needed_roll(thing, parts)
        element = min(elements[owner]) if owner is not None and len(elements[owner]) == 1 else ""
        helped = {} if thing.id in held else helps.of(thing, square, distance, element)
        found[thing.id] = Offer(
            name=thing.name,
            category=thing.category,
            vp=thing.vp,
            difficulty=thing.difficulty,
            square=square,
            distance=distance,
            controller=owner,
            element=element,
            gives=thing.gives,
            parts=parts,
            modifier=thing.difficulty - needed,
            needed=needed,
            faces=winning_faces(facts, needed),
            helped=helped,
            at_best=at_best(needed, helped),
        )
    return found


def _spots(
    facts: Facts,
    player: Player,
    held: frozenset[TileId],
    web: Mapping[Square, TileId],
    near: list[Square],
) -> dict[TileId, Spot]:
    found = {}
    for square in near:
        if (special := facts.specials.get(web[square])) is not None:
            effect = special.effect
            found[special.id] = Spot(
                name=special.name,
                effect=describe(effect),
                subject=effect.subject,
                square=square,
                distance=facts.grid.distance(player.square, square),
                barred=is_barred(facts, effect, held),
            )
    return found


def _memory(facts: Facts, player: Player, web: Mapping[Square, TileId]) -> dict[Square, Remembered]:
    """Return older sightings: of squares outside the diamond, and of tiles that are "?" now (ruling 20)."""
    here = set(web.values())
    last: dict[TileId, int] = {}
    for one in player.memory.values():
        last[one.tile] = max(one.turn, last.get(one.tile, one.turn))
    return {
        square: remembered(facts, seen.tile, seen.turn, gone=seen.tile in here or last[seen.tile] > seen.turn)
        for square in facts.grid.squares
        if (seen := player.memory.get(square)) is not None and web.get(square, UNSEEN) == UNSEEN
    }


def remembered(facts: Facts, tile: TileId, turn: int, *, gone: bool = False) -> Remembered:
    """Return a tile as somebody remembers it who saw it in a turn."""
    return Remembered(tile=tile, name=facts.name(tile), what=_what(facts, tile), turn=turn, gone=gone)


def _what(facts: Facts, tile: TileId) -> str:
    """Return what a tile is, in a few words."""
    if (thing := facts.objects.get(tile)) is not None:
        return f"{thing.category}, {thing.vp} VP, difficulty {thing.difficulty}"
    return describe(facts.specials[tile].effect)


def _owned(facts: Facts, tile: TileId, controller: Seat) -> Owned:
    thing = facts.objects[tile]
    return Owned(thing.name, thing.category, thing.vp, controller, thing.gives)
