"""The bot for rules that bring none: `python -m tests.benchmarks.bots [GAME] [GAMES]`.

Every second seat, in turn, is its own. Printed is how many games it won where chance would give half, against
the game's own greedy bot, and against one that orders anything. Points are what reports draw of a game.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json, Outcome, Plot
from pbem.play.config import registry
from pbem.play.config.templates import subject

GAMES: Final = {
    "rose-king": 40,
    "web-of-power": 12,
    "web-of-power-cards": 12,
    "game-of-powers": 8,
    "web-of-intrigue": 4,
}
TOLD: Final = ("rose-king", "web-of-power-cards")
"""Those in the author's guide: the others take minutes."""
SEATS: Final = {"web-of-intrigue": 4}


class Without:
    """Rules without their bots; positions are worth what reports draw of them."""

    def __init__(self, rules: AnyRules, points: Plot | None) -> None:
        self._rules = rules
        if points is not None:
            self.points = points

    def __getattr__(self, name: str) -> Any:
        if name in ("suggest", "bot_order") or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._rules, name)


class Contest:
    """Games in which some seats are played by the bot for all rules, and the others by another."""

    def __init__(self, name: str) -> None:
        """Load the rules of a game by name."""
        self.found = subject(name, seats=SEATS.get(name))
        system = registry.find_rules(name).system
        assert system is not None, "the rules are there"
        points = next(iter(system.plots.values()), None)
        self.bare = Without(self.found.rules, points)

    def play(self, number: int, other: str) -> float:
        """Play a game; returns which part of the win went to the bot for all rules.

        Args:
            number: The number of the game; who plays which seat goes on with it.
            other: The skill of the others' bots.
        """
        found, key = self.found, hashlib.sha256(f"contest/{number}".encode()).digest()
        ours = {seat for place, seat in enumerate(found.seats) if (place + number) % 2}
        state = found.rules.setup(
            found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0)
        )
        step = 0
        while isinstance(ask := found.rules.ask(state), Ask):
            step += 1
            dice = Dice(key, step)
            orders = {seat: self._order(state, seat, dice, ours, other) for seat in sorted(ask.seats)}
            moves = {seat: found.rules.read(order) for seat, order in orders.items()}
            state = found.rules.resolve(state, moves, dice).state
        return _part(ask, ours)

    def _order(self, state: Any, seat: Seat, dice: Dice, ours: Collection[Seat], other: str) -> Json:
        own = dice.apart("bot", seat)
        if seat in ours:
            return bot_order(self.bare, state, seat, own, "greedy", self.found.takes)
        return bot_order(self.found.rules, state, seat, own, other, self.found.takes)


def _part(outcome: Outcome, ours: Collection[Seat]) -> float:
    """Return the part of a win that goes to some seats; a draw is half."""
    winners = outcome.winners
    return sum(seat in ours for seat in winners) / len(winners) if winners else 0.5


def count(name: str, games: int) -> Mapping[str, float]:
    """Return how many games the bot for all rules won, by whom it played against."""
    contest = Contest(name)
    return {
        other: sum(contest.play(number, other) for number in range(games)) for other in ("greedy", "random")
    }


def rows(names: Collection[str] = TOLD, games: int | None = None) -> Iterator[str]:
    """Yield the table."""
    yield "| rules | games | won against their own greedy bot | against the random one |"
    yield "|---|---|---|---|"
    for name in names:
        most = games or GAMES.get(name, 40)
        won = count(name, most)
        yield f"| {name} | {most} | {won['greedy']:g} | {won['random']:g} |"


def main() -> None:
    """Print the table."""
    names = [name for name in sys.argv[1:] if not name.isdigit()] or [*GAMES]
    games = next((int(number) for number in sys.argv[1:] if number.isdigit()), None)
    for line in rows(names, games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
