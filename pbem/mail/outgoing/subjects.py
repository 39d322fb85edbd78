"""The subjects of reports and invitations: what the reader has to do, by when, and of which game."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.interface import Json
from pbem.text.reports.layout import brief


def subject_of(facts: Mapping[str, Json], revision: int, *, invites: bool = False) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it the label of the ask.

    What matters stands in the first 40 letters, which is what lists of mails show of it. The number of the
    turn is left out: it is not that of the label, which orders name.

    Args:
        facts: What the report is made of.
        revision: How often its turn was taken back.
        invites: It is the first mail of somebody who has taken a seat of a running game.
    """
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    due, label = brief(str(facts["deadline"])) if ask["mine"] else "", f" ({ask['label']})"
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif facts["turn"] == 0:
        what = f"Your invitation{f', answer by {due}' if due else ''}"
    elif invites:
        what = f"Your invitation{f', orders by {due}' if due else ''}"
        label = label if ask["mine"] else ""
    elif ask["mine"] and _are_answered(facts["orders"]):
        what = f"Your orders count{f', change them by {due}' if due else ''}"
    elif ask["mine"]:
        what = f"Your orders{f' by {due}' if due else ''}, please"
    else:
        what = "Others are asked, nothing to do"
    corrected = "Corrected: " if revision and not invites else ""
    return f"[{facts['game']}] {corrected}{what}{label}"


def _are_answered(orders: Json) -> bool:
    """Tell whether a line that stands answers what is asked now."""
    return isinstance(orders, list) and any(isinstance(one, dict) and "answers" in one for one in orders)
