"""The page of commands, written from what `--help` says: `python -m tests.docs.make_commands`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.commands import cli
from pbem.cli.verbs import names

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"

COMMANDS = {name: command for name in names() if (command := cli.get_command(click.Context(cli), name))}
"""All verbs, loaded."""

_HEAD = """\
# Commands

Every command of `pbem` with all it takes, as its `--help` says it. `make docs` writes this page from the
program, and a test compares the two. How the commands are used together is in the
[moderator's guide](moderator.md).

What is printed on standard output is data; talk goes to standard error.
"""


def page() -> str:
    """Return the page of commands as the program is now."""
    top = click.Context(cli, info_name="pbem", help_option_names=["-h", "--help"])
    parts = [_HEAD, f"{cli.epilog}\n", *_command(cli, top)]
    for name in sorted(COMMANDS):
        parts += _command(COMMANDS[name], click.Context(COMMANDS[name], info_name=name, parent=top))
    return "\n".join(parts)


def _command(command: click.Command, context: click.Context) -> list[str]:
    """Return the heading, the usage, the help and the options of a command."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    records = [param.get_help_record(context) for param in command.get_params(context)]
    options = [f"- `{record[0]}`: {record[1]}" for record in records if record and record[1]]
    return [f"## {context.command_path}\n", f"`{usage}`\n", f"{command.help}\n", "\n".join(options) + "\n"]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
