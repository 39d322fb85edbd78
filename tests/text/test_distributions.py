"""Where bars and boxes of many games stand."""

from __future__ import annotations

import pytest

from pbem.play.turn.simulate import LEFT, RIGHT, scale, scores, wins


@pytest.mark.parametrize("numbers", [(3, 3), (0, 1), (100, 133), (-7, 41), (0, 100_000)])
def test_a_scale_holds_its_numbers_in_few_round_steps(numbers: tuple[int, int]) -> None:
    made = scale(*numbers)

    assert LEFT <= made.place(numbers[0]) <= made.place(numbers[1]) < RIGHT
    assert 2 <= len(made.ticks) <= 8
    assert (made.ticks[0][0], made.ticks[-1][0]) == (LEFT, RIGHT)


def test_a_box_holds_the_middle_half_of_what_a_seat_scored() -> None:
    _, (box, single) = scores({"red": [10, 0, 40, 20, 30], "white": [7]})

    assert box.numbers == (0, 10, 20, 30, 40)
    assert list(box.places) == sorted(box.places)
    assert single.numbers == (7, 7, 7, 7, 7)


def test_seats_without_a_win_have_no_bar() -> None:
    _, won = wins({"red": 0, "white": 5})

    assert [(one.x == LEFT, one.games) for one in won] == [(True, 0), (False, 5)]
