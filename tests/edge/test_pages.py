"""What a turn keeps of a report, with its history, and what is made of its facts when somebody looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.host.run.batch import run
from pbem.play.config import overrides
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import pages_of_report, report
from pbem.text.reports.report import PAGES
from tests.facts import tells
from tests.homes import (
    NOW,
    a_game,
    a_home,
    folder_of,
    send,
    top,
    tree,
)

KEPT = {"report.json", "report.txt", "orders.yaml"}


def played(path: Path) -> Home:
    """Return a home whose game stands at turn 2."""
    home = a_home(path)
    a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "rose-1", now=NOW)
    return home


def test_a_turn_keeps_facts_text_and_form_and_its_pages_are_the_same_each_time(tmp_path: Path) -> None:
    home = played(tmp_path)
    saved = SavedGame(home, "rose-1")
    folder = folder_of(saved) / "turns" / "0002" / "reports"
    assert {path.name for path in (folder / "red").iterdir()} == KEPT
    assert {path.name for path in (folder / "spectator").iterdir()} == KEPT - {"orders.yaml"}
    before = tree(top(home))

    pages = pages_of_report(saved, 2, "red")
    overrides.of_rules.cache_clear()  # as in a new process

    assert all(pages[name] for name in PAGES)
    assert pages_of_report(SavedGame(home, "rose-1"), 2, "red") == pages
    assert json.loads((folder / "red" / "report.json").read_bytes())["foot"] in pages["report.html"]
    assert tree(top(home)) == before


def test_pages_that_an_older_version_kept_are_shown_as_they_were_sent(tmp_path: Path) -> None:
    home = played(tmp_path)
    folder = folder_of(SavedGame(home, "rose-1")) / "turns" / "0002" / "reports" / "red"
    (folder / "report.html").write_text("<p>as it was sent</p>", encoding="utf-8")
    facts = json.loads((folder / "report.json").read_bytes())
    del facts["view"]["crown"]
    (folder / "report.json").write_text(json.dumps(facts), encoding="utf-8")

    pages = pages_of_report(SavedGame(home, "rose-1"), 2, "red")

    assert pages == {"report.html": "<p>as it was sent</p>", "board.svg": "", "plots.svg": pages["plots.svg"]}
    assert report(home, "rose-1", "red", 2, "report.html") == "<p>as it was sent</p>"


def test_a_page_of_the_homes_own_that_fails_is_told_at_the_run_and_stops_nothing(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    send(home, "rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    mine = top(home) / "templates" / "rose-king" / "board.svg.j2"
    mine.parent.mkdir()
    mine.write_text("{{ nosuch.thing }}", encoding="utf-8")

    ran = run(home, "rose-1", now=NOW)

    fault = f"{mine}:1: 'nosuch' is undefined"
    assert ran.turn == 2 and [fault in one for one in ran.by_hand] == [True]
    mine.with_name("orders.yaml.j2").write_text("{% if %}", encoding="utf-8")
    assert run_command(["doctor", "--home", str(top(home))]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert tells(told, fault, "orders.yaml.j2:1")


def test_a_host_by_file_has_all_reports_of_a_turn_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = played(tmp_path / "a"), tmp_path / "out"

    assert run_command(["report", "rose-1", "--all", str(out), "--home", str(top(home))]) == 0

    assert tells(capsys.readouterr().out, out, "3", "19")
    assert {path.name for path in out.iterdir()} == {"red", "white", "spectator"}
    assert out.stat().st_mode & 0o077 == 0  # nobody else on the machine reads it
    assert {path.name for path in (out / "red").iterdir()} == {*KEPT, *PAGES, "orders.html"}
    assert {path.name for path in (out / "spectator").iterdir()} == {"report.json", "report.txt", *PAGES}
    for path in out.glob("*/report.*"):
        assert path.read_text(encoding="utf-8") == report(home, "rose-1", path.parent.name, name=path.name)
    (out / "red" / "note.txt").write_text("my own", encoding="utf-8")
    (out / "spectator" / "steps.json").write_text("{}", encoding="utf-8")  # of a turn of several steps

    assert run_command(["report", "rose-1", "--all", str(out), "--turn", "0", "--home", str(top(home))]) == 0
    assert {path.name for path in (out / "red").iterdir()} == {*KEPT, "report.html", "note.txt"}
    assert not (out / "spectator" / "steps.json").exists()
    assert tells(" ".join(capsys.readouterr().err.split()), "9")
    assert verify(home, "rose-1").findings == ()


def test_a_history_goes_on_from_turn_to_turn_and_is_the_same_for_all(tmp_path: Path) -> None:
    home = played(tmp_path)
    send(home, "rose-1", "white", [{"at": "white-1", "do": {"play": "SE2"}}])
    run(home, "rose-1", now=NOW)
    saved = SavedGame(home, "rose-1")

    def told(turn: int, reader: str = SPECTATOR) -> Any:
        return json.loads((saved.turns.at(turn) / "reports" / reader / "report.json").read_bytes())

    grown = told(3)["history"]
    assert grown["turns"] == [1, 2, 3]
    for seat in ("red", "white"):
        points = [told(turn)["view"][seat]["points"] for turn in (2, 3)]
        assert grown["plots"]["Points"][seat] == [0, *points]
        assert grown["plots"]["Heroes left"][seat] == [4, 4, 4]
        assert told(3, seat)["history"] == grown
