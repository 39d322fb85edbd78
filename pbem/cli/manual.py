"""The verbs that show help and manual pages: help, man; pages made of what the help says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Final

import click

from pbem import __version__
from pbem.cli.base import NAMES, hand_out, say, tell
from pbem.cli.bymail import MailableVerb, mailed
from pbem.cli.verbs import EXITS, OPTIONS, USE, VERBS


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
    from pbem.cli.printing import write_file

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


_ENVIRONMENT = (
    ("PBEM_HOME", "The home, where --home does not say it."),
    ("NO_COLOR", "If it is set, nothing is printed in colour."),
)


def first_page() -> str:
    """Return the manual page of the program: pbem(1)."""
    lines = [_head("pbem"), ".SH NAME", *_named("pbem", USE)]
    lines += [".SH SYNOPSIS", ".B pbem", "[\\fIOPTIONS\\fR] \\fIVERB\\fR [\\fIARGUMENTS\\fR]"]
    lines += [".SH DESCRIPTION", *_words(f"{USE} Each verb has a manual page of its own.")]
    for title, *verbs in VERBS:
        lines.append(f".SS {_text(title)}")
        for name, _, words in verbs:
            lines += _item(f"pbem\\-{name}", words, "(1)")
    lines.append(".SH OPTIONS")
    for option, words in OPTIONS:
        lines += _item(_text(option), words)
    return "\n".join([*lines, *_end()]) + "\n"


def page_of(name: str, verb: click.Command, above: click.Context) -> str:
    """Return the manual page of a verb: pbem-NAME(1).

    Args:
        name: The name of the verb.
        verb: The verb.
        above: The program.
    """
    context = click.Context(verb, info_name=name, parent=above)
    first, rest = _parts(verb)
    lines = [_head(f"pbem-{name}"), ".SH NAME", *_named(f"pbem-{name}", first)]
    lines += [".SH SYNOPSIS", *_usage(context), ".SH DESCRIPTION", *_words(first), *_paragraphs(rest)]
    lines += [*_options(context, ".SH OPTIONS")]
    if isinstance(verb, click.Group):
        lines.append(".SH VERBS")
        for below, one in verb.commands.items():
            inner = click.Context(one, info_name=below, parent=context)
            lines += [f".SS {_text(f'{name} {below}')}", *_usage(inner), ".PP"]
            first, rest = _parts(one)
            lines += [*_words(first), *_paragraphs(rest), *_options(inner)]
    return "\n".join([*lines, *_end(), ".SH SEE ALSO", ".BR pbem (1)"]) + "\n"


def _head(name: str) -> str:
    return f'.TH {_text(name.upper())} 1 "" "pbem {__version__}" "The manual of pbem"'


def _named(name: str, words: str) -> list[str]:
    return wrap(f"{_text(name)} \\- {_text(words.rstrip('.'))}", 72, break_on_hyphens=False)


def _usage(context: click.Context) -> list[str]:
    pieces = context.command.collect_usage_pieces(context)
    return [f".B {_text(context.command_path)}", _text(" ".join(pieces))]


def _options(context: click.Context, heading: str = "") -> Iterator[str]:
    """Yield the options of a verb, but for those that all take, which stand in pbem(1)."""
    own = [one for one in context.command.get_params(context) if one.name not in NAMES]
    records = [record for one in own if (record := one.get_help_record(context)) and record[1]]
    yield from [heading] if heading else []
    for option, words in records:
        yield from _item(_text(option), words)
    if heading:
        yield from [".PP", "Those of all verbs are told in", ".BR pbem (1)."]


def _end() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, words in EXITS:
        yield from _item(str(code), words)
    yield ".SH ENVIRONMENT"
    for name, words in _ENVIRONMENT:
        yield from _item(name, words)


def _parts(verb: click.Command) -> tuple[str, list[str]]:
    """Return the first sentence of a verb's help, and its other paragraphs."""
    first, *rest = (" ".join(part.split()) for part in (verb.help or "").split("\n\n"))
    return first, [part for part in rest if part]


def _paragraphs(found: list[str]) -> Iterator[str]:
    for one in found:
        yield ".PP"
        yield from _words(one)


def _item(name: str, words: str, beside: str = "") -> list[str]:
    return [".TP", f"\\fB{name}\\fR{beside}", *_words(words)]


def _words(text: str) -> list[str]:
    """Return a text in short lines, each sentence on lines of its own; what stands in back quotes is bold."""
    escaped = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", _text(" ".join(text.split())))
    sentences = re.split(r"(?<=[.;:]) ", escaped)
    lines = [line for one in sentences for line in wrap(one, 72, break_on_hyphens=False)]
    return [f"\\&{line}" if line[0] in ".'" else line for line in lines]


def _text(text: str) -> str:
    """Return a text with what roff would take for its own made harmless."""
    return text.replace("\\", "\\e").replace("-", "\\-")


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
