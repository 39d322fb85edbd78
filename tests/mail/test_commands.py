"""Commands by mail: one table of words, and what each of them does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.host.run.notes import notes_of
from pbem.mail.conversation.commands import CommandLead, given_command
from pbem.store.errors import WrongInput
from tests.mail.host import a_host


@pytest.mark.parametrize(
    ("subject", "text", "given"),
    [
        ("help", "", CommandLead("help", "")),
        ("Re: [rose-1] Help", "", CommandLead("help", "")),
        ("AW: WG: RE: status.", "", CommandLead("status", "")),
        ("Orders", "resend\n", CommandLead("resend", "")),
        ("Orders", "\n\nResend please!\n\nThank you", CommandLead("resend", "please")),
        ("Orders", "Help me, please!", CommandLead("help", "please")),
        ("Orders", "help me", CommandLead("help", "")),
        ("Orders", "Status, please", CommandLead("status", "please")),
        ("Orders", "Help me win", None),
        ("Orders", "Status?\n\nThanks, Dan", CommandLead("status", "")),
        ("Status?", "", CommandLead("status", "")),
        ("Orders", "Rules? Which of them are new?", None),
        ("Orders", "Rules?\n\nWhich of them are new in this game?", None),
        ("Orders", "vote draw?", CommandLead("vote", "draw?")),
        ("Orders", "Away 10-12 Dec", None),  # programs say so of their owner
        ("Orders", "Away from my desk, sorry", None),
        ("vote draw", "status", CommandLead("vote", "draw")),
        ("Re: [rose-1] Your orders, please (red-1)", "hello", None),
        ("Orders", "Help me to understand this.", None),
        ("Orders", "Status quo is what I would like to keep here", None),
        ("absent 2026-12-24 to 2026-12-28", "", CommandLead("absent", "2026-12-24 to 2026-12-28")),
        ("", "", None),
    ],
)
def test_a_command_is_a_word_of_the_subject_or_the_first_line(
    subject: str, text: str, given: CommandLead | None
) -> None:
    assert given_command(subject, text.splitlines()) == given


def test_a_command_that_meets_a_damaged_home_waits_and_tells_nobody_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail("vote pause"), host.address())

    def damaged(*_: object, **__: object) -> None:
        raise WrongInput("/home/mary/games/rose-1/secret.json is damaged.")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.conversation.commands.vote", damaged)
        assert [one.verdict for one in host.process()] == ["waits"]
    assert host.outbox() == []
    assert [one.verdict for one in host.process()] == ["command-vote"]


def test_a_command_is_carried_out_once_whatever_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail("vote pause"), host.address())

    class Killed(BaseException):
        """Stands for a kill."""

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr("pbem.store.journal.Journal.finish", killed)
        host.process()
    host.process()

    assert len(notes_of(host.home, "rose-1").votes) == 1
    assert len(host.outbox("receipt")) == 1
