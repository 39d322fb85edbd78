"""The verb that shows and writes manual pages: man."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click

from pbem.cli.shared.base import say
from pbem.cli.shared.everywhere import hand_out


@click.command()
@click.argument("verb", required=False)
@click.option(
    "--write",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all pages into this folder, such as ~/.local/share/man.",
)
@click.pass_context
def man(context: click.Context, verb: str | None, folder: Path | None) -> None:
    """Show a manual page, print it, or write all of them.

    On a terminal the program `man` shows the page of VERB. Elsewhere it is printed as `man` reads it.
    """
    assert context.parent is not None, "it is a verb of pbem"
    if folder is None:
        _show(_page(context.parent, verb))
        return
    from pbem.cli.shared.writing import write_file

    if verb is not None:
        raise click.UsageError("--write writes all pages: name no verb.")
    names = [None, *_program(context.parent).list_commands(context.parent)]
    (folder / "man1").mkdir(parents=True, exist_ok=True)
    for name in names:
        file = folder / "man1" / ("pbem.1" if name is None else f"pbem-{name}.1")
        write_file(file, _page(context.parent, name))
    say(f"{folder / 'man1'}: {len(names)} pages. Read the first: man -M {folder} pbem")


def _program(above: click.Context) -> click.Group:
    assert isinstance(above.command, click.Group), "verbs stand below it"
    return above.command


def _page(above: click.Context, verb: str | None) -> str:
    """Return the page of a verb, or of the program.

    Raises:
        click.UsageError: There is no such verb.
    """
    from pbem.cli.shared.roff import first_page, page_of

    if verb is None:
        return first_page()
    _, command, _ = _program(above).resolve_command(above, [verb])
    assert command is not None, "or it was refused"
    return page_of(verb, command, above)


def _show(page: str) -> None:
    """Show a page to a person at a terminal, or print it."""
    if sys.stdout.isatty() and (program := shutil.which("man")):
        subprocess.run([program, "-l", "-"], input=page.encode(), check=False)
    else:
        hand_out(page)
