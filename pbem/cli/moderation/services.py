"""The verbs that let a machine do what is due in a home: service, worker."""

from __future__ import annotations

import pwd
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import hint, home_option, open_home, say, talk, tell
from pbem.cli.moderation.mailed import MailedCommands
from pbem.host.office import units
from pbem.mail.account.settings import mail_settings, need_package
from pbem.store.errors import WrongInput
from pbem.store.opening import SCHEMES
from pbem.store.records import QUEUES

if TYPE_CHECKING:
    from pbem.play.homes.home import Home


def _is_name(_context: click.Context, _option: click.Parameter, name: str) -> str:
    if not name or set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-") or name.startswith("-"):
        raise click.BadParameter(f"{name!r} is no name: lower case letters, digits and hyphens.")
    return name


def _common(verb: Callable[..., None]) -> Callable[..., None]:
    """Add what both verbs take."""
    for option in (
        click.option("--yes", is_flag=True, help="Do not ask."),
        click.option(
            "--name", callback=_is_name, default="pbem", show_default=True, help="How the units are called."
        ),
        click.option("--user", is_flag=True, help="Units of your own, for which you need not be root."),
    ):
        verb = option(verb)
    return verb


@click.group()
def service() -> None:
    """Let systemd do what is due in a home.

    It writes the units for that, or takes them away.
    """


@service.command("install")
@click.option(
    "--every",
    type=click.Choice(["1", "2", "5", "10", "15", "30"]),
    default="5",
    show_default=True,
    help="Minutes between two looks at what is due.",
)
@click.option(
    "--lmtp", is_flag=True, help="Also write a unit that takes mail in by LMTP, and answers at once."
)
@click.option(
    "--watch", is_flag=True, help="Also write a unit that watches the mailbox, and answers at once."
)
@_common
@home_option
def service_install(user: bool, name: str, yes: bool, every: str, lmtp: bool, watch: bool, home: str) -> None:
    """Write units that do what is due every few minutes.

    The units run `pbem run --due`, and are shown first. With `--user` they are yours and run as you. Without
    it they are the machine's, and run as the owner of the home's folder. $SSL_CERT_FILE and $SSL_CERT_DIR
    stand in them as your shell has them. If you give the command again, the new units take the place of the
    old ones.
    """
    opened = open_home(home)
    opened.games()
    if home.startswith("postgres"):
        hint = "Write a unit that starts `pbem worker`, with the home in $PBEM_HOME and `Restart=always`."
        raise WrongInput("a home in a database is worked by `pbem worker`.", hint)
    if lmtp:
        _refuse_lmtp_without_its_package()
    if watch:
        _refuse_to_watch_nothing(opened)
    owner = "" if user else _owner(Path(home))
    program = (sys.executable, "-m", "pbem")
    shell = units.certificates()
    made = units.units_of(units.Wanted(name, Path(home), program, int(every), lmtp, watch, owner, shell))
    folder = units.folder_of_user() if user else units.SYSTEM
    show = say if yes else tell  # who is asked must see what about
    for unit, text in made.items():
        show(f"{folder / unit}:")
        show("".join(f"    {line}\n" for line in text.splitlines()))
    _ask("Write these files?", yes=yes)
    units.install(folder, made)
    say("They are written. Now type, to start them:")
    for command in units.commands([*made], is_user=user, starts=True):
        say(f"    {command}")
    _warn_of_passwords(opened)


@service.command("remove")
@_common
def service_remove(user: bool, name: str, yes: bool) -> None:
    """Take the units away that `pbem service install` wrote.

    They are named first.
    """
    folder = units.folder_of_user() if user else units.SYSTEM
    found = units.installed(folder, name)
    for path in found:
        (say if yes else tell)(str(path))
    _ask("Remove these files?", yes=yes)
    units.remove(found)
    say("They are gone. Now type, to stop what still runs:")
    for command in units.commands([one.name for one in found], is_user=user, starts=False):
        say(f"    {command}")


def _ask(question: str, *, yes: bool) -> None:
    """Ask whoever sits at the terminal; who cannot be asked must have said so."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("Nothing was changed. Say --yes where nobody can be asked.")
    click.confirm(question, abort=True)


def _owner(home: Path) -> str:
    """Return who owns the folder of a home."""
    number = home.stat().st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _refuse_lmtp_without_its_package() -> None:
    """Refuse to take mail in by LMTP where that cannot be done.

    Raises:
        WrongInput: The package aiosmtpd is missing.
    """
    if find_spec("aiosmtpd") is None:
        raise WrongInput("LMTP needs the package aiosmtpd.", command="pip install 'pbem[lmtp]'")


def _refuse_to_watch_nothing(home: Home) -> None:
    """Refuse to watch a mailbox where there is none, or where it cannot be done.

    Raises:
        WrongInput: It is so.
    """
    if mail_settings(home).imap is None:
        raise WrongInput("home.yaml names no mailbox (mail.imap) to watch.", "Leave --watch out.")
    need_package()


def _warn_of_passwords(home: Home) -> None:
    """Say that units do not see a password that stands in the environment of a shell."""
    if not home.mail_section():
        return
    settings = mail_settings(home)
    for login in (settings.imap.login if settings.imap else None, settings.smtp):
        if login is not None and login.user and login.password_file is None and login.oauth is None:
            way = f"name a password_file for {login.server} in home.yaml"
            talk(f"The units do not see ${login.variable}: {way}.")
    if settings.oauth is not None and not settings.oauth.file.exists():
        talk("Nobody has logged in to the mailbox yet. Type: pbem mailbox login")


@click.command()
@click.option(
    "--queue",
    "queues",
    multiple=True,
    type=click.Choice(QUEUES),
    help="Serve this queue of jobs only; may be given several times.  [default: all]",
)
@click.option(
    "--jobs", type=click.IntRange(1, 16), default=1, show_default=True, help="So many jobs at once."
)
@click.option(
    "--pages", type=click.Path(path_type=Path, file_okay=False), help="Keep the archive in this folder, too."
)
@click.option("--until-idle", is_flag=True, help="End when no job waits.")
@home_option
def worker(queues: tuple[str, ...], jobs: int, pages: Path | None, until_idle: bool, home: str) -> None:
    """Do what is due in a home in a database, on any machine.

    It works until it is told to end; start as many as you like. Workers process mails, run games at their
    deadlines or when all orders are in, and send reports, reminders and answers. Each job is done by one
    worker. SIGTERM ends a worker after the job at hand. If a worker is killed, another one does its job again
    half a minute later. Workers take no mail in: use `pbem lmtp` or `pbem receive`.
    """
    if not home.startswith(SCHEMES):
        way_out = "A folder is worked by a night job: pbem run --due. To move it: pbem home copy."
        raise WrongInput(f"{home} is no database, and only a home in a database has workers.", way_out)
    if pages is None and queues == ("pages",):
        raise click.UsageError("The queue of pages needs --pages.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until it does jobs, there is nothing to end
    hint("pbem works.")
    from pbem.work.worker import Worker

    Worker(home, talk, MailedCommands(), queues or QUEUES, pages, jobs, until_idle).work()
