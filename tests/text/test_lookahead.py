"""Lines for later asks: what becomes of each, and why some can never be played."""

from __future__ import annotations

import pytest

from pbem.core.foresight import CONDITION, Domain, Horizon, Later, Outlook
from pbem.core.interface import Json, Problem
from pbem.rules.kit.supposed import fits
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
        wanted = later.when.get("stones", 0)
        if "stones" in later.when and not any(fits(one, wanted) for one in range(left + 1)):
            return Outlook(never=(Problem((*CONDITION, "stones"), f"at most {left} stones are left then"),))
        if later.move.n > left:
            text = f"at most {left} stones are left then"
            return Outlook(never=(Problem(("take",), text, "Take fewer."),))
        return Outlook() if later.move.n == 1 else Outlook(provided=(f"{later.move.n} stones are left",))


def judge(*lines: dict[str, Json], pile: Pile = PILE, asked: dict[str, int] = ASKED, **more: Json) -> Verdict:
    return Judge(Seen(), pile, asked, ANN).verdict(submission(*lines, seat=ANN, **more))


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


@pytest.mark.parametrize(
    ("lines", "asks"),
    [
        pytest.param([take(3, until="ann-9")], {"ann-8": "never", "ann-9": "never"}, id="it-is-gone"),
        pytest.param([take(1, until="ann-9")], {"ann-8": "sure", "ann-9": "sure"}, id="enough-for-all"),
        pytest.param(
            [take(1, at="ann-7"), take(1, at="ann-8"), take(3, until="ann-9")],
            {"ann-8": "instead", "ann-9": "open"}, id="behind-a-line-for-one-of-its-asks",
        ),
        pytest.param(
            [take(1), take(1), take(2, until="ann-9")],
            {"ann-8": "instead", "ann-9": "open"}, id="behind-a-line-that-is-used-once",
        ),
        pytest.param(
            [take(1, at="ann-7"), take(2, until="ann-8"), take(3, until="ann-9")],
            {"ann-8": "open", "ann-9": "open"}, id="behind-one-that-may-be-played",
        ),
    ],
)  # fmt: skip
def test_a_standing_order_is_judged_at_each_ask_up_to_and_with_its_last(
    lines: list[dict[str, Json]], asks: dict[str, str]
) -> None:
    verdict = judge(*lines)

    assert verdict.faults == []
    assert {
        one.label: "instead"
        if one.instead
        else "never"
        if one.outlook.never
        else "sure"
        if one.outlook.is_sure
        else "open"
        for one in verdict.prospects[-1].asks
        if one.label is not None
    } == asks


@pytest.mark.parametrize(
    ("now", "stop", "is_stopped", "holds_now"),
    [
        pytest.param(3, {"at_most": 2}, True, False, id="the-own-order-makes-it-true"),
        pytest.param(1, {"at_most": 2}, False, False, id="it-may-become-true"),
        pytest.param(1, {"at_least": 5}, False, False, id="the-own-order-ends-it"),
        pytest.param(1, {"at_least": 4}, False, True, id="it-may-still-hold"),
        pytest.param(1, {"at_most": 5}, True, False, id="it-holds-always"),
    ],
)
def test_a_stop_is_judged_at_the_next_ask_after_the_own_order(
    now: int, stop: Json, is_stopped: bool, holds_now: bool
) -> None:
    verdict = judge(take(now, at="ann-7"), take(1, at="ann-8"), stop_if={"stones": stop})
    (ask,) = verdict.prospects[1].asks

    assert (ask.is_stopped, verdict.prospects[1].stop == "now") == (is_stopped, holds_now)
    assert len(verdict.cautions) == is_stopped  # the own order may change what holds now


@pytest.mark.parametrize(("stop", "holds_now"), [({"at_least": 4}, True), ({"at_most": 3}, False)])
def test_a_stop_that_holds_now_is_a_caution_where_no_own_order_is_played_before_it(
    stop: Json, holds_now: bool
) -> None:
    verdict = judge(take(1, at="ann-8"), stop_if={"stones": stop})

    assert verdict.unanswered == "ann-7"
    assert (verdict.prospects[0].stop == "now", len(verdict.cautions) - 1) == (holds_now, holds_now)
