"""How long reports and their pages are over whole games of each rules: as they come, and in full."""

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
    "game-of-powers": 120,
}
"""Lines of a report's text, of a turn of one ask; a turn of several tells all that happened."""


MOST_BYTES = {
    "rose-king": 14_000,
    "web-of-intrigue": 36_000,
    "web-of-power": 20_000,
    "web-of-power-cards": 18_000,
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
    for scene in course(rules)[1:]:
        for seat in (*scene.names, None):
            told = scene.facts(seat)
            one, other = Report(templates, told), Report(templates, {**told, "detail": "full"})
            brief, full = one.text, other.text
            assert [
                line for line in (brief + full).splitlines() if len(line) > WIDTH and "$schema" not in line
            ] == []
            longest = max(longest, brief.count("\n"))
            fullest = max(fullest, full.count("\n"))
            largest = max(largest, len(one.html.encode()))
            largest_in_full = max(largest_in_full, len(other.html.encode()))

    assert longest <= MOST_LINES[rules] < fullest
    assert largest <= MOST_BYTES[rules]
    assert largest < largest_in_full <= FULL_BYTES
