"""The turns of one game as they lie in the store: those that count, and those that were taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.store.errors import WrongInput
from pbem.store.place import Place, turn_name, undone_name

if TYPE_CHECKING:
    from pbem.store.interface import Store


class TakenBack(NamedTuple):
    """A turn that was taken back.

    Attributes:
        turn: Its number.
        revision: How often the turn had been taken back with this one, from 1.
        place: Where it is kept.
    """

    turn: int
    revision: int
    place: Place


class Turns(NamedTuple):
    """The turns of one game.

    Attributes:
        store: What keeps them.
        game: The id of the game.
    """

    store: Store
    game: str

    def numbers(self) -> list[int]:
        """Return the numbers of the committed turns, in order."""
        return self.store.turns(self.game)

    def newest(self) -> int:
        """Return the number of the current turn.

        Raises:
            WrongInput: The game has no committed turn.
        """
        found = self.numbers()
        if not found:
            text = f"{self.store.spelled(f'games/{self.game}/turns')} holds no turn; the game is damaged."
            raise WrongInput(text, "Restore it from your backup.")
        return found[-1]

    def at(self, turn: int) -> Place:
        """Return where a turn lies."""
        return self.store.at(turn_name(self.game, turn))

    def absent(self, turn: int) -> WrongInput:
        """Return what is said where a turn is asked for that is not there: it is gone, or never was."""
        newest = self.newest()
        if 0 <= turn < newest:
            text = f"{self.game}/turns/{turn:04d}: the turn is missing."
            return WrongInput(text, "Put it back from a copy.")
        return WrongInput(f"{self.game} has no turn {turn}.", f"The newest is {newest}.")

    def taken_back(self, turn: int | None = None) -> list[TakenBack]:
        """Return the turns that were taken back, or how often this one was; the oldest first."""
        return [
            TakenBack(number, revision, self.store.at(undone_name(self.game, number, revision)))
            for number, revision in self.store.taken_back(self.game)
            if turn is None or number == turn
        ]

    def revision(self, turn: int) -> int:
        """Return how often a turn was taken back before it was run as it stands."""
        return max((one.revision for one in self.taken_back(turn)), default=0)
