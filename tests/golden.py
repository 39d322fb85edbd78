"""Golden games: whole games as they were played once, kept as YAML, and played again by a test.

They go from orders files to reports: of every turn the orders are kept, what all were told, a hash of the
state and one of what each reader was sent, and of the last turn how the game ended. There is at least one
for every ending and for every tie-break that a rule system can name.

python -m tests.golden [NAME ...]    records those named anew, or all, when rules or reports were changed
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.turn import Policy, advance
from pbem.host.batch import run
from pbem.play.home import Home
from pbem.play.newgame import new_game
from pbem.play.registry import find
from pbem.play.saved import SavedGame
from pbem.text.strictyaml import dump
from tests.homes import NOW, make_home, send, top

GAMES = Path(__file__).parent / "games"


MOST_STEPS = 1000


@dataclass(frozen=True)
class Recipe:
    """How a golden game is recorded.

    Attributes:
        rules: The rules.
        seats: How many seats.
        options: Options of the rules.
        skills: Skills of the bots, dealt to the seats in turn.
        data: Tables in place of the shipped ones.
        luck: Words that make another game of the same name; chosen so that the game ends as it should.
        ahead: Every seat sends the orders of the whole game at once, a line for each ask, and one run plays
            it to its end. Otherwise each seat that is asked sends one order, and a run follows.
    """

    rules: str
    seats: int
    options: Mapping[str, Json] = field(default_factory=dict)
    skills: tuple[str, ...] = ("greedy",)
    data: Mapping[str, Json] = field(default_factory=dict)
    luck: str = ""
    ahead: bool = False


def _few_pieces(cloisters: int) -> dict[str, Json]:
    """Return the table of pieces of Web of Power with few of them, so that games are soon over."""
    return {"pieces": {"status": "reconstructed", "cloisters": cloisters, "advisors": 1}}


RECIPES = {
    "web-of-intrigue": Recipe("web-of-intrigue", 12, skills=("greedy", "greedy", "random")),
    "web-snapshot": Recipe(
        "web-of-intrigue",
        3,
        {"target": 30, "turns": 3, "vp": "snapshot"},
        ("greedy", "random"),
        luck="75",
        ahead=True,
    ),
    "web-last-turn": Recipe(
        "web-of-intrigue",
        4,
        {"target": "none", "turns": 2, "reveal_reach": "diamond"},
        ("greedy", "random"),
        luck="7",
        ahead=True,
    ),
    "rose-king": Recipe("rose-king", 2, {"own_tokens": 10}),
    "rose-small-board": Recipe(
        "rose-king",
        2,
        data={
            "board": {"status": "stated", "size": 5, "crown_start": "C3"},
            "power_tokens": {"status": "stated", "total": 10},
        },
        ahead=True,
    ),
    "rose-common-pool": Recipe("rose-king", 2, {}, ("greedy", "random"), luck="1", ahead=True),
    "rose-nobody-moves": Recipe("rose-king", 2, {}, ("random",), luck="32", ahead=True),
    "rose-largest-land": Recipe("rose-king", 2, {"own_tokens": 4}, ("random",), luck="106", ahead=True),
    "rose-more-roses": Recipe("rose-king", 2, {"own_tokens": 7}, ("random",), luck="174", ahead=True),
    "rose-draw": Recipe("rose-king", 2, {"own_tokens": 3}, ("random",), luck="55", ahead=True),
    "power-board": Recipe("web-of-power", 3, skills=("greedy", "random"), luck="0", ahead=True),
    "power-no-room": Recipe("web-of-power", 3, luck="0", data=_few_pieces(3), ahead=True),
    "power-pieces": Recipe(
        "web-of-power", 3, skills=("greedy", "random"), luck="2", data=_few_pieces(2), ahead=True
    ),
    "power-shared": Recipe("web-of-power", 3, luck="1", data=_few_pieces(2), ahead=True),
    "cards-points": Recipe("web-of-power-cards", 5, skills=("greedy", "random"), luck="0", ahead=True),
    "cards-more-lands": Recipe("web-of-power-cards", 3, skills=("greedy", "random"), luck="13", ahead=True),
    "cards-nobody": Recipe("web-of-power-cards", 3, skills=("random",), luck="57", ahead=True),
    "powers-points": Recipe("game-of-powers", 3, {}, ("greedy", "random"), luck="180", ahead=True),
    "powers-shared": Recipe("game-of-powers", 2, {}, luck="25", ahead=True),
}

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "game-of-powers": ("a field of cards could not be filled, and the round is over",),
    "rose-king": (
        "the last token was placed",
        "(red|white) placed its last token",
        "neither red nor white can move",
    ),
    "web-of-power": (
        "the pile ran out for the second time, and the round was finished",
        "no piece can be placed any more",
    ),
    "web-of-intrigue": (
        r"\d+( and \d+)* surpassed the victory target of \d+( \d+/\d+)? in turn \d+",
        r"turn \d+ was the last one",
    ),
    "web-of-power-cards": ("all land cards are taken",),
}
"""Every reason for which a game of each rule system can end, as a pattern."""

DECIDED_BY: Mapping[str, tuple[str, ...]] = {
    "game-of-powers": ("points", "a shared victory"),
    "rose-king": ("points", "largest territory", "more roses", "draw"),
    "web-of-intrigue": ("points", "points from objects", "a shared victory"),
    "web-of-power": ("points", "more pieces left", "shared victory"),
    "web-of-power-cards": ("points", "more land cards", "points and land cards are equal"),
}
"""Everything that can decide a game of each rule system that has ended."""


def table_of(seats: tuple[Seat, ...]) -> str:
    """Return the players' file of a golden game."""
    return dump({"seats": {seat: {"player": f"Player {seat}"} for seat in seats}})


def new(home: Home, name: str, recipe: Recipe, folder: Path | None = None) -> SavedGame:
    """Make a golden game in a home; its seed follows from its name.

    Args:
        home: The home.
        name: The name of the game.
        recipe: How it is recorded.
        folder: Where the moderator's files are written; None: in the home, which is a folder.
    """
    folder = top(home) if folder is None else folder
    system = find(recipe.rules).system
    assert system is not None, "these rules are ours"
    players = folder / "players.yaml"
    players.write_text(table_of(system.seat_names(recipe.seats)), encoding="utf-8")
    seed = hashlib.sha256(f"golden {name} {recipe.luck}".encode()).digest()
    options = {**recipe.options, **({"most_steps": MOST_STEPS} if recipe.ahead else {})}
    tables = folder / "tables.yaml"
    tables.write_text(dump(dict(recipe.data)), encoding="utf-8")
    data = [tables] if recipe.data else []
    new_game(home, recipe.rules, name, players, options, now=NOW, seed=seed, data=data)
    return SavedGame(home, name)


def told(saved: SavedGame) -> dict[str, Json]:
    """Return what a turn came to: what all were told, hashes of state and reports, and how the game ended."""
    folder = saved.turns.at(saved.turn)
    lines = (folder / "events.jsonl").read_text().splitlines()
    public: list[Json] = [
        {key: value for key, value in event.items() if key != "to"}
        for event in map(json.loads, lines)
        if event["to"] == ALL
    ]
    state = hashlib.sha256((folder / "state.json").read_bytes()).hexdigest()
    came: dict[str, Json] = {"public": public, "state": state, "reports": _sent(saved)}
    if isinstance(ended := saved.ask, Outcome):
        winners: list[Json] = [*ended.winners]
        came["outcome"] = {"reason": ended.reason, "decided_by": ended.decided_by, "winners": winners}
    return came


def _sent(saved: SavedGame) -> dict[str, Json]:
    """Return one hash of all pages that each reader was sent, their foot left out."""
    pages = saved.record["reports"]
    assert isinstance(pages, dict)
    readers = sorted({page.split("/")[1] for page in pages})
    return {
        reader: hashlib.sha256(
            "".join(
                f"{page} {pages[page]}\n" for page in sorted(pages) if page.split("/")[1] == reader
            ).encode()
        ).hexdigest()[:16]
        for reader in readers
    }


def asked(saved: SavedGame) -> list[Seat]:
    """Return the seats that are asked now; nobody is when the game is over."""
    ask = saved.ask
    return [seat for seat in saved.start.seats if seat in ask.seats] if isinstance(ask, Ask) else []


def record(home: Home, name: str, recipe: Recipe, folder: Path) -> None:
    """Let bots play a game turn by turn through orders files, and keep what they ordered and what came."""
    saved, number = new(home, name, recipe), 0
    while asked(saved):
        orders = _start(saved) if saved.position.game is None else _orders(saved, recipe)
        for seat, lines in orders.items():
            send(home, name, seat, lines)
        run(home, name, now=NOW)
        saved = SavedGame(home, name)
        kept: dict[str, Json] = {"orders": dict(orders), **told(saved)}
        (folder / f"turn-{number:03d}.yaml").write_text(dump(kept), encoding="utf-8")
        number += 1


def _start(saved: SavedGame) -> dict[str, list[Json]]:
    return {seat: [{"do": {"luck": f"luck of {seat}"}}] for seat in saved.start.seats}


def _orders(saved: SavedGame, recipe: Recipe) -> dict[str, list[Json]]:
    """Return the lines of each seat as bots would play: of this ask, or of all until the game ends."""
    seats, position = saved.start.seats, saved.position
    bots = {seat: recipe.skills[number % len(recipe.skills)] for number, seat in enumerate(seats)}
    policy = Policy(bots=bots, most_steps=MOST_STEPS if recipe.ahead else 1)
    ran = advance(saved.opening, seats, position, {}, saved.secret.seed, policy)
    lines: dict[str, list[Json]] = {}
    for step in ran.steps:
        for seat, do in step.moves.items():
            lines.setdefault(seat, []).append({"at": step.label, "do": do} if recipe.ahead else {"do": do})
    return lines


def main() -> None:
    """Record golden games anew."""
    for name in sys.argv[1:] or RECIPES:
        folder = GAMES / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as place:
            record(make_home(Path(place) / "home"), name, RECIPES[name], folder)


if __name__ == "__main__":
    main()
