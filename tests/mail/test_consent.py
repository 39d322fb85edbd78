"""A yes lodges what an answer offered, while the turn and the seat's orders are as they were then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.host.run.batch import run
from pbem.play.homes.saved import SavedGame
from tests.mail.host import BAD, BOB, E1, N2, RED, Host, a_host, read, text_of

SLIP = """orders:
- at: red-1
  do: {play: N2}
- at: red-2
  when: {crwon: F4}
  do: {draw: true}
press:
- {to: white, say: Hello}
"""
HEADLESS = "play: N2\n"
BARRED = "    | orders:\n    | - at: red-1\n    |   do: {play: N2}\n"


def offered(host: Host, text: str = SLIP) -> str:
    """Send a mail whose orders are not taken, and return the Message-ID of the answer."""
    came = host.gets(host.a_mail(text), host.address())
    assert came.verdict in ("refused", "question", "empty")
    return str(read(host.outbox("receipt")[-1].raw)["Message-ID"])


def reply(host: Host, answer: str, text: str = "yes\n", **more: str) -> str:
    """Reply to an answer, and return what became of it."""
    return host.gets(
        host.a_mail(text, subject="Re: Orders", in_reply_to=answer, **more), host.address()
    ).verdict


@pytest.mark.parametrize("text", [SLIP, HEADLESS, BARRED])
@pytest.mark.parametrize("yes", ["yes\n", "Yes.\n\nAnn\n", "YES!\n\nThanks, Ann\n"])
def test_a_yes_to_an_offer_lodges_what_stands_in_it(text: str, yes: str, tmp_path: Path) -> None:
    host = a_host(tmp_path)
    answer = offered(host, text)
    shown = text_of(read(host.outbox("receipt")[-1].raw)).split("| orders:")[-1].split("\n\n")[0]
    lines = "\n".join(["orders:", *(line.removeprefix("    | ") for line in shown.splitlines()[1:])])

    assert reply(host, answer, yes) == "lodged"

    other = a_host(tmp_path / "other")
    assert other.gets(other.a_mail(lines), other.address()).verdict == "lodged"
    assert host.lodged() == other.lodged()


@pytest.mark.parametrize(
    "yes", ["ok\n", "no\n", "yes, but with a hero\n", "yes\nplay: E1\n", "maybe\n", "\n"]
)
def test_what_is_no_plain_yes_lodges_nothing(yes: str, tmp_path: Path) -> None:
    host = a_host(tmp_path)

    assert reply(host, offered(host), yes) != "lodged"
    assert not host.lodged()


def _lodge(host: Host) -> None:
    assert host.orders(E1).verdict == "lodged"


def _lodge_twice(host: Host) -> None:
    _lodge(host)
    assert host.orders(N2).verdict == "lodged"


def _offer_again(host: Host) -> None:
    offered(host, "play: E1\n")


def _run(host: Host) -> None:
    _lodge(host)
    run(host.home, "rose-1", now=host.now)


CHANGES: dict[str, Callable[[Host], None]] = {
    "other orders": _lodge,
    "orders twice": _lodge_twice,
    "a newer offer": _offer_again,
    "a turn": _run,
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_offer_is_void_once_something_has_changed(change: str, tmp_path: Path) -> None:
    host = a_host(tmp_path)
    answer = offered(host)
    CHANGES[change](host)
    before = host.lodged()

    assert reply(host, answer) != "lodged"
    assert host.lodged() == before


def test_a_yes_counts_as_a_reply_alone_and_from_the_seat_alone(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    answer = offered(host)

    assert reply(host, "") != "lodged"
    assert reply(host, "<another@example.test>") != "lodged"
    of_white = host.a_mail("yes\n", sender=BOB, in_reply_to=answer)
    assert host.gets(of_white, host.address("white"), BOB).verdict != "lodged"
    assert not host.lodged() and not host.lodged("white")


def test_an_example_cannot_be_accepted_by_a_yes(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    assert host.orders(BAD).verdict == "refused"
    answer = str(read(host.outbox("receipt")[-1].raw)["Message-ID"])

    assert reply(host, answer) != "lodged"
    assert not host.lodged()


def test_where_orders_must_carry_a_key_a_yes_does_not_stand_for_them(tmp_path: Path) -> None:
    host = a_host(tmp_path, "key: true\n")
    key = SavedGame(host.home, "rose-1").players.key(RED)
    answer = offered(host, f"key: {key}\n{SLIP}")

    assert reply(host, answer) != "lodged"
    assert not host.lodged()


def test_the_same_yes_that_comes_twice_is_a_mail_that_came_twice(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    answer = offered(host)
    mail = host.a_mail("yes\n", in_reply_to=answer)
    assert host.gets(mail, host.address()).verdict == "lodged"

    assert host.gets(mail + b"\n", host.address()).verdict == "repeated"


@pytest.mark.parametrize("text", ["Yes please\n", "Yes, that is what I meant!\n", "Ja, genau\n"])
def test_a_reply_that_is_no_plain_yes_is_shown_the_offer_again_which_a_yes_accepts(
    text: str, tmp_path: Path
) -> None:
    host = a_host(tmp_path)
    assert reply(host, offered(host), text) != "lodged"
    again = str(read(host.outbox("receipt")[-1].raw)["Message-ID"])

    assert reply(host, again) == "lodged"
    assert "F4" in host.lodged()
