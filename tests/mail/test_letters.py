"""What is to be told becomes letters: each once, to who has the seat, and none keeps another back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.notices.queue import newest_report_telling, notice_to_player
from pbem.host.people.seats import replace_player
from pbem.mail.account.addresses import token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.letters import write_letters
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.records import facts_of
from tests.facts import each_tells
from tests.homes import NOW
from tests.mail.homes import a_mail_home

GAME, RED, WHITE = "rose-1", Seat("red"), Seat("white")
DORA = Person("Dora", "dora@example.test")

FACTS = facts_of("turn-undone", turn=1)


def told(home: Home, db: Journal, seat: Seat = RED, about: str = "a", title: str = "News") -> bool:
    words = notice_to_player(
        SavedGame(home, GAME), NOW, seat, "notice", about, title, "Something happened.", facts=FACTS
    )
    return any(db.tell(one) for one in words)


def letters(home: Home) -> list[QueuedMail]:
    """Write what is to be told, and return all mails of the outbox."""
    wrong: list[str] = []
    with home.journal() as db:
        write_letters(home, db, mail_settings(home), NOW, lambda what, why: wrong.append(f"{what}: {why}"))
        assert wrong == []
        return db.outbox("queued")


def test_what_is_told_is_written_once_and_the_same_again_is_nothing_new(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    with home.journal() as db:
        assert told(home, db)
        assert not told(home, db)
        assert [one.words for _, one in db.untold()] == ["Something happened."]

    (letter,) = letters(home)

    assert (letter.rcpt, letter.kind, letter.seat) == ("ann@example.test", "notice", "red")
    assert b"Subject: [rose-1] News\r\n" in letter.raw
    assert b"Something happened." in letter.raw
    assert b"\r\nX-PBEM-Kind: turn-undone\r\n" in letter.raw
    with home.journal() as db:
        assert db.rows("SELECT words, facts FROM tellings") == [("", FACTS)], "words are kept no longer"
        assert not told(home, db)
    assert len(letters(home)) == 1


def test_a_letter_that_cannot_be_written_keeps_no_other_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, wrong = a_mail_home(tmp_path), list[str]()
    with home.journal() as db:
        told(home, db, RED, title="Bad news")
        told(home, db, WHITE)
        with monkeypatch.context() as broken:
            broken.setattr(
                "pbem.mail.outgoing.letters._date",
                lambda one: {"News": "Fri, 20 Nov 2026 12:00:00 +0000"}[one.title],
            )
            write_letters(home, db, mail_settings(home), NOW, lambda what, _why: wrong.append(what))
        assert each_tells(wrong, ("rose-1", "Bad"))
        assert [one.seat for one in db.outbox("queued")] == ["white"]

    assert sorted(one.seat for one in letters(home)) == ["red", "white"]


def test_who_has_lost_a_seat_reads_nothing_that_was_for_it_and_no_secret_of_it(tmp_path: Path) -> None:
    home = a_mail_home(tmp_path)
    with home.journal() as db:
        told(home, db)
        newest_report_telling(SavedGame(home, GAME), NOW, RED, "again")
    replace_player(home, GAME, RED, DORA, NOW)

    found = letters(home)

    with home.journal() as db:
        secret = token_of(SavedGame(home, GAME), RED, db).encode()
    to_ann = [one for one in found if one.rcpt == "ann@example.test"]
    assert [b"\r\nX-PBEM-Kind: seat-lost\r\n" in one.raw for one in to_ann] == [True]
    assert all(secret not in one.raw for one in to_ann)
    assert {one.rcpt for one in found if secret in one.raw} == {"dora@example.test"}
