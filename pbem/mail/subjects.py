"""The subjects of reports and invitations: what the reader has to do, by when, and of which game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.core.interface import Json

_SPELLED: Final = re.compile(r"(\w{3,}) ([0-9]{2}) (\w{3,}) [0-9]{4}, ([0-9]{2}:[0-9]{2}) (\S+)")


def subject_of(facts: Mapping[str, Json], revision: int) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it turn and label.

    What matters stands in the first 40 letters, which is what lists of mails show of it.
    """
    ask, turn = facts["ask"], facts["turn"]
    assert isinstance(ask, dict), "every report has one"
    due = brief(str(facts["deadline"])) if ask["mine"] else ""
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif turn == 0:
        what, label = f"Your invitation{f', answer by {due}' if due else ''}", str(ask["label"])
    elif ask["mine"] and (answer := _answer(facts["orders"])):
        what = f"Your order {answer} counts{f', change it by {due}' if due else ''}"
        label = str(ask["label"])
    elif ask["mine"]:
        what, label = f"Your orders{f' by {due}' if due else ''}, please", str(ask["label"])
    else:
        what, label = "Others are asked, nothing to do", str(ask["label"])
    named = [f"turn {turn}", label] if turn and not label.startswith("turn-") else [label]
    corrected = "Corrected: " if revision else ""
    return f"[{facts['game']}] {corrected}{what} ({', '.join(filter(None, named))})"


def _answer(orders: Json) -> Json:
    """Return the number of the line that answers what is asked now, or None."""
    rows = orders if isinstance(orders, list) else []
    return next((one["order"] for one in rows if isinstance(one, dict) and "answers" in one), None)


def brief(deadline: str) -> str:
    """Return a deadline that stands in a report as short as a subject wants it: "Tue 24 Nov 20:00 EET"."""
    found = _SPELLED.match(deadline)
    return " ".join((found[1][:3], str(int(found[2])), found[3][:3], *found.group(4, 5))) if found else ""
