"""Pages of players and of records: whom they name, what they tell, and when they are made again."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.results import player_page_name
from pbem.archive.site import write_archive
from pbem.cli import run_command
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.host.people.names import rename_player
from pbem.host.people.seats import replace_player
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from tests.edge.test_archive import allow, pages, shown
from tests.facts import each_tells, tells
from tests.homes import NOW, a_game, a_home, filled, send, top, tree

ANN, BOB = "Ann Lee, address: ann-canary@example.org", "Bob Roy, address: bob-canary@example.org"
CLEO, ZOE = "Cleo Day, address: cleo-canary@example.org", "Zoe Nameless, address: zoe-canary@example.org"

SILENT = "silent: greedy\ndeadline: 2026-11-22T08:00:00+00:00\n"


def table(first: str, second: str, more: str = "") -> str:
    return f"seats:\n  red: {{player: {first}}}\n  white: {{player: {second}}}\n{more}"


def started(
    home: Home, name: str, first: str = ANN, second: str = BOB, more: str = "", tokens: int = 1
) -> None:
    """Make a game of The Rose King that red wins when it has placed so many tokens."""
    a_game(home, name, table=table(first, second, more), options={"own_tokens": tokens})


def play(home: Home, name: str, days: int = 0, silent: tuple[str, ...] = ()) -> None:
    """Play a turn of it, some seats silent."""
    saved = SavedGame(home, name)
    assert isinstance(saved.ask, Ask)
    for seat in saved.ask.seats:
        if seat not in silent and seat not in saved.table.bots:
            do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
            send(home, name, seat, [{"do": do}])
    overrides = ("down", "unsent", "most-silent")
    run(home, name, now=NOW + timedelta(days=days), due=bool(silent), overrides=overrides)


def finished(
    home: Home, name: str, first: str = ANN, second: str = BOB, more: str = "", days: int = 0
) -> None:
    def started_and_played(home: Home) -> None:
        started(home, name, first, second, more)
        play(home, name, days)

    filled(home, by=started_and_played, name=name, first=first, second=second, more=more, days=days)
    assert not isinstance(SavedGame(home, name).ask, Ask)


def lines(page: Path) -> list[str]:
    """Return the words of a page's main part, a row of a table on one line."""
    told = page.read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]
    told = re.sub(r"</?(caption|h1|h2|li|p|tr)\b[^>]*>", "\n", " ".join(told.split()))
    told = html.unescape(re.sub("<[^>]+>", " ", re.sub("</[^>]+>", "", told)))
    return [" ".join(line.split()) for line in told.splitlines() if line.strip()]


def games_of(page: Path) -> list[str]:
    """Return the words that a player's page has of each game."""
    told = page.read_text(encoding="utf-8").split('<li data-game="')[1:]
    shown = [html.unescape(re.sub(r"<[^>]+>", " ", one.partition(">")[2])) for one in told]
    return [" ".join(one.partition("By rules")[0].split()) for one in shown]


def test_a_player_has_a_page_with_games_results_and_a_rating(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "duel-1")
    finished(home, "duel-2", CLEO, ANN, days=5)
    started(home, "duel-3")

    write_archive(home, out)

    assert lines(out / "players.html")[3:] == [
        "Ann Lee 2 1 1 The Rose King",
        "Bob Roy 1 0 1 The Rose King",
        "Cleo Day 1 1 0 The Rose King",
    ]
    assert lines(out / player_page_name("Ann Lee"))[0] == "Ann Lee"
    assert each_tells(
        games_of(out / player_page_name("Ann Lee")),
        ("duel-3", "Rose", "Ann Lee Red 0", "Bob Roy White 0"),
        ("duel-2", "Rose", "2026-11-26", "Cleo Day Red 1", "Ann Lee White 0"),
        ("duel-1", "Rose", "2026-11-21", "Ann Lee Red 1", "Bob Roy White 0"),
    )
    records = lines(out / "rules-rose-king.html")
    assert "Most points 1 Ann Lee (Red) duel-1" in records
    assert "Most turns 1 duel-1" in records
    said = [lines(out / name) for name in ("index.html", "duel-1/index.html")]
    assert tells(said[0], "King", "1", "2026-11-21")
    assert "2 Red 2 2 100% 1.0" in records
    assert "duel-2, 2026-11-26: 1. Cleo Day, 2. Ann Lee" in records
    links = re.findall(r'href="(player[^"]*|rules-[^"]*)"', (out / "index.html").read_text(encoding="utf-8"))
    assert links == ["players.html", "rules-rose-king.html"]

    allow(home, "{names: false}")
    write_archive(home, out)
    assert not list(out.glob("player*")) and "Ann" not in pages(out)
    assert not re.search("Ratings|rating", (out / "rules-rose-king.html").read_text(encoding="utf-8"))


def test_a_player_of_a_nameless_game_is_named_nowhere(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{punctual: true, address: 'https://games.example'}")
    finished(home, "named", more="archive: {names: true}\n")
    finished(home, "nameless", ZOE, ANN)
    started(home, "running", ZOE, BOB)
    finished(home, "hidden", ZOE, ANN, more="archive: {names: true, show: false}\n")

    write_archive(home, out)

    for picture in out.rglob("*.png"):
        picture.unlink()
    told = pages(out)
    assert "Zoe" not in told
    assert "zoe" not in told
    assert "canary" not in told
    assert sorted(path.name for path in out.glob("player-*")) == [
        player_page_name("Ann Lee"),
        player_page_name("Bob Roy"),
    ]
    (own,) = games_of(out / player_page_name("Ann Lee"))
    assert tells(own, "named", "Rose", "2026-11-21", "Ann Lee Red 1", "Bob Roy White 0")
    assert lines(out / "rules-rose-king.html")[1].startswith("2 finished games")
    for page in (out / "nameless").glob("*.html"):
        assert not re.search("Ann Lee|Bob Roy|player-", page.read_text(encoding="utf-8")), page


def test_what_a_player_is_called_is_never_run(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true, address: 'https://games.example'}")
    name = "\"><script>alert('heard')</script>"
    finished(home, "duel-1", json.dumps(name), BOB)

    write_archive(home, out)

    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text, page
        assert text.count("<script") == (page.name != "book.html"), page
    assert lines(out / player_page_name(name))[0] == name


def test_two_people_of_one_name_are_told_apart_and_no_address_is_told(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "duel-1")
    finished(home, "duel-2", "Ann Lee, address: other-canary@example.org", BOB, days=1)

    write_archive(home, out)

    assert [line.partition(")")[0] for line in lines(out / "players.html")[3:5]] == [
        "Ann Lee (1",
        "Ann Lee (2",
    ]
    assert tells(lines(out / player_page_name("Ann Lee"))[1], "2")
    assert "canary" not in pages(out)

    place = top(home) / "games" / "duel-2" / "game.yaml"
    moved = place.read_text(encoding="utf-8").replace("other-canary", "ann-canary")
    place.write_text(moved, encoding="utf-8")
    write_archive(home, out)

    assert lines(out / "players.html")[3] == "Ann Lee 2 2 0 The Rose King"
    write_archive(home, tmp_path / "whole")
    assert tree(out) == tree(tmp_path / "whole")


def test_every_page_is_the_same_whatever_the_addresses_are(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    allow(home, "{names: true}")
    finished(home, "duel-1")
    finished(home, "duel-2", "Ann Lee, address: other-canary@example.org", BOB, days=1)
    write_archive(home, tmp_path / "out")

    for place in (top(home) / "games").glob("*/game.yaml"):
        text = place.read_text(encoding="utf-8")
        place.write_text(text.replace("canary@example.org", "moved@far.example"), encoding="utf-8")
    write_archive(home, tmp_path / "again")

    assert shown(tmp_path / "out").keys() == shown(tmp_path / "again").keys()
    for name, found in shown(tmp_path / "out").items():
        assert found == shown(tmp_path / "again")[name] or name == "archive.json", name


def test_a_seat_that_changed_hands_counts_for_nobody_but_is_told_of_both_as_they_are_called(
    tmp_path: Path,
) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    started(home, "duel-1", tokens=2)
    play(home, "duel-1")
    rename_player(home, "duel-1", Seat("red"), "Anna Lee", NOW)
    play(home, "duel-1", days=1)
    replace_player(home, "duel-1", Seat("red"), Person("Cleo Day", "cleo-canary@example.org"), NOW)
    rename_player(home, "duel-1", Seat("red"), "Clio Day", NOW + timedelta(days=1))
    play(home, "duel-1", days=2)

    write_archive(home, out)

    assert (
        not (out / player_page_name("Ann Lee")).exists() and not (out / player_page_name("Cleo Day")).exists()
    )
    assert tells(games_of(out / player_page_name("Anna Lee"))[-1], "duel-1", "2", "3", "2026-11-23", "Red")
    assert tells(games_of(out / player_page_name("Clio Day"))[-1], "duel-1", "4", "2026-11-23", "Red")
    assert "ratings" not in (out / "rules-rose-king.html").read_text(encoding="utf-8")
    assert "canary" not in pages(out)


def test_a_turn_that_was_missed_once_too_often_is_the_turn_of_who_was_replaced(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true, punctual: true}")
    standby = "standby: [{player: Cleo Day, address: cleo-canary@example.org}]\n"
    started(home, "duel-1", more=f"{SILENT}{standby}misses: {{after: 1, then: standby}}\n", tokens=2)
    play(home, "duel-1")
    play(home, "duel-1", days=1, silent=("white",))
    play(home, "duel-1", days=2)

    write_archive(home, out)

    assert tells(games_of(out / player_page_name("Bob Roy"))[-1], "duel-1", "2 to 3", "2026-11-23", "White")
    assert tells(games_of(out / player_page_name("Cleo Day"))[-1], "duel-1", "4", "2026-11-23", "White")
    assert tells(lines(out / player_page_name("Bob Roy")), "1")
    assert "canary" not in pages(out)


def test_a_bot_is_no_player(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true, punctual: true}")
    finished(home, "duel-1", ANN, "Robot, bot: greedy")

    write_archive(home, out)

    assert sorted(path.name for path in out.glob("player-*")) == [player_page_name("Ann Lee")]
    assert "ratings" not in (out / "rules-rose-king.html").read_text(encoding="utf-8")
    assert next(one for one in lines(out / "duel-1" / "index.html") if "Robot" in one) == "2. White Robot 0"


def test_missed_turns_are_told_of_finished_games_only_and_only_if_the_home_says_so(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true, punctual: true}")
    started(home, "duel-1", more=SILENT, tokens=2)
    play(home, "duel-1")
    play(home, "duel-1", days=1, silent=("white",))
    write_archive(home, out)

    row = json.loads((out / "archive.json").read_text(encoding="utf-8"))["games"]["duel-1"]["row"]
    assert isinstance(SavedGame(home, "duel-1").ask, Ask), "it runs"
    assert [one["missed"] for one in (*row["people"], *row["players"])] == [None] * 4
    assert lines(out / "players.html")[3] == "Ann Lee 0 0 1"

    play(home, "duel-1", days=2)
    write_archive(home, out)
    assert tells(lines(out / player_page_name("Bob Roy")), "1", "2")
    assert tells(lines(out / player_page_name("Ann Lee")), "0", "2")
    assert lines(out / "players.html")[4] == "Bob Roy 1 0 0 1 of 1 The Rose King"
    told = lines(out / "duel-1" / "index.html")
    assert any(re.fullmatch(r"\d\. White Bob Roy \d+ 1 of 1", line) for line in told)

    allow(home, "{names: true}")
    write_archive(home, out)
    told = [path.read_text("utf-8") for path in (*out.glob("*.html"), out / "duel-1" / "index.html")]
    assert "issed" not in "\n".join(told)


def test_a_game_may_not_publish_missed_turns_by_itself(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    started(home, "duel-1")
    place = top(home) / "games" / "duel-1" / "game.yaml"
    place.write_text(f"{place.read_text(encoding='utf-8')}archive: {{punctual: true}}\n", encoding="utf-8")

    found = write_archive(home, tmp_path / "out")

    assert "punctual" in found.aside["duel-1"]


def stamps(out: Path) -> set[tuple[str, int]]:
    """Return the pages at the top of an archive, each with the moment when it was written."""
    return {(path.name, path.stat().st_mtime_ns) for path in out.iterdir() if path.is_file()}


def test_only_pages_of_players_whom_it_concerns_are_made_again(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "duel-2", CLEO, BOB)
    started(home, "duel-3", ANN, BOB, tokens=2)
    play(home, "duel-3", days=6)
    write_archive(home, out)
    before = stamps(out)
    turn = {"index.html", "archive.json", player_page_name("Ann Lee"), player_page_name("Bob Roy")}

    play(home, "duel-3", days=7)
    write_archive(home, out)
    assert {name for name, _ in stamps(out) - before} == turn, "whose turn it is"

    before = stamps(out)
    play(home, "duel-3", days=8)
    write_archive(home, out)
    assert {name for name, _ in stamps(out) - before} == turn | {"players.html", "rules-rose-king.html"}
    write_archive(home, tmp_path / "whole")
    assert tree(out) == tree(tmp_path / "whole")


def test_without_the_extra_there_are_no_ratings_and_the_command_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "duel-1")
    monkeypatch.setitem(__import__("sys").modules, "openskill", None)

    assert run_command(["archive", str(out), "--home", str(top(home))]) == 0

    assert tells(capsys.readouterr().err)
    assert "ratings" not in (out / "rules-rose-king.html").read_text(encoding="utf-8")
    assert any(
        re.fullmatch(r"The Rose King 1 \w+, 1 \w+", one) for one in lines(out / player_page_name("Ann Lee"))
    )


def test_a_row_of_points_that_are_no_numbers_keeps_no_archive_from_being_written(tmp_path: Path) -> None:
    home, out = a_home(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    finished(home, "duel-1")
    write_archive(home, out)
    record: Any = json.loads((out / "archive.json").read_text(encoding="utf-8"))
    row = record["games"]["duel-1"]["row"]
    row["players"][0]["score"] = "many"
    del row["people"]
    (out / "archive.json").write_text(json.dumps(record), encoding="utf-8")

    assert write_archive(home, out).aside == {}
