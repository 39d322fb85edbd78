"""Orders with slips in mails: what was taken for what is told, and what could be written is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.run.batch import run
from pbem.mail.conversation.replies import refusal
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.text.mail.findorders import FoundOrders
from pbem.text.orders import Faults
from tests.facts import tells
from tests.homes import NOW
from tests.mail.host import N2, Host, a_host, text_of
from tests.mail.letters import letter_of, quoted

HEAD = "game: rose-1\nseat: red\norders:\n"


def test_what_is_lodged_is_the_mended_text_so_that_the_turn_reads_it_strictly(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail(f"{HEAD}- at: 1\n  do: play: n2\n"), host.address("red"))

    assert "- at: red-1\n  do: {play: N2}\n" in host.lodged()
    run(host.home, "rose-1", now=NOW)
    assert not verify(host.home, "rose-1").findings


def at_red_2(path: Path) -> Host:
    """Return a host whose game asks red once more: red-1 and white-1 were played."""
    host = a_host(path)
    host.orders(N2)
    run(host.home, "rose-1", now=NOW)
    host.orders([{"at": "white-1", "do": {"play": "SE1"}}], "white")
    run(host.home, "rose-1", now=NOW)
    return host


OF_BEFORE = "# pbem form rose-1 red red-1\n"
LATER = "- {at: red-3, when: {crown: A1}, do: {draw: true}}\n"
MORE = "## Ready lines\n- {at: red-1, do: {draw: true}}\n- {at: start, do: {luck: x}}\n"


@pytest.mark.parametrize(
    ("marker", "more", "passed"),
    [
        ("", "", ("red-1",)),
        (OF_BEFORE, LATER, ("red-1",)),
        (OF_BEFORE, f"{LATER}{MORE}", ("red-1", "start", "5, 9", "10")),
    ],
    ids=["all of it passed", "with a line for later", "several lines passed"],
)
def test_a_form_of_before_that_does_not_fit_now_is_told_as_that_alone(
    marker: str, more: str, passed: tuple[str, ...], tmp_path: Path
) -> None:
    host = at_red_2(tmp_path)
    before = len(host.answers())
    raw = host.a_mail(f"{marker}{HEAD}- at: red-1\n  do: {{play: N2}}\n{more}")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    answer = host.answers()[before]
    faults = json.loads(str(answer["X-PBEM-Facts"]))["faults"]
    assert {fault.rpartition(":")[2] for fault in faults} == {"label-passed"}
    assert tells(text_of(answer), "red-2", *passed)


def test_lines_for_asks_that_have_passed_are_told_once_beside_those_of_now(tmp_path: Path) -> None:
    host = at_red_2(tmp_path)
    before = len(host.answers())
    over = "- at: red-1\n  do: {play: N2}\n"

    raw = host.a_mail(f"{HEAD}{over}- at: red-2\n  do: {{play: W3}}\n{over}")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    told = " ".join(text_of(host.answers()[before]).split())
    assert tells(told, "red-1", "4", "8", "red-2")
    assert told.count("has passed") == 1


NEAR_MISS = f"""{HEAD}# My plan
- at: red-1
  when: {{crwn: E5}}
  do: {{play: N2}}

- at: red-2
  do: {{play: W3}}
press:
- {{to: all, say: Hello}}
"""


def test_a_yes_to_offered_lines_shows_them_again_where_orders_carry_a_key(tmp_path: Path) -> None:
    host = a_host(tmp_path, "key: true\n")
    key = SavedGame(host.home, "rose-1").secret.keys[Seat("red")]
    host.gets(host.a_mail(f"key: {key}\n{NEAR_MISS}"), host.address("red"))
    refused = host.answer()

    assert 'YOU COULD WRITE\n    | key: ""   # your key\n    | orders:\n' in refused and key not in refused
    yes = host.a_mail(f"Yes please\n\n{quoted(refused)}")
    assert host.gets(yes, host.address("red")).verdict == "question"
    meant = text_of(host.answers()[-1]).partition("DID YOU MEAN THIS?\n")[2].partition("\n\n")[0]
    assert "    |   when: {crown: E5}\n    |   do: {play: N2}\n    | - at: red-2\n" in meant


def test_no_key_is_mailed_with_the_lines_that_are_offered() -> None:
    letter = letter_of(b"From: ann@example.test\n\n")
    faults = Faults(whole=("game: tea", "seat: red", "key: k1-moon", "orders:", "- do: {play: N2}"))

    answer = refusal(Seat("red"), "", faults, FoundOrders(b"", (), "body"), letter, "x")

    assert answer.facts["offer"] == 'key: ""   # your key\norders:\n- do: {play: N2}'
