"""All verbs of the command line, loaded."""

from __future__ import annotations

from typing import Final

import click

from pbem.cli.commands import cli
from pbem.cli.verbs import names

COMMANDS: Final = {
    name: command for name in names() if (command := cli.get_command(click.Context(cli), name))
}
"""Each verb by its name."""
