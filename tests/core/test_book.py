"""The book of pending lines: which line answers an ask, and what becomes of the others."""

from __future__ import annotations

import pytest

from pbem.core.book import (
    Consultation,
    Line,
    OrderLapsed,
    Orders,
    find_answering_line,
    find_owing_seats,
    remove_used_lines,
)
from pbem.core.events import only
from pbem.core.interface import Ask, Json, Label
from tests.core.small_rules import ANN, Number, Pile, Stones, lodged
from tests.facts import each_tells
from tests.written import rows_of

NOW = Label("ann-1")
RULES = Stones()
VIEW = RULES.view(Pile(stones=5), ANN)


def ask(orders: Orders, *, may_stop: bool = True) -> Consultation[Number]:
    return find_answering_line(RULES, VIEW, ANN, NOW, orders, may_stop=may_stop)


def line_of(found: Consultation[Number]) -> int | None:
    return found.line.number if found.line else None


@pytest.mark.parametrize(
    ("lines", "fires", "left"), rows_of(__file__, "the_first_line_that_fits_and_is_legal_fires")
)
def test_the_first_line_that_fits_and_is_legal_fires(
    lines: list[dict[str, Json]], fires: int | None, left: list[int]
) -> None:
    found = ask(lodged(*lines))

    assert line_of(found) == fires
    assert [line.number for line in found.orders.lines] == left


def test_stop_if_says_nothing_when_no_line_is_left() -> None:
    found = ask(lodged(stop_if={"stones": 5}))

    assert found.events == ()


@pytest.mark.parametrize(("answered", "used", "left"), rows_of(__file__, "lines_whose_ask_has_passed_go"))
def test_lines_whose_ask_has_passed_go(answered: str, used: int | None, left: list[int]) -> None:
    orders = lodged(
        {"at": "ann-1", "do": {"take": 1}},
        {"at": "ann-2", "do": {"take": 1}},
        {"do": {"take": 1}},
        {"keep": True, "do": {"take": 1}},
    )
    line = _numbered(orders, used)

    kept, events = remove_used_lines(ANN, orders, Label(answered), line, "was skipped")

    assert [line.number for line in kept.lines] == left
    assert all(event.to == only(ANN) for event in events)


def test_a_standing_order_for_one_ask_goes_with_that_ask() -> None:
    orders = lodged({"at": "ann-1", "keep": True, "do": {"take": 1}})

    kept, events = remove_used_lines(ANN, orders, NOW, orders.lines[0], "was answered by order 1")

    assert (kept.lines, events) == ((), ())


def test_a_standing_order_stays_up_to_the_ask_that_it_names() -> None:
    orders = lodged({"until": "ann-2", "do": {"take": 1}})
    line = orders.lines[0]

    kept, events = remove_used_lines(ANN, orders, NOW, line, "was answered by order 1")
    used_up, more = remove_used_lines(ANN, kept, Label("ann-2"), line, "was answered by order 1")
    unused, _lapsed = remove_used_lines(ANN, kept, Label("ann-3"), None, "was skipped")

    assert (kept.lines, events) == ((line,), ())
    assert (used_up.lines, more) == ((), ())
    assert unused.lines == ()


def test_a_line_above_the_one_that_was_played_lapses_for_its_condition() -> None:
    orders = lodged(
        {"at": "ann-1", "when": {"stones": 4}, "do": {"take": 1}},
        {"at": "ann-1", "do": {"take": 2}},
        {"at": "ann-1", "when": {"stones": 4}, "do": {"take": 3}},
    )

    _, events = remove_used_lines(ANN, orders, NOW, orders.lines[1], "was answered by order 2")

    lapsed = [event for event in events if isinstance(event, OrderLapsed)]
    assert [event.order for event in lapsed] == [1, 3]
    assert each_tells([event.why for event in lapsed], ("ann-1",), ("ann-1", "2"))


def test_an_else_line_lapses_with_the_line_that_was_played_instead() -> None:
    orders = lodged({"at": "ann-1", "do": {"take": 1}}, {"at": "ann-1", "do": {"take": 2}})

    kept, events = remove_used_lines(ANN, orders, NOW, orders.lines[0], "was answered by order 1")

    why = "ann-1 was answered by order 1"
    assert events == (OrderLapsed(ANN, 2, {"take": 2}, why, to=only(ANN)),)
    assert kept.lines == ()


def _numbered(orders: Orders, number: int | None) -> Line | None:
    return next((line for line in orders.lines if line.number == number), None)


def test_what_stops_playing_on_goes_with_the_last_line() -> None:
    stop: dict[str, Json] = {"stones": 1}
    orders = lodged({"do": {"take": 1}}, stop_if=stop)

    assert orders.remaining_orders().stop_if == stop
    assert lodged(stop_if=stop).remaining_orders().stop_if == {}


@pytest.mark.parametrize(
    ("stop_if", "fresh", "waits"),
    [
        pytest.param({}, False, False, id="nothing-stops-it"),
        pytest.param({"stones": 4}, False, False, id="what-would-stop-it-is-not-there"),
        pytest.param({"stones": 5}, False, True, id="older-lines-are-stopped"),
        pytest.param({"stones": 5}, True, False, id="fresh-ones-answer-the-ask-they-were-sent-for"),
    ],
)
def test_a_seat_whose_lines_are_stopped_is_waited_for(
    stop_if: dict[str, Json], fresh: bool, waits: bool
) -> None:
    orders = lodged({"do": {"take": 1}}, stop_if=stop_if, fresh=fresh)

    now = Ask("take", NOW, frozenset([ANN]))
    found = find_owing_seats(RULES, Pile(stones=5), now, {ANN: orders}, bots=(), forced=False)

    assert found == (frozenset([ANN]) if waits else frozenset())
