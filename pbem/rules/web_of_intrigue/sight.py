"""How a view is made from the state: field by field, from what the seat may know and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, partial

from pbem.core.events import Seat
from pbem.rules.kit.later import Later, LaterByKey
from pbem.rules.kit.tables import in_order_of, same_fields
from pbem.rules.web_of_intrigue.course import look
from pbem.rules.web_of_intrigue.deduction import fit_together, open_houses
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import in_force, shows_who
from pbem.rules.web_of_intrigue.helps import Helps, at_best
from pbem.rules.web_of_intrigue.modifiers import Stand, needed_roll, weigh, winning_faces
from pbem.rules.web_of_intrigue.scoring import find_outcome, income
from pbem.rules.web_of_intrigue.state import UNSEEN, HouseId, Square, State, TileId, held_by
from pbem.rules.web_of_intrigue.view import Face, Offer, Own, Owned, Remembered, Spot, View
from pbem.rules.web_of_intrigue.words import describe


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field; what bids tell too when it is over.

    Source: rules 1, 2 and 4 on what all know and what is secret; ruling 26.
    """
    is_over = find_outcome(state) is not None
    by_bids = is_over or shows_who(state.options, seat)
    can_be = Later(partial(_can_be, facts, open_houses(facts, state, seat, by_bids=by_bids)))
    sight = None if seat is None else _Sight(facts, state, seat, can_be)
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
        web=sight.web if sight else {},
        diamond=facts.grid.rows_of_diamond(sight.square, sight.reach) if sight else (),
        objects=LaterByKey(sight.near(facts.objects), sight.offer) if sight else {},
        specials=LaterByKey(sight.near(facts.specials), sight.spot) if sight else {},
        memory=Later(sight.memory) if sight else {},
        spotted=in_order_of(state.players, state.players[seat].spotted) if seat is not None else {},
        owners={
            tile: _owned(facts, tile, controller)
            for tile, controller in in_order_of(facts.objects, state.owners).items()
        },
        players={other: _face(facts, state, other) for other in state.players},
        can_be=can_be,
    )


def _can_be(facts: Facts, open_to: Mapping[Seat, list[HouseId]]) -> dict[Seat, tuple[str, ...]]:
    return {seat: tuple(map(facts.name, houses)) for seat, houses in fit_together(open_to).items()}


def _face(facts: Facts, state: State, seat: Seat) -> Face:
    player = state.players[seat]
    return Face(
        points=player.objects,
        income=income(facts, state.owners, seat),
        bids=in_order_of(facts.categories, player.bids),
        proven=in_order_of(facts.categories, player.proven),
    )


def budget(facts: Facts, state: State, seat: Seat) -> int:
    """Return the action points a seat may spend this turn.

    Source: rules 3.1 and 5.1; ruling 9.
    """
    return max(0, facts.numbers.points + state.players[seat].gained - state.lost(seat))


def _own(facts: Facts, state: State, seat: Seat) -> Own:
    player = state.players[seat]
    house = facts.houses[player.house]
    return Own(
        **same_fields(player, "square", "reach", "total", "objects", "bonus", "transfers"),
        **same_fields(player, "suggestion", "guesses", "shrouds", "blights"),
        house=house.name,
        element=house.element,
        modifiers=house.modifiers,
        action_points=budget(facts, state, seat),
        bonuses=in_order_of(state.players, player.bonuses),
    )


class _Sight:
    """What a seat sees, worked out when it is first read; it holds nothing that the seat may not know."""

    def __init__(
        self, facts: Facts, state: State, seat: Seat, can_be: Mapping[Seat, tuple[str, ...]]
    ) -> None:
        player = state.players[seat]
        self.facts, self.can_be, self.remembers = facts, can_be, player.memory
        self.house, self.square, self.reach = player.house, player.square, player.reach
        self.web = look(facts.grid, state.web, state.players, seat)
        self.owners, self.held = state.owners, held_by(state.owners, seat)
        self.where = {tile: square for square, tile in self.web.items()}

    @cached_property
    def helps(self) -> Helps:
        """The specials that can help a bid."""
        return Helps(self.facts, self.web, self.held)

    def near(self, tiles: Collection[TileId]) -> list[TileId]:
        """Return those of some tiles that lie in the diamond, nearest first."""
        return sorted((tile for tile in self.where if tile in tiles), key=self.distance)

    def distance(self, tile: TileId) -> int:
        """Return the steps to a tile in the diamond."""
        return self.facts.grid.distance(self.square, self.where[tile])

    def offer(self, tile: TileId) -> Offer:
        """Return an object in the diamond with what a bid would come to as things stand.

        Source: rules 4: what is added to the die is known to the bidder.
        """
        facts, thing, square = self.facts, self.facts.objects[tile], self.where[tile]
        distance, owner, stand = self.distance(tile), self.owners.get(tile), Stand(self.house, self.held)
        parts = weigh(facts, stand, thing, distance, is_rivals=owner is not None and tile not in self.held)
        needed = needed_roll(thing, parts)
        elements = facts.elements(self.can_be[owner]) if owner is not None else set()
        element = min(elements) if len(elements) == 1 else ""
        helped = {} if tile in self.held else self.helps.of(thing, square, distance, element)
        return Offer(
            **same_fields(thing, "name", "category", "vp", "difficulty", "gives"),
            square=square,
            distance=distance,
            controller=owner,
            element=element,
            parts=parts,
            modifier=thing.difficulty - needed,
            needed=needed,
            faces=winning_faces(facts, needed),
            helped=helped,
            at_best=at_best(needed, helped),
        )

    def spot(self, tile: TileId) -> Spot:
        """Return a special in the diamond."""
        special = self.facts.specials[tile]
        return Spot(
            name=special.name,
            effect=describe(special.effect),
            subject=special.effect.subject,
            square=self.where[tile],
            distance=self.distance(tile),
            barred=self.facts.bars(special.effect, self.held),
        )

    def memory(self) -> dict[Square, Remembered]:
        """Return older sightings: outside the diamond, and of tiles that are "?" now (ruling 20)."""
        last: dict[TileId, int] = {}
        for one in self.remembers.values():
            last[one.tile] = max(one.turn, last.get(one.tile, one.turn))
        return {
            square: remembered(
                self.facts, seen.tile, seen.turn, gone=seen.tile in self.where or last[seen.tile] > seen.turn
            )
            for square, seen in in_order_of(self.facts.grid.squares, self.remembers).items()
            if self.web.get(square, UNSEEN) == UNSEEN
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
    shown = same_fields(facts.objects[tile], "name", "category", "vp", "gives")
    return Owned(**shown, controller=controller)
