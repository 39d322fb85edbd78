"""Golden games: whole games as they were played once, kept as YAML, and played again by a test.

python -m tests.golden    records them anew, when rules were changed on purpose
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json
from pbem.core.labels import START
from pbem.core.opening import Opened
from pbem.core.turn import Position
from pbem.edge.app import run
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.newgame import make_home, new_game
from pbem.edge.registry import find
from pbem.edge.saved import SavedGame
from pbem.edge.store import turn_folder
from pbem.text.strictyaml import dump, parse
from tests.homes import NOW, send

GAMES = Path(__file__).parent / "games"


@dataclass(frozen=True)
class Recipe:
    """How a golden game is recorded.

    Attributes:
        rules: The rules.
        seats: How many seats.
        options: Options of the rules.
        skills: Skills of the bots, dealt to the seats in turn.
    """

    rules: str
    seats: int
    options: Mapping[str, Json]
    skills: tuple[str, ...] = ("greedy",)


RECIPES = {
    "web-of-intrigue": Recipe("web-of-intrigue", 12, {}, ("greedy", "greedy", "random")),
    "rose-king": Recipe("rose-king", 2, {"own_tokens": 10}),
}


def table_of(seats: tuple[Seat, ...]) -> str:
    """Return the players' file of a golden game."""
    return dump({"seats": {seat: {"player": f"Player {seat}"} for seat in seats}})


def new(home: Home, name: str, recipe: Recipe) -> SavedGame:
    """Make a golden game in a home; its seed follows from its name."""
    system = find(recipe.rules).system
    assert system is not None, "these rules are ours"
    players = home.path / "players.yaml"
    players.write_text(table_of(system.seat_names(recipe.seats)), encoding="utf-8")
    seed = hashlib.sha256(f"golden {name}".encode()).digest()
    new_game(Disk(), home, recipe.rules, name, players, dict(recipe.options), now=NOW, seed=seed)
    return SavedGame(home, name)


def told(saved: SavedGame) -> dict[str, Json]:
    """Return what a turn came to: what all were told, and a hash of the whole state."""
    folder = turn_folder(saved.folder, saved.turn)
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    found = [parse(line).value for line in lines]
    public: list[Json] = [
        {key: value for key, value in event.items() if key != "to"}
        for event in found
        if isinstance(event, dict) and event["to"] == ALL
    ]
    state = hashlib.sha256((folder / "state.json").read_bytes()).hexdigest()
    return {"public": public, "state": state}


def asked(saved: SavedGame) -> list[Seat]:
    """Return the seats that are asked now; nobody is when the game is over."""
    ask = saved.ask
    return [seat for seat in saved.start.seats if seat in ask.seats] if isinstance(ask, Ask) else []


def record(home: Home, name: str, recipe: Recipe, folder: Path) -> None:
    """Let bots play a game turn by turn through orders files, and keep what they ordered and what came."""
    saved, number = new(home, name, recipe), 0
    while seats := asked(saved):
        orders: dict[str, Json] = {seat: _order(saved, seat, recipe) for seat in seats}
        for seat, do in orders.items():
            send(home, name, seat, [{"do": do}])
        run(Disk(), home, name, now=NOW)
        saved = SavedGame(home, name)
        kept: dict[str, Json] = {"orders": orders, **told(saved)}
        (folder / f"turn-{number:03d}.yaml").write_text(dump(kept), encoding="utf-8")
        number += 1


def _order(saved: SavedGame, seat: Seat, recipe: Recipe) -> Json:
    position: Position[Opened[object] | None] = saved.position
    if isinstance(saved.ask, Ask) and saved.ask.label == START:
        return {"luck": f"luck of {seat}"}
    skill = recipe.skills[saved.start.seats.index(seat) % len(recipe.skills)]
    dice = Dice(b"golden", position.steps).apart("bot", seat)
    return saved.opening.suggest(saved.opening.view(position.game, seat), dice, skill)


def main() -> None:
    """Record all golden games anew."""
    for name, recipe in RECIPES.items():
        folder = GAMES / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as place:
            record(make_home(Disk(), Path(place) / "home"), name, recipe, folder)


if __name__ == "__main__":
    main()
