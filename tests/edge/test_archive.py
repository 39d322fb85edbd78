"""The archive: what it shows, what it never shows, and that it writes what changed and nothing else."""

from __future__ import annotations

import html
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from jinja2 import Environment

from pbem.archive import games, public
from pbem.archive.public import _BY_PEOPLE, PublishPolicy, redact_facts
from pbem.archive.site import write_archive
from pbem.cli import run_command
from pbem.core import notices
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import make_act
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import save_of
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps, encode
from pbem.text.reports.report import Report
from tests.edge.faults import PowerCut, Recorder
from tests.facts import tells
from tests.homes import (
    NOW,
    a_game,
    a_home,
    first_choice,
    folder_of,
    sample_games,
    send,
    top,
    tree,
    turn_folder,
    undo,
)

TABLE = """
seats:
  red: {player: Ann Lee, address: ann-canary@example.org}
  white: {player: Bob Roy, address: bob-canary@example.org, zone: Asia/Tokyo}
standby: [{player: Cleo Day, address: cleo-canary@example.org}]
misses: {after: 2, then: standby}
key: true
"""


def a_told_game(tmp_path: Path) -> Home:
    """Return a home with a running game in which everything that can be secret holds a canary."""
    home = a_home(tmp_path)
    keys = a_game(home, table=TABLE).secret.keys
    private: list[Json] = [
        {"to": ["white"], "say": "canary between us"},
        {"to": "all", "say": "Good luck, Bob Roy. <script>alert('heard')</script>"},
    ]
    later: Json = {"at": "red-9", "when": {"white.points": 47114711}, "do": {"play": "NW1"}}
    lines: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, later]
    send(home, "rose-1", "red", lines, key=keys[Seat("red")], press=private)
    run(home, "rose-1", now=NOW)
    return home


def pages(out: Path) -> str:
    """Return everything that an archive tells, what its downloads hold too."""
    files = [path for path in sorted(out.rglob("*")) if path.is_file() and path.suffix != ".zip"]
    told = [path.read_text(encoding="utf-8") for path in files]
    for path in sorted(out.rglob("*.zip")):
        with zipfile.ZipFile(path) as packed:
            told += [packed.read(name).decode() for name in packed.namelist()]
    return "\n".join(told)


def allow(home: Home, text: str) -> None:
    (top(home) / "home.yaml").write_text(f"archive: {text}\n", encoding="utf-8")


def test_nothing_secret_of_a_running_game_is_anywhere_in_the_archive(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    secret = SavedGame(home, "rose-1").secret
    allow(home, "{names: true, press: all}")

    write_archive(home, tmp_path / "out")

    told = pages(tmp_path / "out")
    hidden = ["canary", secret.seed.hex(), "47114711", "example.org", "Tokyo", *secret.keys.values()]
    assert [one for one in hidden if one in told] == []
    assert "Good luck, Bob Roy" in told


def test_the_pages_of_running_games_are_made_from_what_the_public_was_told_alone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    shutil.copytree(sample_games() / "web-1", top(home) / "games" / "web-1")
    write_archive(home, tmp_path / "out")

    for turn in (top(home) / "games").glob("*/turns/[0-9]*"):
        record = json.loads((turn / "turn.json").read_text(encoding="utf-8"))
        kept = {name: record[name] for name in ("root", "rules_version", "taken", "at", "revision")}
        frozen = ("start.json", "data.json")  # the game book tells of them, to all
        for path in [path for path in turn.rglob("*") if path.is_file() and path.name not in frozen]:
            if path.parent.name != "spectator":
                path.write_text("canary", encoding="utf-8")
        (turn / "turn.json").write_text(json.dumps({**kept, "steps": "canary"}), encoding="utf-8")
    for secret in (top(home) / "games").glob("*/secret.json"):
        secret.unlink()
    write_archive(home, tmp_path / "again")

    assert tree(tmp_path / "out").keys() == tree(tmp_path / "again").keys()
    for name, found in tree(tmp_path / "out").items():
        assert found == tree(tmp_path / "again")[name] or name == "archive.json", name


def test_players_and_their_press_show_only_as_the_moderator_allows(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    out = tmp_path / "out"

    write_archive(home, out)
    assert not re.search("Ann Lee|Bob Roy|Cleo Day", pages(out))
    assert "Good luck, a player." in pages(out)

    allow(home, "{names: true, press: none}")
    write_archive(home, out)
    assert "Ann Lee" in pages(out)
    assert "Good luck" not in pages(out)

    with (top(home) / "games" / "rose-1" / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("archive: {names: false}\n")
    write_archive(home, out)
    assert "Ann Lee" not in pages(out)

    home = a_told_game(tmp_path / "hidden")
    allow(home, "{show: false}")
    write_archive(home, out)
    assert sorted(path.name for path in out.iterdir()) == ["archive.json", "index.html"]


def test_what_people_write_is_never_run(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    write_archive(home, tmp_path / "out")

    for page in (tmp_path / "out").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if page.name == "book.html":
            assert "<script" not in text and "default-src 'none'; style-src 'unsafe-inline'" in text
            continue
        assert text.count("<script") == 1, page
        assert "alert(&#39;heard&#39;)" in text or page.name != "0002.html"
        assert tells(html.unescape(text), "sha256-")


def test_a_new_turn_makes_no_report_of_an_older_one_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, out = a_told_game(tmp_path), tmp_path / "out"
    write_archive(home, out)
    do = first_choice(SavedGame(home, "rose-1"), "white")
    send(home, "rose-1", "white", [{"do": do}], key=SavedGame(home, "rose-1").players.key(Seat("white")))
    run(home, "rose-1", now=NOW)
    made: list[Json] = []

    def counted(environment: Environment, facts: Mapping[str, Json]) -> Report:
        made.append(facts["turn"])
        return Report(environment, facts)

    monkeypatch.setattr(public, "Report", counted)
    write_archive(home, out)
    write_archive(home, tmp_path / "whole")

    assert made == [2, 3, 0, 1, 2, 3]  # turn 2 has a link to the next one now
    assert tree(out) == tree(tmp_path / "whole")


def test_what_is_gone_is_removed(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    a_game(home, "rose-2")
    out = tmp_path / "out"
    write_archive(home, out)
    (out / "CNAME").write_text("games.example", encoding="utf-8")

    undo(home, "rose-1")
    shutil.rmtree((top(home) / "games") / "rose-2")
    write_archive(home, out)

    left = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert "rose-1/0001.html" in left
    assert not [name for name in left if name == "rose-1/0002.html" or name.startswith("rose-2")]
    assert "CNAME" in left
    assert "0002.html" not in pages(out)


@pytest.mark.parametrize("where", ["home", "home/games", "home/games/rose-1", "other"])
def test_a_folder_with_something_else_in_it_is_refused(home: Home, tmp_path: Path, where: str) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine", encoding="utf-8")
    before = tree(tmp_path)

    with pytest.raises(WrongInput, match="Choose a"):
        write_archive(home, tmp_path / where)

    assert tree(tmp_path) == before


def test_a_damaged_game_keeps_its_pages_and_the_others_are_brought_up_to_date(tmp_path: Path) -> None:
    home, out = a_told_game(tmp_path), tmp_path / "out"
    a_game(home, "rose-2")
    write_archive(home, out)
    (top(home) / "games" / "rose-1" / "turns" / "0002" / "turn.json").write_text("{", encoding="utf-8")
    send(home, "rose-2", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "rose-2", now=NOW)

    assert list(write_archive(home, out).aside) == ["rose-1"]
    assert all((out / game / "0002.html").exists() for game in ("rose-1", "rose-2"))


def test_a_fault_of_ours_in_one_game_keeps_no_other_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(tmp_path)
    a_game(home, "rose-1")
    a_game(home, "rose-2")
    known = public.known_names

    def broken(saved: SavedGame) -> frozenset[str]:
        if saved.name == "rose-1":
            raise ZeroDivisionError("by nought")
        return known(saved)

    monkeypatch.setattr(games, "known_names", broken)

    code = run_command(["archive", str(tmp_path / "out"), "--home", str(top(home))])

    assert code == 4
    assert (tmp_path / "out" / "rose-2" / "0001.html").exists()
    assert not (tmp_path / "out" / "rose-1").exists()


def test_acts_that_all_may_know_are_told_and_others_are_not(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    with home.journal() as db:
        db.act(
            make_act(
                NOW, "rose-1", "pause", public=True, facts="", detail="the game is paused, says Bob Roy."
            )
        )
        db.act(make_act(NOW, "rose-1", "join", public=False, facts="", detail="canary takes red."))
        db.act(make_act(NOW, "rose-2", "pause", public=True, facts="", detail="canary of another game."))

    write_archive(home, tmp_path / "out")

    told = pages(tmp_path / "out")
    assert "the game is paused, says a player." in told
    assert "canary" not in told


def test_names_are_left_out_of_every_event_of_the_engine_that_people_write_in() -> None:
    own = [
        one for one in vars(notices).values() if isinstance(one, type) and one.__module__ == notices.__name__
    ]
    written = {
        one.__name__: name for one in own for name in ("text", "say", "player") if name in one.__annotations__
    }

    assert written == _BY_PEOPLE


def test_a_new_key_is_never_published() -> None:
    facts: dict[str, Json] = {"events": [], "players": [], "new_key": "k3v9-qq7t"}

    assert "k3v9" not in str(redact_facts(facts, PublishPolicy(names=True, press="all"), ()))


@pytest.mark.parametrize("game", ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"])
def test_the_pages_are_the_same_in_a_world_that_the_public_cannot_tell_apart(
    tmp_path: Path, game: str
) -> None:
    home = a_home(tmp_path)
    shutil.copytree(sample_games() / game, (top(home) / "games") / game)
    allow(home, "{names: true, press: all, address: 'https://games.example'}")
    write_archive(home, tmp_path / "out")
    saved = SavedGame(home, game)
    world = saved.opening.redeal(saved.position.game, None, Dice(b"another world", 1))
    assert world != saved.position.game or (game == "rose-1" and not saved.position.game.state.pile)  # type: ignore[union-attr]

    folder = turn_folder(folder_of(saved), saved.turn)
    record = saved.record
    (folder / "state.json").write_bytes(
        dumps(save_of(saved.position._replace(game=world), saved.rules)).encode()
    )
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = tuple(json.loads(line) for line in lines)
    public = [event for event in events if event["to"] == "all"]
    (folder / "events.jsonl").write_text(
        "".join(f"{json.dumps(event)}\n" for event in public), encoding="utf-8"
    )
    known = json.loads((folder / "reports" / "spectator" / "report.json").read_text(encoding="utf-8"))
    told = {**known, "view": encode(saved.opening.view(world, None))}
    for name, page in Report(saved.environment, told).files().items():
        (folder / "reports" / "spectator" / name).write_text(page, encoding="utf-8")
    write_archive(home, tmp_path / "again")

    assert record["root"] == SavedGame(home, game).record["root"]
    for name, found in tree(tmp_path / "out").items():
        assert found == tree(tmp_path / "again")[name] or name == "archive.json", name


def shown(out: Path) -> dict[str, str]:
    """Return the hashes of all pages, but for what a killed run left beside them and the record."""
    found = tree(out).items()
    left = (".new/", ".archive.json.tmp")
    return {name: was for name, was in found if was != "folder" and not name.startswith(left)}


def test_a_kill_at_any_step_leaves_old_or_new_pages_and_the_next_run_completes_it(tmp_path: Path) -> None:
    home, out = a_told_game(tmp_path), tmp_path / "out"
    allow(home, "{names: true}")
    a_game(home, "rose-2")
    write_archive(home, tmp_path / "before")
    send(home, "rose-2", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "rose-2", now=NOW)
    undo(home, "rose-1")
    shutil.copytree(tmp_path / "before", tmp_path / "after")
    write_archive(home, tmp_path / "after")
    old, new = shown(tmp_path / "before"), shown(tmp_path / "after")
    assert {"rose-1/0002.html", "rose-2/0002.html"} <= old.keys() ^ new.keys()

    for step in range(0, 1000, 11):
        shutil.copytree(tmp_path / "before", out)
        try:
            write_archive(home, out, disk=Recorder(tmp_path, step))
        except PowerCut:
            for name, found in shown(out).items():
                assert found in (old.get(name), new.get(name)) or name == "archive.json", (step, name)
            write_archive(home, out)
            assert tree(out) == tree(tmp_path / "after"), step
            shutil.rmtree(out)
        else:
            break
    assert step > 50


def test_what_a_killed_run_placed_is_removed_when_its_turn_is_taken_back(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    out = tmp_path / "out"
    undo(home, "rose-1")
    write_archive(home, out)
    run(home, "rose-1", now=NOW)
    for step in range(0, 1000, 4):
        if (out / "rose-1" / "0002.html").exists():
            break
        with pytest.raises(PowerCut):
            write_archive(home, out, disk=Recorder(tmp_path, step))
    undo(home, "rose-1")

    write_archive(home, out)

    assert not (out / "rose-1" / "0002.html").exists()
    assert not list(out.rglob(".*"))


def test_a_report_that_an_older_version_made_is_published_without_names_too(tmp_path: Path) -> None:
    home = a_told_game(tmp_path)
    for turn, press in (("0001", "public"), ("0002", "none")):
        path = (top(home) / "games") / "rose-1" / "turns" / turn / "reports" / "spectator" / "report.json"
        facts = json.loads(path.read_text(encoding="utf-8"))
        del facts["view"]["crown"]
        path.write_text(json.dumps(facts), encoding="utf-8")
        allow(home, f"{{press: {press}}}")
        write_archive(home, tmp_path / "out")

        assert not re.search("Ann Lee|Bob Roy|Cleo Day", pages(tmp_path / "out"))
        assert "THE BOARD" in pages(tmp_path / "out")
    assert "Good luck" not in pages(tmp_path / "out")
