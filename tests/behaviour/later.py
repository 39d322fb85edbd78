"""Lines for later turns: what each is called that is judged in a position, before its ask comes.

Usage: python -m tests.behaviour.later

writes down anew what each line of `later.yaml` is called.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook
from pbem.core.interface import Json, Label
from pbem.text.codec import decode
from tests.behaviour.corpus import write
from tests.subjects import subject
from tests.written import yaml_beside

FILE: Final = "later.yaml"

Row: TypeAlias = Mapping[str, Any]


def rows() -> list[Row]:
    """Return the positions of the file: rules, the state, a seat, and lines that it writes there."""
    found: list[Row] = yaml_beside(__file__, FILE)
    return found


def outlooks(row: Row) -> list[Outlook]:
    """Return what the seat of a row can know of each of its lines."""
    rules: Any = subject(row["rules"]).rules
    view = rules.view(decode(rules.state, row["state"]), Seat(row["seat"]))
    found = []
    for line in (one["line"] for one in row["lines"]):
        before = line.get("before")
        settled = None if before is None else tuple(None if do is None else rules.read(do) for do in before)
        at = Label(line["at"]) if "at" in line else None
        found.append(rules.foresee(view, Later(rules.read(line["do"]), at, settled, line.get("when", {}))))
    return found


def called(found: Outlook) -> dict[str, Json]:
    """Return what a line is called: sure, never (with each place), or open with what must be so for it."""
    if found.is_sure:
        return {"sure": True}
    return {
        **({"never": [[*one.path] for one in found.never]} if found.never else {}),
        **({"provided": len(found.provided)} if found.provided else {}),
        **({"unknown": True} if found.unknown else {}),
        **({"besides": len(found.besides)} if found.besides else {}),
    }


def judged(row: Row) -> list[Mapping[str, Any]]:
    """Return the lines of a row, each with what it is called."""
    return [
        {"line": one["line"], **called(found)} for one, found in zip(row["lines"], outlooks(row), strict=True)
    ]


def main() -> int:
    """Write down anew what each line is called."""
    write(FILE, [{**row, "lines": judged(row)} for row in rows()], steps="lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
