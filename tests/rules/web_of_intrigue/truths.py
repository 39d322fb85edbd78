"""What the conditions of Web of Intrigue say, by the board and the text of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.deduction import fit_together, open_houses
from pbem.rules.web_of_intrigue.scoring import find_outcome
from pbem.rules.web_of_intrigue.sight import budget
from pbem.rules.web_of_intrigue.state import HouseId, State, TileId
from tests.rules.drawn import Truths

from .table import all_play, playout, woi


def positions() -> Iterator[State]:
    """Yield the positions of the first turns of a game."""
    for state, _, _ in islice(playout("said", all_play("greedy", 5)), 12):
        if find_outcome(state) is None:
            yield state


def seen(state: State, seat: Seat) -> dict[TileId, int]:
    """Return how far each tile is that a seat sees, by the board alone."""
    player, grid = state.players[seat], woi().facts.grid
    hidden = {square for one in state.players.values() for square in one.shrouds} - {*player.shrouds}
    return {
        tile: far
        for square, tile in state.web.items()
        if (far := grid.distance(player.square, square)) <= player.reach and square not in hidden
    }


def roll(state: State, seat: Seat, name: TileId) -> int | None:
    """Return the roll that a bid needs, by the rules' text; None if the object is not seen."""
    facts, player = woi().facts, state.players[seat]
    thing, far = facts.objects[name], seen(state, seat).get(name)
    if far is None:
        return None
    near = facts.numbers.near
    added = facts.houses[player.house].modifiers[thing.category]
    added += near[far] if far < len(near) else near[-1] + (far + 1 - len(near)) * facts.numbers.each_further
    added += facts.numbers.rival if state.owners.get(name, seat) != seat else 0
    added += sum(facts.gains[name].get(held, 0) for held, owner in state.owners.items() if owner == seat)
    return thing.difficulty - added


def houses(state: State, seat: Seat, other: str) -> list[HouseId]:
    """Return the Houses that another may have by all that a seat knows."""
    return [*fit_together(open_houses(woi().facts, state, seat, by_bids=True))[Seat(other)]]


TRUTHS: Truths[State] = {
    "controls": lambda state, me, told: state.owners.get(TileId(told["object"])) == told["player"],
    "another_controls": lambda state, me, told: state.owners.get(TileId(told["object"]), me) != me,
    "nobody_controls": lambda state, me, told: told["object"] not in state.owners,
    "in_sight": lambda state, me, told: told["tile"] in seen(state, me),
    "roll_needed": lambda state, me, told: roll(state, me, TileId(told["object"])),
    "i_stand_on": lambda state, me, told: state.players[me].square == told["square"],
    "action_points": lambda state, me, told: budget(woi().facts, state, me),
    "may_be": lambda state, me, told: told["house"] in houses(state, me, told["player"]),
    "must_be": lambda state, me, told: houses(state, me, told["player"]) == [told["house"]],
    "object_points": lambda state, me, told: state.players[Seat(told["player"])].objects,
    "my_points": lambda state, me, told: state.players[me].total,
    "turn": lambda state, me, told: state.turn,
}
