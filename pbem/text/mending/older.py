"""Orders of which every line is for an ask that has passed: that alone is told, if they do not fit now."""

from __future__ import annotations

from pbem.text.codec import fields_of, items_of
from pbem.text.faults import Fault, Faults
from pbem.text.plaintext import TextProblem
from pbem.text.strictyaml import YamlProblem, parse
from pbem.text.wronglabels import PASSED


def only_older(told: Faults, first: list[Fault], data: bytes) -> Faults:
    """Return the mistakes of orders; of a form of before none but that its time is over, and nothing mixed.

    Where all that was written fits the present ask, the label alone was wrong, and the lines are offered.

    Args:
        told: All mistakes, with what would be accepted.
        first: Those that they have as they stand, before the labels are put right.
        data: The file as far as it was mended.
    """
    try:
        value = fields_of(parse(data).value)
    except (TextProblem, YamlProblem):
        return told
    labels = {PASSED.format(fields_of(line).get("at")) for line in items_of(value.get("orders"))}
    if not labels or {fault.text for fault in first} != labels:
        return told
    over = [fault for fault in told if fault.text in labels]
    if len(over) == len(told) and told.offer and not (told.is_example or told.is_less):
        return told
    return Faults(over, (), told.notes, older=(str(value.get("game", "")), str(value.get("seat", ""))))
