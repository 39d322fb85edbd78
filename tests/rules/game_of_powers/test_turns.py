"""Turns: sailing, the three actions, and what is laid out anew."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.facts import total
from pbem.rules.game_of_powers.sailing import courses
from pbem.rules.game_of_powers.state import Section, State

from .table import BLACK, DICE, WHITE, asked, cards, do, game, hold, kinds, position, tokens, wrong

FAR = hold("", at="haithabu clockwise")
TAKE: dict[str, Json] = {"take_tokens": ["any", "any"]}


def at(place: str, hand: str = "", held: str = "", **more: Any) -> State:
    return position(hold(hand, at=place, tokens_of=held), FAR, **more)


@pytest.mark.paragraph("turn", "rounds")
def test_a_turn_is_a_move_and_an_action_and_then_the_next_seat_is_on_turn() -> None:
    state, told = do(at("wolin clockwise"), {"sail": "haithabu", **TAKE})

    assert kinds(told) == ["ShipSailed", "TokensTaken"]
    assert asked(state) == BLACK
    assert state.players[WHITE].asks == 2


def test_a_seat_that_was_traded_with_has_not_been_after_its_own_turn() -> None:
    traded = position(hold("", at="wolin clockwise", traded=True), FAR)
    state, _ = do(traded, {"sail": "haithabu", **TAKE})
    assert not state.players[WHITE].traded


@pytest.mark.paragraph("move-b")
@pytest.mark.parametrize(
    ("spaces", "legal"), [(1, False), (2, False), (3, True), (4, True), (5, True), (6, False)]
)
def test_a_card_of_three_points_takes_a_ship_up_to_three_spaces_further(spaces: int, legal: bool) -> None:
    problems = wrong(at("wolin clockwise", "4"), {"sail": spaces, "extra": 4, **TAKE})

    assert (problems == []) == legal


@pytest.mark.paragraph("move-b")
@pytest.mark.parametrize(
    ("hand", "farthest"), [("", 2), ("4", 5), ("13", 3)], ids=["no card", "three", "one"]
)
def test_every_space_up_to_the_points_of_a_card_is_offered(hand: str, farthest: int) -> None:
    view = game().view(at("wolin clockwise", hand), WHITE)

    ahead = [one.spaces for one in courses(game().facts, view, view.hand) if not one.reverse]

    assert sorted({*ahead}) == [*range(1, farthest + 1)]


@pytest.mark.paragraph("move-c", "ruling-cards")
def test_one_card_turns_the_ship_round_and_another_takes_it_further() -> None:
    state, told = do(at("wolin clockwise", "4 13"), {"sail": "palanga", "reverse": 13, "extra": 4, **TAKE})

    assert kinds(told)[:3] == ["CardReturned", "CardReturned", "ShipSailed"]
    assert state.players[WHITE].direction == "anticlockwise"
    assert state.players[WHITE].hand == ()
    same = wrong(at("wolin clockwise", "4"), {"sail": "palanga", "reverse": 4, "extra": 4, **TAKE})
    assert "cannot both turn the ship and take it further" in same[0]


@pytest.mark.paragraph("move-d")
@pytest.mark.parametrize(("seats", "place"), [(2, "box"), (3, "box"), (4, "under"), (5, "under")])
def test_returned_cards_leave_the_game_or_go_under_the_pile(seats: int, place: str) -> None:
    state = position(hold("4", at="wolin clockwise"), *[FAR] * (seats - 1))

    ended, told = do(state, {"sail": 3, "extra": 4, **TAKE})

    assert getattr(ended, place) == cards("4")
    (returned,) = (event for event in told if isinstance(event, events.CardReturned))
    assert returned.under_pile == (place == "under")


@pytest.mark.paragraph("move-d", "take-cards")
def test_a_card_under_the_pile_comes_last() -> None:
    players = [hold("4", at="wolin clockwise"), *[FAR] * 3]
    state = position(*players, fields={"green": "1 2 3 5"}, pile="10 11")

    ended, told = do(state, {"sail": "uppakra", "extra": 4, "take_cards": [1, 2]})

    assert told[-1] == events.CardsLaidOut(
        section=Section("green"),
        cards=cards("10 11"),
        titles=("Gold-foil couple (10)", "Miniature god figure (11)"),
        pile=1,
        to="all",
    )
    assert ended.fields[Section("green")] == cards("3 5 10 11")
    assert ended.under == cards("4")
    assert not ended.is_last


@pytest.mark.paragraph("move-e")
def test_a_ship_may_not_end_where_it_started_not_even_right_round() -> None:
    problems = wrong(at("wolin clockwise", "1"), {"sail": 8, "extra": 1, **TAKE})

    assert "your ship is at Wolin already" in problems[0]


@pytest.mark.paragraph("take-tokens")
@pytest.mark.parametrize(
    ("held", "field", "order", "taken"),
    [
        ("", "military religious religious", ["religious", "religious"], "religious religious"),
        ("", "military religious", ["commercial", "religious", "any"], "religious military"),
        ("military", "military religious commercial", ["any", "any"], "religious commercial"),
        ("military " * 9, "religious religious", ["religious", "religious"], "religious"),
        ("", "diplomatic", ["any", "any"], "diplomatic"),
    ],
    ids=["both", "preferences", "held least of", "limit of ten", "one is left"],
)
def test_tokens_are_taken_by_preference(held: str, field: str, order: list[Json], taken: str) -> None:
    state = at("wolin clockwise", "", held, stock={"haithabu": field})

    ended, told = do(state, {"sail": 1, "take_tokens": order})

    assert ended.players[WHITE].tokens == tokens(f"{held} {taken}")
    assert told[1].tokens == tuple(taken.split())  # type: ignore[attr-defined]


@pytest.mark.paragraph("take-tokens", "ruling-refill")
@pytest.mark.parametrize(
    ("pool", "laid"), [("military religious " * 5, 6), ("military religious", 2), ("", 0)]
)
def test_an_empty_field_gets_six_tokens_or_what_the_pool_has(pool: str, laid: int) -> None:
    state = at("wolin clockwise", stock={"haithabu": "military military"}, pool=tokens(pool))

    ended, told = do(state, {"sail": 1, **TAKE})

    assert total(ended.stock[game().facts.ring[1]]) == laid
    assert total(ended.pool) == total(tokens(pool)) - laid
    assert ("FieldRefilled" in kinds(told)) == (laid > 0)


@pytest.mark.paragraph("ruling-refill")
def test_a_field_that_stayed_empty_gets_the_next_tokens_of_the_pool() -> None:
    state = at("palanga clockwise", "30", "military", stock={"wolin": ""}, pool=tokens(""))

    ended, told = do(state, {"sail": "owidz", "play_cards": [30]})

    assert ended.stock[game().facts.ring[0]] == tokens("military")
    assert kinds(told)[-1] == "FieldRefilled"


@pytest.mark.paragraph("take-cards")
@pytest.mark.parametrize(
    ("order", "taken"),
    [
        ([11, 10], "10 11"),
        (["Gold-foil couple", "#4"], "4 10"),
        ([13, "sorte_muld", 4], "4 14"),
        ([{"category": "religious", "score": 4}, "any"], "10 11"),
        ([{"token": "diplomatic"}, {"site": "uppakra", "score": 2}], "10 11"),
        (["any", "any"], "10 11"),
    ],
    ids=["by number", "by name", "the first is gone", "by what it has", "by token", "the best"],
)
def test_cards_are_taken_by_preference(order: list[Json], taken: str) -> None:
    state = at("sorte_muld clockwise", "1", fields={"blue": "4 10 11 14"})

    ended, _ = do(state, {"sail": "palanga", "take_cards": order})

    assert ended.players[WHITE].hand == cards(f"1 {taken}")
    assert ended.players[WHITE].open == cards(taken)


@pytest.mark.paragraph("take-cards")
def test_with_nine_cards_only_one_is_taken_and_with_ten_none() -> None:
    nine = at("wolin clockwise", "1 2 3 4 5 6 7 8 9")
    ended, _ = do(nine, {"sail": 1, "take_cards": ["any", "any"]})
    assert len(ended.players[WHITE].hand) == 10

    ten = at("wolin clockwise", "1 2 3 4 5 6 7 8 9 10")
    assert "you hold 10 cards, the most there is" in wrong(ten, {"sail": 1, "take_cards": ["any"]})[0]
    assert wrong(ten, {"sail": 3, "extra": 10, "take_cards": ["any"]}) == []


@pytest.mark.paragraph("take-cards")
@pytest.mark.parametrize(
    ("hand", "field", "pile", "taken", "left"),
    [
        ("1", "4 10 11 14", "20 21 22 23", "14 11", "4 10 20 21"),
        ("1", "4 10 11 14", "20", "14 11", "4 10 20"),
        ("1", "4", "20 21 22 23", "4", "20 21 22 23"),
        ("1 2 3 5 6 7 8 9 12", "4 10 11 14", "20 21 22 23", "14", "4 10 11 20"),
    ],
    ids=["two", "the pile runs out", "one is left", "one more may be held"],
)
def test_two_cards_are_taken_and_the_section_is_filled_again(
    hand: str, field: str, pile: str, taken: str, left: str
) -> None:
    state = at("sorte_muld clockwise", hand, fields={"blue": field}, pile=pile)

    ended, told = do(state, {"sail": "palanga", "take_cards": list[Json](taken.split())})

    assert sorted(ended.players[WHITE].hand) == sorted(cards(f"{hand} {taken}"))
    assert ended.fields[Section("blue")] == cards(left)
    assert ended.pile == cards(pile)[len(cards(left)) - (len(cards(field)) - len(cards(taken))) :]
    assert ended.is_last == (kinds(told)[-1] == "LastRoundBegun") == (len(cards(left)) < 4)
    one_more: Json = {"sail": "palanga", "take_cards": [*taken.split(), "any"]}
    assert do(state, one_more)[0] == ended


@pytest.mark.paragraph("take-cards")
@pytest.mark.parametrize("order", [[11], [11, 99], [11, 11], [10, 13]], ids=["one", "none", "twice", "gone"])
def test_fewer_cards_than_must_be_taken_are_refused(order: list[Json]) -> None:
    state = at("sorte_muld clockwise", "1", fields={"blue": "4 10 11 14"})

    assert wrong(state, {"sail": "palanga", "take_cards": order})[0].startswith("take_cards")
    empty = at("sorte_muld clockwise", "1", fields={"blue": ""})
    assert wrong(empty, {"sail": "palanga", "take_cards": ["any", "any"]})[0].startswith("take_cards")


@pytest.mark.paragraph("play-cost")
def test_a_card_that_cannot_be_paid_is_left_out_of_an_older_order() -> None:
    state = at("palanga clockwise", "30 32 39", "military military")
    order: Json = {"sail": "owidz", "play_cards": [30, 32, 39]}
    assert len(wrong(state, order)) == 2

    ended, told = do(state, order)

    assert ended.players[WHITE].played == cards("30")
    left_out = [event for event in told if isinstance(event, events.PartLeftOut)]
    assert [event.to for event in left_out] == [frozenset({WHITE})] * 2
    assert left_out[0].why.startswith("Bronze finger ring (32) costs 2 military here, and you have 1.")


@pytest.mark.parametrize("again", [30, "#30", "crossbow  bolt"])
def test_a_card_is_played_once_however_often_and_whatever_it_is_called(again: Json) -> None:
    state = at("palanga clockwise", "30 32", "military " * 6)
    order: Json = {"sail": "owidz", "play_cards": ["Crossbow bolt", again]}

    ended, _ = do(state, order)

    assert "play_cards.1: Crossbow bolt (30) is named twice" in wrong(state, order)[0]
    assert ended.players[WHITE].played == cards("30")


@pytest.mark.paragraph("ruling-no-action", "action")
def test_an_action_is_needed_where_one_is_possible_and_only_there() -> None:
    full = at("wolin clockwise", "1 2 3 4 5 6 7 8 9 10", "military " * 10)
    ended, told = do(full, {"sail": 1})
    assert kinds(told) == ["ShipSailed", "ActionSkipped"]
    assert asked(ended) == BLACK

    missing = wrong(at("wolin clockwise"), {"sail": 1})
    assert "an action is missing, and at Haithabu one is possible" in missing[0]
    only_cards = at("wolin clockwise", "31 1 2 3 4 5 6 7 8", "military " * 10)
    only_tokens = at("wolin clockwise", "31 1 2 3 4 5 6 7 8 9", "military " * 9)
    for state in (only_cards, only_tokens):
        assert wrong(state, {"sail": 1})[0].startswith(": an action is missing")
    playable = at("palanga clockwise", "30 1 2 3 4 5 6 7 8 9", "military " * 10)
    assert wrong(playable, {"sail": "owidz"})[0].startswith(": an action is missing")


@pytest.mark.paragraph("ruling-silence")
@pytest.mark.parametrize(
    ("hand", "held", "expected"),
    [
        ("", "", {"sail": 1, "take_tokens": ["any", "any"]}),
        ("30", "military " * 10, {"sail": 1, "take_cards": ["any", "any"]}),
        ("30 1 2 3 4 5 6 7 8 9", "military " * 10, {"sail": 1, "play_cards": [30]}),
        ("31 1 2 3 4 5 6 7 8 9", "military " * 10, {"sail": 1}),
    ],
    ids=["tokens", "cards", "plays", "nothing"],
)
def test_a_silent_seat_sails_one_space_and_does_the_least(hand: str, held: str, expected: Json) -> None:
    state = at("palanga clockwise", hand, held)
    rules = game()

    found = rules.hold(rules.view(state, WHITE))

    assert found == expected
    assert wrong(state, found) == []


def test_an_order_that_is_not_legal_is_a_fault() -> None:
    with pytest.raises(ValueError, match="expected a legal order for the ask of kind 'move' from white"):
        do(at("wolin clockwise"), {"sail": "wolin", **TAKE})
    with pytest.raises(ValueError, match="expected an order from white"):
        game().resolve(at("wolin clockwise"), {}, DICE)
