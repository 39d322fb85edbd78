"""What players are shown: the game book, reports with their forms, and the lines that forms draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from pbem.contract.following import try_next
from pbem.contract.menus import misfits, unprinted
from pbem.contract.subject import Checked, Ordered, Subject
from pbem.contract.worlds import facts_of
from pbem.core.conditions import mismatch, unknown_path
from pbem.core.drafts import Draft
from pbem.core.engine.opening import Opening
from pbem.core.interface import Json
from pbem.text.reports.report import Report
from pbem.text.reports.templatefaults import template_fault


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


def check_shown(subject: Subject, ordered: Ordered, number: int, result: Checked) -> None:
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
        for wrong in misfits(subject, view, choices):
            result.breach("choices-misfit", wrong, place)
        draft = opening.draft(view, choices)
        for wrong in _of_draft(subject, opening, view, draft):
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
    for left_out in unprinted(choices, names, report.form):
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


def _of_draft(subject: Subject, opening: Opening[Any, Any, Any], view: Any, draft: Draft) -> Iterator[str]:
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
        yield from _of_condition(opening, view, name, condition)


def _of_condition(
    opening: Opening[Any, Any, Any], view: Any, name: str, condition: Mapping[str, Json]
) -> Iterator[str]:
    for path, wanted in condition.items():
        if wrong := unknown_path(view, path) or mismatch(view, path, wanted):
            yield f"{name}: {wrong}"
    if condition and not opening.wording.condition(condition).strip():
        yield f"{name}: {dict(condition)}, which has no words"
