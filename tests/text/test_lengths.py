"""How long reports are over whole games of each rules: as they come without asking, and in full."""

from __future__ import annotations

import pytest

from pbem.play.templates import subject
from pbem.text.layout import WIDTH
from pbem.text.report import Report
from tests.pictures import RULES, course

MOST_LINES = {
    "rose-king": 70,
    "web-of-intrigue": 300,
    "web-of-power": 150,
    "web-of-power-cards": 145,
    "game-of-powers": 155,
}
"""Lines of a report's text, of a turn of one ask; a turn of several tells all that happened."""


@pytest.mark.parametrize("rules", RULES)
def test_no_report_is_longer_than_people_read_unless_they_asked_for_it(rules: str) -> None:
    templates = subject(rules).environment
    assert templates is not None
    longest = fullest = 0
    for scene in course(rules)[1:]:
        for seat in (*scene.names, None):
            told = scene.facts(seat)
            brief = Report(templates, told).text
            full = Report(templates, {**told, "detail": "full"}).text
            assert [
                line for line in (brief + full).splitlines() if len(line) > WIDTH and "$schema" not in line
            ] == []
            longest = max(longest, brief.count("\n"))
            fullest = max(fullest, full.count("\n"))

    assert longest <= MOST_LINES[rules] < fullest
