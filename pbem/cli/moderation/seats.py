"""The verbs of a moderator about seats: seat, replace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from pbem.cli.base import (
    MailableVerb,
    again_option,
    current_mail,
    home_option,
    is_quiet,
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
from pbem.host.notices.queue import is_mailed, words_to_send
from pbem.host.office import acts
from pbem.host.office.status import facts_of_seat
from pbem.host.people.seats import SeatReplacement, free_seat, replace_player
from pbem.host.run.notes import collect_unmailable, notes_of
from pbem.mail.outgoing import seatrepair
from pbem.mail.outgoing.seatrepair import key_of
from pbem.play.config.gamefile import A_BOT
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.text.codec import encode
from pbem.text.names import is_plain_address
from pbem.text.strictyaml import dump, parse

if TYPE_CHECKING:
    from pbem.play.homes.home import Home
    from pbem.store.records import QueuedNotice

_GAME = click.argument("game")
_SEAT = click.argument("seat")


def _refuse_no_address(_context: click.Context, _option: click.Parameter, text: str) -> str:

    if text and not is_plain_address(text):
        raise WrongInput(
            f"--address: {text!r} is no address, such as ann@example.org.", "Nothing was changed."
        )
    return text


@click.command(cls=MailableVerb, needs=2, asks_first=("address", "new-secret"))
@_GAME
@_SEAT
@click.option(
    "--address",
    default="",
    callback=_refuse_no_address,
    help="Mail for the seat goes here from now on; the secret is new too.",
)
@click.option(
    "--new-secret", "--new-key", "new_secret", is_flag=True, help="A new address for orders and a new key."
)
@click.option("--resend", is_flag=True, help="The newest report goes out once more.")
@click.option("--name", default="", help="Its player, the same person, is called so from now on.")
@again_option
@json_option
@now_option
@home_option
def seat(
    game: str,
    seat: str,
    address: str,
    new_secret: bool,
    resend: bool,
    name: str,
    again: bool,
    as_json: bool,
    now: str | None,
    home: str,
) -> None:
    """Show a seat, or mend its player's name, address or secret.

    It shows player, address, orders and mails. You can give it a new address, a new secret or a new name.
    The secret is the address that its player sends orders to, and the key where the game asks for one; in a
    game by files it is the key alone. With a new address the secret is new as well, because the old one stood
    in the mails to the old address.
    Mails that had failed go to the new address. The player is told there, and gets the newest report again.
    A new name changes nothing else; reports use it from the next one on.

    If you give `--new-secret` or `--resend` again, and nothing was done in the game since, nothing is done:
    the command may have been cut off before it could say what it did. `--again` does it once more.
    """
    opened, at, one = open_home(home), moment(now), Seat(seat)
    report = print_hint if as_json else print_unless_quiet
    changed = bool(resend or address or new_secret or name)
    if resend and (address or new_secret):
        raise click.UsageError("A new address or secret brings the newest report anyway: leave --resend out.")
    if name and (address or new_secret or resend):
        raise click.UsageError("Mend the name first, then the rest: --name stands alone.")
    if name:
        report(acts.name(opened, game, one, at, name))
    if resend:
        with done_once(opened, game, ("seat", seat, "resend"), at, again=again) as once:
            report(seatrepair.resend_newest(once, game, one, at))
    elif address or new_secret:
        is_done = False
        with (
            done_once(opened, game, ("seat", seat, "secret", address), at, again=again) as once,
            collect_unmailable(once) as letters,
        ):
            done = seatrepair.mend_seat(once, game, one, at, address)
            by_mail = bool(opened.mail_section())
            report(done.told(game, one, is_moved=bool(address), by_mail=by_mail))
            _print_key(seatrepair.key_of(opened, game, one), seat, as_json=as_json)
            _print_letters(report, opened, game, letters, done.address)
            is_done = True
        if not is_done:
            _print_key(seatrepair.key_of(opened, game, one), seat, as_json=as_json)
    facts = facts_of_seat(opened, game, one)
    if as_json:
        print_json(encode(facts))
    elif not (changed and (is_quiet() or current_mail())):
        print_text("\n".join(facts.told(by_mail=bool(opened.mail_section()))))
        if facts.lodged and not changed and not current_mail():  # a seat's orders are no matter of mails
            written = dump(parse(facts.lodged.encode()).value)  # a form has many comments
            print_text(f"\nlodged, and not taken by a turn yet:\n{written.rstrip()}")


@click.command()
@_GAME
@_SEAT
@click.option("--player", help="The name of the new player.")
@click.option("--address", default="", callback=_refuse_no_address, help="The address of the new player.")
@click.option("--zone", default="", help="The time zone of the new player.")
@click.option("--bot", type=click.Choice(["greedy", "random"]), help="A bot plays it from now on.")
@click.option("--standby", is_flag=True, help="The next player of the standby list takes the seat.")
@click.option("--free", "is_free", is_flag=True, help="Nobody has it any more; before the deal.")
@click.option("--drop-orders", is_flag=True, help="No orders that were sent for the seat count any more.")
@again_option
@now_option
@home_option
def replace(
    game: str,
    seat: str,
    player: str | None,
    address: str,
    zone: str,
    bot: str | None,
    standby: bool,
    is_free: bool,
    drop_orders: bool,
    again: bool,
    now: str | None,
    home: str,
) -> None:
    """Give a seat to another player or a bot, with new secrets.

    If you give `--standby` again, and nothing was done in the game since, nobody else takes the seat: the
    command may have been cut off before it could say what it did. `--again` gives it to the next one.
    """
    if sum([player is not None, bot is not None, standby, is_free]) != 1:
        raise click.UsageError("Give one of --player, --bot, --standby and --free.")
    if bot and (address or zone):
        raise click.UsageError("A bot has no address and no zone.")
    opened, at = open_home(home), moment(now)
    if is_free:
        gone = free_seat(opened, game, Seat(seat), at)
        print_unless_quiet(f"{game}: {seat} is free; {gone} had it.")
        return
    person = None if standby else _person(player, address, zone, bot)
    held = notes_of(opened, game).held.get(Seat(seat))
    words = ("replace", seat, player or "", address, zone, bot or "", *["drop"] * drop_orders)
    done = None
    with done_once(opened, game, words, at, again=again) as once, collect_unmailable(once) as letters:
        done = replace_player(once, game, Seat(seat), person, at, drop_orders=drop_orders)
    if done is None:
        _print_key(key_of(opened, game, Seat(seat)), seat, as_json=False)
        return
    print_unless_quiet(f"{game}: {done.now} plays {seat} from now on, in place of {done.before}.")
    if done.key:
        print_text(f"Key of {seat}: {done.key}")
    print_hint("The other players read it in their next reports.")
    if bot:
        print_hint(
            f"To give it to a player again: pbem replace {game} {seat} --player NAME --address ADDRESS"
        )
    if done.orders:
        fate = _orders_fate_text(done, seat, is_bot=bool(bot))
        print_hint(f"Orders that {done.before} had lodged for {seat} are {fate}.")
    if held:
        print_hint(
            f"Orders of {seat} are held back no longer ({held}). To hold them again: pbem hold {game} {seat}"
        )
    _print_letters(
        print_unless_quiet, opened, game, letters, SavedGame(opened, game).players.address(Seat(seat))
    )


def _print_key(key: str, seat: str, *, as_json: bool) -> None:
    """Print the key that a seat's orders must carry, if they must."""
    if key and not current_mail():  # a mail tells it to nobody but the player
        (print_to_stderr if as_json else print_text)(f"Key of {seat}: {key}")


def _orders_fate_text(done: SeatReplacement, seat: str, *, is_bot: bool) -> str:
    """Return what became of orders that were lodged for a seat, and the way out."""
    if done.orders == "dropped":
        return done.orders
    until = "and go before the bot's" if is_bot else f"until {done.now} sends others"
    return f"kept, {until}. To withdraw them: pbem submit FILE --for-moderator, with `orders: none`"


def _print_letters(
    report: Callable[[str], None], opened: Home, game: str, letters: Mapping[str, QueuedNotice], address: str
) -> None:
    """Say which mail goes to the player of a seat, or give the words for one by hand."""
    if current_mail():  # they have a secret in them
        return
    if is_mailed(opened, address):
        report(f"A letter and the newest report go to {address}, with the next `pbem send`.")
    for line in words_to_send(opened, game, letters):
        report(line)


def _person(player: str | None, address: str, zone: str, bot: str | None) -> Person:
    return Person(player or A_BOT, address, zone, bot or "")
