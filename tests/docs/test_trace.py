"""The page on the structure tells of one run what a trace of one run shows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pbem.cli import run_command
from tests.docs.test_structure import PAGE
from tests.homes import NOW, orders_text, top
from tests.mail.host import Host, a_host

pytestmark = pytest.mark.usefixtures("monkeypatch")
"""Nothing is kept of what other tests made, so that every module is entered."""

LATER = frozenset(
    [
        "text.canonical",
        "text.judging",
        "play.verify",
        "text.plots",
        "core.notices",
        "store.intents",
    ]
)
"""Named there and not entered by this run: what other verbs walk, leftovers, notices, what was cut off."""


OUTSIDE = frozenset(["mail.delivery", "mail.letters", "mail.outbox"])
"""Named there and not entered while a mail is processed: taking it in, and sending."""


def entered(act: Callable[[], object]) -> set[str]:
    """Return the modules of the package that a call enters, but for rules."""
    found: set[str] = set()

    def look(frame: FrameType, event: str, _value: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            found.add(str(frame.f_globals.get("__name__", "")))

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    names = (name.removeprefix("pbem.") for name in found if name.startswith("pbem."))
    return {name for name in names if not name.startswith("rules")}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a host with a mail to process, in a program that has processed one before."""
    a_host_with_mail(tmp_path / "before").process()
    return a_host_with_mail(tmp_path / "now")


def a_host_with_mail(folder: Path) -> Host:
    """Return a host to whom orders were mailed."""
    found = a_host(folder)
    found.put(
        found.a_mail(orders_text("rose-1", "red", [{"do": {"play": "N2"}}])),
        found.address(),
        "ann@example.test",
    )
    return found


def a_run(host: Host) -> set[str]:
    host.process()
    words = ["run", "rose-1", "--now", NOW.isoformat(), "--home", str(top(host.home))]
    return entered(lambda: run_command(words))


def test_a_run_enters_every_module_that_the_page_names_for_it(host: Host) -> None:
    section = PAGE.partition("## One run, in a straight line")[2].partition("\n## ")[0]
    named = set(re.findall(r"`((?:core|text|store|play|host|cli)\.[a-z_.]+)`", section))

    assert len(named) > 20
    assert sorted(named - a_run(host) - LATER) == []


def test_a_mail_enters_every_module_that_the_page_names_for_it(host: Host) -> None:
    section = PAGE.partition("## One mail, in a straight line")[2].partition("\n## ")[0]
    named = set(re.findall(r"`((?:text|play|mail)\.[a-z_.]+)`", section))

    assert len(named) > 10
    assert sorted(named - entered(host.process)) == sorted(OUTSIDE)


def test_so_many_modules_are_entered_as_the_page_says(host: Host) -> None:
    mail, run = entered(host.process), a_run(host)
    row = re.search(
        r"\| modules besides the rules that a run enters, that a mail enters \| .* \| (\d+), (\d+) \|", PAGE
    )

    assert row is not None
    assert (len(run), len(mail)) == (int(row[1]), int(row[2]))


def test_a_run_never_enters_mail_or_the_archive(host: Host) -> None:
    assert [name for name in sorted(a_run(host)) if name.startswith(("mail", "archive"))] == []


def test_a_mail_to_its_receipt_enters_neither_the_command_line_nor_the_archive(host: Host) -> None:
    found = entered(host.process)

    assert [name for name in sorted(found) if name.startswith(("cli", "archive"))] == []
    assert {"mail.processing", "mail.identify", "mail.handlers", "play.lodging", "mail.replies"} <= found
