"""What the verbs share: the home, the clock, options before and after a verb, how results are printed."""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from pbem.cli.bymail import mailed
from pbem.cli.verbs import OPTIONS
from pbem.core.events import Seat
from pbem.store.errors import OUR_FAULT, Declined, DoneBefore, GateClosedError, JournalRefused, WrongInput
from pbem.store.opening import open_store
from pbem.text.codec import dumps
from pbem.text.plaintext import printable

if TYPE_CHECKING:
    from rich.console import Console

    from pbem.core.interface import Json
    from pbem.host.office.watch import Uptime
    from pbem.host.run.batch import SetAside
    from pbem.play.homes.home import Home
    from pbem.play.turn.running import Ran


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
    from pbem.play.homes.home import Home
    from pbem.store.stamped import done_once

    try:
        yield home if again else Home(done_once(home.store, game, command, now))
    except DoneBefore as done:
        from pbem.play.config.schedule import zone_of  # few commands need it, and no shell does

        at = done.at.astimezone(zone_of(home.zone() or "UTC"))
        about = f"{game}: " if game else ""
        say(f"{about}this was done at {at:%Y-%m-%d %H:%M:%S %Z}, and nothing since. Once more: --again")


def tell(text: str, *, err: bool = False) -> None:
    """Print lines, which may have foreign words in them: a terminal shows them and obeys nothing."""
    if (mail := mailed()) is not None:
        mail.printed.append(text)
        return
    click.echo(printable(text), err=err)


def hand_out(document: str | bytes) -> None:
    """Print a whole document as it is, for a file or a program; at a terminal it is shown as by `tell`."""
    if sys.stdout.isatty():
        document = printable(document.decode(errors="replace") if isinstance(document, bytes) else document)
    click.echo(document, nl=False)


UNREAD: Final = (
    "What the folders know is told; whether a deadline was moved or the game was paused is not known."
)


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
        found = _moment_in_words(text, clock)
    if not 1970 <= found.year < 9000:  # deadlines are reckoned
        raise click.BadParameter(f"{text!r} is no moment that games are played at.", param_hint="--now")
    return found


def _moment_in_words(text: str, clock: datetime.datetime) -> datetime.datetime:
    from pbem.host.time.dates import EXAMPLES, read_when

    opened = click.get_current_context().meta.get(_OPENED)
    try:
        found = read_when(text, clock, (opened.zone() if opened is not None else "") or "UTC").at
    except Declined as wrong:
        raise click.BadParameter(str(wrong), param_hint="--now") from None
    if found is None:
        raise click.BadParameter(f"{text!r} is a day without an hour. {EXAMPLES}", param_hint="--now")
    return found


def uptime_at(text: str | None) -> Uptime | None:
    """Return the machine's other clock, which knows nothing of a `--now`."""
    from pbem.host.office.watch import uptime

    return uptime() if text is None else None


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
    if (mail := mailed()) is not None:
        return mail.home
    from pbem.play.homes.home import Home
    from pbem.store.rests import how_closed, named, refuse_closed

    opened, context = Home(open_store(where)), click.get_current_context()
    context.meta[_OPENED] = opened
    verb = context.command_path.partition(" ")[2]
    if verb not in LOOKING:
        refuse_closed(opened.store)
    elif verb not in _MOVING and (how := how_closed(opened.store)) is not None:
        hint(f"Note: {how.told(named(opened.store))}; nothing is run in it.")
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
    hand_out(dumps(value))


def due_now(home: Home, game: str, reader: str) -> str:
    """Return when orders are due, for a reader, if that was changed after the newest report; else ""."""
    from pbem.host.run.notes import notes_of
    from pbem.host.time.deadlines import moved_since_report
    from pbem.play.homes.saved import SavedGame

    notes = notes_of(home, game) if home.has(game) else None
    if notes is None or not notes.deadlines:
        return ""
    return moved_since_report(SavedGame(home, game), notes, Seat(reader))


def to_look_at(home: Home, game: str) -> Home:
    """Return a home to read a game of; if its journal is damaged, that is said, and the folders are read."""
    from pbem.host.run.notes import notes_of

    try:
        notes_of(home, game)
    except JournalRefused as wrong:
        talk(f"pbem: {wrong} {UNREAD}")
        return home.without_journal()
    return home


def say_what_changed(home: Home, game: str) -> None:
    """Say beside what is printed of a game that its moderator ended it, or has taken a turn back."""
    from pbem.host.run.notes import notes_of
    from pbem.host.time.deadlines import moved_since_report
    from pbem.play.homes.saved import SavedGame

    if not home.has(game):
        return
    notes = notes_of(home, game)
    if notes.cancelled is not None:
        hint(f"{game}: {notes.cancelled.told()}. No turn is run any more.")
    if notes.deadlines and (moved := moved_since_report(SavedGame(home, game), notes)):
        hint(f"{game}: the deadline was moved after this report was made. Orders are due {moved}.")
    say_what_is_gone(home, game)


def say_what_is_gone(home: Home, game: str) -> None:
    """Say beside what is printed of a game that its newest turn was taken back, or is lost."""
    from pbem.host.run.losses import is_to_run_again
    from pbem.play.homes.saved import SavedGame

    if not home.has(game):
        return
    saved = SavedGame(home, game)
    say_what_is_lost(home, game)
    if is_to_run_again(saved):
        told = f"turn {saved.turn + 1} was taken back. Its report does not count; it will be run again."
        hint(f"{game}: {told}")


def say_what_is_lost(home: Home, game: str) -> None:
    """Say beside what is printed of a game that turns of it are lost, which is for its moderator to mend."""
    from pbem.host.run.losses import lost_in_words

    for lost in lost_in_words(home, game) if home.has(game) else ():
        talk(lost)


def say(text: str) -> None:
    """Say what was done, on standard output; nothing with `--quiet`."""
    if not is_quiet():
        tell(text)


def hint(text: str) -> None:
    """Say what may be of use to the person at the keyboard, on standard error; nothing with `--quiet`."""
    if not (is_quiet() or mailed()):
        talk(text)


def home_words(home: str) -> str:
    """Return what names a home in a command that is told; "" where it needs no name."""
    import shlex

    return "" if home in (".", os.environ.get("PBEM_HOME")) else f"--home {shlex.quote(home)}"


def next_step(home: str, words: str, what: str) -> None:
    """Name the next useful command to a person at a terminal; programs are told nothing.

    Args:
        home: The home of the command that was given.
        words: The next one, without `pbem`.
        what: What it does, as the end of the sentence.
    """
    if sys.stdout.isatty() and sys.stderr.isatty():
        hint(f"Next: {f'pbem {words} {home_words(home)}'.strip()}   # {what}")


def tell_after_run(opened: Home, home: str, results: list[Ran | SetAside], *, due: bool) -> None:
    """Say what is to be done with turns that were made, or who is waited for; a night job needs no word.

    Args:
        opened: The home.
        home: Where it is, as it was given.
        results: What came of each game.
        due: Everything that is due was done already, mail too.
    """
    made = [one for one in results if getattr(one, "turn", None) is not None]
    over = [one for one in results if getattr(one, "outcome", None) is not None]
    if made and not due:
        if opened.mail_section():
            next_step(home, "send", "sends the reports")
        else:
            next_step(home, f"report {made[0].game} --all reports", "a folder of reports for each reader")
    elif len(over) < len(results):
        next_step(home, "status", "tells who is waited for, and until when")
    if over and (len(over) == len(results) or any(one in made for one in over)):
        next_archive(home)


def next_archive(home: str) -> None:
    """Name, at the end of a game, the command that makes pages of it."""
    next_step(home, "archive site", "pages of your games; what is over shows all")


def talk(text: str) -> None:
    """Say on standard error what must be known: what went wrong, and what became of it."""
    tell(text, err=True)


def say_wrong(wrong: Exception, about: Path | None = None) -> int:
    """Say what went wrong, and what a bug report needs if it is a fault of ours; return its exit code.

    Args:
        wrong: What went wrong.
        about: The file of several that was at work, which a fault of ours does not name.
    """
    if isinstance(wrong, WrongInput):
        talk(f"pbem: {wrong}")
        return wrong.exit_code
    if isinstance(wrong, GateClosedError):
        for reason in wrong.reasons:
            talk(f"pbem: {reason}")
        return wrong.exit_code
    if isinstance(wrong, OSError):
        where = f" ({wrong.filename})" if wrong.filename else ""
        talk(f"pbem: the disk refused: {wrong.strerror}{where}.")
        return WrongInput.exit_code

    import traceback

    talk("".join(traceback.format_exception(wrong)))
    which = f"{about}: " if about else ""
    talk(f"pbem: {which}this is a fault of pbem itself; `pbem status` and `pbem verify` tell what stands.")
    return OUR_FAULT
