"""The verbs about a whole home: looked over by the doctor, copied, compared, mended, and its files."""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

import click

from pbem.cli.base import (
    again_option,
    home_option,
    home_option_text,
    json_option,
    moment,
    now_option,
    open_home,
    print_document,
    print_hint,
    print_json,
    print_next_step,
    print_text,
    print_to_stderr,
    print_unless_quiet,
    progress,
)
from pbem.cli.moderation.mailed import MailedCommands
from pbem.cli.news import done_once
from pbem.doctor import (
    SALVAGE,
    Finding,
    NotCheckableError,
    Patient,
    as_shell_comment,
)
from pbem.doctor.home import (
    faults_of_templates,
    look_at_clock,
    look_at_disk,
    look_at_games,
    look_at_night_job,
    look_at_rules,
    look_at_seats,
    look_at_secrets,
    look_at_templates,
)
from pbem.doctor.post import PART, RoundTrip, WaitPlan, look_at_stuck_mails, send_and_await
from pbem.doctor.servers import (
    NameServers,
    look_at_domain,
    look_at_mail_in,
    look_at_mail_out,
    look_at_settings,
)
from pbem.host.run.losses import damage_advice, lost_turn_lines
from pbem.mail.conversation.acts import forget_secret, renew_secret, waiting_acts
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import close_home, copy_home, differences, read_home_file, write_home_file
from pbem.play.homes.upkeep import reopen as reopen_home
from pbem.play.homes.verify import restore_game
from pbem.store.errors import GateClosedError, WrongInput, error_in_words
from pbem.store.opening import make_store, upgrade
from pbem.store.rests import home_display_name, read_closure
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json


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
    old, new = open_home(source), Home(make_store(target))
    with progress("Games", 2 * len(old.games())) as step:  # each is compared afterwards
        copied = copy_home(old, new, step)
    if as_json:
        print_json(encode(copied))
        return
    what = (("game", copied.games), ("file", copied.files), ("row", copied.rows))
    games, files, rows = (f"{count} {one}{'s' * (count != 1)}" for one, count in what)
    print_unless_quiet(f"{games}, {files} and {rows} are there as they were.")
    if read_closure(old.store) is None:
        print_next_step(source, "home close", "if the copy takes its place: both homes are open now")
    else:
        print_hint("The copy is open: its games are to run on one machine only.")


@home.command("check")
@click.argument("source")
@click.argument("target")
@json_option
def home_check(source: str, target: str, as_json: bool) -> int:
    """Say how two homes differ; ends with 1 if they do."""
    with progress("Games") as step:
        found = differences(open_home(source), open_home(target), step)
    if as_json:
        print_json([*found])
        return 1 if found else 0
    for one in found:
        print_text(one)
    if not found:
        print_unless_quiet("The homes are the same.")
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
    opened = open_home(home)
    if reopen and why:
        raise click.UsageError("--why tells why it is closed: leave it out with --reopen.")
    if reopen:
        reopen_home(opened)
        name = home_display_name(opened.store)
        print_unless_quiet(f"{name} is open again. Make sure that no other machine runs its games.")
        return
    close_home(opened, why, moment(now))
    print_unless_quiet(f"{home_display_name(opened.store)} is closed: nothing is changed in it any more.")
    print_unless_quiet(f"Let it be used again: pbem home close --reopen {home_option_text(home)}".rstrip())


@home.command("upgrade")
@home_option
def home_upgrade(home: str) -> None:
    """Bring a home in a database up to this pbem.

    Do this after each upgrade of pbem. A home in a folder needs nothing. Templates that you have changed are
    tried out: those that fail with this pbem are named.
    """
    print_unless_quiet(upgrade(home))
    for fault in faults_of_templates(open_home(home)):
        print_to_stderr(f"A template of this home fails, and the shipped one takes its place: {fault}")


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
    print_unless_quiet(f"{done.rows} rows of the journal could be read, and are there again.")
    for table, lost in done.lost.items():
        if table not in MAILS or opened.mail_section():
            print_text(f"Lost of {table}: {lost}.")
    if done.lost:
        print_hint(f"{file} stays as it is.")


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
    opened = open_home(home)
    done, lost = restore_game(opened, game), lost_turn_lines(opened, game)
    for name in done.files:
        print_text(f"{game}/{name}: put back as it was")
    for one in done.left:
        end = "delete it" if one.is_stray else "it cannot be made again"
        print_text(f"{game}/{one.place}: {one.text}; {end}")
    for told in lost:
        print_text(told)
    if not done.files:
        is_whole = not (done.left or lost)
        print_unless_quiet(
            f"{game}: {'no file of its turns is damaged' if is_whole else 'nothing was put back'}."
        )
    if left := [one for one in done.left if not one.is_stray]:
        print_hint(f"Restore that from your backup; then: pbem verify {game}")
        print_hint(f"Without a backup: {damage_advice(opened, game, left)}")
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
    opened, at = open_home(home), moment(now)
    if off:
        with done_once(opened, "", ("home", "secret", "off"), at, again=again) as once:
            forget_secret(once, at)
            print_unless_quiet(
                "No acts are taken by mail any more. `pbem home secret` lets them be taken again."
            )
        return
    gone = len(waiting_acts(opened, at)) if opened.has_journal else 0
    address = ""
    with done_once(opened, "", ("home", "secret"), at, again=again) as once:
        address = renew_secret(once, at)
    if not address:
        return
    print_text(address)
    if gone:
        mails = (
            "1 mail of acts that waited for your yes is"
            if gone == 1
            else f"{gone} mails of acts that waited for your yes are"
        )
        print_hint(f"{mails} forgotten: mail them again.")
    print_hint(
        "Keep it in your address book, and show it to nobody: it is not printed again. `help` in a mail to it"
    )
    print_hint("brings all that can be done. Only mails from your own address count.")


@home.command("get")
@click.argument("name")
@home_option
def home_get(name: str, home: str) -> None:
    """Print a file of a home, such as home.yaml.

    NAME is where it lies in the home, such as games/GAME/game.yaml.
    """
    print_document(read_home_file(open_home(home), name))


@home.command("put")
@click.argument("name")
@click.argument("file", type=click.File("rb"))
@home_option
def home_put(name: str, file: BinaryIO, home: str) -> None:
    """Put a file of the moderator's into a home.

    NAME is home.yaml, games/GAME/game.yaml, or a template. The file is checked, and takes the place of the
    older one.
    """
    write_home_file(open_home(home), name, file.read())
    print_unless_quiet(f"{name} is in force.")


Look: TypeAlias = Callable[[Patient], Iterator[Finding]]

HOME: Final = "home"

PARTS: Final[tuple[tuple[str, Look], ...]] = (
    ("settings", look_at_settings),
    ("secrets", look_at_secrets),
    ("games", look_at_games),
    ("rules", look_at_rules),
    ("templates", look_at_templates),
    ("addresses", look_at_seats),
    ("disk", look_at_disk),
    ("clock", look_at_clock),
    ("night job", look_at_night_job),
    ("stuck mails", look_at_stuck_mails),
    ("mail in", look_at_mail_in),
    ("mail out", look_at_mail_out),
    ("DNS", look_at_domain),
)
"""What is looked at, in this order, once the home can be opened at all."""


@dataclass(frozen=True, slots=True)
class CheckUp:
    """What a look at a home came to.

    Attributes:
        findings: What is wrong.
        looked_at: The parts that were looked at.
        left_out: Why others were not, by the part.
    """

    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]
    left_out: Mapping[str, str]

    def line(self) -> str:
        """Return what was looked at, in one line."""
        whys = dict.fromkeys(self.left_out.values())
        parts = {why: ", ".join(part for part, of in self.left_out.items() if of == why) for why in whys}
        left = "; ".join(f"{those} ({why})" for why, those in parts.items())
        looked = f"Looked at: {', '.join(self.looked_at)}."
        return f"{looked} Not looked at: {left}." if left else looked


def check_up(patient: Patient) -> CheckUp:
    """Look at a home. Nothing is changed by looking."""
    try:
        patient.games  # noqa: B018
    except WrongInput as wrong:
        return CheckUp((_unopened_home_finding(patient, wrong),), (HOME,), {})
    if (how := read_closure(patient.home.store)) is not None:
        text = f"{how.closure_text('this home')}: nothing is run here, and no mail is taken in or sent."
        again = f"pbem home close --reopen --home {shlex.quote(patient.where)}"
        way = as_shell_comment(f"work in the home that took its place; only if there is none: {again}")
        if how.is_copy:
            way = as_shell_comment("remove it, and copy the home anew: pbem home copy SOURCE TARGET")
        return CheckUp((Finding(text, way, HOME),), (HOME,), {})
    found = {one.text: one for one in _check_journal(patient)}
    is_told = any(one.mend == SALVAGE for one in found.values())
    looked, left = [HOME], dict[str, str]()
    for part, look in PARTS:
        try:
            for one in _check_part(look, patient):
                if not (is_told and one.mend == SALVAGE):
                    found.setdefault(one.text, replace(one, part=part))  # the same may show in two parts
        except NotCheckableError as why:
            left[part] = str(why)
        else:
            looked.append(part)
    return CheckUp(tuple(found.values()), tuple(looked), left)


def _check_journal(patient: Patient) -> Iterator[Finding]:
    """Yield why the journal cannot be read, wherever it is damaged; then much else trips over it."""
    if not patient.home.has_journal:
        return
    try:
        with patient.home.journal() as db:
            if not patient.is_database:
                db.check_whole()
    except WrongInput as wrong:
        yield Finding(error_in_words(wrong), SALVAGE, HOME)


def _check_part(look: Look, patient: Patient) -> Iterator[Finding]:
    """Yield what is found in a part; what trips the look up is a finding itself, and the others go on."""
    try:
        yield from look(patient)
    except NotCheckableError:
        raise
    except Exception as wrong:
        yield patient.refused(
            wrong, as_shell_comment("mend what it names, or report it if it is a fault of pbem")
        )


def _unopened_home_finding(patient: Patient, wrong: WrongInput) -> Finding:
    """Return what is wrong with a home that cannot be opened."""
    if not patient.is_database:
        store, named = (
            patient.home.store,
            as_shell_comment("name the folder that `pbem init` made: --home HOME"),
        )
        holds_others = store.kind("") == "folder" and bool(store.names(""))
        way = named if holds_others else f"pbem init {shlex.quote(patient.where)}"
        return Finding(f"{patient.where} is no home: it has no games folder.", way, HOME)
    way = as_shell_comment("see that the server runs, holds the home, and lets you in")
    return replace(patient.refused(wrong, way), part=HOME)


@click.command()
@click.option("--mail", is_flag=True, help="Send a mail to the host itself too, and wait until it is back.")
@click.option(
    "--wait", type=click.IntRange(1, 3600), default=60, show_default=True, help="Seconds to wait for it."
)
@click.option("--dns", metavar="SERVER", help="Ask this name server: ADDRESS or ADDRESS:PORT.")
@json_option
@now_option
@home_option
def doctor(mail: bool, wait: int, dns: str | None, as_json: bool, now: str | None, home: str) -> int:
    """Find what is wrong with a home and its mail.

    It names each fault, and what mends it. It looks at the files of the home, its games and settings, what
    others can read, free disk space, the clock, the night job, stuck mails, the mail servers, and the DNS of
    the host's domain. Nothing is changed. It ends with 1 if something is wrong.

    With `--mail` a mail goes to the host's own address, and its way back is timed. Whatever mail comes in
    meanwhile is taken in and processed, as by `pbem receive`.
    """
    if mail and now is not None:
        raise click.UsageError("--mail is timed by the clock, so --now cannot take its place.")
    patient = Patient(
        open_home(home),
        home,
        moment(now),
        home_option_text(home),
        _find_name_servers(dns),
        asks_reserved=dns is not None,
    )
    found = check_up(patient)
    trip = _test_mail(patient, wait) if mail else None
    findings = (*found.findings, *(trip.findings if trip is not None else ()))
    if as_json:
        print_json(_as_json(found, trip))
        return 1 if findings else 0
    for one in findings:
        print_text(f"{one.part}: {one.text}\n    {one.mend}")
    if trip is not None and trip.seconds is not None:
        print_unless_quiet(
            "; ".join([f"The test mail was back after {trip.seconds:.1f} seconds", *trip.facts]) + "."
        )
    if findings:
        print_hint(found.line())
        return 1
    deeper = " Of games the newest turn was read; pbem verify reads all." if patient.games else ""
    print_unless_quiet(f"Nothing found. {found.line()}{deeper}")
    if patient.mail is not None and not mail:
        print_next_step(home, "doctor --mail", "sends a mail to the host itself, and times its way back")
    return 0


def _find_name_servers(server: str | None) -> NameServers | None:
    """Return what asks name servers, or one; None if nothing on this machine can."""
    address, port = server or "", "53"
    if address.count(":") == 1:  # with more it is an address of IPv6
        address, port = address.split(":")
    try:
        return NameServers(address, int(port))
    except ImportError:
        return None
    except ValueError:
        raise click.BadParameter(f"{server} is no address of a server.", param_hint="--dns") from None


def _test_mail(patient: Patient, wait: int) -> RoundTrip:
    """Send a mail to the host itself, and wait for it."""
    if patient.mail is None:
        text = "no test mail can be sent: home.yaml says nothing of mail, or says it wrong."
        return RoundTrip(
            (Finding(text, patient.settings_edit_command("mail: {address: ..., smtp: ...}"), PART),)
        )
    how = WaitPlan(
        lambda: datetime.datetime.now(datetime.UTC),
        lambda: time.sleep(1),
        datetime.timedelta(seconds=wait),
        print_hint,
        MailedCommands(),
    )
    try:
        return send_and_await(patient, patient.mail, how)
    except (WrongInput, GateClosedError, OSError) as wrong:
        told = patient.refused(wrong, patient.pbem("receive", "which says the same"))
        return RoundTrip((replace(told, part=PART),))


def _as_json(found: CheckUp, trip: RoundTrip | None) -> Json:
    value = encode(found)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return {**value, "test_mail": encode(trip) if trip is not None else None}
