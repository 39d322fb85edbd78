"""Turns: playing, heroes, drawing, skipping and the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.rules.rose_king import events
from pbem.rules.rose_king.state import RED, SEATS, WHITE, State

from .table import cards, deal, do, kinds, position, rose_king

NORTH = "N1 N2 N3 NE1 NE2"
"""A hand that leads off the board from A1, as does the next."""
WEST = "W1 W2 W3 NW1 NW2"


def outcome(state: State) -> Outcome:
    found = rose_king().ask(state)
    assert isinstance(found, Outcome)
    return found


def ask(state: State) -> Ask:
    found = rose_king().ask(state)
    assert isinstance(found, Ask)
    return found


@pytest.mark.paragraph("board", "hands", "tokens", "start", "heroes")
def test_a_deal_gives_each_five_cards_and_leaves_the_centre_empty() -> None:
    state = deal("deal")
    assert [len(state.players[seat].hand) for seat in SEATS] == [5, 5]
    assert [state.players[seat].heroes for seat in SEATS] == [4, 4]
    assert (len(state.pile), state.discards, state.supply, state.crown, state.tokens) == (
        14,
        (),
        52,
        "E5",
        {},
    )
    assert ask(state) == Ask("move", Label("red-1"), frozenset({RED}))


@pytest.mark.paragraph("players")
def test_only_red_and_white_can_sit_down() -> None:
    with pytest.raises(ValueError, match="expected the seats red and white"):
        rose_king().setup((WHITE, RED), {}, {}, Dice(b"x", 0))


@pytest.mark.paragraph("play")
def test_a_played_card_takes_crown_and_token_its_full_distance() -> None:
    after, told = do(position(), {"play": "N2"})
    assert (after.crown, after.tokens, after.discards, after.supply) == ("E3", {"E3": "red"}, ("N2",), 51)
    assert after.players[RED].hand == cards("N1 N3 NE1 NE2")
    assert kinds(told) == ["CardPlayed", "TokenPlaced"]
    assert isinstance(told[1], events.TokenPlaced)
    assert told[1].tokens_left == 51
    assert told[0] == events.CardPlayed(
        seat=RED, card=cards("N2")[0], crown_from=position().crown, crown_to=after.crown, to="all"
    )


@pytest.mark.paragraph("start", "turn")
def test_seats_are_asked_in_turn_and_counted_each_for_itself() -> None:
    labels = []
    state = position()
    orders: list[Json] = [{"play": "N2"}, {"play": "S1"}, {"draw": True}, {"draw": True}]
    for order in orders:
        labels.append(ask(state).label)
        state, _ = do(state, order)
    assert labels == ["red-1", "white-1", "red-2", "white-2"]


def test_joined_territories_are_told_with_their_sizes() -> None:
    state = position(tokens={"D4": "red", "F4": "red", "F3": "red"})
    _, told = do(state, {"play": "N1"})
    assert told[-1] == events.TerritoriesJoined(seat=RED, sizes=(2, 1), size=4, to="all")
    placed = told[1]
    assert isinstance(placed, events.TokenPlaced)
    assert placed.points == {RED: 16, WHITE: 0}


@pytest.mark.paragraph("hero-turns")
def test_a_hero_may_break_a_territory() -> None:
    state = position(tokens={"D4": "white", "E4": "white", "F4": "white", "G4": "white"})
    after, told = do(state, {"play": "N1", "hero": True})
    assert kinds(told) == ["CardPlayed", "TokenTurned", "TerritoryBroken"]
    assert told[-1] == events.TerritoryBroken(seat=WHITE, size=4, sizes=(2, 1), to="all")
    turned = told[1]
    assert isinstance(turned, events.TokenTurned)
    assert (turned.loser, turned.heroes_left, turned.points) == (WHITE, 3, {RED: 1, WHITE: 5})
    assert after.supply == 52


@pytest.mark.paragraph("compulsion")
def test_a_hero_that_is_the_only_move_is_forced() -> None:
    hand = "N1 N2 N3 NE3 E1"
    state = position(red=hand, white="S1 S2 S3 SW1 SW2", crown="I2", tokens={"I1": "white"})
    assert ask(state).seats == {RED}
    choices = rose_king().choices(rose_king().view(state, RED))
    assert choices.only == {"play": "N1", "hero": True}


@pytest.mark.paragraph("skip")
def test_a_seat_that_can_do_nothing_skips_and_the_other_goes_on() -> None:
    state = position(red=NORTH, white="S1 S2 S3 SE1 SE2", crown="A1")
    assert ask(state) == Ask("skip", Label("red-1"), frozenset())
    after, told = do(state)
    assert told == (events.TurnSkipped(seat=RED, to="all"),)
    assert ask(after) == Ask("move", Label("white-1"), frozenset({WHITE}))
    later, _ = do(after, {"play": "S1"})
    assert ask(later).label == "red-2"


@pytest.mark.paragraph("heroes", "skip")
def test_without_heroes_a_seat_before_a_token_of_the_opponent_skips() -> None:
    state = position(red="N1 N2 N3 NE3 E1", crown="I2", tokens={"I1": "white"}, heroes=(0, 4))
    assert ask(state).kind == "skip"


@pytest.mark.paragraph("end-stuck", "end-at-once", "total")
def test_the_game_ends_when_neither_can_move_and_no_skip_is_recorded() -> None:
    state = position(red=NORTH, white=WEST, crown="A1", tokens={"B1": "red", "C1": "red", "I9": "white"})
    end = outcome(state)
    assert end == Outcome("neither red nor white can move", (RED,), {RED: 4, WHITE: 1}, "points")


@pytest.mark.paragraph("end-stuck")
def test_a_seat_that_can_draw_keeps_the_game_going() -> None:
    state = position(red=NORTH, white="W1 W2 W3 NW1", crown="A1")
    assert ask(state).kind == "skip"
    after, _ = do(state)
    assert ask(after).seats == {WHITE}


@pytest.mark.paragraph("end-stuck")
def test_a_drawn_card_can_end_the_game() -> None:
    state = position(red=NORTH, white="W1 W2 W3 NW1", crown="A1", to_move=WHITE, pile="NW2 S1")
    after, _ = do(state, {"draw": True})
    assert outcome(after).decided_by == "draw"
    assert outcome(after).winners == ()


@pytest.mark.paragraph("end-last-token", "end-at-once")
def test_the_last_token_of_the_pool_ends_the_game_at_once() -> None:
    state = position(supply=1, tokens={"A1": "white"})
    after, told = do(state, {"play": "N1"})
    placed = told[1]
    assert isinstance(placed, events.TokenPlaced)
    assert placed.tokens_left == 0
    assert outcome(after).reason == "the last token was placed"
    assert rose_king().view(after, RED).to_move is None


@pytest.mark.paragraph("hero-turns", "end-last-token")
def test_a_hero_takes_no_token_and_does_not_end_the_game() -> None:
    state = position(supply=1, tokens={"E4": "white"})
    after, _ = do(state, {"play": "N1", "hero": True})
    assert ask(after).seats == {WHITE}


@pytest.mark.paragraph("end-last-token")
def test_with_own_tokens_the_game_ends_when_one_seat_has_placed_all() -> None:
    state = position(supply=None, own=(1, 5), tokens={"E4": "white"})
    hero, _ = do(state, {"play": "N1", "hero": True})
    assert ask(hero).seats == {WHITE}
    assert hero.players[RED].tokens == 1
    after, _ = do(state, {"play": "N2"})
    assert (after.players[RED].tokens, after.players[WHITE].tokens, after.supply) == (0, 5, None)
    assert outcome(after).reason == "red placed its last token"


def test_own_tokens_are_dealt_as_the_option_says() -> None:
    state = deal("own", own_tokens=26)
    assert state.supply is None
    assert [state.players[seat].tokens for seat in SEATS] == [26, 26]


@pytest.mark.paragraph("draw")
def test_a_drawn_card_is_shown_and_sorted_into_the_hand() -> None:
    state = position(red="N1 W3", pile="SE2 N2")
    after, told = do(state, {"draw": True})
    assert told == (events.CardDrawn(seat=RED, card=cards("SE2")[0], pile=1, to="all"),)
    assert after.players[RED].hand == cards("N1 SE2 W3")
    assert after.crown == state.crown
    assert events.CardDrawn.releases == ("card",)


@pytest.mark.paragraph("reshuffle")
def test_the_pile_is_not_reshuffled_when_it_becomes_empty_but_when_a_card_is_needed() -> None:
    state = position(red="N1 N2 N3", white="S2 S3 SW1", pile="W1", discards="E1 E2")
    state, told = do(state, {"draw": True})
    assert (kinds(told), state.pile, state.discards) == (["CardDrawn"], (), cards("E1 E2"))
    state, _ = do(state, {"play": "S2"})
    state, told = do(state, {"draw": True})
    assert kinds(told) == ["PileReshuffled", "CardDrawn"]
    assert told[0] == events.PileReshuffled(cards=3, to="all")
    assert state.discards == ()
    assert len(state.pile) == 2
    seen = {*state.pile, *state.players[RED].hand}
    assert {"E1", "E2", "S2"} <= seen, "a card discarded since the pile ran out takes part"


@pytest.mark.paragraph("reshuffle")
def test_the_dice_order_the_reshuffled_pile() -> None:
    state = position(red="N1", pile="", discards="E1 E2 E3 W1 W2 W3")
    for step in range(3):
        dice = Dice(b"reshuffle", step)
        after, _ = do(state, {"draw": True}, dice)
        drawn, *rest = dice.shuffled(state.discards, "reshuffle")
        assert after.players[RED].hand == rose_king().facts.in_order((*cards("N1"), drawn))
        assert after.pile == tuple(rest)


def test_discards_lie_in_the_order_in_which_they_were_played() -> None:
    state, _ = do(position(discards="W1"), {"play": "N2"})
    state, _ = do(state, {"play": "S1"})
    assert state.discards == cards("W1 N2 S1")


@pytest.mark.paragraph("draw")
@pytest.mark.parametrize(
    ("seat", "order", "sentence"),
    [
        (RED, {"play": "S1"}, "expected {play: N1} or"),
        (RED, {"draw": True}, "expected {play: N1} or"),
        (WHITE, {"play": "S1"}, "from red"),
    ],
)
def test_an_illegal_move_never_resolves(seat: Seat, order: Json, sentence: str) -> None:
    rules = rose_king()
    with pytest.raises(ValueError, match=sentence):
        rules.resolve(position(), {seat: rules.read(order)}, Dice(b"x", 1))


@pytest.mark.paragraph("compulsion")
def test_a_seat_that_can_move_is_never_skipped() -> None:
    with pytest.raises(ValueError, match="from red"):
        do(position())


def test_a_token_lost_to_the_last_turn_shows_until_the_opponent_moves_again() -> None:
    rules = rose_king()
    state, _ = do(position(tokens={"E4": "white"}), {"play": "N1", "hero": True})
    assert rules.view(state, WHITE).lost_token
    assert not rules.view(state, RED).lost_token
    assert not rules.view(state, None).lost_token
    state, _ = do(state, {"play": "S2"})
    state, _ = do(state, {"draw": True})
    assert not rules.view(state, WHITE).lost_token


def test_a_silent_seat_draws_if_it_can_and_is_waited_for_if_not() -> None:
    rules = rose_king()
    assert rules.hold(rules.view(position(), RED)) is None
    assert rules.hold(rules.view(position(red="N1"), RED)) == {"draw": True}
    assert rules.hold(rules.view(replace(position(red="N1"), to_move=WHITE), RED)) is None
