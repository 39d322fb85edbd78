"""The verbs about rules, and those that set things up: init, demo, rules, new, simulate."""

from __future__ import annotations

import datetime
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.asking import ask_new_game
from pbem.cli.base import (
    home_option,
    json_option,
    moment,
    now_option,
    open_home,
    print_document,
    print_hint,
    print_json,
    print_next_step,
    print_text,
    print_to_stderr,
    print_unless_quiet,
    progress,
    write_picture,
)
from pbem.host.run.batch import run
from pbem.host.time.dates import with_exact_deadline
from pbem.play.config.gamefile import deadlines_in_words, seat_with_player
from pbem.play.config.newgame import example_table, new_game
from pbem.play.config.registry import find_rules, installed_rules
from pbem.play.config.templates import templates_of
from pbem.play.turn.simulate import simulate as play
from pbem.play.turn.simulate import statistics_svg
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.opening import make_store
from pbem.text.codec import encode
from pbem.text.strictyaml import YamlProblem, parse

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home
    from pbem.play.homes.saved import SavedGame


@click.command()
@click.argument("home")
def init(home: str) -> None:
    """Make an empty home: a folder, or the database at postgresql://…."""
    made = make_store(home)
    print_unless_quiet(
        f"{made.spelled('')} is a home now. Next: pbem new RULES --example > players.yaml (`pbem rules` "
        f"lists them), and with names in it: pbem new RULES GAME --players players.yaml --home {home}"
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--lines", type=click.IntRange(0), default=24, show_default=True, help="Lines of a report to show."
)
@now_option
def demo(folder: Path, lines: int, now: str | None) -> None:
    """Make a home with the sample games, and resolve one turn of each."""
    from pbem.host.office.samples import make_demo

    with progress("The sample games") as step:
        for shown in make_demo(folder, moment(now), jobs=os.cpu_count() or 1):
            step()
            print_unless_quiet(f"{shown.game}: {shown.summary}")
            print_unless_quiet(f"Reports: {shown.reports}")
            print_unless_quiet("")
            for line in shown.text.splitlines()[:lines]:
                print_unless_quiet(f"    | {line}")
            print_unless_quiet("")
    program = "pbem" if shutil.which("pbem") else sys.argv[0]  # as it was typed: .venv/bin/pbem
    print_unless_quiet(f"Look around in {folder}; name it after a command: {program} status --home {folder}")


@click.command()
@click.argument("name", required=False)
@click.option("--data", is_flag=True, help="Print the tables of these rules, to start your own from.")
@json_option
def rules(name: str | None, data: bool, as_json: bool) -> None:
    """List the rule systems: name, seats, version, origin.

    With NAME, those rules alone.
    """
    if data:
        if name is None:
            raise click.UsageError("Name the rules: pbem rules NAME --data.")
        system = find_rules(name)
        if as_json:
            print_json(system.shipped_data())
        else:
            print_document("\n".join(path.read_text(encoding="utf-8") for path in system.data_files))
        return
    listed = (find_rules(name),) if name is not None else installed_rules()
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "seats": [*one.system.seats] if one.system else [],
                    "version": one.system.version if one.system else 0,
                    "origin": one.origin,
                    "problem": one.problem,
                }
                for one in listed
            ]
        )
        return
    for one in listed:
        if one.system is None:
            print_text(f"{one.name:<20} broken: {one.problem} ({one.origin})")
        else:
            seats = one.system.seats
            count = f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}"
            print_text(f"{one.name:<20} {count + ' seats':<12} version {one.system.version:<4} {one.origin}")


def options_of(settings: tuple[str, ...]) -> dict[str, Json]:
    """Return `KEY=VALUE` settings; values are read as in orders: true, 26, text."""
    out: dict[str, Json] = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign or not key:
            raise click.BadParameter(f"expected KEY=VALUE, got {setting!r}.", param_hint="--set")
        try:
            out[key] = parse(value).value
        except YamlProblem as wrong:
            raise click.BadParameter(f"{setting!r}: {wrong.text}.", param_hint="--set") from None
    return out


@click.command()
@click.argument("rules", required=False)
@click.argument("game", required=False)
@click.option(
    "--players",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A YAML file that says who sits where; it becomes the game's game.yaml.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the rules; or forced=true, sealed=true.",
)
@click.option(
    "--data",
    "data",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Tables of your own in place of the shipped ones; see `pbem rules NAME --data`.",
)
@click.option("--deal", is_flag=True, help="Deal at once, with the luck words of the players file.")
@click.option("--example", is_flag=True, help="Make no game: print a players file to fill in.")
@click.option("--seats", type=click.IntRange(1), help="How many seats the example has.  [default: the most]")
@json_option
@now_option
@home_option
def new(
    rules: str | None,
    game: str | None,
    players: Path | None,
    settings: tuple[str, ...],
    data: tuple[Path, ...],
    deal: bool,
    example: bool,
    seats: int | None,
    as_json: bool,
    now: str | None,
    home: str,
) -> None:
    """Set a game up.

    At a terminal you are asked for what you leave out, and shown the file of players that your answers make.
    With `--json` nothing is asked.
    """
    if example:
        print_text(_example_players_file(rules, seats, home, moment(now)))
        return
    if seats is not None:
        raise click.UsageError("--seats is for --example; of a game the players file says it.")
    chosen = options_of(settings)
    if players is None and sys.stdin.isatty() and not as_json:
        try:
            asked = ask_new_game(open_home(home), rules, game, chosen, moment(now))
        except click.Abort:
            print_to_stderr("\nNo game was made.")
            raise
        rules, game, players, chosen = asked.rules, asked.game, asked.file, asked.options
    if rules is None or game is None or players is None:
        named = rules or "RULES"
        raise click.UsageError(
            f"Say how the game is called and who plays: pbem new {named} GAME --players FILE. "
            f"A file to fill in: pbem new {named} --example > players.yaml"
        )
    opened, at = open_home(home), moment(now)
    file = with_exact_deadline(opened, players, at)
    saved = new_game(opened, rules, game, file, chosen, now=at, data=data)
    ran = None
    if deal:
        ran = run(opened, game, now=at, deal=True, wait_seconds=WAIT_SECONDS)  # a worker may look at it
    if as_json:
        print_json({**_game_json(game, saved), "ran": encode(ran) if ran else None})
        return
    print_unless_quiet(
        f"{game}: {rules} for {', '.join(seat_with_player(s, n) for s, n in saved.table.players.items())}"
    )
    if saved.start.sealed:
        print_unless_quiet(
            "Luck words are sealed: each start form may bring a seal, and all are opened together."
        )
    if saved.start.own_tables:
        print_unless_quiet(f"Tables of your own: {', '.join(saved.start.own_tables)}")
    print_unless_quiet(f"Commitment to the dice seed: {saved.start.commitment}")
    _print_keys(saved)
    if ran and (missing := [seat for seat in saved.start.seats if seat not in saved.table.luck]):
        print_hint(
            f"No luck words of {', '.join(missing)}: their share of the dice is the host's seed alone."
        )
    if (due := saved.table.deadline) is not None and due <= at:
        print_hint(f"The deadline, {saved.table.spelled(due)}, has passed and counts for nothing.")
    print_unless_quiet(deadlines_in_words(saved.table, str(opened.game(game) / "game.yaml"), game, at))
    invites = (
        "The invitations with the start forms go out with `pbem send`"
        if opened.mail_section()
        else "The invitations with the start forms are in its reports"
    )
    deals = "`pbem run` deals when all are in, `pbem run --deal` at once."
    print_unless_quiet(ran.line() if ran else f"{invites}; {deals}")
    _print_next_steps(opened, home, game)


def _print_keys(saved: SavedGame) -> None:
    """Print the key of each seat, if orders must carry one, and what to do with it."""
    for seat, key in (keys := _keys(saved)).items():
        print_text(f"Key of {seat}: {key}")
    if keys:
        where = saved.folder / "secret.json"
        print_hint(f"Send each player their own key, and nobody another's. They stand in {where} too.")


def _keys(saved: SavedGame) -> dict[str, str]:
    """Return the key of each seat, if orders must carry one."""
    return {str(seat): key for seat, key in saved.secret.keys.items()} if saved.table.key else {}


def _game_json(game: str, saved: SavedGame) -> dict[str, Json]:
    """Return what a new game is, as data."""
    return {
        "game": game,
        "rules": saved.start.rules,
        "seats": {str(seat): name for seat, name in saved.table.players.items()},
        "own_tables": [*saved.start.own_tables],
        "sealed": saved.start.sealed,
        "commitment": saved.start.commitment,
        "keys": {**_keys(saved)},
    }


def _print_next_steps(opened: Home, home: str, game: str) -> None:
    """Say how the players of a new game get what is for them."""
    if opened.mail_section():
        print_next_step(home, "send", "sends what its players are to get")
    else:
        print_next_step(
            home, f"report {game} --all reports", "a folder for each player with what is to be sent"
        )


def _example_players_file(rules: str | None, seats: int | None, home: str, at: datetime.datetime) -> str:
    """Return a players file for so many seats, or for the most."""
    if rules is None:
        raise click.UsageError("Name the rules: pbem new RULES --example > players.yaml")
    system = find_rules(rules).system
    assert system is not None, "find returns no broken rules"
    if seats is not None and seats not in system.seats:
        raise click.BadParameter(f"{rules} is not played with {seats} seats.", param_hint="--seats")
    return example_table(rules, system.seat_names(seats or system.seats[-1]), at, _home_zone(home))


def _home_zone(home: str) -> str:
    """Return the time zone of a home; "" where there is none yet."""
    try:
        return open_home(home).zone()
    except WrongInput:
        return ""


@click.command()
@click.argument("rules")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seats", type=click.IntRange(1), help="How many seats.  [default: the most]")
@click.option(
    "--bots", default="greedy", show_default=True, help="Skills, dealt to the seats in turn: greedy,random."
)
@click.option("--seed", default="pbem", show_default=True, help="The same text gives the same games.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the rules.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw lengths, scores and wins by seat into this file: .svg, or .png with the extra pbem[png].",
)
@json_option
def simulate(
    rules: str,
    games: int,
    seats: int | None,
    bots: str,
    seed: str,
    settings: tuple[str, ...],
    plot: Path | None,
    as_json: bool,
) -> None:
    """Let bots play games, and count how they went.

    It prints lengths, points, endings, tie-breaks, wins and what the rules count.
    """
    system = find_rules(rules)
    assert system.system is not None, "find returns no broken rules"
    count = seats or system.system.seats[-1]
    if count not in system.system.seats:
        raise click.BadParameter(f"{rules} is not played with {count} seats.")
    skills = bots.split(",")
    if strange := [skill for skill in skills if skill not in ("random", "greedy")]:
        raise click.BadParameter(f"there is no bot {strange[0]!r}; skills are random and greedy.")
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{plot} is neither .svg nor .png.", param_hint="--plot")
    loaded = system.load(system.shipped_data())
    options = system.options(options_of(settings))
    names = system.system.seat_names(count)
    with progress(rules, games) as step:
        found = play(
            loaded,
            names,
            options,
            skills,
            games,
            seed,
            lambda _: step(),
            system.system.tally,
            system.takes,
        )
    if as_json:
        print_json(found.as_json())
    else:
        _print_statistics(found.as_json())
    if plot is not None:
        picture = statistics_svg(found, rules, ", ".join(skills), templates_of(system))
        write_picture(plot, picture, as_png=plot.suffix == ".png")


def _print_statistics(found: dict[str, Json]) -> None:
    """Print each count on a line, the rows of a table under its title."""
    for title, value in found.items():
        if not isinstance(value, dict):
            print_text(f"{title}: {value}")
            continue
        if not value:  # nothing to count, as places in turn order where all move together
            continue
        print_text(f"{title}:")
        for row, count in value.items():
            said = ", ".join(f"{name} {n}" for name, n in count.items()) if isinstance(count, dict) else count
            print_text(f"  {row}: {said}")
