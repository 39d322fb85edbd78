"""The verbs about a mailbox at a provider: mailbox login, status, logout, watch."""

from __future__ import annotations

import datetime
import sys
import time
import webbrowser
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from pbem.cli.base import hint as hint_line
from pbem.cli.base import home_option, json_option, next_step, open_home, print_json, say, talk, tell
from pbem.cli.moderation.mailed import MailedCommands
from pbem.mail.account.settings import OAuth, mail_settings
from pbem.mail.account.tokens import (
    RUN_OUT,
    DeclinedError,
    LoginNeededError,
    NotReachedError,
    Token,
    alone,
    forget_token,
    keep_token,
    need_library,
    read_token,
    revoke,
)
from pbem.play.homes.home import SETTINGS
from pbem.store.errors import WrongInput, told_in_words

if TYPE_CHECKING:
    from pbem.mail.account.granting import DeviceCode


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
    need_library()
    from pbem.mail.account import granting  # it needs the library

    if paste:
        token = granting.by_pasting(oauth, _ask_for_address, _ask_again if sys.stdin.isatty() else None)
    elif browser or not (device or provider.device):
        token = granting.by_browser(oauth, port, lambda page: _show_page(page, opens=not no_open))
    else:
        begun = granting.begin_on_device(oauth)
        _show_code(begun)
        token = granting.await_device(oauth, begun)
    with alone(oauth):
        keep_token(oauth, token)
    say(f"You are logged in. The token is in {oauth.file}, for you alone to read.")
    _warn(oauth, token)
    next_step(home, "doctor", "looks whether mail comes in and goes out")


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
        token = _holding(read_token(oauth))
    except WrongInput as wrong:
        problem = told_in_words(wrong)
    if as_json:
        print_json(
            {
                "provider": oauth.provider.name,
                "client_id": oauth.client_id,
                "file": str(oauth.file),
                "logged_in": _moment(token.logged_in) if token else None,
                "until": _moment(token.expires) if token and token.expires else None,
                "renewable": bool(token and token.refresh),
                "scopes": [*token.scopes] if token else [],
                "problem": problem,
            }
        )
    elif token is None:
        talk(f"pbem: {problem}")
    else:
        tell(f"Logged in to {_spelled(oauth)} since {_moment(token.logged_in)}.")
        until = f"until {_moment(token.expires)}" if token.expires else "for a time that is not known"
        then = "then it is renewed by itself" if token.refresh else "then you must log in again"
        tell(f"The token in {oauth.file} holds {until}; {then}.")
        if token.scopes:
            tell(f"It is good for: {' '.join(token.scopes)}")
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
        except (NotReachedError, DeclinedError) as wrong:
            hint = "The token is still here; --keep-grant removes it all the same."
            raise WrongInput(str(wrong), hint) from None
    if not forget_token(oauth):
        say("Nobody was logged in.")
        return
    say(f"{oauth.file} is gone.")
    if token is None or not oauth.provider.revoke or keep_grant:
        say("The provider was not told: take the access back on its account pages.")
    else:
        say("The provider has taken the login back.")


@mailbox.command("watch")
@home_option
def mailbox_watch(home: str) -> None:
    """Take mail in as it comes, and answer at once.

    It keeps a line open to the mailbox (IMAP IDLE), and works until it is told to end. Mail is taken in,
    processed and answered as by `pbem receive` and `pbem send`; deadlines are for the night job all the same.
    A line that breaks is opened again. It needs no login where the mailbox has a password.
    """
    from pbem.mail.outgoing.delivery import Ending, Watcher

    opened = open_home(home)
    settings = mail_settings(opened)
    opened.games()
    if settings.imap is None:
        hint = "Write below mail: `imap: {server: ..., user: ...}`."
        raise WrongInput(f"{opened.store.at(SETTINGS)} names no mailbox (mail.imap).", hint)
    login = settings.imap.login
    Watcher(
        opened,
        settings.imap,
        lambda: datetime.datetime.now(datetime.UTC),
        talk,
        hint_line,
        MailedCommands(),
        lambda: hint_line(f"pbem watches the mailbox of {login.user} at {login.server}."),
        Ending(),
    ).watch()


def _oauth(home: str) -> OAuth:
    """Return how a home logs in to its mailbox.

    Raises:
        WrongInput: It does so with a password, or not at all.
    """
    opened = open_home(home)
    oauth = mail_settings(opened).oauth
    if oauth is None:
        hint = (
            "Write below mail: `oauth: {provider: google, client_id: ...}`, or `microsoft`, with the id that "
            "the provider gave you when you registered pbem there."
        )
        raise WrongInput(f"{opened.store.at(SETTINGS)} has no mail.oauth.", hint)
    return oauth


def _show_page(page: str, *, opens: bool) -> None:
    """Show a person the page to log in on."""
    tell(f"Log in on this page, with a browser on this machine:\n\n  {page}\n")
    if opens:
        webbrowser.open(page)


def _ask_for_address(page: str) -> str:
    """Ask where a browser ended."""
    tell(f"Log in on this page, with any browser:\n\n  {page}\n")
    tell("At the end it cannot open a page of this machine. Copy that page's address all the same.")
    found: str = click.prompt("The address", prompt_suffix=": ")
    return found


def _ask_again(wrong: str) -> str:
    """Ask once more where a browser ended."""
    talk(f"pbem: {wrong}")
    found: str = click.prompt("The address", prompt_suffix=": ")
    return found


def _show_code(begun: DeviceCode) -> None:
    """Show a person what to type at another device."""
    tell(f"On any device, open {begun.page} and type the code {begun.code}")
    if begun.whole:
        tell(f"or open {begun.whole}")
    tell(f"It can be typed for {begun.seconds / 60:.0f} minutes; pbem waits.")


def _warn(oauth: OAuth, token: Token) -> None:
    """Say in what a token falls short."""
    if not token.refresh:
        talk("The provider gave nothing to renew the token with: you will have to log in again soon.")
    granted = {one.rpartition("/")[2].casefold() for one in token.scopes}
    wanted = [one for one in oauth.provider.scopes if one != "offline_access"]
    lacking = [one for one in wanted if one.rpartition("/")[2].casefold() not in granted]
    if token.scopes and lacking:
        talk(f"The provider did not grant {', '.join(lacking)}: see what you ticked, and log in again.")


def _holding(token: Token) -> Token:
    """Return a token that is good for something yet.

    Raises:
        LoginNeededError: It is not.
    """
    if token.ended or token.has_run_out(time.time()):
        raise LoginNeededError(token.ended or RUN_OUT)
    return token


def _spelled(oauth: OAuth) -> str:
    """Return what a provider is called; one of which no name is known, by its server."""
    provider = oauth.provider
    return provider.name if provider.name != "other" else str(urlsplit(provider.token).hostname)


def _moment(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
