"""Bots that play by mail alone: they read what comes to their Maildirs, and answer by the mail server."""

from __future__ import annotations

import email.policy
import random
import re
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.reports.reading import filled_form
from pbem.store.errors import JournalRefused, WrongInput
from pbem.text.strictyaml import dump
from tests.farm.games import KINDS, Seated
from tests.mail.stack import Stack
from tests.mail.styles import STYLES, write

SECOND_THOUGHTS: Final = 0.03
"""So often a bot writes a second time for the same ask."""

MOST_TRIES: Final = 8
"""So often a bot writes again after a refusal of orders for the same ask."""

_TURN: Final = re.compile(r"\.t(\d+)\.[^@]*\.(?:report|invitation)")
"""The turn in the Message-ID of a report."""
_HEADERS: Final = BytesHeaderParser(policy=email.policy.default)
_LABEL: Final = re.compile(r"Your orders\b.*, please \((\S+)\)$")


@dataclass
class Bots:
    """All players.

    Attributes:
        stack: The mail server.
        home: The home, reached directly; bots look at it for what a bot would order, and for nothing else.
        seats: Who has which address.
        luck: What decides on styles and second thoughts.
        wrote: Who wrote each mail, by its Message-ID.
        turns: The newest turn that a report told, by game.
        over: The seats that were told that their game is over.
        came: Mails that have come.
        todo: Mails that are still to be read.
        known: The files of those that were seen.
        asked: The newest report of each address that asked for orders.
        tries: How often a seat has written for an ask, and how often again for orders that were refused.
    """

    stack: Stack
    home: Home
    seats: dict[str, Seated]
    luck: random.Random
    wrote: dict[str, Seated] = field(default_factory=dict)
    turns: Counter[str] = field(default_factory=Counter)
    over: set[tuple[str, str]] = field(default_factory=set)
    came: int = 0
    todo: deque[tuple[Seated, Path]] = field(default_factory=deque)
    known: set[str] = field(default_factory=set)
    asked: dict[str, bytes] = field(default_factory=dict)
    tries: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        """Tell whether everybody knows that the game is over."""
        return len(self.over) == len(self.seats)

    @property
    def progress(self) -> float:
        """How much of all games is played, about: 0 to 1."""
        seats = Counter((one.game, one.rules) for one in self.seats.values())
        ended = {game for game, _ in self.over}
        done = whole = 0.0
        for (game, rules), count in seats.items():
            turns = KINDS[rules].turns * count / len(KINDS[rules].seats)  # what the house plays takes none
            whole += turns
            done += turns if game in ended else min(self.turns[game], turns)
        return done / whole

    def go_on(self) -> bool:
        """Read and answer what has come, as far as the home can be reached; tell whether anything had."""
        self._look()
        moved = False
        while self.todo:
            try:
                self._read(*self.todo[0])
            except JournalRefused:
                return moved
            self.todo.popleft()
            moved = True
        return moved

    def _look(self) -> None:
        for address, seat in self.seats.items():
            folder = self.stack.maildir(address) / "new"
            if not folder.is_dir():
                continue
            for path in sorted(folder.iterdir()):
                if path.name not in self.known:
                    self.known.add(path.name)
                    self.came += 1
                    self.todo.append((seat, path))

    def _read(self, seat: Seated, path: Path) -> None:
        raw = path.read_bytes()
        head = _HEADERS.parsebytes(raw)
        subject, reply_to = str(head["Subject"]), str(head["Reply-To"])
        if "NOT accepted" in subject:
            self._answer(seat, reply_to, "again")
            return
        found = _TURN.search(str(head["Message-ID"]))
        if found is None:
            return
        self.turns[seat.game] = max(self.turns[seat.game], int(found[1]))
        if "The game is over" in subject:
            self.over.add((seat.game, seat.seat))
        elif "invitation" in subject:
            self.asked[seat.address] = raw
            self._answer(seat, reply_to, "start")
        elif label := _LABEL.search(subject):
            self.asked[seat.address] = raw
            self._answer(seat, reply_to, label[1])

    def _answer(self, seat: Seated, reply_to: str, label: str) -> None:
        """Write what a bot would order now; nothing, if it was answered or is not asked any more."""
        orders = _start_form(seat) if label == "start" else self._orders(seat)
        if not orders:
            return
        ask = (seat.game, seat.seat, label if label != "again" else orders)
        most = MOST_TRIES if label == "again" else 1
        if self.tries[ask] >= most:
            return
        self.tries[ask] += 1
        for _ in range(2 if self.luck.random() < SECOND_THOUGHTS else 1):
            self._send(seat, orders, reply_to)

    def _orders(self, seat: Seated) -> str:
        try:
            filled = filled_form(self.home, seat.game, seat.seat, "random")
        except JournalRefused:
            raise
        except WrongInput:
            return ""
        return "".join(line for line in filled.splitlines(True) if not line.lstrip().startswith("#"))

    def _send(self, seat: Seated, orders: str, recipient: str) -> None:
        """Answer the newest report with a mail program in which these orders were not written yet."""
        for style in self.luck.sample(list(STYLES), len(STYLES)):
            raw = write(style, self.asked[seat.address], orders, seat.address, recipient)
            name = str(_HEADERS.parsebytes(raw)["Message-ID"])
            if name not in self.wrote:
                self.stack.deliver(seat.address, recipient, raw)
                self.wrote[name] = seat
                return


def _start_form(seat: Seated) -> str:
    line: Json = {"at": "start", "do": {"luck": f"luck of {seat.address}", **KINDS[seat.rules].answers}}
    return dump({"game": seat.game, "seat": seat.seat, "orders": [line]})


def bots_of(stack: Stack, home: Home, seats: Iterable[Seated], luck: random.Random) -> Bots:
    """Return the players of seats."""
    return Bots(stack, home, {one.address: one for one in seats}, luck)
