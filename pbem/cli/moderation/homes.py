"""The verbs about a whole home: copied, compared, mended, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from pbem.cli.base import (
    again_option,
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
    progress,
    say,
    talk,
    tell,
)
from pbem.cli.news import done_once
from pbem.host.run.losses import lost_in_words, without_backup
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import close, copy_home, differences, get, put
from pbem.play.homes.upkeep import reopen as reopen_home
from pbem.play.homes.verify import put_back
from pbem.store.opening import make_store, upgrade
from pbem.store.rests import how_closed, named
from pbem.text.codec import encode


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
    from pbem.mail.conversation.acts import forget_secret, renew_secret, waiting_acts

    opened, at = open_home(home), moment(now)
    if off:
        with done_once(opened, "", ("home", "secret", "off"), at, again=again) as once:
            forget_secret(once, at)
            say("No acts are taken by mail any more. `pbem home secret` lets them be taken again.")
        return
    gone = len(waiting_acts(opened, at)) if opened.has_journal else 0
    address = ""
    with done_once(opened, "", ("home", "secret"), at, again=again) as once:
        address = renew_secret(once, at)
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
    put(open_home(home), name, file.read())
    say(f"{name} is in force.")
