"""What the newest report does not know, as it came later: told above its text, handed out or mailed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.handout import told_again
from pbem.host.notices.telling import is_mailed, players
from pbem.host.people.names import named_otherwise, told_otherwise
from pbem.host.people.standins import stood_in
from pbem.host.run.lostturns import is_to_run_again
from pbem.host.run.notes import Notes, notes_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, read_json
from pbem.play.submissions.countagain import COUNT_AGAIN, NOT_BELOW, facts_again
from pbem.play.submissions.formowner import own_marker

_OTHER_FORM: Final = (
    "The form at its end is not yours: fill in orders.yaml or orders.html, which the moderator gives you."
)
_TAKEN_BACK: Final = "Turn {} was taken back: its report does not count. It will be run again."


@dataclass(frozen=True, slots=True)
class Since:
    """What a report of the newest turn does not know of players, and of its reader's orders.

    Attributes:
        others: The seats whose players are called otherwise now: the name in the report, and that of now.
        names: What is told of each of them.
        again: The facts that are otherwise, as orders count again; none if none do.
        counted: What is told of a turn that was taken back, and of orders that count again; or "".
    """

    others: Mapping[Seat, tuple[str, str]]
    names: Mapping[Seat, str]
    again: Mapping[str, Json]
    counted: str


def since(saved: SavedGame, seat: Seat, facts: Mapping[str, Json], held: Container[Seat]) -> Since:
    """Return what a report of the newest turn does not know.

    Args:
        saved: The game.
        seat: Its reader.
        facts: What the report is made of.
        held: Seats whose orders the moderator holds back.
    """
    others = named_otherwise(saved, facts)
    names = {one: told_otherwise(saved, one, both, "the report below") for one, both in others.items()}
    is_back = is_to_run_again(saved)
    again = facts_again(saved, seat, facts, held) if is_back else {}
    counted = (COUNT_AGAIN if again else _TAKEN_BACK).format(saved.turn + 1) if is_back else ""
    return Since(others, names, again, counted)


def since_reports(home: Home, game: str) -> Callable[[str], tuple[str, ...]]:
    """Return what tells a reader what the newest report does not say, but for a deadline that was moved.

    A game that its moderator ended, other names of players, a turn that was taken back; and to readers
    without mail, what a corrected report corrects. So no letter that was handed out is lost for good.
    The game is looked at once for all readers.

    Args:
        home: The home.
        game: The game.

    Returns:
        What returns sentences for a seat or the spectator, each a paragraph of its own; none where there is
        no such reader. It raises WrongInput where the reader's report is damaged.

    Raises:
        WrongInput: There is no such game, or it is damaged.
    """
    saved, notes = SavedGame(home, game), notes_of(home, game)
    readers, seated = (*saved.start.seats, SPECTATOR), stood_in(saved) if saved.revision else {}
    return lambda reader: tuple(_since(saved, notes, Seat(reader), seated)) if reader in readers else ()


def _since(saved: SavedGame, notes: Notes, reader: Seat, seated: Container[Seat]) -> Iterator[str]:
    if notes.cancelled is not None:
        yield f"{notes.cancelled.sentence()} No turn is run any more."
    if (
        saved.revision
        and reader in players(saved)
        and not is_mailed(saved.home, saved.players.address(reader))
    ):
        told = told_again(saved, reader, seated, notes.held)
        yield from [told[1]] if told else []
    facts = read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
    found = since(saved, reader, facts, notes.held)
    for seat, called in found.names.items():
        yield f"{called} {_OTHER_FORM}" if seat == reader and _has_other_form(saved, reader) else called
    if notes.cancelled is None and found.counted:
        yield f"{found.counted} {NOT_BELOW}" if found.again else found.counted


def _has_other_form(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether the newest report of a seat ends with a form that was made for a player who has left."""
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    return form.exists() and own_marker(saved, seat, form.read_text()) != ""
