"""The verbs about a whole home: copied, compared, mended, its files, its services and its workers."""

from __future__ import annotations

import pwd
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from pbem.cli.base import (
    again_option,
    done_once,
    hand_out,
    hint,
    home_option,
    home_words,
    json_option,
    moment,
    next_step,
    now_option,
    open_home,
    print_json,
    say,
    talk,
    tell,
)
from pbem.cli.printing import progress
from pbem.store.errors import WrongInput
from pbem.store.opening import SCHEMES, make_store, upgrade
from pbem.text.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.homes.home import Home


@click.group()
def home() -> None:
    """Move, compare, upgrade or mend a home, or change its files."""


@home.command("copy")
@click.argument("source")
@click.argument("target")
@json_option
def home_copy(source: str, target: str, as_json: bool) -> None:
    """Copy all of a home into another, which must be empty.

    TARGET need not be there yet. Games of SOURCE may be running.
    """
    from pbem.play.homes.home import Home
    from pbem.play.homes.upkeep import copy_home
    from pbem.store.rests import how_closed

    old, new = open_home(source), Home(make_store(target))
    with progress("Games", 2 * len(old.games())) as step:  # each is compared afterwards
        copied = copy_home(old, new, step)
    if as_json:
        print_json(encode(copied))
        return
    what = (("game", copied.games), ("file", copied.files), ("row", copied.rows))
    games, files, rows = (f"{count} {one}{'s' * (count != 1)}" for one, count in what)
    say(f"{games}, {files} and {rows} are there as they were.")
    if how_closed(old.store) is None:
        next_step(source, "home close", "if the copy takes its place: both homes are open now")
    else:
        hint("The copy is open: its games are to run on one machine only.")


@home.command("check")
@click.argument("source")
@click.argument("target")
@json_option
def home_check(source: str, target: str, as_json: bool) -> int:
    """Say how two homes differ; ends with 1 if they do."""
    from pbem.play.homes.upkeep import differences

    with progress("Games") as step:
        found = differences(open_home(source), open_home(target), step)
    if as_json:
        print_json([*found])
        return 1 if found else 0
    for one in found:
        tell(one)
    if not found:
        say("The homes are the same.")
    return 1 if found else 0


@home.command("close")
@click.option("--why", default="", metavar="TEXT", help="Where it went; whoever tries to use it is told.")
@click.option("--reopen", is_flag=True, help="Let it be used again.")
@now_option
@home_option
def home_close(why: str, reopen: bool, now: str | None, home: str) -> None:
    """Close a home that moves to another machine.

    From then on no command changes it: no turn is run, no mail is taken in or sent. A night job that was
    forgotten does no harm. You can still look at it and copy it; what `pbem home copy` makes is open.
    """
    from pbem.play.homes.upkeep import close
    from pbem.play.homes.upkeep import reopen as reopen_home
    from pbem.store.rests import named

    opened = open_home(home)
    if reopen and why:
        raise click.UsageError("--why tells why it is closed: leave it out with --reopen.")
    if reopen:
        reopen_home(opened)
        say(f"{named(opened.store)} is open again. Make sure that no other machine runs its games.")
        return
    close(opened, why, moment(now))
    say(f"{named(opened.store)} is closed: nothing is changed in it any more.")
    say(f"Let it be used again: pbem home close --reopen {home_words(home)}".rstrip())


@home.command("upgrade")
@home_option
def home_upgrade(home: str) -> None:
    """Bring a home in a database up to this pbem.

    Do this after each upgrade of pbem. A home in a folder needs nothing. Templates that you have changed are
    tried out: those that fail with this pbem are named.
    """
    from pbem.doctor.games import faults_of_templates

    say(upgrade(home))
    for fault in faults_of_templates(open_home(home)):
        talk(f"A template of this home fails, and the shipped one takes its place: {fault}")


@home.command("salvage")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@home_option
def home_salvage(file: Path, home: str) -> None:
    """Copy what can be read of a damaged journal into a new one.

    FILE is the damaged journal, also one that was cut off. What could not be read is told for each table.
    The journal is the file `mail/mail.db` of a home. No game is lost with it: turns, orders and settings are
    files of their own.

    First stop the night job. Copy the folder `mail`, and see that the disk is neither full nor failing.

    With a backup you need no `pbem home salvage`. Delete `mail.db` and the files beside it whose names begin
    so. Put `mail.db` of the backup in their place.

    Without a backup, rename `mail.db` to `damaged.db`. If a file is there that ends in `wal`, rename it too.
    Delete the one that ends in `shm`. Then type `pbem home salvage damaged.db`. The damaged file stays as it
    is. If no row can be read, go on without: the next command makes an empty journal.

    Then give again what the journal knows no longer: `pbem pause`, `extend`, `away`, `hold`. Games that
    you had ended stay so; but look at those that an older pbem ended, and `pbem cancel` them again. If you
    play by mail, renew each secret that you had renewed: `pbem seat --new-secret`. Take the newest mails of
    `mail/raw` in again: `pbem receive --stdin < FILE`. `pbem status`, `acts` and `digest` show how things
    stand. Start the night job last.
    """
    from pbem.store.salvage import MAILS, salvage

    opened = open_home(home)
    done = salvage(opened.store, file)
    say(f"{done.rows} rows of the journal could be read, and are there again.")
    for table, lost in done.lost.items():
        if table not in MAILS or opened.mail_section():
            tell(f"Lost of {table}: {lost}.")
    if done.lost:
        hint(f"{file} stays as it is.")


@home.command("mend")
@click.argument("game")
@home_option
def home_mend(game: str, home: str) -> int:
    """Put damaged files of a game's turns back, without a backup.

    `pbem verify` names what is damaged. What the rules make is made again: the turn is played once more, with
    the orders and the dice that it had. Orders are looked for where else they are kept. A file is written
    only if it comes out to the byte as the record of its turn says: roots, reports and results stay.

    What is still damaged then is named, with what to do without a backup. It ends with 1 if there is any.
    """
    from pbem.host.run.losses import lost_in_words, without_backup
    from pbem.play.homes.verify import put_back

    opened = open_home(home)
    done, lost = put_back(opened, game), lost_in_words(opened, game)
    for name in done.files:
        tell(f"{game}/{name}: put back as it was")
    for one in done.left:
        end = "delete it" if one.is_stray else "it cannot be made again"
        tell(f"{game}/{one.place}: {one.text}; {end}")
    for told in lost:
        tell(told)
    if not done.files:
        is_whole = not (done.left or lost)
        say(f"{game}: {'no file of its turns is damaged' if is_whole else 'nothing was put back'}.")
    if left := [one for one in done.left if not one.is_stray]:
        hint(f"Restore that from your backup; then: pbem verify {game}")
        hint(f"Without a backup: {without_backup(opened, game, left)}")
    return 1 if done.left or lost else 0


@home.command("secret")
@click.option("--off", is_flag=True, help="Take no acts by mail any more.")
@again_option
@now_option
@home_option
def home_secret(off: bool, again: bool, now: str | None, home: str) -> None:
    """Print a new secret address to which you mail acts.

    What you mail there from your own address is done as if you had typed it: `pause club to Friday`, a line
    for each act, or `help`. It is printed this once; the one before it counts no more.

    If you give the command again, and have done nothing since, it makes no other: `--again` does, which you
    need if the first was cut off before it could print the address.
    """
    from pbem.mail.conversation.modsecret import forget, renew, waiting

    opened, at = open_home(home), moment(now)
    if off:
        with done_once(opened, "", ("home", "secret", "off"), at, again=again) as once:
            forget(once, at)
            say("No acts are taken by mail any more. `pbem home secret` lets them be taken again.")
        return
    gone = len(waiting(opened, at)) if opened.has_journal else 0
    address = ""
    with done_once(opened, "", ("home", "secret"), at, again=again) as once:
        address = renew(once, at)
    if not address:
        return
    tell(address)
    if gone:
        mails = (
            "1 mail of acts that waited for your yes is"
            if gone == 1
            else f"{gone} mails of acts that waited for your yes are"
        )
        hint(f"{mails} forgotten: mail them again.")
    hint(
        "Keep it in your address book, and show it to nobody: it is not printed again. `help` in a mail to it"
    )
    hint("brings all that can be done. Only mails from your own address count.")


@home.command("get")
@click.argument("name")
@home_option
def home_get(name: str, home: str) -> None:
    """Print a file of a home, such as home.yaml.

    NAME is where it lies in the home, such as games/GAME/game.yaml.
    """
    from pbem.play.homes.upkeep import get

    hand_out(get(open_home(home), name))


@home.command("put")
@click.argument("name")
@click.argument("file", type=click.File("rb"))
@home_option
def home_put(name: str, file: BinaryIO, home: str) -> None:
    """Put a file of the moderator's into a home.

    NAME is home.yaml, games/GAME/game.yaml, or a template. The file is checked, and takes the place of the
    older one.
    """
    from pbem.play.homes.upkeep import put

    put(open_home(home), name, file.read())
    say(f"{name} is in force.")


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
    from pbem.host.office import units

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
    from pbem.host.office import units

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
    from pbem.mail.account.settings import mail_settings
    from pbem.mail.arrivals.sources import need_package

    if mail_settings(home).imap is None:
        raise WrongInput("home.yaml names no mailbox (mail.imap) to watch.", "Leave --watch out.")
    need_package()


def _warn_of_passwords(home: Home) -> None:
    """Say that units do not see a password that stands in the environment of a shell."""
    if not home.mail_section():
        return
    from pbem.mail.account.settings import mail_settings

    settings = mail_settings(home)
    for login in (settings.imap.login if settings.imap else None, settings.smtp):
        if login is not None and login.user and login.password_file is None and login.oauth is None:
            way = f"name a password_file for {login.server} in home.yaml"
            talk(f"The units do not see ${login.variable}: {way}.")
    if settings.oauth is not None and not settings.oauth.file.exists():
        talk("Nobody has logged in to the mailbox yet. Type: pbem mailbox login")


QUEUES: Final = ("mails", "games", "sending", "pages")
"""Those of `pbem.store.records`, which is not loaded for a look at the help."""


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
    from pbem.cli.moderation.mailed import MailedCommands
    from pbem.work.worker import Worker

    Worker(home, talk, MailedCommands(), queues or QUEUES, pages, jobs, until_idle).work()
