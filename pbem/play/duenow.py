"""The newest report with what it does not know: another deadline, moved since, and words above its text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.play import saves
from pbem.play.formowner import own_form
from pbem.play.pages import page_of_report
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.text.layout import wrapped
from pbem.text.report import Report

_MOVED: Final = """\
The deadline was moved after this report was made. Orders are due
{}, whatever it says below."""
"""Above the text, which stays word for word, so that it can be checked with `--report`."""


def text_due(text: str, due: str) -> str:
    """Return the text of a report with another deadline, told above it."""
    return f"{_MOVED.format(due)}\n\n{text}"


def file_due(saved: SavedGame, reader: str, name: str, due: str, above: Sequence[str] = ()) -> str:
    """Return a file of a reader's report of the newest turn as `files_due` does; pictures stay as they are.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    telling = files_due(saved, reader, (name,), due, above)
    return telling[name] if telling else page_of_report(saved, saved.turn, reader, name)


def files_due(
    saved: SavedGame, reader: str, names: Collection[str], due: str, above: Sequence[str] = ()
) -> dict[str, str]:
    """Return those of some files of a reader's newest report that tell something else than was committed.

    Args:
        saved: The game.
        reader: A seat, or the spectator.
        names: The files.
        due: When orders are due, in words, if that was changed after the report; else "".
        above: What else was changed since: paragraphs that stand above the text, and on the page.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    folder = saved.turns.at(saved.turn) / "reports" / reader
    facts = {**saves.read_json(folder / "report.json"), "key_asked": saved.table.key}
    if due:
        facts["deadline"] = due
    if above:
        facts["corrected"] = " ".join(above)
    report = Report(saved.environment, facts)

    def text() -> str:
        told = "\n\n".join([*map(wrapped, above), (folder / "report.txt").read_text()])
        return text_due(told, due) if due else told

    made: dict[str, Callable[[], str]] = {"report.txt": text, "report.html": lambda: report.html}
    if due:
        made["report.json"] = lambda: report.json
        made["orders.yaml"] = lambda: own_form(saved, Seat(reader), report.form)
    with template_faults():
        return {name: make() for name, make in made.items() if name in names}
