"""A report that is mailed after its deadline was moved tells the one that is in force, in all its parts."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.host.moving import extend
from pbem.play.home import Home
from tests.homes import top
from tests.hosting.games import GAME, HOUR, MADE, TUESDAY, a_club, pbem, queued

OLD, NEW = "Tuesday 24 November 2026, 20:00 EET", "Tuesday 24 November 2026, 13:00 EET"
MORE = [("--resend",), ("--new-secret",), ("--address", "ann.b@example.test")]


def reports(home: Home, seat: str = "1") -> list[EmailMessage]:
    """Return the reports that were mailed to a seat."""
    found = []
    for one in queued(home, "report"):
        letter = message_from_bytes(one.raw, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        if one.seat == seat:
            found.append(letter)
    return found


def parts(letter: EmailMessage) -> dict[str, str]:
    """Return what a mail tells, by the kind of its parts, the text without line ends."""
    found = {"subject": str(letter["Subject"])}
    for part in letter.walk():
        name = part.get_filename() or ""
        if part.get_content_type() in ("text/plain", "text/html", "text/x-yaml"):
            content = part.get_content()
            text = content if isinstance(content, str) else content.decode()
            found[name or part.get_content_type()] = " ".join(text.replace("##", "").split())
    return found


@pytest.mark.parametrize("how", MORE, ids=lambda how: how[0])
def test_a_report_that_goes_out_again_tells_the_deadline_in_force(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    assert pbem(home, "send", now=MADE) == 0
    before = parts(reports(home)[0])
    assert all(OLD in before[name] for name in before if name not in ("subject", "text/x-yaml"))

    extend(home, GAME, MADE + HOUR, to=TUESDAY - 7 * HOUR)
    assert pbem(home, "seat", GAME, "1", *how) == 0
    assert pbem(home, "send", now=MADE + HOUR) == 0

    again = parts(reports(home)[-1])
    assert again.keys() == before.keys()
    assert "Tue 24 Nov 13:00" in again["subject"]
    assert not [
        name for name in again if OLD in again[name] or "20:00" in again[name].split("game book")[0][:400]
    ]
    assert all(NEW in again[name] for name in again if OLD in before[name])
    assert [one.replace(NEW, OLD) for one in again.values()][1:2] == [before["text/plain"]]


def test_a_first_mail_of_a_report_whose_deadline_was_moved_before_it_tells_the_new_one(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path, by_mail=True)
    extend(home, GAME, MADE, to=TUESDAY - 7 * HOUR)

    assert pbem(home, "send", now=MADE) == 0

    assert "Tue 24 Nov 13:00" in parts(reports(home)[0])["subject"]


def test_a_report_whose_deadline_stands_is_as_it_was_committed(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    assert pbem(home, "send", now=MADE) == 0
    kept = (top(home) / "games" / GAME / "turns/0001/reports/1/report.txt").read_text(encoding="utf-8")

    assert parts(reports(home)[0])["text/plain"] == " ".join(kept.replace("##", "").split())
