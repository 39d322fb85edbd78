"""The page of commands, written from what `--help` says: `python -m tests.docs.make_commands`."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from pathlib import Path

import click

from pbem.cli.base import NAMES
from pbem.cli.commands import cli
from pbem.cli.verbs import EXITS, names

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"

COMMANDS = {name: command for name in names() if (command := cli.get_command(click.Context(cli), name))}
"""All verbs, loaded."""

_HEAD = """\
# Commands

Every command of `pbem`, with its arguments and options. [Run a game](moderator.md) shows how the
commands are used together. `pbem help VERB` shows the page of one command. `make docs` writes this page
from the program.

Standard output gets the facts that you asked for; hints go to standard error. A reader who leaves early, as
`head` does, stops nothing: a command does all that it was asked.

## What a command ends with

"""

_JSON = """\
## JSON

Verbs that print facts take `--json`. Each has a JSON schema (draft 2020-12) of what it prints then, which
`pbem help --schema VERB` prints. The schemas lie in the package, in `pbem/cli/schemas`. Fields may be added
in later versions; none changes its meaning or goes away without a word in the changelog.

"""


def page() -> str:
    """Return the page of commands as the program is now."""
    top = click.Context(cli, info_name="pbem", help_option_names=["-h", "--help"])
    codes = [f"| {code} | {words} |\n" for code, words in EXITS]
    head = f"{_HEAD}| code | what it means |\n|---|---|\n{''.join(codes)}\n{_JSON.rstrip()}\n"
    parts = [head, *_command(cli, top, ())]
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
    PAGE.write_text(page(), encoding="utf-8")
