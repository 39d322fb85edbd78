"""A report that is mailed after its deadline was moved tells the one that is in force, in all its parts."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.host.time.extensions import extend
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.homes import game_folder, top
from tests.hosting.games import GAME, HOUR, MADE, TUESDAY, a_club, pbem, queued
from tests.mail.host import a_host, read, text_of

OLD, NEW = "Tuesday 24 November 2026, 20:00 EET", "Tuesday 24 November 2026, 13:00 EET"
MORE = [("--resend",), ("--address", "ann.b@example.test")]
ROSES = "schedule: {days: [fri], at: '20:00', zone: Europe/Helsinki}\n"


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
        if name.endswith("-book.html"):  # of the game, and not of the turn
            continue
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
    text, old = again.pop("text/plain"), before["text/plain"]
    assert tells(text, NEW, "THIS IS")
    kept = (game_folder(home, GAME) / "turns/0001/reports/1/report.txt").read_text()
    own = old[old.rindex(" ".join(kept.split())[:60]) :]
    assert text.endswith(f" {own}")
    assert OLD in own
    assert OLD not in text.removesuffix(own)
    assert NEW in again.pop("text/html").partition(OLD)[0]
    assert not [
        name for name in again if OLD in again[name] or "20:00" in again[name].split("game book")[0][:400]
    ]
    assert all(NEW in again[name] for name in again if OLD in before[name])


def test_the_form_of_a_report_has_a_line_for_the_key_that_is_asked_for_since(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path, by_mail=True)
    with (top(home) / "games" / GAME / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("key: true\n")
    extend(home, GAME, MADE, to=TUESDAY - 7 * HOUR)

    assert pbem(home, "send", now=MADE) == 0

    (form,) = (text for name, text in parts(reports(home)[0]).items() if name.endswith(".yaml"))
    assert f'game: {GAME} seat: 1 key: ""' in form


def test_a_report_that_goes_out_again_after_its_deadline_names_none_in_its_subject(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    assert pbem(home, "seat", GAME, "1", "--resend", now=TUESDAY + HOUR) == 0
    assert pbem(home, "send", now=TUESDAY + HOUR) == 0

    assert str(reports(home)[-1]["Subject"]) == "[club] Your orders, please (turn-1)"


def test_a_report_that_a_player_asks_for_is_word_for_word_the_first_where_nothing_was_moved(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path, ROSES)

    host.gets(host.a_mail("resend"), host.address())

    (again,) = (read(one.raw) for one in host.outbox("report") if "-again-" in one.message_id)
    kept = top(host.home) / "games/rose-1/turns/0001/reports/red/report.txt"
    assert text_of(again).endswith(f"\n\n{kept.read_text(encoding='utf-8')}")
    first = next(one for one in host.outbox("report") if one.seat == "red")
    assert text_of(again) == text_of(read(first.raw))
