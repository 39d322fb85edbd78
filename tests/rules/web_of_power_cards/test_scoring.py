"""The score chart and the winner."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.scoring import Standing, decide, fill_chart
from pbem.rules.web_of_power_cards.state import MINUS, THREE

from .table import GREEN, RED, YELLOW, cards, outcome, playout, position, rules

HELD = {
    YELLOW: cards("Fr1 Fr2 Fr3 Sa1 Da2 Da3 En2 En3"),
    RED: cards("Fr4 Fr5 Sa2 Sa3 Sa4"),
    GREEN: cards("Fr6 It1"),
}


@pytest.mark.paragraph("chart", "score-order", "land-column", "symbol-column", "score-all")
def test_the_chart_has_a_row_for_each_country_and_a_column_for_lands_and_for_symbols() -> None:
    chart = fill_chart(rules().facts, HELD, dict.fromkeys(HELD, ()))
    countries = ["frankreich", "sachsen", "franken", "kastilien", "ungarn", "bayern", "italien", "england"]
    assert list(chart[YELLOW].lands) == list(chart[YELLOW].symbols) == [*countries, "daenemark"]
    assert {seat: [*chart[seat].lands.values()] for seat in HELD} == {
        YELLOW: [6, 3, 0, 0, 0, 0, 0, 2, 2],
        RED: [3, 4, 0, 0, 0, 0, 0, 0, 0],
        GREEN: [2, 0, 0, 0, 0, 0, 1, 0, 0],
    }
    assert {seat: [*chart[seat].symbols.values()] for seat in HELD} == {
        YELLOW: [4, 0, 0, 0, 0, 0, 0, 1, 2],
        RED: [0, 3, 0, 0, 0, 0, 0, 0, 0],
        GREEN: [0, 0, 0, 0, 0, 0, 2, 0, 0],
    }


@pytest.mark.paragraph("subtotal", "chain-box", "penalty")
def test_the_total_is_both_columns_and_chains_less_penalties() -> None:
    laws = {YELLOW: (MINUS, THREE, MINUS), RED: (), GREEN: None}
    chart = fill_chart(rules().facts, HELD, laws)
    found = {seat: (one.subtotal, one.chain, one.penalty, one.total) for seat, one in chart.items()}
    assert found == {YELLOW: (20, 5, 4, 21), RED: (10, 0, 0, 10), GREEN: (5, 0, None, 5)}


WINNERS: list[tuple[str, Mapping[Seat, int], Mapping[Seat, int], tuple[tuple[Seat, ...], str]]] = [
    ("points", {YELLOW: 9, RED: 8, GREEN: 7}, {YELLOW: 1, RED: 5, GREEN: 9}, ((YELLOW,), "points")),
    ("more cards", {YELLOW: 9, RED: 9, GREEN: 7}, {YELLOW: 4, RED: 5, GREEN: 9}, ((RED,), "more land cards")),
    (
        "nobody",
        {YELLOW: 9, RED: 9, GREEN: 7},
        {YELLOW: 5, RED: 5, GREEN: 9},
        ((), "points and land cards are equal"),
    ),
]


@pytest.mark.paragraph("winner", "tie-lands", "tie-nobody")
@pytest.mark.parametrize(
    ("totals", "count", "expected"), [row[1:] for row in WINNERS], ids=[row[0] for row in WINNERS]
)
def test_most_points_win_then_most_cards_then_nobody(
    totals: Mapping[Seat, int], count: Mapping[Seat, int], expected: tuple[tuple[Seat, ...], str]
) -> None:
    assert decide(totals, count) == expected


@pytest.mark.paragraph("end")
def test_an_outcome_scores_every_seat_and_counts_no_card_that_still_lies() -> None:
    held = {seat: " ".join(taken) for seat, taken in HELD.items()}
    state = position("Fr7 Fr8", held=held, players=4)
    view = rules().view(state, None)
    assert {seat: view.chart[seat].lands["frankreich"] for seat in HELD} == {YELLOW: 6, RED: 3, GREEN: 2}  # type: ignore[index]
    *_, (end, _, _) = playout("scored", 4)
    assert outcome(end).scores == {seat: one.total for seat, one in rules().view(end, None).chart.items()}


@pytest.mark.parametrize("seed", ["one"])
def test_what_cards_are_said_to_change_is_what_they_change(seed: str) -> None:
    facts = rules().facts
    for state, _, _ in playout(seed, 3):
        held = {seat: player.cards for seat, player in state.players.items()}
        before = fill_chart(facts, held, dict.fromkeys(held, ()))
        for card in rules().view(state, None).ends:
            after = fill_chart(facts, {**held, RED: (*held[RED], card)}, dict.fromkeys(held, ()))
            changed = Standing(facts, held).change(RED, [card])
            assert changed == {seat: after[seat].total - before[seat].total for seat in held}


@pytest.mark.parametrize("seed", ["four"])
def test_holdings_after_some_cards_are_those_that_are_counted_anew(seed: str) -> None:
    facts = rules().facts
    for state, _, _ in playout(seed, 4):
        held = {seat: player.cards for seat, player in state.players.items()}
        ends = rules().view(state, None).ends
        for taken in (ends[:1], ends[1:3], ends[:3]):
            after = Standing(facts, held).after(RED, taken)
            anew = Standing(facts, {**held, RED: (*held[RED], *taken)})
            for seat in (RED, YELLOW):
                assert after.change(seat, ends[-1:]) == anew.change(seat, ends[-1:])
                assert all(after.swing(seat, card) == anew.swing(seat, card) for card in ends[-1:])
