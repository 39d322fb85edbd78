"""Lines that wait for what is asked now: a report says which one answers it, and which do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.reports.reading import report
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, send, table_of

WEB = "web-1"
STAY: Json = {"move": "stay"}


def after_a_turn(tmp_path: Path, later: list[Json], **more: Json) -> Home:
    """Return a home with a game of three after turn 1, for which seat 1 sent these lines for later too."""
    home = a_home(tmp_path)
    a_game(home, WEB, rules="web-of-intrigue", table=table_of(3))
    first: Json = {"at": "turn-1", "do": STAY}
    send(home, WEB, "1", [first, *later], **more)
    for seat in ("2", "3"):
        send(home, WEB, seat, [first])
    run(home, WEB, now=NOW)
    return home


@pytest.mark.parametrize(
    ("later", "stop_if", "first", "told"),
    [
        (
            [{"at": "turn-2", "do": STAY}],
            {},
            ("2", "turn-2"),
            ("turn-2",),
        ),
        (
            [{"at": "turn-2", "when": {"turn": 9}, "do": STAY}, {"until": "turn-4", "do": STAY}],
            {},
            ("3", "turn-2"),
            ("turn-2",),
        ),
        ([{"at": "turn-3", "do": STAY}], {}, ("turn-2",), ("2", "turn-3")),
        (
            [{"at": "turn-2", "do": STAY}],
            {"turn": {"at_least": 2}},
            ("turn-2",),
            ("2", "turn-2"),
        ),
    ],
    ids=["one-answers", "one-does-not-fit", "for-another-ask", "stopped"],
)
def test_a_report_says_whether_a_line_answers_already(
    later: list[Json], stop_if: Json, first: tuple[str, ...], told: tuple[str, ...], tmp_path: Path
) -> None:
    home = after_a_turn(tmp_path, later, **({"stop_if": stop_if} if stop_if else {}))

    text = report(home, WEB, "1")

    assert tells(text.splitlines()[0], *first)
    assert tells(" ".join(text.split()), *told)


def test_lines_that_can_answer_no_more_are_told_together(tmp_path: Path) -> None:
    past: list[Json] = [{"at": "turn-2", "when": {"turn": 9 + n}, "do": STAY} for n in range(3)]
    home = after_a_turn(tmp_path, [*past, {"at": "turn-3", "do": STAY}])

    text = " ".join(report(home, WEB, "1").split())

    assert tells(text, "3", "turn-2", "2, 3", "4")
    assert "Order 2 waits" not in text
    assert "Order 5 waits for turn-3" in text


@pytest.mark.parametrize("count", [1, 3])
def test_what_a_report_told_as_over_the_next_one_does_not_tell_again(count: int, tmp_path: Path) -> None:
    past: list[Json] = [{"at": "turn-2", "when": {"turn": 9 + n}, "do": STAY} for n in range(count)]
    home = after_a_turn(tmp_path, [*past, {"until": "turn-4", "do": STAY}])
    first = " ".join(report(home, WEB, "1").split())
    for seat in ("2", "3"):
        send(home, WEB, seat, [{"at": "turn-2", "do": STAY}])
    run(home, WEB, now=NOW)

    text = " ".join(report(home, WEB, "1").split())

    assert "Over: turn-2 is asked now" in first or "do not fit it: 2, 3 and 4" in first
    assert tells(text, count + 2, "turn-2")
    assert "Over" not in text


def test_what_was_sent_after_a_report_is_told_as_over_in_the_next(tmp_path: Path) -> None:
    past: Json = {"at": "turn-2", "when": {"turn": 9}, "do": STAY}
    home = after_a_turn(tmp_path, [past])
    send(home, WEB, "1", [{"at": "turn-3", "do": STAY}, past, {"at": "turn-2", "do": STAY}])
    for seat in ("2", "3"):
        send(home, WEB, seat, [{"at": "turn-2", "do": STAY}])
    run(home, WEB, now=NOW)

    assert tells(" ".join(report(home, WEB, "1").split()), "turn-2", "2")
