"""Killed a hundred times while mail comes in, turns run and mail goes out: counted at the recipients."""

from __future__ import annotations

import contextlib
import datetime
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.utils import format_datetime
from pathlib import Path

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.homes import a_game, a_home, orders_text, top
from tests.mail.disturbed import PROJECT, Shell
from tests.mail.homes import TWO_BY_MAIL, write_settings
from tests.mail.host import Host
from tests.mail.stack import Stack

pytestmark = pytest.mark.mailstack

KILLS = 100
START = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
KILLED = -signal.SIGKILL
VERBS = ("receive", "run", "send")
GATE = 3
"""A run waits while mail was taken in and not read."""
MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^>]*>)", re.IGNORECASE | re.MULTILINE)
IN_REPLY_TO = re.compile(rb"^in-reply-to:[ \t]*(?:\r?\n[ \t]+)?(<[^>]*>)", re.IGNORECASE | re.MULTILINE)
FOUR = "seats:\n" + "".join(
    f"  {seat}: {{player: Player {seat}, address: p{seat}@example.test}}\n" for seat in (1, 2, 3, 4)
)
READERS = ["ann@example.test", "bob@example.test", *(f"p{seat}@example.test" for seat in (1, 2, 3, 4))]


def first(pattern: re.Pattern[bytes], raw: bytes) -> str:
    found = pattern.search(re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0])
    return found[1].decode() if found else ""


@dataclass
class Players:
    """Bots that answer their asks by mail, and sometimes think again.

    Attributes:
        wrote: Sender of each mail, by its Message-ID.
        answered: The asks that a mail was written for.
    """

    home: Home
    stack: Stack
    luck: random.Random
    wrote: dict[str, str] = field(default_factory=dict)
    answered: set[tuple[str, str, str]] = field(default_factory=set)

    def write(self) -> None:
        """Write for what is asked now."""
        for game in self.home.games():
            saved = SavedGame(self.home, game)
            if not isinstance(saved.ask, Ask):
                continue
            for seat in sorted(saved.ask.seats):
                ask = (game, str(seat), str(saved.ask.label))
                if ask not in self.answered or self.luck.random() < 0.1:
                    self.answered.add(ask)
                    self._mail(saved, seat, str(saved.ask.label))

    def _mail(self, saved: SavedGame, seat: Seat, label: str) -> None:
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"campaign", len(self.wrote)), "random")
        text = orders_text(saved.name, seat, [{"at": label, "do": do}])
        sender, message_id = saved.players.address(seat), f"<m{len(self.wrote)}@example.test>"
        date = format_datetime(START + datetime.timedelta(seconds=len(self.wrote)))
        head = (
            f"From: {sender}\r\nTo: host\r\nSubject: orders\r\nMessage-ID: {message_id}\r\nDate: {date}\r\n"
        )
        to = Host(self.home).address(seat, saved.name)
        self.stack.deliver(sender, to, f"{head}\r\n{text}".replace("\r\n", "\n").encode())
        self.wrote[message_id] = sender


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    found = Shell(tmp_path, "serve_killing")
    yield found
    found.close()


def a_busy_home(stack: Stack, path: Path, address: str = "host@pbem.test") -> Home:
    """Return a home with two games by mail, whose mail goes through the server."""
    for name in ("pbem.test", "example.test"):
        shutil.rmtree(stack.folder / "mail" / name, ignore_errors=True)
    for one in ("archive@pbem.test", "host@pbem.test"):
        stack.deliver("", one, b"Message-ID: <first@example.test>\r\n\r\n")
    stack.settle()
    home = a_home(path)
    write_settings(
        home,
        address=address,
        maildir=str(stack.maildir("host@pbem.test")),
        smtp={"server": "127.0.0.1", "port": stack.smtp},
        archive=str(stack.maildir("archive@pbem.test")),
        archive_address="archive@pbem.test",
        orders_per_hour=1000,
        receipts_per_hour=1000,
    )
    a_game(home, table=TWO_BY_MAIL)
    a_game(home, "web-1", rules="web-of-intrigue", table=FOUR, options={"turns": 30})
    return home


def finish(home: Home, stack: Stack, shell: Shell) -> None:
    """Do everything that is left undone, undisturbed, until nothing more comes."""
    for _ in range(4):
        stack.settle()
        for verb in VERBS:
            code, _ = shell.kill_after(-1, [verb, "--home", str(top(home))])
            assert code == 0, verb
    stack.settle()
    with home.journal() as db:
        assert db.rows("SELECT state, count(*) FROM outbox GROUP BY state")[0][0] == "sent"
        assert db.unread() == 0


def check_recipients(home: Home, stack: Stack) -> int:
    """Count every mail that went out at its reader and in the archive: once each. Return how many."""
    with home.journal() as db:
        rows = db.rows("SELECT rcpt, message_id FROM outbox WHERE state = 'sent'")
    for reader in READERS:
        got = Counter(first(MESSAGE_ID, letter) for letter in stack.letters(reader))
        assert got == Counter(name for rcpt, name in rows if rcpt == reader), reader
    kept = Counter(first(MESSAGE_ID, letter) for letter in stack.letters("archive@pbem.test"))
    assert {name: count for name, count in kept.items() if not name.startswith("<probe.")} == {
        "<first@example.test>": 1,
        **{name: 1 for _, name in rows},
    }
    return len(rows)


def check_orders(home: Home, stack: Stack, players: Players) -> int:
    """Look for every mail that a player wrote: taken in once, and answered once if it was lodged."""
    with home.journal() as db:
        taken = [db.intake(number) for number in range(1, db.arrived() + 1)]
    by_id = Counter(first(MESSAGE_ID, read_raw_mail(home, one)) for one in taken)
    assert {name: by_id[name] for name in players.wrote} == dict.fromkeys(players.wrote, 1)
    verdicts = {first(MESSAGE_ID, read_raw_mail(home, one)): one.verdict for one in taken}
    answers = Counter(
        first(IN_REPLY_TO, letter)
        for reader in READERS
        for letter in stack.letters(reader)
        if b"Auto-Submitted: auto-replied" in letter
    )
    assert {verdicts[name] for name in players.wrote} <= {"lodged", "refused"}
    assert {name: answers[name] for name in players.wrote} == dict.fromkeys(players.wrote, 1)
    return sum(verdicts[name] == "lodged" for name in players.wrote)


def test_a_hundred_kills_lose_and_double_nothing(stack: Stack, tmp_path: Path, shell: Shell) -> None:
    home, luck = a_busy_home(stack, tmp_path), random.Random(7)
    players = Players(home, stack, luck)
    killed: Counter[str] = Counter()
    usual = dict.fromkeys(VERBS, 0.5)
    while killed.total() < KILLS:
        if luck.random() < 0.5:
            players.write()
        verb = luck.choice(VERBS)
        seconds = luck.uniform(0, 1.1) * usual[verb]

        code, took = shell.kill_after(seconds, [verb, "--home", str(top(home))])

        assert code in (0, 1, GATE, KILLED)
        killed[verb] += code == KILLED
        if code == 0:
            usual[verb] = 0.7 * usual[verb] + 0.3 * took
        elif killed.total() % 5 == 0:
            shell.kill_after(-1, [verb, "--home", str(top(home))])  # so that the play goes on

    finish(home, stack, shell)
    mails = check_recipients(home, stack)
    lodged = check_orders(home, stack, players)
    turns = 0
    for game in home.games():
        found = verify(home, game)
        assert found.findings == ()
        turns += found.turns
    print(f"killed {dict(killed)}; {lodged} orders mails lodged, {turns} turns, {mails} mails sent")
    assert lodged >= 20
    assert mails >= 60
    assert min(killed[verb] for verb in VERBS) >= 15


@contextlib.contextmanager
def listening(home: Home, stack: Stack) -> Iterator[subprocess.Popen[str]]:
    """Let `pbem lmtp --answer` listen, until it is killed."""
    words = [
        sys.executable,
        "-m",
        "pbem",
        "lmtp",
        "--answer",
        "--home",
        str(top(home)),
        "--port",
        str(stack.lmtp),
    ]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=PROJECT) as program:
        assert program.stderr
        assert "takes mail in by LMTP" in program.stderr.readline()
        try:
            yield program
        finally:
            program.kill()
            program.stderr.read()


def test_a_listener_that_is_killed_while_it_takes_in_and_answers_loses_and_doubles_nothing(
    stack: Stack, tmp_path: Path, shell: Shell
) -> None:
    home, luck = a_busy_home(stack, tmp_path, "host@lmtp.test"), random.Random(11)
    players = Players(home, stack, luck)
    for _ in range(12):
        with listening(home, stack) as program:
            for _ in range(3):
                players.answered.clear()
                players.write()
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(luck.uniform(0, 0.5))
    with listening(home, stack):
        stack.flush()
        stack.settle()

    finish(home, stack, shell)
    check_recipients(home, stack)
    assert check_orders(home, stack, players) >= 20
