"""The verbs that set things up or play by themselves: init, demo, rules, simulate."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import json_option, moment, now_option, print_json
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
    options = system.options(options_of(settings))
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


def options_of(settings: tuple[str, ...]) -> dict[str, Json]:
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
