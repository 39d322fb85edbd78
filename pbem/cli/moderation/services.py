"""The verbs of what goes on by itself on a machine: service, worker, and a mailbox that is watched."""

from __future__ import annotations

import datetime
import pwd
import signal
import sys
import time
import webbrowser
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from pbem.cli.base import (
    home_option,
    json_option,
    open_home,
    print_hint,
    print_json,
    print_next_step,
    print_text,
    print_to_stderr,
    print_unless_quiet,
)
from pbem.cli.moderation.mailed import MailedCommands
from pbem.host.office import units
from pbem.mail.account.settings import OAuth, import_imap_tools, mail_settings
from pbem.mail.account.tokens import (
    RUN_OUT,
    LoginNeededError,
    NotReachedError,
    ProviderRefusalError,
    Token,
    forget_token,
    lock_token,
    read_token,
    require_oauth,
    revoke,
    save_token,
)
from pbem.play.homes.home import SETTINGS
from pbem.store.errors import WrongInput, error_in_words
from pbem.store.opening import SCHEMES
from pbem.store.records import QUEUES

if TYPE_CHECKING:
    from pbem.mail.account.granting import DeviceCode
    from pbem.play.homes.home import Home


def _is_name(_context: click.Context, _option: click.Parameter, name: str) -> str:
    if not name or set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-") or name.startswith("-"):
        raise click.BadParameter(f"{name!r} is no name: lower case letters, digits and hyphens.")
    return name


def _service_options(verb: Callable[..., None]) -> Callable[..., None]:
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
@_service_options
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
        way = "Write a unit that starts `pbem worker`, with the home in $PBEM_HOME and `Restart=always`."
        raise WrongInput("a home in a database is worked by `pbem worker`.", way)
    if lmtp:
        _refuse_lmtp_without_its_package()
    if watch:
        _refuse_to_watch_nothing(opened)
    owner = "" if user else _owner(Path(home))
    program = (sys.executable, "-m", "pbem")
    shell = units.certificates()
    made = units.unit_texts(
        units.UnitOptions(name, Path(home), program, int(every), lmtp, watch, owner, shell)
    )
    folder = units.folder_of_user() if user else units.SYSTEM
    show = print_unless_quiet if yes else print_text  # who is asked must see what about
    for unit, text in made.items():
        show(f"{folder / unit}:")
        show("".join(f"    {line}\n" for line in text.splitlines()))
    _ask("Write these files?", yes=yes)
    units.install(folder, made)
    print_unless_quiet("They are written. Now type, to start them:")
    for command in units.commands([*made], is_user=user, starts=True):
        print_unless_quiet(f"    {command}")
    _warn_of_passwords(opened)


@service.command("remove")
@_service_options
def service_remove(user: bool, name: str, yes: bool) -> None:
    """Take the units away that `pbem service install` wrote.

    They are named first.
    """
    folder = units.folder_of_user() if user else units.SYSTEM
    found = units.installed_units(folder, name)
    for path in found:
        (print_unless_quiet if yes else print_text)(str(path))
    _ask("Remove these files?", yes=yes)
    units.remove(found)
    print_unless_quiet("They are gone. Now type, to stop what still runs:")
    for command in units.commands([one.name for one in found], is_user=user, starts=False):
        print_unless_quiet(f"    {command}")


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
    import_imap_tools()


def _warn_of_passwords(home: Home) -> None:
    """Say that units do not see a password that stands in the environment of a shell."""
    if not home.mail_section():
        return
    settings = mail_settings(home)
    for login in (settings.imap.login if settings.imap else None, settings.smtp):
        if login is not None and login.user and login.password_file is None and login.oauth is None:
            way = f"name a password_file for {login.server} in home.yaml"
            print_to_stderr(f"The units do not see ${login.variable}: {way}.")
    if settings.oauth is not None and not settings.oauth.file.exists():
        print_to_stderr("Nobody has logged in to the mailbox yet. Type: pbem mailbox login")


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
    print_hint("pbem works.")
    from pbem.work.worker import Worker

    Worker(home, print_to_stderr, MailedCommands(), queues or QUEUES, pages, jobs, until_idle).work()


@click.group()
def mailbox() -> None:
    """Log in to a mailbox of a provider (OAuth 2), or watch it.

    Where the mailbox is, and whose, stands in `home.yaml`. A mailbox with a password needs no login.
    """


@mailbox.command("login")
@click.option("--browser", is_flag=True, help="Log in with a browser on this machine.")
@click.option("--device", is_flag=True, help="Log in on any other device, with a code.")
@click.option("--paste", is_flag=True, help="Log in with a browser elsewhere, and paste where it ended.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Where the browser is awaited.  [default: any that is free]",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser; the page is only named.")
@home_option
def mailbox_login(browser: bool, device: bool, paste: bool, port: int, no_open: bool, home: str) -> None:
    """Log in to the mailbox, and keep the token.

    The provider asks whether these games may read and send mail; pbem never sees your password. It is done
    with a code on another device where the provider has that, and else with a browser on this machine. Given
    again, the new login takes the place of the old.
    """
    if browser + device + paste > 1:
        raise click.UsageError("Give one of --browser, --device and --paste.")
    oauth = _oauth(home)
    provider = oauth.provider
    if device and not provider.device:
        raise WrongInput(f"{provider.name} has no login on another device for mail.", "Leave --device out.")
    if (browser or paste) and not provider.authorize:
        raise WrongInput(f"{provider.name} has no page that sends a browser back.", "Say --device.")
    require_oauth()
    from pbem.mail.account import granting  # it needs the library

    if paste:
        token = granting.log_in_by_pasting(
            oauth, _ask_for_address, _ask_again if sys.stdin.isatty() else None
        )
    elif browser or not (device or provider.device):
        token = granting.log_in_by_browser(oauth, port, lambda page: _show_page(page, opens=not no_open))
    else:
        begun = granting.request_device_code(oauth)
        _show_code(begun)
        token = granting.await_device(oauth, begun)
    with lock_token(oauth):
        save_token(oauth, token)
    print_unless_quiet(f"You are logged in. The token is in {oauth.file}, for you alone to read.")
    _warn_of_token(oauth, token)
    print_next_step(home, "doctor", "looks whether mail comes in and goes out")


@mailbox.command("status")
@json_option
@home_option
def mailbox_status(as_json: bool, home: str) -> int:
    """Tell whether one is logged in to the mailbox, and until when.

    Nobody is asked: `pbem doctor` tries the servers. It ends with 1 if a login is needed.
    """
    oauth = _oauth(home)
    problem, token = "", None
    try:
        token = _require_valid(read_token(oauth))
    except WrongInput as wrong:
        problem = error_in_words(wrong)
    if as_json:
        print_json(
            {
                "provider": oauth.provider.name,
                "client_id": oauth.client_id,
                "file": str(oauth.file),
                "logged_in": _moment_text(token.logged_in) if token else None,
                "until": _moment_text(token.expires) if token and token.expires else None,
                "renewable": bool(token and token.refresh),
                "scopes": [*token.scopes] if token else [],
                "problem": problem,
            }
        )
    elif token is None:
        print_to_stderr(f"pbem: {problem}")
    else:
        print_text(f"Logged in to {_provider_name(oauth)} since {_moment_text(token.logged_in)}.")
        until = f"until {_moment_text(token.expires)}" if token.expires else "for a time that is not known"
        then = "then it is renewed by itself" if token.refresh else "then you must log in again"
        print_text(f"The token in {oauth.file} holds {until}; {then}.")
        if token.scopes:
            print_text(f"It is good for: {' '.join(token.scopes)}")
    return 1 if token is None else 0


@mailbox.command("logout")
@click.option("--keep-grant", is_flag=True, help="Remove the token here only; the provider is not told.")
@home_option
def mailbox_logout(keep_grant: bool, home: str) -> None:
    """Log out of the mailbox: take the login back, and remove the token.

    Where a provider has no address for that, its account pages do: see the guide to hosting by mail.
    """
    oauth = _oauth(home)
    try:
        token = read_token(oauth)
    except WrongInput:
        token = None  # whatever it is, it is removed
    if token is not None and oauth.provider.revoke and not keep_grant:
        try:
            revoke(oauth, token)
        except (NotReachedError, ProviderRefusalError) as wrong:
            way = "The token is still here; --keep-grant removes it all the same."
            raise WrongInput(str(wrong), way) from None
    if not forget_token(oauth):
        print_unless_quiet("Nobody was logged in.")
        return
    print_unless_quiet(f"{oauth.file} is gone.")
    if token is None or not oauth.provider.revoke or keep_grant:
        print_unless_quiet("The provider was not told: take the access back on its account pages.")
    else:
        print_unless_quiet("The provider has taken the login back.")


@mailbox.command("watch")
@home_option
def mailbox_watch(home: str) -> None:
    """Take mail in as it comes, and answer at once.

    It keeps a line open to the mailbox (IMAP IDLE), and works until it is told to end. Mail is taken in,
    processed and answered as by `pbem receive` and `pbem send`; deadlines are for the night job all the same.
    A line that breaks is opened again. It needs no login where the mailbox has a password.
    """
    from pbem.mail.outgoing.delivery import StopSignals, Watcher

    opened = open_home(home)
    settings = mail_settings(opened)
    opened.games()
    if settings.imap is None:
        way = "Write below mail: `imap: {server: ..., user: ...}`."
        raise WrongInput(f"{opened.store.at(SETTINGS)} names no mailbox (mail.imap).", way)
    login = settings.imap.login
    Watcher(
        opened,
        settings.imap,
        lambda: datetime.datetime.now(datetime.UTC),
        print_to_stderr,
        print_hint,
        MailedCommands(),
        lambda: print_hint(f"pbem watches the mailbox of {login.user} at {login.server}."),
        StopSignals(),
    ).watch()


def _oauth(home: str) -> OAuth:
    """Return how a home logs in to its mailbox.

    Raises:
        WrongInput: It does so with a password, or not at all.
    """
    opened = open_home(home)
    oauth = mail_settings(opened).oauth
    if oauth is None:
        way = (
            "Write below mail: `oauth: {provider: google, client_id: ...}`, or `microsoft`, with the id that "
            "the provider gave you when you registered pbem there."
        )
        raise WrongInput(f"{opened.store.at(SETTINGS)} has no mail.oauth.", way)
    return oauth


def _show_page(page: str, *, opens: bool) -> None:
    """Show a person the page to log in on."""
    print_text(f"Log in on this page, with a browser on this machine:\n\n  {page}\n")
    if opens:
        webbrowser.open(page)


def _ask_for_address(page: str) -> str:
    """Ask where a browser ended."""
    print_text(f"Log in on this page, with any browser:\n\n  {page}\n")
    print_text("At the end it cannot open a page of this machine. Copy that page's address all the same.")
    found: str = click.prompt("The address", prompt_suffix=": ")
    return found


def _ask_again(wrong: str) -> str:
    """Ask once more where a browser ended."""
    print_to_stderr(f"pbem: {wrong}")
    found: str = click.prompt("The address", prompt_suffix=": ")
    return found


def _show_code(begun: DeviceCode) -> None:
    """Show a person what to type at another device."""
    print_text(f"On any device, open {begun.page} and type the code {begun.code}")
    if begun.whole:
        print_text(f"or open {begun.whole}")
    print_text(f"It can be typed for {begun.seconds / 60:.0f} minutes; pbem waits.")


def _warn_of_token(oauth: OAuth, token: Token) -> None:
    """Say in what a token falls short."""
    if not token.refresh:
        print_to_stderr(
            "The provider gave nothing to renew the token with: you will have to log in again soon."
        )
    granted = {one.rpartition("/")[2].casefold() for one in token.scopes}
    wanted = [one for one in oauth.provider.scopes if one != "offline_access"]
    lacking = [one for one in wanted if one.rpartition("/")[2].casefold() not in granted]
    if token.scopes and lacking:
        print_to_stderr(
            f"The provider did not grant {', '.join(lacking)}: see what you ticked, and log in again."
        )


def _require_valid(token: Token) -> Token:
    """Return a token that is good for something yet.

    Raises:
        LoginNeededError: It is not.
    """
    if token.ended or token.has_run_out(time.time()):
        raise LoginNeededError(token.ended or RUN_OUT)
    return token


def _provider_name(oauth: OAuth) -> str:
    """Return what a provider is called; one of which no name is known, by its server."""
    provider = oauth.provider
    return provider.name if provider.name != "other" else str(urlsplit(provider.token).hostname)


def _moment_text(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
