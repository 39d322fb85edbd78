"""A fault in one game of two, at each step of the night job: the other is served, and it is told."""

from __future__ import annotations

import pkgutil
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.mail.account.addresses import orders_address, token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.intake import Arrival, store_arrival
from pbem.mail.outgoing import letters
from pbem.mail.outgoing.delivery import send as send_all
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.homes import NOW, a_game, a_home, first_choice, home_at, made_once, orders_text, send, top
from tests.hosting.games import HOUR, MODERATOR, night, queued
from tests.mail.homes import TWO_BY_MAIL, write_settings
from tests.mail.sink import make_maildir

BAD, OTHER = GAMES = ("rose-3", "rose-4")
"""The bad one comes first: whatever it keeps the program from, it keeps the other from."""

DUE = "schedule: {days: [sun], at: '21:00', zone: UTC, remind: 2d}\nsilent: hold\n"
AT = NOW + HOUR


class Fault(RuntimeError):
    """A fault of the program itself, with a text that no moderator should see."""

    def __init__(self) -> None:
        super().__init__("Traceback of seed 000102030405060708090a0b0c0d0e0f")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with two games that go on."""
    shutil.copytree(made_once("two-games", two_games), tmp_path, dirs_exist_ok=True)
    return home_at(tmp_path / "home")


def two_games(folder: Path) -> None:
    """Make two games at turn 1, their reports out, and orders of the seat that is asked in the mailbox."""
    home = a_home(folder)
    make_maildir(top(home) / "inbox")
    write_settings(home, moderator=MODERATOR, sendmail="/bin/true", maildir="inbox")
    for game in GAMES:
        a_game(home, game, table=TWO_BY_MAIL + DUE)
    send_all(home, NOW, print)
    for game in GAMES:
        a_letter(home, game)


def a_night_later(folder: Path) -> None:
    """Make these games after a night, with orders of the other seat for the next."""
    shutil.copytree(made_once("two-games", two_games), folder, dirs_exist_ok=True)
    home = home_at(folder / "home")
    night(home, AT)
    for game in GAMES:
        send(home, game, "white", [{"do": first_choice(SavedGame(home, game), "white")}])


def a_letter(home: Home, game: str) -> None:
    """Put orders of the first seat that is asked into the mailbox."""
    saved = SavedGame(home, game)
    (seat,) = saved.ask.seats  # type: ignore[union-attr]
    with home.journal() as db:
        to = orders_address(mail_settings(home), game, token_of(saved, seat, db))
    text = orders_text(game, seat, [{"do": first_choice(saved, seat)}])
    sender = saved.players.address(seat)
    head = f"Return-Path: <{sender}>\nDelivered-To: {to}\nFrom: {sender}\nMessage-ID: <{game}@example.test>\n"
    (top(home) / "inbox" / "new" / f"{int(NOW.timestamp())}.{game}.mx").write_text(f"{head}\n{text}")


def when(real: Callable[..., Any], is_bad: Callable[..., bool]) -> Callable[..., Any]:
    """Return a function that fails where it is about the bad game."""

    def failing(*words: Any, **more: Any) -> Any:
        if is_bad(*words, **more):
            raise Fault
        return real(*words, **more)

    return failing


def about_bad(*words: Any, **more: Any) -> bool:
    """Tell whether a call is about the bad game: its name, or something of it, is among the arguments."""
    for one in (*words, *more.values()):
        named = getattr(getattr(one, "saved", one), "name", one)
        game = getattr(one, "game", named)
        if BAD in (one if isinstance(one, str) else "", game if isinstance(game, str) else ""):
            return True
        if isinstance(one, Arrival) and BAD in one.recipient:
            return True
        if isinstance(one, bytes) and f"<{BAD}.".encode() in one:
            return True
        if BAD in str(getattr(one, "recipient", "")) or BAD in str(getattr(one, "subject", "")):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the night job: what fails there for the bad game, and which of its mails never go out.

    A step that comes later than the turn is met by a second night.
    """

    place: str
    turn_is_made: bool = True
    mails: int = 2
    is_later: bool = False


STEPS = {
    "taking a mail in": Step("pbem.mail.arrivals.intake.store_arrival", False, 0),
    "looking at a mail": Step("pbem.mail.arrivals.processing.inspect_mail", False, 0),
    "lodging orders": Step("pbem.mail.conversation.handlers.lodge", False, 0),
    "answering": Step("pbem.mail.arrivals.cases.queue_reply", True, 2),
    "running": Step("pbem.host.run.batch.run", False, 0),
    "noting the run": Step("pbem.host.run.batch.tried_run_notes", True, 2),
    "looking for who owes orders": Step("pbem.host.time.extensions.reminders", True, 2),
    "reminding": Step("pbem.host.time.extensions.notice_to_player", True, 2, is_later=True),
    "making the digest": Step("pbem.host.notices.digest.owing_in_words", True, 2),
    "looking for reports": Step("pbem.mail.outgoing.letters._withdraw", True, 0),
    "making reports": Step("pbem.mail.outgoing.letters._report", True, 0),
    "composing reports": Step("pbem.mail.outgoing.letters.compose", True, 0),
    "sending": Step("pbem.mail.outgoing.transports.Sendmail.carry", True, 0),
}


@pytest.fixture(params=STEPS)
def step(request: pytest.FixtureRequest) -> Iterator[Step]:
    """Plant a fault at a step of the night job."""
    found = STEPS[request.param]
    with mock.patch(found.place, when(pkgutil.resolve_name(found.place), about_bad)):
        yield found


def reports(home: Home, game: str) -> list[str]:
    """Return what became of the reports of turn 2 of a game."""
    return [one.state for one in queued(home, "report") if (one.game, one.turn) == (game, 2)]


def told(home: Home) -> str:
    """Return everything that the moderator is told by mail and in acts."""
    mails = [one.raw.decode().replace("=\r\n", "") for one in queued(home) if one.rcpt == MODERATOR]
    with home.journal() as db:
        acts = [str(row[0]) for row in db.rows("SELECT facts FROM acts")]
    return "\n".join([*mails, *acts])


def test_the_other_games_are_served_and_the_moderator_is_told(
    home: Home, step: Step, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    code = night(home, AT)
    if step.is_later:
        assert code == 0
        code = night(home, AT + 13 * HOUR)

    out, err = capsys.readouterr()
    assert code == 4
    assert SavedGame(home, OTHER).turn == 2
    assert reports(home, OTHER) == ["sent", "sent"]
    assert [one.state for one in queued(home, "receipt") if one.game == OTHER] == ["sent"]
    assert (SavedGame(home, BAD).turn == 2) is step.turn_is_made
    assert reports(home, BAD).count("sent") == step.mails
    assert "Traceback" not in out + err + told(home)
    assert "0001020304" not in out + err + told(home)
    assert "Fault" in told(home)
    assert "Fault" in out + err


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("INSERT INTO game_notes VALUES ('rose-3', 'paused', '{')", 4),
        ("INSERT INTO game_notes VALUES ('rose-3', 'vote:x', '1')", 4),
        ("INSERT INTO game_notes VALUES ('rose-3', 'epoch:red', 'many')", 4),
        ("INSERT INTO game_notes VALUES ('rose-3', 'reported:x', '1')", 4),
        ("INSERT OR REPLACE INTO game_notes VALUES ('', 'digested', 'x')", 0),
        (
            "INSERT INTO outbox SELECT 0, game, turn, seat, kind, revision, 'x@y', envelope_from,"
            " '<x@y>', 'text', 'queued', 0, '', 'x', '', '', '' FROM outbox WHERE game = 'rose-3' LIMIT 1",
            4,
        ),
        (
            "INSERT INTO intake SELECT 99, 'k', 'stdin', 'never', '', '', '', '', 'raw/gone.eml', 'new', '',"
            " '', '', '', 0",
            4,
        ),
    ],
    ids=["pause", "vote", "token", "turn", "digest", "outbox", "intake"],
)
def test_a_damaged_row_of_the_mail_database_stops_nobody_else(
    home: Home, sql: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with home.journal() as db:
        db.run(sql)

    assert night(home, AT) == code

    assert "Traceback" not in "".join(capsys.readouterr())
    assert SavedGame(home, OTHER).turn == 2
    assert reports(home, OTHER) == ["sent", "sent"]


def a_report_fails() -> AbstractContextManager[object]:
    """Let no mail with the report of one seat be made."""
    report = letters._report

    def failing(
        post: letters.LetterContext, revision: int, seat: Seat, *more: Any, is_new: bool = False
    ) -> Any:
        if (post.saved.name, seat) == (BAD, "red"):
            raise Fault
        return report(post, revision, seat, *more, is_new=is_new)

    return mock.patch("pbem.mail.outgoing.letters._report", failing)


def test_a_seat_whose_mail_cannot_be_made_keeps_the_other_seats_from_nothing(home: Home) -> None:
    with a_report_fails():
        assert night(home, AT) == 4
        assert [
            (one.seat, one.state) for one in queued(home, "report") if one.game == BAD and one.turn == 2
        ] == [("white", "sent")]

    night(home, AT + HOUR)

    assert sorted(reports(home, BAD)) == ["sent", "sent"]
    assert len(queued(home, "report")) == 8


def test_a_game_waits_with_its_next_turn_for_a_player_whose_report_cannot_be_made(home: Home) -> None:
    with a_report_fails():
        night(home, AT)
        for game in GAMES:
            saved = SavedGame(home, game)
            send(home, game, "white", [{"do": first_choice(saved, "white")}])
        night(home, AT + 24 * HOUR)

        assert [SavedGame(home, game).turn for game in GAMES] == [2, 3]

    night(home, AT + 25 * HOUR)
    assert sorted(reports(home, BAD)) == ["sent", "sent"]
    night(home, AT + 26 * HOUR)
    assert SavedGame(home, BAD).turn == 3


def test_a_fault_that_lasts_is_told_once_a_day_and_kept_for_a_report(home: Home) -> None:
    with mock.patch("pbem.mail.outgoing.letters._withdraw", when(lambda *_: None, about_bad)):
        for minutes in (0, 5, 10):
            night(home, AT + minutes * HOUR / 60)
        notices = [one for one in queued(home, "notice") if b"set aside" in one.raw and one.rcpt == MODERATOR]
        assert len(notices) == 1
        night(home, AT + 24 * HOUR)

    notices = [one for one in queued(home, "notice") if b"set aside" in one.raw and one.rcpt == MODERATOR]
    assert len(notices) == 2
    (kept,) = ((top(home) / "mail") / "shunted").iterdir()
    text = kept.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in text
    assert kept.stat().st_mode & 0o777 == 0o600


def test_orders_that_cannot_be_taken_in_stay_in_the_mailbox_and_come_the_next_time(home: Home) -> None:
    with mock.patch("pbem.mail.arrivals.intake.store_arrival", when(store_arrival, about_bad)):
        assert night(home, AT) == 4
    assert len(list((top(home) / "inbox" / "new").iterdir())) == 1

    assert night(home, AT + HOUR / 60) == 0

    assert SavedGame(home, BAD).turn == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"maildir": "inbox", "smtp": {"server": "127.0.0.1", "port": 1}},
        {"maildir": "nowhere", "sendmail": "/bin/true"},
        {
            "maildir": "inbox",
            "sendmail": "/bin/true",
            "imap": {"server": "127.0.0.1", "port": 1, "user": "x"},
        },
        {"maildir": "inbox"},
    ],
    ids=["no server to send by", "no mailbox", "no server to ask", "no way out"],
)
def test_the_exit_code_says_that_mail_was_not_taken_in_or_sent_and_turns_are_made(
    tmp_path: Path, settings: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "x")
    shutil.copytree(made_once("two-games-a-night-later", a_night_later), tmp_path, dirs_exist_ok=True)
    home = home_at(tmp_path / "home")
    write_settings(home, moderator=MODERATOR, **settings)

    assert night(home, AT + HOUR) == 1

    assert {SavedGame(home, game).turn for game in GAMES} == {3}
