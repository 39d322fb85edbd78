"""Marches keeps the contract, and fights as it should."""

import pytest

from marches.rules import Marches
from pbem.contract import check
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.play.config.templates import subject

RED, BLUE = Seat("red"), Seat("blue")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rules_keep_the_contract(seats: int) -> None:
    result = check(subject("marches", seats, turns=5), games=4)

    assert not result.breaches, result
    assert set(result.events) >= {"ArmiesCame", "RegionFought"}


@pytest.mark.parametrize(
    ("red", "blue", "left"),
    [(3, 2, (RED, 1)), (2, 3, (BLUE, 1)), (2, 2, ("nobody", 0))],
    ids=["red", "blue", "nobody"],
)
def test_the_larger_force_loses_as_many_as_the_smaller_had(
    red: int, blue: int, left: tuple[str, int]
) -> None:
    rules = subject("marches").rules
    state = rules.setup((RED, BLUE), {"turns": 3}, {}, Dice(b"", 0))
    for at_red, at_blue, reds, blues in (("Tor", "Mill", 3, 3), ("Moor", "Ford", red, blue)):
        to = ("Moor", "Ford") if at_red == "Tor" else ("Downs", "Downs")
        moves = {
            RED: rules.read({"march": {"from": at_red, "to": to[0], "armies": reds}}),
            BLUE: rules.read({"march": {"from": at_blue, "to": to[1], "armies": blues}}),
        }
        state = rules.resolve(state, moves, Dice(b"", 1)).state

    assert (state.held["Downs"], state.armies["Downs"]) == left


def test_whoever_holds_most_regions_wins_and_equals_share() -> None:
    rules = subject("marches").rules
    state = rules.setup((RED, BLUE), {"turns": 1}, {}, Dice(b"", 0))
    musters = {RED: rules.read({"muster": "Tor"}), BLUE: rules.read({"muster": "Mill"})}
    march = {**musters, BLUE: rules.read({"march": {"from": "Mill", "to": "Ford", "armies": 1}})}

    for moves, winners in ((musters, (RED, BLUE)), (march, (BLUE,))):
        ended = rules.ask(rules.resolve(state, moves, Dice(b"", 1)).state)
        assert isinstance(ended, Outcome)
        assert ended.winners == winners


def test_borders_are_the_same_from_both_sides() -> None:
    rules = subject("marches").rules
    assert isinstance(rules, Marches)
    borders = rules.borders
    assert all(one in borders[other] for one in borders for other in borders[one])
