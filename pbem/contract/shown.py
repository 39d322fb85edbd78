"""What players are shown: the game book, reports with forms, menus by place, lines drafted, and examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from pbem.contract.subject import Checked, OrderedPosition, Subject
from pbem.contract.worlds import facts_of
from pbem.core.bots import bot_order
from pbem.core.conditions import explain_mismatch, is_term_met, unknown_path
from pbem.core.events import Seat
from pbem.core.interface import Ask, Choices, Draft, Json, draft_of, put_at
from pbem.core.opening import Opening
from pbem.text.lookahead import AskContext, followed
from pbem.text.reports.report import Report
from pbem.text.reports.sandbox import template_fault
from pbem.text.yamlwrite import dump_flow

TO_FILL: Final = "..."
"""Stands in an entry for what the player is to name."""

TRIED: Final = "(tried in the order of `hold`, in the form's example, and alone)"
"""What stood beside an entry that is wrong wherever it was put."""

Path = tuple[str | int, ...]


def menu_faults(subject: Subject, view: Any, choices: Choices) -> Iterator[str]:
    """Yield what is wrong with the entries of menus for places; whole orders are checked where bots play.

    An entry may be wrong beside what stands in other places; it is not to be wrong in its own.

    Args:
        subject: The rules.
        view: What a seat that is asked knows.
        choices: What it may order.
    """
    example = draft_of(subject.rules, view, choices, subject.takes).now
    bases: list[Json] = [subject.rules.hold(view), example, {}]
    for menu in choices.menus:
        for path in menu.paths if "" not in menu.paths else ():
            for item in menu.items if path == menu.paths[0] else menu.items[:1]:
                if not _has_blank(item.order) and (
                    wrong := _why_wrong(subject, view, bases, path, item.order)
                ):
                    yield f"the menu {menu.title!r} has {item.order!r} for {path}: {wrong} {TRIED}"


def unprinted_entries(choices: Choices, names: Mapping[str, Json], form: str) -> Iterator[str]:
    """Yield the entries of menus for places that are no lists or tables and stand nowhere in the form.

    Args:
        choices: What a seat may order.
        names: How things are called, by id.
        form: The form that was made of it.
    """
    printed = re.sub(r"\s*\n[# ]*", " ", form)
    for menu in choices.menus:
        for item in menu.items if "" not in menu.paths else ():
            if not isinstance(item.order, str | int):
                continue
            words = {dump_flow(item.order)}
            if isinstance(item.order, str):
                called = str(names.get(item.order, item.order))
                words = {item.order, called, dump_flow(called)}
            if not any(_has_word(word, printed) for word in words):
                yield f"the form leaves out {item.order!r} of the menu {menu.title!r}"


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _has_blank(value: Json) -> bool:
    """Tell whether a part of an entry is left to the player."""
    if isinstance(value, dict | list):
        return any(map(_has_blank, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and TO_FILL in value


def _why_wrong(subject: Subject, view: Any, bases: list[Json], path: str, item: Json) -> str:
    """Say why an entry can stand at a place in none of some orders, alone or in a list, or return ""."""
    place: Path = tuple(path.split("."))
    orders = [put_at(base, path, value) for base in bases for value in (item, [item])]
    taken = [order for order in orders if subject.takes(order)]
    why = _why_refused if taken else _why_misshapen
    found = []
    for order in taken or orders:
        found.append(why(subject, view, order, place))
        if not found[-1]:
            return ""
    return found[0]


def _why_misshapen(subject: Subject, view: Any, order: Json, place: Path) -> str:
    """Say what the schema forbids at a place, or return "" if only something else is missing."""
    faults = subject.moves.problems(order)
    here = [
        fault.text for fault in faults if fault.path[: len(place)] == place and fault.kind != "field-missing"
    ]
    return f"schema: {here[0]}" if here else ""


def _why_refused(subject: Subject, view: Any, order: Json, place: Path) -> str:
    """Say what the rules will always refuse at a place, or return ""."""
    try:
        problems = subject.rules.check(view, subject.rules.read(order))
    except Exception as wrong:  # a plug-in's own code may raise anything
        return f"{type(wrong).__name__}: {wrong}"
    lasting = [one.text for one in problems if one.lasting and one.path[: len(place)] == place]
    return lasting[0] if lasting else ""


ENOUGH: Final = 4
"""So many tries in vain are no accident."""
STEPS: Final = 6
"""So many steps are played on until a seat is asked again."""


def try_next(subject: Subject, ordered: OrderedPosition, seat: Seat, result: Checked) -> None:
    """Give the order for now that a form shows, and see whether the one for the next ask is legal then.

    Args:
        subject: The rules.
        ordered: The position, and what is ordered in it.
        seat: The owner of the form; it gives the order of its form in place of its own.
        result: Where counts go.
    """
    rules, view, opening = subject.rules, ordered.before.view(seat), subject.opening
    draft = opening.draft(view, opening.choices(view))
    here = AskContext(opening, view, ordered.ask, ordered.asked, seat)
    found = followed(here, draft, draft.now)
    if found.now is None or found.then is None or any(map(subject.moves.problems, (found.now, found.then))):
        return
    now = rules.read(found.now)
    if rules.check(view, now):
        return  # which is told elsewhere
    state = rules.resolve(ordered.state, {**ordered.moves, seat: now}, ordered.dice).state
    for number in range(STEPS):
        again = rules.ask(state)
        if not isinstance(again, Ask):
            return
        if again.label == here.label(found.now) and seat in again.seats:
            break
        luck = ordered.dice.apart("next", str(number))
        orders = {
            one: bot_order(rules, state, one, luck.apart("bot", one), "random", subject.takes)
            for one in sorted(again.seats)
        }
        if not all(map(subject.takes, orders.values())):
            return  # the bot errs, which is told elsewhere
        state = rules.resolve(state, {one: rules.read(do) for one, do in orders.items()}, luck).state
    else:
        return
    then = rules.view(state, seat)
    if is_term_met(found.when, then):
        result.next_tried += 1
        result.next_refused += bool(rules.check(then, rules.read(found.then)))
        result.next_shown = f"{found.then} at {again.label} after {found.now} at {ordered.ask.label}"


def check_next_ask(result: Checked) -> None:
    """Note a breach if what forms show for the next ask was refused whenever it was tried."""
    if result.next_tried >= ENOUGH and result.next_refused == result.next_tried:
        told = f"{result.next_tried} times out of {result.next_tried}, such as {result.next_shown}"
        why = "a `foresee` that calls it never leaves it out, a `draft` brings another one"
        result.breach("next-refused", f"the example of the form for the next ask was refused {told}; {why}")


def check_book(subject: Subject, result: Checked) -> None:
    """Make the game book as text and as a page, if the subject has one; what fails is a breach."""
    if subject.book is None:
        return
    try:
        made = subject.book()
    except Exception as wrong:  # a plug-in's templates may raise anything
        result.breach("book-fails", f"the game book cannot be made: {template_fault(wrong)}")
    else:
        if not all(text.strip() for text in made):
            result.breach("book-empty", "the game book is empty")


def check_report_and_form(subject: Subject, ordered: OrderedPosition, number: int, result: Checked) -> None:
    """Make the report, the form and the page of one seat that is asked, and try what they offer.

    Args:
        subject: The rules.
        ordered: The position, and what is ordered in it.
        number: Chooses the seat, one after the other.
        result: Where breaches go.
    """
    waited_for = [seat for seat in subject.seats if seat in ordered.ask.seats]
    if not waited_for:
        return
    seat = waited_for[number % len(waited_for)]
    view, place = ordered.before.view(seat), f"{ordered.where}, {seat}"
    opening = subject.opening
    try:
        choices = opening.choices(view)
        for wrong in menu_faults(subject, view, choices):
            result.breach("choices-misfit", wrong, place)
        draft = opening.draft(view, choices)
        for wrong in _draft_flaws(subject, opening, view, draft):
            result.breach("draft-wrong", f"the form drafts {wrong}", place)
    except Exception as failed:  # a plug-in's own draft or wording may raise anything
        result.breach(
            "draft-fails", f"the lines of the form cannot be drafted or said: {template_fault(failed)}", place
        )
        return
    try:
        try_next(subject, ordered, seat, result)
    except Exception as failed:  # a plug-in's rules may raise anything
        told = "the steps after the form's order for now cannot be played"
        result.breach("next-fails", f"{told}: {template_fault(failed)}", place)
    if subject.environment is None:
        return
    try:
        facts = facts_of(subject, ordered.state, seat, ordered.where)
        report = Report(subject.environment, facts)
        report.files()
    except Exception as wrong:
        result.breach("report-fails", f"the report cannot be made: {template_fault(wrong)}", place)
        return
    result.forms += 1
    if not report.form.strip():
        result.breach("form-empty", "the form is empty", place)
    names = facts.get("names")
    assert isinstance(names, dict), "every report has names"
    for left_out in unprinted_entries(choices, names, report.form):
        result.breach("form-incomplete", left_out, place)
    if subject.page is not None:
        _check_page(partial(subject.page, opening, ordered.state, ordered.ask, seat, facts), place, result)


def _check_page(make: Callable[[], str], place: str, result: Checked) -> None:
    try:
        made = make()
    except Exception as wrong:  # a plug-in's hints and trials may raise anything
        result.breach("page-fails", f"the order page cannot be made: {template_fault(wrong)}", place)
    else:
        if not made.strip():
            result.breach("page-empty", "the order page is empty", place)
        drawn = set(re.findall(r'\bid="([^"]+)"', made))
        for name in dict.fromkeys(re.findall(r'<use\b[^>]*href="#([^"]+)"', made)):
            if name not in drawn:
                how = ": call marks(seats) before mark(...)" if name.startswith("mark-") else ""
                result.breach(
                    "board-empty",
                    f"the board shows nothing where it uses #{name}, which it does not draw{how}",
                    place,
                )


def _draft_flaws(subject: Subject, opening: Opening[Any, Any, Any], view: Any, draft: Draft) -> Iterator[str]:
    """Yield what is wrong with the lines of a draft: for now, for later, standing, and their conditions."""
    rules = subject.rules
    for name, order, lasts in (
        ("for now", draft.now, False),
        ("for later", draft.then, True),
        ("as a standing order", draft.keep, True),
    ):
        if order is None:
            continue
        if wrong := subject.moves.problems(order):
            yield f"{order} {name}: schema: {wrong[0].text}"
            continue
        found = [one.text for one in rules.check(view, rules.read(order)) if one.lasting or not lasts]
        if found:
            yield f"{order} {name}: {'; '.join(found)}"
        if not opening.wording.order(order).strip():
            yield f"{order} {name}, which has no words"
    for name, condition in (("when", draft.when), ("stop_if", draft.stop_if)):
        yield from _condition_flaws(opening, view, name, condition)


def _condition_flaws(
    opening: Opening[Any, Any, Any], view: Any, name: str, condition: Mapping[str, Json]
) -> Iterator[str]:
    for path, wanted in condition.items():
        if wrong := unknown_path(view, path) or explain_mismatch(view, path, wanted):
            yield f"{name}: {wrong}"
    if condition and not opening.wording.condition(condition).strip():
        yield f"{name}: {dict(condition)}, which has no words"
