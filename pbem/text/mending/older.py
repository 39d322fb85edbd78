"""Orders of a form for an ask that has passed: that alone is told, and once, if they do not fit now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from pbem.core.interface import Json
from pbem.core.wording import listed
from pbem.text.mail.orders.marker import find
from pbem.text.schemas.codec import fields_of, items_of
from pbem.text.submission.faults import Fault, Faults
from pbem.text.submission.wronglabels import PASSED
from pbem.text.yaml.plaintext import TextProblem
from pbem.text.yaml.strictyaml import YamlProblem, parse

_OVER: Final = PASSED.format("")


def only_older(told: Faults, first: list[Fault], data: bytes) -> Faults:
    """Return the mistakes of orders; of a form of before none but that its time is over, and nothing mixed.

    It is one if each of its lines is for an ask that has passed, or if its first line names such an ask and
    one of its lines is for that. Where all that was written fits the present ask, the labels alone were
    wrong, and the lines are offered.

    Args:
        told: All mistakes, with what would be accepted.
        first: Those that they have as they stand, before the labels are put right.
        data: The file as far as it was mended.
    """
    try:
        value = fields_of(parse(data).value)
    except (TextProblem, YamlProblem):
        return told
    lines = [fields_of(line).get("at") for line in items_of(value.get("orders"))]
    passed = [lines[int(fault.part) - 1] for fault in first if fault.kind == "label-passed"]
    is_all = len(passed) == len(first) and all(at in passed for at in lines)
    if not is_all and _form_of(value, data) not in passed:
        return told
    over = [fault for fault in told if fault.kind == "label-passed"]
    is_mixed = told.is_less and (is_all or any(one.lines for one in told.offer))
    if len(over) == len(told) and told.offer and not (told.is_example or is_mixed):
        return told
    return Faults(over, (), told.notes, older=(str(value.get("game", "")), str(value.get("seat", ""))))


def _form_of(value: dict[str, Json], data: bytes) -> str:
    """Return the label of the ask that the form was made for; "" if its first line is gone."""
    whose = (str(value.get("game", "")), str(value.get("seat", "")))
    for line in data.decode("utf-8", "replace").split("\n"):
        said = find(line) if "pbem form" in line else None
        if said is not None and (said.game, said.seat) == whose:
            return said.label
    return ""


def told_once(faults: Iterable[Fault], place: Callable[[int], int]) -> list[Fault]:
    """Return mistakes as people are told of them: labels that have passed are one, with all its lines.

    Args:
        faults: The mistakes.
        place: Returns the line in the text of the player for one of the orders.
    """
    every = list(faults)
    over = [fault for fault in every if fault.kind == "label-passed"]
    if len(over) < 2:
        return every
    labels = list(dict.fromkeys(fault.text.removesuffix(_OVER) for fault in over))
    lines = sorted({place(fault.line) for fault in over})
    have = "has" if len(labels) == 1 else "have"
    where = f", in lines {listed(map(str, lines))}" if len(lines) > 1 else ""
    one = over[0]._replace(text=f"{listed(labels)} {have} passed{where}")
    return [one if fault is over[0] else fault for fault in every if fault is over[0] or fault not in over]
