"""Orders at the deadline: what counts is when the host had them, to the second, whatever their Date says."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.host.time.deadlines import is_late
from pbem.mail.account.addresses import orders_address, token_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.intake import Arrival
from pbem.mail.outgoing.delivery import receive
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.homes import game_folder, load_record, orders_text, top
from tests.hosting.games import (
    DAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    SCHEDULE,
    SECOND,
    TUESDAY,
    a_club,
    night,
    noted,
    pbem,
    stay,
)

GRACE = 2 * HOUR
CLOSED = TUESDAY + GRACE
DATES = ["Tue, 24 Nov 2026 10:00:00 +0000", "Thu, 01 Jan 2099 00:00:00 +0000", "yesterday"]


def a_mail_club(tmp_path: Path) -> Home:
    """Return a club whose night job has been at work all the time, and in which Ann and Bob have answered."""
    home = a_club(tmp_path, by_mail=True, gate={"down": "90d"}, schedule={**SCHEDULE, "grace": "2h"})
    stay(home, "1", "2")
    night(home, MADE + HOUR)
    return home


def mail_orders(
    home: Home,
    received: datetime.datetime,
    do: Json,
    *,
    now: datetime.datetime | None = None,
    date: str = DATES[0],
    seat: str = "3",
    label: str = "turn-1",
) -> list[str]:
    """Let orders of Cleo come in at a moment; return the verdicts of what was processed."""
    saved, settings = SavedGame(home, GAME), mail_settings(home)
    with home.journal() as db:
        address = orders_address(settings, GAME, token_of(saved, Seat(seat), db))
    message_id = f"<{received.timestamp()}{label}@x.test>"
    head = f"From: cleo@example.test\r\nDate: {date}\r\nMessage-ID: {message_id}\r\nSubject: orders\r\n"
    body = orders_text(GAME, seat, [{"at": label, "do": do}]).replace("\n", "\r\n")
    raw = f"{head}\r\n{body}".encode()

    def source(_talk: object) -> list[Arrival]:
        return [Arrival("stdin", received, "cleo@example.test", address, raw)]

    got = receive(home, now or received, lambda _: None, MailedCommands(), source)
    return [one.verdict for one in got.processed]


def taken(home: Home) -> str:
    """Return the orders of Cleo that turn 2 took, or "" if it answered for her."""
    path = (top(home) / "games") / GAME / "turns/0002/orders/3.yaml"
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize(("seconds", "counts"), [(0, True), (1, False)])
def test_orders_count_to_the_second_of_the_grace_whatever_their_date_says(
    tmp_path: Path, seconds: int, counts: bool, date: str
) -> None:
    home = a_mail_club(tmp_path)

    mail_orders(home, CLOSED + seconds * SECOND, {"move": "stay"}, date=date, now=CLOSED + MINUTE)
    night(home, CLOSED + MINUTE)

    record = load_record(game_folder(home, GAME), 2)
    assert bool(taken(home)) is counts
    assert record["steps"][0]["sources"]["3"] == ("order 1" if counts else "hold")  # type: ignore[index, call-overload]
    assert verify(home, GAME).findings == ()


def test_late_orders_do_not_take_the_place_of_those_that_came_in_time(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    good = mail_orders(home, CLOSED - SECOND, {"move": "stay"})

    late = mail_orders(home, CLOSED + SECOND, {"move": "up"})
    night(home, CLOSED + MINUTE)

    assert (good, late) == (["lodged"], ["late"])
    assert "stay" in taken(home)
    assert "up" not in taken(home)


def test_late_orders_are_looked_at_when_the_turn_was_run(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    mail_orders(home, CLOSED + SECOND, {"move": "stay"}, label="turn-2")

    night(home, CLOSED + MINUTE)

    assert SavedGame(home, GAME).turn == 2
    assert status_of(home, GAME).lodged == ("3",)
    with home.journal() as db:
        assert db.unread() == 0


def test_late_orders_count_if_the_turn_could_not_be_run(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    text = ((top(home) / "games") / GAME / "game.yaml").read_text(encoding="utf-8")
    ((top(home) / "games") / GAME / "game.yaml").write_text(text.replace("silent: hold", "silent: wait"))
    assert mail_orders(home, CLOSED + SECOND, {"move": "stay"}) == ["late"]

    night(home, CLOSED + MINUTE)  # the game goes on waiting for Cleo
    assert status_of(home, GAME).lodged == ("1", "2", "3")
    night(home, CLOSED + 2 * MINUTE)

    assert SavedGame(home, GAME).turn == 2
    assert "stay" in taken(home)


def test_a_late_mail_closes_no_gate(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    mail_orders(home, CLOSED + SECOND, {"move": "stay"})

    assert night(home, CLOSED + MINUTE) == 0
    assert SavedGame(home, GAME).turn == 2


def test_a_run_by_hand_ends_the_wait_too(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    mail_orders(home, CLOSED + SECOND, {"move": "stay"})

    assert pbem(home, "run", GAME, now=CLOSED + MINUTE) == 0  # without --due nobody is answered for

    saved = SavedGame(home, GAME)
    assert saved.turn == 1
    assert not is_late(saved, noted(home), CLOSED + SECOND, CLOSED + MINUTE)


def test_orders_for_a_turn_that_was_taken_back_are_taken_at_once_after_its_deadline(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    night(home, CLOSED + MINUTE)
    assert (SavedGame(home, GAME).turn, taken(home)) == (2, "")
    assert pbem(home, "undo", GAME, now=CLOSED + HOUR) == 0

    assert mail_orders(home, CLOSED + 2 * HOUR, {"move": "stay"}) == ["lodged"]

    with home.journal() as db:
        (_answer,) = [one for one in db.outbox("queued") if one.kind == "receipt"]
    night(home, CLOSED + 2 * HOUR)  # which leaves the game alone
    assert SavedGame(home, GAME).turn == 1
    assert pbem(home, "run", GAME, now=CLOSED + 3 * HOUR) == 0
    assert "stay" in taken(home)


def test_nobody_waits_for_a_run_for_more_than_a_day(tmp_path: Path) -> None:
    home = a_mail_club(tmp_path)
    saved = SavedGame(home, GAME)

    assert is_late(saved, noted(home), CLOSED + SECOND, CLOSED + DAY)
    assert not is_late(saved, noted(home), CLOSED + SECOND, CLOSED + DAY + SECOND)
