"""Who wrote a mail: tokens, senders, keys, the word of the own mail server, and signatures."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.cli import run_command
from pbem.mail.arrivals.proof import keyring
from tests.homes import orders_path, orders_text, top
from tests.mail.host import ANN, BOB, E1, N2, RED, Host, a_host
from tests.mail.stack import lacking_packages

RIGHT = orders_text("rose-1", "red", N2)
STRANGER = "eve@example.test"


def _masked(text: str) -> str:
    return re.sub(r"[a-z2-7]{16}(?=@)", "x" * 16, text)


def test_the_answer_to_a_mail_that_is_not_proven_is_always_the_same(tmp_path: Path) -> None:
    told = set()
    for number, text in enumerate((RIGHT, orders_text("rose-1", "red", E1), "status", "game: nothing\n")):
        host = a_host(tmp_path / str(number))
        host.gets(host.a_mail(text, sender=STRANGER, subject=f"About {number}"), host.address(), STRANGER)
        told.add(_masked(host.outbox()[0].raw.decode()))

    assert len(told) == 1


# OpenPGP


class Signer:
    """A player with a key."""

    def __init__(self, folder: Path, name: str) -> None:
        if lacking := lacking_packages("gpg", "gpg-agent", "gpgv"):
            pytest.skip(f"signed mails are not tested: apt install {' '.join(lacking)}")
        self.folder = folder / name
        self.folder.mkdir(mode=0o700, parents=True)
        made = ("--faked-system-time", "20250101T000000", "--passphrase", "")
        self.gpg(*made, "--quick-gen-key", f"{name}@example.test", "ed25519", "sign", "never")

    def gpg(self, *words: str, data: bytes = b"") -> bytes:
        command = ["gpg", "--homedir", str(self.folder), "--batch", "--quiet", *words]
        try:
            return subprocess.run(command, input=data, capture_output=True, check=True).stdout
        finally:  # it starts an agent, which would outlive the test
            subprocess.run(["gpgconf", "--homedir", str(self.folder), "--kill", "gpg-agent"], check=False)

    def give_key(self, host: Host, seat: str) -> None:
        ring = keyring(top(host.home), "rose-1", seat)
        ring.parent.mkdir(parents=True, exist_ok=True)
        ring.write_bytes(self.gpg("--export"))

    def clear(self, text: str, at: str = "20250121T190000") -> str:
        return self.gpg("--faked-system-time", at, "--clearsign", data=text.encode()).decode()


def _signed_host(path: Path) -> tuple[Host, Signer]:
    host = a_host(path, "auth: openpgp\n")
    ann = Signer(path, "ann")
    ann.give_key(host, "red")
    return host, ann


def test_signed_orders_are_lodged_and_nothing_around_the_signed_part_counts(tmp_path: Path) -> None:
    host, ann = _signed_host(tmp_path)
    other = orders_text("rose-1", "red", E1)

    said = host.gets(
        host.a_mail(f"{other}\n\n{ann.clear(RIGHT)}\n\n{other}", subject="status"), host.address()
    )

    assert said.verdict == "lodged"
    assert "N2" in host.lodged()
    assert "E1" not in host.lodged()


def test_a_part_with_a_signature_beside_it_is_lodged(tmp_path: Path) -> None:
    host, ann = _signed_host(tmp_path)
    part = f"Content-Type: text/plain; charset=utf-8\n\n{RIGHT}".replace("\n", "\r\n").encode()
    signature = ann.gpg("--faked-system-time", "20250121T190000", "--armor", "--detach-sign", data=part)
    raw = (
        f"From: {ANN}\r\nMessage-ID: <s@example.test>\r\n"
        "Content-Type: multipart/signed; micalg=pgp-sha512;\r\n"
        ' protocol="application/pgp-signature"; boundary="bb"\r\n\r\n--bb\r\n'
    ).encode()
    raw += (
        part + b"\r\n--bb\r\nContent-Type: application/pgp-signature\r\n\r\n" + signature + b"\r\n--bb--\r\n"
    )

    assert host.gets(raw, host.address()).verdict == "lodged"
    assert host.gets(raw.replace(b"N2", b"E1"), host.address()).verdict == "warned"
    assert "N2" in host.lodged()


def test_the_key_must_be_that_of_the_seats_own_player(tmp_path: Path) -> None:
    host, _ = _signed_host(tmp_path)
    bob = Signer(tmp_path, "bob")
    bob.give_key(host, "white")

    assert host.gets(host.a_mail(bob.clear(RIGHT)), host.address()).verdict == "warned"
    assert host.lodged() == ""


def test_changed_doubled_and_missing_signatures_prove_nothing(tmp_path: Path) -> None:
    host, ann = _signed_host(tmp_path)
    good = ann.clear(RIGHT)

    for text in (good.replace("N2", "E1"), good + good, RIGHT, good[:-80], ann.clear("hello") + RIGHT):
        assert host.gets(host.a_mail(text), host.address()).verdict in ("warned", "question")

    assert host.lodged() == ""


def test_what_was_signed_earlier_than_the_last_orders_is_a_replay(tmp_path: Path) -> None:
    host, ann = _signed_host(tmp_path)
    old, new = (
        ann.clear(RIGHT, "20250121T190000"),
        ann.clear(orders_text("rose-1", "red", E1), "20250121T191000"),
    )

    assert host.gets(host.a_mail(new), host.address()).verdict == "lodged"
    for text in (old, new):
        assert host.gets(host.a_mail(text), host.address()).verdict == "repeated"

    assert "E1" in host.lodged()


def test_a_signed_game_does_not_take_commands_from_a_subject_that_nobody_signed(tmp_path: Path) -> None:
    host, ann = _signed_host(tmp_path)

    assert host.gets(host.a_mail(ann.clear("hello"), subject="resend"), host.address()).verdict == "question"
    assert (
        host.gets(host.a_mail(ann.clear("resend", "20250121T190100")), host.address()).verdict
        == "command-resend"
    )


# Tokens show nowhere


def test_no_token_is_in_anything_that_is_told_logged_or_committed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = a_host(tmp_path)
    token = host.address().partition(".")[2].partition("@")[0]
    text = orders_text("rose-1", "red", N2, key=token)
    raw = host.a_mail(text)
    mail = tmp_path / "mail.eml"
    mail.write_bytes(raw)
    at_home = ["--home", str(top(host.home))]
    with mail.open("rb") as file, pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.stdin", type("Input", (), {"buffer": file}))
        given = ["--stdin", "--sender", ANN, "--recipient", host.address()]
        assert run_command(["receive", *given, *at_home]) == 0
    assert run_command(["run", *at_home]) == 0
    assert run_command(["status", *at_home]) == 0

    told = capsys.readouterr()
    assert "lodged" in told.out
    assert token not in told.out + told.err
    committed = [path for path in (top(host.home) / "games").rglob("*") if path.is_file()]
    assert len(committed) > 10
    assert [path for path in committed if token.encode() in path.read_bytes()] == []
    for row in host.outbox():
        assert row.rcpt == ANN or token.encode() not in row.raw


# Whatever the headers are


_NAMES = st.sampled_from(
    [
        "From", "Sender", "To", "Subject", "Reply-To", "Message-ID", "Date", "X-Loop", "Content-Type",
        "From ", "Auto-Submitted", "Return-Path", "Delivered-To", "Authentication-Results", "Received",
        "from", "FROM",
    ]
)  # fmt: skip
_SENDERS = [ANN, BOB, STRANGER, f"<{ANN}>", f"Ann <{ANN}>", f"{ANN}, {STRANGER}", f'"{ANN}" <{STRANGER}>']
_VALUES = st.one_of(st.sampled_from(_SENDERS), st.text(max_size=40))


@pytest.fixture(scope="module")
def open_host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return a_host(tmp_path_factory.mktemp("host"))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_NAMES, _VALUES), max_size=6), st.sampled_from(["red", "white", "none", "wrong"]))
@example([("From ", BOB), ("From", ANN)], "red")
@example([("From", ANN), ("From ", BOB), ("Subject", "x")], "red")
def test_whatever_is_accepted_had_the_right_token_and_the_right_sender(
    open_host: Host, headers: list[tuple[str, str]], whose: str
) -> None:
    to = {
        "red": open_host.address("red"),
        "white": open_host.address("white"),
        "none": "host+rose-1@pbem.test",
        "wrong": "host+rose-1.abcdefghijklmnop@pbem.test",
    }[whose]
    head = "".join(f"{name}: {value}\n" for name, value in headers)
    raw = (f"{head}\n{RIGHT}").encode("utf-8", "surrogateescape")
    orders_path(open_host.home, "rose-1", RED).unlink(missing_ok=True)
    number = open_host.put(raw, to, ANN)
    if number is None:
        return  # the very same mail came before

    said = next(one for one in open_host.process() if one.intake == number)

    assert said.verdict != "shunted"
    if open_host.lodged():
        lines = re.split(r"\r\n|\r|\n", head)
        named = [line.partition(":") for line in lines[: lines.index("")] if ":" in line]
        senders = [value for name, _, value in named if name.strip(" \t").lower() == "from"]
        assert whose == "red"
        assert len(senders) == 1
        assert ANN in senders[0]
        assert STRANGER not in senders[0].replace(f'"{ANN}"', "")
