"""The page for players says what the host really writes, and names everything that can be asked for."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.mail.conversation.commands import COMMANDS
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from tests.docs.test_guides import PROJECT
from tests.mail.host import RED, a_host
from tests.mail.styles import HABITS, LOSSY_STYLES, MORE_STYLES
from tests.unpacked import unpacked_page

PAGE = PROJECT / "docs" / "mail.md"


def test_the_page_says_that_the_form_page_holds_the_secret_address(tmp_path: Path) -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    host = a_host(tmp_path)
    form = page_of(SavedGame(host.home, "rose-1"), RED, host.address())

    inside = unpacked_page(form)

    assert inside.data["address"] == host.address()
    assert "Show it to nobody. It holds what your report holds and, for its mail button, your secret" in page


def test_each_mail_program_that_the_page_names_has_its_habits_tested() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## What your mail program does")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)

    assert set(rows) - {"program"} == set(HABITS)
    assert {style for styles in HABITS.values() for style in styles} == {*MORE_STYLES, *LOSSY_STYLES}


def test_the_page_names_no_command_that_there_is_not() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## What you can ask for")[1].split("\n## ")[0]

    assert {found.split()[0] for found in re.findall(r"^\| `([^`]+)`", part, re.MULTILINE)} == set(COMMANDS)
    assert "## Joining a game" in PAGE.read_text(encoding="utf-8")
