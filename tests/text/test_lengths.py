"""How long reports are at some steps of whole games, and the longest of each as a page and in full."""

from __future__ import annotations

import json

import pytest

from pbem.text.reports.layout import WIDTH
from pbem.text.reports.report import Report
from tests.pictures import RULES, course
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
