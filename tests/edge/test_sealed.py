"""Sealed luck words: the attacks of those who would choose the deal fail, or are told; and proofs."""

from __future__ import annotations

import datetime
import json
import zipfile
from pathlib import Path

import pytest
import yaml

from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive
from pbem.cli import run_command
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.opening import DealtGame, seal_of
from pbem.host.notices.announcements import hold
from pbem.host.run.batch import SkippedGame, run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.text.orders import Fault
from tests.docs.forging import forged
from tests.edge.test_archive_finished import play_out, text_of
from tests.facts import tells
from tests.homes import (
    NOW,
    SEED,
    a_game,
    a_home,
    check_file,
    files_in,
    game_folder,
    orders_path,
    orders_text,
    send,
    top,
    undo,
)

GAME = "web-1"
WORDS = {"1": "the long words of seat one", "2": "and the long words of two", "3": "three has long words too"}
SEALS = {seat: seal_of(GAME, seat, words) for seat, words in WORDS.items()}
TABLE = "seats:\n  1: {player: Ann}\n  2: {player: Bob}\n  3: {player: Cat}\n"
NOBODY_COULD = "So neither the host nor a seat could try words or seeds until the deal pleased"
WANTED = 7


def a_sealed_game(path: Path, table: str = TABLE) -> Home:
    """Return a home with a game of three seats whose luck words are sealed."""
    home = a_home(path)
    (top(home) / "home.yaml").write_text("archive: {names: true}\n", encoding="utf-8")
    options: dict[str, Json] = {"turns": 1, "sealed": True}
    a_game(home, GAME, rules="web-of-intrigue", table=table, options=options, deal=False)
    return home


def seal(home: Home, *seats: str) -> None:
    """Send start forms with seals."""
    for seat in seats:
        send(home, GAME, seat, [{"at": "start", "do": {"seal": SEALS[seat]}}])


def unseal(home: Home, *seats: str) -> None:
    """Send the words of seals."""
    for seat in seats:
        send(home, GAME, seat, [{"at": "open", "do": {"luck": WORDS[seat]}}])


def refused(home: Home, seat: str, at: str, do: Json, folder: Path) -> str:
    """Return why an order is refused."""
    path = folder / "refused.yaml"
    path.write_text(orders_text(GAME, seat, [{"at": at, "do": do}]), encoding="utf-8")
    found = check_file(home, path)
    assert isinstance(found, list) and isinstance(found[0], Fault), found
    return found[0].text


def luck_of(home: Home) -> dict[str, str]:
    """Return the words in the deal."""
    game = SavedGame(home, GAME).position.game
    assert isinstance(game, DealtGame)
    return {str(seat): words for seat, words in game.luck.items()}


def finished(home: Home) -> tuple[str, str, str, Path]:
    """Play the game out; return the page of the archive, what both verifiers doubt, and the download."""
    saved = SavedGame(home, GAME)
    assert isinstance(saved.ask, Ask) and saved.ask.label == "turn-1"
    for seat in saved.start.seats:
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        send(home, GAME, seat, [{"at": "turn-1", "do": do}])
    run(home, GAME, now=NOW)
    write_archive(home, top(home) / "out")
    folder = top(home) / "out" / GAME
    packed = folder / f"{GAME}.zip"
    _, found = verify_file(packed)
    archive = Archive(files_in(packed))
    assert (found.findings, archive.findings()) == ((), [])
    assert found.recomputed == found.turns
    return text_of(folder / "index.html"), "; ".join(found.notes), archive.doubt(), packed


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_words_are_opened_in_a_turn_of_their_own_when_all_were_told_the_seals(tmp_path: Path) -> None:
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2")
    send(home, GAME, "3", [{"at": "start", "do": {"luck": "rain"}}])

    first = run(home, GAME, now=NOW)
    told = (game_folder(home, GAME) / "turns/0001/reports/2/report.txt").read_text(encoding="utf-8")
    assert not isinstance(first, SkippedGame)
    assert (first.steps, first.label, first.waiting) == (("start",), "open", ("1", "2"))
    assert all(one in "".join(told.split()) for one in (SEALS["1"], SEALS["2"]))
    assert tells(" ".join(told.split()), "Player 3")
    assert not (game_folder(home, GAME) / "turns/0001/reports/3/orders.yaml").exists()

    unseal(home, "1")
    second = run(home, GAME, now=NOW)
    assert not isinstance(second, SkippedGame) and second.turn is None
    unseal(home, "2")
    run(home, GAME, now=NOW)
    assert luck_of(home) == {"1": WORDS["1"], "2": WORDS["2"], "3": "rain"}
    assert verify(home, GAME).findings == ()

    page, doubt, alone, _ = finished(home)
    assert NOBODY_COULD in page
    assert "together with the host only all of Player 1 and Player 2 could" in page
    assert "Player 3: rain, sent as orders of the seat, without a seal" in page
    assert f"sealed as {SEALS['1']}, opened by the seat" in page
    assert "The deal takes step 1." in page
    assert (doubt, alone) == ("", "")


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_a_host_who_tries_words_for_a_silent_seat_does_not_get_his_deal(tmp_path: Path) -> None:
    """All that he has of the other words is their seals, so he finds words that would do with the seals."""
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2")
    guess = {Seat(seat): SEALS[seat] for seat in ("1", "2")}
    tries = (f"try {number}" for number in range(1000))
    word = next(one for one in tries if wanted({**guess, Seat("3"): one}))
    table = TABLE.replace("player: Cat", f"player: Cat, luck: {word}")
    (game_folder(home, GAME) / "game.yaml").write_text(table, encoding="utf-8")
    run(home, GAME, now=NOW, deal=True)
    unseal(home, "1", "2")
    run(home, GAME, now=NOW)

    assert luck_of(home) == {**WORDS, "3": word}
    assert not wanted({Seat(seat): words for seat, words in luck_of(home).items()})
    page, doubt, alone, _ = finished(home)
    assert f"Player 3: {word}, put in by the host" in page
    assert NOBODY_COULD in page
    assert (doubt, alone) == ("", "")


def wanted(luck: dict[Seat, str]) -> bool:
    """Tell whether a deal is what the attacker wants: it happens once in fifty."""
    return Dice(SEED, 1).with_luck(luck).below(50, "anything") == WANTED


def test_a_host_who_takes_the_seals_back_to_try_words_that_he_knows_is_told(tmp_path: Path) -> None:
    """He has read what was opened, takes the turn with the seals back, and grinds for the silent seat."""
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2")
    run(home, GAME, now=NOW, deal=True)
    known = {Seat("1"): WORDS["1"], Seat("2"): WORDS["2"]}
    tries = (f"try {number}" for number in range(1000))
    word = next(one for one in tries if wanted({**known, Seat("3"): one}))
    undo(home, GAME)
    table = TABLE.replace("player: Cat", f"player: Cat, luck: {word}")
    (game_folder(home, GAME) / "game.yaml").write_text(table, encoding="utf-8")
    run(home, GAME, now=NOW, deal=True)
    unseal(home, "1", "2")
    run(home, GAME, now=NOW)

    assert wanted({Seat(seat): words for seat, words in luck_of(home).items()}), "the attack works"
    page, _doubt, _alone, _ = finished(home)
    assert NOBODY_COULD not in page


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_a_friends_seat_that_knows_all_words_can_change_nothing_but_stay_shut_and_that_is_told(
    tmp_path: Path,
) -> None:
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2", "3")
    run(home, GAME, now=NOW)
    unseal(home, "1", "2")

    refused(home, "3", "open", {"luck": "words that would please"}, tmp_path)
    refused(home, "3", "open", {"seal": "0" * 64}, tmp_path)

    run(home, GAME, now=NOW, deal=True)
    assert luck_of(home) == {**WORDS, "3": SEALS["3"]}, "what follows is fixed: the seal counts"
    told = (game_folder(home, GAME) / "turns/0002/reports/1/report.txt").read_text(encoding="utf-8")
    assert tells(" ".join(told.split()), "Player 3")
    page, doubt, alone, _ = finished(home)
    assert NOBODY_COULD not in page
    assert doubt == alone == "Seals of 3 stayed shut: who knew words and seed could choose."


@pytest.mark.parametrize("way", ["held", "lost"])
def test_a_host_who_holds_words_back_is_told_as_if_the_seat_had_not_opened(tmp_path: Path, way: str) -> None:
    """A host can lose a mail; who sent it has its receipt, and the page says so."""
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2", "3")
    run(home, GAME, now=NOW)
    unseal(home, "1", "2", "3")
    if way == "held":
        hold(home, GAME, Seat("1"), "a look at it", NOW)
    else:
        orders_path(home, GAME, "1").unlink()
    run(home, GAME, now=NOW + datetime.timedelta(minutes=1), deal=True)

    assert luck_of(home)["1"] == SEALS["1"]
    page, doubt, alone, _ = finished(home) if way == "lost" else ("", "", "", Path())
    if way == "lost":
        assert tells(page, "Player 1")
        assert tells(doubt, "1") and tells(alone, "1")


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_a_bots_seat_has_no_words_and_gets_none_when_the_seals_are_known(tmp_path: Path) -> None:
    home = a_sealed_game(tmp_path, TABLE.replace("player: Cat", "player: Cat, bot: greedy"))
    seal(home, "1", "2")
    run(home, GAME, now=NOW)
    (game_folder(home, GAME) / "game.yaml").write_text(TABLE, encoding="utf-8")  # now it is the host's own

    refused(home, "3", "open", {"luck": "words that would please"}, tmp_path)

    unseal(home, "1", "2")
    run(home, GAME, now=NOW)
    assert luck_of(home)["3"] == ""
    page, doubt, alone, _ = finished(home)
    assert "Player 3: none; a bot plays" in page
    assert NOBODY_COULD in page and (doubt, alone) == ("", "")


def test_short_words_are_not_called_hidden(tmp_path: Path) -> None:
    """Whoever has the seal of one word finds the word in a dictionary."""
    home = a_sealed_game(tmp_path)
    send(home, GAME, "1", [{"at": "start", "do": {"seal": seal_of(GAME, "1", "rain")}}])
    run(home, GAME, now=NOW, deal=True)
    send(home, GAME, "1", [{"at": "open", "do": {"luck": "rain"}}])
    run(home, GAME, now=NOW)

    page, _, _, _ = finished(home)

    assert "opened by the seat, so short that a seal does not hide them" in page
    assert NOBODY_COULD not in page


def test_a_game_in_which_nobody_seals_is_dealt_at_once(tmp_path: Path) -> None:
    home = a_sealed_game(tmp_path)
    for seat in WORDS:
        send(home, GAME, seat, [{"at": "start", "do": {"luck": seat}}])

    ran = run(home, GAME, now=NOW)

    assert not isinstance(ran, SkippedGame) and ran.label == "turn-1"
    _page, doubt, alone, _ = finished(home)
    assert (doubt, alone) == ("", "")


@pytest.mark.parametrize("which", ["seal", "words"])
def test_a_seal_or_words_that_a_host_with_the_seed_forges_are_found_by_both(
    tmp_path: Path, which: str
) -> None:
    home = a_sealed_game(tmp_path)
    seal(home, "1", "2", "3")
    run(home, GAME, now=NOW)
    unseal(home, "1", "2", "3")
    run(home, GAME, now=NOW)
    *_, packed = finished(home)
    turn, old = (1, SEALS["3"]) if which == "seal" else (2, WORDS["3"])
    new = old[::-1]
    sent, place = files_in(packed), f"turns/{turn:04d}/events.jsonl"
    made = forged({**sent, place: sent[place].replace(json.dumps(old).encode(), json.dumps(new).encode())})
    with zipfile.ZipFile(tmp_path / "forged.zip", "w") as out:
        for name, data in made.items():
            out.writestr(f"{GAME}/{name}", data)

    found = Archive(made).findings()
    _, by_program = verify_file(tmp_path / "forged.zip")

    told = "acts, luck words or seals are not those of the record"
    assert found == [(place, told)]
    assert any(one.place.startswith("turns/000") for one in by_program.findings)


def test_the_home_says_whether_new_games_are_sealed_and_older_games_stay_as_they_are(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, "rose-1", deal=False)
    (top(home) / "home.yaml").write_text("sealed: true\n", encoding="utf-8")
    a_game(home, "rose-2", deal=False)
    a_game(home, "rose-3", deal=False, options={"sealed": False})

    assert [SavedGame(home, f"rose-{n}").start.sealed for n in (1, 2, 3)] == [False, True, False]
    assert b"sealed" not in (game_folder(home, "rose-1") / "turns/0000/start.json").read_bytes()


def told(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what `pbem proof` prints."""
    assert run_command(["proof", str(path)]) == 0
    return capsys.readouterr().out


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize("name", ["report.txt", "report.html"])
def test_a_kept_report_is_known_and_the_commands_that_prove_it_do_what_they_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    home = a_home(tmp_path / "home")
    play_out(home)
    run_command(["report", "web-1", "--turn", "1", "--all", str(tmp_path / "out"), "--home", str(top(home))])
    run_command(["archive", str(tmp_path / "site"), "--home", str(top(home))])
    capsys.readouterr()

    text = told(tmp_path / "out" / "1" / name, capsys)

    assert text.startswith("This is a report of turn 1 of web-1. Its root is ")
    assert "The seed is told then, and its SHA-256 must be " in text
    command = next(one.split() for one in text.splitlines() if "pbem verify" in one)
    packed = tmp_path / "site" / "web-1" / command[2]
    assert run_command(["verify", str(packed), *command[3:]]) == 0
    assert "is the root of turn 1" in capsys.readouterr().out


def lucky(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `pbem luck` prints."""
    assert run_command(["luck", *words]) == 0
    return capsys.readouterr().out


def test_luck_words_are_kept_for_their_owner_alone_and_the_command_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    first, again = lucky(capsys, "rose-1", "red"), lucky(capsys, "rose-1", "red")
    opens = lucky(capsys, "rose-1", "red", "--open")

    words = str(yaml.safe_load(opens)["orders"][0]["do"]["luck"])
    assert first == again
    seal = seal_of("rose-1", "red", words)
    assert f"at: start\n  do: {{seal: {seal}}}" in first.replace('"', "")
    assert words not in first and len(words) == 39
    assert (tmp_path / "rose-1.red.luck").stat().st_mode & 0o777 == 0o600
    other = lucky(capsys, "rose-1", "red", "--keep", "other.luck")
    assert other != first


@pytest.mark.parametrize(("sealed", "why"), [(False, ()), (True, ("rose-1",))])
def test_no_luck_words_are_made_in_a_home_whose_game_takes_no_seal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: bool,
    why: tuple[str, ...],
) -> None:
    home = a_home(tmp_path)
    a_game(home, "rose-1", options={"sealed": sealed}, deal=sealed)
    monkeypatch.chdir(top(home))

    assert run_command(["luck", "rose-1", "red"]) == 1

    assert tells(capsys.readouterr().err, *why)
    assert not list(top(home).glob("*.luck"))
