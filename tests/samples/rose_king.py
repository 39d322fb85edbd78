"""The sample game of The Rose King: two greedy bots play, and write what they would answer to each other."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import Begun
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.rose_king.state import opponent
from pbem.rules.rose_king.view import View
from pbem.text.strictyaml import dump_flow
from tests.samples.making import Sample

GAME = "rose-1"
REPLIES = 4

SAMPLE = Sample(
    rules="rose-king",
    game=GAME,
    seed=hashlib.sha256(b"The Rose King, sample game 17").digest(),
    first=datetime.datetime(2026, 9, 1, 20, 0, tzinfo=datetime.UTC),
    players="""\
# Who sits where. The moderator may change this file at any time.
seats:
  red: {player: Ann Boleyn, address: ann@example.org}
  white: {player: Bob Neville, address: bob@example.org}
silent: wait
""",
    luck={Seat("red"): "a rose by any other name", Seat("white"): "seven kings and a crown"},
    weeks=8,
    steps=8,
    options={"forced": True},
)


def make(home: Home) -> dict[str, str]:
    """Play the sample game in a home, and return the orders of its seats for the next turn."""
    return SAMPLE.played(home, _orders)


def _best(saved: SavedGame, game: Begun[object], seat: Seat) -> Json:
    dice = Dice(b"sample", saved.position.steps).apart("bot", seat)
    return saved.opening.bot_order(game, seat, dice, "greedy")


def _orders(saved: SavedGame, seat: Seat) -> Iterator[str]:
    """Write a seat's orders: its move if it is asked, and answers to what the other may do."""
    ask, game = saved.ask, saved.position.game
    assert isinstance(ask, Ask), "the sample stops before the end"
    (mover,) = ask.seats
    yield f"game: {GAME}\nseat: {seat}\norders:"
    count = saved.position.asked.get(seat, 0) + 1
    if mover == seat:
        best = _best(saved, game, seat)
        yield f"- at: {seat}-{count}\n  do: {dump_flow(best)}"
        game = _after(saved, game, seat, best)
        count += 1
    for label in (f"{seat}-{count}", f"{seat}-{count + 1}"):
        answers = tuple(_answers(saved, game, seat))
        for crown, answer in answers:
            yield f"- at: {label}\n  when: {{crown: {crown}}}\n  do: {dump_flow(answer)}"
        otherwise = "  # the crown is somewhere else" if answers else ""
        yield f"- at: {label}{otherwise}\n  do: {{draw: true}}"
        expected = _after(saved, game, opponent(seat), _best(saved, game, opponent(seat)))
        game = _after(saved, expected, seat, _best(saved, expected, seat))
    if mover == seat:
        yield "stop_if: {lost_token: true}  # I want to look again if a hero took a rose of mine"
    else:
        yield f'press:\n- {{to: [{mover}], say: "Leave the east to me and I leave the west to you."}}'


def _answers(saved: SavedGame, game: Begun[object], seat: Seat) -> Iterator[tuple[str, Json]]:
    """Yield where the other may put the crown, its best squares first, and what this seat plays then."""
    other = opponent(seat)
    view = saved.opening.view(game, other)
    found = []
    for item in saved.opening.choices(view).menus[0].items:
        assert isinstance(item.order, dict), "a move is an object"
        after = _after(saved, game, other, item.order)
        if "play" not in item.order or isinstance(saved.opening.ask(after), Outcome):
            continue
        mine, answer = saved.opening.view(after, seat), _best(saved, after, seat)
        assert isinstance(mine, View), "the game was dealt"
        if answer != {"draw": True}:
            found.append((mine.side(other).points - mine.side(seat).points, str(mine.crown), answer))
    for _, crown, answer in sorted(found, key=lambda one: (-one[0], one[1]))[:REPLIES]:
        yield crown, answer


def _after(saved: SavedGame, game: Begun[object], seat: Seat, do: Json) -> Begun[object]:
    move = saved.opening.read(do)
    return saved.opening.resolve(game, {seat: move}, Dice(b"a guess", 0)).state
