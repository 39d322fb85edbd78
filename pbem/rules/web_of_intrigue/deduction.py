"""Which Houses each player can still have, by all that a reader knows; exact, never a guess."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.state import Category, HouseId, State


def open_houses(
    facts: Facts, state: State, reader: Seat | None, *, by_bids: bool
) -> dict[Seat, list[HouseId]]:
    """Return the Houses that each player can have when the others are left out of account.

    Args:
        facts: The facts.
        state: The game.
        reader: Whose own House and guesses count; None for nobody's.
        by_bids: Won bids count; without them, what they prove is left to the reader to work out.

    Source: rules 7, what guesses can be based on; `bidding.prove`.
    """
    open_to = {
        seat: left_by(facts, player.proven if by_bids else {}) for seat, player in state.players.items()
    }
    if reader is not None:
        own = state.players[reader]
        open_to[reader] = [own.house]
        for guess in own.guesses:
            is_left = {guess.house} if guess.right else set(open_to[guess.player]) - {guess.house}
            open_to[guess.player] = [house for house in open_to[guess.player] if house in is_left]
    return open_to


def left_by(facts: Facts, proven: Mapping[Category, int]) -> list[HouseId]:
    """Return the Houses with modifiers that are as high as a player's won bids prove."""
    return [
        house
        for house, sign in facts.houses.items()
        if all(sign.modifiers[category] >= least for category, least in proven.items())
    ]


def deal_one(seats: Iterable[Seat], open_to: Mapping[Seat, Collection[HouseId]]) -> dict[HouseId, Seat]:
    """Return a deal in which each seat has one of the Houses open to it, and no two the same.

    Raises:
        ValueError: There is no such deal.
    """
    holder: dict[HouseId, Seat] = {}

    def settle(seat: Seat, tried: set[HouseId]) -> bool:
        for house in open_to[seat]:
            if house not in tried:
                tried.add(house)
                if house not in holder or settle(holder[house], tried):
                    holder[house] = seat
                    return True
        return False

    for seat in seats:
        if not settle(seat, set()):
            raise ValueError(f"no House is left for player {seat}")
    return holder


def fit_together(open_to: Mapping[Seat, Collection[HouseId]]) -> dict[Seat, list[HouseId]]:
    """Keep the Houses that a player has in at least one deal in which all players have different ones.

    One such deal is found first. A player can change to a House of it if whoever has that one can change
    too, and so on, until somebody takes a House that is free or the one that was left.

    Raises:
        ValueError: There is no such deal.
    """
    holder = deal_one(open_to, open_to)
    moved = {seat: _who_moves(seat, open_to, holder) for seat in open_to}
    return {
        seat: [house for house in houses if house not in holder or moved[holder[house]] & {seat, None}]
        for seat, houses in open_to.items()
    }


def _who_moves(
    first: Seat, open_to: Mapping[Seat, Collection[HouseId]], holder: Mapping[HouseId, Seat]
) -> set[Seat | None]:
    """Return whose House can be taken when a player gives up its own, and so on; None for a free House."""
    found: set[Seat | None] = {first}
    waiting = [first]
    while waiting:
        others = {holder.get(house) for house in open_to[waiting.pop()]} - found
        if None in others:
            return {None}
        found |= others
        waiting += filter(None, others)
    return found
