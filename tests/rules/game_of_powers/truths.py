"""What the conditions of Game of Powers say, counted on the table itself."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import City, Player, State, Task, Token
from tests.rules.drawn import Told, Truths

from .table import game, playout, skills


def positions() -> Iterator[State]:
    """Yield positions from all of a game, with all those in which an offer waits or the end is near."""
    for number, (state, _, _) in enumerate(playout("one", skills(3, "greedy", "random"))):
        if number % 6 == 0 or state.offer is not None or state.is_last:
            yield state


def who(state: State, told: Told) -> Player:
    """Return the side of the player that is meant."""
    return state.players[Seat(told["player"])]


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


def points(player: Player) -> int:
    """Return what played cards, tasks and the start are worth."""
    cards = sum(game().facts.cards[card].score for card in player.played)
    return cards + sum(player.tasks.values()) + player.start_points


TRUTHS: Truths[State] = {
    "tokens_at": lambda state, me, told: state.stock[City(told["city"])].get(Token(told["token"]), 0),
    "open_card": lambda state, me, told: any(told["card"] in cards for cards in state.fields.values()),
    "ship_at": lambda state, me, told: who(state, told).city == told["city"],
    "heading": lambda state, me, told: who(state, told).direction == told["direction"],
    "i_hold": lambda state, me, told: told["card"] in state.players[me].hand,
    "has_tokens": lambda state, me, told: who(state, told).tokens.get(Token(told["token"]), 0),
    "played": lambda state, me, told: played(who(state, told), "category", told["category"]),
    "played_from": lambda state, me, told: played(who(state, told), "site", told["site"]),
    "lacks": lambda state, me, told: (
        None if told["task"] in who(state, told).tasks else short(who(state, told), told["task"])
    ),
    "points": lambda state, me, told: points(who(state, told)),
    "offer_from": lambda state, me, told: offered_by(state, me) == told["player"],
    "task_left": lambda state, me, told: len(state.tasks[Task(told["task"])]),
    "pile": lambda state, me, told: len(state.pile) + len(state.under),
    "last_round": lambda state, me, told: state.is_last,
}
