"""Manual pages, made of what the help says: text for `man`, in the language roff."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

import click

from pbem import __version__
from pbem.cli.shared.everywhere import NAMES
from pbem.cli.verbs import EXITS, OPTIONS, USE, VERBS

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
