"""What guesses bring and cost, by the table of numbers and the options in force (rules 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Numbers
from pbem.rules.web_of_intrigue.state import Guess, Options, Player

AS_IN_TABLE: Final = "table"
SHARES: Final[Mapping[str, int]] = {"quarter": 4, "sixth": 6, "eighth": 8, "tenth": 10, "twelfth": 12}
"""The parts that the option can name: one point for so many."""


def in_force(numbers: Numbers, options: Options) -> Numbers:
    """Return the numbers of the rules with the share of a right guess that this game is played with."""
    return replace(numbers, one_in=SHARES.get(options.guess_pays, numbers.one_in))


def next_fine(numbers: Numbers, options: Options, guesses: Iterable[Guess]) -> int:
    """Return what the next wrong guess costs whoever has made these; 0 if it is free."""
    is_free = options.free_wrong_guesses == "all" or _wrong(guesses) < options.free_wrong_guesses
    return 0 if is_free else numbers.wrong_costs


def fine(numbers: Numbers, options: Options, player: Player, turn: int) -> int:
    """Return the victory points that a player's wrong guess of a turn costs; 0 if it is free or right.

    It is the last that was made by the end of the turn. Guesses at random, which specials make, never cost
    anything.
    """
    last = [guess for guess in player.guesses[-1:] if guess.turn == turn]
    return next_fine(numbers, options, player.guesses[:-1]) if _wrong(last) else 0


def shows_who(options: Options, reader: Seat | None) -> bool:
    """Tell whether a reader is told which Houses the bids leave to each player, while the game runs."""
    return options.sieve == "all" or (options.sieve == "seats" and reader is not None)


def _wrong(guesses: Iterable[Guess]) -> int:
    return sum(not guess.right and not guess.free for guess in guesses)
