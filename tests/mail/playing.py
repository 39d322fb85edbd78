"""Whole games by mail: players who read reports and answer them, each with a mail program of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Protocol

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.reports.reading import filled_form
from pbem.store.errors import WrongInput
from pbem.text.strictyaml import dump
from tests.mail.host import read, text_of
from tests.mail.styles import STYLES, write

_OF_REPORTS = ("invitation", "Your orders", "Others are asked", "The game is over")
_TOKEN = re.compile(r"^host\+([a-z0-9-]+)\.[a-z2-7]{16}@")


class Transport(Protocol):
    """What brings mails to the host and to the players."""

    def to_host(self, raw: bytes, recipient: str, sender: str) -> None:
        """Bring a mail to the host."""

    def host_works(self) -> None:
        """Let the host receive, run and send, as its night job does."""

    def to_player(self, address: str) -> Iterable[bytes]:
        """Return the mails that have come to a player since the last time."""


@dataclass
class Player:
    """A player with a mail program, who plays as a bot would.

    Attributes:
        seat: The seat.
        address: Where mails come.
        style: The mail program, one of `STYLES`.
        answers: What the start form is answered with.
        receipts: Texts of the receipts that came.
        reports: Subjects of the reports that came.
        others: Subjects of whatever else came.
    """

    seat: str
    address: str
    style: str
    answers: Mapping[str, Json]
    receipts: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def reads(self, raw: bytes, brain: Callable[[str, str], str]) -> tuple[bytes, str] | None:
        """Read a mail; return the answer and where it goes, if it wants one."""
        mail = read(raw)
        assert isinstance(mail, EmailMessage)
        assert str(mail["To"]).endswith(f"<{self.address}>")
        subject, reply_to = str(mail["Subject"]), str(mail["Reply-To"])
        if "receipt" in subject or "NOT accepted" in subject or "No orders" in subject:
            self.receipts.append(text_of(mail))
            return None
        found = _TOKEN.match(reply_to)
        if found is None or not any(word in subject for word in _OF_REPORTS):
            self.others.append(subject)
            return None
        self.reports.append(subject)
        orders = self.orders(found[1], subject, brain)
        return (write(self.style, raw, orders, self.address, reply_to), reply_to) if orders else None

    def orders(self, game: str, subject: str, brain: Callable[[str, str], str]) -> str:
        """Return the orders that answer a report, or ""."""
        if "invitation" in subject:
            line: dict[str, Json] = {"at": "start", "do": dict(self.answers)}
            return dump({"game": game, "seat": self.seat, "orders": [line]})
        return brain(game, self.seat) if "Your orders" in subject else ""


def brain_of(home: Home, skill: str = "greedy") -> Callable[[str, str], str]:
    """Return what fills forms in as a bot would, without the notes around the orders."""

    def think(game: str, seat: str) -> str:
        try:
            filled = filled_form(home, game, seat, skill)
        except WrongInput:
            return ""
        return "".join(line for line in filled.splitlines(True) if not line.lstrip().startswith("#"))

    return think


def players_of(seats: Iterable[str], first: int = 0, **answers: Json) -> list[Player]:
    """Return players for seats, with the mail programs in turn, from one of them on."""
    styles = list(STYLES)
    return [
        Player(
            seat,
            f"player-{seat}@example.test",
            styles[n % len(styles)],
            {"luck": f"luck of {seat}", **answers},
        )
        for n, seat in enumerate(seats, first)
    ]


def play(
    players: list[Player],
    transport: Transport,
    brain: Callable[[str, str], str],
    is_over: Callable[[], bool],
    most_rounds: int,
) -> int:
    """Let players and host write to each other until the game is over; return after how many rounds."""
    for number in range(most_rounds):
        transport.host_works()
        if is_over():
            for player in players:
                _read_all(player, transport, brain)
            return number
        for player in players:
            _read_all(player, transport, brain)
    raise AssertionError(f"the game is not over after {most_rounds} rounds")


def _read_all(player: Player, transport: Transport, brain: Callable[[str, str], str]) -> None:
    for raw in transport.to_player(player.address):
        if answer := player.reads(raw, brain):
            transport.to_host(*answer, player.address)
