"""Whole games of all rules to their ends: from orders to states, events and who has won.

Each file of the folder `games` is one game. There is at least one for every ending and for every tie-break
that rules can name.

Usage: python -m tests.behaviour.games [NAME ...]

writes down anew what comes of the orders of the games that are named, or of all. Where a file has no turns,
bots play the game.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from pbem.cli import run_command
from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.turn import Policy, advance
from pbem.play.config.newgame import new_game
from pbem.play.config.registry import find_rules
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.interface import Store
from pbem.text.strictyaml import dump
from tests.behaviour.corpus import write
from tests.homes import NOW, make_home, named, orders_text
from tests.mail.homes import ADDRESS
from tests.mail.host import Host
from tests.written import read_yaml

FOLDER: Final = Path(__file__).with_name("games")
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.yaml"))
STEPS: Final = 1000
"""So many steps a run may take of a game whose seats send the orders of the whole game at once."""

Row: TypeAlias = Mapping[str, Any]
Lines: TypeAlias = Mapping[str, list[Json]]
Sender: TypeAlias = Callable[[Home, str, Lines, Path], None]


def row_of(name: str) -> Row:
    """Return a game as its file has it.

    Its fields are the rules, the number of seats, options, tables in place of the shipped ones (`data`),
    words that make another game of the same name (`luck`), and what bots draw its orders by: their skills in
    turn, and whether each seat sends the orders of the whole game at once (`ahead`).
    """
    found: Row
    (found,) = read_yaml((FOLDER / f"{name}.yaml").read_bytes())
    return found


def new(store: Store, row: Row, folder: Path) -> Home:
    """Make a game in a store, by mail; its seed follows from its name.

    Args:
        store: Where it is made.
        row: The game.
        folder: Where the moderator's files lie.
    """
    home, name = Home(store), row["game"]
    system = find_rules(row["rules"]).system
    assert system is not None, "these rules are ours"
    store.lodge("home.yaml", dump({"mail": {"address": ADDRESS, **_MANY}}).encode())
    players, tables = folder / "players.yaml", folder / "tables.yaml"
    seats: Json = {
        str(seat): {"player": f"Player {seat}", "address": _address(seat)}
        for seat in system.seat_names(row["seats"])
    }
    players.write_text(dump({"seats": seats}), encoding="utf-8")
    tables.write_text(dump(row.get("data", {})), encoding="utf-8")
    options = {**row.get("options", {}), **({"most_steps": STEPS} if row.get("ahead") else {})}
    seed = hashlib.sha256(f"golden {name} {row.get('luck', '')}".encode()).digest()
    data = [tables] if "data" in row else []
    new_game(home, row["rules"], name, players, options, now=NOW, seed=seed, data=data)
    return home


_MANY: Final[Mapping[str, Json]] = {"receipts_per_hour": 1000, "orders_per_hour": 1000}


def _address(seat: str) -> str:
    return f"player-{seat}@example.test"


def by_file(home: Home, game: str, orders: Lines, folder: Path) -> None:
    """Lodge orders as files."""
    files = []
    for seat, lines in orders.items():
        files.append(folder / f"{seat}.yaml")
        files[-1].write_text(orders_text(game, seat, lines), encoding="utf-8")
    _pbem("submit", *map(str, files), home=home)


def by_mail(home: Home, game: str, orders: Lines, folder: Path) -> None:
    """Lodge orders as mails to the addresses of their seats."""
    host = Host(home, numbers=SavedGame(home, game).turn * 100)
    for seat, lines in orders.items():
        mail = host.a_mail(orders_text(game, seat, lines), _address(seat))
        host.put(mail, host.address(seat, game), _address(seat))
    assert {one.verdict for one in host.process()} == {"lodged"}


def _pbem(*words: str, home: Home) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        assert run_command([*words, "--home", named(home)]) == 0, out.getvalue()


def outcomes(home: Home, row: Row, turns: Iterable[Lines], send: Sender, folder: Path) -> list[Row]:
    """Play a game, and return its turns: the orders of each, with what comes of them.

    Args:
        home: A home with the game.
        row: The game.
        turns: The orders of each turn.
        send: How orders are lodged.
        folder: Where files of orders lie.
    """
    found, name, before = list[Row](), row["game"], None
    for orders in turns:
        send(home, name, orders, folder)
        _pbem("run", name, "--now", NOW.isoformat(), home=home)
        facts, before = _facts(SavedGame(home, name), before)
        found.append({"orders": orders, **facts})
    return found


def _facts(saved: SavedGame, before: Json) -> tuple[dict[str, Json], Json]:
    """Return what a turn came to, with what of the state is otherwise than before; and the state."""
    folder, ask = saved.turns.at(saved.turn), saved.ask
    lines = (folder / "events.jsonl").read_text().splitlines()
    state: Json = json.loads((folder / "state.json").read_bytes())["state"]
    facts: dict[str, Json] = {"events": [_event(json.loads(line)) for line in lines]}
    facts |= {"state": changed} if (changed := _otherwise(before, state)) else {}
    forms = sorted(file.split("/")[1] for file in folder.below() if file.endswith("/orders.yaml"))
    facts |= {"forms": [*forms]} if forms else {}
    if isinstance(ask, Outcome):
        winners: list[Json] = [*ask.winners]
        facts["outcome"] = {"reason": ask.reason, "decided_by": ask.decided_by, "winners": winners}
    else:
        facts["asked"] = {ask.label: [*asked(saved)]}
    return facts, state


def _event(event: Mapping[str, Json]) -> Json:
    """Return an event; what all are told is not marked, and what was ordered stands in the orders."""
    return {name: value for name, value in event.items() if name != "do" and (name, value) != ("to", ALL)}


def _otherwise(before: Json, now: Json) -> Json:
    """Return what is otherwise in a state; null stands for what is no more."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return now
    return {
        name: _otherwise(before.get(name), now.get(name))
        for name in [*now, *(one for one in before if one not in now)]
        if before.get(name) != now.get(name)
    }


def asked(saved: SavedGame) -> list[Seat]:
    """Return the seats that are asked now; nobody is when the game is over."""
    ask = saved.ask
    return [seat for seat in saved.start.seats if seat in ask.seats] if isinstance(ask, Ask) else []


def drawn(home: Home, row: Row) -> Iterable[Lines]:
    """Yield the orders of each turn as bots play a game that is in a home; it must be run after each."""
    name, is_ahead = row["game"], row.get("ahead", False)
    while asked(saved := SavedGame(home, name)):
        seats, position, lines = saved.start.seats, saved.position, dict[str, list[Json]]()
        if position.game is None:
            yield {seat: [{"do": {"luck": f"luck of {seat}"}}] for seat in seats}
            continue
        bots = {seat: row["skills"][number % len(row["skills"])] for number, seat in enumerate(seats)}
        policy = Policy(bots=bots, most_steps=STEPS if is_ahead else 1)
        for step in advance(saved.opening, seats, position, {}, saved.secret.seed, policy).steps:
            for seat, do in step.moves.items():
                lines.setdefault(seat, []).append({"at": step.label, "do": do} if is_ahead else {"do": do})
        yield lines


def main() -> int:
    """Write down anew what comes of each turn."""
    for name in sys.argv[1:] or NAMES:
        row = row_of(name)
        with tempfile.TemporaryDirectory() as folder:
            home = new(make_home(Path(folder) / "home").store, row, Path(folder))
            orders = (turn["orders"] for turn in row["turns"]) if "turns" in row else drawn(home, row)
            turns = outcomes(home, row, orders, by_file, Path(folder))
        write(f"games/{name}.yaml", [{**row, "turns": turns}], "turns", frozenset({"orders", "events"}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
