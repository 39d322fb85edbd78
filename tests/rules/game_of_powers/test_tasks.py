"""Tasks: what played cards entitle to, who comes first, and that nothing is claimed by itself."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.state import Task
from pbem.rules.game_of_powers.tasks import missing

from .table import BLACK, WHITE, after, cards, do, game, hold, kinds, position, view_of, wrong

TAKE: dict[str, Json] = {"sail": 1, "take_tokens": ["any", "any"]}
FAR = hold("", at="haithabu clockwise")


@pytest.mark.paragraph(
    "task-four-sites", "task-five-of-a-site", "task-six", "task-four-of-a-category", "task-pairs"
)
@pytest.mark.parametrize(
    ("task", "played", "lacking"),
    [
        ("four_sites", "", 4),
        ("four_sites", "1 2 3 14 27", 1),
        ("four_sites", "1 14 27 40", 0),
        ("five_owidz", "27 28 29 30", 1),
        ("five_owidz", "27 28 29 30 31", 0),
        ("five_owidz", "1 2 3 4 5", 5),
        ("six_categories", "1 3 5 8 10", 1),
        ("six_categories", "1 3 5 8 10 12", 0),
        ("four_of_a_category", "1 2 14", 1),
        ("four_of_a_category", "1 2 14 15", 0),
        ("three_pairs", "1 2 3 4 5", 1),
        ("three_pairs", "1 2 3 4 5 6", 0),
        ("three_pairs", "1 2 14 15 27 28", 4),
    ],
)
def test_so_many_cards_are_missing_for_a_task(task: str, played: str, lacking: int) -> None:
    facts = game().facts

    assert missing(facts, facts.tasks[Task(task)], cards(played)) == lacking
    view = view_of(position(hold("", played=cards(played)), FAR))
    assert view.own.lacking[Task(task)] == lacking


@pytest.mark.paragraph("task-four-sites", "task-six", "task-four-of-a-category", "task-pairs")
@pytest.mark.parametrize(
    ("task", "white", "black", "values"),
    [
        ("four_sites", "1 14 27 40", "2 15 28 41", (6, 3)),
        ("six_categories", "1 3 5 8 10 12", "2 4 6 9 11 13", (12, 6)),
        ("four_of_a_category", "1 2 14 15", "3 4 16 17", (8, 4)),
        ("three_pairs", "1 2 3 4 5 6", "14 15 16 17 18 19", (6, 3)),
    ],
)
def test_the_first_gets_more_than_the_next_and_a_third_nothing(
    task: str, white: str, black: str, values: tuple[int, int]
) -> None:
    players = [hold("", played=cards(played)) for played in (white, black, white)]

    state = after(position(*players), {**TAKE, "claim": task}, {**TAKE, "claim": task})

    assert state.players[WHITE].tasks == {task: values[0]}
    assert state.players[BLACK].tasks == {task: values[1]}
    assert "no token for" in wrong(state, {**TAKE, "claim": task})[0]


@pytest.mark.paragraph("task-five-of-a-site")
def test_the_token_for_five_of_a_site_is_there_once() -> None:
    played = cards("1 2 3 4 5")
    state = position(hold("", played=played), hold("", played=played))

    state = after(state, {**TAKE, "claim": "five_uppakra"})

    assert state.players[WHITE].tasks == {"five_uppakra": 4}
    assert "no token for five from Uppåkra is left" in wrong(state, {**TAKE, "claim": "five_uppakra"})[0]


@pytest.mark.paragraph("possibilities", "task-one")
def test_nothing_is_claimed_without_an_order_and_the_cards_of_the_turn_count() -> None:
    white = hold("40", at="owidz clockwise", tokens_of="commercial", played=cards("1 14 27"))
    play: dict[str, Json] = {"sail": "wisloujscie", "play_cards": [40]}

    silent, told = do(position(white, FAR), play)
    assert silent.players[WHITE].tasks == {}
    assert "TaskClaimed" not in kinds(told)

    claimed, told = do(position(white, FAR), {**play, "claim": ["six_categories", "four_sites"]})
    assert claimed.players[WHITE].tasks == {"four_sites": 6}
    assert kinds(told)[-1] == "TaskClaimed"
    assert [view_of(claimed, seat).task_taken for seat in (WHITE, BLACK)] == [False, True]


@pytest.mark.paragraph("task-one")
def test_a_claim_of_an_older_order_that_is_not_due_is_left_out() -> None:
    state, told = do(position(FAR, FAR), {**TAKE, "claim": ["four_sites", "three_pairs"]})

    left_out = [event.why for event in told if isinstance(event, events.PartLeftOut)]
    assert left_out[0].startswith("for four sites you must have played 4 more cards")
    assert len(left_out) == 2
    assert state.players[WHITE].tasks == {}
