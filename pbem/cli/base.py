"""What the verbs share: the home, the clock, and how results are printed."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.everywhere import home_named, is_quiet

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.host.heartbeat import Uptime
    from pbem.play.home import Home

F = TypeVar("F", bound=Callable[..., Any])


def _refuse_file(context: click.Context, option: click.Parameter, home: str) -> str:
    """Return where a home is, if it may be there."""
    named = home_named(context, option, home)
    if Path(named).is_file():
        raise click.BadParameter(f"{named!r} is a file.")
    return named


def home_option(verb: F) -> F:
    """Add `--home` to a verb."""
    return click.option(
        "--home",
        "home",
        metavar="HOME",
        callback=_refuse_file,
        default=".",
        envvar="PBEM_HOME",
        show_default=True,
        help="The home: the folder you work in, or postgresql://…; or $PBEM_HOME.",
    )(verb)


def json_option(verb: F) -> F:
    """Add `--json` to a verb."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(verb)


def now_option(verb: F) -> F:
    """Add `--now` to a verb: the only way a clock enters the program."""
    return click.option(
        "--now", metavar="MOMENT", help="Take this for the present moment (ISO 8601 with a zone)."
    )(verb)


def moment(text: str | None) -> datetime.datetime:
    """Return the moment of `--now`, or the clock's."""
    if text is None:
        return datetime.datetime.now(datetime.UTC)
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise click.BadParameter(f"{text!r} is no moment with a zone, such as 2026-12-01T20:00:00+01:00.")
    return found


def uptime_at(text: str | None) -> Uptime | None:
    """Return the machine's other clock, which knows nothing of a `--now`."""
    from pbem.host.heartbeat import uptime

    return uptime() if text is None else None


def open_home(where: str) -> Home:
    """Return the home of a command.

    Args:
        where: A folder, or the address of a database.
    """
    from pbem.play.home import Home
    from pbem.store.opening import open_store

    return Home(open_store(where))


def print_json(value: Json) -> None:
    """Print JSON to standard output."""
    from pbem.text.codec import dumps

    click.echo(dumps(value), nl=False)


def say(text: str) -> None:
    """Say what was done, on standard output; nothing with `--quiet`."""
    if not is_quiet():
        click.echo(text)


def hint(text: str) -> None:
    """Say what may be of use to the person at the keyboard, on standard error; nothing with `--quiet`."""
    if not is_quiet():
        talk(text)


def talk(text: str) -> None:
    """Say on standard error what must be known: what went wrong, and what became of it."""
    click.echo(text, err=True)
