"""What the verbs share: the home, the clock, options, how results are printed; verbs that can be mailed."""

from __future__ import annotations

import contextlib
import datetime
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from pbem.cli.verbs import OPTIONS
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import OUR_FAULT, GateClosedError, RequestRefused, WrongInput, trace_of
from pbem.store.opening import open_store
from pbem.store.rests import home_display_name, read_closure, refuse_closed
from pbem.text.codec import dumps
from pbem.text.plaintext import make_printable

if TYPE_CHECKING:
    from rich.console import Console

    from pbem.core.interface import Json
    from pbem.play.homes.home import Home


class MailableVerb(click.Command):
    """A verb that can be mailed.

    Attributes:
        needs: So many of its arguments a mail must give.
        asks_first: Names of options with which it is done only when the moderator has said yes to it; its own
            name where that is always so.
        is_look: It changes nothing.
    """

    def __init__(
        self,
        *more: Any,
        needs: int = 1,
        asks_first: tuple[str, ...] = (),
        is_look: bool = False,
        **named: Any,
    ) -> None:
        super().__init__(*more, **named)
        self.needs, self.asks_first, self.is_look = needs, asks_first, is_look


class CommandMail(NamedTuple):
    """A mail that a verb is run for.

    Attributes:
        home: Where it is done.
        said: When it was asked for: days are read as they were meant then.
        is_tried: It is done in a copy: the turn that is made later has another root.
        printed: What the verb prints, which is the answer.
    """

    home: Home
    said: datetime.datetime
    is_tried: bool
    printed: list[str]


def current_mail() -> CommandMail | None:
    """Return the mail that the verb at work is run for; None at the keyboard."""
    context = click.get_current_context(silent=True)
    return context.find_object(CommandMail) if context is not None else None


F = TypeVar("F", bound=Callable[..., Any])
_HOME: Final = "pbem.home"
_QUIET: Final = "pbem.quiet"
_COLOUR: Final = "pbem.colour"


def global_options() -> list[click.Parameter]:
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
        callback=_note_output_option,
        help=help,
    )


def _note_output_option(context: click.Context, option: click.Parameter, value: str | bool | None) -> None:
    """Note what was asked for; it counts for the verb, wherever it stood."""
    if value and option.name == "quiet":
        context.meta[_QUIET] = True
    elif value:
        context.meta[_COLOUR] = "never" if option.name == "no_color" else value


def note_home_option(context: click.Context, _option: click.Parameter, home: str | None) -> None:
    """Note a home that was named before the verb."""
    if home is not None:
        context.meta[_HOME] = home


def resolve_home(context: click.Context, option: click.Parameter, home: str) -> str:
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


def print_text(text: str, *, err: bool = False) -> None:
    """Print lines, which may have foreign words in them: a terminal shows them and obeys nothing."""
    if (mail := current_mail()) is not None:
        mail.printed.append(text)
        return
    click.echo(make_printable(text), err=err)


def print_document(document: str | bytes) -> None:
    """Print a whole document as it is, for a file or a program; at a terminal it is shown as by `tell`."""
    if sys.stdout.isatty():
        document = make_printable(
            document.decode(errors="replace") if isinstance(document, bytes) else document
        )
    click.echo(document, nl=False)


def _refuse_file(context: click.Context, option: click.Parameter, home: str) -> str:
    """Return where a home is, if it may be there."""
    named = resolve_home(context, option, home)
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
        "--now",
        metavar="MOMENT",
        help="Take this for the present moment: 2026-12-01 20:00, tomorrow 9:00, +2d.",
    )(verb)


def moment(text: str | None) -> datetime.datetime:
    """Return the moment of `--now`, or the clock's; where it names no zone, the zone of the home is meant."""
    clock = datetime.datetime.now(datetime.UTC)
    if text is None:
        return clock
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        found = _read_moment(text, clock)
    if not 1970 <= found.year < 9000:  # deadlines are reckoned
        raise click.BadParameter(f"{text!r} is no moment that games are played at.", param_hint="--now")
    return found


def _read_moment(text: str, clock: datetime.datetime) -> datetime.datetime:
    from pbem.host.time.dates import EXAMPLES, read_when

    opened = click.get_current_context().meta.get(_OPENED)
    try:
        found = read_when(text, clock, (opened.zone() if opened is not None else "") or "UTC").at
    except RequestRefused as wrong:
        raise click.BadParameter(str(wrong), param_hint="--now") from None
    if found is None:
        raise click.BadParameter(f"{text!r} is a day without an hour. {EXAMPLES}", param_hint="--now")
    return found


_OPENED: Final = f"{__name__}.opened"
"""Where a command keeps the home that it has opened."""
LOOKING: Final = frozenset(
    (
        *("acts", "book", "check", "digest", "doctor", "form", "proof", "report", "seat", "show", "status"),
        *("verify", "home check", "home close", "home copy", "home get", "mailbox logout", "mailbox status"),
    )
)
"""The verbs that may be used in a home that was closed: they change nothing in it."""
_MOVING: Final = ("doctor", "home check", "home close", "home copy")
"""Those of them that need not tell it: they are for a move, or tell it in their own words."""


def open_home(where: str) -> Home:
    """Return the home of a command.

    Args:
        where: A folder, or the address of a database.

    Raises:
        HomeClosed: It was closed, and the command would change it.
    """
    if (mail := current_mail()) is not None:
        return mail.home
    from pbem.play.homes.home import Home

    opened, context = Home(open_store(where)), click.get_current_context()
    context.meta[_OPENED] = opened
    verb = context.command_path.partition(" ")[2]
    if verb not in LOOKING:
        refuse_closed(opened.store)
    elif verb not in _MOVING and (how := read_closure(opened.store)) is not None:
        print_hint(f"Note: {how.closure_text(home_display_name(opened.store))}; nothing is run in it.")
    return opened


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that a player was given or wrote; `-` is standard input.

    Raises:
        WrongInput: It cannot be read.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read()
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise WrongInput(f"{path} is no file.")
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise WrongInput(f"{path} cannot be read: {wrong.strerror}.") from None


def print_json(value: Json) -> None:
    """Print JSON to standard output."""
    print_document(dumps(value))


def print_unless_quiet(text: str) -> None:
    """Say what was done, on standard output; nothing with `--quiet`."""
    if not is_quiet():
        print_text(text)


def print_hint(text: str) -> None:
    """Say what may be of use to the person at the keyboard, on standard error; nothing with `--quiet`."""
    if not (is_quiet() or current_mail()):
        print_to_stderr(text)


def home_option_text(home: str) -> str:
    """Return what names a home in a command that is told; "" where it needs no name."""
    return "" if home in (".", os.environ.get("PBEM_HOME")) else f"--home {shlex.quote(home)}"


def print_next_step(home: str, words: str, what: str) -> None:
    """Name the next useful command to a person at a terminal; programs are told nothing.

    Args:
        home: The home of the command that was given.
        words: The next one, without `pbem`.
        what: What it does, as the end of the sentence.
    """
    if sys.stdout.isatty() and sys.stderr.isatty():
        print_hint(f"Next: {f'pbem {words} {home_option_text(home)}'.strip()}   # {what}")


def print_archive_hint(home: str) -> None:
    """Name, at the end of a game, the command that makes pages of it."""
    print_next_step(home, "archive site", "pages of your games; what is over shows all")


def print_to_stderr(text: str) -> None:
    """Say on standard error what must be known: what went wrong, and what became of it."""
    print_text(text, err=True)


def print_error(wrong: Exception, about: Path | None = None) -> int:
    """Say what went wrong, and what a bug report needs if it is a fault of ours; return its exit code.

    Args:
        wrong: What went wrong.
        about: The file of several that was at work, which a fault of ours does not name.
    """
    if isinstance(wrong, WrongInput):
        print_to_stderr(f"pbem: {wrong}")
        return wrong.exit_code
    if isinstance(wrong, GateClosedError):
        for reason in wrong.reasons:
            print_to_stderr(f"pbem: {reason}")
        return wrong.exit_code
    if isinstance(wrong, OSError):
        where = f" ({wrong.filename})" if wrong.filename else ""
        print_to_stderr(f"pbem: the disk refused: {wrong.strerror}{where}.")
        return WrongInput.exit_code

    print_to_stderr(trace_of(wrong))
    which = f"{about}: " if about else ""
    print_to_stderr(
        f"pbem: {which}this is a fault of pbem itself; `pbem status` and `pbem verify` tell what stands."
    )
    return OUR_FAULT


PATIENCE: Final = 2.0
"""Seconds in which nothing is shown."""


@contextlib.contextmanager
def progress(what: str, total: int | None = None, patience: float = PATIENCE) -> Iterator[Callable[[], None]]:
    """Show a bar while something takes its time, if somebody looks; with `--quiet` nobody does.

    Args:
        what: What is done, in a word or two.
        total: Of how many steps, if that is known; each call of what is yielded is one.
        patience: So many seconds nothing is shown.
    """
    if is_quiet() or current_mail() or not sys.stderr.isatty():
        yield lambda: None
        return

    from rich.progress import Progress

    aside = sys.stdout.isatty()  # what is printed meanwhile stands above the bar, but not what goes elsewhere
    bar = Progress(console=console(err=True), transient=True, redirect_stdout=aside)
    task = bar.add_task(what, total=total)
    waiting = Timer(patience, bar.start)
    waiting.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        waiting.cancel()
        waiting.join()
        bar.stop()


def write_file(path: Path, text: str) -> None:
    """Write a file into a folder that others may write into too; a link of its name is replaced.

    Raises:
        OSError: It cannot be written; what was there is as it was.
    """
    disk, beside = Disk(), path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    disk.write(beside, text.encode(), fresh=True)
    disk.rename(beside, path)


def write_picture(path: Path, picture: str, *, as_png: bool, none: str = "") -> None:
    """Write a picture into a file.

    Args:
        path: The file.
        picture: The picture as SVG, or "".
        as_png: Write it as PNG.
        none: What is said if there is no picture.

    Raises:
        WrongInput: There is none, or it cannot be drawn without the extra.
    """
    from pbem.play.reports.formpages import png

    if not picture:
        raise WrongInput(none)
    drawn = png(picture) if as_png else picture.encode()
    if drawn is None:
        raise WrongInput("PNG needs the extra png.", "Type: pip install 'pbem[png]'; or take SVG.")
    replace_file(Disk(), path, drawn)
    print_unless_quiet(f"{path}: {len(drawn):,} bytes.")
