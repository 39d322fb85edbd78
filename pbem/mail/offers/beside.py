"""Words that stand beside orders in a mail: who reads them, and what their writer is told of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from pbem.mail.arrivals.cases import Case
from pbem.mail.conversation.asking import pass_on, reader_of
from pbem.mail.conversation.pressmail import MOST_LETTERS, MOST_LINES
from pbem.mail.conversation.replies import Reply
from pbem.text.mail.orders.keys import NAMES_READERS
from pbem.text.reports.layout import within
from pbem.text.yaml.carets import visible

_LONGEST: Final = 40
_ANONYMOUS: Final = re.compile(r"anonymous\s*:", re.IGNORECASE)


def with_words(case: Case, answer: Reply) -> Reply:
    """Pass on what stands beside orders for the moderator, and return their receipt with a note of it.

    Press beside orders goes to nobody, for others would read the orders: it is shown as it can be sent.
    """
    mail, host, notes = case.looked.mail, reader_of(case.desk)["host"], answer.facts.get("notes")
    press = press_beside(case)
    if mail.automatic or not (mail.to_moderator or press or case.asks_beside_orders):
        return answer
    told: list[str] = []
    if mail.to_moderator and pass_on(case) == "full":
        told.append(
            f"too many mails of yours wait for {host}, who has not got what you wrote above these orders."
        )
    elif mail.to_moderator:
        told.append(f"the whole mail went to {host} too, as its beginning says.")
    elif not press:
        told.append(
            "nobody reads the question beside these orders. To ask a person, send it in a mail of its own, "
            "or write `to: moderator` as the first line."
        )
    shown = "\n".join(press)
    is_sendable = len(press) > 1 and len(shown) <= MOST_LETTERS and len(press) <= MOST_LINES
    if press:
        told.append(
            f"nobody got what stands below `{within(press[0], _LONGEST)}`, for there are orders too. Send it "
            f"in a mail of its own{', without the bars:' if is_sendable else '.'}"
        )
    kept = notes if isinstance(notes, list) else []
    facts = {**answer.facts, "notes": [*kept, *told], "unsent": shown if is_sendable else ""}
    return replace(answer, facts=facts)


def press_beside(case: Case) -> list[str]:
    """Return press that stands above or below the orders of a mail, from its line `to:` on; [] without any.

    What is for the moderator alone, as the first line says, is none.
    """
    lines, ordered = case.looked.lines, {line.strip() for line in case.ordered} - {""}
    head = 1 if case.looked.mail.to_moderator else 0
    filled = [number for number, line in enumerate(lines) if line.strip()][head:]
    own = (number for number in filled if lines[number].strip() not in ordered)
    start = next((number for number in own if NAMES_READERS.match(lines[number].strip())), None)
    if start is None:
        return []
    above = takewhile(_ANONYMOUS.match, (lines[number] for number in reversed(filled) if number < start))
    said = takewhile(lambda line: line.strip() not in ordered, lines[start + 1 :])
    return _parted([visible(line).rstrip() for line in (lines[start].strip(), *above, *said)])


def _parted(lines: Sequence[str]) -> list[str]:
    """Return press with an empty line between whom it is for and what it says."""
    fields = 1
    while fields < len(lines) and _ANONYMOUS.match(lines[fields]):
        fields += 1
    said = "\n".join(lines[fields:]).strip().splitlines()
    return [*lines[:fields], *(["", *said] if said else [])]
