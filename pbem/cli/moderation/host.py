"""The verbs that tell how games stand, and what is to be done: status, remind, digest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pbem.cli.base import (
    MailableVerb,
    current_mail,
    home_option,
    json_option,
    moment,
    now_option,
    open_home,
    print_archive_hint,
    print_document,
    print_hint,
    print_json,
    print_text,
    print_to_stderr,
    print_unless_quiet,
)
from pbem.cli.base import console as printer
from pbem.host.notices.digest import digest as gather
from pbem.host.notices.queue import is_mailed, journal_mark, note_digest_told
from pbem.host.office.status import Status, metrics, status_of
from pbem.host.time.extensions import queue_reminders, reminders
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import JournalRefused, WrongInput, error_in_words
from pbem.store.rests import read_closure
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json

_COUNTS_AS_TOLD = (
    "These news count as told: the next digest leaves them out. They stay in `pbem acts GAME`, in "
    "`pbem status GAME` while they hold, and for mail N in `pbem answer N`."
)


@click.command(cls=MailableVerb, needs=0, is_look=True)
@click.argument("game", required=False)
@click.option("--metrics", is_flag=True, help="Print figures of the whole home for Prometheus.")
@json_option
@now_option
@home_option
def status(game: str | None, metrics: bool, as_json: bool, now: str | None, home: str) -> int:
    """Tell how each game stands: who is waited for, and until when.

    It also tells what keeps a game or its mail back. With `--metrics` no game is opened: mails and games are
    counted, and in a database jobs and workers.
    """
    if metrics:
        return _print_metrics(home, alone=game is None and not as_json)
    opened, at, found, is_read = open_home(home), moment(now), [], True
    names = [opened.game(game).name] if game else opened.games()
    for name in names:
        try:
            try:
                one = status_of(opened, name, at)
                tried = tuple(mail for mail in one.unsent if mail.why or mail.state != "queued")
                found.append(
                    replace(one, unsent=tried) if current_mail() else one
                )  # the others go with the answer
            except JournalRefused as wrong:
                if is_read:
                    print_to_stderr(f"pbem: {wrong}")
                is_read = False
                found.append(status_of(opened.without_journal(), name, at, is_journal_read=False))
        except (WrongInput, OSError) as wrong:
            print_to_stderr(f"{name}: {error_in_words(wrong)}")
    if as_json:
        print_json([one.as_json() for one in found])
    else:
        _print_standings(found)
        if found and not any(one.label for one in found):
            print_archive_hint(home)
    if not names:
        (print_unless_quiet if current_mail() else print_hint)(
            "This home has no games yet. Set one up: pbem new RULES GAME --players FILE."
        )
    return 1 if len(found) < len(names) or not is_read else 0


def _print_metrics(home: str, *, alone: bool) -> int:
    if not alone:
        raise click.UsageError("--metrics is about the whole home, and has a format of its own.")
    print_document(metrics(open_home(home), moment(None)))
    return 0


def _print_standings(found: Sequence[Status]) -> None:
    """Print how games stand: as a table to a person at a terminal, else in plain lines."""
    console = printer()
    if current_mail() or not console.is_terminal or not found:
        for one in found:
            print_text(one.text())
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("Game", "Rules", "Turn", "Waits for", "Besides", header_style="bold", show_lines=True)
    for one in found:
        besides = Text("\n").join(
            Text.assemble((f"{what}: ", "bold red" if what in _ALARMING else "bold"), words)
            for what, words in one.rows()
        )
        over = "ended" if one.ended else "over"
        waits = Text(over, "dim") if not one.label else Text(", ".join(one.owing) or "nobody")
        table.add_row(Text(one.game, "bold"), one.rules, str(one.turn), waits, besides)
    console.print(table)


_ALARMING = frozenset(["BAD", "DAMAGED", "came back", "missed", "unsent"])


@click.command()
@click.argument("games", nargs=-1)
@json_option
@now_option
@home_option
def remind(games: tuple[str, ...], as_json: bool, now: str | None, home: str) -> None:
    """Remind those who owe orders when a deadline is near.

    Each player is reminded once for each ask.
    """
    opened, at = open_home(home), moment(now)
    rows: list[Json] = []
    for game in games or opened.games():
        saved = SavedGame(opened, game)
        owed = reminders(saved, at)
        queued = []
        if owed and opened.mail_section():
            with opened.journal() as db:
                queued = queue_reminders(opened, db, game, at)
        for one in owed:
            named = {"game": game, "seat": one.seat, "player": one.player, "label": one.label, "due": one.due}
            rows.append({**named, "queued": one in queued})
            if as_json:
                continue
            if one in queued:
                how = "a reminder is queued"
            elif is_mailed(opened, saved.players.address(one.seat)):
                how = "was reminded by mail"
            else:
                how = "no mail goes there: tell the player yourself"
            print_unless_quiet(f"{game}: {one.seat} ({one.player}) owes {one.label}, due {one.due}; {how}")
    if as_json:
        print_json(rows)
    elif not rows:
        print_hint("Nobody is to be reminded now. When orders are due, and who owes them: pbem status")


@click.command()
@click.argument("games", nargs=-1)
@json_option
@now_option
@home_option
def digest(games: tuple[str, ...], as_json: bool, now: str | None, home: str) -> None:
    """Tell what was odd lately, and who or what is waited for.

    It tells what was odd since the last digest that was mailed. Then it tells who owes orders and who missed
    turns, and which mails of players wait for your answer (`pbem answer`). Where home.yaml names no address
    for digests, what is printed here, but for --json, counts as told.
    """
    opened = open_home(home)
    for game in games:
        opened.game(game)
    names = games or opened.games()
    with opened.journal() as db:
        upto = journal_mark(db)
        found = gather(opened, db, (), names, asked_of=games or None, now=moment(now))
        if not as_json:
            print_text(found.text())
            mail, is_open = opened.mail_section(), read_closure(opened.store) is None
            if mail and not mail.get("moderator") and is_open:
                with db.writing():
                    note_digest_told(db, upto)
                if found.news:
                    print_hint(_COUNTS_AS_TOLD)
    if as_json:
        print_json(encode(found))
