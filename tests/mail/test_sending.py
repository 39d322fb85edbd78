"""Sending: each mail once, to reader and archive in one; what is not taken waits, fails or is proven."""

from __future__ import annotations

import datetime
import email
import smtplib
import ssl
import stat
from collections.abc import Callable, Iterator
from email.utils import format_datetime
from pathlib import Path
from unittest import mock

import pytest

from pbem.core.interface import Json
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.outbox import Sender, SendResult
from pbem.mail.outgoing.transports import Sendmail, Smtp, use_carrier
from pbem.play.homes.home import Home
from pbem.store.disk import hold_folder_lock
from pbem.store.errors import GateClosedError, WrongInput
from pbem.store.mailout import OutboundMail, State
from pbem.text.mail.compose import Outgoing, compose
from tests.facts import each_tells, tells
from tests.homes import NOW, a_home, claim_next, top
from tests.mail.homes import write_settings
from tests.mail.sink import Sink, a_sink
from tests.mail.stack import CERTIFICATE

ANN, BOB = "ann@example.test", "bob@example.test"
MINUTE = datetime.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.outgoing.outbox.GRACE", 0.0)
    monkeypatch.setattr("pbem.mail.outgoing.outbox.LOCK_PATIENCE", 0.3)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return a_home(tmp_path)


@pytest.fixture
def sink(home: Home) -> Iterator[Sink]:
    """Give a server that takes the home's mail, and keeps an archive of it."""
    with a_sink(top(home) / "kept") as found:
        write_settings(
            home,
            smtp={"server": "127.0.0.1", "port": found.port},
            archive="kept",
            archive_address=found.archive_address,
        )
        yield found


def without_archive(home: Home, sink: Sink) -> None:
    write_settings(home, smtp={"server": "127.0.0.1", "port": sink.port})


def a_mail(name: str, rcpt: str = ANN, sender: str = "host+bounce.g.1.t1r0@pbem.test") -> OutboundMail:
    raw = f"From: <host@pbem.test>\r\nMessage-ID: <{name}@pbem.test>\r\n\r\n.dot\r\nÜ {name}\r\n".encode()
    return OutboundMail("rose-1", 3, "red", "report", 0, rcpt, sender, f"<{name}@pbem.test>", raw)


def put(home: Home, *mails: OutboundMail) -> None:
    with home.journal() as db:
        for mail in mails:
            db.put(mail, NOW)


def send(home: Home, said: list[str] | None = None, now: datetime.datetime = NOW) -> SendResult:
    settings = mail_settings(home)
    talk = print if said is None else said.append
    with home.journal() as db, use_carrier(settings) as carrier:
        return Sender(home, db, settings, carrier, talk, now, lambda _seconds: None).send_all()


def states(home: Home) -> dict[str, State]:
    with home.journal() as db:
        return {
            name[1:].partition("@")[0]: state
            for name, state in db.rows("SELECT message_id, state FROM outbox")
        }


def why(home: Home) -> list[str]:
    with home.journal() as db:
        return [row[0] for row in db.rows("SELECT why FROM outbox ORDER BY id")]


def archived(home: Home) -> int:
    return len(list((top(home) / "kept" / "new").iterdir()))


def claim_all(home: Home) -> None:
    """Claim everything as a sender does that is killed then."""
    with home.journal() as db:
        while claim_next(db, NOW):
            pass


def test_mails_go_out_in_order_byte_by_byte_with_their_envelope_and_a_copy(home: Home, sink: Sink) -> None:
    put(home, a_mail("a"), a_mail("b", BOB, sender=""))

    assert send(home) == SendResult(sent=2)

    assert [(one.sender, one.recipient, one.raw) for one in sink.mails] == [
        ("host+bounce.g.1.t1r0@pbem.test", ANN, a_mail("a").raw),
        ("", BOB, a_mail("b").raw),
    ]
    assert archived(home) == 2
    assert states(home) == {"a": "sent", "b": "sent"}
    assert sink.sessions == 1
    assert send(home) == SendResult(), "what was sent is not sent again"
    for path in (top(home) / "mail").rglob("*"):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, f"others can read {path}"


def test_what_a_killed_sender_had_sent_is_found_in_the_archive(home: Home, sink: Sink) -> None:
    put(home, a_mail("a"))
    send(home)
    put(home, a_mail("b"))
    with home.journal() as db:
        db.run("UPDATE outbox SET state = 'claimed'")

    assert send(home) == SendResult(sent=1)

    assert sink.delivered() == [("<a@pbem.test>", ANN), ("<b@pbem.test>", ANN)]
    assert archived(home) == 2, "the probe is gone"


def test_without_an_archive_it_is_sent_again_as_the_same_mail(home: Home, sink: Sink) -> None:
    without_archive(home, sink)
    put(home, a_mail("a"))
    send(home)
    with home.journal() as db:
        db.run("UPDATE outbox SET state = 'claimed'")

    assert send(home) == SendResult(sent=1)

    first, again = sink.mails
    assert first == again


def test_an_archive_that_gets_nothing_proves_nothing_and_nothing_is_lost_or_doubled(
    home: Home, sink: Sink
) -> None:
    put(home, a_mail("a"), a_mail("b"))
    claim_all(home)
    sink.silent_archive = True
    said: list[str] = []

    assert send(home, said) == SendResult(unsure=2, waiting=2, exit_code=1)
    assert sink.delivered() == []

    sink.silent_archive = False
    assert send(home) == SendResult(sent=2)
    assert sink.delivered() == [("<a@pbem.test>", ANN), ("<b@pbem.test>", ANN)]


def test_an_archive_that_is_not_there_is_said_and_nothing_is_sent(home: Home, sink: Sink) -> None:
    put(home, a_mail("a"))
    claim_all(home)
    (top(home) / "kept" / "new").rename(top(home) / "kept" / "gone")

    with pytest.raises(WrongInput):
        send(home)

    assert states(home) == {"a": "claimed"}


@pytest.mark.parametrize("archive", [True, False])
def test_a_reader_that_is_refused_for_good_fails_and_the_others_go_out(
    home: Home, sink: Sink, archive: bool
) -> None:
    if not archive:
        without_archive(home, sink)
    put(home, a_mail("a"), a_mail("b", BOB))
    sink.refuse[ANN] = "550 5.1.1 no such user host+rose-1.abcdefghijklm234@pbem.test"
    said: list[str] = []

    assert send(home, said) == SendResult(sent=1, failed=1, exit_code=1)

    assert states(home) == {"a": "failed", "b": "sent"}
    assert archived(home) == archive, "nothing of a mail that was refused"
    assert why(home)[0] == "550 5.1.1 no such user host+rose-1.****@pbem.test"
    assert said == [f"<a@pbem.test>: {why(home)[0]}"]
    with home.journal() as db:
        (act,) = db.acts("rose-1")
    assert (act.act, act.public) == ("mail failed", 0)
    assert tells(act.facts, "3", "red", "550")


@pytest.mark.parametrize("place", [ANN, "MAIL"])
def test_what_is_not_taken_now_is_tried_later_and_later_and_fails_after_two_days(
    home: Home, sink: Sink, place: str
) -> None:
    put(home, a_mail("a"))
    sink.refuse[place] = "451 4.7.1 greylisted"
    now = NOW
    pauses: list[datetime.timedelta] = []
    codes: list[int] = []
    while (done := send(home, now=now)).later:
        codes.append(done.exit_code)
        with home.journal() as db:
            next_try = datetime.datetime.fromisoformat(db.rows("SELECT next_try FROM outbox")[0][0])
        pauses.append(next_try - now)
        assert send(home, now=next_try - datetime.timedelta(seconds=1)) == SendResult(waiting=1)
        now = next_try

    assert pauses[:4] == [5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 40 * MINUTE]
    assert codes[:7] == [0, 0, 0, 0, 0, 0, 1], "what is put off for hours is a failure"
    assert states(home) == {"a": "failed"}
    assert sink.mails == []
    assert datetime.timedelta(days=2) < now - NOW < datetime.timedelta(days=4)


def test_a_mail_that_trips_the_program_up_is_set_aside_and_the_others_go_out(home: Home, sink: Sink) -> None:
    put(home, a_mail("a"), a_mail("b", "b\u00f6b@example.test"), a_mail("c", BOB))
    found: list[str] = []
    settings = mail_settings(home)
    with home.journal() as db, use_carrier(settings) as carrier:

        def aside(what: str, wrong: Exception) -> None:
            found.append(f"{what}: {type(wrong).__name__}")

        done = Sender(home, db, settings, carrier, print, NOW, lambda _: None, aside).send_all()
        (act,) = db.acts("rose-1")

    assert done == SendResult(sent=2, failed=1, exit_code=4)
    assert states(home) == {"a": "sent", "b": "failed", "c": "sent"}
    assert [one.recipient for one in sink.mails] == [ANN, BOB]
    assert each_tells(found, ("rose-1", "3", "red"))
    assert tells(act.facts, "3", "red", "Unicode")


def test_a_refused_archive_or_sender_is_no_fault_of_the_reader(home: Home, sink: Sink) -> None:
    for place in ("archive@pbem.test", "MAIL"):
        put(home, a_mail(place[0]))
        sink.refuse = {place: "550 5.7.1 not for you"}
        assert send(home).later == 1

    sink.refuse = {}
    assert send(home, now=NOW + 5 * MINUTE) == SendResult(sent=2)


def test_a_mail_goes_out_from_the_very_address_where_no_other_is_taken(home: Home, sink: Sink) -> None:
    server: dict[str, Json] = {"server": "127.0.0.1", "port": sink.port}
    for plain in (False, True):
        write_settings(home, smtp=server, plain_sender=plain)
        put(home, a_mail(f"report{plain}"), a_mail(f"answer{plain}", sender=""))
        send(home)

    assert [one.sender for one in sink.mails] == [
        "host+bounce.g.1.t1r0@pbem.test",
        "",
        "host@pbem.test",
        "host@pbem.test",
    ]


def test_a_server_that_is_down_stops_the_batch_and_counts_against_nobody(home: Home, sink: Sink) -> None:
    write_settings(home, smtp={"server": "127.0.0.1", "port": 1})
    put(home, a_mail("a"), a_mail("b"))
    said: list[str] = []

    assert send(home, said, NOW + datetime.timedelta(days=9)) == SendResult(later=1, waiting=2, exit_code=1)

    assert said == ["<a@pbem.test>: 127.0.0.1, port 1: [Errno 111] Connection refused"]
    assert states(home) == {"a": "queued", "b": "queued"}
    without_archive(home, sink)
    assert send(home) == SendResult(sent=2)


def test_a_line_that_breaks_when_the_mail_may_have_been_taken_is_settled_by_the_archive(
    home: Home, sink: Sink
) -> None:
    put(home, a_mail("a"), a_mail("b"))
    with mock.patch("smtplib.SMTP.getreply", _breaking_once_behind_the_data()):
        assert send(home) == SendResult(sent=1)
    assert states(home) == {"a": "sent", "b": "sent"}
    assert len(sink.delivered()) == 2

    put(home, a_mail("c"))
    with mock.patch("smtplib.SMTP.data", _breaking_once_before_the_data()):
        assert send(home) == SendResult(waiting=1)
    assert states(home)["c"] == "queued"
    send(home)
    assert len(sink.delivered()) == 3


def _breaking_once_behind_the_data() -> Callable[[smtplib.SMTP], tuple[int, bytes]]:
    """Return a `getreply` that breaks once, when the server has taken a mail and says so."""
    real = smtplib.SMTP.getreply
    codes: list[int] = []

    def getreply(line: smtplib.SMTP) -> tuple[int, bytes]:
        code, text = real(line)
        codes.append(code)
        if codes[-2:-1] == [354] and codes.count(354) == 1:
            line.close()
            raise smtplib.SMTPServerDisconnected("the line broke")
        return code, text

    return getreply


def _breaking_once_before_the_data() -> Callable[[smtplib.SMTP, bytes], tuple[int, bytes]]:
    """Return a `data` that breaks once, before the server has the mail."""
    real = smtplib.SMTP.data
    tried: list[bytes] = []

    def data(line: smtplib.SMTP, raw: bytes) -> tuple[int, bytes]:
        tried.append(raw)
        if len(tried) == 1:
            line.close()
            raise smtplib.SMTPServerDisconnected("the line broke")
        return real(line, raw)

    return data


def test_nothing_more_is_said_on_a_line_that_broke(home: Home, sink: Sink) -> None:
    server = mail_settings(home).smtp
    assert server is not None
    carrier = Smtp(server)
    broken = mock.patch("smtplib.SMTP.data", side_effect=ConnectionResetError(104, "reset"))
    with broken, mock.patch("smtplib.SMTP.quit") as goodbye:
        assert carrier.carry("", [ANN], b"x").fate == "unknown"
        carrier.close()

    goodbye.assert_not_called()


def test_no_more_than_so_many_mails_a_minute(home: Home, sink: Sink) -> None:
    write_settings(home, smtp={"server": "127.0.0.1", "port": sink.port}, per_minute=20)
    put(home, *(a_mail(name) for name in "abc"))
    settings = mail_settings(home)
    waits: list[float] = []
    with home.journal() as db, use_carrier(settings) as carrier:
        Sender(home, db, settings, carrier, print, NOW, waits.append).send_all()

    assert waits == [3.0, 3.0, 3.0]


def test_of_two_senders_one_waits_and_is_refused(
    home: Home, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mail.outgoing.outbox.LOCK_SECONDS", 0.0)
    put(home, a_mail("a"))
    folder = (top(home) / "mail") / "sending"
    folder.mkdir()
    with hold_folder_lock(folder), pytest.raises(GateClosedError):
        send(home)

    assert sink.mails == []


# --- a server elsewhere


def a_smarthost(home: Home, sink: Sink, password: str = "hush-hush") -> None:
    (top(home) / "password").write_text(password, encoding="utf-8")
    (top(home) / "password").chmod(0o600)
    write_settings(
        home,
        smtp={
            "server": "localhost",
            "port": sink.port,
            "security": "starttls",
            "user": "host",
            "password_file": "password",
        },
    )


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_a_server_elsewhere_is_talked_to_in_secret_and_after_a_login(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    put(home, a_mail("a"), a_mail("b"))
    with a_sink(tls=_context(), login=lambda user, word: (user, word) == (b"host", b"hush-hush")) as sink:
        a_smarthost(home, sink)

        assert send(home) == SendResult(sent=2)

    assert sink.logins == [(b"host", b"hush-hush")]
    assert len(sink.mails) == 2


@pytest.mark.parametrize(
    ("tls", "is_trusted", "told", "tried"),
    [
        (True, False, ("CERTIFICATE_VERIFY_FAILED", "SSL_CERT_FILE=/path/to/certificate.pem"), False),
        (False, True, ("STARTTLS",), False),
        (True, True, ("535",), True),
    ],
    ids=["nobody trusts it", "no starttls", "a wrong password"],
)
def test_a_server_that_is_not_sure_gets_neither_password_nor_mail_and_a_wrong_one_is_not_told(
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    tls: bool,
    is_trusted: bool,
    told: tuple[str, ...],
    tried: bool,
) -> None:
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    put(home, a_mail("a"))
    said: list[str] = []
    with a_sink(tls=_context() if tls else None, login=(lambda *_: False) if tls else None) as sink:
        a_smarthost(home, sink, "wrong-word")

        assert send(home, said) == SendResult(later=1, waiting=1, exit_code=1)

    assert tells(said[0], *told)
    assert "wrong-word" not in said[0]
    assert (bool(sink.logins), sink.mails) == (tried, [])


# --- sendmail


def a_program(home: Home, text: str) -> None:
    path = top(home) / "sendmail"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    write_settings(home, sendmail="sendmail")


def test_sendmail_gets_the_mail_whole_with_its_envelope(home: Home) -> None:
    a_program(home, f'printf "%s|" "$@" > {top(home)}/words; cat > {top(home)}/given')
    put(home, a_mail("a", sender=""))

    assert send(home) == SendResult(sent=1)

    assert (top(home) / "words").read_text(encoding="utf-8") == f"-oi|-f|<>|--|{ANN}|"
    assert (top(home) / "given").read_bytes() == a_mail("a").raw.replace(b"\r\n", b"\n")


@pytest.mark.parametrize(
    ("text", "expected", "state"),
    [
        ("exit 75", SendResult(later=1, waiting=1), "queued"),
        ("exit 78", SendResult(later=1, waiting=1, exit_code=1), "queued"),
        ("exit 1", SendResult(later=1, waiting=1, exit_code=1), "queued"),
        ("exit 127", SendResult(later=1, waiting=1, exit_code=1), "queued"),
        ("echo nobody there >&2; exit 67", SendResult(failed=1, exit_code=1), "failed"),
        ("kill -9 $$", SendResult(later=1, waiting=1), "queued"),
    ],
)
def test_what_sendmail_says_is_understood(home: Home, text: str, expected: SendResult, state: State) -> None:
    a_program(home, text)
    put(home, a_mail("a"))

    assert send(home) == expected

    assert states(home) == {"a": state}


def test_a_sendmail_that_hangs_is_given_up(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.outgoing.transports.TIMEOUT", 0.2)
    a_program(home, "exec sleep 60")

    answer = Sendmail(top(home) / "sendmail").carry("", [ANN], b"x")

    assert (answer.fate, tells(answer.why, f"{top(home)}/sendmail", "0")) == ("unknown", True)


# --- the date, and the sender of an answer


def a_dated_mail(sender: str = "") -> OutboundMail:
    mail = Outgoing(
        kind="receipt", envelope_from=sender, to=ANN, from_="host@pbem.test", subject="Date: today",
        message_id="<a@pbem.test>", date=format_datetime(NOW), text="Date: Mon, 01 Jan 2024 00:00:00 +0000\n",
    )  # fmt: skip
    return OutboundMail("rose-1", 3, "red", "receipt", 0, ANN, sender, mail.message_id, compose(mail))


@pytest.mark.parametrize("waited", [datetime.timedelta(0), datetime.timedelta(days=2)])
@pytest.mark.parametrize("was_killed", [False, True])
def test_a_mail_carries_the_date_of_the_moment_in_which_it_is_sent_also_by_a_second_try(
    home: Home, sink: Sink, waited: datetime.timedelta, was_killed: bool
) -> None:
    put(home, a_dated_mail())
    if was_killed:
        without_archive(home, sink)
        claim_all(home)

    send(home, now=NOW + waited)

    before, after = a_dated_mail().raw, sink.mails[0].raw
    assert str(email.message_from_bytes(after)["Date"]) == format_datetime(NOW + waited)
    assert after.replace(format_datetime(NOW + waited).encode(), format_datetime(NOW).encode(), 1) == before


def test_through_a_providers_server_an_answer_has_the_hosts_address_as_sender(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    put(home, a_dated_mail(), a_mail("b"))
    with a_sink(tls=_context(), login=lambda _user, _word: True) as sink:
        sink.refuses_no_sender = True
        a_smarthost(home, sink)

        assert send(home) == SendResult(sent=2)

    assert [one.sender for one in sink.mails] == ["host@pbem.test", "host+bounce.g.1.t1r0@pbem.test"]
