"""The parts of a redeal: Houses, guesses, bonuses, memories and orders of the other seats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.deduction import deal_one, left_by
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import in_force
from pbem.rules.web_of_intrigue.moves import BIDS, PLACES, SPECIALS, Bid, HouseGuess, Move
from pbem.rules.web_of_intrigue.orders import three
from pbem.rules.web_of_intrigue.scoring import guess_bonuses, victory_target
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Player, Sighting, Spotting, State, TileId

MORE_BONUS = 30
"""How much more bonus than its last one a seat may have in another world."""


def may_be(facts: Facts, state: State, seat: Seat | None, other: Seat) -> tuple[HouseId, ...]:
    """Return the Houses that a player may have, for all that a seat knows.

    Its own guesses tell it, and to all tell the bids that were won.
    """
    guesses: Iterable[Guess] = ()
    if seat is not None:
        guesses = (guess for guess in state.players[seat].guesses if guess.player == other)
    told = {guess.house: guess.right for guess in guesses}
    if any(told.values()):
        return (state.players[other].house,)
    taken = {state.players[seat].house} if seat is not None else set()
    left = left_by(facts, state.players[other].proven)
    return tuple(house for house in left if house not in taken and house not in told)


def deal_houses(
    facts: Facts, state: State, players: dict[Seat, Player], seat: Seat | None, dice: Dice
) -> None:
    """Deal the others' Houses anew."""
    others = [other for other in players if other != seat]
    possible = {other: may_be(facts, state, seat, other) for other in others}
    shuffled = {other: dice.shuffled(possible[other], f"houses/{other}") for other in others}
    for house, other in deal_one(dice.shuffled(others, "houses"), shuffled).items():
        players[other] = replace(players[other], house=house)


def change_house(
    facts: Facts,
    state: State,
    players: dict[Seat, Player],
    seat: Seat | None,
    seen: Collection[TileId],
    dice: Dice,
) -> None:
    """Give one of the others another House, and its old one to whoever had that, where both may be.

    Mostly it is one whose objects the seat sees, and the element changes against which it sees a special:
    that is what its own bids could tell it.
    """
    others = [other for other in players if other != seat]
    owners = sorted({state.owners[tile] for tile in seen if tile in state.owners} - {seat})
    changed = dice.pick(owners if owners and dice.below(4, "near") else others, "changed")
    possible = {other: may_be(facts, state, seat, other) for other in others}
    old = players[changed].house
    held = {players[other].house: other for other in others}
    swaps = [
        house
        for house in possible[changed]
        if house != old and (house not in held or old in possible[held[house]])
    ]
    against = {facts.specials[tile].effect.element for tile in seen if tile in facts.specials}
    crossing = [
        house
        for house in swaps
        if (facts.houses[house].element in against) != (facts.houses[old].element in against)
    ]
    if not swaps:
        return
    new = dice.pick(crossing if crossing and dice.below(4, "crosses") else swaps, "new")
    players[changed] = replace(players[changed], house=new)
    if new in held:
        players[held[new]] = replace(players[held[new]], house=old)


def deal_guesses(
    facts: Facts, state: State, players: dict[Seat, Player], seat: Seat | None, dice: Dice
) -> None:
    """Deal the others' guesses, right or wrong as it is in this world.

    Whether a player whose House the seat has guessed has guessed the seat's shows in the seat's bonus.
    """
    for other, player in state.players.items():
        if other == seat or not player.guesses:
            continue
        is_known = seat is not None and state.players[seat].has_guessed(other)
        whom = [one for one in players if one != other and not (is_known and one == seat)]
        houses = [house for house in facts.houses if house != players[other].house]
        guesses = []
        for number, guess in enumerate(player.guesses):
            luck = dice.below(1 << 64, f"guess/{other}", number)
            keeps = (is_known and guess.player == seat) or not whom or luck % 2
            if not keeps:
                luck, turn = divmod(luck // 2, max(1, state.turn - 1))  # in turn 1 while it is carried out
                luck, one = divmod(luck, len(whom))
                house = houses[luck % len(houses)]
                guess = Guess(turn + 1, whom[one], house, right=False, free=not guess.free)  # noqa: PLW2901
            guesses.append(replace(guess, right=players[guess.player].house == guess.house))
        players[other] = replace(players[other], guesses=tuple(sorted(guesses, key=lambda one: one.turn)))


def deal_bonuses(
    facts: Facts, state: State, players: dict[Seat, Player], others: list[Seat], dice: Dice
) -> None:
    """Deal the others' bonuses: the last ones as the guesses say, earlier ones at random up to the target."""
    target = victory_target(replace(state, players=players))
    one_in = in_force(facts.numbers, state.options).one_in
    for other in others:
        player = players[other]
        paid = guess_bonuses(facts, state.owners, players, other, one_in) if state.turn > 1 else {}
        bonus = sum(paid.values())
        if state.options.vp == "total" and state.turn > 1:
            bonus += dice.below(MORE_BONUS + 1, f"bonus/{other}")
            if target is not None:
                bonus = max(0, min(bonus, int(target) - player.objects - player.transfers))
        players[other] = replace(player, bonuses=paid, bonus=bonus)


def deal_memory(
    facts: Facts, state: State, player: Player, owner: Seat, seat: Seat | None, dice: Dice
) -> Player:
    """Deal what a player remembers of earlier turns, and where it spotted others than the seat."""
    last, grid = state.turn - 1, facts.grid
    older = {square: seen for square, seen in player.memory.items() if seen.turn < last}
    if older:
        by = 1 + dice.below(len(older), f"memory/{owner}")
        tiles = [seen.tile for seen in older.values()]
        rotated = [*tiles[by:], *tiles[:by]]
        older = {
            square: Sighting(tile, (seen.turn + by) % last)
            for (square, seen), tile in zip(older.items(), rotated, strict=True)
        }
    spotted = {
        other: spot
        if other == seat
        else Spotting(
            grid.squares[dice.below(len(grid.squares), f"spot/{owner}/{other}")],
            1 + dice.below(max(1, last), f"spotted/{owner}/{other}"),  # 0 within turn 1
        )
        for other, spot in player.spotted.items()
    }
    return replace(player, memory=older, spotted=spotted)


def deal_moves(
    facts: Facts, state: State, moves: Mapping[Seat, Move], seat: Seat | None, dice: Dice
) -> dict[Seat, Move]:
    """Return what the others may have ordered instead, for all that a seat is ever told.

    Where they go and whom they guess; and how many points an action takes, as far as the order within its
    phase, which bids show to all, stays as it is.

    Source: ruling 26.
    """
    dealt = dict(moves)
    for other, move in moves.items():
        if other == seat:
            continue
        player, whom = state.players[other], [one for one in state.players if one != other]
        if dice.below(2, f"goal/{other}"):
            goal = dice.pick(facts.grid.diamond(player.square, player.reach), f"goal/{other}/square")
            move = replace(move, goal=goal)  # noqa: PLW2901
        if dice.below(2, f"guess/{other}"):
            house = dice.pick(tuple(facts.houses), f"guess/{other}/house")
            guess = HouseGuess(dice.pick(whom, f"guess/{other}/whom"), house)
            move = replace(move, guess=guess)  # noqa: PLW2901
        dealt[other] = move
        for place in PLACES:
            if dice.below(2, f"points/{other}/{place}"):
                dealt[other] = _with_fewer_points(dealt, other, place)
    return dealt


def _with_fewer_points(moves: Mapping[Seat, Move], seat: Seat, place: str) -> Move:
    """Return a move in which an action takes the fewest points that leave it before the same actions."""
    move = moves[seat]
    action = move.at(place)
    others = [
        other.points or 0 for one, by in moves.items() if one != seat and (other := by.at(place)) is not None
    ]
    if action is None or action.points is None or action.points in others:
        return move
    fewer = replace(action, points=max((one for one in others if one < action.points), default=0) + 1)
    if isinstance(fewer, Bid):
        bids = [fewer if one == place else bid for one, bid in zip(BIDS, move.bids, strict=True)]
        return replace(move, bids=three(bids))
    enacts = [fewer if one == place else enact for one, enact in zip(SPECIALS, move.specials, strict=True)]
    return replace(move, specials=three(enacts))
