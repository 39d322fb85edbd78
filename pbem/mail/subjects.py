"""The subjects of reports and invitations: what the reader has to do, by when, and of which game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.core.interface import Json

_SPELLED: Final = re.compile(r"(\w{3,}) ([0-9]{2}) (\w{3,}) [0-9]{4}, ([0-9]{2}:[0-9]{2}) (\S+)")


def subject_of(facts: Mapping[str, Json], revision: int) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it the label of the ask.

    What matters stands in the first 40 letters, which is what lists of mails show of it. The number of the
    turn is left out: it is not that of the label, which orders name.
    """
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    due, label = brief(str(facts["deadline"])) if ask["mine"] else "", f" ({ask['label']})"
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif facts["turn"] == 0:
        what = f"Your invitation{f', answer by {due}' if due else ''}"
    elif ask["mine"] and _are_answered(facts["orders"]):
        what = f"Your orders count{f', change them by {due}' if due else ''}"
    elif ask["mine"]:
        what = f"Your orders{f' by {due}' if due else ''}, please"
    else:
        what = "Others are asked, nothing to do"
    corrected = "Corrected: " if revision else ""
    return f"[{facts['game']}] {corrected}{what}{label}"


def _are_answered(orders: Json) -> bool:
    """Tell whether a line that stands answers what is asked now."""
    return isinstance(orders, list) and any(isinstance(one, dict) and "answers" in one for one in orders)


def brief(deadline: str) -> str:
    """Return a deadline that stands in a report as short as a subject wants it: "Tue 24 Nov 20:00 EET"."""
    found = _SPELLED.match(deadline)
    return " ".join((found[1][:3], str(int(found[2])), found[3][:3], *found.group(4, 5))) if found else ""
