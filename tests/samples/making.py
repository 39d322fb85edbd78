"""What making sample games has in common."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.core.book import START
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.turn import Policy, TakenStep, advance
from pbem.host.run.batch import run
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home, Secret, read_secret
from pbem.play.homes.saved import SavedGame
from pbem.text.strictyaml import dump_flow
from tests.homes import submit, top


def send(home: Home, game: str, seat: Seat, lines: Sequence[tuple[str, Json]]) -> None:
    """Lodge orders that must be accepted: for each ask what to do."""
    path = top(home) / "sent.yaml"
    written = "".join(f"- at: {at}\n  do: {dump_flow(do)}\n" for at, do in lines)
    path.write_text(f"game: {game}\nseat: {seat}\norders:\n{written}", encoding="utf-8")
    answer = submit(home, path)
    assert not isinstance(answer, list), [str(fault) for fault in answer]
    path.unlink()


@dataclass(frozen=True)
class Sample:
    """A sample game of greedy bots.

    Attributes:
        rules: The rules.
        game: The id of the game.
        seed: Its seed.
        first: The moment of the deal; a turn is run each week after it.
        players: The file of players.
        luck: The luck words of each seat.
        weeks: So many weeks are played.
        steps: So many steps are taken in each.
        options: Options of the rules.
    """

    rules: str
    game: str
    seed: bytes
    first: datetime.datetime
    players: str
    luck: Mapping[Seat, str]
    weeks: int
    steps: int
    options: Mapping[str, Json] = field(default_factory=dict)

    def played(self, home: Home, orders: Callable[[SavedGame, Seat], Iterator[str]]) -> dict[str, str]:
        """Play the game in a home through orders files; return the orders of its seats for the next turn."""
        players = top(home) / "players.yaml"
        players.write_text(self.players, encoding="utf-8")
        new_game(home, self.rules, self.game, players, dict(self.options), now=self.first, seed=self.seed)
        for seat, words in self.luck.items():
            send(home, self.game, seat, [(START, {"luck": words})])
        run(home, self.game, now=self.first)
        for week in range(1, self.weeks + 1):
            saved = SavedGame(home, self.game)
            plan = self.plan(saved, self.steps)
            for seat in saved.start.seats:
                if lines := [(step.label, step.moves[seat]) for step in plan if seat in step.moves]:
                    send(home, self.game, seat, lines)
            run(home, self.game, now=self.first + datetime.timedelta(weeks=week))
        players.unlink()
        return ordered(home, self.game, orders)

    def plan(self, saved: SavedGame, steps: int) -> tuple[TakenStep, ...]:
        """Return the steps that greedy bots would take next."""
        policy = Policy(bots=dict.fromkeys(saved.start.seats, "greedy"), most_steps=steps)
        return advance(saved.opening, saved.start.seats, saved.position, {}, self.seed, policy).steps


def ordered(home: Home, game: str, orders: Callable[[SavedGame, Seat], Iterator[str]]) -> dict[str, str]:
    """Mark a game that was played as a sample, and return the orders of its seats for the next turn."""
    _mark_as_sample(home, game)
    saved = SavedGame(home, game)
    return {seat: "\n".join(orders(saved, seat)) + "\n" for seat in saved.start.seats}


def _mark_as_sample(home: Home, game: str) -> None:
    """Give a game keys that anybody may read, and say that its seed is no secret."""
    path = (top(home) / "games") / game / "secret.json"
    before = read_secret(home.game(game))
    secret = Secret(before.seed, {seat: f"sample-{seat}" for seat in before.keys}, sample=True)
    path.write_text(json.dumps(secret.as_json(), indent=1) + "\n", encoding="utf-8")
