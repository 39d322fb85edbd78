"""Victory points: played cards, task tokens, and the bonus for what was not played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.state import Card, State, Task
from pbem.rules.kit.ranking import find_ahead

PAIR = 2


def open_points(facts: Facts, played: Iterable[Card], collected: Mapping[Task, int]) -> int:
    """Return the points for played cards and for the task tokens that were collected.

    Source: rulebook, "End of the game", CARDS and TASKS.
    """
    return facts.points_of(played) + sum(collected.values())


def bonuses(facts: Facts, assets: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return the bonus of each seat for unplayed cards and tokens.

    Args:
        facts: The bonus tokens.
        assets: Unplayed cards and tokens together, for every seat.

    Source: rulebook, "End of the game", BONUS: one who has most alone, two who have equally many, or nobody.
    """
    most = max(assets.values())
    first = [seat for seat, count in assets.items() if count == most]
    worth = facts.alone if len(first) == 1 else facts.shared if len(first) == PAIR else 0
    return {seat: worth if seat in first else 0 for seat in assets}


def final_points(facts: Facts, state: State) -> Mapping[Seat, Mapping[str, int]]:
    """Return what each seat scores for played cards, for task tokens and as bonus, and what it began with.

    Source: rulebook, "End of the game", CARDS, TASKS and BONUS; the option `start_points`.
    """
    assets = {seat: len(one.hand) + total(one.tokens) for seat, one in state.players.items()}
    bonus = bonuses(facts, assets)
    return {
        seat: {
            "cards": facts.points_of(player.played),
            "tasks": sum(player.tasks.values()),
            "bonus": bonus[seat],
            "start": player.start_points,
            "unplayed": assets[seat],
        }
        for seat, player in ((one, state.players[one]) for one in state.order)
    }


def score(facts: Facts, state: State) -> Outcome:
    """Add everything up and name who won; several with the same points share the victory.

    Source: rulebook, "End of the game": the highest score wins; a tie is shared (ruling).
    """
    points = {
        seat: parts["cards"] + parts["tasks"] + parts["bonus"] + parts["start"]
        for seat, parts in final_points(facts, state).items()
    }
    winners, _ = find_ahead(state.order, ("points", points))
    decided_by = "points" if len(winners) == 1 else "a shared victory"
    return Outcome("a field of cards could not be filled, and the round is over", winners, points, decided_by)
