"""Against packages from PyPI: a cold turn against diplomacy, playouts against open_spiel and pettingzoo.

make bench-peers    installs them into an environment of its own
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.play.config.registry import find_rules
from tests.benchmarks.cold import PBEM, process
from tests.benchmarks.homes import WEB, sample_home, take_back
from tests.benchmarks.pairs import Row, paired, timed
from tests.benchmarks.table import show
from tests.homes import top

PLAYOUTS = 200
SEATS, POWERS = 12, 7

# Loads a saved game, gives every power orders for all its units, processes the phase and saves.
DIPLOMACY = """
import json, random, sys
from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format
path = sys.argv[1]
game = from_saved_game_format(json.load(open(path)))
chance = random.Random(1)
orders = game.get_all_possible_orders()
for power in game.powers:
    places = game.get_orderable_locations(power)
    game.set_orders(power, [chance.choice(orders[place]) for place in places if orders[place]])
game.process()
json.dump(to_saved_game_format(game), open(path + ".after", "w"))
"""


def main() -> None:
    """Print the table."""
    show([_cold_turn(), *_playouts()])


def _cold_turn() -> Row:
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {WEB: WEB})
        ours = process(PBEM, "run", WEB, "--home", str(top(home)), "--now", "2026-11-21T20:00:00+00:00")
        saved = Path(folder) / "diplomacy.json"
        saved.write_text(json.dumps(to_saved_game_format(Game())), encoding="utf-8")
        theirs = process(DIPLOMACY, str(saved))

        def run() -> float:
            spent = ours() / SEATS
            take_back(home, WEB)
            return spent

        return paired(
            "a cold turn per player, 12 seats with reports, against diplomacy's 7 without",
            run,
            lambda: theirs() / POWERS,
            2.5,
            at_least=True,
        )


def _playouts() -> list[Row]:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - registers the Python game
    from pettingzoo.classic import tictactoe_v3

    spiel = pyspiel.load_game("python_tic_tac_toe")
    zoo = tictactoe_v3.env()
    zoo.reset(seed=1)
    note = f"{PLAYOUTS} playouts each time"

    def row(name: str, work: Callable[[], None], bound: float) -> Row:
        title = f"random playouts of tic-tac-toe against {name}"
        return paired(title, lambda: timed(_ours), lambda: timed(work), bound, at_least=True, note=note)

    return [
        row("open_spiel's python_tic_tac_toe", lambda: _spiel(spiel), 2),
        row("pettingzoo's", lambda: _zoo(zoo), 4),
    ]


def _ours() -> None:
    """Play through the public interface: view, check and resolve on every move."""
    system = find_rules("tic-tac-toe")
    assert system.system is not None, "the plug-in is installed"
    rules, chance = _rules(), random.Random(1)
    seats, dice = system.system.seat_names(2), Dice(b"playouts", 0)
    for _ in range(PLAYOUTS):
        state = rules.setup(seats, {}, {}, dice)
        while not isinstance(ask := rules.ask(state), Outcome):
            (seat,) = ask.seats
            view = rules.view(state, seat)
            empty = [square for square, mark in view.board.items() if mark == "empty"]
            move = rules.read({"mark": chance.choice(empty)})
            assert not rules.check(view, move)
            state = rules.resolve(state, {seat: move}, dice).state


@cache
def _rules() -> Any:
    system = find_rules("tic-tac-toe")
    return system.load(system.shipped_data())


def _spiel(game: Any) -> None:
    chance = random.Random(1)
    for _ in range(PLAYOUTS):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))


def _zoo(env: Any) -> None:
    chance = random.Random(1)
    for _ in range(PLAYOUTS):
        env.reset()
        for _agent in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            mask = seen["action_mask"]
            env.step(None if over or cut else chance.choice([n for n, may in enumerate(mask) if may]))


if __name__ == "__main__":
    main()
