"""Other worlds that a seat cannot tell from the real one: what it has not seen is dealt anew.

How much changes is drawn too. Where all changes at once, hardly any orders of the others could have been
given, and nothing could be compared; where little changes, whatever the rest tells can be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue import redealt
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.redealt import World
from pbem.rules.web_of_intrigue.scoring import find_outcome, victory_target
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, State

NUMBERS, HOUSES, PLACES, ALL_OF_IT = range(4)
SCOPES: Final = (NUMBERS, HOUSES, HOUSES, HOUSES, PLACES, PLACES, PLACES, ALL_OF_IT)
"""What changes, as often as it is listed: where least hangs on it, most worlds are left to compare."""
SWAPS: Final = 2


def redeal_state(facts: Facts, state: State, seat: Seat | None, dice: Dice) -> State:
    """Return a world in which this seat's view is the same.

    Kept: its own side; what all know; the tiles it sees; the Houses it has guessed, and that these players
    guessed it; Houses that its wrong guesses and anybody's won bids rule out stay ruled out.
    """
    if find_outcome(state) is not None:
        return state
    world = World(facts, state, seat, dice)
    _deal(world, dice.pick(SCOPES, "scope"))
    other = world.state()
    return state if find_outcome(other) is not None else other


def _deal(world: World, scope: int) -> None:
    """Deal every hidden part, those first on which others hang."""
    _suggestions(world)
    if scope == HOUSES:
        redealt.change_house(world)
    elif scope == ALL_OF_IT:
        redealt.deal_houses(world)
    redealt.deal_guesses(world)
    if scope in (PLACES, ALL_OF_IT):
        _tiles(world, scope)
        _squares(world, scope)
        _shrouds(world)
    if scope == ALL_OF_IT or (scope == NUMBERS and world.dice.below(2, "blights")):
        _blights(world)
    _transfers(world)
    redealt.deal_bonuses(world)
    if scope != HOUSES:
        for other in world.others:
            redealt.deal_memory(world, other)


def _suggestions(world: World) -> None:
    """Deal the others' suggestions, such that nobody has surpassed the target."""
    numbers, kept = world.facts.numbers, world.players
    for other in world.others:
        said = world.dice.below(numbers.highest - numbers.lowest + 1, f"say/{other}")
        world.change(other, suggestion=numbers.lowest + said)
    if find_outcome(world.state()) is not None:
        world.players = kept


def _tiles(world: World, scope: int) -> None:
    """Deal the tiles that the seat does not see; those it obscured itself it knows."""
    own, seen = world.own.shrouds if world.own is not None else (), world.seen
    free = [one for one in world.facts.grid.squares if seen.get(one, UNSEEN) == UNSEEN and one not in own]
    if scope == PLACES:
        free = list(world.dice.shuffled(free, "swapped"))[:SWAPS]
    tiles = world.dice.shuffled([world.web[square] for square in free], "tiles")
    world.web.update(zip(free, tiles, strict=True))


def _squares(world: World, scope: int) -> None:
    """Move the others, no further than they can have come since the seat spotted them."""
    grid, spotted = world.facts.grid, world.own.spotted if world.own is not None else {}
    for other in [world.dice.pick(world.others, "nudged")] if scope == PLACES else world.others:
        here = world.players[other].square
        squares = grid.squares if scope == ALL_OF_IT else grid.diamond(here, 1)
        if other in spotted:
            then, turns = spotted[other].square, world.before.turn - spotted[other].turn
            most = max(world.facts.numbers.radius * turns, grid.distance(here, then))
            squares = tuple(square for square in squares if grid.distance(square, then) <= most)
        world.change(other, square=world.dice.pick(squares, f"square/{other}"))


def _shrouds(world: World) -> None:
    """Deal who obscured what; in the seat's diamond the same squares stay obscured."""
    laid = [(other, square) for other in world.others for square in world.players[other].shrouds]
    hidden = [square for square in world.facts.grid.squares if square not in world.seen]
    squares = [
        square if square in world.seen or not hidden else world.dice.pick(hidden, "fog", number)
        for number, (_, square) in enumerate(laid)
    ]
    found: dict[Seat, set[Square]] = {other: set() for other in world.others}
    for owner, square in zip(world.dice.shuffled([one for one, _ in laid], "fogs"), squares, strict=True):
        found[owner].add(square)
    for other, own in found.items():
        world.change(other, shrouds=tuple(sorted(own)))


def _blights(world: World) -> None:
    """Deal whom the others took action points from; what the seat lost itself it knows."""
    for other in world.others:
        dealt = []
        for number, blight in enumerate(world.players[other].blights):
            whom = [one for one in world.others if one not in (other, blight.player)]
            is_free = blight.player != world.seat and whom
            player = world.dice.pick(whom, f"blight/{other}", number) if is_free else blight.player
            dealt.append(replace(blight, player=player))
        world.change(other, blights=tuple(dealt))


def _transfers(world: World) -> None:
    """Move points from one of the others to another; what all transfers come to is 0, as ever."""
    if len(world.others) < 2:
        return
    donor, receiver = world.dice.shuffled(world.others, "transfer")[:2]
    most = min(10, max(0, world.players[donor].total))
    amount = world.dice.below(most + 1, "amount")
    target = victory_target(world.before)
    if target is not None and world.players[receiver].total + amount > target:
        return
    for other, change in ((donor, -amount), (receiver, amount)):
        world.change(other, transfers=world.players[other].transfers + change)
