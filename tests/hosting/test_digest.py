"""The moderator's digest: what happened and whom the games wait for, told once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.doctor import Patient
from pbem.doctor.post import look_at_stuck_mails
from pbem.host.notices.digest import digest, news_of, subject_of_digest
from pbem.host.office.status import facts_of_seat, status_of
from pbem.mail.outgoing.delivery import Letterbox
from pbem.play.homes.home import Home
from pbem.store.mailout import OutboundMail
from tests.facts import tells
from tests.homes import came_in, top
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    MODERATOR,
    a_club,
    night,
    pbem,
    queued,
    stay,
)
from tests.mail.homes import letters_written


def digests(home: Home) -> list[str]:
    return [
        mail.raw.decode().replace("=\r\n", "").replace("\r\n", "\n")
        for mail in queued(home, "digest")
        if mail.rcpt == MODERATOR
    ]


def at_work(tmp_path: Path) -> Home:
    home = a_club(tmp_path, by_mail=True, gate={"down": "60d"})
    night(home, MADE + HOUR)
    return home


def test_a_report_that_is_refused_stands_in_the_digest_of_its_own_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, sends = at_work(tmp_path), Letterbox.send_out
    stay(home, "1", "2", "3")

    def refused(box: Letterbox, games: Iterable[str] | None = None) -> int:
        code = sends(box, games)
        with home.journal() as db:
            for one in db.outbox("sent"):
                if (one.kind, one.turn, one.seat) == ("report", 2, "2"):
                    db.mark(one.id, "failed", MADE, why="550")
        return code

    monkeypatch.setattr(Letterbox, "send_out", refused)
    night(home, MADE + 2 * HOUR, "--override", "unsent")

    (text,) = digests(home)
    assert tells(" ".join(text.split()), "2", "2 (bob@example.test)", "550")
    assert [one.kind for one in queued(home, "digest")] == ["digest"]
    with home.journal() as db:
        assert "digest" in [one.kind for one in db.outbox("sent")]


def with_a_full_mailbox(tmp_path: Path) -> Home:
    """Return a home at work to whose seat 2 the report came back."""
    home = at_work(tmp_path)
    with home.journal() as db:
        (lost,) = (mail.id for mail in db.outbox("sent") if mail.seat == "2")
        db.mark(lost, "bounced", MADE, why="552 mailbox full")
    return home


def troubles(home: Home, capsys: pytest.CaptureFixture[str]) -> tuple[int, int, int, int]:
    """Return how often the full mailbox is named by `status`, `seat`, `send --list` and the doctor."""
    capsys.readouterr()
    assert run_command(["send", "--list", "--home", str(top(home))]) == 0
    listed = capsys.readouterr().out.count("mailbox full")
    found = look_at_stuck_mails(Patient(home, str(top(home)), MADE + HOUR))
    facts = facts_of_seat(home, GAME, Seat("2")).not_there
    return (
        len(status_of(home, GAME).came_back),
        sum("came back" in one for one in facts),
        listed,
        sum("mailbox full" in one.text for one in found),
    )


def test_what_came_back_is_no_trouble_any_more_when_the_report_went_out_again_to_the_same_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_a_full_mailbox(tmp_path)
    assert pbem(home, "seat", GAME, "2", "--resend", now=MADE + HOUR) == 0
    letters_written(home)

    before = troubles(home, capsys)
    with home.journal() as db:
        first = news_of(home, db, ())
        again = db.outbox("queued")[-1]
        db.mark(again.id, "sent", MADE + HOUR)
    after = troubles(home, capsys)
    with home.journal() as db:
        news = news_of(home, db, ())
        db.mark(again.id, "bounced", MADE + HOUR, why="552 mailbox full")

    assert (before, after, again.seat) == ((1, 1, 1, 1), (0, 0, 0, 0), "2")
    assert tells(news[0], "552"), "it is news all the same"
    assert tells(first[0], "552 mailbox full", "`pbem seat club 2 --resend`")
    assert "--address" not in first[0]
    assert troubles(home, capsys) == (2, 2, 2, 2)


def test_what_went_to_a_former_players_address_does_not_count_against_the_new_one(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        for number, state in ((1, "bounced"), (2, "failed")):
            db.put(
                OutboundMail(GAME, 1, "2", "notice", 0, "Bob@example.test", "", f"<{number}@p.test>", b""),
                MADE,
            )
            db.mark(db.outbox("queued")[-1].id, state, MADE, why="no such mailbox")  # type: ignore[arg-type]
    assert status_of(home, GAME).came_back
    words = ["--player", "Hank", "--address", "hank@example.test", "--home", str(top(home))]

    assert run_command(["replace", GAME, "2", *words, "--now", MADE.isoformat()]) == 0

    assert (status_of(home, GAME).came_back, status_of(home, GAME).unsent) == ((), ())
    assert facts_of_seat(home, GAME, Seat("2")).not_there == ()
    with home.journal() as db:
        assert news_of(home, db, ()) == []
    found = look_at_stuck_mails(Patient(home, str(top(home)), MADE))
    assert [one.text for one in found if "no such mailbox" in one.text] == []


def test_of_many_odd_mails_of_one_kind_a_few_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        numbers = [came_in(db, f"{n}", MADE) for n in range(40)]
        for number in numbers:
            db.finish(number, verdict="doubted", rule="bounce", game=GAME, seat="2")
        one = came_in(db, "one", MADE)
        db.finish(one, verdict="shunted", rule="KeyError", game=GAME, seat="2")

    with home.journal() as db:
        news = news_of(home, db, ())
    named = [int(found[1]) for line in news if (found := re.match(r"(?:\w+ )?(\d+)\b", line))]
    assert named == [*numbers[:5], one, 35]
    assert tells(news[-2], "KeyError") and tells(news[-1], f"{numbers[5]} ", numbers[-1])

    night(home, MADE + 2 * HOUR)

    (text,) = digests(home)
    assert all(tells(text, line) for line in news)
    assert tells(text.partition("\n\n")[0], "40", one)


def test_a_game_that_is_spoken_of_does_not_stand_among_those_that_rest_and_one_alone_is_in_the_subject(
    tmp_path: Path,
) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        for number, game in enumerate((GAME, GAME, "tea")):
            db.finish(came_in(db, str(number), MADE), verdict="refused", rule="orders", game=game, seat="2")
            found = digest(home, db, (), (), resting=("club", "club-2", "tea"))
            rest = ("club-2",) if game == "tea" else ("club-2", "tea")
            assert (len(found.news), found.resting) == (number + 1, rest)
            subject = "what was odd" if game == "tea" else "club: what was odd"
            assert subject_of_digest(home, db, ()) == subject
