"""The verbs about a whole home: copied, compared, brought up to date, mended, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from pbem.cli.base import home_option, open_home


@click.group()
def home() -> None:
    """Move a home, compare two, bring one up to date, mend its journal, or change its files."""


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


@home.command("salvage")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@home_option
def home_salvage(file: Path, home: str) -> None:
    """Take over what can be read of FILE, a damaged journal, into the home's new and empty one."""
    from pbem.store.salvage import salvage

    done = salvage(open_home(home).store, file)
    click.echo(f"{done.rows} rows of the journal could be read, and are there again.")
    if done.broken:
        click.echo(f"Some are lost of: {', '.join(done.broken)}. {file} stays as it is.")


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
