"""The verbs that set things up: init, demo, rules."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shared.base import json_option, moment, now_option, print_json, say
from pbem.cli.shared.everywhere import hand_out, tell
from pbem.cli.shared.progress import progress

if TYPE_CHECKING:
    from pbem.core.interface import Json


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
    from pbem.host.office.demo import make_demo

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
    from pbem.play.config.registry import find, installed

    if data:
        if name is None:
            raise click.UsageError("Name the rules: pbem rules NAME --data.")
        system = find(name)
        if as_json:
            print_json(system.shipped_data())
        else:
            hand_out("\n".join(path.read_text(encoding="utf-8") for path in system.data_files))
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
            tell(f"{one.name:<20} broken: {one.problem} ({one.origin})")
        else:
            seats = one.system.seats
            count = f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else f"{seats[0]}"
            tell(f"{one.name:<20} {count + ' seats':<12} version {one.system.version:<4} {one.origin}")


def options_of(settings: tuple[str, ...]) -> dict[str, Json]:
    """Return `KEY=VALUE` settings; values are read as in orders: true, 26, text."""
    from pbem.text.yaml.strictyaml import YamlProblem, parse

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
