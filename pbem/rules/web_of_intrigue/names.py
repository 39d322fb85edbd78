"""Names in orders that nothing has, wherever the players stand and whatever lies in the Web."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.core.wording import like
from pbem.rules.kit.words import listing, unknown
from pbem.rules.web_of_intrigue.facts import Facts, Special
from pbem.rules.web_of_intrigue.moves import Enact, HouseGuess, Move
from pbem.rules.web_of_intrigue.orders import write_subjects
from pbem.rules.web_of_intrigue.state import TileId
from pbem.rules.web_of_intrigue.words import NEEDS

Path = tuple[str | int, ...]

OTHERS_ONLY: Final = "it works on other players only"
OTHERWISE: Final = {
    "object": "a special, and bids are for objects",
    "special": "an object, and only specials can be enacted",
}
"""What a tile is that is named where another kind of tile is wanted, by the kind that is wanted."""


EXAMPLES: Final = {"square": "d5", "squares": "[d5, e6]", "row": "5", "column": "d"}
"""How an order names what a special works on; a player by its number."""


def misnamed_before_deal(facts: Facts, move: Move, seat: Seat, seats: tuple[Seat, ...]) -> Iterator[Problem]:
    """Yield a problem for every name in orders that no tile, square, House or other player has."""
    for place, action in move.actions.items():
        if isinstance(action, Enact):
            yield from _misnamed_tile(facts, (place, "enact"), action.tile, "special")
            yield from _misnamed_subject(facts, place, action, seat, seats)
            if (special := facts.specials.get(TileId(action.tile))) is not None:
                yield from misfit_subjects(place, action, special, [one for one in seats if one != seat])
        else:
            yield from _misnamed_tile(facts, (place, "for"), action.tile, "object")
    if move.guess is not None:
        yield from misnamed_player(("guess", "player"), move.guess.player, seat, seats)
        yield from misnamed_house(facts, move.guess)
    if move.goal is not None:
        yield from misnamed_square(facts, ("move",), move.goal)


def _misnamed_tile(facts: Facts, path: Path, tile: str, kind: str) -> Iterator[Problem]:
    """Check the name of a tile; what is of the other kind can be neither bid for nor enacted as this one."""
    known, others = facts.objects.keys(), facts.specials.keys()
    if kind == "special":
        known, others = others, known
    if tile in others:
        yield Problem(path, f"{facts.name(tile)} is {OTHERWISE[kind]}", lasting=True)
    elif tile not in known:
        meant = near_name(tile, [facts.name(one) for one in known])
        hint = f"Did you mean {meant}?" if meant else ""
        yield Problem(path, f"there is no {kind} {tile!r}", hint, lasting=True)


def _misnamed_subject(
    facts: Facts, place: str, action: Enact, seat: Seat, seats: tuple[Seat, ...]
) -> Iterator[Problem]:
    """Check what a special works on: squares, rows, columns and players that there are."""
    if action.square is not None:
        yield from misnamed_square(facts, (place, "square"), action.square)
    for number, square in enumerate(action.squares or ()):
        yield from misnamed_square(facts, (place, "squares", number), square)
    if action.row is not None:
        yield from misnamed_line((place, "row"), action.row, facts.grid.rows)
    if action.column is not None:
        yield from misnamed_line((place, "column"), action.column, facts.grid.columns)
    if action.player is not None:
        yield from misnamed_player((place, "player"), action.player, seat, seats, OTHERS_ONLY)


def misfit_subjects(place: str, action: Enact, special: Special, others: Sequence[Seat]) -> Iterator[Problem]:
    """Yield what a special is given that it does not take, and what it needs and is not given."""
    wanted, given = special.effect.subject, write_subjects(action)
    for name in given:
        if name != wanted:
            hint = f"It needs {NEEDS[wanted]}." if wanted else "Leave it out."
            yield Problem((place, name), f"{special.name} takes no {name}", hint, lasting=True)
    if wanted and wanted not in given:
        hint = f"Add {wanted}, such as {wanted}: {EXAMPLES.get(wanted, others[0])}."
        yield Problem((place,), f"{special.name} needs {NEEDS[wanted]}", hint, lasting=True)


def misnamed_player(
    path: Path, player: Seat, seat: Seat | None, seats: Collection[Seat], why: str = "guess at another player"
) -> Iterator[Problem]:
    """Yield a problem if no other player has the number that is named."""
    hint = f"The others are {listing(one for one in seats if one != seat)}."
    if player == seat:
        yield Problem(path, f"player {player} is yourself: {why}", hint, lasting=True)
    elif player not in seats:
        yield Problem(path, f"there is no player {player!r}", hint, lasting=True)


def misnamed_house(facts: Facts, guess: HouseGuess) -> Iterator[Problem]:
    """Yield a problem if no House has the name that is guessed."""
    return unknown(("guess", "house"), "House", guess.house, facts.houses, facts.titles)


def misnamed_square(facts: Facts, path: Path, square: str) -> Iterator[Problem]:
    """Yield a problem if the Web has no such square."""
    if square not in facts.grid.places:
        hint = f"Squares are {facts.grid.corners}."
        yield Problem(path, f"there is no square {square!r}", hint, lasting=True)


def misnamed_line(path: Path, line: int | str, lines: Sequence[int | str]) -> Iterator[Problem]:
    """Yield a problem if the Web has no such row, or no such column."""
    if line not in lines:
        kind = path[-1]
        hint = f"{str(kind).capitalize()}s are {lines[0]} to {lines[-1]}."
        yield Problem(path, f"there is no {kind} {line!r}", hint, lasting=True)


def near_name(word: str, names: Sequence[str]) -> str:
    """Return the name that may be meant, or "" if none is like the word, and none alone has it in it."""
    spaced = word.casefold().replace("_", " ")
    parts = [name for name in names if len(spaced) > 2 and spaced in name.casefold().split()]
    return like(spaced, names) or (parts[0] if len(parts) == 1 else "")
