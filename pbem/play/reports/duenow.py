"""The newest report with what it does not know: another deadline, moved since, and words above its text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.formowner import own_form
from pbem.text.reports.layout import wrapped
from pbem.text.reports.report import Report

_MOVED: Final = """\
The deadline was moved after this report was made. Orders are due
{}, whatever it says below."""
"""Above the text, which stays word for word, so that it can be checked with `--report`."""


_BELOW_WORDS: Final = ("report.txt", "report.html")
"""What words stand above. The facts and the form are as they were committed but for the deadline."""

_WITH_DUE: Final = (*_BELOW_WORDS, "report.json", "orders.yaml")
"""What tells when orders are due."""


def text_due(text: str, due: str) -> str:
    """Return the text of a report with another deadline, told above it."""
    return f"{_MOVED.format(due)}\n\n{text}"


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
    wanted = {name for name in (_WITH_DUE if due else _BELOW_WORDS if above else ()) if name in names}
    if not wanted:
        return {}
    folder = saved.turns.at(saved.turn) / "reports" / reader

    @cache
    def facts() -> dict[str, Json]:
        known = {**saves.read_json(folder / "report.json"), "key_asked": saved.table.key}
        return {**known, "deadline": due} if due else known

    def text() -> str:
        told = "\n\n".join([*map(wrapped, above), (folder / "report.txt").read_text()])
        return text_due(told, due) if due else told

    def page() -> str:
        corrected: dict[str, Json] = {"corrected": " ".join(above)} if above else {}
        return Report(saved.environment, {**facts(), **corrected}).html

    made: dict[str, Callable[[], str]] = {
        "report.txt": text,
        "report.html": page,
        "report.json": lambda: Report(saved.environment, facts()).json,
        "orders.yaml": lambda: own_form(saved, Seat(reader), Report(saved.environment, facts()).form),
    }
    with template_faults():
        return {name: make() for name, make in made.items() if name in wanted}
