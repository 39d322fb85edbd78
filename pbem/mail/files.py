"""The files that come with a mail: the orders form, the page to click in, and the game book."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play.books import book_of
from pbem.play.formpages import page_of
from pbem.play.saved import SavedGame
from pbem.text.mail.compose import Attachment

_LONGEST_NAME: Final = 70  # of a form, without its ending; mails take eighty letters with it


def form_files(
    saved: SavedGame, seat: Seat, facts: Mapping[str, Json], form: str, address: str
) -> tuple[Attachment, ...]:
    """Return the orders form as a file to fill in, and for a seat that is asked as a page to click in.

    Args:
        saved: The game.
        seat: The seat.
        facts: What its report tells.
        form: The form.
        address: Where its orders are mailed to.
    """
    plain = Attachment(f"{_name_of_forms(saved, facts, seat)}.yaml", "text/x-yaml", form.encode())
    ask = saved.ask
    is_asked = isinstance(ask, Ask) and seat in ask.seats | ask.optional
    return (plain, form_page_file(saved, seat, facts, address)) if is_asked else (plain,)


def form_page_file(saved: SavedGame, seat: Seat, facts: Mapping[str, Json], address: str) -> Attachment:
    """Return the form page of a seat for the newest turn, as it comes with a mail to its player.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    page = page_of(saved, seat, address, facts)
    return Attachment(f"{_name_of_forms(saved, facts, seat)}.html", "text/html", page.encode())


def _name_of_forms(saved: SavedGame, facts: Mapping[str, Json], seat: Seat) -> str:
    """Return the name of the forms' files: the game, and the ask as orders and subject name it."""
    assert isinstance(facts["ask"], dict), "every report has one"
    label = str(facts["ask"]["next"])
    whose = label if label.startswith(f"{seat}-") else f"{seat}-{label}"
    name = re.sub(r"[^A-Za-z0-9-]", "-", f"orders-{saved.name}-{whose}")
    return name if len(name) <= _LONGEST_NAME else f"orders-{saved.name}-{saved.turn}"


def book_files(saved: SavedGame) -> tuple[Attachment, Attachment]:
    """Return the game book as a page and as plain text, the same for every seat."""
    book = book_of(saved)
    return (
        Attachment(f"{book.file}.html", "text/html", book.page.encode()),
        Attachment(f"{book.file}.txt", "text/plain", book.text.encode()),
    )
