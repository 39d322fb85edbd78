"""After a deadline was moved, nothing that goes out once more says the old one."""

from __future__ import annotations

import datetime
from email.message import EmailMessage
from pathlib import Path

from pbem.host.moving import extend
from pbem.play.saved import SavedGame
from tests.homes import NOW
from tests.mail.host import Host, a_host, read, text_of

SCHEDULE = "schedule: {days: [fri], at: '20:00', zone: Europe/Helsinki}\n"
OLD, NEW = "Friday 27 November 2026, 20:00 EET", "Thursday 26 November 2026, 12:06 EET"
SOONER = datetime.datetime.fromisoformat("2026-11-26T10:06:00+00:00")


def moved(path: Path) -> Host:
    host = a_host(path, SCHEDULE)
    extend(host.home, "rose-1", NOW, to=SOONER)
    return host


def parts(mail: EmailMessage) -> dict[str, str]:
    """Return what a mail has to read, by kind or name."""
    return {
        part.get_filename() or part.get_content_type(): " ".join(str(part.get_content()).split())
        for part in mail.walk()
        if part.get_content_maintype() == "text"
    }


def test_a_report_that_is_sent_again_says_when_orders_are_due_now(tmp_path: Path) -> None:
    host = moved(tmp_path)

    host.gets(host.a_mail("resend"), host.address())

    (again,) = (read(one.raw) for one in host.outbox("report") if "-again-" in one.message_id)
    assert isinstance(again, EmailMessage)
    assert str(again["Subject"]).endswith("your orders for red-1, please, by Thu 26 Nov 12:06 EET")
    kept = SavedGame(host.home, "rose-1").turns.at(1) / "reports" / "red" / "report.txt"
    assert kept.read_text() in text_of(again)
    read_parts = parts(again)
    assert read_parts.pop("text/plain").startswith(
        f"The deadline was moved after this report was made. Orders are due {NEW}"
    )
    assert len(read_parts) == 3
    for name, text in read_parts.items():
        assert OLD not in text, name
        assert NEW in text, name


def test_a_page_and_a_form_that_are_sent_again_say_so_too(tmp_path: Path) -> None:
    host = moved(tmp_path)

    host.gets(host.a_mail("page"), host.address())
    host.gets(host.a_mail("What shall I do?\nI do not know."), host.address())

    page, lost = host.answers()
    assert isinstance(page, EmailMessage)
    (file,) = page.iter_attachments()
    assert NEW in str(file.get_content())
    assert OLD not in str(file.get_content())
    said = " ".join(text_of(lost).split())
    assert "pbem form rose-1 red" in said
    assert OLD not in said
    assert f"Orders are due {NEW}" in said


def test_a_report_that_is_sent_again_is_word_for_word_the_first_where_nothing_was_moved(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path, SCHEDULE)

    host.gets(host.a_mail("resend"), host.address())

    (again,) = (read(one.raw) for one in host.outbox("report") if "-again-" in one.message_id)
    kept = SavedGame(host.home, "rose-1").turns.at(1) / "reports" / "red" / "report.txt"
    assert text_of(again) == kept.read_text()
