"""What may stand before a verb and after it: the home, quiet, and colours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import click

from pbem.cli.verbs import OPTIONS

if TYPE_CHECKING:
    from rich.console import Console

_HOME: Final = "pbem.home"
_QUIET: Final = "pbem.quiet"
_COLOUR: Final = "pbem.colour"


def everywhere() -> list[click.Parameter]:
    """Return the options that the program and each of its verbs take, but for `--home`."""
    said = dict(OPTIONS)
    return [
        _option("-q", "--quiet", help=said["-q, --quiet"], flag=True),
        _option("--color", "--colour", help=said["--color WHEN"].replace("; also --colour", ""), flag=False),
        _option("--no-color", "--no-colour", help=said["--no-color"], flag=True),
    ]


NAMES: Final = frozenset(["quiet", "color", "no_color"])
"""The names of these options, as a verb's parameters have them."""


def _option(*names: str, help: str, flag: bool) -> click.Option:
    choice = None if flag else click.Choice(["auto", "always", "never"])
    return click.Option(
        [*names],
        is_flag=flag,
        type=choice,
        metavar=None if flag else "WHEN",
        expose_value=False,
        callback=_keep,
        help=help,
    )


def _keep(context: click.Context, option: click.Parameter, value: str | bool | None) -> None:
    """Note what was asked for; it counts for the verb, wherever it stood."""
    if value and option.name == "quiet":
        context.meta[_QUIET] = True
    elif value:
        context.meta[_COLOUR] = "never" if option.name == "no_color" else value


def home_before(context: click.Context, _option: click.Parameter, home: str | None) -> None:
    """Note a home that was named before the verb."""
    if home is not None:
        context.meta[_HOME] = home


def home_named(context: click.Context, option: click.Parameter, home: str) -> str:
    """Return the home that counts: the one after the verb, the one before it, or that of the environment."""
    assert option.name
    source = context.get_parameter_source(option.name)
    after = source is click.core.ParameterSource.COMMANDLINE
    return home if after else str(context.meta.get(_HOME, home))


def is_quiet() -> bool:
    """Tell whether nothing but errors, and what was asked for, is to be printed."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def console(*, err: bool = False) -> Console:
    """Return what prints in colour, if there may be colours; without them nothing is bold either."""
    from rich.console import Console

    context = click.get_current_context(silent=True)
    when = context.meta.get(_COLOUR, "auto") if context else "auto"
    if when == "never" or (when == "auto" and os.environ.get("NO_COLOR")):
        return Console(stderr=err, highlight=False, markup=False, color_system=None)
    if when == "always":
        return Console(stderr=err, highlight=False, markup=False, force_terminal=True, no_color=False)
    return Console(stderr=err, highlight=False, markup=False)
