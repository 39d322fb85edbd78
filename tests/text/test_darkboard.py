"""Boards on dark screens: paper turns dark and ink light, pieces and white lines stay."""

from __future__ import annotations

import re

from pbem.text.reports.scripts import INK, READABLE, contrast, dark_style

BOARD = (
    '<svg><rect fill="#fbf8f0"/><rect fill="#fff"/><rect fill="#c9dfea"/>'
    '<circle fill="#C1272D" stroke="#1a1a1a"/>'
    '<path stroke="#ffffff"/><text fill="#5f5a4e">x</text><use fill="url(#seat-1)"/><path fill="none"/></svg>'
)


def _rules() -> dict[tuple[str, str], str]:
    found = re.findall(r'\[(fill|stroke)="(#\w+)"\]\{\w+:(#\w+)\}', dark_style(BOARD))
    return {(name, old): new for name, old, new in found}


def test_paper_and_tints_become_dark_enough_for_light_ink() -> None:
    rules = _rules()

    for light in ("#fbf8f0", "#fff", "#c9dfea"):
        assert contrast(rules["fill", light], INK) > READABLE
    assert len(set(rules.values())) == len(rules), "what was told apart is told apart"


def test_ink_and_lines_become_light_and_pieces_and_white_lines_stay() -> None:
    rules = _rules()

    assert contrast(rules["fill", "#5f5a4e"], rules["fill", "#fbf8f0"]) > READABLE
    assert contrast(rules["stroke", "#1a1a1a"], rules["fill", "#fbf8f0"]) > READABLE
    assert ("fill", "#C1272D") not in rules
    assert ("stroke", "#ffffff") not in rules


def test_a_picture_without_colours_needs_no_style() -> None:
    assert dark_style("<svg/>") == ""
