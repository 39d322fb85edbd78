"""What conditions of orders for later suppose of a fact, against what the fact can be by then."""

from __future__ import annotations

from collections.abc import Collection

from pbem.core.conditions import is_term_met
from pbem.core.interface import Json

_FEW = 8


def fits(value: object, wanted: Json) -> bool:
    """Tell whether a value is what an entry of a condition wants."""
    return is_term_met({"it": wanted}, {"it": value})


def why_unfit(values: Collection[object] | None, wanted: Json) -> str:
    """Say what a fact can be where none of it is wanted: "is 3", "is from 1 to 4", "is red or white".

    Args:
        values: All that it can be; None where nobody knows.
        wanted: What an entry of a condition wants of it.

    Returns:
        A predicate for the fact; "" if it can be what is wanted, or if nobody knows.
    """
    if values is None or any(fits(one, wanted) for one in values):
        return ""
    if isinstance(values, range):
        least, most = values.start, values.stop - 1
        return f"is {least}" if least == most else f"is from {least} to {most}"
    said = [*map(_say, dict.fromkeys(values))]
    return f"is {' or '.join(said)}" if len(said) <= _FEW else "cannot be that"


def _say(value: object) -> str:
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
