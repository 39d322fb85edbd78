"""The verbs of a moderator between the turns, from `vote` to `acts`."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import click

from pbem.cli.base import (
    again_option,
    done_once,
    hint,
    home_option,
    json_option,
    moment,
    now_option,
    open_home,
    print_json,
    say,
    talk,
    tell,
)
from pbem.cli.bymail import MailableVerb
from pbem.core.events import Seat
from pbem.play.config.schedule import zone_of
from pbem.store.errors import WrongInput
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.config.gamefile import Table
    from pbem.play.homes.home import Home

_GAME = click.argument("game")
_SEAT = click.argument("seat")

_COUNTS_AS_TOLD = (
    "These news count as told: the next digest leaves them out. They stay in `pbem acts GAME`, in "
    "`pbem status GAME` while they hold, and for mail N in `pbem answer N`."
)


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
    from pbem.host.notices.queue import words_to_send
    from pbem.host.people.votes import vote as cast
    from pbem.host.run.notes import kept_for_hand

    opened, at = open_home(home), moment(now)
    words = ("vote", seat, kind, *["withdraw"] * withdraw)
    with (
        done_once(opened, game, words, at, again=again) as once,
        kept_for_hand(once) as letters,
    ):
        cast_vote = cast(once, game, Seat(seat), kind, at, yes=not withdraw)
        say("\n".join([f"{game}: {cast_vote.text}", *words_to_send(opened, game, letters)]))


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
    from pbem.host.office import acts

    opened, at, one = open_home(home), moment(now), Seat(seat)
    say(acts.release(opened, game, one, at) if release else acts.hold(opened, game, one, at, why))


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
    from pbem.host.office import acts

    if to_all == (text is not None):
        given = "with --all, give the text alone" if to_all else "name the game, then give the text; or --all"
        raise click.UsageError(f"{given[0].upper()}{given[1:]}.")
    opened, at = open_home(home), moment(now)
    if text is not None:
        with done_once(opened, game, ("announce", text.strip()), at, again=again) as once:
            say(acts.announce(once, game, at, text))
        return 0
    from pbem.host.run.losses import Troubles

    troubles = Troubles(opened, at, talk)
    told = 0
    with done_once(opened, "", (), at, again=True):
        for said in acts.announce_to_all(opened, at, game, troubles.set_aside, again=again):
            told += 1
            say(said)
        if not told and not troubles.codes:
            hint("No game is running that lacks it.")
    return troubles.exit_code


@click.command()
@click.argument("games", nargs=-1)
@json_option
@now_option
@home_option
def remind(games: tuple[str, ...], as_json: bool, now: str | None, home: str) -> None:
    """Remind those who owe orders when a deadline is near.

    Each player is reminded once for each ask.
    """
    from pbem.host.notices.queue import is_mailed
    from pbem.host.time.extensions import queue_reminders, reminders
    from pbem.mail.account.settings import has_mail
    from pbem.play.homes.saved import SavedGame

    opened, at = open_home(home), moment(now)
    rows: list[Json] = []
    for game in games or opened.games():
        saved = SavedGame(opened, game)
        owed = reminders(saved, at)
        queued = []
        if owed and has_mail(opened):
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
            say(f"{game}: {one.seat} ({one.player}) owes {one.label}, due {one.due}; {how}")
    if as_json:
        print_json(rows)
    elif not rows:
        hint("Nobody is to be reminded now. When orders are due, and who owes them: pbem status")


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
    from pbem.host.notices.digest import digest as gather
    from pbem.host.notices.queue import note_told, to_note
    from pbem.store.rests import how_closed

    opened = open_home(home)
    for game in games:
        opened.game(game)
    names = games or opened.games()
    with opened.journal() as db:
        upto = to_note(db)
        found = gather(opened, db, (), names, asked_of=games or None, now=moment(now))
        if not as_json:
            tell(found.text())
            mail, is_open = opened.mail_section(), how_closed(opened.store) is None
            if mail and not mail.get("moderator") and is_open:
                with db.writing():
                    note_told(db, upto)
                if found.news:
                    hint(_COUNTS_AS_TOLD)
    if as_json:
        print_json(encode(found))


@click.command()
@_GAME
@json_option
@home_option
def acts(game: str, as_json: bool, home: str) -> None:
    """Tell what was done to a game between its turns, and by whom.

    It lists what the moderator, the host and the players did, with times in the home's zone. Turns that were
    taken back stand there too, and seats that a bot or a standby took over for turns missed.
    """
    from pbem.host.notices.wording import act_words
    from pbem.host.office.acts import all_acts
    from pbem.store.records import read_facts

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
    zone = zone_of((table.zone_of_all if table is not None else opened.zone()) or "UTC")
    for one in found:
        at = datetime.datetime.fromisoformat(one.at).astimezone(zone)
        end = "" if one.public else " (not public)"
        words = act_words(opened, one, table)
        tell(f"{at:%Y-%m-%d %H:%M:%S %Z} {one.who} {one.act}: {words}{end}")


def _table_of(opened: Home, game: str) -> Table | None:
    """Return the table of a game; None of a damaged one."""
    from pbem.play.homes.saved import SavedGame

    try:
        return SavedGame(opened, game).table
    except WrongInput:
        return None
