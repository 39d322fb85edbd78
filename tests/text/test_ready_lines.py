"""What a form shows ready-made: its example and each line behind a mark would be accepted as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.core.wording import wording_of
from pbem.play.config import registry
from pbem.text.judging import Judge, Verdict
from pbem.text.lookahead import find_half_choices
from pbem.text.mending.conditions import replace_whole_names
from pbem.text.mending.drafts import Draft, parse_sheet
from pbem.text.mending.names import KnownGame, ThingNames, names_in
from pbem.text.orders import Fault, Grammar, Submission, open_envelope, read_lines
from pbem.text.reports.report import Report
from tests.facts import each_tells, tells
from tests.pictures import RULES, Scene, course, readers, scenes
from tests.subjects import subject

POSITIONS = 4
"""So many positions of a whole game are looked at, evenly spread."""
SEATS = 5
"""Of so many seats the forms are looked at in each, of larger tables others in the next."""

_MARKED = re.compile(r"#(?! \S)(?!$)(.*)")


def form_of(scene: Scene, seat: Seat) -> str:
    """Return the form of a seat."""
    templates = subject(scene.rules).environment
    assert templates is not None
    return Report(templates, scene.facts(seat)).form


def example_in(form: str) -> str:
    """Return the example of a form, as it stands behind the mark; "" if there is none."""
    _, found, rest = form.partition("EXAMPLE")
    lines = rest.splitlines()[1:]
    depth = re.match(r"  #   do:", lines[0]) if found else None
    example = [lines[0].removeprefix("  # ")] if depth else []
    for line in lines[1:]:
        if not example or not line.startswith("  #     "):
            break
        example.append(line.removeprefix("  # "))
    return "\n".join(example)


def with_example(form: str) -> str:
    """Return a form with its example in place of the empty order; without one, the empty line is left out."""
    example = example_in(form)
    if not example:
        return re.sub(r"- at: .*\n  do: \{\}\n", "", form, count=1)
    return form.replace("  do: {}", example, 1)


def unmarked(form: str) -> str:
    """Return a form whose lines behind a bare # all count."""
    return "".join(
        _MARKED.sub(r"\1", line) if line.startswith("#") else line for line in form.splitlines(True)
    )


@cache
def things_of(rules: str) -> ThingNames:
    """Return the names of things of some rules."""
    return names_in(registry.find_rules(rules).shipped_data())


def submission_of(scene: Scene, seat: Seat, text: str) -> Submission | list[Fault]:
    """Return what an orders file says."""
    system = registry.find_rules(scene.rules)
    known = KnownGame(
        view=scene.opening.view(scene.run.position.game, seat),
        things=things_of(scene.rules),
        said=wording_of(scene.opening.rules).name,
    )
    page = parse_sheet(text)
    text = Draft.of(page.text).edited(replace_whole_names(page, known)).text
    envelope = open_envelope(text.encode())
    if isinstance(envelope, list):
        return envelope
    grammar = Grammar(tuple(scene.names), system.move_schema, system.start_schema)
    return read_lines(envelope, grammar)


def judged(scene: Scene, seat: Seat, text: str) -> Verdict | list[Fault]:
    """Return what becomes of an orders file."""
    submission = submission_of(scene, seat, text)
    if not isinstance(submission, Submission):
        return submission
    opening: Any = scene.opening
    position = scene.run.position
    return Judge(opening, position.game, position.asked, seat).verdict(submission)


def spread(rules: str) -> list[Scene]:
    """Return some positions of a game, evenly spread; the one before the deal is among them."""
    found = [scene for scene in course(rules) if not isinstance(scene.ask, Outcome)]
    return [scenes(rules)["start"], *found[:: max(1, len(found) // POSITIONS)]]


def looked_at(scenes: list[Scene]) -> Iterator[tuple[Scene, Seat]]:
    """Yield positions with the seats whose forms are looked at."""
    for number, scene in enumerate(scenes):
        seats = [*scene.names]
        step = -(-len(seats) // SEATS)
        yield from ((scene, seat) for seat in seats[number % step :: step])


@pytest.mark.parametrize("rules", RULES)
def test_the_example_and_every_marked_line_of_a_form_would_be_accepted(rules: str) -> None:
    examples = plans = 0
    for scene, seat in looked_at(spread(rules)):
        form = form_of(scene, seat)
        assert bool(example_in(form)) is (seat in scene.ask.seats | scene.ask.optional), form  # type: ignore[union-attr]
        filled = with_example(form)
        for text in (filled, unmarked(filled)) if example_in(form) else (unmarked(filled),):
            verdict = judged(scene, seat, text)
            assert isinstance(verdict, Verdict), (verdict, text)
            assert verdict.faults == [], text
        examples += bool(example_in(form))
        plans += "\n#- {at: " in form
    assert examples
    assert plans


@pytest.mark.parametrize("rules", RULES)
def test_lines_of_a_choice_end_between_entries_and_are_taken_all_or_refused(rules: str) -> None:
    """Whichever lines of a choice are taken, the others with them or a refusal that says so."""
    halves = 0
    for scene, seat in looked_at(spread(rules)):
        form = form_of(scene, seat)
        assert not re.search(r"^#(?!#)[ -].*\S:$", form, re.MULTILINE), form
        assert not re.search(r"^#  \S", form, re.MULTILINE), "a line of its own that counts alone"
        lines = form.splitlines()
        for choice in re.finditer(r"^#- \{.*(?:\n#   .*)+$", form, re.MULTILINE):
            first = form.count("\n", 0, choice.start())
            count = choice[0].count("\n") + 1
            for bare in {0, count // 2, count - 1}:
                rest = [
                    line.removeprefix("#") if n != bare else line
                    for n, line in enumerate(choice[0].splitlines())
                ]
                for half in (rest, [_other(line) for line in rest]):
                    text = "\n".join([*lines[:first], *half, *lines[first + count :]])
                    (fault,) = find_half_choices(text)
                    assert tells(fault.hint, first + 1, first + count)
                    halves += 1
    assert halves


def _other(line: str) -> str:
    """Return a line of a choice with the # that it lacks, or without the one it has."""
    return line.removeprefix("#") if line.startswith("#") else f"#{line}"


@pytest.mark.parametrize("rules", RULES)
def test_the_form_as_it_comes_orders_nothing(rules: str) -> None:
    scene = spread(rules)[-1]
    for seat in scene.asked:
        found = judged(scene, seat, form_of(scene, seat))
        assert isinstance(found, list)
        assert each_tells([fault.text for fault in found], ("`do`",))


@pytest.mark.parametrize("rules", RULES)
def test_a_report_without_mail_names_no_command_and_no_mail_but_the_files_as_they_are_handed_out(
    rules: str,
) -> None:
    """To one who is asked, to one who is not, and to the spectator."""
    templates = subject(rules).environment
    assert templates is not None
    told = set[str]()
    for scene in spread(rules):
        for seat in readers(scene):
            facts = {**scene.facts(seat), "by_mail": False}
            brief, full = (Report(templates, {**facts, "detail": detail}) for detail in ("", "full"))
            for text in (brief.text, brief.html, full.text, full.html):
                assert not re.search(r"`pbem |\breply\b|\bmails?\b", text), text
            words = re.sub(r"\s+(?:# )?", " ", brief.text + brief.html)
            assert not re.search(r"(?:full|in the|attached) form|order page\.", words), words
            told |= set(re.findall(r"(more, in|ready:|All orders.*?) orders\*?\.yaml", words))
    assert told
    asked = Report(templates, {**scene.facts(scene.asked[0]), "detail": "", "by_mail": False}).text
    assert "orders*.yaml and orders*.html." in re.sub(r"\n *# ", " ", asked)
