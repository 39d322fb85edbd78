"""Turns: taking cards, stones, law cards, skips and the end, each paragraph of the rules by itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pbem.core.interface import Ask
from pbem.rules.web_of_power_cards import SYSTEM
from pbem.rules.web_of_power_cards.state import (
    LAWS,
    RETURN,
    SEATS,
    Card,
)
from pbem.rules.web_of_power_cards.taking import Scene
from tests.behaviour import turns

from .table import (
    DICE,
    GREEN,
    PURPLE,
    RED,
    YELLOW,
    deal,
    do,
    kinds,
    outcome,
    position,
    rules,
    shipped_data,
)


@pytest.mark.paragraph("setup-lands")
def test_all_land_cards_lie_in_four_rows_of_fourteen() -> None:
    state = deal("lands")
    assert [len(row) for row in state.layout] == [14, 14, 14, 14]
    assert sorted(card for row in state.layout for card in row) == sorted(rules().facts.lands)
    assert state.layout != deal("other lands").layout


@pytest.mark.paragraph("setup-laws")
def test_eight_law_cards_lie_on_the_marked_cards() -> None:
    state = deal("laws")
    marked = [(1, 2), (1, 13), (2, 3), (2, 12), (3, 4), (3, 11), (4, 5), (4, 10)]
    assert [state.layout[row - 1][column - 1] for row, column in marked] == list(state.laws)
    assert Counter(state.laws.values()) == dict.fromkeys(LAWS, 2)
    assert list(state.laws.values()) != list(deal("other laws").laws.values())


@pytest.mark.paragraph("setup-stones")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_has_three_stones(players: int) -> None:
    state = deal("stones", players)
    assert {seat: player.reserve for seat, player in state.players.items()} == dict.fromkeys(
        SEATS[:players], 3
    )
    assert state.stones == {}


@pytest.mark.paragraph("setup-start", "course", "next")
def test_a_seat_drawn_by_lot_begins_and_the_others_follow_in_seating_order() -> None:
    assert {deal(f"start {number}", 5).to_move for number in range(40)} == set(SEATS)
    state, asked = replace(deal("order", 5), to_move=PURPLE), []
    for _ in range(6):
        ask = rules().ask(state)
        assert isinstance(ask, Ask)
        asked.append(ask.label)
        state, _ = do(state, {"take": ["any"]})
    assert asked == ["purple-1", "blue-1", "yellow-1", "red-1", "green-1", "purple-2"]


def test_only_the_colours_in_their_order_can_sit_down() -> None:
    with pytest.raises(ValueError, match="expected the seats yellow, red, green, got red, yellow, green"):
        rules().setup((RED, YELLOW, GREEN), {}, {}, DICE)


@pytest.mark.paragraph("stone-skip")
def test_a_round_of_skips_would_end_the_game() -> None:
    state = replace(position("Fr1 Fr2 Ba1", stones={"Fr1": RED, "Ba1": RED}), skips=3)
    ended = outcome(state)
    assert ended.reason == "nobody can take a card"
    assert sum(ended.scores.values()) < sum(outcome(position()).scores.values()) + 56


def test_in_version_1_a_stone_on_a_card_paid_before_the_law_card() -> None:
    first = SYSTEM.older[1](shipped_data())
    order = first.read({"take": ["Fr1"], "use": [RETURN]})
    one, two = (
        position("Fr1 Ba1", "Sa1 Sa2", stones={"Fr1": RED, **own}, removed=gone, own_laws={YELLOW: [RETURN]})
        for own, gone in (({"Sa1": YELLOW}, {YELLOW: 2}), ({"Sa1": YELLOW, "Sa2": YELLOW}, {YELLOW: 1}))
    )

    assert kinds(first.resolve(one, {YELLOW: order}, DICE).events) == [
        "CardTaken",
        "ClaimBroken",
        "LawPlayed",
    ]
    assert first.check(first.view(two, YELLOW), order)
    assert not rules().check(rules().view(two, YELLOW), order)


def test_a_stone_goes_with_its_card_and_one_of_another_seat_costs_a_stone() -> None:
    cards, other = (Card("Fr1"), Card("Fr2"), Card("Fr3")), Scene(RED, (), {}, 2)
    scene = other._replace(rows=(cards,), stones={cards[0]: GREEN, cards[1]: RED})

    first = scene.after(cards[0])
    both = first.after(cards[1])

    assert (first.stones, first.spare) == ({cards[1]: RED}, 1)
    assert (both.stones, both.spare, both.rows) == ({}, 1, ((cards[2],),))


@pytest.mark.paragraph(
    "take-one",
    "take",
    "take-example",
    "take-colour",
    "take-symbols",
    "claim",
    "claim-three",
    "claim-four",
    "claim-move",
    "stone-own",
    "stone-foreign",
    "stone-example",
    "stone-none",
    "stone-skip",
    "stone-last",
    "law-taken",
    "law-three",
    "law-colours",
    "law-return",
    "law-minus",
    "penalty",
    "end",
)
@pytest.mark.parametrize("row", turns.named("web-of-power-cards"))
def test_a_turn_comes_to_what_its_row_says(row: turns.Row) -> None:
    assert turns.played(row) == row["steps"]
