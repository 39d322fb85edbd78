"""Turns: taking cards, stones, law cards, skips and the end, each paragraph of the rules by itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Label
from pbem.rules.web_of_power_cards import SYSTEM, events
from pbem.rules.web_of_power_cards.state import (
    COLOURS,
    LAWS,
    MINUS,
    RETURN,
    SEATS,
    THREE,
    Card,
    State,
    Take,
)
from pbem.rules.web_of_power_cards.taking import Scene

from .table import (
    DICE,
    GREEN,
    PURPLE,
    RED,
    YELLOW,
    cards,
    deal,
    do,
    is_legal,
    kinds,
    outcome,
    position,
    problems,
    rules,
    shipped_data,
)


def taken(state: State, seat: Seat = YELLOW) -> tuple[Card, ...]:
    return state.players[seat].cards


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


@pytest.mark.paragraph("take")
def test_cards_are_taken_from_both_ends_of_all_rows() -> None:
    state = position("Fr1 Ba1 Sa1", "It1", "Ka1 Un1")
    view = rules().view(state, YELLOW)
    assert view.ends == cards("Fr1 Sa1 It1 Ka1 Un1")
    after, told = do(state, {"take": ["Sa1"]})
    assert taken(after) == cards("Sa1")
    assert told[0] == events.CardTaken(
        seat=YELLOW,
        card=Card("Sa1"),
        country=rules().facts.lands[Card("Sa1")].country,
        symbol="eagle",
        symbols=2,
        route=None,
        row=1,
        side="right",
        to="all",
    )
    assert problems(state, {"take": ["Ba1"]})[0].startswith(
        "Ba1 does not lie at an end of its row: it has 1 to its left and 1 to its right."
    )


@pytest.mark.paragraph("take")
def test_a_card_that_was_freed_may_be_next() -> None:
    state = position("Fr2 Fr3 Ba1")
    after, _ = do(state, {"take": ["Fr2", "Fr3"]})
    assert taken(after) == cards("Fr2 Fr3")
    assert not is_legal(state, {"take": ["Fr3", "Fr2"]})


@pytest.mark.paragraph("take-colour")
def test_cards_of_another_country_may_not_follow() -> None:
    state = position("Fr2 Ba4", "Sa7")
    assert problems(state, {"take": ["Fr2", "Ba4"]}) == [
        "Ba4 is of Bayern, and what you took before is of Frankreich. You can take nothing more after Fr2."
    ]
    assert problems(state, {"take": ["Fr2", "Sa7"]})[0].startswith("Sa7 is of Sachsen")


@pytest.mark.paragraph("take-symbols")
def test_any_number_of_cards_without_symbols_may_follow_but_no_third_symbol() -> None:
    state = position("Fr1 Fr8 Fr2")
    assert is_legal(state, {"take": ["Fr1", "Fr8"]})
    assert problems(state, {"take": ["Fr1", "Fr8", "Fr2"]}) == [
        "with Fr2 you would take 3 circle symbols, and 2 are allowed. "
        "You can take nothing more after Fr1 and Fr8."
    ]


@pytest.mark.paragraph("take-one")
def test_a_turn_without_a_card_is_refused() -> None:
    state = position("Fr1 Ba1")
    assert problems(state, {"skip": True}) == [
        "a turn is skipped only where no card can be taken. You can take Fr1 or Ba1."
    ]
    with pytest.raises(ValueError, match="expected a card to take from yellow, got a skip"):
        rules().resolve(state, {YELLOW: Take(())}, DICE)
    with pytest.raises(ValueError, match="expected a card to take from yellow, got Take"):
        do(state, {"take": ["It1"]})


@pytest.mark.paragraph("claim")
def test_a_stone_goes_on_any_card_of_the_table_without_one() -> None:
    state = position("Fr1 Ba1 Sa1 It1", stones={"Sa1": RED})
    for card in ("Ba1", "It1"):
        after, told = do(state, {"take": ["Fr1"], "claim": [card]})
        assert after.stones == {"Sa1": RED, card: YELLOW}
        assert after.players[YELLOW].reserve == 2
        assert kinds(told) == ["CardTaken", "StonePlaced"]
    assert problems(state, {"take": ["Fr1"], "claim": ["Sa1"]})[0].startswith("a stone of red lies on Sa1.")
    assert problems(state, {"take": ["Fr1"], "claim": ["Fr1"]})[0].startswith(
        "Fr1 does not lie on the table then."
    )
    assert problems(state, {"take": ["Fr1"], "claim": ["En1"]})[0].startswith(
        "En1 does not lie on the table then."
    )


@pytest.mark.paragraph("claim")
def test_the_first_free_card_of_a_claim_gets_the_stone() -> None:
    state = position("Fr1 Ba1 Sa1 It1", stones={"Sa1": RED})
    after, _ = do(state, {"take": ["Fr1"], "claim": ["Sa1", "Fr1", "It1", "Ba1"]})
    assert after.stones[Card("It1")] == YELLOW
    assert Card("Ba1") not in after.stones


@pytest.mark.paragraph("claim-three", "claim-four")
@pytest.mark.parametrize(("players", "most"), [(3, 3), (4, 2), (5, 2)])
def test_no_more_stones_can_be_placed_than_the_number_of_players_allows(players: int, most: int) -> None:
    lying = dict.fromkeys(("Ba1", "Ba2", "Ba3")[:most], YELLOW)
    state = position("Fr1 Fr2 Ba1 Ba2 Ba3 It1", players=players, stones=lying)
    assert problems(state, {"take": ["Fr1"], "claim": ["Fr2"]}) == [
        "you can place no further stone, only move one: from: [X] must say which, on "
        f"{' or '.join(lying)}. Free are Fr2, {'' if most == 3 else 'Ba3, '}It1."
    ]
    fewer = position("Fr1 Fr2 Ba1 Ba2 Ba3 It1", players=players, stones={"Ba1": YELLOW})
    assert is_legal(fewer, {"take": ["Fr1"], "claim": ["Fr2"]})


@pytest.mark.paragraph("claim-move")
def test_a_stone_moves_where_none_can_be_placed() -> None:
    state = position("Fr1 Fr2 Ba1 Ba2 It1", players=4, stones={"Ba1": YELLOW, "Ba2": YELLOW})
    after, told = do(state, {"take": ["Fr1"], "claim": ["Fr2"], "from": ["Ba2"]})
    assert after.stones == {"Ba1": YELLOW, "Fr2": YELLOW}
    assert after.players[YELLOW].reserve == 1
    assert kinds(told) == ["CardTaken", "StoneMoved"]


@pytest.mark.paragraph("claim-move")
def test_the_only_stone_left_may_move_and_one_in_reserve_is_placed_first() -> None:
    last = position("Fr1 Fr2 Ba1 It1", stones={"Ba1": YELLOW}, removed={YELLOW: 2})
    after, _ = do(last, {"take": ["Fr1"], "claim": ["Fr2"], "from": ["Ba1"]})
    assert after.stones == {"Fr2": YELLOW}
    more = position("Fr1 Fr2 Ba1 It1", stones={"Ba1": YELLOW})
    after, _ = do(more, {"take": ["Fr1"], "claim": ["Fr2"], "from": ["Ba1"]})
    assert after.stones == {"Ba1": YELLOW, "Fr2": YELLOW}


@pytest.mark.paragraph("stone-own")
def test_the_own_stone_on_a_taken_card_comes_back() -> None:
    state = position("Fr2 Fr3", "Ba1", stones={"Fr3": YELLOW})
    after, told = do(state, {"take": ["Fr2", "Fr3"]})
    assert (after.stones, after.players[YELLOW].reserve) == ({}, 3)
    assert kinds(told) == ["CardTaken", "CardTaken", "StoneTakenBack"]


@pytest.mark.paragraph("stone-foreign")
def test_a_card_under_the_stone_of_another_costs_a_stone_of_the_reserve() -> None:
    state = position("Fr1 Ba1 It1", stones={"Fr1": RED, "It1": YELLOW})
    after, told = do(state, {"take": ["Fr1"], "pay": ["It1"]})
    assert (after.players[YELLOW].reserve, after.players[YELLOW].removed) == (1, 1)
    assert (after.players[RED].reserve, after.players[RED].lost) == (3, ("Fr1",))
    assert after.stones == {"It1": YELLOW}
    assert told[1] == events.ClaimBroken(
        seat=YELLOW, owner=RED, card=Card("Fr1"), paid_from=None, left=2, to="all"
    )


@pytest.mark.paragraph("stone-foreign", "stone-example")
def test_with_an_empty_reserve_the_player_says_which_stone_on_a_card_goes() -> None:
    stones = {"Fr1": RED, "It1": YELLOW, "It2": YELLOW}
    state = position("Fr1 Ba1 It1 It2", stones=stones, removed={YELLOW: 1})
    assert problems(state, {"take": ["Fr1"]})[0].startswith(
        "a stone of red lies on Fr1, and your reserve is empty: "
        "pay: [X] must say which of your stones to give up, on It1 or It2."
    )
    after, _ = do(state, {"take": ["Fr1"], "pay": ["Ba1", "It2"]})
    assert after.stones == {"It1": YELLOW}
    only = position("Fr1 Ba1 It1", stones={"Fr1": RED, "It1": YELLOW}, removed={YELLOW: 2})
    assert is_legal(only, {"take": ["Fr1"]})


@pytest.mark.paragraph("stone-foreign")
def test_two_stones_may_be_paid_in_one_turn() -> None:
    stones = {"Fr2": RED, "Fr3": GREEN, "It1": YELLOW}
    state = position("Fr2 Fr3 It1", stones=stones, removed={YELLOW: 1})
    after, _ = do(state, {"take": ["Fr2", "Fr3"]})
    assert (after.players[YELLOW].removed, after.stones) == (3, {})
    assert (after.players[RED].reserve, after.players[GREEN].reserve) == (3, 3)


@pytest.mark.paragraph("stone-none", "stone-skip")
def test_who_can_take_nothing_is_skipped_without_being_asked() -> None:
    state = position("Fr1 Fr2 Ba1", stones={"Fr1": RED, "Ba1": GREEN}, removed={YELLOW: 3})
    assert rules().ask(state) == Ask("skip", Label("yellow-1"), frozenset())
    step = rules().resolve(state, {}, DICE)
    assert step.events == (events.TurnSkipped(seat=YELLOW, to="all"),)
    assert (step.state.to_move, step.state.players[YELLOW].asks, step.state.skips) == (RED, 1, 1)
    after, _ = do(step.state, {"take": ["Ba1"]})
    assert after.skips == 0


@pytest.mark.paragraph("stone-skip")
def test_who_holds_a_law_card_is_asked_for_it_may_be_the_one_that_helps() -> None:
    stones = {"Fr1": RED, "Ba1": GREEN}
    for laws in ([RETURN], [MINUS]):
        state = position("Fr1 Fr2 Ba1", stones=stones, removed={YELLOW: 3}, own_laws={YELLOW: laws})
        assert rules().ask(state) == Ask("turn", Label("yellow-1"), frozenset({YELLOW}))
        assert is_legal(state, {"skip": True})
        assert is_legal(state, {"take": ["Fr1"], "use": [RETURN]}) == (laws == [RETURN])
        after, told = do(state, {"skip": True})
        assert (kinds(told), after.to_move) == (["TurnSkipped"], RED)


@pytest.mark.paragraph("stone-skip")
def test_a_round_of_skips_would_end_the_game() -> None:
    state = replace(position("Fr1 Fr2 Ba1", stones={"Fr1": RED, "Ba1": RED}), skips=3)
    ended = outcome(state)
    assert ended.reason == "nobody can take a card"
    assert sum(ended.scores.values()) < sum(outcome(position()).scores.values()) + 56


@pytest.mark.paragraph("stone-last")
def test_a_card_under_an_own_stone_is_left_while_another_can_be_taken() -> None:
    stones = {"Fr1": YELLOW, "Ba1": RED}
    state = position("Fr1 Sa1 Ba1", stones=stones)
    assert problems(state, {"take": ["Fr1"]})[0].startswith(
        "your own stone lies on Fr1, and you could take Ba1 instead."
    )
    poor = position("Fr1 Sa1 Ba1", stones={"Ba1": RED, "Fr1": YELLOW}, removed={YELLOW: 2})
    assert not is_legal(poor, {"take": ["Fr1"]}), "the stone on Fr1 itself could pay"
    alone = position("Fr1 Sa1 Fr2", stones={"Fr1": YELLOW, "Fr2": YELLOW})
    assert is_legal(alone, {"take": ["Fr1"]})


@pytest.mark.paragraph("stone-last")
def test_the_own_stone_is_looked_at_anew_for_the_second_card() -> None:
    state = position("Fr2 Sa1 Fr3", "Ba1", stones={"Fr3": YELLOW})
    assert is_legal(state, {"take": ["Fr2", "Fr3"]}), "no other card of Frankreich can be taken"
    other = position("Fr2 Sa1 Fr3", "Fr6", stones={"Fr3": YELLOW})
    assert not is_legal(other, {"take": ["Fr2", "Fr3"]})
    assert is_legal(other, {"take": ["Fr2", "Fr6"]})


@pytest.mark.paragraph("stone-last")
def test_by_an_option_own_claims_are_free() -> None:
    state = position("Fr1 Sa1 Ba1", stones={"Fr1": YELLOW}, own_claim_free=True)
    assert is_legal(state, {"take": ["Fr1"]})
    assert deal("free", own_claim_free=True).own_claim_free
    assert not deal("free").own_claim_free


@pytest.mark.paragraph("law-taken")
def test_a_law_card_comes_with_its_land_card_and_only_its_seat_sees_it() -> None:
    state = position("Fr1 Ba1 Sa1", laws={"Fr1": THREE, "Sa1": MINUS})
    after, told = do(state, {"take": ["Fr1"]})
    assert kinds(told) == ["CardTaken", "LawTaken", "LawSeen"]
    assert told[2] == events.LawSeen(seat=YELLOW, law=THREE, to=frozenset({YELLOW}))
    assert (after.players[YELLOW].laws, after.laws) == ((THREE,), {"Sa1": MINUS})
    own, others = rules().view(after, YELLOW), rules().view(after, RED)
    assert (own.laws, others.laws, others.players[YELLOW].laws) == ((THREE,), (), 1)
    assert (own.unseen[THREE], others.unseen[THREE]) == (1, 2)


USES: list[tuple[str, dict[str, Any], dict[str, Any], str, list[str]]] = [
    (
        "three symbols, held",
        {"own_laws": {YELLOW: [THREE]}},
        {"take": ["Fr1", "Fr2"], "use": [THREE]},
        "Fr1 Fr2",
        ["CardTaken", "LawPlayed", "CardTaken"],
    ),
    (
        "three symbols, just taken",
        {"laws": {"Fr1": THREE}},
        {"take": ["Fr1"], "also": ["Fr2"], "use": [THREE]},
        "Fr1 Fr2",
        ["CardTaken", "LawTaken", "LawSeen", "LawPlayed", "CardTaken"],
    ),
    (
        "another card turned up",
        {"laws": {"Fr1": COLOURS}},
        {"take": ["Fr1"], "also": ["Fr2"], "use": [THREE]},
        "Fr1",
        ["CardTaken", "LawTaken", "LawSeen"],
    ),
    (
        "not to be used",
        {"laws": {"Fr1": THREE}},
        {"take": ["Fr1"], "also": ["Fr2"]},
        "Fr1",
        ["CardTaken", "LawTaken", "LawSeen"],
    ),
    (
        "different colours, and the limit of symbols stays",
        {"own_laws": {YELLOW: [COLOURS]}},
        {"take": ["Ba4", "Fr2"], "also": ["Fr1", "Sa7"], "use": [COLOURS]},
        "Ba4 Fr2 Sa7",
        ["CardTaken", "LawPlayed", "CardTaken", "CardTaken"],
    ),
    (
        "both in one turn",
        {"own_laws": {YELLOW: [COLOURS, THREE]}},
        {"take": ["Ba4", "Fr1"], "use": [THREE, COLOURS]},
        "Ba4 Fr1",
        ["CardTaken", "LawPlayed", "LawPlayed", "CardTaken"],
    ),
    (
        "one that does not help is kept",
        {"own_laws": {YELLOW: [THREE]}},
        {"take": ["Fr2"], "use": [THREE]},
        "Fr2",
        ["CardTaken"],
    ),
]


@pytest.mark.paragraph("law-three", "law-colours")
@pytest.mark.parametrize(
    ("given", "order", "haul", "told"), [row[1:] for row in USES], ids=[row[0] for row in USES]
)
def test_law_cards_are_played_where_they_help(
    given: dict[str, Any], order: dict[str, Any], haul: str, told: list[str]
) -> None:
    row = "Fr2 Fr1 Ba2" if order["take"] == ["Fr2"] else "Fr1 Fr2"
    state = position(row, "Ba4", "Sa7", **given)
    if order["take"][0] == "Ba4" and "Fr2" in order["take"]:
        state = position("Fr2 Fr1", "Ba4", "Sa7", **given)
    assert is_legal(state, order)
    after, happened = do(state, order)
    assert taken(after) == cards(haul)
    assert kinds(happened) == told
    played = [event.law for event in happened if isinstance(event, events.LawPlayed)]
    held = [*given.get("own_laws", {}).get(YELLOW, ()), *given.get("laws", {}).values()]
    assert after.played == tuple(played)
    assert sorted((*after.players[YELLOW].laws, *played)) == sorted(held)


@pytest.mark.paragraph("law-return")
def test_a_stone_comes_back_where_one_must_be_paid_or_before_the_claim() -> None:
    state = position("Fr1 Ba1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: [RETURN]})
    after, told = do(state, {"take": ["Fr1"], "use": [RETURN]})
    assert kinds(told) == ["LawPlayed", "CardTaken", "ClaimBroken"]
    assert (after.players[YELLOW].removed, after.played) == (3, (RETURN,))
    after, told = do(state, {"take": ["Ba1"], "use": [RETURN], "claim": ["any"]})
    assert kinds(told) == ["CardTaken", "LawPlayed", "WishMissed"]
    assert (after.players[YELLOW].reserve, after.players[YELLOW].removed) == (1, 2)


@pytest.mark.paragraph("law-return", "stone-foreign")
@pytest.mark.parametrize(
    ("own", "order", "told", "left"),
    [
        ("Sa1", {"use": [RETURN]}, ["LawPlayed", "CardTaken", "ClaimBroken"], "Sa1"),
        ("Sa1 Sa2", {"use": [RETURN]}, ["LawPlayed", "CardTaken", "ClaimBroken"], "Sa1 Sa2"),
        ("Sa1 Sa2", {"use": [RETURN], "pay": ["any"]}, ["LawPlayed", "CardTaken", "ClaimBroken"], "Sa1 Sa2"),
        ("Sa1 Sa2", {"use": [RETURN], "pay": ["Sa2"]}, ["CardTaken", "ClaimBroken", "LawPlayed"], "Sa1"),
        ("Sa1", {}, ["CardTaken", "ClaimBroken"], ""),
        ("Sa1 Sa2", {"pay": ["any"]}, ["CardTaken", "ClaimBroken"], "Sa2"),
    ],
)
def test_the_stone_that_a_law_card_brings_back_pays_unless_the_order_names_another(
    own: str, order: dict[str, Any], told: list[str], left: str
) -> None:
    stones = {"Fr1": RED, **dict.fromkeys(own.split(), YELLOW)}
    removed = {YELLOW: 3 - len(own.split())}
    state = position("Fr1 Ba1", "Sa1 Sa2", stones=stones, removed=removed, own_laws={YELLOW: [RETURN]})
    assert state.players[YELLOW].reserve == 0

    assert problems(state, {"take": ["Fr1"], **order}) == []
    after, happened = do(state, {"take": ["Fr1"], **order})

    assert kinds(happened) == told
    assert {card for card, owner in after.stones.items() if owner == YELLOW} == set(left.split())
    assert after.players[YELLOW].reserve == (1 if order.get("pay") == ["Sa2"] else 0)


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


@pytest.mark.paragraph("law-return")
def test_a_stone_that_was_just_paid_comes_back_to_pay_for_the_next_card() -> None:
    stones = {"Fr1": RED, "Fr8": RED, "Sa1": YELLOW, "Sa2": YELLOW, "Sa3": YELLOW}
    state = position("Fr1 Fr8", "Sa1 Sa2 Sa3", stones=stones, own_laws={YELLOW: [RETURN]})
    after, told = do(state, {"take": ["Fr1", "Fr8"], "use": [RETURN], "pay": ["Sa1"]})
    assert kinds(told) == ["CardTaken", "ClaimBroken", "LawPlayed", "CardTaken", "ClaimBroken"]
    assert {card for card, owner in after.stones.items() if owner == YELLOW} == {"Sa2", "Sa3"}


@pytest.mark.paragraph("law-return")
def test_which_stone_pays_must_be_said_where_no_law_card_brings_one_back() -> None:
    stones = {"Fr1": RED, "Sa1": YELLOW, "Sa2": YELLOW}
    own = {YELLOW: [RETURN]}
    state = position("Fr1 Ba1", "Sa1 Sa2", stones=stones, removed={YELLOW: 1}, own_laws=own)
    assert not is_legal(state, {"take": ["Fr1"]})
    state = position("Fr8 Fr1", "Sa1 Sa2", stones=stones, removed={YELLOW: 1}, laws={"Fr8": THREE})
    assert "also: [Fr1]" in problems(state, {"take": ["Fr8", "Fr1"], "use": [RETURN]})[0]


@pytest.mark.paragraph("law-return")
def test_a_stone_comes_back_only_if_one_is_out_of_the_game() -> None:
    state = position("Fr1 Ba1", own_laws={YELLOW: [RETURN]})
    after, told = do(state, {"take": ["Fr1"], "use": [RETURN]})
    assert (kinds(told), after.players[YELLOW].laws) == (["CardTaken"], (RETURN,))


@pytest.mark.paragraph("law-return")
def test_a_law_card_just_taken_brings_a_stone_back_that_was_paid_in_the_same_turn() -> None:
    state = position("Fr1 Ba1", stones={"Fr1": RED}, laws={"Fr1": RETURN})
    after, told = do(state, {"take": ["Fr1"], "use": [RETURN], "claim": ["Ba1"]})
    assert kinds(told) == ["CardTaken", "ClaimBroken", "LawTaken", "LawSeen", "LawPlayed", "StonePlaced"]
    assert (after.players[YELLOW].reserve, after.players[YELLOW].removed) == (2, 0)


@pytest.mark.paragraph("law-minus", "penalty")
def test_a_penalty_is_shown_at_the_end_and_costs_two_points() -> None:
    state = position("Fr1", own_laws={YELLOW: [MINUS, THREE], RED: [MINUS, MINUS]})
    before = rules().view(state, GREEN)
    assert (before.chart[YELLOW].penalty, before.players[YELLOW].shown) == (None, ())
    assert rules().view(state, YELLOW).chart[YELLOW].penalty == 2
    after, told = do(state, {"take": ["Fr1"]})
    laws = {YELLOW: (MINUS, THREE), RED: (MINUS, MINUS), GREEN: ()}
    assert told[-1] == events.LawsRevealed(laws=laws, to="all")
    chart = rules().view(after, None).chart
    assert [chart[seat].penalty for seat in (YELLOW, RED, GREEN)] == [2, 4, 0]
    assert outcome(after).scores == {seat: chart[seat].total for seat in (YELLOW, RED, GREEN)}
    assert chart[RED].total == chart[RED].subtotal + chart[RED].chain - 4
    assert rules().view(after, None).players[RED].shown == (MINUS, MINUS)


@pytest.mark.paragraph("end")
def test_the_game_ends_when_the_last_card_is_taken() -> None:
    state = position("Fr1")
    assert isinstance(rules().ask(state), Ask)
    after, told = do(state, {"take": ["Fr1"]})
    assert outcome(after).reason == "all land cards are taken"
    assert kinds(told) == ["CardTaken"]
    assert problems(after, {"take": ["Fr2"]}) == ["the game is over"]


WISHES = [
    ("alternatives, the first that is there", {"take": [["It1", "Sa1", "Ba1"]]}, "Sa1"),
    ("a single card without brackets", {"take": "Ba1"}, "Ba1"),
    ("a country, most symbols first", {"take": ["franken"]}, "Fn3"),
    ("a country where no stone is to be paid", {"take": ["bayern"]}, "Ba5"),
    ("a card under a stone that is named", {"take": ["Ba1"]}, "Ba1"),
    ("also what does not fit is left", {"take": ["Fn4"], "also": ["Sa1", "Fn3", "Fn7"]}, "Fn4 Fn7"),
    ("also a whole country, again and again", {"take": ["Fn7"], "also": ["franken"]}, "Fn7 Fn3"),
    ("also pays no stone for what is not named", {"take": ["Ba6"], "also": ["bayern"]}, "Ba6 Ba5"),
    ("also pays for what is named", {"take": ["Ba6"], "also": ["Ba1"]}, "Ba6 Ba1"),
    ("anything", {"take": [["Fr1", "any"]]}, "Sa1"),
]


@pytest.mark.parametrize(("order", "haul"), [row[1:] for row in WISHES], ids=[row[0] for row in WISHES])
def test_a_wish_takes(order: dict[str, Any], haul: str) -> None:
    state = position("Sa1 Fr1 Fn3", "Fn7 It1 Fn4", "Ba1 Fr2 Ba5", "Ba6", stones={"Ba1": RED})
    if haul == "Fn4 Fn7":
        state = position("Sa1 Fr1 Fn3", "Fn7 It1 Fn4", "Ba1", stones={"Fn3": RED}, removed={YELLOW: 3})
    assert is_legal(state, order)
    assert taken(do(state, order)[0]) == cards(haul)


def test_anything_takes_a_card_that_costs_a_stone_where_there_is_no_other() -> None:
    state = position("Fr1 Sa1 Fr2", stones={"Fr1": RED, "Fr2": GREEN})
    assert taken(do(state, {"take": ["any"]})[0]) == cards("Fr1")


def test_what_came_to_nothing_is_told_to_its_owner() -> None:
    state = position("Fr1 Ba1", stones={"Ba1": RED}, players=5)
    after, told = do(state, {"take": ["Fr1"], "claim": ["Ba1"]})
    assert told[-1] == events.WishMissed(
        seat=YELLOW, part="claim", why="a stone of red lies on Ba1", to=frozenset({YELLOW})
    )
    assert after.stones == {"Ba1": RED}


def test_lost_cards_are_told_until_the_next_turn_is_over() -> None:
    state = position("Fr1 Fr2 Ba1 Sa1", stones={"Fr1": RED})
    after, _ = do(state, {"take": ["Fr1"]})
    view = rules().view(after, RED)
    assert (view.lost_claim, view.lost) == (True, ("Fr1",))
    assert rules().view(after, GREEN).lost_claim is False
    later, _ = do(after, {"take": ["Sa1"]})
    assert rules().view(later, RED).lost_claim is False


def test_a_step_does_not_change_the_state_before_it() -> None:
    state = deal("frozen")
    before = repr(state)
    rules().resolve(state, {state.to_move: rules().read({"take": ["any"], "claim": ["any"]})}, Dice(b"x", 1))
    assert repr(state) == before


def test_a_stone_goes_with_its_card_and_one_of_another_seat_costs_a_stone() -> None:
    cards, other = (Card("Fr1"), Card("Fr2"), Card("Fr3")), Scene(RED, (), {}, 2)
    scene = other._replace(rows=(cards,), stones={cards[0]: GREEN, cards[1]: RED})

    first = scene.after(cards[0])
    both = first.after(cards[1])

    assert (first.stones, first.spare) == ({cards[1]: RED}, 1)
    assert (both.stones, both.spare, both.rows) == ({}, 1, ((cards[2],),))
