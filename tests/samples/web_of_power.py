"""The sample game of Web of Power: four greedy bots play two weeks, and write standing orders for more."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator
from typing import Final

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.labels import START
from pbem.core.turn import Policy, TakenStep, advance
from pbem.host.batch import run
from pbem.play.home import Home
from pbem.play.newgame import new_game
from pbem.play.saved import SavedGame
from pbem.rules.web_of_power.view import View
from pbem.text.strictyaml import dump_flow
from tests.homes import top
from tests.samples.making import mark_as_sample, send

GAME: Final = "wop-1"
SEED: Final = hashlib.sha256(b"Web of Power, sample game 3").digest()
FIRST: Final = datetime.datetime(2026, 9, 7, 20, 0, tzinfo=datetime.UTC)
WEEKS: Final = 2
STEPS_A_WEEK: Final = 6
LUCK: Final = {
    Seat("yellow"): "hops and barley",
    Seat("red"): "a cardinal's hat",
    Seat("green"): "the road to Cluny",
    Seat("purple"): "seven bells",
}

PLAYERS: Final = """\
# Who sits where. The moderator may change this file at any time.
seats:
  yellow: {player: Abbess Hedwig, address: hedwig@example.org}
  red: {player: Brother Odo, address: odo@example.org}
  green: {player: Canon Lull, address: lull@example.org}
  purple: {player: Dean Ida, address: ida@example.org}
silent: hold
"""

STANDING: Final = """\
- keep: true                    # where I am strong; else an advisor; else anything
  do:
    place:
    - {{country: {country}, pieces: [cloister, [advisor, cloister]]}}
    - {{country: any, pieces: [advisor, advisor]}}
    - {{country: any, pieces: [cloister, [advisor, cloister]]}}
    - {{country: any, pieces: [[advisor, cloister]]}}
    discard: any
    draw: [{card}, [match, pile]]
stop_if: {{half: 2}}              # after the first scoring I want to look again"""


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    _play(home)
    mark_as_sample(home, GAME)
    saved = SavedGame(home, GAME)
    return {seat: "\n".join(_orders(saved, seat)) + "\n" for seat in saved.start.seats}


def _play(home: Home) -> None:
    """Play the game up to its middle through orders files, two rounds at a time."""
    players = top(home) / "players.yaml"
    players.write_text(PLAYERS, encoding="utf-8")
    new_game(home, "web-of-power", GAME, players, {}, now=FIRST, seed=SEED)
    for seat, words in LUCK.items():
        send(home, GAME, seat, [(START, {"luck": words})])
    run(home, GAME, now=FIRST)
    for week in range(1, WEEKS + 1):
        saved = SavedGame(home, GAME)
        plan = _plan(saved, STEPS_A_WEEK)
        for seat in saved.start.seats:
            send(home, GAME, seat, [(step.label, step.moves[seat]) for step in plan if seat in step.moves])
        run(home, GAME, now=FIRST + datetime.timedelta(weeks=week))
    players.unlink()


def _plan(saved: SavedGame, steps: int) -> tuple[TakenStep, ...]:
    """Return the steps that four greedy bots would take next."""
    policy = Policy(bots=dict.fromkeys(saved.start.seats, "greedy"), most_steps=steps)
    return advance(saved.opening, saved.start.seats, saved.position, {}, SEED, policy).steps


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders: its next turn, if it is asked now, and a standing order for the rest."""
    yield f"game: {GAME}\nseat: {seat}\norders:"
    view = saved.opening.view(saved.position.game, seat)
    assert isinstance(view, View), "the game was dealt"
    assert isinstance(saved.ask, Ask), "the sample stops before the end"
    if seat in saved.ask.seats:
        yield f"- at: {saved.ask.label}\n  do: {dump_flow(_best(saved, seat))}"
    country = max(view.cloisters, key=lambda one: (view.cloisters[one][seat], one))
    yield STANDING.format(country=country, card=view.places[country].card)


def _best(saved: SavedGame, seat: Seat) -> Json:
    dice = Dice(b"sample", saved.position.steps).apart("bot", seat)
    return saved.opening.bot_order(saved.position.game, seat, dice, "greedy")
