"""Where a game stands: what a moderator sees of it at a glance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.host.notices.undelivered import Posted
from pbem.host.office.status import status_of
from pbem.host.time.extensions import extend
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.mailout import Outbound, State
from pbem.store.records import Kind
from tests.facts import tells
from tests.homes import top
from tests.hosting.games import FRIDAY, GAME, MADE, a_club

ANN, BOB, CLEO = Seat("1"), Seat("2"), Seat("3")


def post(home: Home, seat: str, state: State, why: str = "", kind: Kind = "report", turn: int = 1) -> None:
    """Put a mail to a seat into the outbox, and say what became of it."""
    with home.journal() as db:
        name = f"<{seat}{state}{kind}{turn}@pbem.test>"
        rcpts = SavedGame(home, GAME).table.addresses
        db.put(Outbound(GAME, turn, seat, kind, 0, rcpts[Seat(seat)], "", name, b""), MADE)
        db.mark(db.outbox("queued")[-1].id, state, MADE, why=why)


def take_in(home: Home, key: str, verdict: str = "", game: str = "") -> None:
    """Take a mail in that is not processed yet."""
    with home.journal() as db:
        db.take_in(
            key=key, source="spool", received=MADE, envelope_from="", recipient="x", sha256="", raw="x"
        )
        if verdict:
            db.postpone(db.arrived(), verdict, game)


def test_mail_that_is_unread_unsent_or_came_back_has_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    for key, verdict, game in (("1", "", ""), ("2", "late", GAME), ("3", "waits", "another")):
        take_in(home, key, verdict, game)
    post(home, "1", "sent")
    post(home, "2", "failed", "550 no such user")
    post(home, "2", "queued", kind="notice")
    post(home, "3", "bounced", "its server gave it back")
    post(home, "3", "bounced", turn=0)

    found = status_of(home, GAME)

    assert (found.unread, found.late) == (2, 1)
    assert found.came_back == (Posted("3", "report", 1, "bounced", "its server gave it back"),)
    assert run_command(["status", "--json", "--home", str(top(home))]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["owing"], row["players"]["3"]) == (["1", "2", "3"], "Cleo")


def test_mails_that_are_not_with_their_readers_are_listed_with_what_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    where = ["--home", str(top(home))]
    assert run_command(["send", "--now", MADE.isoformat(), *where]) == 0
    post(home, "1", "queued", "450 try later")
    post(home, "2", "failed", "550 no such user")
    post(home, "3", "bounced", "its server gave it back")
    post(home, "1", "claimed", kind="notice")
    capsys.readouterr()

    assert run_command(["send", "--list", *where]) == 0

    told = capsys.readouterr().out
    assert tells(told, "3 --address ADDRESS", "(ann@example.test)", "450")
    assert tells(told, "(bob@example.test)", "550", "--again", "2 --address ADDRESS")


def damaged(path: Path) -> Home:
    """Return a home whose deadline was moved, and whose journal was written over after that."""
    home = a_club(path)
    extend(home, GAME, MADE, to=FRIDAY)
    (top(home) / "mail" / "mail.db").write_bytes(b"some other program wrote here" * 200)
    return home


def test_where_the_journal_is_damaged_what_the_folders_know_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = damaged(tmp_path)

    assert run_command(["status", "--home", str(top(home))]) == 1

    said = capsys.readouterr()
    assert tells(said.out, "web-of-intrigue", "1", "1, 2, 3 (turn-1)", "1 (Ann), 2 (Bob), 3")
    assert "mail.db is damaged" in said.err
    assert tells(said.out)
    assert run_command(["status", GAME, "--json", "--home", str(top(home))]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["turn"] == 1
