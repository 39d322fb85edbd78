"""The verbs about the time of a game: extend, pause, resume, away; and cancel, which ends it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import click

from pbem.cli.shared.base import home_option, moment, now_option, open_home, say
from pbem.cli.shared.everywhere import again_option, done_once

if TYPE_CHECKING:
    from pbem.host.time.whens import When
    from pbem.play.config.schedule import Span
    from pbem.play.homes.home import Home

_GAME = click.argument("game")
_WHEN = "2026-12-01 18:00, 1 Dec 18:00, Friday, tomorrow 9:00, in 3 days, +36h"
_BY = "So much later, or from now on if it has passed: 90m, 36h, 2d.  [default: 1d]"


@click.command()
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
    from pbem.host.office import deeds

    opened, at = open_home(home), moment(now)
    more = time_given(opened, game, by, to, at)
    with done_once(opened, game, ("extend", by or "", to or ""), at, again=again) as once:
        say(deeds.extend(once, game, at, *more))


@click.command()
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
    from pbem.host.office import deeds

    opened, at = open_home(home), moment(now)
    first, last = when_given(opened, game, start, at), when_given(opened, game, end, at)
    say(deeds.pause(opened, game, at, why, first, last))


@click.command()
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
    from pbem.host.office import deeds

    opened, at = open_home(home), moment(now)
    when = when_given(opened, game, later, at)
    with done_once(opened, game, ("resume", later or ""), at, again=again) as once:
        say(deeds.resume(once, game, at, when))


@click.command()
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
    from pbem.core.events import Seat
    from pbem.host.office import deeds

    opened, at, one = open_home(home), moment(now), Seat(seat)
    if cancel == bool(end):
        raise click.UsageError("Give --to DAY, or --cancel.")
    last = when_given(opened, game, end, at, one)
    first = when_given(opened, game, start, at, one)
    with done_once(opened, game, ("away", seat, start or "", end or ""), at, again=again) as once:
        if last is None:
            say(deeds.not_away(once, game, one, at))
        else:
            say(deeds.away(once, game, one, at, first, last))


@click.command()
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
    from pbem.host.office import deeds

    if undo == bool(why):
        raise click.UsageError("Give --why TEXT, or --undo.")
    opened, at = open_home(home), moment(now)
    say(deeds.bring_back(opened, game, at) if undo else deeds.cancel(opened, game, at, why))


def time_given(
    home: Home, game: str, by: str | None, to: str | None, now: datetime.datetime
) -> tuple[Span | None, When | None]:
    """Return what `--by` or `--to` says of a deadline; at most one of them is given."""
    if by and to:
        raise click.UsageError("Give --by or --to.")
    return span_given(by) if by else None, when_given(home, game, to, now)


def when_given(
    home: Home, game: str, text: str | None, now: datetime.datetime, seat: str = ""
) -> When | None:
    """Return the moment or day of an option, in the zone of the game or of a seat's player."""
    from pbem.core.events import Seat
    from pbem.host.time.whens import read_when
    from pbem.play.homes.saved import SavedGame
    from pbem.store.errors import Declined

    if text is None:
        return None
    try:
        return read_when(text, now, SavedGame(home, game).table.zone_of(Seat(seat)))
    except Declined as wrong:
        raise click.BadParameter(str(wrong)) from None


def span_given(text: str) -> Span:
    """Return the span of time of an option."""
    from pbem.host.time.whens import read_span

    if (found := read_span(text)) is None:
        raise click.BadParameter(f"{text!r} is no span of time, such as 90m, 36h or 2 days.")
    return found
