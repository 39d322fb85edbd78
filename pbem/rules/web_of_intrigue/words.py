"""Facts in words: what specials do, numbers with their sign, chances, lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.rules.web_of_intrigue.facts import Effect, Facts
from pbem.rules.web_of_intrigue.modifiers import winning_faces

NEEDS: Final[Mapping[str, str]] = {
    "square": "square: the square it works on",
    "squares": "squares: the two squares whose tiles it exchanges",
    "row": "row: the number of the row",
    "column": "column: the letter of the column",
    "player": "player: the player's number",
}


def describe(effect: Effect) -> str:
    """Return in a few words what a special does."""
    value = signed(effect.value)
    match effect.kind:
        case "category_bonus":
            unless = f" unless you control any {effect.unless}" if effect.unless else ""
            return f"{value} to bids for any {effect.category}{unless}, this turn"
        case "element_bonus":
            return f"{value} to bids for what a House of {effect.element.capitalize()} controls, this turn"
        case "adjacent_bonus":
            return f"{value} to bids for what lies beside this special, this turn"
        case "shift_row" | "shift_column":
            return f"moves a {effect.subject} by one {effect.direction}"
        case "points_next_turn":
            whom = "a player has" if effect.subject else "you have"
            more = "more" if effect.value > 0 else "fewer"
            return f"{whom} {abs(effect.value)} action points {more} next turn"
        case "transfer_vp":
            return f"moves up to {effect.value} victory points between two players at random"
        case "view_radius":
            return f"your next report sees {effect.value} further"
        case _:
            return _PLAINLY[effect.kind]


_PLAINLY: Final[Mapping[str, str]] = {
    "random_guess": "a free guess: a random player you have not guessed, a random House",
    "reveal_tile": "shows you the tile on a square",
    "reveal_player": "shows you where a player stands",
    "ignore_distance": "no distance counts, this turn",
    "exchange_tiles": "exchanges the tiles of two squares",
    "obscure_tile": "others do not see a tile until next turn's orders are in",
}


def signed(number: int) -> str:
    """Return a number with its sign; 0 is +0."""
    return f"{number:+d}"


def spell_parts(parts: Mapping[str, int]) -> str:
    """Return the parts of a modifier: "+2 (House +3, distance -1)"."""
    total = signed(sum(parts.values()))
    return f"{total} ({spell_each(parts)})" if parts else total


def spell_each(parts: Mapping[Any, int]) -> str:
    """Return parts with their signs: "House +3, distance -1"; without those of 0."""
    return ", ".join(f"{name} {signed(value)}" for name, value in parts.items() if value)


def spell_turn(turn: int) -> str:
    """Return when something was seen: "in turn 3"; what the first report tells was seen before turn 1."""
    return f"in turn {turn}" if turn else "before turn 1"


def spell_roll(facts: Facts, needed: int) -> str:
    """Return the roll needed and its chance: "5 or more, 2 in 6"."""
    faces, sides = winning_faces(facts, needed), facts.numbers.sides
    if faces == sides:
        return "any roll wins"
    if faces == 0:
        return f"{needed} needed, out of reach"
    roll = f"{needed} or more" if needed < sides else f"{needed}"
    return f"{roll} needed, {faces} in {sides}"
