"""What a notice tells of the present is weighed when it leaves: what is so no longer is not sent."""

from __future__ import annotations

import datetime
import email
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.people.votes import vote
from pbem.host.run.undo import cancel
from pbem.host.time.extensions import announce_absence, extend, queue_reminders
from pbem.host.time.pausing import pause
from pbem.mail.outgoing.delivery import send
from pbem.mail.outgoing.transports import ServerReply
from pbem.play.config.gamefile import Absence
from pbem.play.config.schedule import Span
from pbem.play.homes.home import Home
from tests.homes import orders_path
from tests.hosting.games import DAY, FRIDAY, GAME, HOUR, MADE, MINUTE, TUESDAY, a_club, due, notices, stay

LATE = TUESDAY - 2 * HOUR


@dataclass
class Server:
    """A mail server that is down or takes all, and does something of the test's before it does."""

    is_up: bool = True
    taken: list[str] = field(default_factory=list)

    def carry(self, sender: str, recipients: Sequence[str], raw: bytes) -> ServerReply:
        """Take a mail, and keep whom it goes to, of what kind it is, and its subject."""
        if not self.is_up:
            return ServerReply("unreachable", "nobody is there")
        mail = email.message_from_bytes(raw)
        self.taken.append(f"{recipients[0].partition('@')[0]}: {mail['X-PBEM-Kind']}: {mail['Subject']}")
        return ServerReply("sent")

    def close(self) -> None:
        """Say goodbye."""


def sent(home: Home, now: datetime.datetime) -> list[str]:
    """Return what goes out at a moment."""
    server = Server()
    send(home, now, print, carrier=server)
    return server.taken


def a_club_by_mail(path: Path) -> Home:
    """Return a club whose reports are with their players."""
    home = a_club(path, by_mail=True, votes="public")
    sent(home, MADE)
    return home


def remind(home: Home, now: datetime.datetime) -> None:
    """Queue reminders while the mail server is down."""
    with home.journal() as db:
        queue_reminders(home, db, GAME, now)
    send(home, now, print, carrier=Server(is_up=False))


def reminded(home: Home, now: datetime.datetime) -> list[str]:
    """Return who gets a reminder at a moment."""
    return [one.partition(":")[0] for one in sent(home, now) if ": reminder: " in one]


def _nothing(home: Home) -> None:
    """Nothing happens."""


def _orders_come(home: Home) -> None:
    stay(home, "1", "2", "3")


def _one_has_answered(home: Home) -> None:
    stay(home, "2")


def _the_step_is_played(home: Home) -> None:
    due(home, TUESDAY, overrides=("down", "silent"))


def _the_deadline_moves(home: Home) -> None:
    extend(home, GAME, LATE, by=Span(days=2))


def _it_is_paused(home: Home) -> None:
    pause(home, GAME, LATE)


def _they_go_away(home: Home) -> None:
    for seat in ("1", "2", "3"):
        announce_absence(home, GAME, Seat(seat), Absence(MADE, FRIDAY), LATE)


SOON = LATE + MINUTE


@pytest.mark.parametrize(
    ("meanwhile", "later", "who"),
    [
        (_one_has_answered, SOON, ["ann", "cleo"]),
        (_orders_come, SOON, []),
        (_the_step_is_played, TUESDAY + MINUTE, []),
        (_the_deadline_moves, SOON, []),
        (_it_is_paused, SOON, []),
        (_they_go_away, SOON, []),
        (_nothing, TUESDAY, []),
    ],
)
def test_a_reminder_that_waited_is_not_sent_when_it_is_so_no_longer(
    tmp_path: Path, meanwhile: Callable[[Home], None], later: datetime.datetime, who: list[str]
) -> None:
    home = a_club_by_mail(tmp_path)
    remind(home, LATE)

    meanwhile(home)

    assert reminded(home, later) == who
    assert reminded(home, later) == []
    with home.journal() as db:
        assert db.waiting() == 0


def test_who_owes_orders_again_is_reminded_after_all(tmp_path: Path) -> None:
    home = a_club_by_mail(tmp_path)
    remind(home, LATE)
    stay(home, "1", "2", "3")
    assert reminded(home, LATE + MINUTE) == []

    (orders_path(home, GAME, Seat("1"))).unlink()
    for _ in range(2):
        remind(home, LATE + HOUR)

    assert reminded(home, LATE + HOUR) == ["ann"]
    remind(home, LATE + HOUR + MINUTE)
    assert reminded(home, LATE + HOUR + MINUTE) == []


def test_of_new_deadlines_that_waited_only_the_one_in_force_is_sent(tmp_path: Path) -> None:
    home = a_club_by_mail(tmp_path)
    for hours in (1, 2):
        extend(home, GAME, LATE, by=Span(hours=hours))
        send(home, LATE, print, carrier=Server(is_up=False))

    found = sent(home, LATE + MINUTE)

    assert len(found) == 3


@pytest.mark.parametrize("is_back", [True, False])
def test_a_vote_is_asked_for_as_long_as_it_is_open(tmp_path: Path, is_back: bool) -> None:
    home = a_club_by_mail(tmp_path)
    vote(home, GAME, Seat("1"), "draw", LATE)
    send(home, LATE, print, carrier=Server(is_up=False))
    if is_back:
        vote(home, GAME, Seat("1"), "draw", LATE, yes=False)

    sent(home, LATE + MINUTE)

    found = [one for one in notices(home, "vote-proposed") if one.state == "sent"]
    assert len(found) == (0 if is_back else 3)


def test_what_tells_of_the_past_is_sent_however_late(tmp_path: Path) -> None:
    home = a_club_by_mail(tmp_path)
    cancel(home, GAME, "a quarrel", LATE)
    send(home, LATE, print, carrier=Server(is_up=False))

    sent(home, LATE + DAY)
    assert [one.state for one in notices(home, "game-cancelled")] == ["sent"] * 3
