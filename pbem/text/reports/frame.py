"""The frame of a report: what it needs besides the view and the events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.core.engine.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Json


class Frame(NamedTuple):
    """What a report needs besides the view and the events.

    Attributes:
        game: The id of the game.
        rules: The name of its rules.
        turn: The turn's number.
        seat: The reader; None is the spectator.
        players: Name of the player in each seat, in seating order.
        deadline: When orders are due, in words, or "" when there is no deadline.
        commitment: SHA-256 of the secret seed.
        key_asked: Orders must carry the seat's key.
        asked: The highest count asked so far, by owner of the label.
        orders: The reader's own pending orders.
        own_tables: Names of the data tables that are the moderator's own.
        new_key: The key of a standby who has just taken the seat; "" for all others.
        marker: The first line of the reader's form, with its code; "" for a form that is not sent by mail.
        history: Public numbers turn by turn, as `text.reports.plots` keeps them.
        silence: What becomes of the seat if no line of its fits at the deadline; the end of a sentence.
        press: Whether seats may write to each other.
        by_mail: The report goes out as a mail, with the form's page, and a mail comes back.
        is_away: The reader had announced to be away, so that its silence in this turn is no missed turn.
        bots: Seats that bots play: the game asks them, and waits for none of them.
        over: Numbers of the reader's lines that the last report told as over.
        origins: Where the luck words of each seat came from, in the report that tells the deal; else empty.
        welcome: What an invitation says besides (`play.reports.welcome`); empty for all later reports.
    """

    game: str
    rules: str
    turn: int
    seat: Seat | None
    players: Mapping[Seat, str]
    deadline: str
    commitment: str
    key_asked: bool
    asked: Mapping[str, int]
    orders: Orders
    new_key: str = ""
    own_tables: tuple[str, ...] = ()
    marker: str = ""
    history: Mapping[str, Json] = {}
    silence: str = "the game waits for you"
    press: bool = True
    by_mail: bool = False
    welcome: Mapping[str, Json] = {}
    origins: Mapping[str, Json] = {}
    is_away: bool = False
    bots: frozenset[Seat] = frozenset()
    over: frozenset[int] = frozenset()
