"""Where no mail goes, the moderator gets the words that players are to be told, to send them by hand."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Never

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.host.notices import reports
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import short
from tests.facts import tells
from tests.homes import game_folder, send, top
from tests.hosting.games import GAME, HOUR, MADE, TUESDAY, a_club, a_move, pbem, printed, stay, take_address
from tests.hosting.test_watch import with_turns
from tests.mail.homes import letters_written

ANN, BOB, CLEO = "1 (Ann, ann@example.test)", "2 (Bob, bob@example.test)", "3 (Cleo, cleo@example.test)"
ALL = (ANN, BOB, CLEO)
SOMEBODY = re.compile(r"\d \([^)]*\)")


def said(
    home: Home, capsys: pytest.CaptureFixture[str], *words: str, now: datetime.datetime = MADE + HOUR
) -> str:
    """Return what a command prints that is given at a moment."""
    capsys.readouterr()
    assert pbem(home, *words, now=now) == 0
    return capsys.readouterr().out


def above(home: Home, capsys: pytest.CaptureFixture[str], who: str) -> str:
    """Return what stands above the newest report of a reader as it is printed: what is not kept of it."""
    text = printed(home, capsys, "report", GAME, who)
    kept = (home.turns(GAME).at(SavedGame(home, GAME).turn) / "reports" / who / "report.txt").read_text()
    assert text.endswith(kept)
    return text.removesuffix(kept)


def run_and_undone(
    path: Path, capsys: pytest.CaptureFixture[str], *seats: str, due: datetime.datetime | None = None
) -> Home:
    """Return a club whose second turn was run with orders of some seats, or when it was due, and undone."""
    home = a_club(path)
    stay(home, *seats)
    assert "send this yourself" not in said(
        home, capsys, "run", GAME, *(["--due"] if due else []), now=due or MADE + HOUR
    )
    said(home, capsys, "undo", GAME)
    return home


@pytest.mark.parametrize(
    ("before", "words", "to", "text"),
    [
        ((), ("extend", GAME, "--by", "1d"), ALL, ("turn-1", "Wednesday 25")),
        ((), ("pause", GAME, "--why", "holidays"), ALL, ()),
        (("pause", GAME), ("resume", GAME), ALL, ("turn-1", "Tuesday 24")),
        ((), ("cancel", GAME, "--why", "a quarrel"), ALL, ()),
        (("cancel", GAME, "--why", "x"), ("cancel", GAME, "--undo"), ALL, ()),
        ((), ("announce", GAME, "Hello."), ALL, ("Hello",)),
        ((), ("undo", GAME), ALL, ("1",)),
        ((), ("vote", GAME, "1", "draw"), (BOB, CLEO), ()),
        ((), ("vote", GAME, "1", "draw"), (ANN,), ()),
        ((), ("seat", GAME, "1", "--name", "Anna"), ("1 (Anna, ann@example.test)",), ("Anna",)),
        ((), ("seat", GAME, "1", "--address", "a@b.test"), ("1 (Ann, a@b.test)",), ()),
        ((), ("replace", GAME, "1", "--player", "Dora"), ("1 (Dora)",), ("Dora", "1")),
        ((), ("replace", GAME, "1", "--player", "Dora"), (ANN,), ("Ann",)),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_a_home_without_mail_gives_the_words_and_names_their_readers(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    before: tuple[str, ...],
    words: tuple[str, ...],
    to: tuple[str, ...],
    text: tuple[str, ...],
) -> None:
    home = a_club(tmp_path)
    if before:
        assert pbem(home, *before) == 0

    out = said(home, capsys, *words)

    letters = [one.split("\n", 1) for one in out.split("-" * 20) if "\nSubject: [club] " in one]
    (letter,) = (words for readers, words in letters if tuple(SOMEBODY.findall(readers)) == to)
    assert tells(letter, *text)


def test_who_has_no_address_in_a_home_with_mail_is_told_by_hand_and_the_others_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    take_address(home)

    out = said(home, capsys, "extend", GAME, "--by", "1d")

    assert "to 2 (Bob)\n" in out
    assert "Ann" not in out
    letters_written(home)
    with home.journal() as db:
        assert sorted(one.seat for one in db.outbox("queued")) == ["1", "3"]


def test_who_takes_a_seat_by_mail_is_written_to_and_the_moderator_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)

    out = said(home, capsys, "replace", GAME, "1", "--player", "Dora", "--address", "dora@example.test")

    assert tells(out, "dora@example.test", "`pbem send`")


def test_a_new_player_by_hand_is_to_get_the_report_and_the_form_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, key=True)

    out = said(home, capsys, "replace", GAME, "1", "--player", "Dora")

    key = out.partition("Key of 1: ")[2].split()[0]
    assert tells(out, key, "`key:`")
    assert tells(out, "1")


def test_after_a_turn_is_run_again_by_files_it_is_said_whose_report_changed_and_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])

    out = said(home, capsys, "run", GAME)

    root = short(str(SavedGame(home, GAME).record["root"]))
    assert tells(out, "Turn 2", f"pbem report {GAME} 1", home.turns(GAME).at(2) / "reports" / "1")
    assert out.count("pbem report") == 1
    assert tells(above(home, capsys, "2"), "Turn 2", root)


def test_of_several_reports_to_send_the_command_that_writes_them_all_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])
    for seat in ("2", "3"):
        send(home, GAME, seat, [{"at": "turn-1", "do": {"guess": {"player": 1, "house": "aries"}}}])

    out = said(home, capsys, "run", GAME)

    assert tells(out, "--all DIR")


def test_letters_of_a_run_that_was_cut_off_behind_its_commit_come_with_the_next_run_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path)
    said(home, capsys, "undo", GAME)
    with monkeypatch.context() as cut:
        cut.setattr(reports, "words_to_send", cut_off)
        assert pbem(home, "run", GAME, "--deal") == 4

    assert tells(said(home, capsys, "run", GAME), "Turn 1")
    assert "Subject" not in said(home, capsys, "run", GAME)


def test_letters_of_a_turn_made_again_wait_for_a_run_that_the_gate_lets_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = with_turns(tmp_path, 4, by_mail=False)
    with monkeypatch.context() as cut:
        cut.setattr(reports, "words_to_send", cut_off)
        assert pbem(home, "run", GAME, "--override", "lost", now=MADE + 5 * HOUR) == 4
    file = top(home) / home.orders_file(GAME, Seat("1")).path
    file.write_text("{", encoding="utf-8")

    assert pbem(home, "run", GAME, now=MADE + 6 * HOUR) == 3
    file.unlink()

    assert tells(said(home, capsys, "run", GAME), "Subject", "4")
    assert "Subject" not in said(home, capsys, "run", GAME)


def cut_off(*_: object) -> Never:
    raise RuntimeError("the power is gone")


def test_a_seat_has_a_key_by_files_and_a_secret_by_mail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_files = said(a_club(tmp_path / "files", key=True), capsys, "seat", GAME, "1", "--new-key")
    said(a_club(tmp_path / "mail", by_mail=True), capsys, "seat", GAME, "1", "--new-secret")

    assert tells(by_files, "1")
    assert tells(by_files, "games/club/secret.json")
    assert "secret" not in by_files.replace("secret.json", "")


def test_keys_that_are_asked_for_later_are_given_out_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    assert pbem(home, "seat", GAME, "1", "--address", "a@b.test") == 0
    assert tells(printed(home, capsys, "acts", GAME), "1")
    file = top(home) / "games" / GAME / "game.yaml"
    file.write_text(f"{file.read_text(encoding='utf-8')}key: true\n", encoding="utf-8")

    status = said(home, capsys, "status", GAME)
    first = said(home, capsys, "seat", GAME, "1", "--new-key")
    second = said(home, capsys, "replace", GAME, "2", "--player", "Dora")

    assert tells(status, "1, 2, 3")
    assert tells(first, "1")
    assert "Key of 2: " in second
    said(home, capsys, "status", GAME)
    assert pbem(home, "seat", GAME, "3", "--new-key") == 0
    assert "--new-key" not in said(home, capsys, "status", GAME)
    again = said(home, capsys, "seat", GAME, "3", "--new-key", "--again")
    assert "Key of 3: " in again


@pytest.mark.parametrize(("zone", "at"), [("", "14:00:00 EET"), ("Asia/Tokyo", "21:00:00 JST")])
def test_acts_are_listed_in_the_zone_of_the_home_or_else_of_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], zone: str, at: str
) -> None:
    home = a_club(tmp_path)
    if zone:
        (top(home) / "home.yaml").write_text(f"zone: {zone}\n", encoding="utf-8")
    assert pbem(home, "announce", GAME, "Hello.", now=MADE) == 0

    assert printed(home, capsys, "acts", GAME) == f"2026-11-20 {at} moderator announce: Hello.\n"


def test_who_is_handed_a_report_reads_above_it_who_has_come_to_a_seat_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    assert above(home, capsys, "2") == ""
    letter = said(home, capsys, "replace", GAME, "1", "--player", "Dora")
    assert tells(letter, "Ann")

    assert tells(above(home, capsys, "1"), "orders.yaml", "orders.html")
    assert tells(above(home, capsys, "2"), "Dora", "1", "Ann")
    printed(home, capsys, "report", GAME, "--all", str(tmp_path / "reports"))
    for reader in ("2", "spectator"):
        assert "Dora" in (tmp_path / "reports" / reader / "report.html").read_text("utf-8")
    assert "Dora" not in printed(home, capsys, "report", GAME, "2", "--turn", "0")


def test_who_is_handed_a_report_reads_above_it_that_a_turn_was_taken_back_and_whether_orders_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "3", due=TUESDAY + HOUR)

    counts, other, public = (above(home, capsys, who) for who in ("1", "2", "spectator"))

    assert tells(counts, "2")
    assert tells(other, "Turn 2") and counts != other == public


def test_what_was_to_be_handed_out_of_a_turn_that_was_run_again_stands_above_each_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    said(home, capsys, "replace", GAME, "3", "--player", "Dora")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])
    letters = said(home, capsys, "run", GAME)
    assert "to 3 (Dora)" not in letters, "who has come since never had the earlier report"

    ann, dora = (" ".join(printed(home, capsys, "report", GAME, who).split()) for who in "13")

    assert tells(ann, "2")
    assert tells(dora, "turn-2")
    assert tells(letters, "2", "3")


def test_a_mended_name_is_told_as_one_and_names_nothing_that_a_player_by_files_has_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)

    said(home, capsys, "seat", GAME, "1", "--name", "Anna")

    assert tells(above(home, capsys, "1"), "1", "Anna", "Ann.")


def test_what_stands_above_a_text_is_in_the_page_and_not_among_the_facts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = a_club(tmp_path), tmp_path / "out"
    said(home, capsys, "replace", GAME, "1", "--player", "Dora")
    said(home, capsys, "extend", GAME, "--by", "1d")

    printed(home, capsys, "report", GAME, "--all", str(out))

    for reader in ("1", "2", "spectator"):
        facts, text, page = ((out / reader / f"report.{end}").read_text() for end in ("json", "txt", "html"))
        assert facts == printed(home, capsys, "report", GAME, reader, "--json")
        assert "corrected" not in json.loads(facts)
        assert "Dora" in text
        assert "Dora" in page


@pytest.mark.parametrize("is_moved", [False, True], ids=["due as before", "due later"])
def test_the_text_of_a_report_with_damaged_facts_is_printed_before_the_damage_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_moved: bool
) -> None:
    home = a_club(tmp_path)
    before = printed(home, capsys, "report", GAME, "1")
    if is_moved:
        said(home, capsys, "extend", GAME, "--by", "1d")
    capsys.readouterr()
    (game_folder(home, GAME) / "turns/0001/reports/1/report.json").write_text("{", encoding="utf-8")

    assert run_command(["report", GAME, "1", "--home", str(top(home))]) == 1

    found = capsys.readouterr()
    assert found.out.endswith(before)
    assert tells(found.err, "report.json")
