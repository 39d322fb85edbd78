"""The first mail tells a stranger what to know and do; the first lines of every report say what is wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.delivery import queue_all
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.simulate import simulate
from pbem.play.turn.turnfiles import introduction, welcome_facts
from pbem.store.mailout import QueuedMail
from pbem.text.reports.layout import brief_deadline
from tests.facts import tells
from tests.homes import a_game, a_home, game_folder, top
from tests.mail.homes import letters_written, write_settings
from tests.mail.host import Host, read, text_of
from tests.subjects import subject

SHIPPED = {
    "rose-king": 2,
    "web-of-intrigue": 4,
    "web-of-power": 3,
    "web-of-power-cards": 4,
    "game-of-powers": 3,
}
"""All rules, each with a number of seats."""
SCHEDULE = "schedule: {days: [tue, fri], at: '20:00', zone: Europe/Helsinki, early: always}\n"
DUE = "Tuesday 24 November 2026, 20:00 EET (Europe/Helsinki)"


class Words(HTMLParser):
    """The words of a page, as its reader sees them."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._inside += tag in ("style", "title", "script")

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag in ("style", "title", "script")

    def handle_data(self, data: str) -> None:
        self.said += [] if self._inside else data.split()


def mary_hosts(
    path: Path, rules: str, table: str, *, deal: bool = False, options: Mapping[str, Json] | None = None
) -> Host:
    """Return a host called Mary with a game by mail."""
    home = a_home(path)
    write_settings(home)
    file = top(home) / "home.yaml"
    file.write_text(f"moderator: Mary\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    a_game(home, "g-1", rules=rules, table=table, deal=deal, options=options)
    return Host(home)


def reports(host: Host) -> list[QueuedMail]:
    """Return the mails with reports."""
    with host.home.journal() as db:
        queue_all(host.home, db, mail_settings(host.home), host.now, lambda _: None)
        return [one for one in db.outbox("queued") if one.kind in ("invitation", "report")]


def in_both(row: QueuedMail) -> tuple[str, str]:
    """Return the text and the page of a mail, each in one line."""
    mail = read(row.raw)
    (page,) = (
        part for part in mail.walk() if part.get_content_type() == "text/html" and not part.get_filename()
    )
    words = Words()
    words.feed(str(page.get_content()))
    return " ".join(text_of(mail).split()), " ".join(words.said)


def open_table(rules: str, seats: int, more: str) -> str:
    """Return a file of players with addresses for the seats of a game."""
    names = subject(rules, seats).seats
    rows = (f"  '{seat}': {{player: P{n}, address: p{n}@example.test}}\n" for n, seat in enumerate(names))
    return f"seats:\n{''.join(rows)}{more}"


@pytest.mark.parametrize("rules", ["rose-king", "game-of-powers"])
def test_where_nobody_was_invited_before_the_deal_its_report_invites_with_the_book(
    tmp_path: Path, rules: str
) -> None:
    seats = SHIPPED[rules]
    table = open_table(rules, seats, SCHEDULE + "silent: wait\n")
    host = mary_hosts(tmp_path, rules, table, deal=True)
    saved = SavedGame(host.home, "g-1")
    assert not isinstance(saved.ask, Outcome)

    mails = reports(host)

    assert len(mails) == seats
    for mail in mails:
        is_asked = Seat(mail.seat) in saved.ask.seats
        files = [part.get_filename() or "" for part in read(mail.raw).walk()]
        assert sum(name.endswith("-book.html") for name in files) == 1
        assert any(name.startswith("orders-") and name.endswith(".html") for name in files) == is_asked
        for said in in_both(mail):
            assert tells(said, "g-1", "by Mary", "(...-book.html)")
            assert (DUE in said[:120]) is is_asked and (saved.ask.label in said[:120]) is is_asked
            assert "(hold)" not in said
        kept = (saved.turns.at(1) / "reports" / mail.seat / "report.txt").read_text()
        above, _, rest = text_of(read(mail.raw)).replace("\r\n", "\n").partition(kept)
        assert not rest
        told = [line for line in above.splitlines() if line]
        assert told[0].startswith("Welcome to g-1")
        assert set(told).isdisjoint(kept.splitlines())
        assert len(told) == len(set(told)) < 100, "`--report` finds a report below so many lines"


def test_the_first_mail_of_a_new_player_is_an_invitation_also_after_a_turn_was_taken_back(
    tmp_path: Path,
) -> None:
    host = mary_hosts(tmp_path, "rose-king", open_table("rose-king", 2, SCHEDULE), deal=True)
    where = ("--home", str(top(host.home)), "--now", host.now.isoformat())
    assert reports(host)
    assert run_command(["undo", "g-1", *where]) == 0
    assert run_command(["run", "g-1", "--deal", *where]) == 0
    assert reports(host)
    hank = ("--player", "Hank", "--address", "hank@example.test")

    assert run_command(["replace", "g-1", "red", *hank, *where]) == 0

    letters_written(host.home, host.now)
    (first,) = (one for one in reports(host) if one.rcpt == "hank@example.test")
    assert tells(str(read(first.raw)["Subject"]), "[g-1] Your")
    assert "-book.html" in str(read(first.raw))
    for said in in_both(first):
        assert tells(said, "g-1", "The Rose King", "2", "Mary")
    ida = ("--player", "Ida", "--address", "ida@example.test")
    assert run_command(["replace", "g-1", "white", *ida, *where]) == 0
    letters_written(host.home, host.now)
    (other,) = (one for one in reports(host) if one.rcpt == "ida@example.test")
    assert str(read(other.raw)["Subject"]) == "[g-1] Your invitation", "others are asked"


@pytest.mark.parametrize(
    ("deadline", "short"),
    [
        ("Tuesday 24 November 2026, 20:00 EET (Europe/Helsinki)", "Tue 24 Nov 20:00 EET"),
        ("Friday 04 December 2026, 09:30 UTC+01:00", "Fri 4 Dec 09:30 UTC+01:00"),
        ("", ""),
    ],
)
def test_a_subject_has_a_short_deadline(deadline: str, short: str) -> None:
    assert brief_deadline(deadline) == short


# How long a game lasts


@pytest.mark.parametrize("rules", SHIPPED)
def test_what_a_game_is_takes_few_sentences_and_its_length_is_the_one_that_simulations_measure(
    tmp_path: Path, rules: str
) -> None:
    seats = SHIPPED[rules]
    host = mary_hosts(tmp_path, rules, open_table(rules, seats, ""))
    saved = SavedGame(host.home, "g-1")
    told = introduction(saved)
    about = told.partition(" by Mary. ")[2].rpartition(" As a ")[0]
    assert 2 <= len(re.findall(r"[.!?](?: |$)", about)) <= 5
    for public in (game_folder(host.home, "g-1") / "turns/0000/reports/spectator").iterdir():
        assert "Mary" not in public.read_text(encoding="utf-8"), "all may read it"
    assert welcome_facts(saved)["asks_more"] is (rules == "web-of-intrigue"), (
        "the others ask for luck words alone"
    )
    typical, least, most = map(int, re.findall("[0-9]+", told.rpartition(" As a ")[2]))

    one = subject(rules, seats)
    measured = simulate(one.rules, one.seats, one.options, ["greedy"], 3, "pbem", lambda _: None).lengths

    assert least <= typical <= most
    assert all(least <= length <= most for length in measured), (measured, told)
