"""The parts of a redeal: Houses, guesses, bonuses and memories of the other seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.scoring import guess_bonuses, victory_target
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Player, Sighting, Spotting, State

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
    proven = state.players[other].proven
    return tuple(
        house
        for house, sign in facts.houses.items()
        if house not in taken
        and house not in told
        and all(sign.modifiers[category] >= least for category, least in proven.items())
    )


def deal_houses(
    facts: Facts, state: State, players: dict[Seat, Player], seat: Seat | None, dice: Dice, *, whole: bool
) -> None:
    """Deal the others' Houses anew, or, if not the `whole` of them, give one of them another one."""
    others = [other for other in players if other != seat]
    possible = {other: may_be(facts, state, seat, other) for other in others}
    if whole:
        shuffled = {other: dice.shuffled(possible[other], f"houses/{other}") for other in others}
        houses = match_houses(dice.shuffled(others, "houses"), shuffled)
    else:
        houses = _swapped(state, others, possible, dice)
    for other, house in houses.items():
        players[other] = replace(players[other], house=house)


def match_houses(
    seats: tuple[Seat, ...], possible: Mapping[Seat, tuple[HouseId, ...]]
) -> Mapping[Seat, HouseId]:
    """Return a different House for each seat, from those it may have; there is always one such deal."""
    holders: dict[HouseId, Seat] = {}

    def place(seat: Seat, tried: set[HouseId]) -> bool:
        for house in possible[seat]:
            if house not in tried:
                tried.add(house)
                if house not in holders or place(holders[house], tried):
                    holders[house] = seat
                    return True
        return False

    for seat in seats:
        place(seat, set())
    return {seat: house for house, seat in holders.items()}


def _swapped(
    state: State, others: list[Seat], possible: Mapping[Seat, tuple[HouseId, ...]], dice: Dice
) -> dict[Seat, HouseId]:
    """Return one player's new House, and its old one for the player who had that, where both may be."""
    seat = dice.pick(others, "changed")
    old = state.players[seat].house
    held = {state.players[other].house: other for other in others}
    swaps = [
        house
        for house in possible[seat]
        if house != old and (house not in held or old in possible[held[house]])
    ]
    if not swaps:
        return {}
    new = dice.pick(swaps, "new")
    return {seat: new, held[new]: old} if new in held else {seat: new}


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
            label = f"guess/{other}"
            keeps = (is_known and guess.player == seat) or not whom or dice.below(2, label, number)
            if not keeps:
                turn = 1 + dice.below(state.turn - 1, f"{label}/turn", number)
                player_guessed = dice.pick(whom, f"{label}/whom", number)
                house = dice.pick(houses, f"{label}/house", number)
                guess = Guess(turn, player_guessed, house, right=False, free=not guess.free)  # noqa: PLW2901
            guesses.append(replace(guess, right=players[guess.player].house == guess.house))
        players[other] = replace(players[other], guesses=tuple(sorted(guesses, key=lambda one: one.turn)))


def deal_bonuses(
    facts: Facts, state: State, players: dict[Seat, Player], others: list[Seat], dice: Dice
) -> None:
    """Deal the others' bonuses: the last ones as the guesses say, earlier ones at random up to the target."""
    target = victory_target(replace(state, players=players))
    for other in others:
        player = players[other]
        paid = guess_bonuses(facts, state.owners, players, other) if state.turn > 1 else {}
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
            1 + dice.below(last, f"spotted/{owner}/{other}"),
        )
        for other, spot in player.spotted.items()
    }
    return replace(player, memory=older, spotted=spotted)
