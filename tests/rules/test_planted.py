"""Bad lines for later asks that are planted, over all games in which seats are asked in turn."""

from __future__ import annotations

from tests.rules.game_of_powers import test_foresight as powers
from tests.rules.rose_king import test_foresight as rose
from tests.rules.web_of_power import test_foresight as power
from tests.rules.web_of_power_cards import test_foresight as cards


def test_a_hundred_bad_lines_are_planted_in_the_four_games() -> None:
    planted = [len(rose.BAD), len(power.BAD), len(cards.NEVER), len(powers.BAD)]

    assert min(planted) >= 15
    assert sum(planted) >= 100
