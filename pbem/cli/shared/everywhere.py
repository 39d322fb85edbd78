"""What may stand before a verb and after it: the home, quiet, and colours."""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from pbem.cli.verbs import OPTIONS

if TYPE_CHECKING:
    from rich.console import Console

    from pbem.play.homes.home import Home

F = TypeVar("F", bound=Callable[..., Any])

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


def again_option(verb: F) -> F:
    """Add `--again` to a verb that would act twice if it was cut off and is given again."""
    told = "Do it also if this very command was what was done last."
    return click.option("--again", is_flag=True, help=told)(verb)


@contextlib.contextmanager
def done_once(
    home: Home, game: str, command: Sequence[str], now: datetime.datetime, *, again: bool
) -> Iterator[Home]:
    """Give a home in which a command acts once; if it was what was done last, that is said instead.

    Who gives a command again that was cut off does not know whether it was done. It is known by its words,
    and by nothing having been done since.

    Args:
        home: The home.
        game: The game; or "" for a command that is about the whole home.
        command: The words of the command.
        now: The moment.
        again: Do it in any case.
    """
    from pbem.cli.shared.base import say
    from pbem.play.config.schedule import zone_of
    from pbem.play.homes.home import Home
    from pbem.store.errors import DoneBefore
    from pbem.store.journals.stamped import done_once

    try:
        yield home if again else Home(done_once(home.store, game, command, now))
    except DoneBefore as done:
        at = done.at.astimezone(zone_of(home.zone() or "UTC"))
        about = f"{game}: " if game else ""
        say(f"{about}this was done at {at:%Y-%m-%d %H:%M:%S %Z}, and nothing since. Once more: --again")


def tell(text: str, *, err: bool = False) -> None:
    """Print lines, which may have foreign words in them: a terminal shows them and obeys nothing."""
    from pbem.text.yaml.plaintext import printable

    click.echo(printable(text), err=err)


def hand_out(document: str | bytes) -> None:
    """Print a whole document as it is, for a file or a program; at a terminal it is shown as by `tell`."""
    from pbem.text.yaml.plaintext import printable

    if sys.stdout.isatty():
        document = printable(document.decode(errors="replace") if isinstance(document, bytes) else document)
    click.echo(document, nl=False)
