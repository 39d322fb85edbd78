"""What was done and what is to be told: to players of a game and its moderator, each once.

It stands in the journal until it was written to its reader. Where no mail goes, the moderator gets the words.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable
from typing import Final

from pbem.core.events import Seat
from pbem.host.people.gamewriting import Person
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.journal import Journal
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import MODERATOR, Act, Kind, Telling, iso

Moment = datetime.datetime

FOR_NEW_PLAYER: Final = "for-"
"""Begins the title of a wish for the newest report that invites the new player of a seat."""


def to_all(
    saved: SavedGame,
    now: Moment,
    about: str,
    title: str | Callable[[Seat], str],
    words: Callable[[Seat], str],
    kind: Kind = "notice",
    *,
    facts: str,
) -> tuple[Telling, ...]:
    """Return what every player of a game is told.

    Args:
        saved: The game.
        now: The moment.
        about: What it is about: the same is never told twice.
        title: The subject, without the game; or that of each seat, where they differ.
        words: What a seat is told.
        kind: What it is.
        facts: The same as data, from `facts_of`.
    """

    def told(seat: Seat) -> tuple[Telling, ...]:
        subject = title if isinstance(title, str) else title(seat)
        return to_player(saved, now, seat, kind, about, subject, words(seat), facts=facts)

    return tuple(one for seat in players(saved) for one in told(seat))


def players(saved: SavedGame) -> list[Seat]:
    """Return the seats that people play, in seating order."""
    return [seat for seat in saved.start.seats if seat not in {*saved.table.bots, *saved.table.free}]


def to_player(
    saved: SavedGame, now: Moment, seat: Seat, kind: Kind, about: str, title: str, text: str, *, facts: str
) -> tuple[Telling, ...]:
    """Return what one player is told; without mail or an address nobody is told."""
    reader = Person(saved.players.holder(seat), saved.players.address(seat))
    return _telling(saved, now, seat, reader, kind, about, title, text, facts, is_theirs=True)


def about_game(saved: SavedGame) -> str:
    """Return what a player is told of a game who may never have heard of it: its rules, and who hosts it.

    Raises:
        WrongInput: A template fails.
    """
    from pbem.play.reports.welcome import what_it_is  # few acts need it

    return f"{what_it_is(saved)} A mail with the one word `rules` brings its rules."


def to_former(
    saved: SavedGame,
    now: Moment,
    seat: Seat,
    former: Person,
    about: str,
    title: str,
    text: str,
    *,
    facts: str,
) -> tuple[Telling, ...]:
    """Return what the player is told who has just lost a seat.

    The letter names no address of the seat, and if it comes back, no mail to the seat is thought to have.

    Args:
        saved: The game.
        now: The moment.
        seat: The seat.
        former: Whose it was.
        about: What it is about: the same is never told twice.
        title: The subject, without the game.
        text: What they are told.
        facts: The same as data, from `facts_of`.
    """
    return _telling(saved, now, seat, former, "notice", about, title, text, facts, is_theirs=False)


def with_newest(saved: SavedGame, now: Moment, seat: Seat, about: str) -> tuple[Telling, ...]:
    """Return that a seat shall have its newest report once more.

    Args:
        saved: The game.
        now: The moment.
        seat: The seat.
        about: What tells this wish from others: the same again brings nothing more.
    """
    return to_player(
        saved, now, seat, "report", about, about, "", facts=facts_of("report-again", turn=saved.turn)
    )


def tell_moderator(
    home: Home,
    db: Journal,
    now: Moment,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    game: str = "",
    *,
    facts: str,
) -> bool:
    """Tell the moderator something; return whether it is new. Without an address there is nobody to tell.

    Args:
        home: The home.
        db: The journal.
        now: The moment.
        kind: What it is.
        about: What it is about: the same is never told twice.
        title: The subject, without the game.
        text: What is told.
        game: The game it is about, or "".
        facts: The same as data, from `facts_of`.
    """
    address = str(home.mail_section().get("moderator", ""))
    if not address:
        return False
    name = name_of(game or "host", 0, "moderator", kind, about)
    return db.tell(Telling(name, game, 0, "", kind, address, "", 0, title, text, iso(now), facts))


def _telling(
    saved: SavedGame,
    now: Moment,
    seat: Seat,
    reader: Person,
    kind: Kind,
    about: str,
    title: str,
    text: str,
    facts: str,
    *,
    is_theirs: bool,
) -> tuple[Telling, ...]:
    name = name_of(saved.name, saved.turn, seat, kind, about)
    of, mail = (saved.name, saved.turn, seat, kind), (reader.address, reader.player, int(is_theirs))
    told = Telling(name, *of, *mail, title, text, iso(now), facts)
    if is_mailed(saved.home, reader.address):
        return (told,)
    if saved.home.unmailed is not None:
        saved.home.unmailed.setdefault(name, told)
    return ()


def is_mailed(home: Home, address: str) -> bool:
    """Tell whether mail goes from a home to an address."""
    return bool(address and home.mail_section())


def name_of(game: str, turn: int, reader: str, kind: str, about: str) -> str:
    """Return the name of something to be told: the same for the same thing, always."""
    told = hashlib.sha256(f"{game}\n{turn}\n{reader}\n{kind}\n{about}".encode()).hexdigest()[:20]
    return f"{game}.t{turn}.{kind}.{told}"


def act_of(
    now: Moment, game: str, act: str, detail: str, *, public: bool, facts: str, who: str = MODERATOR
) -> Act:
    """Return an act as it is written down.

    Args:
        now: The moment.
        game: The game, or "".
        act: The verb.
        detail: What was done, in words without secrets; if public, as the reports of the next turn say it.
        public: It touched the game, so that all its players may read it.
        facts: The same as data, from `facts_of`.
        who: Who did it: the moderator, the host or a seat.
    """
    return Act(iso(now), who, game, act, detail, int(public), facts)
