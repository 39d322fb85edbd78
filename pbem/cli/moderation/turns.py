"""The verb that runs games."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from pbem.cli.base import (
    CommandMail,
    MailableVerb,
    current_mail,
    home_option,
    is_quiet,
    json_option,
    moment,
    now_option,
    open_home,
    print_archive_hint,
    print_hint,
    print_json,
    print_next_step,
    print_to_stderr,
    print_unless_quiet,
    progress,
)
from pbem.host.notices.news import mail_count
from pbem.host.notices.questions import open_question_lines
from pbem.host.notices.queue import words_to_send
from pbem.host.office import watch
from pbem.host.office.watch import Uptime
from pbem.host.run.batch import SkippedGame, note_runs, run_games, skipped_by_gate
from pbem.host.run.batch import run as run_game
from pbem.host.run.losses import FaultGuard
from pbem.host.run.notes import collect_unmailable
from pbem.store.errors import GateClosedError, Reason, WrongInput
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.host.run.night import Night
    from pbem.mail.outgoing.delivery import Letterbox
    from pbem.play.homes.home import Home
    from pbem.play.turn.running import RunOutcome

REASONS: Final = (
    *("bad-orders", "clock", "damaged", "disk", "down", "free-seats"),
    *("journal", "leak", "lost", "older-rules", "paused", "seats", "silent", "unread", "unsent"),
)
"""What `--override` takes: the reasons of the gate and of the watch over the host."""
OVERRIDDEN_BY_MAIL: Final = ("clock", "disk", "down", "free-seats", "paused", "silent", "unread", "unsent")
"""Those that a mailed run may override; what is damaged or lost is looked at first."""


@click.command(cls=MailableVerb, asks_first=("due", "override"), short_help="Run a game that can go on.")
@click.argument("games", nargs=-1)
@click.option(
    "--due", is_flag=True, help="Answer for silent seats, and do what else is due: reminders, mail."
)
@click.option("--deal", is_flag=True, help="Deal without waiting for start forms that have not come.")
@click.option(
    "--override",
    "overrides",
    multiple=True,
    type=click.Choice(REASONS),
    help="Run in spite of this reason.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes that share the games."
)
@click.option("--traceback", "trace", is_flag=True, help="Print the traceback of a fault of pbem.")
@json_option
@now_option
@home_option
def run(
    games: tuple[str, ...],
    due: bool,
    deal: bool,
    overrides: tuple[str, ...],
    jobs: int,
    trace: bool,
    as_json: bool,
    now: str | None,
    home: str,
) -> int:
    """Run the games that can go on: all of the home, or those named.

    `pbem run --due` is the one command for a night job. It takes mail in. It runs games whose deadline has
    passed or that all have answered, as far as their schedules allow. It sends reports, reminders and your
    digest. Games in which nothing changed and nothing is due rest: they are not opened, and you are told how
    many they are. A game that is paused, or of which a turn was taken back, is run only by name.

    It ends with the worst of what it met: 1 if something is for you to mend, such as a damaged game or a mail
    server that is not reached, 3 if the gate kept a game back, 4 if a fault of pbem hit a game or a mail. All
    other games and mails are served all the same.
    """
    opened, at = open_home(home), moment(now)
    uptime = watch.uptime() if now is None else None  # it knows nothing of a `--now`
    if (mail := current_mail()) is not None:
        return _run_for_mail(mail, games[0], at, due=due, overrides=overrides, deal=deal)
    tell = print_hint if as_json else print_unless_quiet
    letterbox = _letterbox(opened, at, uptime, tell) if due else None
    night = _night(opened, at, uptime, letterbox, games) if due else None
    troubles, is_noted = FaultGuard(opened, at, print_to_stderr), opened.has_journal
    names = night.begin() if night else list(games) or opened.games()
    results: list[RunOutcome | SkippedGame] = []
    code = 0
    if names:  # a night job often has none, and what opens games takes its time to load
        with progress("Games", len(names)) as step:

            def done(result: RunOutcome | SkippedGame) -> None:
                results.append(result)
                step()

            code = run_games(
                opened,
                names,
                now=at,
                due=due,
                overrides=overrides,
                deal=deal,
                done=done,
                jobs=jobs,
                attended=bool(games) or not due,
                named=bool(games),
                uptime=uptime,
            )
    if as_json:
        print_json([_result_json(result) for result in results])
    elif results:
        _print_results(results, due=due, deal=deal, trace=trace)
        tell_after_run(opened, home, results, due=due)
        _print_open_questions(opened, [one.game for one in results])
    elif not due:
        print_hint("This home has no games yet. Set one up: pbem new RULES GAME --players FILE.")
    if night is None:
        if is_noted:  # a home in which nothing was ever noted has its runs in its turns only
            note_runs(results, troubles)
        return max(code, troubles.exit_code)
    if not games and (resting := night.resting()):
        tell(_resting_text(len(resting)))
    night.end(results, names)
    if letterbox is not None and (count := sum(letterbox.went_out)):
        tell(f"{mail_count(count)} sent.")
    return max(code, night.exit_code)


def _run_for_mail(
    mail: CommandMail, game: str, now: datetime.datetime, *, due: bool, overrides: tuple[str, ...], deal: bool
) -> int:
    """Run a game for a mail; the night job does what else is due.

    Raises:
        GateClosedError: Another program holds the game, or mails are to be read first.
        WrongInput: The game is damaged. What the disk refuses, and our own faults, are raised too.
    """
    if strange := [one for one in overrides if one not in OVERRIDDEN_BY_MAIL]:
        by_mail = ", ".join(OVERRIDDEN_BY_MAIL)
        raise click.UsageError(f"{strange[0]!r} is nothing that a mail can override: {by_mail}.")
    result: RunOutcome | SkippedGame
    with collect_unmailable(mail.home) as by_hand:
        try:
            result = run_game(mail.home, game, now=now, due=due, overrides=overrides, deal=deal)
        except GateClosedError as closed:
            result = skipped_by_gate(game, closed)
    result = result._replace(to_send=(*result.to_send, *words_to_send(mail.home, game, by_hand)))
    note_runs([result], FaultGuard(mail.home, now, print_to_stderr))
    if not isinstance(result, SkippedGame):
        ran = result._replace(root="") if mail.is_tried else result  # the turn that is made later has another
        _print_results([ran], due=due, deal=deal, trace=False)
        return WrongInput.exit_code if ran.turn is None else 0
    names = tuple(one for one in result.overrides if one in OVERRIDDEN_BY_MAIL)
    _print_results([result._replace(overrides=names)], due=due, deal=deal, trace=False)
    if result.is_busy or ("unread" in names and not result.to_send):  # what is to send is told now
        told = "\n".join(mail.printed or result.reasons)
        raise GateClosedError((Reason("locked" if result.is_busy else "unread", told),))
    return result.exit_code


def _night(
    home: Home,
    now: datetime.datetime,
    uptime: Uptime | None,
    letterbox: Letterbox | None,
    named: tuple[str, ...],
) -> Night:
    """Return the work around the runs of games."""
    from pbem.host.run.night import Night

    return Night(home, now, print_to_stderr, uptime, letterbox, named=named)


def _letterbox(
    home: Home, now: datetime.datetime, uptime: Uptime | None, say: Callable[[str], None]
) -> Letterbox | None:
    """Return what takes mail in and out, if the home plays by mail."""
    if not home.mail_section():
        return None
    from pbem.cli.moderation.mail import letterbox

    return letterbox(home, now, say, uptime)


def _print_results(results: list[RunOutcome | SkippedGame], *, due: bool, deal: bool, trace: bool) -> None:
    aside = [result for result in results if isinstance(result, SkippedGame)]
    for ran in (one for one in results if not isinstance(one, SkippedGame)):
        print_unless_quiet(ran.line())
        _print_words_to_send(ran)
        for told in ran.by_hand:
            print_hint(f"{ran.game}: {told}.")
    for result in aside:
        if result.is_held:
            print_hint(f"{result.game}: another pbem is at work on it, and sees to it.")
            continue
        for reason in result.reasons:
            print_to_stderr(f"{result.game}: set aside: {reason}")
        _print_words_to_send(result)
        if way := result.override_hint(due=due, deal=deal):
            print_to_stderr(f"{result.game}: {way}")
        if trace and result.trace:
            print_to_stderr(result.trace)
    if aside and len(results) > 1:
        left = sum(not one.is_held for one in aside)
        count = sum(not isinstance(one, SkippedGame) and one.turn is not None for one in results)
        rest = f", {left} set aside as {'it was' if left == 1 else 'they were'}" if left else ""
        print_hint(f"{count or 'No'} game{' was' if count < 2 else 's were'} run{rest}.")


def _print_open_questions(home: Home, games: list[str]) -> None:
    """Print what players wrote to the moderator that waits for a word."""
    if not home.has_journal:
        return
    with home.journal() as db:
        for told in open_question_lines(home, db, games):
            print_unless_quiet(f"To be answered, or put aside: {told}")


def _print_words_to_send(result: RunOutcome | SkippedGame) -> None:
    for told in result.to_send:  # it is told once, so it must be known
        (print_to_stderr if is_quiet() else print_unless_quiet)(told)


def _resting_text(count: int) -> str:
    games, them = ("1 game rests", "it") if count == 1 else (f"{count} games rest", "them")
    return f"{games}: nothing changed in {them}, and nothing is due."


def _result_json(result: RunOutcome | SkippedGame) -> dict[str, Json]:
    if isinstance(result, SkippedGame):
        reasons: list[Json] = [*result.reasons]
        to_send: list[Json] = [*result.to_send]
        told: dict[str, Json] = {"game": result.game, "set_aside": reasons}
        return {**told, "exit_code": result.exit_code, "to_send": to_send}
    value = encode(result)
    assert isinstance(value, dict), "a dataclass becomes an object"
    return value


def tell_after_run(opened: Home, home: str, results: list[RunOutcome | SkippedGame], *, due: bool) -> None:
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
            print_next_step(home, "send", "sends the reports")
        else:
            print_next_step(
                home, f"report {made[0].game} --all reports", "a folder of reports for each reader"
            )
    elif len(over) < len(results):
        print_next_step(home, "status", "tells who is waited for, and until when")
    if over and (len(over) == len(results) or any(one in made for one in over)):
        print_archive_hint(home)
