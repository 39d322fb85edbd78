"""What was committed, read back: reports, forms as a bot would fill them in, and the board in a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play import saves
from pbem.play.home import Home
from pbem.play.pages import page_of_report
from pbem.play.saved import SavedGame
from pbem.play.saves import SPECTATOR
from pbem.play.templates import template_faults
from pbem.store.errors import WrongInput
from pbem.text.report import BOARD, PAGES, Report
from pbem.text.schema import near
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from rich.text import Text


def report(home: Home, game: str, seat: str, turn: int | None = None, name: str = "report.txt") -> str:
    """Return a file of a seat's report, or of the spectator's: as it was committed, or made of its facts.

    Raises:
        WrongInput: There is no such seat or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    readers = [*saved.start.seats, SPECTATOR]
    if seat not in readers:
        raise WrongInput(f"there is no seat {seat!r} in {game}.", near(seat, readers))
    number = saved.turn if turn is None else turn
    place = saved.turns.at(number) / "reports" / seat / name
    if not place.parent.exists():
        raise WrongInput(f"{game} has no turn {number}.", f"The newest is {saved.turn}.")
    if name in PAGES:
        return page_of_report(saved, number, seat, name)
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


_HEADING: Final = re.compile(r"^(?=.*[A-Z]{3})[A-Z][A-Z ,']+(?= -|,|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a game.

    Attributes:
        title: The game, the turn, whose eyes it is seen with, and whom it waits for.
        position: The position, as the text report tells it.
        picture: The board as SVG; "" where the rules draw none.
        looks: Ink and ground of each seat, by the words that mean it.
    """

    title: str
    position: str
    picture: str
    looks: Mapping[str, tuple[str, str]]


def show(home: Home, game: str, seat: str | None, turn: int | None = None) -> Shown:
    """Return what a seat sees of a game after a turn, from its committed report.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat; None is the spectator, who sees what is public.
        turn: The turn; None is the newest.

    Raises:
        WrongInput: There is no such game, seat or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    readers = [*saved.start.seats, SPECTATOR]
    if seat is not None and seat not in readers:
        raise WrongInput(f"there is no seat {seat!r} in {game}.", near(seat, readers))
    number = saved.turn if turn is None else turn
    if number not in saved.turns.numbers():
        raise WrongInput(f"{game} has no turn {number}.", f"The newest is {saved.turn}.")
    folder = saved.turns.at(number) / "reports" / (seat or SPECTATOR)
    facts = saves.read_json(folder / "report.json")
    kept = {place.name: place.read_text() for place in folder.iterdir()}
    try:
        with template_faults():
            title, position = Report(saved.environment, facts).position
            picture = page_of_report(saved, number, seat or SPECTATOR, BOARD)
    except WrongInput:  # an older version wrote these facts: its report tells the position too
        title, position, picture = "", "", kept.get(BOARD, "")
    told = position or kept["report.txt"].strip("\n")
    return Shown(title or f"{game}, turn {number}", told, picture, _looks(saved))


def _looks(saved: SavedGame) -> dict[str, tuple[str, str]]:
    """Return ink and ground of each seat, as pictures draw it, by its title and its letter."""
    picture: Any = saved.environment.get_template("common/picture.svg.j2").module
    words: Any = saved.environment.get_template(f"{saved.start.rules}/words.txt.j2").module
    seats: list[Json] = list(saved.start.seats)
    found = {}
    for seat in saved.start.seats:
        look = str(picture.ink(seats, seat)).strip(), str(picture.colour(seats, seat)).strip()
        names = [str(words.seat(seat)).strip(), str(picture.letter(seats, seat)).strip(), str(seat)]
        found.update({name: look for name in names if not name.isdigit()})
    return found


def coloured(shown: Shown) -> Text:
    """Return a position with its seats in their colours, and its headings bold."""
    from rich.text import Text

    text = Text(shown.position)
    text.highlight_regex(_HEADING, "bold")
    for name, (ink, ground) in shown.looks.items():
        text.highlight_regex(rf"(?<![\w'-]){re.escape(name)}(?=[0-9]{{0,2}}(?![\w'-]))", f"{ink} on {ground}")
    return text
