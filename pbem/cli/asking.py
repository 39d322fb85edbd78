"""The questions that `pbem new` asks at a terminal, and the file of players that the answers make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from pbem.cli.base import print_text, print_to_stderr, write_file
from pbem.host.time.dates import hour_of, read_when, weekday
from pbem.play.config.gamefile import A_BOT
from pbem.play.config.newgame import players_file_text, refuse_name
from pbem.play.config.registry import InstalledRules, find_rules, installed_rules
from pbem.play.config.schedule import DAYS, is_zone, moment_in_zone
from pbem.play.homes.players import refuse_unreachable
from pbem.store.errors import WrongInput
from pbem.text.names import is_plain_address
from pbem.text.strictyaml import YamlProblem, dump_flow, parse

if TYPE_CHECKING:
    import datetime

    from pbem.core.events import Seat
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A game that somebody has asked for.

    Attributes:
        rules: The name of its rules.
        game: Its id.
        file: The file of players that was made of the answers.
        options: The options of the rules that are not as shipped.
    """

    rules: str
    game: str
    file: Path
    options: dict[str, Json]


def ask_new_game(
    home: Home, rules: str | None, game: str | None, given: Mapping[str, Json], now: datetime.datetime
) -> GameRequest:
    """Ask whoever sits at the terminal for what is not given, and write the file of players.

    Args:
        home: The home that the game is for.
        rules: The name of the rules, if it is given.
        game: The id of the game, if it is given.
        given: Options of the rules that are given.
        now: The moment, from which days are counted.

    Raises:
        WrongInput: This is no home, or what is given cannot be.
    """
    home.games()
    system = find_rules(rules) if rules is not None else _ask_rules()
    if game is not None:
        _read_free_id(home, game)
    name = game or _ask(
        "A short name for the game", lambda text: _read_free_id(home, text), _suggest_id(home, system)
    )
    assert system.system is not None, "find returns no broken rules"
    seats = system.system.seat_names(_asked_count(system.system.seats))
    rows = {seat: _asked_player(home, seat) for seat in seats}
    more = _ask_schedule(home, now)
    options = {**given, **_ask_options(system, given)}
    text = players_file_text(system.name, rows, more)
    file = _free_file(name)
    print_to_stderr(f"\nThis is the file of players, {file}:\n")
    print_text(text)
    click.confirm("Make the game?", default=True, abort=True, err=True)
    write_file(file, text)
    return GameRequest(system.name, name, file, options)


def _ask(question: str, read: Callable[[str], T], default: str | None = None) -> T:
    """Ask until the answer can be read; what is wrong with one is said. Blanks alone are as Return is."""

    def tried(text: str) -> T:
        try:
            return read(text.strip() or default or "")
        except (WrongInput, ValueError, YamlProblem) as wrong:
            told = f"{wrong.text}. {wrong.hint}" if isinstance(wrong, YamlProblem) else str(wrong)
            raise click.UsageError(told) from None

    found: T = click.prompt(question, default=default, value_proc=tried, show_default=bool(default), err=True)
    return found


def _ask_rules() -> InstalledRules:
    systems = [one for one in installed_rules() if one.system is not None]
    print_to_stderr(f"Rules: {', '.join(one.name for one in systems)}")
    return _ask("Which rules", find_rules)


def _suggest_id(home: Home, system: InstalledRules) -> str:
    """Return an id that no game has."""
    stem = system.name[:18].rstrip("-")
    return next(name for n in range(1, 1000) if not home.has(name := f"{stem}-{n}"))


def _read_free_id(home: Home, name: str) -> str:
    refuse_name(name)
    if home.has(name):
        raise WrongInput(f"there is a game {name} already.", "Choose another id.")
    return name


def _asked_count(seats: range) -> int:
    if len(seats) == 1:
        return seats[0]

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) not in seats:
            raise ValueError(f"it is played by {seats[0]} to {seats[-1]}.")
        return int(text)

    return _ask(f"How many players, {seats[0]} to {seats[-1]}", read, str(seats[-1]))


def _asked_player(home: Home, seat: Seat) -> dict[str, Json]:
    """Ask who has a seat; who is a bot has no address."""

    def read(text: str) -> str:
        if text and not is_plain_address(text):
            raise ValueError(f"{text!r} is no address, such as ann@example.org.")
        refuse_unreachable(home, text)
        return text

    player = _ask(f"Who plays {seat} (Return: a bot)", _read_name, A_BOT)
    if player == A_BOT:
        return {"bot": "greedy"}
    by_mail = bool(home.mail_section())
    wanted = " (this home plays by mail)" if by_mail else " (Return: none)"
    address = _ask(f"The mail address of {player}{wanted}", read, None if by_mail else "")
    return {"player": player, **({"address": address} if address else {})}


def _read_name(text: str) -> str:
    if not text.isprintable() or len(text) > 60:
        raise ValueError("a name has at most 60 letters.")
    return text


_DAYS: Final = (
    "Orders can be due on days of the week, such as: tue fri. Or once, such as: Friday 20:00, or 1 Dec 18:00."
)

_SILENT: Final = (
    "Who sends no orders in time is silent. wait: the game waits. hold: the least that the rules allow is "
    "done. greedy, random: a bot answers."
)


def _ask_schedule(home: Home, now: datetime.datetime) -> dict[str, Json]:
    """Ask what becomes of silent seats, and when orders are due: on days of the week, or by one moment."""

    def days(text: str) -> list[Json] | str:
        if any(map(str.isdigit, text)):
            due = read_when(text, now, home.zone() or "UTC").due
            print_to_stderr(f"Orders are due {moment_in_zone(due, home.zone())}.")
            return due.isoformat()
        found = [(day, weekday(day)) for day in text.replace(",", " ").lower().split() if day != "and"]
        if strange := [day for day, number in found if number is None]:
            raise ValueError(f"{strange[0]!r} is no day; days are {', '.join(DAYS)}.")
        return [*dict.fromkeys(DAYS[number] for _, number in found if number is not None)]

    def silent(text: str) -> str:
        if text not in ("wait", "hold", "greedy", "random"):
            raise ValueError("it can be wait, hold, greedy or random.")
        return text

    print_to_stderr(_DAYS)
    on = _ask("When are orders due (Return: no deadline)", days, "")
    schedule: dict[str, Json] = {"deadline": on} if isinstance(on, str) else {}
    if on and not schedule:
        at = _ask("At which hour", _hour, "20:00")
        schedule = {
            "schedule": {
                "days": on,
                "at": at,
                "zone": _ask("In which time zone", _read_zone, home.zone() or "UTC"),
            }
        }
    print_to_stderr(_SILENT)
    return {"silent": _ask("What answers for a silent seat", silent, "hold" if on else "wait"), **schedule}


def _hour(text: str) -> str:
    if (found := hour_of(text)) is None:
        raise ValueError("write it as 20:00.")
    return f"{found:%H:%M}"


def _read_zone(text: str) -> str:
    if not is_zone(text):
        raise ValueError(f"there is no time zone {text!r}; write a name such as Europe/Helsinki.")
    return text


def _ask_options(system: InstalledRules, given: Mapping[str, Json]) -> dict[str, Json]:
    """Ask for the options of the rules, if any are to be other than shipped."""
    asked = system.options_schema.schema.get("properties")
    left = {
        name: one for name, one in (asked.items() if isinstance(asked, dict) else ()) if name not in given
    }
    if not left or not click.confirm(f"Change an option ({', '.join(left)})?", default=False, err=True):
        return {}
    shipped = system.options({})
    found = {name: _ask_option(system, name, one, shipped[name]) for name, one in left.items()}
    return {name: value for name, value in found.items() if value != shipped[name]}


def _ask_option(system: InstalledRules, name: str, schema: Any, shipped: Json) -> Json:
    def read(text: str) -> Json:
        value = parse(text).value
        system.options({name: value})
        return value

    print_to_stderr(f"\n{name}: {schema.get('description', '')}")
    return _ask(name, read, dump_flow(shipped))


def _free_file(game: str) -> Path:
    """Return where the file of players can be written, here, in place of nothing."""
    names = [f"{game}-players.yaml", *(f"{game}-players-{n}.yaml" for n in range(2, 1000))]
    return next(path for path in map(Path, names) if not path.exists())
