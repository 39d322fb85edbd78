"""The verbs of play by mail: receive, send, answer, lmtp."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from pbem.cli.base import (
    again_option,
    home_option,
    json_option,
    moment,
    now_option,
    open_home,
    print_hint,
    print_json,
    print_next_step,
    print_text,
    print_to_stderr,
    print_unless_quiet,
)
from pbem.cli.moderation.mailed import MailedCommands
from pbem.cli.news import done_once
from pbem.host.notices import questions
from pbem.host.notices.news import mail_count
from pbem.host.notices.questions import find_question
from pbem.host.office.watch import Uptime, uptime
from pbem.mail.account.settings import MailSettings, mail_settings
from pbem.mail.arrivals.sources import from_maildir, from_mbox, from_stdin
from pbem.mail.outgoing.delivery import Letterbox, process_again, process_inbox
from pbem.mail.outgoing.delivery import receive as take_and_process
from pbem.mail.outgoing.delivery import send as queue_and_send
from pbem.mail.outgoing.lookup import find_incoming_mail, find_sent_mail, waiting_mail_lines, waiting_mails
from pbem.store.opening import await_database
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.mail.arrivals.intake import Arrival
    from pbem.mail.arrivals.lmtp import ListenAddress
    from pbem.play.homes.home import Home
    from pbem.store.journal import Journal

_FILE = click.Path(path_type=Path)


@click.command()
@click.option("--maildir", type=_FILE, help="Take mail from this Maildir only.")
@click.option("--mbox", type=_FILE, help="Take mail from this mbox file only; it stays as it is.")
@click.option("--stdin", is_flag=True, help="Take one mail from standard input.")
@click.option("--sender", default="", help="Its envelope's sender.  [default: its Return-Path]")
@click.option("--recipient", default="", help="Its envelope's recipient.  [default: its Delivered-To]")
@click.option(
    "--again", type=int, multiple=True, help="Take none in; process this mail again, which was set aside."
)
@json_option
@now_option
@home_option
def receive(
    maildir: Path | None,
    mbox: Path | None,
    stdin: bool,
    sender: str,
    recipient: str,
    again: tuple[int, ...],
    as_json: bool,
    now: str | None,
    home: str,
) -> int:
    """Take mail in and process it; `pbem send` sends the answers.

    Orders are lodged, and answers are queued. Mail comes from the spool of `pbem-spool` and from the source
    that `home.yaml` or an option names. It is taken from there when it is safe in the home. A mail that trips
    the program up is set aside until you say `--again`; `mail/shunted` has what happened. It ends with 1 if
    mail could not be taken in, and with 4 if a mail was set aside.
    """
    if sum([maildir is not None, mbox is not None, stdin, bool(again)]) > 1:
        raise click.UsageError("Give one of --maildir, --mbox, --stdin and --again.")
    if (sender or recipient) and not stdin:
        raise click.UsageError("--sender and --recipient are for --stdin.")
    at = moment(now)

    def settings() -> MailSettings:
        return mail_settings(open_home(home))

    def given(tell: Callable[[str], None]) -> Iterable[Arrival]:
        if maildir is not None:
            return from_maildir(maildir, settings(), at, tell)
        if mbox is not None:
            return from_mbox(mbox, settings(), at)
        return from_stdin(sys.stdin.buffer, sender, recipient, settings(), at)

    is_given = stdin or mbox is not None or maildir is not None
    source = given if is_given else None
    if again:
        received = process_again(open_home(home), at, MailedCommands(), again)
    else:
        clock = uptime() if now is None else None  # it knows nothing of a `--now`
        received = take_and_process(open_home(home), at, print_to_stderr, MailedCommands(), source, clock)
    if as_json:
        print_json(encode(received))
    else:
        known = f", {received.taken.known} known already" if received.taken.known else ""
        print_unless_quiet(
            f"{mail_count(received.taken.new)} taken in{known}, {len(received.processed)} processed."
        )
        for one in received.processed:
            print_unless_quiet(one.line())
    for problem in received.problems:
        print_to_stderr(f"pbem: {problem}")
    if received.processed and not as_json:
        print_next_step(home, "send", "sends the answers")
    return received.exit_code


def letterbox(
    home: Home, now: datetime.datetime, say: Callable[[str], None], uptime: Uptime | None
) -> Letterbox:
    """Return what takes mail in and out for a night job; `say` is told what became of each mail."""
    return Letterbox(home, now, print_to_stderr, say, MailedCommands(), uptime)


@click.command()
@click.option("--again", is_flag=True, help="Send what had failed, too.")
@click.option("--list", "is_list", is_flag=True, help="Send nothing; list the mails that wait or failed.")
@json_option
@now_option
@home_option
def send(again: bool, is_list: bool, as_json: bool, now: str | None, home: str) -> int:
    """Send what is due: reports, invitations, answers and notices.

    Each mail goes out once, also when this program is killed in the middle; see `archive` in `home.yaml`. It
    ends with 1 if no server was reached, or if a mail was refused, is not taken for hours, or may have gone
    out or not. It ends with 4 if a mail tripped the program up. A mail that is put off for a while is no
    failure.

    `--list` tells of each mail that is not with its reader to whom it goes, since when it waits, why, and
    what to type.
    """
    if is_list:
        if again:
            raise click.UsageError("--list sends nothing: give it without --again.")
        _list_waiting(open_home(home), as_json=as_json)
        return 0
    sent = queue_and_send(open_home(home), moment(now), print_to_stderr, again=again)
    if as_json:
        print_json(encode(sent))
    else:
        parts = [f"{mail_count(sent.sent)} sent"]
        for number, what in (
            (sent.failed, "failed"),
            (sent.later, "not taken this time"),
            (sent.unsure, "not known to be sent or not"),
        ):
            parts += [f"{number} {what}"] if number else []
        parts += [f"{sent.waiting} waiting"] if sent.waiting else []
        print_unless_quiet(", ".join(parts) + ".")
    return sent.exit_code


def _list_waiting(opened: Home, *, as_json: bool) -> None:
    """Print the mails that are not with their readers."""
    mail_settings(opened)
    with opened.journal() as db:
        found = waiting_mails(opened, db)
    if as_json:
        print_json(encode(found))
        return
    for line in waiting_mail_lines(found):
        print_text(line)
    if not found:
        print_hint("No mail waits, and none failed.")


@click.command()
@click.argument("mail")
@click.option("--text", help="Your answer.")
@click.option("--file", type=click.File(encoding="utf-8"), help="A file with it; - is standard input.")
@click.option("--aside", is_flag=True, help="Put the mail aside: it needs no answer.")
@again_option
@json_option
@now_option
@home_option
def answer(
    mail: str,
    text: str | None,
    file: TextIO | None,
    aside: bool,
    again: bool,
    as_json: bool,
    now: str | None,
    home: str,
) -> None:
    """Answer a mail that a player wrote to a person, or show any mail.

    Without an option the mail is shown, with what was answered. Name it by the number that the log prints
    (`mail 25: refused ...`), or by its Message-ID, if pbem sent it; press that came in a file by what
    `pbem status` names it. `pbem digest` lists the mails that wait
    for an answer. The answer goes out by mail, to the player alone.

    The same answer, given again before anything else was done in the game, goes out once: the command may
    have been cut off before it could say what it did. `--again` sends it once more.
    """
    if sum([text is not None, file is not None, aside]) > 1:
        raise click.UsageError("Give one of --text, --file and --aside.")
    if as_json and (text is not None or file is not None or aside):
        raise click.UsageError("--json shows the mail: give it alone.")
    said = file.read() if file is not None else text
    opened = open_home(home)
    with opened.journal() as db:
        if aside:
            done = questions.close_question(db, _read_mail_name(db, mail))
            print_unless_quiet(f"{done.heading(opened.zone())}: put aside.")
        elif said is not None:
            _answer_mail(opened, db, _read_mail_name(db, mail), said, moment(now), again=again)
        else:
            _show(opened, db, mail, as_json=as_json)


def _answer_mail(
    opened: Home, db: Journal, name: int | str, said: str, now: datetime.datetime, *, again: bool
) -> None:
    """Answer a mail, once."""
    asked = questions.find_question(db, name)
    with done_once(
        opened, asked.game if asked else "", ("answer", str(name), said), now, again=again
    ) as home:
        done, rows = questions.answer(home, db, name, said, now)
        home.store.note(rows)
        print_unless_quiet(f"{done.heading(opened.zone())}: your answer goes out with `pbem send`.")


def _read_mail_name(db: Journal, mail: str) -> int | str:
    """Return the number of a mail that came in, or what names press that came in a file."""
    if mail.isdecimal():
        return int(mail)
    if find_question(db, mail) is None:
        raise click.BadParameter(f"{mail!r} is no number of a mail, nor names press.", param_hint="MAIL")
    return mail


def _show(opened: Home, db: Journal, mail: str, *, as_json: bool) -> None:
    """Print a mail that came in or went out, or press that came in a file."""
    asked = None if mail.isdecimal() else find_question(db, mail)
    if asked is not None and not as_json:
        print_text(f"{asked.heading(opened.zone())}:\n{asked.barred()}")
        return
    found = (
        find_incoming_mail(opened, db, int(mail)) if mail.isdecimal() else find_sent_mail(opened, db, mail)
    )
    if as_json:
        print_json(encode(found))
    else:
        print_text("\n".join(found.told()))


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="An address of this machine only.")
@click.option("--port", type=click.IntRange(0, 65535), default=2424, show_default=True, help="Its port.")
@click.option("--socket", type=_FILE, help="Listen on this socket in place of a port.")
@click.option("--answer", is_flag=True, help="Process each mail and send the answers at once.")
@home_option
def lmtp(host: str, port: int, socket: Path | None, answer: bool, home: str) -> None:
    """Take mail in by LMTP from a mail server on this machine.

    It takes mail until it is told to end, and accepts a mail when it is safe in the home. `pbem receive`
    processes the mail, or `--answer` does so at once.
    """
    from pbem.mail.arrivals.lmtp import ListenAddress, LmtpHandler, serve

    opened, place = open_home(home), ListenAddress(host, port, socket)
    settings = await_database(lambda: mail_settings(opened), print_to_stderr)
    opened.games()

    def clock() -> datetime.datetime:
        return datetime.datetime.now(datetime.UTC)

    def work() -> None:
        for one in process_inbox(opened, clock(), MailedCommands()):
            print_hint(one.line())
        queue_and_send(opened, clock(), print_to_stderr)

    def ready(where: ListenAddress) -> None:
        print_hint(f"pbem takes mail in by LMTP on {where}.")

    taker = LmtpHandler(opened, settings, clock, print_to_stderr)
    serve(taker, place, ready, work if answer else None)
