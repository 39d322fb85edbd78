"""The desk at which mails are worked on: what is open, and how much each seat has had."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Final

from pbem.core.events import Seat
from pbem.mail.settings import MailSettings
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.turns import Turns
from pbem.store.journal import Journal

HOUR: Final = datetime.timedelta(hours=1)

Counted = dict[tuple[str, str, str], int]


@dataclass(frozen=True, slots=True)
class Desk:
    """What is at hand while a batch of mails is processed.

    Attributes:
        home: The home.
        db: The mail database, open.
        settings: What the home says about mail.
        now: The moment of the batch.
        games: Games that were opened before, by id, with what they were opened from.
        counted: How many mails of a seat came, and how many answers it got, within the hour.
    """

    home: Home
    db: Journal
    settings: MailSettings
    now: datetime.datetime
    games: dict[str, tuple[object, SavedGame]] = field(default_factory=dict)
    counted: Counted = field(default_factory=dict)

    def game(self, name: str) -> SavedGame | None:
        """Return a game as it stands; None if there is none of this id."""
        if not self.home.has(name):
            return None
        turns = Turns(self.home.store, name)
        newest, table = turns.at(turns.newest()) / "turn.json", self.home.game(name) / "game.yaml"
        stands = [(place.path, place.stamp()) for place in (newest, table)]
        known = self.games.get(name)
        if known is None or known[0] != stands:
            self.games[name] = known = (stands, SavedGame(self.home, name))
        return known[1]

    def answers(self, game: str, seat: Seat) -> int:
        """Return how many answers to its mails a seat got within the hour."""
        return self._count("answers", game, seat)

    def orders(self, game: str, seat: Seat) -> int:
        """Return how many mails with orders of a seat were looked at within the hour."""
        return self._count("orders", game, seat)

    def had(self, what: str, game: str, seat: Seat) -> None:
        """Count one more of them."""
        self.counted[what, game, seat] = self._count(what, game, seat) + 1

    def _count(self, what: str, game: str, seat: Seat) -> int:
        if (what, game, seat) not in self.counted:
            since = self.db.answers_since if what == "answers" else self.db.orders_since
            self.counted[what, game, seat] = since(game, seat, self.now - HOUR)
        return self.counted[what, game, seat]
