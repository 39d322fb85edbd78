"""The parts of a redeal that hang on Houses, guesses and memories of the other seats."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.kit.ruled import Running
from pbem.rules.web_of_intrigue.course import look, remember
from pbem.rules.web_of_intrigue.deduction import deal_one, left_by
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import in_force
from pbem.rules.web_of_intrigue.scoring import guess_bonuses, victory_target
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Player, Sighting, Spotting, State

MORE_BONUS = 30
"""How much more bonus than its last one a seat may have in another world."""


class World(Running[Facts, State, Player]):
    """Another world while it is dealt; `before` is the real one.

    Attributes:
        seat: The seat that must not be able to tell it from the real one; None for spectators.
        own: Its side.
        others: The other seats.
        seen: What it sees.
        web: The tile on every square.
    """

    def __init__(self, facts: Facts, state: State, seat: Seat | None, dice: Dice) -> None:
        super().__init__(facts, state, dice, state.players)
        self.seat = seat
        self.own = None if seat is None else state.players[seat]
        self.others = [other for other in state.players if other != seat]
        self.seen = {} if seat is None else look(facts.grid, state.web, state.players, seat)
        self.web = dict(state.web)

    def state(self) -> State:
        """Return the world as it is dealt by now."""
        return replace(self.before, web=self.web, players=self.players)

    def open_houses(self) -> dict[Seat, tuple[HouseId, ...]]:
        """Return the Houses that each of the others may have."""
        return {other: may_be(self.facts, self.before, self.seat, other) for other in self.others}


def may_be(facts: Facts, state: State, seat: Seat | None, other: Seat) -> tuple[HouseId, ...]:
    """Return the Houses that a player may have, for all that a seat knows.

    Its own guesses tell it, and to all tell the bids that were won.
    """
    own = None if seat is None else state.players[seat]
    told = {guess.house: guess.right for guess in own.guesses if guess.player == other} if own else {}
    if any(told.values()):
        return (state.players[other].house,)
    ruled_out = {*told, own.house} if own else set()
    left = left_by(facts, state.players[other].proven)
    return tuple(house for house in left if house not in ruled_out)


def deal_houses(world: World) -> None:
    """Deal the others' Houses anew."""
    dice, possible = world.dice, world.open_houses()
    shuffled = {other: dice.shuffled(houses, f"houses/{other}") for other, houses in possible.items()}
    for house, other in deal_one(dice.shuffled(world.others, "houses"), shuffled).items():
        world.change(other, house=house)


def change_house(world: World) -> None:
    """Give one of the others another House, and its old one to whoever had that, where both may be.

    Mostly it is one whose objects the seat sees, and the element changes against which it sees a special:
    that is what its own bids could tell it.
    """
    facts, dice, owners, seen = world.facts, world.dice, world.before.owners, world.seen.values()
    near = sorted({owners[tile] for tile in seen if tile in owners} - {world.seat})
    changed = dice.pick(near if near and dice.below(4, "near") else world.others, "changed")
    possible = world.open_houses()
    old, held = world.players[changed].house, {world.players[other].house: other for other in world.others}
    swaps = [
        house
        for house in possible[changed]
        if house != old and (house not in held or old in possible[held[house]])
    ]
    if not swaps:
        return
    against = {facts.specials[tile].effect.element for tile in seen if tile in facts.specials}
    was_against = facts.houses[old].element in against
    crossing = [house for house in swaps if (facts.houses[house].element in against) != was_against]
    new = dice.pick(crossing if crossing and dice.below(4, "crosses") else swaps, "new")
    world.change(changed, house=new)
    if new in held:
        world.change(held[new], house=old)


def deal_guesses(world: World) -> None:
    """Deal the others' guesses, right or wrong as it is in this world.

    Whether a player whose House the seat has guessed has guessed the seat's shows in the seat's bonus.
    """
    known, turns = world.own.known if world.own is not None else (), max(1, world.before.turn - 1)
    for other in world.others:
        player, keeps = world.players[other], other in known
        whom = [one for one in world.players if one != other and not (keeps and one == world.seat)]
        houses = [house for house in world.facts.houses if house != player.house]
        luck = world.dice.below(1 << 128, f"guess/{other}") if player.guesses and whom else 0
        guesses = []
        for guess in player.guesses:
            turn, about, house, free = guess.turn, guess.player, guess.house, guess.free
            luck, is_new = divmod(luck, 2)
            if is_new and not (keeps and about == world.seat):
                turn, about, free = 1 + luck % turns, whom[luck % len(whom)], not free
                house = houses[(luck >> 8) % len(houses)]
            guesses.append(Guess(turn, about, house, world.players[about].house == house, free))
        world.change(other, guesses=tuple(sorted(guesses, key=lambda one: one.turn)))


def deal_bonuses(world: World) -> None:
    """Deal the others' bonuses: the last ones as the guesses say, earlier ones at random up to the target."""
    facts, state = world.facts, world.before
    target = victory_target(world.state())
    one_in = in_force(facts.numbers, state.options).one_in
    for other in world.others:
        player = world.players[other]
        paid = guess_bonuses(facts, state.owners, world.players, other, one_in) if state.turn > 1 else {}
        bonus = sum(paid.values())
        if state.options.vp == "total" and state.turn > 1:
            bonus += world.dice.below(MORE_BONUS + 1, f"bonus/{other}")
            if target is not None:
                bonus = max(0, min(bonus, int(target) - player.objects - player.transfers))
        world.change(other, bonuses=paid, bonus=bonus)


def deal_memory(world: World, owner: Seat) -> None:
    """Deal what a player remembers: the past at random, the present as it is in this world.

    Where it spotted others than the seat is dealt too.
    """
    player, dice, last, grid = world.players[owner], world.dice, world.before.turn - 1, world.facts.grid
    older = {square: seen for square, seen in player.memory.items() if seen.turn < last}
    if older:
        by = 1 + dice.below(len(older), f"memory/{owner}")
        tiles = [seen.tile for seen in older.values()]
        older = {
            square: Sighting(tile, (seen.turn + by) % last)
            for (square, seen), tile in zip(older.items(), [*tiles[by:], *tiles[:by]], strict=True)
        }
    spotted = {
        other: spot
        if other == world.seat
        else Spotting(
            dice.pick(grid.squares, f"spot/{owner}/{other}"),
            1 + dice.below(max(1, last), f"spotted/{owner}/{other}"),  # 0 within turn 1
        )
        for other, spot in player.spotted.items()
    }
    seen = look(grid, world.web, world.players, owner)
    world.change(owner, memory=remember(older, seen, last), spotted=spotted)
