"""The moderator's digest: what happened and whom the games wait for, told once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.doctor.patient import Patient
from pbem.doctor.post import look_at_stuck_mails
from pbem.host.notices.digest import Digest, digest, news_of, subject_of_digest
from pbem.host.office.status import facts_of_seat, status_of
from pbem.host.people.votes import vote
from pbem.host.time.dates import read_when
from pbem.host.time.extensions import announce_absence, cancel_absences, time_away
from pbem.mail.outgoing.delivery import Letterbox
from pbem.play.config.gamefile import Absence
from pbem.play.homes.home import Home
from pbem.store.mailout import Outbound
from tests.facts import each_tells, tells
from tests.homes import a_game, came_in, home_at, top
from tests.hosting.games import (
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    MODERATOR,
    TUESDAY,
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


def next_digest(home: Home) -> str:
    """Let one more turn be run, and return the digest that tells of it."""
    before = len(digests(home))
    stay(home, "1", "2", "3")
    night(home, MADE + 3 * HOUR, "--override", "unsent")
    (text,) = digests(home)[before:]
    return text


def test_who_was_silent_with_notice_is_told_so_and_what_goes_on_is_indented(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    first, last = (read_when(day, MADE, "Europe/Helsinki") for day in ("24 Nov", "26 Nov"))
    announce_absence(home, GAME, Seat("3"), time_away(first, last, MADE), MADE + HOUR, "3")
    stay(home, "1")

    night(home, TUESDAY)

    (text,) = digests(home)
    away = "away from Tuesday 24 November 2026 through Thursday 26 November 2026"
    assert tells(" ".join(text.split()), "3 (Cleo)", away)
    assert tells(text, "2 (Bob), 3 (Cleo")
    waited = f"1 (Ann), 2 (Bob), 3 (Cleo, {away}), due Friday 27 November 2026, 20:00 EET"
    assert f"club (turn-2): {waited}" in " ".join(text.split())
    assert "), due Friday 27\n    November 2026, 20:00" in text
    assert f"3 (Cleo) {away.removeprefix('away ')}" in status_of(home, GAME).text()


def test_a_digest_without_news_begins_with_whom_the_games_wait_for_and_says_who_missed_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2")
    night(home, TUESDAY, "--override", "down")
    stay(home, "1", "2", "3", label="turn-2")
    capsys.readouterr()

    assert run_command(["digest", GAME, "--home", str(top(home))]) == 0

    first, *rest = capsys.readouterr().out.splitlines()
    assert (first, rest[0].partition(";")[0]) == ("Waited for:", "  club (turn-2): all orders are in")
    assert tells(rest[0], "Fri")
    assert each_tells(rest[1:], ("3 (Cleo) 1",))

    assert run_command(["cancel", GAME, "--why", "x", "--home", str(top(home))]) == 0
    capsys.readouterr()
    assert run_command(["digest", "--home", str(top(home))]) == 0
    assert tells(capsys.readouterr().out)
    assert run_command(["digest", "clbu", "--home", str(top(home))]) == 1
    assert tells(capsys.readouterr().err)


def test_what_came_back_or_was_refused_is_told_once(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        for number in (1, 2):
            db.put(
                Outbound(GAME, 1, "2", "report", 0, "bob@example.test", "", f"<{number}@pbem.test>", b""),
                MADE,
            )
        found = {mail.message_id: mail.id for mail in db.outbox("queued") if mail.rcpt == "bob@example.test"}
        db.mark(found["<1@pbem.test>"], "bounced", MADE, why="no such mailbox")
        db.mark(found["<2@pbem.test>"], "failed", MADE, why="550")

    for minutes in range(3):
        night(home, MADE + 2 * HOUR + minutes * MINUTE)

    (text,) = digests(home)
    assert tells(text, "2")
    mend = "`pbem seat club 2 --address ADDRESS` mends the address"
    mend += ", and `--resend` in its place sends the newest report again"
    assert tells(" ".join(text.split()), "1", "2 (bob@example.test)", "550")
    assert "to seat 2" not in next_digest(home)


def test_letters_that_came_back_with_the_same_words_are_told_in_one_line(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        for number, why in enumerate(("no such mailbox", "no such mailbox", "552 mailbox full")):
            db.put(
                Outbound(GAME, 1, "2", "notice", 0, "bob@example.test", "", f"<{number}@p.test>", b""), MADE
            )
            db.mark(db.outbox("queued")[-1].id, "bounced", MADE, why=why)

    night(home, MADE + 2 * HOUR)

    (text,) = digests(home)
    told = " ".join(text.split())
    assert told.count("(bob@example.test)") == 2
    assert (told.count("no such mailbox (2 "), told.count("552 mailbox full")) == (1, 1)
    assert tells(told, "`pbem seat club 2 --address ADDRESS`")


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


@pytest.mark.parametrize(("state", "what"), [("bounced", "came back"), ("failed", "was refused")])
def test_whose_invitation_did_not_arrive_stands_first_with_the_command_that_mends_it(
    tmp_path: Path, state: Literal["bounced", "failed"], what: str
) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        db.put(Outbound(GAME, 0, "2", "invitation", 0, "bob@example.test", "", "<1@pbem.test>", b""), MADE)
        (lost,) = (mail.id for mail in db.outbox("queued") if mail.rcpt == "bob@example.test")
        db.mark(lost, state, MADE, why="no such mailbox")
    stay(home, "1", "2", "3")

    night(home, MADE + 3 * HOUR)

    (text,) = digests(home)
    head, _, body = text.partition("\n\n")
    assert tells(head, "2")
    assert tells(" ".join(body.split()), "2", "bob@example.test", "`pbem seat club 2 --address ADDRESS`")


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


def test_what_came_back_counts_through_later_turns_until_its_player_is_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That later mails went out is no proof: a server may take what it cannot deliver."""
    home = with_a_full_mailbox(tmp_path)
    for label, moment in (("turn-1", TUESDAY), ("turn-2", FRIDAY)):
        stay(home, "1", "3", label=label)
        capsys.readouterr()
        night(home, moment, "--override", "unsent")
        line = capsys.readouterr().out
        assert tells(line, "2", label, "`pbem status club`")
        letters_written(home)
        with home.journal() as db:
            for one in db.outbox("queued"):
                db.mark(one.id, "sent", moment)
        assert troubles(home, capsys) == (1, 1, 1, 1)

    first, second = (" ".join(text.split()) for text in digests(home))
    assert tells(first, "2 (Bob")
    assert tells(second, "2 (Bob)", "`pbem send --list`")
    with home.journal() as db:
        number = came_in(db, "k", FRIDAY, "bob@example.test")
        db.finish(number, verdict="lodged", rule="orders", game=GAME, seat="2")
    assert troubles(home, capsys) == (0, 0, 0, 0)


def test_status_and_list_say_of_a_full_mailbox_what_the_player_is_to_be_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = with_a_full_mailbox(tmp_path)
    capsys.readouterr()

    assert run_command(["send", "--list", "--home", str(top(home))]) == 0
    assert tells(capsys.readouterr().out, "(552 mailbox full)")
    (found,) = (one for one in look_at_stuck_mails(Patient(home, str(top(home)), MADE)) if "552" in one.text)

    assert tells(status_of(home, GAME).text(), "552")
    assert tells(found.text, "(552 mailbox full)") and f"{found}".count("--resend") == 1


def test_what_went_to_a_former_players_address_does_not_count_against_the_new_one(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    with home.journal() as db:
        for number, state in ((1, "bounced"), (2, "failed")):
            db.put(
                Outbound(GAME, 1, "2", "notice", 0, "Bob@example.test", "", f"<{number}@p.test>", b""), MADE
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


@pytest.mark.parametrize("is_read", [False, True], ids=["", "or they were read at the terminal"])
def test_news_wait_until_home_yaml_names_who_is_told_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_read: bool
) -> None:
    home = at_work(tmp_path)
    settings = top(home) / "home.yaml"
    written = settings.read_text(encoding="utf-8")
    settings.write_text(written.replace(f"moderator: {MODERATOR}, ", ""), encoding="utf-8")
    assert settings.read_text(encoding="utf-8") != written
    nobody = home_at(top(home))
    with nobody.journal() as db:
        number = came_in(db, "1", MADE)
        db.finish(number, verdict="shunted", rule="KeyError", game=GAME, seat="2")
    capsys.readouterr()

    night(nobody, MADE + 2 * HOUR)

    assert tells(capsys.readouterr().err, "1", "home.yaml", "`pbem digest`")
    if is_read:
        for command in (["digest", "--json"], ["digest", "--now", MADE.isoformat()]):
            assert run_command([*command, "--home", str(top(nobody))]) == 0
            assert tells(capsys.readouterr().out)
        night(nobody, MADE + 2 * HOUR)
        assert "news" not in capsys.readouterr().err
        assert run_command(["digest", "--home", str(top(nobody))]) == 0
        assert f"mail {number} was set aside" not in capsys.readouterr().out
        return
    settings.write_text(written, encoding="utf-8")
    night(home_at(top(home)), MADE + 3 * HOUR)
    (text,) = digests(home)
    assert f"mail {number} was set aside" in text


@pytest.mark.parametrize("votes", ["public", "secret"])
def test_what_players_brought_about_is_news_of_one_digest(tmp_path: Path, votes: str) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"down": "60d"}, votes=votes)
    night(home, MADE + HOUR)
    for kind in ("extension", "pause"):
        for seat in "12":
            vote(home, GAME, Seat(seat), kind, MADE + 2 * HOUR)
    announce_absence(home, GAME, Seat("3"), Absence(TUESDAY, FRIDAY), MADE + 2 * HOUR, "3")

    night(home, MADE + 3 * HOUR)
    night(home, MADE + 4 * HOUR)

    (text,) = digests(home)
    told = " ".join(text.split())
    assert tells(text.replace("\n ", " "), "3")
    assert tells(told, "2", "3")
    assert tells(told, "turn-1")
    assert "Ann" not in text.partition("Waited for:")[0]


def test_a_seat_that_is_back_is_told_so_where_its_absence_was_told(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    announce_absence(home, GAME, Seat("3"), Absence(TUESDAY, FRIDAY), MADE + 2 * HOUR, "3")
    night(home, MADE + 3 * HOUR)
    cancel_absences(home, GAME, Seat("3"), MADE + 4 * HOUR, "3")

    night(home, MADE + 5 * HOUR)

    _, text = digests(home)
    assert "Subject: club: 3 is back\n" in text
    assert tells(text, "3 (Cleo)")


def test_a_vote_that_ends_the_game_is_news_until_it_does(tmp_path: Path) -> None:
    home = at_work(tmp_path)
    for seat in "123":
        vote(home, GAME, Seat(seat), "end", MADE + 2 * HOUR)

    with home.journal() as db:
        (news,) = news_of(home, db, [], now=MADE + 3 * HOUR)

    assert news.startswith("club: ")


def test_a_digest_of_one_game_tells_of_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = a_club(tmp_path)
    a_game(home)

    run_command(["digest", "rose-1", "--home", str(top(home))])

    assert GAME not in capsys.readouterr().out


def test_the_digest_does_not_say_that_nobody_is_waited_for_while_games_rest() -> None:
    assert "Waited for:\n  nobody" in Digest(("news",), ()).text()
    resting = Digest(("news",), (), ("duel", "tea")).text()
    assert "nobody" not in resting
    assert tells(resting, "2", "`pbem status`")


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


def test_of_many_games_that_rest_the_digest_names_a_few() -> None:
    many = Digest(("news",), (), tuple(f"game-{number:02d}" for number in range(1, 13))).text()
    named = (
        "game-01, game-02, game-03, game-04, game-05, game-06, game-07, game-08, game-09, game-10 and 2 more"
    )
    assert tells(many, "12", named)
