"""The verbs that set things up: init, demo, rules, new."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import hint, home_option, json_option, moment, now_option, open_home, print_json, say
from pbem.cli.progress import progress

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.saved import SavedGame


@click.command()
@click.argument("home")
def init(home: str) -> None:
    """Make an empty home: a folder, or the database at postgresql://…."""
    from pbem.store.opening import make_store

    made = make_store(home)
    say(
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
    from pbem.host.demo import make_demo

    with progress("The sample games") as step:
        for shown in make_demo(folder, moment(now), jobs=os.cpu_count() or 1):
            step()
            say(f"{shown.game}: {shown.summary}")
            say(f"Reports: {shown.reports}")
            say("")
            for line in shown.text.splitlines()[:lines]:
                say(f"    | {line}")
            say("")
    program = "pbem" if shutil.which("pbem") else sys.argv[0]  # as it was typed: .venv/bin/pbem
    say(f"Look around in {folder}; name it after a command: {program} status --home {folder}")


@click.command()
@click.argument("name", required=False)
@click.option("--data", is_flag=True, help="Print the tables of these rules, to start your own from.")
@json_option
def rules(name: str | None, data: bool, as_json: bool) -> None:
    """List the rule systems: name, seats, version, origin.

    With NAME, those rules alone.
    """
    from pbem.play.registry import find, installed

    if data:
        if name is None:
            raise click.UsageError("Name the rules: pbem rules NAME --data.")
        system = find(name)
        if as_json:
            print_json(system.shipped_data())
        else:
            click.echo("\n".join(path.read_text(encoding="utf-8") for path in system.data_files), nl=False)
        return
    listed = (find(name),) if name is not None else installed()
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
            click.echo(f"{one.name:<20} broken: {one.problem} ({one.origin})")
        else:
            seats = one.system.seats
            count = f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}"
            click.echo(f"{one.name:<20} {count + ' seats':<12} version {one.system.version:<4} {one.origin}")


@click.command()
@click.argument("rules")
@click.argument("game", required=False)
@click.option(
    "--players",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A YAML file that says who sits where; it becomes the game's game.yaml.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the rules, or forced=true."
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
    rules: str,
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
    """Set a game up."""
    if example:
        click.echo(_example(rules, seats))
        return
    if game is None or players is None:
        raise click.UsageError(
            f"Say how the game is called and who plays: pbem new {rules} GAME --players FILE. "
            f"A file to fill in: pbem new {rules} --example > players.yaml"
        )
    if seats is not None:
        raise click.UsageError("--seats is for --example; of a game the players file says it.")
    from pbem.host.batch import run
    from pbem.play.gamefile import seated
    from pbem.play.newgame import new_game
    from pbem.store.interface import WAIT_SECONDS

    opened, at = open_home(home), moment(now)
    saved = new_game(opened, rules, game, players, settings_of(settings), now=at, data=data)
    ran = None
    if deal:
        ran = run(opened, game, now=at, deal=True, wait_seconds=WAIT_SECONDS)  # a worker may look at it
        if missing := [seat for seat in saved.start.seats if seat not in saved.table.luck]:
            hint(f"No luck words of {', '.join(missing)}: their share of the dice is the host's seed alone.")
    if as_json:
        from pbem.text.codec import encode

        print_json({**_made(game, saved), "ran": encode(ran) if ran else None})
        return
    say(f"{game}: {rules} for {', '.join(seated(s, n) for s, n in saved.table.players.items())}")
    if saved.start.own_tables:
        say(f"Tables of your own: {', '.join(saved.start.own_tables)}")
    say(f"Commitment to the dice seed: {saved.start.commitment}")
    for seat, key in _keys(saved).items():
        click.echo(f"Key of {seat}: {key}")
    say(
        ran.line()
        if ran
        else "The invitations with the start forms are in its reports; `pbem run` deals when all are in, "
        "`pbem run --deal` at once."
    )


def _keys(saved: SavedGame) -> dict[str, str]:
    """Return the key of each seat, if orders must carry one."""
    return {str(seat): key for seat, key in saved.secret.keys.items()} if saved.table.key else {}


def _made(game: str, saved: SavedGame) -> dict[str, Json]:
    """Return what a new game is, as data."""
    return {
        "game": game,
        "rules": saved.start.rules,
        "seats": {str(seat): name for seat, name in saved.table.players.items()},
        "own_tables": [*saved.start.own_tables],
        "commitment": saved.start.commitment,
        "keys": {**_keys(saved)},
    }


def _example(rules: str, seats: int | None) -> str:
    """Return a players file for so many seats, or for the most."""
    from pbem.play.exampletable import example_table
    from pbem.play.registry import find

    system = find(rules).system
    assert system is not None, "find returns no broken rules"
    if seats is not None and seats not in system.seats:
        raise click.BadParameter(f"{rules} is not played with {seats} seats.", param_hint="--seats")
    return example_table(rules, system.seat_names(seats or system.seats[-1]))


def settings_of(settings: tuple[str, ...]) -> dict[str, Json]:
    """Return `KEY=VALUE` settings; values are read as in orders: true, 26, text."""
    from pbem.text.strictyaml import YamlProblem, parse

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
