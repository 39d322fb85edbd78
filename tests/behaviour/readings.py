"""Mails as programs send them, and what is found in each: orders and where they stood, or why there are none.

Usage: python -m tests.behaviour.readings

writes down anew what is found in each mail of `readings.yaml`.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from pbem.core.interface import Json
from pbem.text.mail.findorders import FoundOrders
from pbem.text.orders import open_envelope
from pbem.text.strictyaml import parse
from tests.behaviour import corpus
from tests.mail.letters import MEANT, search
from tests.written import yaml_beside

FILE: Final = "readings.yaml"
WRITTEN: Final = ("mail", "raw", "base64")
"""The fields of a mail that somebody writes: its name and its bytes; the others are what is found in it."""

Row = dict[str, Any]


def rows() -> list[Row]:
    """Return the mails."""
    found: list[Row] = yaml_beside(__file__, FILE)
    return found


def found_in(row: Row) -> dict[str, Json]:
    """Return what is found in a mail: where orders stood, which if not those of all, and how much is told.

    Of orders with a mistake it is where the first stands in the mail, and that line.
    """
    found = search(corpus.raw_of(row))
    if not isinstance(found, FoundOrders):
        return {"none": found.reason}
    faults = open_envelope(found.text)
    if isinstance(faults, list):
        place = faults[0].line, faults[0].column
        return {"found": found.origin, "wrong": [*found.place(*place), found.shown(*place)]}
    orders = parse(found.text).value
    return {
        "found": found.origin,
        **({} if orders == MEANT else {"orders": orders}),
        **({"notes": len(found.notes)} if found.notes else {}),
    }


def main() -> int:
    """Write down anew what is found in each mail."""
    asked = [{name: value for name, value in row.items() if name in WRITTEN} for row in rows()]
    corpus.write(FILE, [{**row, **found_in(row)} for row in asked])
    return 0


if __name__ == "__main__":
    sys.exit(main())
