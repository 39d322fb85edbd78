"""The newest report with another deadline than it was made with, because that was moved since."""

from __future__ import annotations

from typing import Final

from pbem.core.events import Seat
from pbem.play import saves
from pbem.play.formowner import own_form
from pbem.play.pages import page_of_report
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.text.report import Report

_MOVED: Final = """\
The deadline was moved after this report was made. Orders are due
{}, whatever it says below."""
"""Above the text, which stays word for word, so that it can be checked with `--report`."""


def text_due(text: str, due: str) -> str:
    """Return the text of a report with another deadline, told above it."""
    return f"{_MOVED.format(due)}\n\n{text}"


def file_due(saved: SavedGame, reader: str, name: str, due: str) -> str:
    """Return a file of a reader's report of the newest turn with another deadline; pictures tell none.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    if name == "report.txt":
        return text_due((saved.turns.at(saved.turn) / "reports" / reader / name).read_text(), due)
    facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
    report = Report(saved.environment, {**facts, "deadline": due})
    with template_faults():
        match name:
            case "report.json":
                return report.json
            case "report.html":
                return report.html
            case "orders.yaml":
                return own_form(saved, Seat(reader), report.form)
    return page_of_report(saved, saved.turn, reader, name)
