"""Conditions in the words of the game say what their sentences say, in positions of played games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Later
from pbem.core.interface import Json
from pbem.core.predicates import ME, Predicate
from pbem.core.wording import wording_of
from pbem.rules.game_of_powers.conditions import lies_open
from pbem.rules.game_of_powers.state import SEATS, City, Player, State, Task, Token
from tests.rules.drawn import compare

from .table import game, playout, skills

PLAYERS = 3
Said = Mapping[str, Any]


def who(state: State, seat: Seat, said: Said) -> Player:
    """Return the side of the player that is meant."""
    return state.players[seat if said["player"] == ME else Seat(said["player"])]


def fits(found: int, said: Said) -> bool:
    """Tell whether a number is what is said of it."""
    return bool(said.get("at_least", found) <= found <= said.get("at_most", found))


def played(player: Player, by: str, of: str) -> int:
    """Return how many cards of a site or category a player has played."""
    return sum(getattr(game().facts.cards[card], by) == of for card in player.played)


def short(player: Player, name: str) -> int:
    """Return how many cards a player must still play for a task."""
    task, facts = game().facts.tasks[Task(name)], game().facts
    groups = [task.of] if task.of else [*(facts.sites if task.by == "site" else facts.categories)]
    return sum(sorted(max(0, task.each - played(player, task.by, one)) for one in groups)[: task.groups])


def offered_by(state: State, seat: Seat) -> Seat | None:
    """Return who made the offer that waits, if it is one with a seat."""
    offer = state.offer
    if offer is None or seat not in (state.to_move, offer.partner):
        return None
    return state.to_move if offer.counter is None else offer.partner


TRUTHS: Mapping[str, Callable[[State, Seat, Said], bool]] = {
    "tokens_at": lambda state, seat, said: fits(
        state.stock[City(said["city"])].get(Token(said["token"]), 0), said
    ),
    "open_card": lambda state, seat, said: any(said["card"] in cards for cards in state.fields.values()),
    "ship_at": lambda state, seat, said: who(state, seat, said).city == said["city"],
    "heading": lambda state, seat, said: who(state, seat, said).direction == said["direction"],
    "i_hold": lambda state, seat, said: said["card"] in state.players[seat].hand,
    "has_tokens": lambda state, seat, said: fits(
        who(state, seat, said).tokens.get(Token(said["token"]), 0), said
    ),
    "played": lambda state, seat, said: fits(
        played(who(state, seat, said), "category", said["category"]), said
    ),
    "played_from": lambda state, seat, said: fits(played(who(state, seat, said), "site", said["site"]), said),
    "lacks": lambda state, seat, said: (
        said["task"] not in who(state, seat, said).tasks
        and fits(short(who(state, seat, said), said["task"]), said)
    ),
    "points": lambda state, seat, said: fits(
        sum(game().facts.cards[card].score for card in who(state, seat, said).played)
        + sum(who(state, seat, said).tasks.values())
        + who(state, seat, said).start_points,
        said,
    ),
    "offer_from": lambda state, seat, said: offered_by(state, seat) == said["player"],
    "task_left": lambda state, seat, said: fits(len(state.tasks[Task(said["task"])]), said),
    "pile": lambda state, seat, said: fits(len(state.pile) + len(state.under), said),
    "last_round": lambda state, seat, said: state.is_last,
}
MOST = {"task_left": 2, "tokens_at": 3, "has_tokens": 3, "played": 2, "played_from": 2, "lacks": 5}


def drawn(predicate: Predicate, dice: random.Random) -> Any:
    """Return arguments for a predicate, of players of the game."""
    if not predicate.arguments and predicate.number is None:
        return True
    said: dict[str, Any] = {}
    for one in predicate.arguments:
        values = [name for name in one.values if one.name != "player" or name in (ME, *SEATS[:PLAYERS])]
        said[one.name] = dice.choice(values)
    if predicate.number is not None:
        said["at_least"] = dice.randint(1, MOST.get(predicate.name, 30))
    return said


def positions() -> list[State]:
    """Return positions from all of a game, with all those in which an offer waits or the end is near."""
    found = [state for state, _, _ in playout("one", skills(PLAYERS, "greedy", "random"))]
    return [
        one for number, one in enumerate(found) if number % 6 == 0 or one.offer is not None or one.is_last
    ]


@pytest.mark.parametrize("draws", [12, pytest.param(40, marks=pytest.mark.worlds)])
def test_each_condition_holds_where_its_sentence_is_true(draws: int) -> None:
    dice, found = random.Random("said"), Counter[tuple[str, bool]]()
    assert set(wording_of(game()).predicates) == set(TRUTHS)
    for position in positions():
        for seat in position.players:
            found += _compared(position, seat, dice, draws)
    assert found.keys() == {(name, is_so) for name in TRUTHS for is_so in (True, False)}
    assert draws == 12 or found.total() >= 20_000


def _compared(position: State, seat: Seat, dice: random.Random, draws: int) -> Counter[tuple[str, bool]]:
    def said(name: str, predicate: Predicate) -> tuple[Json, bool]:
        one = drawn(predicate, dice)
        return one, bool(TRUTHS[name](position, seat, one))

    return compare(game(), game().view(position, seat), seat, said, dice, draws)


def test_a_card_that_was_played_never_lies_open_again() -> None:
    rules = game()
    position = next(one for one in positions() if one.mover.played and one.mover.city and not one.offer)
    view, card = rules.view(position, position.to_move), position.mover.played[0]
    later = Later(rules.read({"sail": 1, "take_cards": "any"}), None, None, {}, lies_open(card))

    assert rules.foresee(view, later).never[0].path[:1] == CONDITION
