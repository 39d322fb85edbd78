"""Where mails come in: each is safe before its source forgets it, counts once, and at the time it came."""

from __future__ import annotations

import datetime
import hashlib
import io
import os
import stat
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from pbem.mail.arrivals import spool
from pbem.mail.arrivals.intake import (
    KEPT_BYTES,
    Arrival,
    IntakeCount,
    arrival_key,
    read_raw_mail,
    store_arrival,
    store_arrivals,
)
from pbem.mail.arrivals.sources import SPOOL, envelope_of, from_maildir, from_mbox, from_spool, from_stdin
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.store.records import Intake
from tests.behaviour import heads
from tests.edge.faults import Recorder, on
from tests.homes import NOW, a_home, orders_text, top
from tests.mail.host import a_host
from tests.mail.sink import make_maildir

SECOND = datetime.timedelta(seconds=1)
SETTINGS = replace(heads.SETTINGS, address="host@pbem.test")


def a_mail(number: int = 1, *, date: str = "Sat, 21 Nov 2099 20:00:00 +0000") -> bytes:
    head = (
        "Return-Path: <ann@example.test>\r\nDelivered-To: host+rose-1.abcdefghijklm234@pbem.test\r\n"
        f"Received: from far; {date}\r\nDate: {date}\r\nSubject: mail {number}\r\n"
    )
    return f"{head}\r\nThis is mail {number}.\r\n".encode()


def take(home: Home, arrivals: Iterable[Arrival], said: list[str] | None = None) -> IntakeCount:
    with home.journal() as db:
        return store_arrivals(home, db, arrivals, silent if said is None else said.append)


def intakes(home: Home) -> list[Intake]:
    with home.journal() as db:
        return [db.intake(number) for number in range(1, db.arrived() + 1)]


def silent(text: str) -> None:
    raise AssertionError(text)


def spool_mail(home: Home, raw: bytes, at: datetime.datetime, sender: str = "ann@example.test") -> Path:
    recipient = "host+rose-1.abcdefghijklm234@pbem.test"
    spool.keep(str(top(home)), sender, recipient, io.BytesIO(raw).read, int(at.timestamp() * 1e9))
    return max(((top(home) / "mail") / "spool" / "new").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def test_a_spooled_mail_is_kept_byte_by_byte_and_the_spool_forgets_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    raw = a_mail() + bytes(range(256))
    path = spool_mail(home, raw, NOW)

    assert take(home, from_spool(top(home) / SPOOL, NOW, silent)) == IntakeCount(1, 0)

    (intake,) = intakes(home)
    assert read_raw_mail(home, intake) == raw
    assert (intake.source, intake.envelope_from) == ("spool", "ann@example.test")
    assert intake.recipient == "host+rose-1.abcdefghijklm234@pbem.test"
    assert not path.exists()
    kept = (top(home) / "mail") / intake.raw
    assert kept.name == f"{intake.sha256}.eml"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("seconds", [-1, 1])
@pytest.mark.parametrize("date", ["Sat, 21 Nov 2099 20:00:00 +0000", "Thu, 01 Jan 1970 00:00:00 +0000"])
def test_a_mail_counts_as_received_when_it_was_spooled_whatever_it_says(
    tmp_path: Path, seconds: int, date: str
) -> None:
    deadline, home = NOW, a_home(tmp_path)
    spool_mail(home, a_mail(date=date), deadline + seconds * SECOND)

    take(home, from_spool(top(home) / SPOOL, NOW + 60 * SECOND, silent))

    (intake,) = intakes(home)
    assert intake.moment == deadline + seconds * SECOND
    assert (intake.moment < deadline) is (seconds < 0)


def test_a_clock_that_was_wrong_makes_no_mail_later_than_now(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    spool_mail(home, a_mail(), NOW + 3600 * SECOND)

    take(home, from_spool(top(home) / SPOOL, NOW, silent))

    assert intakes(home)[0].moment == NOW


def test_spooled_mails_come_in_the_order_in_which_they_were_spooled(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    for number in (3, 1, 2):
        spool_mail(home, a_mail(number), NOW + number * SECOND)

    take(home, from_spool(top(home) / SPOOL, NOW + 60 * SECOND, silent))

    assert [read_raw_mail(home, one) for one in intakes(home)] == [a_mail(1), a_mail(2), a_mail(3)]


NO_HEADS = (
    b"no such head\nSubject: x\n\n",
    b"99999999999999999999999999 2d 2d\nSubject: x\n\n",
    b"",
    b"17\n",
    b"17 61\nx",
    b"x y z\n",
    b"1 2 3 4\n",
)
"""Files that the program of the spool did not write."""


def test_a_link_or_a_stranger_in_the_spool_is_left_alone_and_told(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    good = spool_mail(home, a_mail(), NOW)
    secret = tmp_path / "secret"
    secret.write_bytes(b"1 2d 2d\nroot:x:0:0")
    (good.parent / "0-link").symlink_to(secret)
    (good.parent / "1-folder").mkdir()
    os.mkfifo(good.parent / "2-pipe")
    for number, head in enumerate(NO_HEADS, 3):
        (good.parent / f"{number}-odd").write_bytes(head)
    said: list[str] = []

    assert take(home, from_spool(top(home) / SPOOL, NOW, said.append)) == IntakeCount(1, 0)

    assert len(said) == 3 + len(NO_HEADS)
    assert [read_raw_mail(home, one) for one in intakes(home)] == [a_mail()]
    assert secret.exists()


def test_what_a_crash_left_half_written_goes_after_a_day_and_a_half(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    spool_mail(home, a_mail(), NOW)
    folder = (top(home) / "mail") / "spool" / "tmp"
    for name, age in (("old", 37), ("young", 35)):
        (folder / name).write_bytes(b"half a ma")
        os.utime(folder / name, (NOW.timestamp() - age * 3600,) * 2)

    take(home, from_spool(top(home) / SPOOL, NOW, silent))

    assert [path.name for path in folder.iterdir()] == ["young"]


def a_delivery(maildir: Path, raw: bytes, name: str, folder: str = "new") -> Path:
    (maildir / folder / name).write_bytes(raw)
    return maildir / folder / name


def test_a_maildir_gives_its_mails_by_the_time_of_delivery_and_keeps_them_as_processed(
    tmp_path: Path,
) -> None:
    home, maildir = a_home(tmp_path), make_maildir(tmp_path / "inbox")
    at = int(NOW.timestamp())
    a_delivery(maildir, a_mail(2), f"{at}.M500000P7.mx")
    a_delivery(maildir, a_mail(1), f"{at}.M000100P7.mx,S=99:2,", "cur")
    third = a_delivery(maildir, a_mail(3), "odd")
    os.utime(third, (at + 2, at + 2))
    (maildir / "new" / ".hidden").write_bytes(b"")

    assert take(home, from_maildir(maildir, SETTINGS, NOW + 9 * SECOND, silent)) == IntakeCount(3, 0)

    assert [read_raw_mail(home, one) for one in intakes(home)] == [a_mail(1), a_mail(2), a_mail(3)]
    assert [one.moment for one in intakes(home)] == [
        NOW.replace(microsecond=100),
        NOW.replace(microsecond=500000),
        NOW + 2 * SECOND,
    ]
    assert {(one.envelope_from, one.source) for one in intakes(home)} == {("ann@example.test", "maildir")}
    kept = maildir / ".Processed" / "cur"
    assert {path.name for path in kept.iterdir()} == {
        f"{at}.M500000P7.mx:2,S",
        f"{at}.M000100P7.mx,S=99:2,S",
        "odd:2,S",
    }
    assert take(home, from_maildir(maildir, SETTINGS, NOW, silent)) == IntakeCount(0, 0)


def test_a_maildir_that_cannot_be_changed_gives_its_mails_once_and_says_so(tmp_path: Path) -> None:
    home, maildir = a_home(tmp_path), make_maildir(tmp_path / "inbox")
    a_delivery(maildir, a_mail(), "1700000000.a.mx")
    (maildir / ".Processed").write_bytes(b"a file where a folder should be")
    said: list[str] = []

    first = take(home, from_maildir(maildir, SETTINGS, NOW, said.append), said)
    again = take(home, from_maildir(maildir, SETTINGS, NOW, said.append), said)

    assert (first, again) == (IntakeCount(1, 0), IntakeCount(0, 1))


def test_an_mbox_stays_as_it_is_and_its_mails_count_as_received_now(tmp_path: Path) -> None:
    home, box = a_home(tmp_path), tmp_path / "old.mbox"
    one = a_mail(1).replace(b"\r\n", b"\n")
    two = a_mail(2).replace(b"\r\n", b"\n")
    stamp = b"From ann@example.test Thu Jan  1 00:00:00 1970\n"
    box.write_bytes(stamp + one + b"\n" + stamp + two + b"\n")
    before = box.read_bytes()

    assert take(home, from_mbox(box, SETTINGS, NOW)) == IntakeCount(2, 0)
    assert take(home, from_mbox(box, SETTINGS, NOW)) == IntakeCount(0, 2)

    assert box.read_bytes() == before
    assert [read_raw_mail(home, kept).rstrip(b"\n") for kept in intakes(home)] == [
        one.rstrip(b"\n"),
        two.rstrip(b"\n"),
    ]
    assert {kept.moment for kept in intakes(home)} == {NOW}


def test_what_is_no_maildir_and_no_mbox_is_said(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    for arrivals in (from_maildir(tmp_path, SETTINGS, NOW, silent), from_mbox(tmp_path / "x", SETTINGS, NOW)):
        with pytest.raises(WrongInput):
            take(home, arrivals)


def test_standard_input_takes_its_envelope_from_the_headers_unless_it_is_given(tmp_path: Path) -> None:
    given, told = (
        next(iter(from_stdin(io.BytesIO(a_mail()), *envelope, SETTINGS, NOW)))
        for envelope in (("bob@example.test", "host@pbem.test"), ("", ""))
    )

    assert (given.sender, given.recipient) == ("bob@example.test", "host@pbem.test")
    assert (told.sender, told.recipient) == ("ann@example.test", "host+rose-1.abcdefghijklm234@pbem.test")


@pytest.mark.parametrize("head", ["To: " + "ann@y, " * 2000 + "host+g.t@pbem.test", "To: " + '"\\"' * 9000])
def test_of_a_very_long_head_the_end_is_not_looked_at(head: str) -> None:
    assert envelope_of(head.encode(), SETTINGS) == ("", "")


@pytest.mark.parametrize("has_token", [True, False])
def test_a_mail_whose_envelope_nobody_wrote_down_counts_by_its_token_or_its_key(
    tmp_path: Path, has_token: bool
) -> None:
    host, maildir = a_host(tmp_path), make_maildir(tmp_path / "inbox")
    token = host.address().partition(".")[2].partition("@")[0]
    key = {} if has_token else {"key": token}
    text = orders_text("rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}], **key)
    to = host.address() if has_token else "host@pbem.test"
    mail = host.a_mail(text, To=f'"The host" <{to}>, Mary <mary@example.test>')
    a_delivery(maildir, b"Return-Path: <ann@example.test>\n" + mail, "1700000000.a.mx")

    take(host.home, from_maildir(maildir, SETTINGS, NOW, silent))

    assert [(one.verdict, one.seat) for one in host.process()] == [("lodged", "red")]


def test_a_mail_that_trips_the_taking_in_up_stays_where_it_was_and_the_others_come_in(tmp_path: Path) -> None:
    home, told = a_home(tmp_path), list[str]()
    paths = [spool_mail(home, a_mail(n), NOW + n * SECOND) for n in range(3)]
    real = hashlib.sha256

    def failing(data: bytes = b"") -> object:
        if b"mail 1" in data:
            raise ZeroDivisionError
        return real(data)

    with home.journal() as db, mock.patch("pbem.mail.arrivals.intake.hashlib.sha256", failing):
        arrivals = from_spool(top(home) / SPOOL, NOW + 9 * SECOND, silent)
        found = store_arrivals(home, db, arrivals, silent, lambda what, _: told.append(what))

    assert found.new == 2
    assert len(told) == 1
    assert [path.exists() for path in paths] == [False, True, False]


def test_the_same_mail_delivered_again_counts_once_and_another_envelope_is_another_mail(
    tmp_path: Path,
) -> None:
    home = a_home(tmp_path)
    first = Arrival("lmtp", NOW, "ann@example.test", "host+a.b@pbem.test", a_mail())
    other = Arrival("lmtp", NOW, "ann@example.test", "host+a.c@pbem.test", a_mail())
    with home.journal() as db:
        numbers = [store_arrival(home, db, one) for one in (first, first, other)]

    assert numbers == [1, None, 2]
    assert len(list(((top(home) / "mail") / "raw").iterdir())) == 1
    assert arrival_key("a", "bc", b"d") != arrival_key("ab", "c", b"d") != arrival_key("a", "b", b"cd")


def test_no_more_of_a_mail_is_kept_than_shows_that_it_is_too_big(tmp_path: Path) -> None:
    home, maildir = a_home(tmp_path), make_maildir(tmp_path / "inbox")
    big = a_mail() + b"x" * (3 * KEPT_BYTES)
    a_delivery(maildir, big, "1700000000.a.mx")
    box = tmp_path / "box"
    box.write_bytes(b"From a@b Thu Jan  1 00:00:00 1970\n" + big.replace(b"\r\n", b"\n"))
    spool_mail(home, big, NOW, "bob@example.test")

    take(home, from_maildir(maildir, SETTINGS, NOW, silent))
    take(home, from_mbox(box, SETTINGS, NOW))
    take(home, from_spool(top(home) / SPOOL, NOW, silent))
    take(home, from_stdin(io.BytesIO(big + b"."), "a@b", "host@pbem.test", SETTINGS, NOW))

    assert [len(read_raw_mail(home, one)) for one in intakes(home)] == [KEPT_BYTES] * 4


def test_the_bytes_of_a_mail_are_durable_before_it_is_noted_and_forgotten_after_that(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    path = spool_mail(home, a_mail(), NOW)
    with home.journal() as db:
        disk = Recorder(top(home))
        noted: list[int] = []

        def note(**columns: object) -> int:
            noted.append(len(disk.journal))
            return 1

        with mock.patch.object(db, "take_in", note), mock.patch("pbem.store.disk.Disk", lambda: disk):
            store_arrivals(on(disk, home), db, from_spool(top(home) / SPOOL, NOW, silent), silent)

    kinds = [step.kind for step in disk.journal]
    assert kinds[:3] == ["mkdir", "sync_names", "create"]
    assert kinds[noted[0] - 3 : noted[0]] == ["sync_file", "rename", "sync_names"]
    assert kinds[noted[0] :] == ["remove"]
    assert disk.journal[-1].path == path.relative_to(top(home))
