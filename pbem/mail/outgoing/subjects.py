"""Subjects of reports: what their reader has to do, and by when."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.interface import Json
from pbem.play.reports.reading import CoveringLetter
from pbem.text.reports.layout import brief


def subject_of(
    facts: Mapping[str, Json], letter: CoveringLetter, revision: int, *, invites: bool, passed: bool
) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it the label of the ask.

    What matters stands in the first 40 letters, which is what lists of mails show of it. The number of the
    turn is left out: it is not that of the label, which orders name.

    Args:
        facts: What the report is made of.
        letter: Its covering letter.
        revision: How often its turn was taken back.
        invites: It is the first mail of somebody who has taken a seat of a running game.
        passed: The deadline has passed.
    """
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    due = "" if passed or not ask["mine"] else brief(letter.due or str(facts["deadline"]))
    label = f" ({ask['label']})"
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif facts["turn"] == 0:
        what = f"Your invitation{f', answer by {due}' if due else ''}"
    elif invites:
        what = f"Your invitation{f', orders by {due}' if due else ''}"
        label = label if ask["mine"] else ""
    elif letter.is_answered:
        what = f"Your orders count{f', change them by {due}' if due else ''}"
    elif ask["mine"]:
        what = f"Your orders{f' by {due}' if due else ''}, please"
    else:
        what = "Others are asked, nothing to do"
    corrected = "Corrected: " if revision and not invites else ""
    return f"[{facts['game']}] {corrected}{what}{label}"
