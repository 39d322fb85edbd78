"""Reports and invitations become mails: once each, in a thread, to whom something changed, without leaks."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import reduce
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.mail.account.addresses import token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.letters import queue_reports
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import book_of
from pbem.play.reports.formpages import page_of
from pbem.play.reports.reading import report
from pbem.store.mailout import QueuedMail
from tests.facts import tells
from tests.homes import NOW, a_game, first_choice, send
from tests.mail.homes import a_mail_home, letters_written

RED, WHITE = Seat("red"), Seat("white")
INTRIGUE = """seats:
  1: {player: Ann, address: ann@example.test}
  2: {player: Bob, address: bob@example.test}
  3: {player: Cleo}
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return a_mail_home(tmp_path, name="Mary's games")


def queue(home: Home, game: str = "rose-1") -> int:
    with home.journal() as db:
        return queue_reports(home, db, mail_settings(home), game, NOW)


def queued(home: Home, *states: str) -> list[QueuedMail]:
    letters_written(home)
    with home.journal() as db:
        rows = db.rows("SELECT id FROM outbox ORDER BY id")
        found = [db.queued(row[0]) for row in rows]
    return [mail for mail in found if not states or mail.state in states]


def parsed(mail: QueuedMail) -> EmailMessage:
    found = message_from_bytes(mail.raw, policy=default)
    assert isinstance(found, EmailMessage)
    return found


def play(home: Home, seat: str, do: Json | None = None, game: str = "rose-1") -> None:
    """Play one move."""
    chosen = do if do is not None else first_choice(SavedGame(home, game), seat)
    send(home, game, seat, [{"do": chosen}])
    run(home, game, now=NOW)


def test_a_mail_says_everything_that_a_mail_program_and_a_robot_want_to_know(home: Home) -> None:
    queue(home)
    play(home, "red")
    queue(home)
    _, _, mail, _ = queued(home)
    message = parsed(mail)
    with home.journal() as db:
        token = token_of(SavedGame(home, "rose-1"), RED, db)

    assert b'From: "Mary\'s games" <host@pbem.test>\r\nTo: "Ann" <ann@example.test>\r\n' in mail.raw
    assert message["Reply-To"] == f"host+rose-1.{token}@pbem.test"
    assert tells(message["Subject"], "[rose-1] Others", "(white-1)")
    assert message["Date"] == "Sat, 21 Nov 2026 20:00:00 +0000"
    assert message["Message-ID"] == "<rose-1.t2.red.report.r0@pbem.test>"
    assert message["In-Reply-To"] == "<rose-1.t1.red.report.r0@pbem.test>"
    assert message["References"].split() == [
        "<rose-1.t0.red.invitation.r0@pbem.test>",
        "<rose-1.t1.red.report.r0@pbem.test>",
    ]
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["X-Loop"] == "host@pbem.test"
    assert message["List-Id"] == "<rose-1.pbem.test>"
    assert re.fullmatch(r"host\+b_[a-z2-7]{16}@pbem\.test", mail.envelope_from)


def test_a_mail_holds_the_report_as_text_and_as_a_page_and_the_form(home: Home) -> None:
    queue(home)
    play(home, "red")
    queue(home)
    message = parsed(queued(home)[-1])

    pictures = ("multipart/related", "image/png")  # of which another test tells
    kinds = [part.get_content_type() for part in message.walk()]
    assert [kind for kind in kinds if kind not in pictures] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "text/x-yaml",
        "text/html",
    ]
    bodies = [part.get_content() for part in message.walk() if not part.is_multipart()]
    form, clicked = message.iter_attachments()
    assert form.get_filename() == "orders-rose-1-white-1.yaml"
    assert clicked.get_filename() == "orders-rose-1-white-1.html"
    texts = [body.replace("\r\n", "\n") for body in bodies if isinstance(body, str)]
    drawn = iter(("board.svg", "plots.svg"))
    texts[1] = re.sub("<img[^>]*>", lambda _: f"<!-- picture: {next(drawn)} -->", texts[1])
    for name, text in zip(("report.txt", "report.html", "orders.yaml"), texts, strict=False):
        assert text == report(home, "rose-1", "white", name=name)
    page = page_of(SavedGame(home, "rose-1"), WHITE, message["Reply-To"])
    assert str(clicked.get_content()).replace("\r\n", "\n") == page


def test_an_invitation_brings_the_game_book_and_no_later_report_does(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    a_game(home, "web-1", rules="web-of-intrigue", table=INTRIGUE, options={"turns": 1}, deal=False)
    queue(home, "web-1")
    run(home, "web-1", now=NOW, deal=True)
    queue(home, "web-1")
    page = book_of(SavedGame(home, "web-1")).page

    mails = [mail for mail in queued(home) if mail.game == "web-1"]
    brought = [
        [
            str(part.get_content()).replace("\r\n", "\n")
            for part in parsed(mail).iter_attachments()
            if part.get_filename() == "web-1-book.html"
        ]
        for mail in mails
    ]

    assert [mail.kind for mail in mails] == ["invitation"] * 2 + ["report"] * 2
    assert brought == [[page], [page], [], []]


def test_no_line_is_longer_than_mail_allows(home: Home) -> None:
    queue(home)
    play(home, "red")
    queue(home)
    *_, other, asked = queued(home)
    pages = [
        part for one in (asked, other) for part in parsed(one).walk() if part.get_content_subtype() == "html"
    ]
    rest, rest_of_other = (
        reduce(lambda raw, page: raw.replace(str(page.get_payload()).encode("ascii"), b""), pages, one.raw)
        for one in (asked, other)
    )

    assert [page["Content-Transfer-Encoding"] for page in pages] == ["7bit"] * 3
    assert len(rest) < len(asked.raw)
    for one in (asked, other):
        assert max(len(line) for line in one.raw.split(b"\r\n")) <= 990  # RFC 5322, 2.1.1: at most 998
    for raw in (rest, asked.raw, other.raw):
        assert b"\n" not in raw.replace(b"\r\n", b"")
    for raw in (rest, rest_of_other):
        assert max(len(line) for line in raw.split(b"\r\n")) <= 78


def test_no_mail_holds_the_token_of_another_seat_and_its_own_stands_in_reply_to_only(home: Home) -> None:
    queue(home)
    saved = SavedGame(home, "rose-1")
    with home.journal() as db:
        tokens = {seat: token_of(saved, seat, db) for seat in saved.start.seats}

    for mail in queued(home):
        whole = mail.raw.decode()
        assert whole.count(tokens[Seat(mail.seat)]) == 1
        assert f"Reply-To: host+rose-1.{tokens[Seat(mail.seat)]}@pbem.test\r\n" in whole
        assert not any(token in whole for seat, token in tokens.items() if seat != mail.seat)
