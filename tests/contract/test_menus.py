"""The contract puts each entry of a menu where it may stand, prints it, and makes the page of each ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.contract import Checked, Subject, check
from pbem.contract.shown import menu_faults, unprinted_entries
from pbem.contract.worlds import facts_of
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.interface import Choice, Choices, Json, Menu, Problem
from pbem.core.opening import StartForm
from pbem.text.reports.layout import bare, entry_in_order, named
from pbem.text.reports.report import Report
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.plugins import HILLS, plugged_in
from tests.subjects import subject
from tests.written import rows_of


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Subject]:
    """A game whose menus are all for places: words, numbers, and what stands within something else."""
    with plugged_in(tmp_path / "site", HILLS, monkeypatch):
        yield subject("hills")


def test_a_game_with_menus_by_place_and_a_field_named_luck_keeps_the_contract(hills: Subject) -> None:
    result = check(hills, games=4)

    assert result.breaches == []
    assert (result.games, result.steps) == (4, 16)
    assert result.forms >= 8


def _choices(hills: Subject, **more: Json) -> tuple[Any, Choices]:
    state = hills.rules.setup(hills.seats, {}, {}, Dice(b"", 0))
    view = hills.rules.view(state, hills.seats[0])
    menus = tuple(Menu((path.replace("_", "."),), "More", (Choice(item, ""),)) for path, item in more.items())
    return view, Choices((*hills.rules.choices(view).menus, *menus))


@pytest.mark.parametrize(
    ("more", "wrong"), rows_of(__file__, "an_entry_that_cannot_stand_where_its_menu_says_is_found"), ids=str
)
def test_an_entry_that_cannot_stand_where_its_menu_says_is_found(
    hills: Subject, more: dict[str, Json], wrong: str
) -> None:
    found = [*menu_faults(hills, *_choices(hills, **more))]

    assert len(found) == (1 if wrong else 0)


class _Fails(Leaky[Any, Any, Any]):
    """Rules that fail when they are asked about one stake, or say that it can never be."""

    def __init__(self, rules: Any, problem: Problem | None) -> None:
        super().__init__(rules)
        self.problem = problem

    def check(self, view: Any, move: Any) -> tuple[Problem, ...]:
        """Fail at a stake of 3."""
        if getattr(move, "luck", 0) != 3 or isinstance(move, StartForm):
            return tuple(self.honest.check(view, move))
        if self.problem is None:
            raise KeyError(3)
        return (self.problem,)


@pytest.mark.parametrize(
    ("problem", "wrong"),
    [
        (None, "KeyError: 3"),
        (Problem(("luck",), "no luck is 3", lasting=True), "no luck is 3"),
        (Problem(("luck",), "not now"), ""),
        (Problem(("climb",), "no such hill", lasting=True), ""),
    ],
    ids=["raises", "can never be", "may come", "wrong elsewhere"],
)
def test_an_entry_at_which_the_rules_fail_or_that_can_never_be_is_found(
    hills: Subject, problem: Problem | None, wrong: str
) -> None:
    spoilt = replace(hills, rules=_Fails(hills.rules, problem))

    found = [*menu_faults(spoilt, *_choices(hills))]

    assert [wrong in one and "luck: " in one for one in found] == ([True] if wrong else [])


class _Shy(Leaky[Any, Any, Any]):
    """Rules by which some hill can never be climbed for the stake that silent seats give."""

    def check(self, view: Any, move: Any) -> tuple[Problem, ...]:
        """Refuse to climb Mainz for 1."""
        is_shy = getattr(move, "hill", "") == "mainz" and move.luck == 1
        return (Problem(("climb", "hill"), "too steep for 1", lasting=True),) if is_shy else ()


def test_an_entry_that_fits_beside_the_first_ones_of_the_other_menus_is_in_order(hills: Subject) -> None:
    shy = replace(hills, rules=_Shy(hills.rules))
    view, choices = _choices(hills)
    climb, stake = choices.menus
    dear = stake._replace(items=stake.items[::-1])

    assert len([*menu_faults(shy, view, Choices((climb, stake)))]) == 1
    assert [*menu_faults(shy, view, Choices((climb, dear)))] == []


def _check_printed(hills: Subject, way: Any) -> Checked:
    assert hills.environment is not None
    environment = hills.environment.overlay()
    environment.filters = {**environment.filters, "bare": way}
    return check(replace(hills, environment=environment), games=1, worlds=0)


def test_an_entry_that_the_form_does_not_print_whole_is_found(hills: Subject) -> None:
    assert _check_printed(hills, bare).breaches == []

    cut = _check_printed(hills, lambda order: str(order)[1:-5])

    assert set(cut.kinds) == {"form-incomplete"}
    assert {menu for menu in ("'Hills'", "'Your stake'") if tells(cut.breaches, menu)} == {
        "'Hills'",
        "'Your stake'",
    }


@pytest.mark.parametrize("entry", [True, False, 3, "mainz", "no", "King's Road", 'the "Ox", inside'], ids=str)
def test_an_entry_is_found_in_a_form_as_orders_write_it(entry: Json) -> None:
    choices = Choices((Menu(("lamp",), "Your lamp", (Choice(entry, "as it is"),)),))
    names = {"mainz": "Mainz on the Rhine"}
    form = f"  #   {bare(entry_in_order(named(entry, names), ('lamp',)))}  as it is\n"

    assert [*unprinted_entries(choices, names, form)] == []
    (left_out,) = unprinted_entries(choices, names, "  #   lamp: ?  as it is\n")
    assert tells(left_out, f"{entry!r}", "Your")


def test_a_page_that_cannot_be_made_is_found(hills: Subject) -> None:
    def page(*_told: object) -> str:
        raise KeyError("hints")

    result = check(replace(hills, page=page), games=1, worlds=0)

    (breach,) = result.breaches
    assert result.kinds == ["page-fails"] and tells(breach, "turn-1, blue")
    assert tells(breach, result.steps), "every ask of the first game is looked at"


def test_a_board_that_uses_what_it_does_not_draw_is_found(hills: Subject) -> None:
    """What is called for by a name that nothing has is not seen at all."""

    def page(*_told: object) -> str:
        return '<g id="hill"/><use href="#hill" x="1"/><use x="2" href="#mark-1"/>'

    result = check(replace(hills, page=page), games=1, worlds=0)

    (breach,) = result.breaches
    assert result.kinds == ["board-empty"] and tells(breach, "#mark-1")


def test_the_bot_for_rules_without_bots_puts_menus_by_place_together(hills: Subject) -> None:
    state = hills.rules.setup(hills.seats, {}, {}, Dice(b"", 0))

    orders = [
        bot_order(hills.rules, state, hills.seats[0], Dice(b"", n), skill, hills.takes)
        for skill in ("random", "greedy")
        for n in range(20)
    ]

    assert all(map(hills.takes, orders))
    assert {str(order) for order in orders[20:]} == {
        str({"climb": {"hill": hill}, "luck": 3}) for hill in ("mainz", "luck", "no")
    }, "on the first hill are those who leave what a silent seat would climb"
    assert len({str(order) for order in orders[:20]}) > 4


def test_report_and_form_print_an_entry_by_place_as_it_stands_in_an_order(hills: Subject) -> None:
    assert hills.environment is not None
    state = hills.rules.setup(hills.seats, {}, {}, Dice(b"", 0))

    report = Report(hills.environment, facts_of(hills, state, hills.seats[0], "Ann"))

    assert "WHAT YOU CAN DO NOW - your stake\n  luck: 1  " in report.text
    assert "  #   do: {climb: {hill: north}, luck: 1}\n" in report.text, "an example that is accepted"
    assert "\n  #   climb: {hill: mainz} " in report.form
    assert "put one of these between the braces, a comma before it:\n  #   luck: 1 " in report.form
    assert "<dt>luck: 1</dt>" in report.html


@pytest.mark.parametrize(
    ("title", "told"), rows_of(__file__, "the_form_says_of_a_menu_with_examples_that_they_are_such")
)
def test_the_form_says_of_a_menu_with_examples_that_they_are_such(
    hills: Subject, title: str, told: str
) -> None:
    assert hills.environment is not None
    state = hills.rules.setup(hills.seats, {}, {}, Dice(b"", 0))
    facts = facts_of(hills, state, hills.seats[0], "Ann")
    menus = facts["menus"]
    assert isinstance(menus, list) and isinstance(menus[1], dict)
    menus[1]["title"] = title

    report = Report(hills.environment, facts)

    assert f"{told}  #   luck: 1 " in report.form
    assert f"<p>{title}:</p>" in report.html
