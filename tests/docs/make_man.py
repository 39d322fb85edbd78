"""Manual pages of all verbs, for those who package the program: `make man` writes them to build/man."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click_man.core import write_man_pages

from pbem import __version__
from pbem.cli.commands import cli
from pbem.cli.verbs import USE
from tests.verbs import COMMANDS


def write_pages(folder: Path) -> None:
    """Write the page of the program, and one for each verb, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    program = click.Group("pbem", commands=COMMANDS, params=cli.params, help=USE)
    write_man_pages("pbem", program, version=__version__, target_dir=str(folder))


if __name__ == "__main__":
    write_pages(Path(*sys.argv[1:] or ["build/man"]))
