"""Machines are not answered (RFC 3834), people are."""

from __future__ import annotations

import pytest

from pbem.text.mail.letter import Letter, read_letter

OWN = ("host@pbem.example",)


def why(head: str, envelope_from: str | None = None) -> str:
    """Return why a mail with these headers must not be answered."""
    raw = f"{head}From: Ann <ann@example.org>\n\nHello\n" if "From:" not in head else f"{head}\nHello\n"
    letter = read_letter(raw.encode(), envelope_from=envelope_from, own=OWN)
    assert isinstance(letter, Letter)
    return letter.auto


ANSWERED = {
    "plain": "",
    "auto-submitted-no": "Auto-Submitted: no\n",
    "auto-submitted-no-with-parameter": "Auto-Submitted: no; foo\n",
    "auto-submitted-no-with-comment": "Auto-Submitted: (really) No (yes)\n",
    "precedence-first-class": "Precedence: first-class\n",
    "suppressed-out-of-office-only": "X-Auto-Response-Suppress: OOF, NDR\n",
    "suppressed-none": "X-Auto-Response-Suppress: None\n",
    "thirty-servers": "Received: by x\n" * 30,
    "another-loop": "X-Loop: somebody@example.org\n",
    "subject-only": "Subject: Out of office\n",
    "name-of-a-machine": 'From: "noreply@example.org" <ann@example.org>\n',
    "sender-that-cannot-be-read": "From: Boleyn, Ann <ann@example.org>\n",
    "norman": "From: noreplyton@example.org\n",
}


@pytest.mark.parametrize("head", ANSWERED.values(), ids=ANSWERED)
def test_people_are_answered(head: str) -> None:
    assert why(head) == ""


SILENT = {
    "null-sender": "Return-Path: <>\n",
    "auto-replied": "Auto-Submitted: auto-replied\n",
    "auto-generated-in-capitals": "AUTO-SUBMITTED: AUTO-GENERATED\n",
    "auto-replied-with-parameter": "Auto-Submitted: auto-replied; owner-email=x@example.org\n",
    "auto-with-comment": "Auto-Submitted: (no) auto-notified\n",
    "second-auto-submitted": "Auto-Submitted: no\nAuto-Submitted: auto-replied\n",
    "receipt": "Content-Type: multipart/report; report-type=disposition-notification; boundary=x\n",
    "list-id": "List-Id: <x.example.org>\n",
    "precedence-bulk": "Precedence: bulk\n",
    "precedence-junk": "Precedence: Junk\n",
    "precedence-list": "Precedence: list\n",
    "mailer-daemon": "From: MAILER-DAEMON@example.org\n",
    "postmaster": "From: postmaster@example.org\n",
    "request": "From: games-request@example.org\n",
    "owner": "From: owner-games@example.org\n",
    "noreply": "From: noreply@example.org\n",
    "no-reply": "From: no-reply@example.org\n",
    "bounces": "From: bounces+17@example.org\n",
    "suppress-all": "X-Auto-Response-Suppress: All\n",
    "suppress-dr": "X-Auto-Response-Suppress: OOF, DR\n",
    "suppress-autoreply": "X-Auto-Response-Suppress: AutoReply\n",
    "x-autoreply": "X-Autoreply: yes\n",
    "x-autorespond": "X-Autorespond: \n",
    "x-auto-reply": "X-Auto-Reply: 1\n",
    "own-loop": "X-Loop: host@pbem.example\n",
    "own-loop-in-capitals": "X-Loop: HOST@PBEM.EXAMPLE\n",
    "own-loop-among-others": "X-Loop: other@example.org\nX-Loop: host@pbem.example\n",
    "thirty-one-servers": "Received: by x\n" * 31,
}


@pytest.mark.parametrize("head", SILENT.values(), ids=SILENT)
def test_machines_are_not_answered(head: str) -> None:
    assert why(head)


@pytest.mark.parametrize(("envelope_from", "silent"), [("", True), ("ann@example.org", False)])
def test_the_envelope_counts_more_than_the_return_path(envelope_from: str, silent: bool) -> None:
    assert bool(why("", envelope_from)) is silent
    assert bool(why("Return-Path: <>\n", envelope_from)) is silent
