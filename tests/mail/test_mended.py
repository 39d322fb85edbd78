"""Orders with slips in mails: what was taken for what is told, and what could be written is shown."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from pbem.core.events import Seat
from pbem.host.batch import run
from pbem.mail.replies import refusal
from pbem.play.saved import SavedGame
from pbem.play.verify import verify
from pbem.text.mail.findorders import FoundOrders
from pbem.text.orders import Faults
from tests.homes import NOW
from tests.mail.host import N2, Host, a_host, text_of
from tests.mail.letters import letter_of, quoted

HEAD = "game: rose-1\nseat: red\norders:\n"


def said(host: Host) -> str:
    """Return the words of the newest answer, without their lines."""
    return " ".join(host.answer().split())


def test_a_slip_that_means_one_thing_is_taken_and_told_with_its_line_of_the_mail(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail(f"Hello,\n\n{HEAD}- at: 1\n  do: play: n2\n")

    assert host.gets(raw, host.address("red")).verdict == "lodged"

    assert "Note: Braces were put around `play: n2` in line 7." in said(host)
    assert "Note: `1` was read as `red-1` in line 6." in said(host)
    assert "Note: `n2` was read as `N2` in line 7." in said(host)
    assert "    | - at: red-1\n    |   do: {play: N2}\n" in host.answer()


def test_what_is_lodged_is_the_mended_text_so_that_the_turn_reads_it_strictly(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail(f"{HEAD}- at: 1\n  do: play: n2\n"), host.address("red"))

    assert "- at: red-1\n  do: {play: N2}\n" in host.lodged()
    run(host.home, "rose-1", now=NOW)
    assert not verify(host.home, "rose-1").findings


def test_a_refusal_shows_the_lines_that_would_be_accepted(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail(f"{HEAD}- at: white-1\n  do: {{play: NW3}}\n")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    assert "NW3 is not in your hand" in said(host)
    assert "    | - at: white-1\n    |       ^\n" in host.answer()
    assert "white-1 is White's label; this file says seat: red." in said(host)
    assert "    | - at: red-1\n    |   do: {play: W3}\n" in host.answer()


@pytest.mark.parametrize("before", ["do: {}", "do: {play: N2}"])
def test_a_choice_of_the_form_that_is_half_behind_its_mark_is_refused_as_that(
    before: str, tmp_path: Path
) -> None:
    host = a_host(tmp_path)
    half = "- {at: red-2,\n#   when: {crown: E5},\n   do: {play: W3}}\n"
    raw = host.a_mail(f"# pbem form rose-1 red red-1\n{HEAD}- at: red-1\n  {before}\n## Help.\n{half}")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    assert "this line is still behind #, and the choice that begins in line" in said(host)
    assert "or from none" in said(host)


def test_press_is_refused_with_the_message_below_it_that_is_still_behind_its_mark(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    press = 'press:  # messages, to some seats or with `to: all`\n#- {to: [white], say: "Are you well?"}\n'
    raw = host.a_mail(
        f"# pbem form rose-1 red red-1\n{HEAD}- at: red-1\n  do: {{play: N2}}\n{press}## Help.\n"
    )

    assert host.gets(raw, host.address("red")).verdict == "refused"

    assert "the message below, in line 8, is still behind #. Take the # away from line 8 too" in said(host)
    assert "expected a list" not in said(host)


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
    ("marker", "more", "what"),
    [
        ("", "", "red-1 has passed"),
        (OF_BEFORE, LATER, "red-1 has passed"),
        (OF_BEFORE, f"{LATER}{MORE}", "red-1 and start have passed, in lines 5, 9 and 10"),
    ],
    ids=["all of it passed", "with a line for later", "several lines passed"],
)
def test_a_form_of_before_that_does_not_fit_now_is_told_as_that_alone(
    marker: str, more: str, what: str, tmp_path: Path
) -> None:
    host = at_red_2(tmp_path)
    before = len(host.answers())
    raw = host.a_mail(f"{marker}{HEAD}- at: red-1\n  do: {{play: N2}}\n{more}")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    told = " ".join(text_of(host.answers()[before]).split())
    assert f"{what}. You are asked red-2 now." in told
    assert told.count("passed") == 1
    assert "This is a form of before. Reply with your orders to the newest report; a mail with" in told
    assert not any(
        words in told
        for words in ("not in your hand", "cannot be", "COULD WRITE", "WOULD BE ACCEPTED", "Mend this")
    )


def test_lines_for_asks_that_have_passed_are_told_once_beside_those_of_now(tmp_path: Path) -> None:
    host = at_red_2(tmp_path)
    before = len(host.answers())
    over = "- at: red-1\n  do: {play: N2}\n"

    raw = host.a_mail(f"{HEAD}{over}- at: red-2\n  do: {{play: W3}}\n{over}")

    assert host.gets(raw, host.address("red")).verdict == "refused"

    told = " ".join(text_of(host.answers()[before]).split())
    assert "red-1 has passed, in lines 4 and 8. You are asked red-2 now." in told
    assert told.count("has passed") == 1
    assert "form of before" not in told


NEAR_MISS = f"""{HEAD}# My plan
- at: red-1
  when: {{crwn: E5}}
  do: {{play: N2}}

- at: red-2
  do: {{play: W3}}
press:
- {{to: all, say: Hello}}
"""
OFFERED = """orders:
- at: red-1
  when: {crown: E5}
  do: {play: N2}
- at: red-2
  do: {play: W3}
press:
- {to: all, say: Hello}
"""


def test_a_near_miss_is_offered_with_all_the_other_lines_and_counts_as_it_is_shown(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail(NEAR_MISS), host.address("red"))
    refused = host.answer()

    assert f"YOU COULD WRITE\n{indent(OFFERED, '    | ')}\nMend this" in refused

    yes = host.a_mail(f"Yes please\n\n{quoted(refused)}")
    assert host.gets(yes, host.address("red")).verdict == "question"
    meant = text_of(host.answers()[-1]).partition("DID YOU MEAN THIS?\n")[2].partition("\n\n")[0]
    assert "    |   when: {crown: E5}\n    |   do: {play: N2}\n    | - at: red-2\n" in meant
    assert not host.lodged()

    assert host.gets(host.a_mail(OFFERED), host.address("red")).verdict == "lodged"


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


def test_a_mail_cannot_ask_about_another_seat_by_naming_it(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail("game: rose-1\nseat: White\norders:\n- do: {play: nonsense}\n")

    host.gets(raw, host.address("red"))

    assert "these are orders of 'white'. Expected red." in said(host)
    assert "YOU COULD WRITE" not in said(host)
    assert "THIS WOULD BE ACCEPTED" not in said(host)
    assert "is not in your hand" not in said(host)


def test_press_to_a_player_by_name_reaches_the_seat(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail("game: rose-1\nseat: red\nmessages:\n- {to: Bob, text: Well, that hurts}\n")

    assert host.gets(raw, host.address("red")).verdict == "press"

    assert "`messages` was read as `press` in line 3." in said(host)
    assert '{to: [white], say: "Well, that hurts"}' in said(host)


def test_where_nobody_can_say_what_was_meant_an_example_is_shown_that_would_be_accepted(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail(f"{HEAD}- at: red-1\n  do: {{play: }}\n")

    host.gets(raw, host.address("red"))

    assert "THIS WOULD BE ACCEPTED; it is an example, and your own choice takes its place" in said(host)
    assert "    | orders:\n    | - at: red-1\n    |   do: {play: " in host.answer()


def test_beside_an_example_what_was_written_is_kept_and_mended(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail(f"{HEAD}- at: red-1\n  when: {{crwn: E5}}\n  do: {{play: N2}}\n- do: {{play: }}\n")

    host.gets(raw, host.address("red"))

    assert "YOU COULD WRITE, with your own choice in place of the example" in said(host)
    assert "An example stands in your line with `do: {play: }`: put your own choice in its place." in said(
        host
    )
    assert (
        "    | orders:\n    | - at: red-1\n    |   when: {crown: E5}\n    |   do: {play: N2}\n"
        in host.answer()
    )


HALF_RIGHT = f"""{HEAD}- at: red-1
  do: {{play: N2}}
- at: red-2
  when: {{crown: Z4}}
  do: {{play: W3}}
"""


def test_a_line_that_nobody_can_mend_takes_none_of_the_others_from_what_is_offered(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.gets(host.a_mail(HALF_RIGHT), host.address("red"))
    kept = "    | orders:\n    | - at: red-1\n    |   do: {play: N2}\n"

    left = "Left out: your line for red-2, for what is wrong with it.\n"
    assert f"YOU COULD WRITE\n{kept}\n{left}\nMend this" in host.answer()

    yes = host.a_mail(f"Yes please\n\n{quoted(host.answer())}")
    assert host.gets(yes, host.address("red")).verdict == "question"
    assert f"DID YOU MEAN THIS?\n{kept}" in text_of(host.answers()[-1])


def test_what_can_never_be_played_below_a_mended_line_is_named_with_the_reason(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    wrong = "- at: red-1\n  do: {play: N22}\n- at: red-2\n  when: {crown: A1}\n  do: {draw: true}\n"
    host.gets(host.a_mail(f"{HEAD}{wrong}"), host.address("red"))

    assert "YOU COULD WRITE\n    | orders:\n    | - at: red-1\n    |   do: {play: N2}\n\n" in host.answer()
    assert "Left out: your line for red-2, for the crown cannot be on A1 then. It can be on " in said(host)


@pytest.mark.parametrize(
    ("head", "verdict", "offer"),
    [(HEAD, "refused", "YOU COULD WRITE"), ("", "question", "DID YOU MEAN THIS?")],
    ids=["orders", "without their head"],
)
def test_lines_that_break_off_in_a_list_are_asked_back_and_offered_closed(
    tmp_path: Path, head: str, verdict: str, offer: str
) -> None:
    host = a_host(tmp_path)
    later = "- at: red-2\n  do: {draw: true}\n  when: {crown: [F2, F4\n"
    raw = host.a_mail(f"{head}- at: red-1\n  do: {{play: N2}}\n{later}")

    assert host.gets(raw, host.address("red")).verdict == verdict

    assert "the text ends inside a list: more may have followed" in said(host)
    assert f"{offer}\n" in host.answer()
    assert "    |   when: {crown: [F2, F4]}\n" in host.answer()
    assert not host.lodged()


def test_the_place_of_a_brace_is_told_as_the_mail_has_it(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.gets(
        host.a_mail("Hello,\n\norders:\n- at: red-1\n  do: {play: N2 draw: true}\n"), host.address("red")
    )

    assert "line 5, column 21 of your mail" in said(host)
    assert 'its "{" is at line 5, column 7.' in said(host)


def test_no_key_is_mailed_with_the_lines_that_are_offered() -> None:
    letter = letter_of(b"From: ann@example.test\n\n")
    faults = Faults(whole=("game: tea", "seat: red", "key: k1-moon", "orders:", "- do: {play: N2}"))

    answer = refusal(Seat("red"), "", faults, FoundOrders(b"", (), "body"), letter, "x")

    assert answer.facts["offer"] == 'key: ""   # your key\norders:\n- do: {play: N2}'
