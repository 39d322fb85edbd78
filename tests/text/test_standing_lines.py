"""A form shows the lines and the stop that stand, behind a mark: without it they mean what they meant."""

from __future__ import annotations

import re

import pytest

from pbem.core.book import Line, Orders
from pbem.core.events import Seat
from pbem.text.codec import fields_of, items_of
from pbem.text.judging import Verdict
from pbem.text.orders import Submission
from tests.pictures import RULES, Scene
from tests.subjects import subject
from tests.text.test_ready_lines import (
    form_of,
    judged,
    looked_at,
    spread,
    submission_of,
    unmarked,
    with_example,
)


def ahead(scene: Scene, seat: Seat) -> Orders:
    """Return orders for later: all that a form without any offers, and a line for when the seat is silent."""
    text = re.sub(r"- at: .*\n  do: \{\}\n", "", form_of(scene, seat), count=1)
    found = submission_of(scene, seat, re.sub(r"^press:\n- .*\n", "", unmarked(text), flags=re.MULTILINE))
    assert isinstance(found, Submission), (found, text)
    orders = found.orders
    label = next((line.at for line in orders.lines if line.at), None)
    if orders.lines and label is not None:
        silent = Line(0, label, {}, False, orders.lines[0].do, if_silent=True)
        orders = orders._replace(lines=(silent, *orders.lines))
    return orders._replace(press=(), fresh=False, wait=True)


def meant(orders: Orders) -> tuple[object, ...]:
    """Return what orders mean, whatever the numbers of their lines."""
    return [line._replace(number=0) for line in orders.lines], orders.stop_if, orders.wait


@pytest.mark.parametrize(
    ("template", "rules"), [*(("reply", rules) for rules in RULES), ("orders", "web-of-intrigue")]
)
def test_what_stands_is_in_the_form_and_means_the_same_without_its_mark(rules: str, template: str) -> None:
    templates = subject(rules).environment
    assert templates is not None
    kept = stops = 0
    for scene, seat in looked_at(spread(rules)[1::2]):
        orders = ahead(scene, seat)
        if template == "reply" and len(orders.lines) > 6:  # it shows a few lines
            orders = orders._replace(lines=(*orders.lines[:3], *orders.lines[-3:]))
        told = scene.facts(seat, orders)
        never = {one["order"] for one in map(fields_of, items_of(told["orders"])) if "never" in one}
        orders = orders._replace(lines=tuple(line for line in orders.lines if line.number not in never))
        form = templates.get_template(f"common/{template}.yaml.j2").render(told)
        filled = with_example(re.sub(r"\n#press:(?:.*\n)*", "\n", form))
        again = submission_of(scene, seat, "".join(_own(filled, orders)))
        assert isinstance(again, Submission), (again, form)
        lines = again.orders.lines[bool("EXAMPLE" in form) :]
        assert meant(again.orders._replace(lines=lines)) == meant(orders), form
        verdict = judged(scene, seat, "".join(_own(filled, orders)))
        assert isinstance(verdict, Verdict)
        assert verdict.faults == [], form
        kept += len(lines)
        stops += bool(orders.stop_if)
    assert kept >= 20
    assert stops >= 5


def _own(form: str, orders: Orders) -> list[str]:
    """Return a form without the marks of what stands: first the lines, then the stop."""
    head, found, rest = form.partition("## YOUR ORDERS that stand")
    assert bool(found) is bool(orders.lines), form
    lines, stop, end = rest.partition("## YOUR STOP that stands")
    assert bool(stop) is bool(orders.stop_if), form
    _, found, lines = lines.partition("\n")
    return [head, unmarked(lines), unmarked(f"##{end}")]
