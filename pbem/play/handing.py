"""All reports of a turn as files to hand out: what is kept, the pages and pictures, and the order pages."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.play.formpages import page_of
from pbem.play.home import Home
from pbem.play.pages import pages_of_report
from pbem.play.saved import SavedGame
from pbem.play.saves import SPECTATOR
from pbem.store.errors import WrongInput


def all_reports(home: Home, game: str, turn: int | None = None) -> dict[str, str]:
    """Return the files of every seat's report of a turn and of the spectator's, named `READER/FILE`.

    Args:
        home: The home.
        game: The id of the game.
        turn: The turn; None is the newest, whose seats get their order pages too, as `orders.html`.

    Raises:
        WrongInput: There is no such game or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    number = saved.turn if turn is None else turn
    if number not in saved.turns.numbers():
        raise WrongInput(f"{game} has no turn {number}.", f"The newest is {saved.turn}.")
    files: dict[str, str] = {}
    for reader in (*saved.start.seats, SPECTATOR):
        kept = (saved.turns.at(number) / "reports" / reader).iterdir()
        files |= {f"{reader}/{place.name}": place.read_text() for place in kept}
        pages = pages_of_report(saved, number, reader)
        files |= {f"{reader}/{name}": page for name, page in pages.items() if page}
        if number == saved.turn and f"{reader}/orders.yaml" in files:
            files[f"{reader}/orders.html"] = page_of(saved, Seat(reader))
    return files
