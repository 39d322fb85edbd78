"""The start: the Web is shuffled, Houses are dealt, and players dropped onto the map (rules 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.kit.tables import Checked, wrong
from pbem.rules.web_of_intrigue.course import look, remember
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.guessing import AS_IN_TABLE
from pbem.rules.web_of_intrigue.state import Options, Player, Square, State

BEFORE: Final[Mapping[str, Json]] = {"guess_pays": AS_IN_TABLE, "free_wrong_guesses": "all", "sieve": "all"}
"""How games were played before these could be chosen."""


def set_up(
    facts: Facts,
    seats: tuple[Seat, ...],
    options: Mapping[str, Json],
    starts: Mapping[Seat, Json],
    dice: Dice,
) -> State:
    """Return the game before its first turn.

    Args:
        facts: The facts.
        seats: 2 to 12 seats (ruling 29).
        options: As in `options.schema.json`.
        starts: The start forms; `target` is the seat's suggestion for the victory target.
        dice: The dice of the deal.

    Raises:
        ValueError: There are more seats than Houses, or nothing would ever end the game.

    Source: rules 1 and 2; ruling 29.
    """
    if not 2 <= len(seats) <= len(facts.houses):
        raise ValueError(f"expected 2 to {len(facts.houses)} seats, got {len(seats)}")
    chosen = read_options(options)
    tiles = dice.shuffled((*facts.objects, *facts.specials), "web")
    houses = dice.shuffled(tuple(facts.houses), "houses")
    squares = start_squares(facts, len(seats), dice)
    web = dict(zip(facts.grid.squares, tiles, strict=True))
    players = {
        seat: Player(houses[n], squares[n], suggestion(facts, starts.get(seat)), facts.numbers.radius)
        for n, seat in enumerate(seats)
    }
    players = {
        seat: replace(player, memory=remember({}, look(facts.grid, web, players, seat), 0))
        for seat, player in players.items()
    }
    return State(turn=1, options=chosen, web=web, owners={}, players=players)


def read_options(options: Mapping[str, Json]) -> Options:
    """Return the options in force; what is not given is as it was before the option came up.

    Raises:
        ValueError: A game with these would never end.

    Source: ruling 2.
    """
    given: Checked = {**BEFORE, **options}
    chosen = Options(**given)
    if not chosen.turns and (chosen.target == "none" or (chosen.vp, chosen.target) == ("snapshot", "secret")):
        wrong("turns", f"a last turn with vp {chosen.vp} and target {chosen.target}", "0 (no limit)")
    return chosen


def suggestion(facts: Facts, start: Json) -> int:
    """Return what a start form suggests for the victory target, brought within the limits.

    Source: rules 9; ruling 27.
    """
    said = start.get("target") if isinstance(start, dict) else None
    if not isinstance(said, int):
        return facts.numbers.unsaid
    return max(facts.numbers.lowest, min(facts.numbers.highest, said))


def start_squares(facts: Facts, number: int, dice: Dice) -> tuple[Square, ...]:
    """Return different random squares, apart from each other where there is room.

    Source: rules 2, dropped at random; ruling 30.
    """
    grid, shuffled = facts.grid, dice.shuffled(facts.grid.squares, "starts")
    chosen: list[Square] = []
    for square in shuffled:
        if all(grid.distance(square, other) >= facts.numbers.start_distance for other in chosen):
            chosen.append(square)
    spare = [square for square in shuffled if square not in chosen]
    return tuple([*chosen, *spare][:number])
