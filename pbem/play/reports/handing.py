"""All reports of a turn as files to hand out: what is kept, the pages and pictures, and the order pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, STEPS
from pbem.play.reports.duenow import files_due
from pbem.play.reports.formpages import page_of
from pbem.play.reports.pages import pages_of_report, with_key_line
from pbem.play.submissions.formowner import own_form
from pbem.text.reports.report import PAGES

FILES: Final = (*PAGES, "report.txt", "report.json", STEPS, "orders.yaml", "orders.html")
"""What there may be of each reader."""


def all_reports(
    home: Home,
    game: str,
    turn: int | None = None,
    due_of: Callable[[str], str] = lambda reader: "",
    above_of: Callable[[str], Sequence[str]] = lambda reader: (),
) -> dict[str, str]:
    """Return the files of every seat's report of a turn and of the spectator's, named `READER/FILE`.

    Args:
        home: The home.
        game: The id of the game.
        turn: The turn; None is the newest, whose seats get their order pages too, as `orders.html`.
        due_of: Tells when orders are due, in words for a reader, if that was changed after the newest
            report; else "".
        above_of: Tells what else was changed since, for a reader: paragraphs that stand above the text.

    Raises:
        WrongInput: There is no such game or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    number = saved.turn if turn is None else turn
    if number not in saved.turns.numbers():
        raise saved.turns.absent(number)
    files: dict[str, str] = {}
    for reader in (*saved.start.seats, SPECTATOR):
        due, above = (due_of(reader), above_of(reader)) if number == saved.turn else ("", ())
        kept = (saved.turns.at(number) / "reports" / reader).iterdir()
        found = {place.name: place.read_text() for place in kept}
        found |= {name: page for name, page in pages_of_report(saved, number, reader).items() if page}
        if due or above:
            found |= files_due(saved, reader, found, due, above)
        if number == saved.turn and "orders.yaml" in found:
            form = with_key_line(saved, reader, found["orders.yaml"])
            found["orders.yaml"] = own_form(saved, Seat(reader), form)
            found["orders.html"] = page_of(saved, Seat(reader), due=due)
        files |= {f"{reader}/{name}": text for name, text in found.items()}
    return files
