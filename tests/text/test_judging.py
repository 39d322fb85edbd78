"""Judging: what each line of a submission is going to be, on its owner's view of the present position."""

from __future__ import annotations

import dataclasses

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Forecast, Json
from pbem.core.opening import Begun, Opening
from pbem.text.judging import Judge, Verdict, verdict_lines
from pbem.text.orders import Grammar, Submission, open_envelope, read_lines
from pbem.text.schema import Schema
from pbem.text.strictyaml import dump
from tests.core.small_rules import ANN, BOB, TRIO, Bids, Number, Pile, PileView, Stones, Table
from tests.facts import each_tells, tells

PILE = Pile(stones=5, asks={ANN: 6, BOB: 6})
ASKED = {"ann": 6, "bob": 6}
HAGGLE = Pile(stones=5, asks={ANN: 7, BOB: 6}, haggling=True)
ANYTHING = Schema({"type": "object"})


def submission(*lines: dict[str, Json], seat: Seat = ANN, **more: Json) -> Submission:
    text = dump({"game": "g", "seat": seat, "orders": list[Json](lines), **more})
    envelope = open_envelope(text.encode())
    assert not isinstance(envelope, list), envelope
    found = read_lines(envelope, Grammar(TRIO, ANYTHING, ANYTHING))
    assert isinstance(found, Submission), found
    return found


def judge(
    *lines: dict[str, Json], seat: Seat = ANN, pile: Pile = PILE, asked: dict[str, int] = ASKED, **more: Json
) -> Verdict:
    return Judge(Stones(), pile, asked, seat).verdict(submission(*lines, seat=seat, **more))


def take(n: int, **more: Json) -> dict[str, Json]:
    return {**more, "do": {"take": n}}


class Wasteful(Stones):
    """Stones of which each that is taken is for nothing."""

    def forecast(self, view: PileView, move: Number) -> Forecast:
        return Forecast(("",), ("a stone is lost",) * move.n)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        pytest.param([take(2)], 2, id="of-what-is-played-now"),
        pytest.param([take(1, at="ann-8")], 1, id="not-of-what-is-for-later-but-no-line-answers"),
        pytest.param([{"if_silent": True, **take(2)}], 1, id="not-of-silence"),
    ],
)
def test_what_an_order_does_for_nothing_is_a_caution(lines: list[dict[str, Json]], number: int) -> None:
    verdict = Judge(Wasteful(), PILE, ASKED, ANN).verdict(submission(*lines))
    assert len(verdict.cautions) == number


@pytest.mark.parametrize(
    ("lines", "standings"),
    [
        pytest.param([take(1)], ["plays"], id="whenever-asked"),
        pytest.param([take(1, at="ann-7")], ["plays"], id="for-this-ask"),
        pytest.param([take(1, at="ann-8")], ["later"], id="for-a-later-ask"),
        pytest.param([{"at": "ann-7.haggle", "do": {"add": 1}}], ["later"], id="for-a-follow-up"),
        pytest.param([{"at": "bob-7.haggle", "do": {"add": 1}}], ["later"], id="for-another-seats-follow-up"),
        pytest.param(
            [take(1, at="ann-7"), take(2, at="ann-7")], ["plays", "refused"], id="behind-one-that-plays"
        ),
        pytest.param([take(1), take(2, at="ann-7")], ["plays", "refused"], id="behind-a-line-for-any-ask"),
        pytest.param([take(1), take(2)], ["plays", "later"], id="two-for-any-ask"),
        pytest.param([take(1, when={"stones": 4})], ["not now"], id="condition-does-not-hold"),
        pytest.param([take(1, when={"stones": 5})], ["plays"], id="condition-holds"),
        pytest.param(
            [
                take(3, at="ann-7", when={"stones": 4}),
                take(1, at="ann-7", when={"stones": 5}),
                take(2, at="ann-7"),
            ],
            ["not now", "plays", "else"],
            id="condition-and-else",
        ),
        pytest.param([take(9, keep=True), take(1)], ["not now", "plays"], id="standing-order-illegal-now"),
        pytest.param([take(9), take(1)], ["refused", "plays"], id="illegal-now"),
        pytest.param([take(1, if_silent=True)], ["if silent"], id="for-silence"),
        pytest.param([take(1, if_silent=True), take(2)], ["if silent", "plays"], id="for-silence-and-now"),
        pytest.param([take(9, if_silent=True)], ["refused"], id="illegal-for-silence"),
        pytest.param([{"do": {"add": 1}}, take(1)], ["later", "plays"], id="for-another-kind-of-ask"),
        pytest.param([{"at": "ann-7", "do": {"add": 1}}], ["refused"], id="of-another-kind-than-its-ask"),
        pytest.param([], [], id="no-lines"),
    ],
)
def test_a_line_is_going_to_be(lines: list[dict[str, Json]], standings: list[str]) -> None:
    verdict = judge(*lines)

    assert [prospect.standing for prospect in verdict.prospects] == standings
    assert [number for number, standing in enumerate(standings, 1) if standing == "refused"] == list(
        verdict.by_line
    )


def test_the_line_that_plays_has_its_forecast() -> None:
    (prospect,) = judge(take(2)).prospects

    assert (prospect.standing, prospect.lines) == ("plays", ("3 stones will be left",))


def test_nothing_is_for_now_while_another_seat_is_asked() -> None:
    verdict = judge(take(9), take(1, at="bob-7"), seat=BOB)

    assert (verdict.faults, [one.standing for one in verdict.prospects]) == ([], ["later", "later"])


def test_an_optional_seat_may_answer_now() -> None:
    verdict = judge(
        {"at": "ann-7.haggle", "do": {"add": 2}}, seat=BOB, pile=HAGGLE, asked={"ann": 7, "bob": 6}
    )

    assert [one.standing for one in verdict.prospects] == ["plays"]


@pytest.mark.parametrize(
    ("label", "pile", "asked", "kind"),
    [
        pytest.param("ann-6", PILE, 6, "label-passed", id="passed"),
        pytest.param("start", PILE, 6, "label-passed", id="the-start"),
        pytest.param("bob-7", PILE, 6, "label", id="foreign"),
        pytest.param("turn-7", PILE, 6, "label", id="of-other-rules"),
        pytest.param("anm-7", PILE, 6, "label", id="misspelt-seat"),
        pytest.param("ann-6.haggle", PILE, 6, "label-passed", id="passed-follow-up"),
        pytest.param("bob-6.haggle", PILE, 6, "", id="a-follow-up-of-the-last-ask-may-come"),
        pytest.param("", PILE, 6, "label", id="empty"),
        pytest.param("bob-5.haggle", PILE, 6, "label-passed", id="passed-foreign-follow-up"),
        pytest.param("ann-7", HAGGLE, 7, "label-passed", id="what-the-follow-up-followed"),
        pytest.param("ann-7.haggle", PILE, 6, "", id="follow-up-of-now"),
        pytest.param("ann-8", PILE, 6, "", id="next"),
        pytest.param("ann-7", PILE, 6, "", id="now"),
    ],
)
def test_a_label_that_cannot_come_is_a_mistake(label: str, pile: Pile, asked: int, kind: str) -> None:
    do: Json = {"add": 1} if "haggle" in label else {"take": 1}

    verdict = judge({"at": label, "do": do}, pile=pile, asked={"ann": asked, "bob": 6})

    assert [(fault.line, fault.column, fault.kind) for fault in verdict.faults] == (
        [(4, 7, kind)] if kind else []
    )
    assert each_tells([fault.text for fault in verdict.faults], *([label] for _ in verdict.faults))


def test_before_the_deal_lines_for_later_asks_cannot_be_judged_yet() -> None:
    not_dealt: Begun[Table] = None
    lines: list[dict[str, Json]] = [
        {"at": "start", "do": {"luck": "rain"}},
        {"at": "turn-1", "when": {"turn": 1}, "do": {"bid": 1}},
    ]

    verdict = Judge(Opening(Bids(), TRIO, {}), not_dealt, {}, ANN).verdict(submission(*lines))

    assert verdict.faults == []
    assert [one.standing for one in verdict.prospects] == ["plays", "later"]


def test_the_verdict_depends_on_the_own_view_alone() -> None:
    table = Table({seat: (n, n + 3) for n, seat in enumerate(TRIO, 1)}, dict.fromkeys(TRIO, 0))
    other = dataclasses.replace(table, hands={**table.hands, BOB: (3, 6), TRIO[2]: (2, 5)})
    sent = submission({"do": {"bid": 1}}, {"at": "turn-1", "do": {"bid": 2}})

    verdicts = [Judge(Bids(), world, {}, ANN).verdict(sent) for world in (table, other)]

    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ({"until": "ann-9"}, []),
        ({"until": "ann-6"}, ["until"]),
        ({"until": "bob-9"}, ["until"]),
        ({"until": "soon"}, ["until"]),
        ({"until": "ann-9", "at": "ann-8"}, ["until-beside-at"]),
    ],
)
def test_how_long_a_standing_order_stays_is_read_back_or_refused(
    line: dict[str, Json], faults: list[str]
) -> None:
    verdict = judge({**take(1), **line})

    assert [fault.kind for fault in verdict.faults] == faults
    assert faults or tells(verdict_lines(verdict)[0], "1", "ann-9")


def test_everything_that_was_sent_is_read_back_in_words() -> None:
    verdict = judge(
        take(1, at="ann-7"),
        take(2, at="ann-8", when={"stones": {"at_least": 3}}),
        take(1, keep=True),
        stop_if={"stones": [1, 2]},
        press=[{"to": ["bob"], "say": "Peace?\nPlease."}, {"to": "all", "say": "Hello", "anonymous": True}],
    )

    assert each_tells(
        verdict_lines(verdict),
        ("1", "ann-7"),
        ("4",),
        ("2", "ann-8", "3"),
        (),
        ("3", "1"),
        (),
        (),
        ("1", "2"),
        (),
        ("Peace",),
        ("Please",),
        (),
        ("Hello",),
    )
