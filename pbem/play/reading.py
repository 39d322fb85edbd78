"""What was committed, read back: reports, and forms as a bot would fill them in."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.saves import SPECTATOR
from pbem.store.errors import WrongInput
from pbem.text.schema import near
from pbem.text.strictyaml import dump_flow


def report(home: Home, game: str, seat: str, turn: int | None = None, name: str = "report.txt") -> str:
    """Return a file of a seat's report as it was committed, or of the spectator's.

    Raises:
        WrongInput: There is no such seat or turn.
    """
    saved = SavedGame(home, game)
    readers = [*saved.start.seats, SPECTATOR]
    if seat not in readers:
        raise WrongInput(f"there is no seat {seat!r} in {game}.", near(seat, readers))
    number = saved.turn if turn is None else turn
    place = saved.turns.at(number) / "reports" / seat / name
    if not place.parent.exists():
        raise WrongInput(f"{game} has no turn {number}.", f"The newest is {saved.turn}.")
    if not place.exists():
        over = f"{game} is over." if seat != SPECTATOR else "A spectator gives no orders."
        raise WrongInput(over, "Nothing more can be ordered." if seat != SPECTATOR else "")
    return place.read_text()


def filled_form(home: Home, game: str, seat: str, skill: str) -> str:
    """Return a seat's form with the order that a bot of this skill would give.

    Raises:
        WrongInput: There is no such seat, or it is not asked now.
    """
    form = report(home, game, seat, name="orders.yaml")
    saved, asked = SavedGame(home, game), Seat(seat)
    if not isinstance(saved.ask, Ask) or asked not in saved.ask.seats:
        raise WrongInput(f"{seat} is not asked now.", "`pbem status` tells whom the game waits for.")
    dice = Dice(saved.secret.seed, saved.position.steps).apart("suggestion", seat)
    order = saved.opening.suggest(saved.opening.view(saved.position.game, asked), dice, skill)
    return form.replace("do: {}", f"do: {dump_flow(order)}", 1)
