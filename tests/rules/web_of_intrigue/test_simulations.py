"""Many games between bots: they end by the rules, and come to the figures of the guide."""

from __future__ import annotations

from statistics import fmean

import pytest

from pbem.play.turn.simulate import Statistics, simulate
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.tally import tally

from .table import woi


def played(rules: WebOfIntrigue, seats: int, skills: list[str], games: int) -> Statistics:
    """Play games as `pbem simulate` does."""
    names, options = seat_names(seats), SYSTEM.options
    return simulate(rules, names, options, skills, games, "web", lambda _: None, tally)


@pytest.mark.paragraph("turn-phases")
@pytest.mark.parametrize(
    ("seats", "games"),
    [
        *((seats, 1) for seats in (2, 3, 6, 9)),
        *(
            pytest.param(*table, marks=pytest.mark.worlds)
            for table in ((2, 4), (3, 4), (6, 4), (9, 3), (12, 12))
        ),
    ],
)
def test_games_end_by_the_rules(seats: int, games: int) -> None:
    found = played(woi(), seats, ["greedy", "random"], games)

    assert found.tables["endings"] == {"a player surpassed the target": games}
    assert found.draws == 0
    assert sum(found.wins.values()) == found.tables["wins_by_house"].total() >= games
    assert sum(found.tables["seats_by_house"].values()) == seats * games
    assert all(max(points) <= 500 for points in found.scores.values())
    assert max(found.lengths) <= 40
    if seats == 12:
        assert min(found.tables["specials"].values()) > 0
        assert len(found.tables["specials"]) == 40
        assert len(found.tables["wins_by_house"]) == 12
        ranks = found.ranks_by_skill
        assert len(ranks["greedy"]) == len(ranks["random"]) == 6 * games
        assert fmean(ranks["greedy"]) <= 4.0, "they rank in the first third of mixed tables"


@pytest.mark.worlds
def test_the_greedy_bot_has_a_use_for_every_special() -> None:
    enacted = played(woi(), 12, ["greedy"], 8).tables["specials"]

    assert len(enacted) == 40
    assert min(enacted.values()) > 0, enacted
