"""A choice of a form that goes over several lines: all of them count or none, and a half of it is told."""

from __future__ import annotations

import pytest

from pbem.text.lookahead import find_half_choices
from tests.facts import tells

HEAD = "orders:\n- at: red-1\n  do: {play: N2}\n"
FIRST, WHEN, DO = "- {at: red-2,", "   when: {crown: E5},", "   do: {play: [N1, N2]}}"

HALVES = [
    ("the first line alone", (FIRST, f"#{WHEN}", f"#{DO}"), 5),
    ("all but the first", (f"#{FIRST}", WHEN, DO), 5),
    ("the last line alone", (f"#{FIRST}", f"#{WHEN}", DO), 6),
    ("a line without its spaces", (f"#{FIRST}", f"#{WHEN}", DO.lstrip()), 6),
    ("a condition to stop", ("stop_if: {own.gold: 1,", "#  own.square: [i5,", "#    i6]}"), 5),
]


@pytest.mark.parametrize(("lines", "line"), [row[1:] for row in HALVES], ids=[row[0] for row in HALVES])
def test_a_half_is_told_at_the_first_line_that_is_not_as_the_others(
    lines: tuple[str, ...], line: int
) -> None:
    (fault,) = find_half_choices(HEAD + "\n".join(lines) + "\n## Help.\n")

    assert (fault.line, fault.column) == (line, 1)
    assert tells(fault.text, "4")
    assert tells(fault.hint, "4", "6")


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([FIRST, WHEN, DO]),
        "\n".join(f"#{line}" for line in (FIRST, WHEN, DO)),
        "\n".join([FIRST, "#   I wonder", WHEN, DO]),
        "\n".join(["- {do: {draw: true}}", f"#{FIRST}", f"#{WHEN}", f"#{DO}"]),
        "\n".join([f"#{FIRST}", "", WHEN, DO]),
        "\n".join([FIRST, WHEN]),
    ],
)
def test_what_is_whole_or_has_words_of_the_player_between_its_lines_is_no_half(text: str) -> None:
    assert find_half_choices(HEAD + text + "\n") == []


PRESS, MESSAGE = "press:  # messages, to some seats or with `to: all`", '- {to: [white], say: "Your words."}'
HELP = "## There is no deadline."


@pytest.mark.parametrize(
    "lines",
    [
        (PRESS, MESSAGE, HELP),
        (PRESS, MESSAGE, f"#{MESSAGE}"),
        (f"#{PRESS}", f"#{MESSAGE}"),
        (PRESS, "## No messages."),
    ],
)
def test_press_with_a_message_or_with_none_at_all_is_no_half(lines: tuple[str, ...]) -> None:
    assert find_half_choices(HEAD + "\n".join(lines) + "\n") == []
