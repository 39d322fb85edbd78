"""All commands as `--help` says them, as a page includes it: `python -m tests.docs.make_commands`."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from pathlib import Path

import click

from pbem.cli.base import NAMES
from pbem.cli.commands import cli
from tests.verbs import COMMANDS

PAGE = Path(__file__).parents[2] / "build" / "commands.md"


def page() -> str:
    """Return the page of commands as the program is now."""
    top = click.Context(cli, info_name="pbem", help_option_names=["-h", "--help"])
    parts = _command(cli, top, ())
    for name in sorted(COMMANDS):
        parts += _all_of(COMMANDS[name], click.Context(COMMANDS[name], info_name=name, parent=top))
    return "\n".join(parts)


def _all_of(command: click.Command, context: click.Context) -> list[str]:
    """Return what a verb says, and those below it."""
    parts = _command(command, context, NAMES)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            parts += _all_of(below, click.Context(below, info_name=name, parent=context))
    return parts


def _command(command: click.Command, context: click.Context, without: Collection[str]) -> list[str]:
    """Return the heading, the usage, the help and the options of a command, but for those of all verbs."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    params = [param for param in command.get_params(context) if param.name not in without]
    records = [param.get_help_record(context) for param in params]
    options = [f"- `{record[0]}`: {record[1]}" for record in records if record and record[1]]
    help_text = inspect.cleandoc(command.help or "")
    return [f"## {context.command_path}\n", f"`{usage}`\n", f"{help_text}\n", "\n".join(options) + "\n"]


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
