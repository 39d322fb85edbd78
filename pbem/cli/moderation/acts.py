"""The verbs that change a game between its turns, from `extend` to `undo`; and which acts there were."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import click

from pbem.cli.base import (
    MailableVerb,
    again_option,
    current_mail,
    home_option,
    json_option,
    moment,
    now_option,
    open_home,
    print_hint,
    print_json,
    print_text,
    print_to_stderr,
    print_unless_quiet,
)
from pbem.cli.news import done_once
from pbem.core.events import Seat
from pbem.host.notices.queue import act_words, words_to_send
from pbem.host.office import acts as desk
from pbem.host.office.acts import all_acts
from pbem.host.people.votes import vote as cast
from pbem.host.run.losses import FaultGuard
from pbem.host.run.notes import collect_unmailable
from pbem.host.run.undo import undo_newest_turn
from pbem.host.time.dates import WrittenTime, read_span, read_when
from pbem.play.config.schedule import Span, zone_of
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.records import read_facts

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.config.gamefile import GameTable
    from pbem.play.homes.home import Home

_GAME = click.argument("game")
_SEAT = click.argument("seat")
_WHEN = "2026-12-01 18:00, 1 Dec 18:00, Friday, tomorrow 9:00, in 3 days, +36h"
_BY = "So much later, or from now on if it has passed: 90m, 36h, 2d.  [default: 1d]"


@click.command(cls=MailableVerb)
@_GAME
@click.option("--by", metavar="SPAN", help=_BY)
@click.option(
    "--to", metavar="WHEN", help=f"To this moment instead: {_WHEN}. A day alone is all of that day."
)
@again_option
@now_option
@home_option
def extend(game: str, by: str | None, to: str | None, again: bool, now: str | None, home: str) -> None:
    """Move the deadline of the present ask; all players are told.

    If you give the command again, and nothing was done in the game since, it moves nothing: it may have been
    cut off before it could say what it did. `--again` moves the deadline once more.
    """
    opened, at = open_home(home), moment(now)
    more = _read_deadline_options(opened, game, by, to, at)
    with done_once(opened, game, ("extend", by or "", to or ""), at, again=again) as once:
        print_unless_quiet(desk.extend(once, game, at, *more))


@click.command(cls=MailableVerb)
@_GAME
@click.option("--why", default="by the moderator", show_default=True, help="What the players are told.")
@click.option("--from", "start", metavar="WHEN", help="It begins then; a day begins at 0:00.  [default: now]")
@click.option("--to", "end", metavar="WHEN", help="It ends by itself then; a day alone is its last day.")
@now_option
@home_option
def pause(game: str, why: str, start: str | None, end: str | None, now: str | None, home: str) -> None:
    """Let a game rest, now or later: no turn is run.

    No deadline passes meanwhile. With `--to` the game goes on by itself, and the players are told at once
    when orders will be due.
    """
    opened, at = open_home(home), moment(now)
    first, last = _read_time_option(opened, game, start, at), _read_time_option(opened, game, end, at)
    print_unless_quiet(desk.pause(opened, game, at, why, first, last))


@click.command(cls=MailableVerb)
@_GAME
@click.option(
    "--at", "later", metavar="WHEN", help="It goes on then, by itself; a day begins at 0:00.  [default: now]"
)
@again_option
@now_option
@home_option
def resume(game: str, later: str | None, again: bool, now: str | None, home: str) -> None:
    """Let a paused game go on, now or later; nobody loses time.

    All players have as much time as they had when it was paused. A pause that has not begun is taken back.

    If you give the command with `--at` again, and nothing was done in the game since, it changes nothing: it
    may have been cut off before it could say what it did. `--again` sets the moment once more.
    """
    opened, at = open_home(home), moment(now)
    when = _read_time_option(opened, game, later, at)
    with done_once(opened, game, ("resume", later or ""), at, again=again) as once:
        print_unless_quiet(desk.resume(once, game, at, when))


@click.command(cls=MailableVerb, needs=2)
@_GAME
@click.argument("seat")
@click.option(
    "--from", "start", metavar="DAY", help="The first day: 2026-12-20, 20 Dec, Friday.  [default: now]"
)
@click.option("--to", "end", metavar="DAY", help="The last day.")
@click.option("--cancel", is_flag=True, help="The player is back, or does not go away.")
@again_option
@now_option
@home_option
def away(
    game: str,
    seat: str,
    start: str | None,
    end: str | None,
    cancel: bool,
    again: bool,
    now: str | None,
    home: str,
) -> None:
    """Note that a player will be away: missed turns do not count.

    Nobody reminds a player who is away.

    If you give the command again, and nothing was done in the game since, it changes nothing: it may have
    been cut off before it could say what it did. `--again` notes it once more.
    """
    opened, at, one = open_home(home), moment(now), Seat(seat)
    if cancel == bool(end):
        raise click.UsageError("Give --to DAY, or --cancel.")
    last = _read_time_option(opened, game, end, at, one)
    first = _read_time_option(opened, game, start, at, one)
    with done_once(opened, game, ("away", seat, start or "", end or ""), at, again=again) as once:
        if last is None:
            print_unless_quiet(desk.clear_absences(once, game, one, at))
        else:
            print_unless_quiet(desk.away(once, game, one, at, first, last))


@click.command(cls=MailableVerb, asks_first=("why",))
@_GAME
@click.option("--why", default="", help="Why, as all are told.")
@click.option("--undo", is_flag=True, help="Bring it back; its players have as much time as they had.")
@now_option
@home_option
def cancel(game: str, why: str, undo: bool, now: str | None, home: str) -> None:
    """End a running game for all, without a result.

    No turn is run any more, and no orders are taken. All are told that you ended it, and why. What is secret
    stays secret, for the game can come back.
    """
    if undo == bool(why):
        raise click.UsageError("Give --why TEXT, or --undo.")
    opened, at = open_home(home), moment(now)
    print_unless_quiet(desk.reinstate_game(opened, game, at) if undo else desk.cancel(opened, game, at, why))


@click.command()
@_GAME
@_SEAT
@click.argument("kind", type=click.Choice(["pause", "extension", "draw", "end"]))
@click.option("--withdraw", is_flag=True, help="Take the vote back.")
@again_option
@now_option
@home_option
def vote(game: str, seat: str, kind: str, withdraw: bool, again: bool, now: str | None, home: str) -> None:
    """Vote for a seat: a pause, a later deadline, a draw, or the end.

    If you give the command again, and nothing was done in the game since, it changes nothing: it may have
    been cut off before it could say what it did. What a vote had carried would be voted on anew; `--again`
    does that.
    """
    opened, at = open_home(home), moment(now)
    words = ("vote", seat, kind, *["withdraw"] * withdraw)
    with (
        done_once(opened, game, words, at, again=again) as once,
        collect_unmailable(once) as letters,
    ):
        cast_vote = cast(once, game, Seat(seat), kind, at, yes=not withdraw)
        print_unless_quiet("\n".join([f"{game}: {cast_vote.text}", *words_to_send(opened, game, letters)]))


@click.command(cls=MailableVerb, needs=2)
@_GAME
@_SEAT
@click.option("--why", default="the moderator looks at them", show_default=True, help="What all are told.")
@click.option("--release", is_flag=True, help="Let them count again.")
@now_option
@home_option
def hold(game: str, seat: str, why: str, release: bool, now: str | None, home: str) -> None:
    """Hold a seat's orders back, as if none had come.

    No run looks at them until they are released.
    """
    opened, at, one = open_home(home), moment(now), Seat(seat)
    print_unless_quiet(
        desk.release(opened, game, one, at) if release else desk.hold(opened, game, one, at, why)
    )


@click.command(cls=MailableVerb)
@click.argument("game", metavar="[GAME]")
@click.argument("text", required=False, metavar="TEXT")
@click.option("--all", "to_all", is_flag=True, help="To the players of all running games; name none.")
@again_option
@now_option
@home_option
def announce(game: str, text: str | None, to_all: bool, again: bool, now: str | None, home: str) -> int:
    """Write to all players of a game, by mail and in the next report.

    The mails are queued at once. `pbem announce --all TEXT` writes to the players of all running games. If it
    was cut off, give it again with the same words: each game gets it once. `--again` writes once more what
    you announced last.
    """
    if to_all == (text is not None):
        given = "with --all, give the text alone" if to_all else "name the game, then give the text; or --all"
        raise click.UsageError(f"{given[0].upper()}{given[1:]}.")
    opened, at = open_home(home), moment(now)
    if text is not None:
        with done_once(opened, game, ("announce", text.strip()), at, again=again) as once:
            print_unless_quiet(desk.announce(once, game, at, text))
        return 0
    troubles = FaultGuard(opened, at, print_to_stderr)
    told = 0
    with done_once(opened, "", (), at, again=True):
        for said in desk.announce_to_all(opened, at, game, troubles.set_aside, again=again):
            told += 1
            print_unless_quiet(said)
        if not told and not troubles.codes:
            print_hint("No game is running that lacks it.")
    return troubles.exit_code


@click.command()
@_GAME
@json_option
@home_option
def acts(game: str, as_json: bool, home: str) -> None:
    """Tell what was done to a game between its turns, and by whom.

    It lists what the moderator, the host and the players did, with times in the home's zone. Turns that were
    taken back stand there too, and seats that a bot or a standby took over for turns missed.
    """
    opened = open_home(home)
    opened.game(game)
    with opened.journal() as db:
        found = all_acts(opened, game, db)
    table = _table_of(opened, game)
    if as_json:
        rows: list[Json] = [
            {
                "at": one.at,
                "who": one.who,
                "act": one.act,
                "detail": act_words(opened, one, table),
                "public": bool(one.public),
                "facts": read_facts(one.facts),
            }
            for one in found
        ]
        print_json(rows)
        return
    zone = zone_of((table.public_zone if table is not None else opened.zone()) or "UTC")
    for one in found:
        at = datetime.datetime.fromisoformat(one.at).astimezone(zone)
        end = "" if one.public else " (not public)"
        words = act_words(opened, one, table)
        print_text(f"{at:%Y-%m-%d %H:%M:%S %Z} {one.who} {one.act}: {words}{end}")


def _table_of(opened: Home, game: str) -> GameTable | None:
    """Return the table of a game; None of a damaged one."""
    try:
        return SavedGame(opened, game).table
    except WrongInput:
        return None


@click.command(cls=MailableVerb, asks_first=("undo",))
@click.argument("game")
@click.option("--turn", type=click.IntRange(1), help="The turn to take back, which must be the newest.")
@click.option("--by", metavar="SPAN", help="Move the deadline of its orders too, as `pbem extend` does.")
@click.option("--to", metavar="WHEN", help="Move it to this moment instead.")
@json_option
@now_option
@home_option
def undo(
    game: str,
    turn: int | None,
    by: str | None,
    to: str | None,
    as_json: bool,
    now: str | None,
    home: str,
) -> None:
    """Take a game's newest turn back; the orders it took count again.

    If you give the command again, it takes no other turn back. To take back the turn before it too, name that
    with `--turn`. To come back to before turn 5 of a game at turn 7, take back 7, 6 and 5, one by one.

    The deadline of its orders has often passed by then. With `--by` or `--to` a new one is set, and told to
    all players in the same letter.

    A turn that is damaged is put back without this: `pbem home mend`.
    """
    opened, at = open_home(home), moment(now)
    span, when = _read_deadline_options(opened, game, by, to, at)
    if as_json:
        done = undo_newest_turn(opened, game, at, turn, by=span, to=when.due if when is not None else None)
        kept = str(done.kept)
        print_json({"game": game, "turn": done.turn, "kept": kept, "was_begun": done.was_begun})
        return
    print_unless_quiet(desk.undo(opened, game, at, turn, span, when))


def _read_deadline_options(
    home: Home, game: str, by: str | None, to: str | None, now: datetime.datetime
) -> tuple[Span | None, WrittenTime | None]:
    """Return what `--by` or `--to` says of a deadline; at most one of them is given."""
    if by and to:
        raise click.UsageError("Give --by or --to.")
    return _read_span_option(by) if by else None, _read_time_option(home, game, to, now)


def _read_time_option(
    home: Home, game: str, text: str | None, now: datetime.datetime, seat: str = ""
) -> WrittenTime | None:
    """Return the moment or day of an option, in the zone of the game or of a seat's player."""
    if text is None:
        return None
    try:
        said = mail.said if (mail := current_mail()) is not None else now
        return read_when(text, said, SavedGame(home, game).table.zone_of(Seat(seat)))
    except RequestRefused as wrong:
        raise click.BadParameter(str(wrong)) from None


def _read_span_option(text: str) -> Span:
    """Return the span of time of an option."""
    if (found := read_span(text)) is None:
        raise click.BadParameter(f"{text!r} is no span of time, such as 90m, 36h or 2 days.")
    return found
