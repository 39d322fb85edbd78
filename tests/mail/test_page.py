"""The page for players says what the host really writes, and names everything that can be asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.edge.mail.commands import COMMANDS
from tests.docs.blocks import blocks
from tests.docs.test_guides import PROJECT
from tests.mail.host import BAD, N2, a_host, text_of

PAGE = PROJECT / "docs" / "mail.md"


def test_the_page_shows_answers_as_they_are(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    shown = [block.text for block in blocks(PAGE)]
    host.gets(host.a_mail(shown[0]), host.address())
    host.orders(BAD)
    good, bad = map(text_of, host.answers())

    assert shown[1] in good
    assert shown[2] in bad
    assert host.orders(N2).verdict == "lodged"


def test_the_page_shows_press_that_can_be_sent(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    press = blocks(PAGE)[3].text.replace("3, 7", "white")

    assert host.gets(host.a_mail(press), host.press_address()).verdict == "press"


@pytest.mark.parametrize("word", COMMANDS)
def test_the_page_names_every_command_as_it_is_written(word: str) -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert f"| `{COMMANDS[word].usage}` |" in page


def test_the_page_names_no_command_that_there_is_not() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## What you can ask for")[1].split("\n## ")[0]

    assert {found.split()[0] for found in re.findall(r"^\| `([^`]+)`", part, re.MULTILINE)} == set(COMMANDS)
    assert "## Joining a game" in PAGE.read_text(encoding="utf-8")
