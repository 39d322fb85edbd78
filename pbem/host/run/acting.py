"""A game is opened for an act of its host, its moderator or its players, while no run is at work on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.core.interface import Outcome
from pbem.host.run.notes import Notes, notes_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Declined
from pbem.store.interface import WAIT_SECONDS, Change


@dataclass(frozen=True, slots=True)
class Acting:
    """A game that is held for an act.

    Attributes:
        saved: The game.
        notes: What is noted of it.
        begun: A change that an earlier command had begun, and that was finished now; or None.
    """

    saved: SavedGame
    notes: Notes
    begun: Change | None


@contextmanager
def acting(home: Home, game: str, *, to_bring_back: bool = False) -> Iterator[Acting]:
    """Open a game for an act, while no run is at work on it.

    Args:
        home: The home.
        game: The id of the game.
        to_bring_back: The game may be one that the moderator has ended.

    Raises:
        Declined: The game is over, or a turn went by while this waited.
        WrongInput: There is no such game, or it is damaged.
    """
    turn = SavedGame(home, game).turn
    with home.held(game, wait_seconds=WAIT_SECONDS) as begun:
        home.store.tidy(f"games/{game}", f"orders/{game}")
        saved = SavedGame(home, game)
        if saved.turn != turn:
            hint = "Look at it, and try again."
            raise Declined(f"{game}: turn {saved.turn} was run just now.", hint, to_player=hint)
        if isinstance(saved.ask, Outcome):
            raise Declined(f"{game} is over.", "Nothing more can be done in it.")
        if not to_bring_back:
            refuse_cancelled(saved)
        yield Acting(saved, notes_of(home, game), begun)


class EndedError(Declined):
    """Nothing can be done in a game that its moderator has ended; it says how that was."""


def refuse_cancelled(saved: SavedGame) -> None:
    """Refuse a game that its moderator has ended.

    Raises:
        EndedError: It is so.
    """
    if saved.cancelled is not None:
        hint = f"Bring it back: pbem cancel {saved.name} --undo"
        told = f"{saved.name}: {saved.cancelled.told()}."
        raise EndedError(told, hint, to_player="Nothing can be done in it.")
