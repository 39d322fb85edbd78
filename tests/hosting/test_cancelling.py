"""A game that its moderator ended: nothing goes on, all are told why, and it can be brought back."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.cli import run_command
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.host.run.undo import bring_back, cancel
from pbem.host.time.deadlines import deadline_in_force
from pbem.host.time.extensions import reminders
from pbem.host.time.pausing import pause
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import checked, lodge
from pbem.store.errors import WrongInput
from tests.edge.test_archive import pages
from tests.facts import tells
from tests.homes import a_game, a_home, orders_text, top
from tests.hosting.games import (
    DAY,
    GAME,
    HOUR,
    MADE,
    TUESDAY,
    a_club,
    due,
    night,
    noted,
    pbem,
    queued,
    stay,
)
from tests.mail.host import ANN, a_host, read, text_of
from tests.mail.test_commands import told

WHY = "too few players are left"
ORDERS = orders_text(GAME, "1", [{"at": "turn-1", "do": {"move": "stay"}}]).encode()
BOTS = "seats:\n  red: {player: A, bot: greedy}\n  white: {player: B, bot: greedy}\n"


def an_ended_club(tmp_path: Path, *, by_mail: bool = False) -> Home:
    """Return a club that was ended though all have answered."""
    home = a_club(tmp_path, by_mail=by_mail)
    stay(home, "1", "2", "3")
    cancel(home, GAME, f"{WHY}.", MADE + HOUR)
    return home


def test_no_turn_is_run_any_more_whoever_asks_for_it(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)

    for attended in (True, False):
        ran = due(home, TUESDAY + DAY, attended=attended, overrides=("paused",))
        assert ran.turn is None and tells(ran.rests, WHY, "pbem cancel club --undo")
    assert night(home, TUESDAY + DAY) == 0
    assert SavedGame(home, GAME).turn == 1


def test_orders_are_refused_with_the_reason_and_nothing_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = an_ended_club(tmp_path)
    (top(home) / "mine.yaml").write_bytes(ORDERS)
    lodged = (top(home) / "orders" / GAME / "1.yaml").read_bytes()

    for found in (lodge(home, ORDERS), checked(home, ORDERS)):
        assert isinstance(found, list)
        assert tells(str(found[0]), WHY)
    assert pbem(home, "submit", str(top(home) / "mine.yaml")) == 1
    assert tells(capsys.readouterr().out)
    assert (top(home) / "orders" / GAME / "1.yaml").read_bytes() == lodged


def test_all_players_are_told_once_and_nobody_is_reminded(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path, by_mail=True)

    night(home, TUESDAY - HOUR)
    night(home, TUESDAY)

    mails = queued(home, "notice")
    assert [mail.rcpt for mail in mails] == ["ann@example.test", "bob@example.test", "cleo@example.test"]
    for mail in mails:
        text = " ".join(text_of(read(mail.raw)).split())
        assert tells(text, WHY)
    assert queued(home, "reminder") == []
    assert reminders(SavedGame(home, GAME), TUESDAY - HOUR) == []


def test_what_cannot_be_ended_or_brought_back_is_told(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    with pytest.raises(WrongInput):
        bring_back(home, GAME, MADE)
    with pytest.raises(WrongInput):
        cancel(home, GAME, " . ", MADE)

    over = a_home(tmp_path / "over")
    a_game(over, options={"own_tokens": 1, "most_steps": 1000}, table=BOTS)
    run(over, "rose-1", now=MADE)
    with pytest.raises(WrongInput):
        cancel(over, "rose-1", WHY, MADE)


def test_the_status_says_who_ended_it_and_why(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)

    found = status_of(home, GAME)

    assert tells(found.text(), "web-of-intrigue", "1", WHY, "--undo")
    assert (found.asked, found.owing, found.deadline, found.label) == ((), (), "", "")


def test_a_report_is_as_it_was_and_what_became_of_the_game_is_said_above_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    before = report(home, GAME, "1")
    cancel(home, GAME, WHY, MADE + HOUR)

    assert run_command(["report", GAME, "1", "--home", str(top(home))]) == 0

    found = capsys.readouterr()
    above = found.out.removesuffix(before)
    assert tells(" ".join(above.split()), WHY)
    assert found.out.endswith(f"\n\n{before}") and not found.err


def test_the_pages_of_players_and_the_feed_of_a_game_that_was_ended_say_so(tmp_path: Path) -> None:
    home, out = a_club(tmp_path), tmp_path / "out"
    table = top(home) / "games" / GAME / "game.yaml"
    table.write_text(table.read_text("utf-8") + "archive: {names: true}\n", "utf-8")

    def said() -> tuple[list[str], str, list[str]]:
        write_archive(home, out)
        player = next(out.glob("player-cleo-*.html")).read_text("utf-8")
        feed = (out / GAME / "feed.xml").read_text("utf-8")
        counts = re.findall(r'<td class="n">(\d)</td>', (out / "players.html").read_text("utf-8"))
        return counts[2::3], player, re.findall("<entry>.*?</entry>", feed, re.DOTALL)

    before = said()
    cancel(home, GAME, f"{WHY}, says Cleo", MADE + HOUR)
    ended = said()
    bring_back(home, GAME, MADE + 2 * HOUR)

    assert (before[0], ended[0]) == (["1", "1", "1"], ["0", "0", "0"])
    assert ended[1] != before[1]
    assert ended[2][1:] == before[2]
    assert tells(ended[2][0], f"({WHY}, says Cleo)")
    assert said() == before


def test_the_archive_says_so_and_keeps_what_is_secret(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    write_archive(home, tmp_path / "out")
    cancel(home, GAME, f"{WHY}, says Cleo", MADE + HOUR)

    write_archive(home, tmp_path / "out")

    shown = pages(tmp_path / "out")
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    page = (tmp_path / "out" / GAME / "index.html").read_text("utf-8")
    assert f"({WHY}, says " in page
    assert "Cleo" not in shown
    assert SavedGame(home, GAME).secret.seed.hex() not in shown
    packed = tmp_path / "out" / GAME / f"{GAME}.zip"
    found = verify_file(packed)[1]
    assert (found.turns, found.findings) == (SavedGame(home, GAME).turn + 1, ())
    bring_back(home, GAME, MADE + 2 * HOUR)
    write_archive(home, tmp_path / "out")
    assert (tmp_path / "out" / "index.html").read_text("utf-8") != index
    assert verify_file(packed)[1].notes[0] != found.notes[0]


BACK = [
    ("soon", MADE + 2 * HOUR, TUESDAY + HOUR),
    ("over the deadline", TUESDAY + DAY, TUESDAY + DAY + (TUESDAY - MADE - HOUR)),
    ("after weeks", MADE + 30 * DAY + HOUR, TUESDAY + 30 * DAY),
]


@pytest.mark.parametrize(("now", "expected"), [row[1:] for row in BACK], ids=[row[0] for row in BACK])
def test_a_game_that_is_brought_back_goes_on_with_its_orders_and_enough_time(
    tmp_path: Path, now: datetime.datetime, expected: datetime.datetime
) -> None:
    home = an_ended_club(tmp_path)

    assert bring_back(home, GAME, now) == expected

    assert deadline_in_force(SavedGame(home, GAME), noted(home)) == expected
    assert run(home, GAME, now=now + HOUR).turn == 2
    said = " ".join(report(home, GAME, "spectator").split())
    assert tells(said, WHY)
    assert verify(home, GAME).findings == ()


def test_a_game_that_was_paused_is_so_when_it_is_brought_back(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays")
    cancel(home, GAME, WHY, MADE + HOUR)

    assert bring_back(home, GAME, MADE + DAY) is None

    assert noted(home).rest_at(MADE + DAY) is not None
    assert deadline_in_force(SavedGame(home, GAME), noted(home)) == TUESDAY


def test_a_mail_with_orders_is_answered_with_the_reason(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    cancel(host.home, "rose-1", WHY, host.now)

    done = host.orders([{"at": "red-1", "do": {"play": "N2"}}])

    assert done.verdict == "refused"
    assert host.lodged() == ""
    answer = " ".join(host.answer().split())
    assert "Mend that" not in answer


def test_orders_that_came_late_are_answered_once_the_game_is_ended(tmp_path: Path) -> None:
    schedule = "schedule: {days: [tue], at: '20:00', zone: UTC}\n"
    host = a_host(tmp_path, schedule)
    host.now = datetime.datetime(2026, 11, 24, 20, 30, tzinfo=datetime.UTC)
    assert host.orders([{"at": "red-1", "do": {"play": "N2"}}]).verdict == "late"
    cancel(host.home, "rose-1", WHY, host.now)

    (done,) = host.process()

    assert done.verdict == "refused"
    assert host.lodged() == ""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("status", ("rose-1", WHY)),
        ("page", (WHY,)),
        ("absent 2026-12-24", (WHY,)),
        ("vote pause", (WHY,)),
        ("resend", (WHY,)),
    ],
)
def test_whatever_a_player_asks_by_mail_says_that_the_game_was_ended(
    tmp_path: Path, words: str, answer: tuple[str, ...]
) -> None:
    host = a_host(tmp_path)
    cancel(host.home, "rose-1", WHY, host.now)

    assert tells(told(host, words), *answer)


def test_nobody_joins_a_game_that_was_ended(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    table = "open: true\nseats:\n  red: {player: Ann, address: ann@example.test}\n  white: {}\n"
    a_game(host.home, "open-1", table=table, deal=False)
    cancel(host.home, "open-1", WHY, host.now)

    host.gets(host.a_mail("I would like to play.", "cleo@example.test", "Join"), "host+open-1-join@pbem.test")

    assert [row.rcpt for row in host.outbox() if row.rcpt == "cleo@example.test"] == []


def test_press_at_once_still_reaches_the_others_but_waits_for_no_report(tmp_path: Path) -> None:
    host = a_host(tmp_path, "press: {deliver: at once}\n")
    cancel(host.home, "rose-1", WHY, host.now)

    host.gets(host.a_mail("to: all\n\nThank you all.", ANN), host.press_address())

    assert [row.rcpt for row in host.outbox("press")] == ["bob@example.test"]
    assert not list((top(host.home) / "orders" / "rose-1").glob("press/*"))


def test_a_game_stays_ended_where_the_journal_is_lost(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)
    for path in (top(home) / "mail").glob("mail.db*"):
        path.unlink()

    assert run(home, GAME, now=MADE + 2 * HOUR).turn is None
    assert status_of(home, GAME, MADE + 2 * HOUR).ended == WHY
    pbem(home, "announce", GAME, "Is anybody there?", now=MADE + 2 * HOUR)
    night(home, MADE + 9 * DAY)
    assert SavedGame(home, GAME).turn == 1
    assert status_of(home, GAME, MADE + 9 * DAY).ended == WHY

    bring_back(home, GAME, MADE + 9 * DAY)
    assert run(home, GAME, now=MADE + 9 * DAY + HOUR).turn == 2


def test_a_game_that_an_earlier_version_ended_is_ended_by_the_note_alone(tmp_path: Path) -> None:
    home = an_ended_club(tmp_path)
    (top(home) / "games" / GAME / "cancelled.json").unlink()

    assert status_of(home, GAME, MADE + 2 * HOUR).ended == WHY
    bring_back(home, GAME, MADE + 2 * HOUR)
    assert run(home, GAME, now=MADE + 3 * HOUR).turn == 2
