"""A host that plays by mail in one process: mails are handed to it, and what it would send is read."""

from __future__ import annotations

import datetime
import email
import email.policy
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from pathlib import Path
from typing import Any

from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.mail.account.addresses import orders_address, press_address, token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.intake import Arrival, store_arrival
from pbem.mail.arrivals.processing import ProcessedMail, process
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.mailout import QueuedMail
from pbem.store.records import Intake
from tests.homes import NOW, a_game, a_home, game_folder, orders_path, orders_text
from tests.mail.homes import TWO_BY_MAIL, letters_written, write_settings

ANN, BOB = "ann@example.test", "bob@example.test"
RED, WHITE = Seat("red"), Seat("white")
N2: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}]
E1: list[Json] = [{"at": "red-1", "do": {"play": "E1"}}]
BAD: list[Json] = [{"at": "red-1", "do": {"play": "N4"}}]


@dataclass
class Host:
    """A home that plays by mail."""

    home: Home
    now: datetime.datetime = NOW
    numbers: int = 0
    said: list[ProcessedMail] = field(default_factory=list)

    def address(self, seat: str = "red", game: str = "rose-1") -> str:
        """Return where a seat writes its orders."""
        with self.home.journal() as db:
            settings = mail_settings(self.home)
            return orders_address(settings, game, token_of(SavedGame(self.home, game), Seat(seat), db))

    def press_address(self, seat: str = "red", game: str = "rose-1") -> str:
        """Return where a seat writes press."""
        with self.home.journal() as db:
            settings = mail_settings(self.home)
            return press_address(settings, game, token_of(SavedGame(self.home, game), Seat(seat), db))

    def put(self, raw: bytes, to: str, sender: str = ANN) -> int | None:
        """Hand a mail to the host, and do not process it yet."""
        with self.home.journal() as db:
            return store_arrival(self.home, db, Arrival("stdin", self.now, sender, to, raw))

    def process(self) -> list[ProcessedMail]:
        """Process what waits."""
        self.said += (done := process(self.home, self.now, MailedCommands()))
        return done

    def gets(self, raw: bytes, to: str, sender: str = ANN) -> ProcessedMail:
        """Hand a mail to the host, and return what became of it."""
        number = self.put(raw, to, sender)
        assert number is not None, "the very same mail came before"
        return next(one for one in self.process() if one.intake == number)

    def orders(self, lines: list[Json], seat: str = "red", sender: str = "", **more: Any) -> ProcessedMail:
        """Send a seat's orders as its player would."""
        sender = sender or {"red": ANN, "white": BOB}[seat]
        text = orders_text("rose-1", seat, lines)
        return self.gets(self.a_mail(text, sender=sender, **more), self.address(seat), sender)

    def a_mail(self, text: str = "", sender: str = ANN, subject: str = "Orders", **headers: str) -> bytes:
        """Return a mail with a Message-ID of its own."""
        self.numbers += 1
        mail = EmailMessage()
        fields = {"From": sender, "Message-ID": f"<mail{self.numbers}@example.test>", "Subject": subject}
        for name, value in {**fields, **{key.replace("_", "-"): one for key, one in headers.items()}}.items():
            if value:
                mail[name] = value
        mail.set_content(text)
        return mail.as_bytes()

    def outbox(self, kind: str = "") -> list[QueuedMail]:
        """Return the mails that wait to be sent, in order."""
        letters_written(self.home, self.now)
        with self.home.journal() as db:
            return [one for one in db.outbox("queued") if kind in ("", one.kind)]

    def answers(self) -> list[Message]:
        """Return the answers that wait to be sent."""
        return [read(one.raw) for one in self.outbox("receipt")]

    def answer(self) -> str:
        """Return the text of the only answer."""
        (one,) = self.answers()
        return text_of(one)

    def intake(self, number: int) -> Intake:
        """Return what is known of a mail that came in."""
        with self.home.journal() as db:
            return db.intake(number)

    def lodged(self, seat: str = "red", game: str = "rose-1") -> str:
        """Return the orders of a seat that are lodged, or ""."""
        path = orders_path(self.home, game, Seat(seat))
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def game_file(self, more: str, game: str = "rose-1") -> None:
        """Add lines to a game's file."""
        path = game_folder(self.home, game) / "game.yaml"
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")


def a_host(path: Path, more: str = "", **mail: Json) -> Host:
    """Return a host with one dealt game of The Rose King, rose-1, by mail."""
    home = a_home(path)
    write_settings(home, **mail)
    a_game(home, table=TWO_BY_MAIL + more)
    return Host(home)


def read(raw: bytes) -> EmailMessage:
    """Return a mail as a player's program reads it."""
    return email.message_from_bytes(raw, policy=email.policy.default)


def text_of(mail: Message) -> str:
    """Return the plain text of a mail."""
    assert isinstance(mail, EmailMessage)
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")
