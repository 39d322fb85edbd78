"""Bots play from the view alone, and the greedy one well."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.rules.web_of_intrigue import seat_names
from pbem.rules.web_of_intrigue.beliefs import best_guess, form_beliefs
from pbem.rules.web_of_intrigue.state import Category, Guess, HouseGuess, HouseId

from .table import A, B, C, change, deal, playout, position, woi


@pytest.mark.parametrize("seed", [f"duel-{number}" for number in range(6)])
def test_the_greedy_bots_beat_the_random_ones(seed: str) -> None:
    skills = {seat: "greedy" if number % 2 else "random" for number, seat in enumerate(seat_names(6))}
    *_, (_, outcome, _) = playout(seed, skills, turns=25)
    assert isinstance(outcome, Outcome)
    assert all(skills[seat] == "greedy" for seat in outcome.winners)


@pytest.mark.parametrize("skill", ["random", "greedy"])
def test_the_same_dice_give_the_same_orders(skill: str) -> None:
    rules, view = woi(), woi().view(deal(seed="same"), A)
    assert rules.suggest(view, Dice(b"bot", 1), skill) == rules.suggest(view, Dice(b"bot", 1), skill)


def test_an_unknown_skill_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the skill random or greedy, got 'deep'"):
        woi().suggest(woi().view(deal(), A), Dice(b"bot", 1), "deep")


def test_the_spectator_has_no_orders() -> None:
    assert woi().suggest(woi().view(deal(), None), Dice(b"bot", 1), "greedy") is None


def test_the_greedy_bot_takes_the_helper_before_the_prize() -> None:
    tiles = {"d5": "rick_blacken", "d4": "tock_runners", "c5": "bribery"}
    rest = dict.fromkeys(["d2", "c3", "d3", "e3", "b4", "c4", "e4", "f4", "a5", "b5", "e5", "f5", "g5"])
    specials = [one for one in woi().facts.specials if one != "bribery"]
    tiles |= dict(zip([*rest, "b6", "c6", "d6", "e6", "f6", "c7", "d7", "e7", "d8"], specials, strict=False))
    view = woi().view(position(tiles=tiles, squares={A: "d5"}, houses={A: "leo"}), A)
    order = woi().suggest(view, Dice(b"bot", 1), "greedy")
    assert isinstance(order, dict)
    bids = [order[place]["for"] for place in ("bid_1", "bid_2") if place in order]  # type: ignore[call-overload,index]
    assert bids == ["rick_blacken", "tock_runners"]


def test_won_bids_and_own_guesses_rule_houses_out() -> None:
    state = change(position(), B, proven={Category("entity"): 3}, bids={Category("entity"): 2})
    state = change(state, A, guesses=(Guess(1, B, HouseId("cancer"), right=False, free=False),))
    beliefs = form_beliefs(woi().facts, woi().view(state, A))
    assert set(beliefs[B]) == {"scorpio", "pisces"}
    assert "capricorn" not in beliefs[C]
    guess = best_guess(woi().facts, woi().view(state, A), beliefs, Dice(b"guess", 1))
    assert isinstance(guess, HouseGuess)
    assert guess.player == B


def test_bids_make_what_a_house_is_good_at_likelier() -> None:
    state = change(position(), B, bids={Category("country"): 6, Category("person"): 3})
    weights = form_beliefs(woi().facts, woi().view(state, A))[B]
    assert max(weights, key=lambda house: weights[house]) == "leo"
