"""Mails as people write them: the answer to each, and what the moderator sees of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.host.notices.digest import digest
from pbem.host.notices.questions import open_questions
from pbem.store.errors import WrongInput
from pbem.store.mailout import QueuedMail
from tests.homes import top
from tests.mail.host import ANN, Host, a_host, read, text_of
from tests.mail.letters import quoted

MARY: Final = "mary@example.test"


def a_home_of_mary(path: Path, game: str = "", moderator: str = MARY) -> Host:
    """Return a host with a game of Ann and Bob, whose moderator is called Mary."""
    host = a_host(path, game, moderator=moderator)
    file = top(host.home) / "home.yaml"
    file.write_text(f"moderator: Mary\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    return host


def to_mary(host: Host) -> list[QueuedMail]:
    """Return the mails to the moderator that wait to be sent."""
    return [one for one in host.outbox() if one.rcpt == MARY]


def told(host: Host) -> str:
    """Return what a digest by mail says, in one line."""
    with host.home.journal() as db:
        return " ".join(digest(host.home, db, (), ["rose-1"], is_mailed=True).text().split())


def test_the_form_in_the_answer_can_be_filled_in_and_sent_back(tmp_path: Path) -> None:
    host = a_home_of_mary(tmp_path)
    host.gets(host.a_mail("How do I play this? Where are the rules?"), host.address())
    (answer,) = [text_of(read(one.raw)) for one in host.outbox() if one.rcpt == ANN]

    filled = quoted(answer.replace("\n  do: {}", "\n  do: {play: N2}"))

    assert host.gets(host.a_mail(filled), host.address()).verdict == "lodged"
    assert "N2" in host.lodged()


# The moderator's answer


def asked(
    host: Host, text: str = "Where are the rules?", seat: str = "red", sender: str = ANN
) -> tuple[int, str]:
    """Send a question; return its number, and the address at which it is answered."""
    host.gets(host.a_mail(text, subject="A question"), host.address())
    with host.home.journal() as db:
        last = open_questions(db)[-1]
    return last.number, last.reply_to


def waiting(host: Host) -> list[int]:
    with host.home.journal() as db:
        return [one.number for one in open_questions(db)]


def test_the_address_of_another_mail_does_not_answer_this_one(tmp_path: Path) -> None:
    host = a_home_of_mary(tmp_path)
    number, address = asked(host)
    other, _ = asked(host, "And where is the board?")
    forged = address.replace(f"+a_{number}.", f"+a_{other}.")

    assert host.gets(host.a_mail("The rules are these.", sender=MARY), forged, MARY).verdict == "dropped"

    assert waiting(host) == [number, other]


def test_a_token_in_somebodys_words_is_starred_for_the_moderator(tmp_path: Path) -> None:
    host = a_home_of_mary(tmp_path, "questions: at once\n")
    asked(host, f"I write to {host.address()}, is that right?")

    token = host.address().partition(".")[2].partition("@")[0]
    assert token not in text_of(read(to_mary(host)[0].raw))
    assert token not in told(host)


# At the keyboard


def test_when_questions_go_out_is_checked(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="questions: 'sometimes'"):
        a_home_of_mary(tmp_path / "game", "questions: sometimes\n")
    host = a_home_of_mary(tmp_path / "home")
    file = top(host.home) / "home.yaml"
    file.write_text(f"questions: sometimes\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    with pytest.raises(WrongInput, match="questions: 'sometimes'"):
        host.home.settings()
