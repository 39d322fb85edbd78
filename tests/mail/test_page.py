"""The page for players says what the host really writes, and names everything that can be asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.conversation.commands import COMMANDS
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from tests.docs.blocks import blocks
from tests.docs.test_guides import PROJECT
from tests.mail.host import ANN, BAD, N2, RED, a_host, text_of
from tests.mail.styles import HABITS, LOSSY_STYLES, MORE_STYLES, write
from tests.unpacked import unpacked_page

PAGE = PROJECT / "docs" / "mail.md"


@pytest.mark.wording("documents show what the program says")
def test_the_page_shows_answers_as_they_are(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    shown = [block.text for block in blocks(PAGE)]
    host.gets(host.a_mail(shown[0]), host.address())
    host.orders(BAD)
    good, bad = map(text_of, host.answers())

    assert shown[2] in good
    assert shown[3] in bad
    assert host.orders(N2).verdict == "lodged"


def test_the_page_shows_press_that_can_be_sent(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    press = blocks(PAGE)[4].text.replace("3, 7", "white")

    assert host.gets(host.a_mail(press), host.press_address()).verdict == "press"


def test_the_page_says_what_withdraws_orders_and_what_leaves_them(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    host = a_host(tmp_path)
    host.orders(N2)
    host.gets(host.a_mail("game: rose-1\nseat: red\npress:\n- {to: all, say: Hi}\n"), host.address())
    host.gets(host.a_mail("orders: none\n"), host.address())
    press, withdrawn = map(text_of, host.answers()[1:])

    for words, told in (("*Your press*", press), ("*Your orders from before stand*", press)):
        assert words in page
        assert words.strip("*").upper() in told
    assert "After `orders: none` they stand under *Withdrawn*." in page
    assert "WITHDRAWN" in withdrawn
    assert "REPLACE" not in withdrawn


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


def test_orders_in_one_line_stand_the_loss_of_indentation_and_others_are_not_misread(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    report = host.a_mail("Your report.", sender="host@pbem.test")
    one_line = blocks(PAGE)[1].text
    assert one_line.startswith("orders:\n- {at: red-1")

    lost = write("flat", report, blocks(PAGE)[0].text, ANN, host.address())
    assert host.gets(lost, host.address()).verdict == "lodged"
    assert "Note: " in host.answer()
    assert host.gets(write("flat", report, one_line, ANN, host.address()), host.address()).verdict == "lodged"

    assert "N2" in host.lodged()


@pytest.mark.parametrize("word", COMMANDS)
def test_the_page_names_every_command_as_it_is_written(word: str) -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert f"| `{COMMANDS[word].usage}` |" in page


def test_the_page_names_no_command_that_there_is_not() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## What you can ask for")[1].split("\n## ")[0]

    assert {found.split()[0] for found in re.findall(r"^\| `([^`]+)`", part, re.MULTILINE)} == set(COMMANDS)
    assert "## Joining a game" in PAGE.read_text(encoding="utf-8")
