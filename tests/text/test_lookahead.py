"""Lines for later asks: what becomes of each, and why some can never be played."""

from __future__ import annotations

import pytest

from pbem.core.foresight import Domain, Horizon, Later, Outlook
from pbem.core.interface import Json, Problem
from pbem.text.judging import Judge, Verdict
from tests.core.small_rules import ANN, BOB, Number, Pile, PileView, Stones
from tests.facts import tells
from tests.text.test_judging import ASKED, HAGGLE, PILE, submission, take

THREE: dict[str, Json] = {"stones": 3}


class Seen(Stones):
    """Stones, with a look ahead: stones never come back, and only own settled moves are sure to be gone."""

    horizon = Horizon(
        {"haggle": "others"},
        {"stones": Domain(least=0, most=5), "to_move": Domain(("ann", "bob"))},
        ("taken",),
    )

    def foresee(self, view: PileView, later: Later[Number]) -> Outlook:
        """Count the stones that are left at most."""
        if later.before is None:
            return Outlook(unknown="nobody knows how many stones are left then")
        gone = sum(move.n for move in later.before if move is not None)
        left = view.stones - gone
        if later.move.n > left:
            text = f"at most {left} stones are left then"
            return Outlook(never=(Problem(("take",), text, "Take fewer."),))
        return Outlook() if later.move.n == 1 else Outlook(provided=(f"{later.move.n} stones are left",))


def judge(*lines: dict[str, Json], pile: Pile = PILE, asked: dict[str, int] = ASKED) -> Verdict:
    return Judge(Seen(), pile, asked, ANN).verdict(submission(*lines))


@pytest.mark.parametrize(
    ("lines", "kind", "facts"),
    [
        pytest.param([take(3, at="ann-7"), take(3, at="ann-8")], "never-playable", ["2"], id="it-is-gone"),
        pytest.param(
            [take(1, at="ann-7"), take(1, at="ann-8"), take(1, at="ann-9"), take(3, at="ann-10")],
            "never-playable", ["2"], id="what-sure-lines-take-is-gone",
        ),
        pytest.param(
            [take(1, at="ann-7"), take(1, at="ann-8"), take(3, at="ann-9"), take(3, at="ann-9")],
            "shadowed", ["3", "`when`"], id="twice-the-same",
        ),
        pytest.param(
            [take(1, at="ann-8"), take(2, at="ann-8", when=THREE)], "shadowed", ["1"], id="behind-a-sure-one"
        ),
        pytest.param(
            [take(1, at="ann-8", when=THREE), take(2, at="ann-8", when={**THREE, "haggling": False})],
            "shadowed", ["1"], id="behind-one-with-part-of-its-condition",
        ),
        pytest.param(
            [take(1, at="ann-8", when=THREE), take(1, at="ann-8", when=THREE)],
            "shadowed", ["1", "`when`"], id="behind-one-with-the-same-condition",
        ),
        pytest.param(
            [take(1, at="ann-7"), take(1, until="ann-9"), take(1, at="ann-9")],
            "shadowed", ["2"], id="behind-a-standing-order-that-stays-up-to-it",
        ),
        pytest.param([take(1, at="ann-7.haggle")], "label", ["ann-7.haggle"], id="a-follow-up-of-others"),
        pytest.param([take(1, at="bob-7.duel")], "label", ["bob-7.duel", "ann-7"], id="no-such-follow-up"),
    ],
)  # fmt: skip
def test_what_can_never_be_played_is_refused_with_its_reason(
    lines: list[dict[str, Json]], kind: str, facts: list[str]
) -> None:
    (fault,) = judge(*lines).faults

    assert (fault.kind, tells(fault, *facts)) == (kind, True)


@pytest.mark.parametrize(
    ("condition", "facts"),
    [
        ({"stones": 9}, ["9", "0", "5"]),
        ({"stones": {"at_least": 6}}, ["6", "0", "5"]),
        ({"stones": {"at_least": 4, "at_most": 3}}, ["4", "3"]),
        ({"to_move": "cat"}, ["to_move", "ann, bob"]),
        ({"to_move": {"not": "cat"}}, ["to_move", "ann, bob"]),
        ({"to_move": ["ann", "cat"]}, ["to_move", "ann, bob"]),
        ({"taken.cat": 1}, ["taken.cat", "'cat'", "ann, bob"]),
    ],
    ids=str,
)
def test_a_condition_that_can_never_hold_is_refused_with_its_reason(
    condition: dict[str, Json], facts: list[str]
) -> None:
    (fault,) = judge(take(1, at="ann-8", when=condition)).faults

    assert (fault.kind, tells(fault, *facts)) == ("condition-never", True)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([take(1, at="ann-8")], id="sure"),
        pytest.param([take(2, at="ann-8", when={"stones": 3})], id="provided-under-a-condition"),
        pytest.param([take(1, at="ann-7"), take(3)], id="unknown"),
        pytest.param([take(2, at="ann-8"), take(1, at="ann-8")], id="behind-one-that-may-be-impossible"),
        pytest.param(
            [take(1, until="ann-8"), take(1, at="ann-9")], id="behind-a-standing-order-that-is-over"
        ),
        pytest.param([take(1, until="ann-8"), take(1, until="ann-9")], id="behind-one-that-stays-for-less"),
        pytest.param(
            [take(1, at="ann-8", when={"stones": 4}), take(1, at="ann-8")], id="without-its-condition"
        ),
        pytest.param([take(1, at="ann-8", if_silent=True), take(2, at="ann-8")], id="behind-one-for-silence"),
        pytest.param([take(1, at="ann-8"), take(1, at="ann-9")], id="at-another-ask"),
        pytest.param([{"at": "bob-7.haggle", "do": {"add": 1}}], id="a-follow-up-of-another"),
        pytest.param(
            [take(1, at="ann-7"), take(1, at="ann-8", when={"taken.bob": 3})], id="a-name-that-is-there"
        ),
    ],
)
def test_what_may_be_played_is_taken(lines: list[dict[str, Json]]) -> None:
    assert judge(*lines).faults == []


def test_a_seat_that_is_not_asked_is_judged_from_its_next_ask() -> None:
    verdict = Judge(Seen(), Pile(stones=2, asks={ANN: 6, BOB: 6}), ASKED, BOB).verdict(
        submission(take(3, at="bob-7"), seat=BOB)
    )

    assert [fault.text for fault in verdict.faults] == ["at most 2 stones are left then"]


def test_the_present_ask_is_left_out_once_it_is_answered() -> None:
    verdict = judge(take(1, at="ann-8"), pile=HAGGLE, asked={"ann": 7, "bob": 6})

    assert verdict.faults == []
