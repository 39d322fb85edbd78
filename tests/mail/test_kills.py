"""Killed or failed before any of its steps, nothing that came in is lost, and nothing goes out twice."""

from __future__ import annotations

import datetime
import io
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.mail.arrivals import spool
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.reinstated import waiting_press
from pbem.store.records import iso
from tests.edge.faults import Image, image_of, lay_out
from tests.homes import NOW, orders_path, orders_text, send, top
from tests.mail.disturbed import Shell
from tests.mail.homes import a_mail_home, write_settings
from tests.mail.host import ANN, E1, N2, RED, Host, read, text_of
from tests.mail.sink import Sink, a_sink, make_maildir

pytestmark = pytest.mark.kills

KILLED = -signal.SIGKILL
MAILS = [f"Subject: mail {number}\r\n\r\nHello {number}.\r\n".encode() for number in range(2)]
DATE = re.compile(rb"(?m)^Date: .*\r\n")
READERS = ["ann@example.test", "bob@example.test"]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    found = Shell(tmp_path_factory.getbasetemp())
    yield found
    found.close()


@pytest.fixture(scope="module")
def sink(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sink]:
    with a_sink(tmp_path_factory.mktemp("sink") / "archive") as found:
        yield found


@dataclass(frozen=True)
class Case:
    """A command to disturb.

    Attributes:
        verb: The command.
        prepare: Makes the home before it.
        check: Looks at home and server when the command was given again and is done.
        ends: What it ends with: 4 where a mail trips the program up.
    """

    verb: str
    prepare: Callable[[Home, Sink], None]
    check: Callable[[Home, Sink], None]
    ends: int = 0


def _spooled(home: Home, _sink: Sink) -> None:
    for number, raw in enumerate(MAILS):
        at = int((NOW.timestamp() + number) * 1e9)
        spool.keep(str(top(home)), "ann@example.test", "host@pbem.test", io.BytesIO(raw).read, at)


def _nothing_yet(home: Home, sink: Sink) -> None:
    shutil.rmtree(top(home) / "mail")
    _spooled(home, sink)


def _orders_and_press(home: Home, _sink: Sink) -> None:
    """Orders that replace others, press alone, and a mail that trips us up."""
    host = Host(home)
    send(home, "rose-1", "red", E1)
    texts = [
        orders_text("rose-1", "red", [*N2, {"at": "red-2", "do": {"draw": True}}]),
        "game: rose-1\nseat: red\npress:\n- {to: all, say: Peace}\n",
        "poison",
    ]
    for number, text in enumerate(texts):
        _into_spool(home, number, host.a_mail(text), ANN, host.address())


def _into_spool(home: Home, number: int, raw: bytes, sender: str, recipient: str) -> None:
    at = int((NOW.timestamp() + number) * 1e9)
    spool.keep(str(top(home)), sender, recipient, io.BytesIO(raw).read, at)


def _lodged_and_told_once(home: Home, _sink: Sink) -> None:
    with home.journal() as db:
        verdicts = [row[0] for row in db.rows("SELECT verdict FROM intake ORDER BY id")]
        told = [text_of(read(row.raw)) for row in db.outbox("queued") if row.kind == "receipt"]
        assert db.notes("rose-1", "plan:") == {}
    assert verdicts == ["lodged", "press", "shunted"]
    assert "THEY REPLACE\n    | - at: red-1\n    |   do: {play: E1}\n" in told[0]
    assert "YOUR ORDERS FROM BEFORE STAND\n    | - at: red-1\n    |   do: {play: N2}\n" in told[1]
    waiting = waiting_press(SavedGame(home, "rose-1"))
    assert [one.say for one in waiting[RED].press] == ["Peace"]
    assert "play: N2" in orders_path(home, "rose-1", RED).read_text(encoding="utf-8")


def _in_a_maildir(home: Home, _sink: Sink) -> None:
    write_settings(home, maildir="inbox")
    inbox = make_maildir(top(home) / "inbox")
    for number, raw in enumerate(MAILS):
        (inbox / "new" / f"{int(NOW.timestamp()) + number}.M1P1.mx").write_bytes(raw)


def _taken_in_once(home: Home, _sink: Sink) -> None:
    with home.journal() as db:
        found = [db.intake(number) for number in range(1, db.arrived() + 1)]
    assert [read_raw_mail(home, one) for one in found] == MAILS
    assert {one.state for one in found} == {"done"}
    assert list(top(home).glob("mail/spool/new/*")) == []
    assert list(top(home).glob("inbox/new/*")) == []
    assert len(list(top(home).glob("inbox/.Processed/cur/*"))) in (0, 2)


def _with_archive(home: Home, sink: Sink) -> None:
    write_settings(
        home,
        smtp={"server": "127.0.0.1", "port": sink.port},
        archive=str(sink.archive),
        archive_address=sink.archive_address,
    )


def _without_archive(home: Home, sink: Sink) -> None:
    write_settings(home, smtp={"server": "127.0.0.1", "port": sink.port})


def _sent_once(home: Home, sink: Sink) -> None:
    assert [reader for _, reader in sorted(sink.delivered())] == READERS
    _all_marked(home)


def _sent_as_the_same_mail(home: Home, sink: Sink) -> None:
    assert [reader for _, reader in sorted(set(sink.delivered()))] == READERS
    assert len({DATE.sub(b"", one.raw) for one in sink.mails}) == 2
    assert len(sink.mails) <= 3
    _all_marked(home)


def _all_marked(home: Home) -> None:
    with home.journal() as db:
        assert db.rows("SELECT state FROM outbox") == [("sent",), ("sent",)]


CASES = {
    "receive for the first time": Case("receive", _nothing_yet, _taken_in_once),
    "receive from the spool": Case("receive", _spooled, _taken_in_once),
    "receive from a Maildir": Case("receive", _in_a_maildir, _taken_in_once),
    "receive orders and press": Case("receive", _orders_and_press, _lodged_and_told_once, ends=4),
    "send with an archive": Case("send", _with_archive, _sent_once),
    "send without an archive": Case("send", _without_archive, _sent_as_the_same_mail),
}


def words(case: Case, home: Home, minutes: int = 0) -> list[str]:
    now = NOW + datetime.timedelta(minutes=minutes)
    return [case.verb, "--home", str(top(home)), "--now", iso(now)]


def names(home: Home) -> list[str]:
    """Return the name of everything that lies in a home; the moment in a name of a Maildir is its own."""
    return sorted(str(path.relative_to(top(home))) for path in top(home).rglob("*"))


def told(home: Home) -> list[tuple[str, str, str]]:
    """Return what waits to be sent or was sent: what it is, to whom, and its text."""
    with home.journal() as db:
        rows = db.rows("SELECT kind, rcpt, raw FROM outbox ORDER BY id")
    return [(kind, rcpt, text_of(read(raw))) for kind, rcpt, raw in rows]


def forget(sink: Sink) -> None:
    sink.mails.clear()
    assert sink.archive is not None
    for path in (sink.archive / "new").iterdir():
        path.unlink()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return a home with mail and a game whose turn 1 nobody was told of."""
    home = a_mail_home(tmp_path_factory.mktemp("before"))
    with home.journal():
        pass  # it is made
    return image_of(top(home))


@pytest.mark.parametrize("mode", ["kill", "fail"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_stopped_before_any_step_and_given_again_it_comes_to_the_same(
    case: Case, mode: str, before: Image, tmp_path: Path, shell: Shell, sink: Sink
) -> None:
    home = lay_out(before, tmp_path / "home")
    case.prepare(home, sink)
    ready = image_of(top(home))
    forget(sink)
    code, steps = shell.give(words(case, home))
    assert code == case.ends
    case.check(home, sink)
    assert steps >= 20
    left, said = names(home), told(home)

    for at in range(steps):
        lay_out(ready, top(home))
        forget(sink)

        code, _ = shell.give(words(case, home), at, "kill" if mode == "kill" else "fail")

        assert code == KILLED if mode == "kill" else code in (0, 1, case.ends), f"step {at}"
        assert shell.give(words(case, home, 30))[0] in (0, case.ends), f"step {at}"
        case.check(home, sink)
        assert names(home) == left, f"step {at}"
        assert told(home) == said, f"step {at}"
