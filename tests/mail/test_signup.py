"""Sign-up by mail: nobody gets a seat, or mail, in another's name."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.mail.conversation.signup import MOST_WAITING, PAUSE
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, game_folder, orders_path
from tests.mail.homes import write_settings
from tests.mail.host import Host, read, text_of

CLEO, EVE = "cleo@example.test", "eve@elsewhere.test"
MARY = "mary@example.test"
JOIN = "host+web-1-join@pbem.test"
OPEN = "seats:\n  '1': {player: Ann, address: ann@example.test}\n  '2': {}\n  '3': {}\nopen: true\n"


def open_host(path: Path, table: str = OPEN, **mail: Json) -> Host:
    home: Home = a_home(path)
    write_settings(home, **mail)
    a_game(home, "web-1", rules="web-of-intrigue", table=table, deal=False)
    return Host(home)


def players(host: Host) -> dict[Seat, str]:
    return dict(SavedGame(host.home, "web-1").table.addresses)


def ask(host: Host, text: str = "I would like to play.", sender: str = CLEO) -> str:
    return host.gets(host.a_mail(text, sender=sender, subject="Join"), JOIN, sender).verdict


def confirm(host: Host, text: str = "Yes.", sender: str = CLEO) -> str:
    mail = read(next(row.raw for row in host.outbox("notice") if row.rcpt == sender))
    return host.gets(host.a_mail(text, sender=sender), str(mail["Reply-To"]), sender).verdict


def test_a_stranger_gets_a_seat_after_a_reply_and_then_the_invitation(tmp_path: Path) -> None:
    host = open_host(tmp_path)

    assert ask(host) == "asked"
    assert CLEO not in players(host).values()
    assert "Somebody asks for a seat in web-1" in text_of(read(host.outbox()[0].raw))
    assert confirm(host, "name: Cleopatra\nseat: 3") == "joined"

    saved = SavedGame(host.home, "web-1")
    assert saved.players.address(Seat("3")) == CLEO
    assert saved.players.holder(Seat("3")) == "Cleopatra"
    (invitation,) = host.outbox("invitation")
    assert invitation.rcpt == CLEO
    form = "game: web-1\nseat: '3'\norders:\n- at: start\n  do: {luck: the moon, target: 250}\n"
    assert host.gets(host.a_mail(form, sender=CLEO), host.address("3", "web-1"), CLEO).verdict == "lodged"


def test_an_invitation_to_a_free_seat_says_whose_it_is_and_what_is_still_to_do(tmp_path: Path) -> None:
    days = "deadline: 2026-12-31T20:00:00+02:00\n"
    host = open_host(tmp_path, OPEN + days)
    ask(host)
    confirm(host)
    (invitation,) = host.outbox("invitation")

    told = " ".join(text_of(read(invitation.raw)).split())

    assert "Player 1: Ann; Player 2: you; Player 3: (free)" in told
    assert "if all seats are taken by then." in told
    to_ann = " ".join(report(host.home, "web-1", "1").split())
    assert "Player 1: Ann (you)" in to_ann
    assert "unless" not in to_ann


def test_the_start_form_may_come_with_the_first_mail(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host, "Hello!\nname: Cleo\nluck: a bucket of moonlight\ntarget: 250\n")

    assert confirm(host) == "joined"

    lodged = orders_path(host.home, "web-1", Seat("2")).read_text(encoding="utf-8")
    assert "a bucket of moonlight" in lodged
    assert "250" in lodged
    assert "Your start form is lodged already" in text_of(read(host.outbox("notice")[1].raw))


def test_a_start_form_that_cannot_be_used_is_told_and_the_seat_is_given(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host, "luck: moon\ntarget: many\n")

    assert confirm(host) == "joined"

    assert "cannot be used" in " ".join(text_of(read(host.outbox("notice")[1].raw)).split())
    assert players(host)[Seat("2")] == CLEO


def test_who_cannot_be_seated_is_told_why_and_nothing_of_the_hosts_files(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host, "zone: Mars/Olympus\n")

    assert confirm(host) == "refused"

    answer = " ".join(text_of(read(host.outbox("notice")[1].raw)).split())
    assert "game.yaml" not in answer
    assert CLEO not in players(host).values()


def test_nobody_takes_a_seat_in_anothers_name(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host)
    reply_to = str(read(host.outbox("notice")[0].raw)["Reply-To"])

    for sender in (EVE, "ann@example.test"):
        assert host.gets(host.a_mail("Yes.", sender=sender), reply_to, sender).verdict != "joined"

    assert set(players(host).values()) == {"ann@example.test"}


def test_a_victim_of_forged_sign_ups_is_written_to_once_a_day_by_a_game_and_thrice_in_all(
    tmp_path: Path,
) -> None:
    host = open_host(tmp_path)
    for number in range(3):
        ask(host, f"again {number}", EVE)
    assert [row.rcpt for row in host.outbox()] == [EVE]

    for game in ("web-2", "web-3", "web-4", "web-5"):
        a_game(host.home, game, rules="web-of-intrigue", table=OPEN, deal=False)
        host.gets(host.a_mail("Me too", sender=EVE), JOIN.replace("web-1", game), EVE)

    assert [row.game for row in host.outbox()] == ["web-1", "web-2", "web-3"]


def flood(host: Host, number: int, domain: str = "elsewhere.test") -> None:
    for one in range(number):
        ask(host, sender=f"victim{one}@{domain}")


def asked(host: Host, *, later: bool) -> list[str]:
    """Return who is asked to confirm: at once, or later, the next one first."""
    found = [row for row in host.outbox("notice") if row.rcpt != MARY and bool(row.next_try) is later]
    return [row.rcpt for row in sorted(found, key=lambda row: row.next_try)]


def test_many_forged_sign_ups_slow_their_own_domain_and_nobody_else(tmp_path: Path) -> None:
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 25)

    assert ask(host, sender=CLEO) == "asked"

    assert asked(host, later=False) == [f"victim{n}@elsewhere.test" for n in range(20)] + [CLEO]
    assert len(asked(host, later=True)) == 5
    assert confirm(host) == "joined"


def test_somebody_of_a_flooded_domain_is_answered_before_the_forged_ones_that_came_before(
    tmp_path: Path,
) -> None:
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 140)

    ask(host, sender=EVE)

    assert asked(host, later=True)[0] == EVE
    (row,) = [row for row in host.outbox("notice") if row.rcpt == EVE]
    assert datetime.datetime.fromisoformat(row.next_try) <= host.now + PAUSE
    assert len(asked(host, later=True)) == MOST_WAITING
    assert confirm(host, sender=EVE) == "joined"


def test_the_moderator_is_told_of_a_flood_once_a_day(tmp_path: Path) -> None:
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 20)
    assert [row for row in host.outbox() if row.rcpt == MARY] == []

    flood(host, 30)

    (told,) = [read(row.raw) for row in host.outbox() if row.rcpt == MARY]
    assert "many wishes to join" in str(told["Subject"])
    assert tells(" ".join(text_of(told).split()), "20", "elsewhere.test")
    with host.home.journal() as db:
        assert [act.act for act in db.acts("web-1")] == ["joins slowed"]


def test_a_sender_that_the_own_mail_server_calls_genuine_needs_no_reply(tmp_path: Path) -> None:
    host = open_host(tmp_path, authserv="mx.pbem.test")
    passed = "mx.pbem.test; dmarc=pass header.from=example.test"

    said = host.gets(host.a_mail("I play.", sender=CLEO, Authentication_Results=passed), JOIN, CLEO)

    assert said.verdict == "joined"


def test_who_must_choose_another_name_can_answer_the_mail_that_says_so(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host, "name: Ann")
    assert confirm(host) == "refused"
    refusal = read(host.outbox("notice")[-1].raw)
    assert tells(text_of(refusal), "Ann", "web-1")

    reply = host.a_mail("name: Cleo", sender=CLEO, subject="Re: No seat")

    assert host.gets(reply, str(refusal["Reply-To"]), CLEO).verdict == "joined"
    assert players(host)[Seat("2")] == CLEO


@pytest.mark.parametrize("reason", ["closed", "full", "dealt", "unknown"])
def test_a_game_without_a_free_seat_does_not_answer_strangers(tmp_path: Path, reason: str) -> None:
    full = OPEN.replace("{}", "{player: P, address: p@example.test}").replace("open: true\n", "")
    host = open_host(
        tmp_path, full.replace("'3': {player: P", "'3': {player: Q") if reason != "dealt" else OPEN
    )
    to = JOIN
    if reason == "dealt":
        (game_folder(host.home, "web-1") / "game.yaml").write_text(full, encoding="utf-8")
        run(host.home, "web-1", now=NOW, deal=True)
    if reason == "unknown":
        to = "host+web-2-join@pbem.test"

    assert host.gets(host.a_mail("I play.", sender=EVE), to, EVE).verdict == "dropped"
    assert host.outbox() == []


def test_the_last_seat_is_given_once(tmp_path: Path) -> None:
    host = open_host(tmp_path, OPEN.replace("  '3': {}\n", "  '3': {player: Bob}\n"))
    ask(host, sender=CLEO)
    ask(host, sender=EVE)

    assert confirm(host, sender=CLEO) == "joined"
    assert confirm(host, sender=EVE) == "refused"
    assert confirm(host, "Yes, again.", sender=CLEO) == "joined"

    assert list(players(host).values()).count(CLEO) == 1
    assert tells(text_of(read(host.outbox("notice")[3].raw)), "web-1")


def test_robots_and_lists_are_not_asked(tmp_path: Path) -> None:
    host = open_host(tmp_path)

    raw = host.a_mail("I am away.", sender=EVE, Auto_Submitted="auto-replied")
    assert host.gets(raw, JOIN, EVE).verdict == "dropped"
    assert host.outbox() == []


def test_the_next_day_somebody_may_ask_again(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    ask(host)
    host.now += datetime.timedelta(days=1, hours=1)
    ask(host, "again")

    assert len(host.outbox()) == 2


def test_the_log_says_of_a_sender_beyond_ascii_that_it_cannot_be_read(tmp_path: Path) -> None:
    host = open_host(tmp_path)
    raw = host.a_mail("May I play?", sender=CLEO).replace(CLEO.encode(), "dörte@bücher.test".encode())

    done = host.gets(raw, JOIN, "dörte@bücher.test")

    assert (done.verdict, done.rule) == ("dropped", "join-unreadable-sender")
    assert host.outbox() == []


@pytest.mark.parametrize(
    "name",
    ["Player 1", "seat 3", "1", "'1, 2'", "'Cleo, Day'", "all", "Moderator", "ANN", "\u0410nn", "Ann and 3"],
)
def test_nobody_takes_a_seat_by_a_name_that_others_write_for_somebody_else(tmp_path: Path, name: str) -> None:
    host = open_host(tmp_path)
    ask(host, f"name: {name}")

    assert confirm(host) == "refused"
    assert CLEO not in players(host).values()

    refusal = read(host.outbox("notice")[-1].raw)
    reply = host.a_mail("name: Cleo", sender=CLEO, subject="Re: No seat")
    assert host.gets(reply, str(refusal["Reply-To"]), CLEO).verdict == "joined"
