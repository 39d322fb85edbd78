"""People of one name are told apart by their addresses, which stand in no file of the archive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pbem.archive.players.people import Stint, folded

Address: TypeAlias = Callable[[str, Stint], str]
"""Returns the address of a player by game, or "" if none is written or it cannot be read."""


@dataclass(slots=True)
class Sat:
    """A player's time in a seat, and which game it was in.

    Attributes:
        game: The id of the game.
        stint: The time in the seat.
    """

    game: str
    stint: Stint


def told_apart(games: Mapping[str, tuple[str, Sequence[Stint]]], address: Address) -> dict[str, list[Stint]]:
    """Return the players of all games with their numbers among those of the same name.

    The same name and the same address are one person. Without an address a player is the only one of that
    name with an address, if there is just one. Numbers go by who played first. They depend on the games
    alone, not on what was numbered before: an old number only saves a look into a game's file.

    Args:
        games: When each began and who played it; a person of 0 is new.
        address: Tells addresses.
    """
    sat = {game: [Sat(game, stint) for stint in played] for game, (_, played) in games.items()}
    by_name: dict[str, list[Sat]] = {}
    for game in sorted(games, key=lambda one: (games[one][0], one)):
        for one in sat[game]:
            by_name.setdefault(folded(one.stint.name), []).append(one)
    for same in by_name.values():
        _number(same, address)
    return {game: [one.stint for one in played] for game, played in sat.items()}


def _number(same: Sequence[Sat], address: Address) -> None:
    """Give numbers to all of one name, who stand in order of their games."""
    addresses = _addresses(same, address)
    known = {one for one in addresses if one}
    alone = next(iter(known)) if len(known) == 1 else ""
    numbers: dict[str, int] = {}
    for sat, found in zip(same, addresses, strict=True):
        number = numbers.setdefault(found or alone, len(numbers) + 1)
        sat.stint = replace(sat.stint, person=number)


def _addresses(same: Sequence[Sat], address: Address) -> list[str]:
    """Return the address of each; those that had one number have one address, which is read once."""
    if all(sat.stint.person == 1 for sat in same):
        return ["the same" if sat.stint.known else "" for sat in same]
    read: dict[int, str] = {}
    found: list[str] = []
    for sat in same:
        number = sat.stint.person
        if not sat.stint.known:
            found.append("")
        elif number and number in read:
            found.append(read[number])
        else:
            found.append(address(sat.game, sat.stint) or f"unread {number}")
            if number:
                read[number] = found[-1]
    return found
