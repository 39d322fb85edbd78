"""Whole games by mail alone, through a real mail server: written by SMTP, taken in and read by IMAP."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import imap_tools
import pytest

from pbem.cli import run_command
from pbem.core.interface import Json, Outcome
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.homes import a_game, a_home, top
from tests.mail.homes import write_settings
from tests.mail.playing import Player, brain_of, play, players_of
from tests.mail.stack import PASSWORD, Stack

pytestmark = pytest.mark.mailstack

HOST, ARCHIVE = "host@pbem.test", "archive@pbem.test"


class ByServer:
    """Mails carried by Postfix and Dovecot; the host works by the commands of its night job."""

    def __init__(self, stack: Stack, home: Home) -> None:
        self.stack = stack
        self.home = home
        self.said: list[int] = []

    def to_host(self, raw: bytes, recipient: str, sender: str) -> None:
        self.stack.deliver(sender, recipient, raw)

    def host_works(self) -> None:
        self.stack.settle()
        for verb in (["receive"], ["run", "--due"], ["send"]):
            assert run_command([*verb, "--home", str(top(self.home))]) == 0, verb
        self.stack.settle()

    def to_player(self, address: str) -> Iterable[bytes]:
        box = imap_tools.MailBoxUnencrypted("127.0.0.1", self.stack.imap)
        with box.login(address, PASSWORD):
            uids = box.uids(imap_tools.AND(seen=False))
            return [message.obj.as_bytes() for message in box.fetch(imap_tools.AND(uid=uids))] if uids else []


def seated(stack: Stack, path: Path, rules: str, players: list[Player], **options: Json) -> Home:
    """Return a home with a game that waits for its start forms, all of whose mail goes through the server."""
    home = a_home(path)
    for address in (HOST, ARCHIVE):
        stack.deliver(HOST, address, b"Subject: so that the mailbox is there\r\n\r\n")
    stack.settle()
    password = top(home) / "password"
    password.touch(mode=0o600)
    password.write_text(PASSWORD, encoding="utf-8")
    write_settings(
        home,
        imap={"server": "127.0.0.1", "port": stack.imap, "user": HOST, "password_file": str(password)},
        smtp={"server": "127.0.0.1", "port": stack.smtp},
        archive=str(stack.maildir(ARCHIVE)),
        archive_address=ARCHIVE,
        receipts_per_hour=1000,
        orders_per_hour=1000,
    )
    assert run_command(["receive", "--home", str(top(home))]) == 0
    rows = "".join(f"  '{one.seat}': {{player: P{one.seat}, address: {one.address}}}\n" for one in players)
    a_game(home, "game-1", rules=rules, table=f"seats:\n{rows}", options=options, deal=False)
    return home


def _is_over(home: Home) -> bool:
    return isinstance(SavedGame(home, "game-1").ask, Outcome)


def _verdicts(home: Home) -> dict[str, int]:
    with home.journal() as db:
        sql = "SELECT verdict, count(*) FROM intake WHERE game = 'game-1' GROUP BY verdict"
        return {str(verdict): int(count) for verdict, count in db.rows(sql)}


@pytest.mark.parametrize(
    ("rules", "seats", "answers", "most"),
    [
        ("rose-king", ("red", "white"), {}, 150),
        ("web-of-intrigue", tuple(map(str, range(1, 13))), {"target": 150}, 60),
    ],
    ids=["The Rose King", "Web of Intrigue for twelve"],
)
def test_a_whole_game_is_played_by_mail_alone(
    stack: Stack, tmp_path: Path, rules: str, seats: tuple[str, ...], answers: dict[str, Json], most: int
) -> None:
    players = players_of(seats, 0, **answers)
    for player in players:
        player.address = f"{rules}-{player.seat}@example.test"
    home = seated(stack, tmp_path, rules, players)

    play(players, ByServer(stack, home), brain_of(home), lambda: _is_over(home), most)

    turns = SavedGame(home, "game-1").turn
    sent = sum(len(player.receipts) for player in players)
    assert _verdicts(home) == {"lodged": sent}
    for player in players:
        assert [subject for subject in player.reports if "The game is over" in subject] == player.reports[-1:]
        assert len(player.reports) == turns + 1
        assert all("receipt" in one for one in player.receipts)
        assert player.others == []
    assert verify(home, "game-1").findings == ()
    assert len(stack.letters(ARCHIVE)) >= sent + sum(len(player.reports) for player in players)
    assert list((top(home) / "mail" / "raw").iterdir())
