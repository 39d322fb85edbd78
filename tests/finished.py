"""Whole games, played to their ends by bots: for what is shown of games that are over."""

from __future__ import annotations

from typing import Final

from pbem.archive.finished import read_turn_details
from pbem.archive.public import PublishPolicy, public_turn
from pbem.archive.replay import Replay
from pbem.core.interface import Ask, Json
from pbem.host.run.batch import run
from pbem.play.config.registry import find_rules
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.moments import ReplayMoment
from pbem.text.strictyaml import dump
from tests.homes import NOW, a_game, filled

SEATS: Final = {
    "rose-king": 2,
    "web-of-power": 3,
    "web-of-power-cards": 3,
    "game-of-powers": 3,
    "web-of-intrigue": 12,
}
"""How many play in each."""


def a_finished_game(home: Home, rules: str, **options: Json) -> SavedGame:
    """Return a game of some rules that bots have played to its end; its name is that of the rules."""
    system = find_rules(rules).system
    assert system is not None, "the shipped rules load"
    seats = system.seat_names(SEATS[rules])
    table: Json = {"seats": {str(seat): {"player": f"Player {seat}", "bot": "greedy"} for seat in seats}}

    def played_to_its_end(home: Home) -> None:
        a_game(home, rules, rules=rules, table=dump(table), options=options)
        while isinstance(SavedGame(home, rules).ask, Ask):
            run(home, rules, now=NOW)

    filled(home, by=played_to_its_end, rules=rules, options=repr(sorted(options.items())))
    return SavedGame(home, rules)


def replay_of(game: SavedGame) -> Replay:
    """Return the replay of a game that is over, of which nothing is left out but names."""
    allowed, names = PublishPolicy(), frozenset[str]()
    turns = [public_turn(game, number, allowed, names) for number in game.turns.numbers()]
    insides = {number: read_turn_details(game, number, allowed, names) for number in game.turns.numbers()}
    return Replay(game, turns, insides, allowed, names)


def moments_of(game: SavedGame, number: int) -> tuple[ReplayMoment, ...]:
    """Return the moments of a turn of a game that is over."""
    return read_turn_details(game, number, PublishPolicy(), frozenset()).moments
