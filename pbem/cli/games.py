"""The verbs that set things up or play by themselves: init, demo, rules, new, simulate."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import home_option, json_option, moment, now_option, open_home, print_json, talk
from pbem.cli.show import write_picture

if TYPE_CHECKING:
    from pbem.core.interface import Json


@click.command()
@click.argument("home")
def init(home: str) -> None:
    """Make an empty home: a folder to work in, or the database at postgresql://…."""
    from pbem.store.opening import make_store

    made = make_store(home)
    click.echo(
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

    for shown in make_demo(folder, moment(now), jobs=os.cpu_count() or 1):
        click.echo(f"{shown.game}: {shown.summary}")
        click.echo(f"Reports: {shown.reports}")
        click.echo("")
        for line in shown.text.splitlines()[:lines]:
            click.echo(f"    | {line}")
        click.echo("")
    program = "pbem" if shutil.which("pbem") else sys.argv[0]  # as it was typed: .venv/bin/pbem
    click.echo(f"Look around in {folder}; name it after a command: {program} status --home {folder}")


@click.command()
@click.argument("name", required=False)
@click.option("--data", is_flag=True, help="Print the tables of these rules, to start your own from.")
@json_option
def rules(name: str | None, data: bool, as_json: bool) -> None:
    """List the rule systems: name, seats, version, origin; or only those named."""
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
    saved = new_game(opened, rules, game, players, _options(settings), now=at, data=data)
    click.echo(f"{game}: {rules} for {', '.join(seated(s, n) for s, n in saved.table.players.items())}")
    if saved.start.sealed:
        click.echo("Luck words are sealed: each start form may bring a seal, and all are opened together.")
    if saved.start.own_tables:
        click.echo(f"Tables of your own: {', '.join(saved.start.own_tables)}")
    click.echo(f"Commitment to the dice seed: {saved.start.commitment}")
    if saved.table.key:
        for seat, key in saved.secret.keys.items():
            click.echo(f"Key of {seat}: {key}")
    if deal:
        ran = run(opened, game, now=at, deal=True, wait_seconds=WAIT_SECONDS)  # a worker may look at it
        if missing := [seat for seat in saved.start.seats if seat not in saved.table.luck]:
            talk(f"No luck words of {', '.join(missing)}: their share of the dice is the host's seed alone.")
        click.echo(ran.line())
    else:
        click.echo(
            "The invitations with the start forms are in its reports; `pbem run` deals when all are in, "
            "`pbem run --deal` at once."
        )


def _example(rules: str, seats: int | None) -> str:
    """Return a players file for so many seats, or for the most."""
    from pbem.play.exampletable import example_table
    from pbem.play.registry import find

    system = find(rules).system
    assert system is not None, "find returns no broken rules"
    if seats is not None and seats not in system.seats:
        raise click.BadParameter(f"{rules} is not played with {seats} seats.", param_hint="--seats")
    return example_table(rules, system.seat_names(seats or system.seats[-1]))


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
    """Let bots play games, and print lengths, points, endings, tie-breaks, wins, and what the rules count."""
    from pbem.play.registry import find
    from pbem.play.simulate import drawn
    from pbem.play.simulate import simulate as play
    from pbem.play.templates import templates_of

    system = find(rules)
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
    options = system.options(_options(settings))
    names = system.system.seat_names(count)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(rules, total=games)
        found = play(
            loaded,
            names,
            options,
            skills,
            games,
            seed,
            lambda n: bar.update(task, completed=n),
            system.system.tally,
            system.takes,
        )
    if as_json:
        print_json(found.as_json())
    else:
        _print_statistics(found.as_json())
    if plot is not None:
        picture = drawn(found, rules, ", ".join(skills), templates_of(system))
        write_picture(plot, picture, as_png=plot.suffix == ".png")


def _print_statistics(found: dict[str, Json]) -> None:
    """Print each count on a line, the rows of a table under its title."""
    for title, value in found.items():
        if not isinstance(value, dict):
            click.echo(f"{title}: {value}")
            continue
        if not value:  # nothing to count, as places in turn order where all move together
            continue
        click.echo(f"{title}:")
        for row, count in value.items():
            said = ", ".join(f"{name} {n}" for name, n in count.items()) if isinstance(count, dict) else count
            click.echo(f"  {row}: {said}")


def _options(settings: tuple[str, ...]) -> dict[str, Json]:
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
