"""How long reports are over whole games, as text, as pages and in full, and how much order pages take."""

from __future__ import annotations

import json
from itertools import chain

import pytest

from pbem.core.wording import wording_of
from pbem.play.config.registry import find_rules
from pbem.play.config.templates import templates_of
from pbem.play.reports.formpages import likely_forecasts
from pbem.text.envelope import full_schema
from pbem.text.mail.compose import Attachment
from pbem.text.reports.formpage import Material, form_page
from pbem.text.reports.layout import WIDTH
from pbem.text.reports.report import Report
from tests.mail.samples import a_mail
from tests.pictures import RULES, Scene, course
from tests.subjects import subject

MOST_LINES = {
    "rose-king": 82,
    "web-of-intrigue": 268,
    "web-of-power": 138,
    "web-of-power-cards": 136,
    "game-of-powers": 144,
}
"""Lines of a report's text, of a turn of one ask; a turn of several tells all that happened."""


MOST_BYTES = {
    "rose-king": 14_000,
    "web-of-intrigue": 26_000,
    "web-of-power": 17_000,
    "web-of-power-cards": 16_000,
    "game-of-powers": 26_000,
}
"""Bytes of a report's page, of a turn of one ask; in full at most `FULL_BYTES`."""

FULL_BYTES = 60_000
"""Large providers cut a page off at 102,000 bytes."""


@pytest.mark.parametrize("rules", RULES)
def test_no_report_is_longer_than_people_read_unless_they_asked_for_it(rules: str) -> None:
    templates = subject(rules).environment
    assert templates is not None
    longest = fullest = largest = largest_in_full = 0
    for scene in course(rules)[1::8]:
        reports = [Report(templates, scene.facts(seat)) for seat in (*scene.names, None)]
        one = max(reports, key=lambda report: len(report.text))
        other = Report(templates, {**json.loads(one.json), "detail": "full"})
        texts = [*(report.text for report in reports), other.text]
        wide = [line for text in texts for line in text.splitlines() if len(line) > WIDTH]
        assert [line for line in wide if "$schema" not in line] == []
        longest = max(longest, *(report.text.count("\n") for report in reports))
        fullest = max(fullest, other.text.count("\n"))
        largest = max(largest, len(one.html.encode()))
        largest_in_full = max(largest_in_full, len(other.html.encode()))

    assert longest <= MOST_LINES[rules] < fullest
    assert largest <= MOST_BYTES[rules]
    assert largest < largest_in_full <= FULL_BYTES


MOST_OF_A_MAIL = {
    "rose-king": 71_000,
    "web-of-intrigue": 90_000,
    "web-of-power": 89_500,
    "web-of-power-cards": 89_000,
    "game-of-powers": 94_000,
}
"""The bytes of the page of each game, as they stand in a mail."""

LOOKED_AT = 6


def a_page(scene: Scene) -> str:
    """Return the page of a seat that is asked."""
    installed, seat = find_rules(scene.rules), scene.asked[0]
    assert installed.system is not None
    forecasts, hints = likely_forecasts(
        installed.system, scene.opening, scene.ask, scene.run.position.game, seat
    )
    material = Material(
        scene.pictures(seat).get("board", ""),
        full_schema(installed.move_schema.schema, installed.start_schema.schema),
        forecasts,
        hints,
        "games+g-1.abcdefghijklmnop@example.org",
        wording_of(scene.opening.rules),
    )
    return form_page(templates_of(installed), scene.facts(seat), material)


def in_a_mail(page: str) -> int:
    """Return how many bytes a mail has more for a page that is attached."""
    attached = Attachment("orders.html", "text/html", page.encode())
    return len(a_mail("Your report.", attached)) - len(a_mail("Your report."))


@pytest.mark.parametrize("rules", RULES)
def test_no_page_of_a_whole_game_takes_more_of_a_mail(rules: str) -> None:
    scenes = [scene for scene in course(rules) if scene.asked]
    every = max(1, len(scenes) // LOOKED_AT)
    sizes = [in_a_mail(a_page(scene)) for scene in chain(scenes[::every], scenes[-2:])]

    assert len(sizes) >= 6
    assert max(sizes) <= MOST_OF_A_MAIL[rules], max(sizes)
    assert min(sizes) > 20_000  # so that a page that holds nothing is noticed
