"""Mails with orders without a line: what their receipts say, what goes out, and a second try after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.host.run.batch import run
from pbem.play.reports.reading import report
from pbem.play.submissions import lodging
from pbem.text.kept import KeptReceipt, kept_in
from tests.facts import tells
from tests.homes import NOW, orders_text
from tests.mail.host import E1, N2, Host, a_host, read, text_of

PRESS = "press:\n- {to: all, say: Peace in the north}\n"
HEAD = "game: rose-1\nseat: red\n"


class Killed(BaseException):
    """Stands for a kill."""


def says(host: Host, text: str) -> str:
    """Send a mail to red's address, and return what became of it."""
    return host.gets(host.a_mail(text), host.address()).verdict


def test_press_alone_goes_out_with_the_next_reports_and_the_lines_stand(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2)

    assert says(host, HEAD + PRESS) == "press"

    mail = host.answers()[1]
    told = text_of(mail)
    assert str(mail["Subject"]) == "[rose-1] Press sent; your orders stand"
    assert tells(told, "rose-1")
    assert "YOUR PRESS\n    | - {to: all, say: Peace in the north}\n" in told
    assert "YOUR ORDERS FROM BEFORE STAND\n    | - at: red-1\n    |   do: {play: N2}\n" in told
    run(host.home, "rose-1", now=NOW)
    assert "| Peace in the north" in report(host.home, "rose-1", "white")


@pytest.mark.parametrize("word", ["none", "None", "NONE"])
def test_a_word_in_a_mail_withdraws_what_stands(tmp_path: Path, word: str) -> None:
    host = a_host(tmp_path, "silent: hold\n")
    host.orders(N2)

    assert says(host, f"Sorry, I must think again.\n\norders: {word}\n\nAnn\n") == "withdrawn"

    mail = host.answers()[1]
    told = text_of(mail)
    assert str(mail["Subject"]) == "[rose-1] Orders withdrawn (receipt 2)"
    assert told.startswith("Your orders for rose-1 are withdrawn: receipt 2. `orders: none`")
    assert "WITHDRAWN\n    | - at: red-1\n    |   do: {play: N2}\n" in told
    assert tells(told, "HAPPENS NOW No", "red-1")
    assert "WILL RUN" not in told
    assert run(host.home, "rose-1", now=NOW).turn is None


def test_a_mail_that_withdraws_nothing_but_sends_the_same_press_is_told_so(tmp_path: Path) -> None:
    host = a_host(tmp_path, "silent: hold\n")
    for _ in range(2):
        assert says(host, f"{HEAD}orders: none\n{PRESS}") == "withdrawn"

    told = text_of(host.answers()[1])
    said = " ".join(told.split())
    assert said.startswith(
        "Your orders for rose-1 are lodged: receipt 2. Nothing changed: the same was lodged"
    )
    assert tells(told, "IS LODGED")
    assert "withdrawn" not in f"{host.answers()[1]['Subject']} {told}".lower()
    assert isinstance(kept := kept_in(told), KeptReceipt) and (kept.game, kept.number) == ("rose-1", 2)


@pytest.mark.parametrize("text", [HEAD + PRESS, f"{HEAD}orders: none\n", orders_text("rose-1", "red", E1)])
@pytest.mark.parametrize("with_run", [False, True], ids=["", "and a run before the second try"])
def test_killed_after_lodging_the_second_try_answers_in_the_words_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, with_run: bool
) -> None:
    def answers_of(host: Host, *, is_killed: bool) -> list[str]:
        host.orders(N2)
        host.put(host.a_mail(text), host.address())
        if is_killed:
            with monkeypatch.context() as patched:
                patched.setattr("pbem.mail.conversation.handlers.lodge", lodge_and_die)
                with pytest.raises(Killed):
                    host.process()
            if with_run:
                run(host.home, "rose-1", now=NOW, overrides=("unread",))
        host.process()
        with host.home.journal() as db:
            assert db.notes("rose-1", "plan:") == {}
        return [text_of(read(row.raw)) for row in host.outbox("receipt")]

    def lodge_and_die(*words: object) -> None:
        lodging.lodge(*words)  # type: ignore[arg-type]
        raise Killed

    told = answers_of(a_host(tmp_path / "undisturbed"), is_killed=False)
    again = answers_of(a_host(tmp_path / "killed"), is_killed=True)

    assert len(again) == len(told) == 2
    assert "play: N2" in told[1]
    ours, theirs = (one[1].partition("\nOrders are due")[0].splitlines() for one in (told, again))
    left_out = ("A turn has taken", "Until they are played", "You are asked", "The game is", "of them.")
    assert [one for one in ours if one and not one.startswith(left_out)] == [
        one for one in theirs if one and not one.startswith(left_out) and not one.startswith("came of them")
    ]
