"""Reminders: before the deadline, to those who owe orders, once for each deadline."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.host.time.extensions import extend, reminders
from pbem.host.time.pausing import pause
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.homes import top
from tests.hosting.games import (
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    SCHEDULE,
    SECOND,
    TUESDAY,
    a_club,
    due,
    night,
    queued,
    stay,
)


def reminded(home: Home, now: datetime.datetime) -> list[str]:
    return [str(one.seat) for one in reminders(SavedGame(home, GAME), now)]


def test_no_reminder_comes_before_half_of_the_time_is_over(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={**SCHEDULE, "remind": "9d"})
    half = MADE + (TUESDAY - MADE) / 2
    assert reminded(home, half - SECOND) == []
    assert reminded(home, half) == ["1", "2", "3"]


def test_who_has_only_an_invitation_is_reminded_of_the_start_form(tmp_path: Path) -> None:
    home = a_club(tmp_path, deal=False)

    first = reminders(SavedGame(home, GAME), TUESDAY - HOUR)[0]

    assert first.label == "start"


def test_nobody_is_reminded_of_a_seat_that_is_free(tmp_path: Path) -> None:
    home = a_club(tmp_path, deal=False)
    file = (top(home) / "games") / GAME / "game.yaml"
    text = file.read_text(encoding="utf-8").replace("{player: Cleo, address: cleo@example.test}", "{}")
    file.write_text(f"{text}open: true\n", encoding="utf-8")

    assert reminded(home, TUESDAY - HOUR) == ["1", "2"]


def test_nobody_is_reminded_of_a_paused_game(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE)

    assert reminded(home, TUESDAY - HOUR) == []


def test_a_reminder_is_mailed_once_for_each_deadline(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    stay(home, "2")

    for hours in (26, 20, 10, 1):
        night(home, TUESDAY - hours * HOUR)
    mails = queued(home, "reminder")
    assert [mail.rcpt for mail in mails] == ["ann@example.test", "cleo@example.test"]

    extend(home, GAME, TUESDAY - HOUR)
    night(home, TUESDAY + HOUR)
    night(home, TUESDAY + 2 * HOUR)
    assert [mail.rcpt for mail in queued(home, "reminder")] == ["ann@example.test", "cleo@example.test"] * 2


def test_after_the_run_nobody_is_reminded_of_what_has_passed(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    due(home, TUESDAY)

    assert reminded(home, TUESDAY + MINUTE) == []
    assert reminded(home, FRIDAY - MINUTE) == ["1", "2", "3"]
