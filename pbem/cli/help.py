"""The verb that shows help: the page of a verb, the list of all, and the schema of a verb's JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from pbem.cli.base import hand_out, tell
from pbem.cli.bymail import MailableVerb, mailed

SCHEMAS: Final = Path(__file__).with_name("schemas")
"""Where the JSON schema of each verb lies that has `--json`."""


@click.command(cls=MailableVerb, needs=0, is_look=True)
@click.argument("words", nargs=-1, metavar="[VERB]...")
@click.option("--schema", is_flag=True, help="Print the JSON schema of what VERB --json prints.")
@click.pass_context
def help(context: click.Context, words: tuple[str, ...], schema: bool) -> None:
    """Show the page of a verb, or the list of all verbs."""
    if mailed():
        from pbem.cli.moderation.mailed import usages

        tell("\n".join(usages(words)))
        return
    assert context.parent is not None, "it is a verb of pbem"
    shown = _of(context.parent, words)
    if not schema:
        tell(shown.get_help())
        return
    file = SCHEMAS / f"{'-'.join(words)}.json"
    if not words or not file.exists():
        raise click.UsageError(f"{shown.command_path} prints no JSON.")
    hand_out(file.read_text(encoding="utf-8"))


def _of(above: click.Context, words: tuple[str, ...]) -> click.Context:
    """Return the context of a verb, named by one word or, below another verb, by two.

    Raises:
        click.UsageError: There is none.
    """
    if not words:
        return above
    if not isinstance(above.command, click.Group):
        raise click.UsageError(f"{above.command_path} has no verbs of its own.", ctx=above)
    _, command, _ = above.command.resolve_command(above, [words[0]])
    assert command is not None, "or it was refused"
    return _of(click.Context(command, info_name=words[0], parent=above), words[1:])
