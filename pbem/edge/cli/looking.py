"""The verbs to look with: archive."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.edge.cli.base import home_option, open_home, progress, talk


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@home_option
def archive(out: Path, home: Path) -> int:
    """Write the home's games as a site of pages that open from disk: the folder OUT, or what changed in it.

    Running games show what everybody may know. Players are named where `archive` in `home.yaml` or
    `game.yaml` says `names: true`; a game with `show: false` is left out.
    """
    from pbem.edge.archive.site import write_archive
    from pbem.edge.files import Disk

    opened = open_home(home)
    with progress(len(opened.games())) as step:
        found = write_archive(Disk(), opened, out, step)
    for name, why in found.aside.items():
        talk(f"{name}: set aside: {why}")
    if found.nameless:
        talk("Players are not named; `archive: {names: true}` in home.yaml or game.yaml names them.")
    click.echo(f"{out}: {found.line()}. Open {out / 'index.html'}.")
    return 1 if found.aside else 0
