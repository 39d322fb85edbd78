"""Homes and games are made here: options and data frozen, the seed committed to, the invitations written."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from pbem.core.dice import commitment
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play import registry
from pbem.play.gamefile import read_game_file
from pbem.play.home import Home, Secret, is_game_name, spelled_key
from pbem.play.nextdeadline import next_deadline
from pbem.play.owndata import own_data
from pbem.play.saved import SavedGame
from pbem.play.turnfiles import first_files
from pbem.store.disk import LOCK_SECONDS, Disk, locked
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from pbem.text.seatnames import why_unfit
from pbem.text.strictyaml import dump_flow


def make_home(disk: Disk, path: Path) -> Home:
    """Make an empty home.

    Raises:
        WrongInput: The folder holds something already.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise WrongInput(f"{path} is not empty.", "Choose a new folder.")
    for name in ("games", "orders", "templates"):
        disk.make_folder(path / name)
    disk.sync_tree(path)
    return Home(path)


def new_game(
    disk: Disk,
    home: Home,
    rules: str,
    game: str,
    players: Path,
    options: Mapping[str, Json],
    *,
    now: datetime.datetime,
    seed: bytes | None = None,
    data: Sequence[Path] = (),
) -> SavedGame:
    """Set a game up: freeze options and data, commit to a seed, and write the invitations.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        rules: The name of the rules.
        game: The id of the new game.
        players: A YAML file of the shape of `game.yaml`.
        options: Options of the rules, `forced` and `most_steps`.
        now: The moment.
        seed: 32 secret bytes; made anew if left out.
        data: Files of tables in place of the shipped ones.
    """
    system = registry.find(rules)
    _refuse_name(game)
    assert system.system is not None, "find returns no broken rules"
    seats = _seats(system, players)
    read_game_file(players, seats)
    chosen, forced, most_steps = _options(system, options)
    tables, own_tables = own_data(system, data)
    seed = secrets.token_bytes(32) if seed is None else seed
    secret = Secret(seed, {seat: spelled_key(secrets.token_bytes(32)) for seat in seats})
    start: dict[str, Json] = {
        "rules": rules,
        "seats": list[Json](seats),
        "options": chosen,
        "forced": forced,
        "most_steps": most_steps,
        "commitment": commitment(seed),
        "own_tables": list[Json](own_tables),
    }
    frozen = {"start.json": dumps(start).encode(), "data.json": dumps(tables).encode()}
    with locked(home.games_folder, wait_seconds=LOCK_SECONDS):
        if game in home.games():
            raise WrongInput(f"there is a game {game} already.", "Choose another id.")
        return _found(disk, home, game, players.read_bytes(), secret, frozen, now)


def _refuse_name(game: str) -> None:
    """Refuse what cannot be a game's id: mail to `x-join` joins `x`, and to `x-press` is press in it."""
    if not is_game_name(game):
        hint = "Use at most 21 lower case letters, digits and hyphens."
        raise WrongInput(f"{game!r} cannot be a game's id.", hint)
    for ending in ("-join", "-press"):
        if game.endswith(ending):
            other = game.removesuffix(ending)
            wrong = f"{game!r} cannot be a game's id: mail to it would be taken for {other!r}."
            raise WrongInput(wrong, f"Choose another id, without {ending} at its end.")


def _found(
    disk: Disk,
    home: Home,
    game: str,
    players: bytes,
    secret: Secret,
    frozen: Mapping[str, bytes],
    now: datetime.datetime,
) -> SavedGame:
    """Write a game beside the others, make it durable, and give it its name."""
    folder = home.games_folder / f".{game}.tmp"
    if folder.exists():
        disk.remove_tree(folder)
    zero = folder / "turns" / "0000"
    disk.make_folder(folder, mode=0o700)  # a save tells everything; others on this machine must not read it
    disk.make_folder(zero)
    disk.write(folder / "game.yaml", players)
    disk.write(folder / "secret.json", dumps(secret.as_json()).encode(), mode=0o600)
    for name, content in frozen.items():
        disk.write(zero / name, content)
    draft = SavedGame(home, game, folder=folder, at_turn=0)
    due = next_deadline(draft.table, now)
    for name, content in first_files(draft, frozen, now.isoformat(timespec="seconds"), due).items():
        disk.make_folder((zero / name).parent)
        disk.write(zero / name, content)
    disk.sync_tree(folder)
    disk.rename(folder, home.games_folder / game)
    disk.sync_names(home.games_folder)
    return SavedGame(home, game)


def _seats(system: registry.Installed, players: Path) -> tuple[Seat, ...]:
    """Return the game's seats, as many as the file of players names."""
    written = registry.read_table(players).get("seats")
    count = len(written) if isinstance(written, dict) else 0
    assert system.system is not None, "find returns no broken rules"
    if count not in system.system.seats:
        allowed = system.system.seats
        wanted = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        names = ", ".join(system.system.seat_names(allowed[0]))
        raise WrongInput(
            f"{players}: {system.name} needs {wanted} seats, the file names {count}.", f"Seats are {names}."
        )
    seats = system.system.seat_names(count)
    if wrong := why_unfit(seats):
        hint = f"Ask the author of {system.origin} for other names, or take other rules."
        raise WrongInput(
            f"the rules {system.name} name their seats so that no mail can hold it: {wrong}.", hint
        )
    return seats


def _options(system: registry.Installed, options: Mapping[str, Json]) -> tuple[dict[str, Json], bool, int]:
    """Return the rules' options in force, and the two that every game has."""
    assert system.system is not None, "find returns no broken rules"
    given = dict(options)
    forced, most_steps = given.pop("forced", False), given.pop("most_steps", system.system.most_steps)
    if not isinstance(forced, bool):
        raise WrongInput(f"option forced: expected true or false, got {dump_flow(forced)}.")
    if not isinstance(most_steps, int) or not 1 <= most_steps <= 10_000:
        raise WrongInput(f"option most_steps: expected 1 to 10000, got {dump_flow(most_steps)}.")
    return system.options(given), forced, most_steps
