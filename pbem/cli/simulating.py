"""The verb that lets bots play: simulate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.games import options_of
from pbem.cli.shared.base import json_option, print_json
from pbem.cli.shared.everywhere import tell
from pbem.cli.shared.progress import progress
from pbem.cli.show import write_picture

if TYPE_CHECKING:
    from pbem.core.interface import Json


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
    from pbem.play.config.registry import find
    from pbem.play.config.templates import templates_of
    from pbem.play.turn.simulate import drawn
    from pbem.play.turn.simulate import simulate as play

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
        picture = drawn(found, rules, ", ".join(skills), templates_of(system))
        write_picture(plot, picture, as_png=plot.suffix == ".png")


def _print_statistics(found: dict[str, Json]) -> None:
    """Print each count on a line, the rows of a table under its title."""
    for title, value in found.items():
        if not isinstance(value, dict):
            tell(f"{title}: {value}")
            continue
        if not value:  # nothing to count, as places in turn order where all move together
            continue
        tell(f"{title}:")
        for row, count in value.items():
            said = ", ".join(f"{name} {n}" for name, n in count.items()) if isinstance(count, dict) else count
            tell(f"  {row}: {said}")
