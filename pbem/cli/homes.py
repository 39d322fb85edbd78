"""The verbs about a whole home: copied, compared, brought up to date, and the moderator's files in it."""

from __future__ import annotations

from typing import BinaryIO

import click

from pbem.cli.base import home_option, open_home


@click.group()
def home() -> None:
    """Move a whole home, compare two, bring one up to date, or change the moderator's files in it."""


@home.command("copy")
@click.argument("source")
@click.argument("target")
def home_copy(source: str, target: str) -> None:
    """Copy all of the home SOURCE into TARGET, which must be empty or not there; games may be running."""
    from pbem.play.home import Home
    from pbem.play.homecopy import copy_home
    from pbem.store.opening import make_store

    copied = copy_home(open_home(source), Home(make_store(target)))
    click.echo(f"{copied.games} games, {copied.files} files and {copied.rows} rows are there as they were.")


@home.command("check")
@click.argument("source")
@click.argument("target")
def home_check(source: str, target: str) -> int:
    """Say in what two homes differ; ends with 1 if they do."""
    from pbem.play.homecopy import differences

    found = differences(open_home(source), open_home(target))
    for one in found:
        click.echo(one)
    if not found:
        click.echo("The homes are the same.")
    return 1 if found else 0


@home.command("upgrade")
@home_option
def home_upgrade(home: str) -> None:
    """Bring a home in a database up to this pbem, after the package was upgraded; a folder needs nothing."""
    from pbem.store.opening import upgrade

    click.echo(upgrade(home))


@home.command("get")
@click.argument("name")
@home_option
def home_get(name: str, home: str) -> None:
    """Print a file of a home, such as home.yaml or games/GAME/game.yaml."""
    from pbem.play.ownfiles import get

    click.echo(get(open_home(home), name), nl=False)


@home.command("put")
@click.argument("name")
@click.argument("file", type=click.File("rb"))
@home_option
def home_put(name: str, file: BinaryIO, home: str) -> None:
    """Put a file of the moderator's into a home: home.yaml, games/GAME/game.yaml, or a template.

    It takes the place of the one that was there, once it was checked.
    """
    from pbem.play.ownfiles import put

    put(open_home(home), name, file.read())
    click.echo(f"{name} is in force.")
