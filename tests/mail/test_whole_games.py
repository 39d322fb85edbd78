"""Games by mail, in memory: what players send in six styles of mail program, and what they read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json, Outcome
from pbem.mail.delivery import queue_all
from pbem.mail.settings import mail_settings
from pbem.play.saved import SavedGame
from pbem.play.verify import verify
from tests.homes import NOW, a_game, a_home, top
from tests.mail.homes import write_settings
from tests.mail.host import Host
from tests.mail.playing import Player, brain_of, play, players_of


class ByHand:
    """Mails carried from the outbox to the players and back, within one process."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.boxes: dict[str, list[bytes]] = {}

    def to_host(self, raw: bytes, recipient: str, sender: str) -> None:
        assert self.host.put(raw, recipient, sender) is not None

    def host_works(self) -> None:
        self.host.process()
        assert run_command(["run", "--home", str(top(self.host.home)), "--now", NOW.isoformat()]) == 0
        with self.host.home.journal() as db:
            queue_all(self.host.home, db, mail_settings(self.host.home), NOW, print)
            for row in db.outbox("queued"):
                db.mark(row.id, "sent", NOW)
                self.boxes.setdefault(row.rcpt, []).append(row.raw)

    def to_player(self, address: str) -> Iterable[bytes]:
        return self.boxes.pop(address, [])


def seated(path: Path, rules: str, players: list[Player], **options: Json) -> Host:
    """Return a host with a game that waits for its start forms."""
    home = a_home(path)
    write_settings(home, receipts_per_hour=1000, orders_per_hour=1000)
    rows = "".join(f"  '{one.seat}': {{player: P{one.seat}, address: {one.address}}}\n" for one in players)
    a_game(home, "game-1", rules=rules, table=f"seats:\n{rows}", options=options, deal=False)
    return Host(home)


def _is_over(host: Host) -> bool:
    return isinstance(SavedGame(host.home, "game-1").ask, Outcome)


@pytest.mark.parametrize("first", (0, 4))
def test_a_rose_king_game_is_played_by_mail_from_invitation_to_end(tmp_path: Path, first: int) -> None:
    players = players_of(("red", "white"), first=first)
    host = seated(tmp_path, "rose-king", players, own_tokens=4)

    play(players, ByHand(host), brain_of(host.home), lambda: _is_over(host), 60)

    assert {one.verdict for one in host.said} == {"lodged"}
    for player in players:
        assert len(player.receipts) >= 4
        assert all("are lodged: receipt" in one for one in player.receipts)
        assert "The game is over" in player.reports[-1]
    assert verify(host.home, "game-1").findings == ()


def test_some_turns_of_web_of_intrigue_with_twelve_players_are_played_by_mail(tmp_path: Path) -> None:
    players = players_of(map(str, range(1, 13)), target=250)
    host = seated(tmp_path, "web-of-intrigue", players, turns=2)

    play(players, ByHand(host), brain_of(host.home), lambda: _is_over(host), 6)

    assert {one.verdict for one in host.said} == {"lodged"}
    assert {player.style for player in players} == {one.style for one in players_of(map(str, range(6)))}
    assert [len(player.receipts) for player in players] == [3] * 12
    assert verify(host.home, "game-1").findings == ()
