"""The desk at which mails are worked on: what is open, what each seat had, what a mail is going to store."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass, field
from typing import Final

from pbem.core.events import Seat
from pbem.mail.account.settings import MailSettings
from pbem.mail.conversation.acts import CommandLine
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.lodging import KnownSender
from pbem.play.submissions.receipts import LodgingPlan
from pbem.store.journal import PLAN, Journal
from pbem.store.records import Intake
from pbem.text.codec import decode, dumps_line, encode

HOUR: Final = datetime.timedelta(hours=1)

Counted = dict[tuple[str, str, str], int]


@dataclass(frozen=True, slots=True)
class Desk:
    """What is at hand while a batch of mails is processed.

    Attributes:
        home: The home.
        db: The journal, open.
        settings: What the home says about mail.
        now: The moment of the batch.
        commands: Reads what the moderator mails.
        games: Games that were opened before, by id, with what they were opened from.
        counted: How many mails of a seat came, and how many answers it got, within the hour.
    """

    home: Home
    db: Journal
    settings: MailSettings
    now: datetime.datetime
    commands: CommandLine
    games: dict[str, tuple[object, SavedGame]] = field(default_factory=dict)
    counted: Counted = field(default_factory=dict)

    def game(self, name: str) -> SavedGame | None:
        """Return a game as it stands; None if there is none of this id."""
        if not self.home.has(name):
            return None
        turns = self.home.turns(name)
        newest, table = turns.at(turns.newest()) / "turn.json", self.home.game(name) / "game.yaml"
        stands = [(place.path, place.stamp()) for place in (newest, table)]
        known = self.games.get(name)
        if known is None or known[0] != stands:
            self.games[name] = known = (stands, SavedGame(self.home, name))
        return known[1]

    def answers(self, game: str, seat: Seat, turn: int = 0) -> int:
        """Return how many answers to its mails a seat got within the hour, in a turn and later ones.

        So a game that is played quickly, answer upon answer, never comes to the limit.
        """
        key = ("answers", game, seat)
        if key not in self.counted:
            self.counted[key] = self.db.answers_since(game, seat, self.now - HOUR, turn)
        return self.counted[key]

    def orders(self, game: str, seat: Seat) -> int:
        """Return how many mails with orders of a seat were looked at within the hour."""
        key = ("orders", game, seat)
        if key not in self.counted:
            self.counted[key] = self.db.orders_since(game, seat, self.now - HOUR)
        return self.counted[key]

    def answered(self, game: str, seat: Seat, turn: int = 0) -> None:
        """Count one more answer."""
        self.counted["answers", game, seat] = self.answers(game, seat, turn) + 1

    def looked_at(self, game: str, seat: Seat) -> None:
        """Count one more mail with orders."""
        self.counted["orders", game, seat] = self.orders(game, seat) + 1


def sender_of(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat, *, gets_receipt: bool) -> KnownSender:
    """Return whose orders or press those of a mail must be, and what an earlier try was going to store."""
    key = _plan_key(intake, seat)

    def note(plan: LodgingPlan) -> None:
        with desk.db.writing():
            if gets_receipt:
                desk.db.note_receipt(intake.id, saved.name, seat, plan.number)
            desk.db.set_note(saved.name, key, dumps_line(encode(plan)))

    return KnownSender(saved.name, seat, _noted_plan(desk, intake, saved, seat), note)


def forget_plan(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat) -> None:
    """Forget what was noted; in the transaction in which the mail ends."""
    desk.db.set_note(saved.name, _plan_key(intake, seat), None)


def _noted_plan(desk: Desk, intake: Intake, saved: SavedGame, seat: Seat) -> LodgingPlan | None:
    written = desk.db.note(saved.name, _plan_key(intake, seat))
    if written is not None:
        noted = {"text": "", "notes": [], **json.loads(written)}  # older versions mended nothing
        noted.pop("dropped", None)  # and said there what they left out
        return decode(LodgingPlan, noted, "what a mail was going to store")
    is_of_older_version = intake.receipt and (intake.game, intake.seat) == (saved.name, seat)
    return LodgingPlan(intake.receipt) if is_of_older_version else None


def _plan_key(intake: Intake, seat: Seat) -> str:
    return f"{PLAN}{intake.id}:{seat}"
