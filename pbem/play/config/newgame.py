"""Games are made here: options and data frozen, the seed committed to; and a file of players to fill in."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pbem.core.dice import commitment
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.play.config.gamefile import next_deadline, read_game_file
from pbem.play.config.registry import InstalledRules, read_document, read_fields_file
from pbem.play.config.schedule import DAY, Moment, zone_of
from pbem.play.homes.home import Home, Secret, is_game_name, make_key
from pbem.play.homes.players import refuse_player_name, refuse_unreachable
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.turnfiles import first_files
from pbem.store.errors import WrongInput
from pbem.store.interface import Readable
from pbem.store.memory import MemoryStore
from pbem.text.codec import dumps
from pbem.text.names import why_unfit
from pbem.text.strictyaml import Document, dump_flow, find_mark
from pbem.text.yamlwrite import plain_value


def new_game(
    home: Home,
    rules: str,
    game: str,
    players: Readable,
    options: Mapping[str, Json],
    *,
    now: datetime.datetime,
    seed: bytes | None = None,
    data: Sequence[Path] = (),
) -> SavedGame:
    """Set a game up: freeze options and data, commit to a seed, and write the invitations.

    Args:
        home: The home.
        rules: The name of the rules.
        game: The id of the new game.
        players: A YAML file of the shape of `game.yaml`.
        options: Options of the rules, `forced`, `most_steps` and `sealed`.
        now: The moment.
        seed: 32 secret bytes; made anew if left out.
        data: Files of tables in place of the shipped ones.
    """
    system = registry.find_rules(rules)
    refuse_name(game)
    assert system.system is not None, "find returns no broken rules"
    seats = _seats(system, players)
    read_game_file(players, seats)
    _refuse_persons(home, players, seats)
    chosen, forced, most_steps, sealed = _options(system, {**_home_options(home), **options})
    tables, own_tables = merge_data_tables(system, data)
    seed = secrets.token_bytes(32) if seed is None else seed
    secret = Secret(seed, {seat: make_key(secrets.token_bytes(32)) for seat in seats})
    start: dict[str, Json] = {
        "rules": rules,
        "seats": list[Json](seats),
        "options": chosen,
        "forced": forced,
        "most_steps": most_steps,
        "commitment": commitment(seed),
        "own_tables": list[Json](own_tables),
        **({"sealed": True} if sealed else {}),
    }
    frozen = {"start.json": dumps(start).encode(), "data.json": dumps(tables).encode()}
    if home.has(game):
        hint = "Choose another id."
        if (made := SavedGame(home, game)).turn == 0 and made.start.rules == rules:
            hint = f"If it was made by this command, which was cut off, go on: pbem run {game} --deal"
        raise WrongInput(f"there is a game {game} already.", hint)
    home.store.found(game, _files(home, game, players.read_bytes(), secret, frozen, now))
    return SavedGame(home, game)


def refuse_name(game: str) -> None:
    """Refuse what cannot be a game's id: mail to `x-join` joins `x`, and `null` in orders is no word.

    Raises:
        WrongInput: It cannot.
    """
    if not is_game_name(game):
        hint = "Use at most 21 lower case letters, digits and hyphens."
        raise WrongInput(f"{game!r} cannot be a game's id.", hint)
    if plain_value(game) is None or isinstance(plain_value(game), bool):
        wrong = f"{game!r} cannot be a game's id: `game: {game}` in orders names no game."
        raise WrongInput(wrong, "Choose another id.")
    for ending in ("-join", "-press"):
        if game.endswith(ending):
            other = game.removesuffix(ending)
            wrong = f"{game!r} cannot be a game's id: mail to it would be taken for {other!r}."
            raise WrongInput(wrong, f"Choose another id, without {ending} at its end.")


def _files(
    home: Home,
    game: str,
    players: bytes,
    secret: Secret,
    frozen: Mapping[str, bytes],
    now: datetime.datetime,
) -> dict[str, bytes]:
    """Return every file of a new game, by its path in the game."""
    files = {
        "game.yaml": players,
        "secret.json": dumps(secret.as_json()).encode(),
        **{f"turns/0000/{name}": data for name, data in frozen.items()},
    }
    drafted = MemoryStore({f"games/{game}/{name}": data for name, data in files.items()}, behind=home.store)
    draft = SavedGame(Home(drafted), game, at_turn=0)
    due = next_deadline(draft.table, now)
    first = first_files(draft, frozen, now.isoformat(timespec="seconds"), due)
    return {**files, **{f"turns/0000/{name}": data for name, data in first.items()}}


def _seats(system: registry.InstalledRules, players: Readable) -> tuple[Seat, ...]:
    """Return the game's seats, as many as the file of players names."""
    file = read_fields_file(players)
    written = file.value.get("seats")
    count = len(written) if isinstance(written, dict) else 0
    assert system.system is not None, "find returns no broken rules"
    if count not in system.system.seats:
        allowed = system.system.seats
        wanted = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
        names = ", ".join(system.system.seat_names(allowed[-1]))
        first = "" if len(allowed) == 1 else "the first of "
        told = f"{file.at('seats')}: {system.name} needs {wanted} seats, the file names {count}."
        raise WrongInput(told, f"Seats are {first}{names}.")
    seats = system.system.seat_names(count)
    if wrong := why_unfit(seats):
        hint = f"Ask the author of {system.origin} for other names, or take other rules."
        raise WrongInput(
            f"the rules {system.name} name their seats so that no mail can hold it: {wrong}.", hint
        )
    return seats


def _refuse_persons(home: Home, players: Readable, seats: tuple[Seat, ...]) -> None:
    """Refuse names and addresses in a file of players that nobody can be written to by.

    A running game may have them.
    """
    file = read_fields_file(players)
    table, standby = file.value.get("seats"), file.value.get("standby")
    rows: dict[tuple[str | int, ...], Json] = {
        **{("seats", seat): row for seat, row in (table.items() if isinstance(table, dict) else ())},
        **{("standby", n): row for n, row in enumerate(standby if isinstance(standby, list) else ())},
    }
    names = {
        keys: str(row["player"]) for keys, row in rows.items() if isinstance(row, dict) and "player" in row
    }
    for keys, name in reversed(names.items()):  # of two that look alike the later one is told
        whose = Seat(str(keys[1])) if keys[0] == "seats" else None
        refuse_player_name(name, whose, seats, names.values(), file.at(*keys, "player"))
    for keys, row in rows.items():
        if isinstance(row, dict) and "address" in row:
            refuse_unreachable(home, str(row["address"]), file.at(*keys, "address"))


def _home_options(home: Home) -> dict[str, Json]:
    """Return what the home says of options that every game has."""
    return {name: value for name, value in home.settings().items() if name == "sealed"}


def _options(
    system: registry.InstalledRules, options: Mapping[str, Json]
) -> tuple[dict[str, Json], bool, int, bool]:
    """Return the rules' options in force, and the three that every game has."""
    assert system.system is not None, "find returns no broken rules"
    given = dict(options)
    forced, most_steps = given.pop("forced", False), given.pop("most_steps", system.system.most_steps)
    sealed = given.pop("sealed", False)
    for name, value in (("forced", forced), ("sealed", sealed)):
        if not isinstance(value, bool):
            raise WrongInput(f"option {name}: expected true or false, got {dump_flow(value)}.")
    assert isinstance(forced, bool) and isinstance(sealed, bool), "both were looked at"
    if not isinstance(most_steps, int) or not 1 <= most_steps <= 10_000:
        raise WrongInput(f"option most_steps: expected 1 to 10000, got {dump_flow(most_steps)}.")
    return system.options(given), forced, most_steps, sealed


def merge_data_tables(
    system: InstalledRules, files: Sequence[Path]
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return the tables of a new game: those of the files, and the shipped ones for all others.

    Args:
        system: The rules.
        files: YAML files, each with one or more whole tables by name; a later one counts.

    Returns:
        All tables, and the names of those that are not as shipped.

    Raises:
        WrongInput: A table breaks the data schema or the rules' own totals; with FILE:LINE:COLUMN where the
            schema tells it.
    """
    shipped = system.shipped_data()
    merged, written = dict(shipped), dict[str, tuple[Path, Document]]()
    for path in files:
        document = read_document(path)
        assert isinstance(document.value, dict), "a table that was read has fields"
        merged.update(document.value)
        written.update(dict.fromkeys(document.value, (path, document)))
    for problem in system.data_schema.problems(merged):
        name = str(problem.path[0]) if problem.path else ""
        if name in written:
            path, document = written[name]
            spots = document.keys if problem.at_key and problem.path in document.keys else document.marks
            mark = spots[problem.path] if problem.path in spots else find_mark(document, problem.path)
            place = ".".join(map(str, problem.path))
            told = f"{path}:{mark.line}:{mark.column}: {place}: {problem.text}."
            raise WrongInput(told, problem.hint)
    try:
        system.load(merged)
    except WrongInput as wrong:
        if not files:
            raise
        hint = f"`pbem rules {system.name} --data` prints the shipped tables, which do."
        raise WrongInput(f"{', '.join(map(str, files))}: {wrong}", hint) from None
    return merged, tuple(sorted(name for name in written if merged[name] != shipped.get(name)))


_NAMES: Final = ("Ann", "Bob", "Cleo", "Dora", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jun", "Kai", "Lea")

_BESIDES: Final = """\
silent: hold   # what answers for a silent seat at the deadline: wait, hold, greedy or random

# Take the # away from what you want.
# schedule: {days: [tue, fri], at: "20:00", zone: ZONE, remind: 24h}   # when orders are due, of every turn
# deadline: DEADLINE   # or once: for the turns made before it; after it `schedule`, or none
# misses: {after: 2, then: standby}   # who plays a seat that missed so many turns: standby, greedy or random
# standby: [{player: Zoe, address: zoe@example.org}]   # who waits for such a seat
# press: {deliver: at once}   # messages between seats: off, with the report, or at once
# key: true   # orders must carry the seat's key; by mail the address of the seat is secret already
"""


def example_table(rules: str, seats: Sequence[Seat], now: Moment, zone: str = "") -> str:
    """Return a file of players for a game of some rules, in YAML; it makes a game as it stands.

    Args:
        rules: The name of the rules.
        seats: The seats.
        now: The moment; the deadline that is offered is a week later.
        zone: The time zone in which its host names hours; "" if nobody knows.
    """
    day = (now + 7 * DAY).astimezone(zone_of(zone or "UTC"))
    due = day.replace(hour=20, minute=0, second=0, microsecond=0)
    names = [*_NAMES, *(f"Player{n}" for n in range(len(_NAMES) + 1, len(seats) + 1))][: len(seats)]
    rows = [
        f"  {seat}: {dump_flow({'player': name, 'address': f'{name.lower()}@example.org'})}"
        for seat, name in zip(seats, names, strict=True)
    ]
    return "\n".join(
        [
            f"# Who plays {rules}. Fill in names and addresses, and set the game up with:",
            f"#   pbem new {rules} GAME --players FILE",
            "# With `--set sealed=true` luck words are sealed: not even you can choose the deal.",
            "# A bot's seat: {bot: greedy}",
            "seats:",
            *rows,
            _BESIDES.replace("ZONE", zone or "UTC").replace("DEADLINE", due.isoformat()),
        ]
    ).removesuffix("\n")


def players_file_text(rules: str, seats: Mapping[Seat, Mapping[str, Json]], more: Mapping[str, Json]) -> str:
    """Return a file of players as a person would write it, a seat a line.

    Args:
        rules: The name of the rules.
        seats: The entry of each seat.
        more: What the file says besides.
    """
    rows = [f"  {seat}: {dump_flow(dict(row))}" for seat, row in seats.items()]
    rest = [f"{name}: {dump_flow(value)}" for name, value in more.items()]
    return "\n".join([f"# Who plays {rules}.", "seats:", *rows, *rest, ""])
