"""Magpies keeps the contract, and gives the treasures away as it should."""

import pytest

from magpies.rules import Magpies
from magpies.state import CardDrawn, MagpiesQuarrelled, Play, State, TreasureTaken
from pbem.contract import check
from pbem.core.dice import Dice
from pbem.core.events import Seat, only
from pbem.play.config.templates import subject

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rules_keep_the_contract(seats: int) -> None:
    result = check(subject("magpies", seats))

    assert not result.breaches, result
    assert result.planted_found == 2


@pytest.mark.parametrize(
    ("cards", "winner"),
    [((9, 8, 1), RED), ((9, 9, 1), GREEN), ((9, 9, 9), None)],
    ids=["the highest takes all", "equal cards get nothing", "nobody is alone"],
)
def test_the_highest_card_that_is_alone_takes_the_treasure(
    cards: tuple[int, ...], winner: Seat | None
) -> None:
    seats = (RED, BLUE, GREEN)
    hands = {seat: (card,) for seat, card in zip(seats, cards, strict=True)}
    nobody: dict[Seat, tuple[int, ...]] = dict.fromkeys(seats, ())
    state = State(1, seats, hands, (), (5,), (7,), nobody, dict.fromkeys(seats, 0))
    moves = {seat: Play(hand[0]) for seat, hand in hands.items()}

    step = Magpies({}, (5, 7)).resolve(state, moves, Dice(b"", 1))

    told = step.events[1]
    if winner is None:
        assert isinstance(told, MagpiesQuarrelled)
        assert step.state.table == (5, 7)
    else:
        assert isinstance(told, TreasureTaken)
        assert (told.seat, told.worth, step.state.table) == (winner, 5, (7,))


def test_a_drawn_card_is_told_to_nobody_but_its_owner() -> None:
    nobody: dict[Seat, tuple[int, ...]] = {RED: (), BLUE: ()}
    state = State(1, (RED, BLUE), {RED: (1,), BLUE: (2,)}, (8, 9), (5,), (7,), nobody, {RED: 0, BLUE: 0})

    step = Magpies({}, (5, 7)).resolve(state, {RED: Play(1), BLUE: Play(2)}, Dice(b"", 1))

    drawn = [event for event in step.events if isinstance(event, CardDrawn)]
    assert drawn == [CardDrawn(RED, 8, to=only(RED)), CardDrawn(BLUE, 9, to=only(BLUE))]
