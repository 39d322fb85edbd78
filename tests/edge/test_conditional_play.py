"""Conditional orders of both seats let a game run on, and nobody sees the other's lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.opening import Opened
from pbem.core.turn import Policy, TakenStep, advance
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.homes import NOW, SEED, a_game, a_home, send, top, turn_folder

LINES = 10


def test_two_files_with_ten_conditional_lines_play_at_least_six_steps_in_one_run(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    for seat in saved.start.seats:
        send(home, "rose-1", seat, _plan(saved, seat))

    ran = run(home, "rose-1", now=NOW)

    assert len(ran.steps) >= 6, ran.steps
    for seat in saved.start.seats:
        _check_report(home, seat, ran.turn or 0)


def _check_report(home: Home, seat: Seat, turn: int) -> None:
    """Check that a report tells every line of its owner that fired, and no line of the other."""
    folder = turn_folder((top(home) / "games") / "rose-1", turn)
    record = json.loads((folder / "turn.json").read_text(encoding="utf-8"))
    facts = json.loads((folder / "reports" / seat / "report.json").read_text(encoding="utf-8"))
    text = (folder / "reports" / seat / "report.txt").read_text(encoding="utf-8")
    own = [(step["label"], step["sources"][seat]) for step in record["steps"] if seat in step["sources"]]
    fired = [(e["label"], f"order {e['order']}") for e in facts["events"] if e["event"] == "OrderFired"]
    assert fired == own
    assert len(fired) >= 3
    for label, order in fired:
        assert re.search(rf"{order.split()[1]} (\{{[^}}]*\}} )?\w+ [^;.]*{label}\b", " ".join(text.split()))
    about_orders = [e for e in facts["events"] if e["event"].startswith("Order")]
    assert {e["seat"] for e in about_orders} == {seat}
    assert all(line["at"].startswith(seat) for line in facts["orders"])


def _plan(saved: SavedGame, seat: Seat) -> list[Json]:
    """Return ten conditional lines of a seat: what two greedy bots would play, and what they would not."""
    lines: list[Json] = []
    for step, crown in _future(saved):
        if seat in step.moves and len(lines) < LINES - 1:
            lines.append({"at": step.label, "when": {"crown": crown, "pile": 0}, "do": step.moves[seat]})
            lines.append({"at": step.label, "when": {"crown": crown}, "do": step.moves[seat]})
    assert len(lines) == LINES
    return lines


def _future(saved: SavedGame) -> list[tuple[TakenStep, str]]:
    """Return the next steps of two greedy bots, each with the square of the crown before it."""
    future, position = [], saved.position
    for _ in range(16):
        policy = Policy(bots=dict.fromkeys(saved.start.seats, "greedy"), most_steps=1)
        assert isinstance(position.game, Opened)
        crown = str(position.game.state.crown)
        ran = advance(saved.opening, saved.start.seats, position, {}, SEED, policy)
        future.append((ran.steps[0], crown))
        position = ran.position
    return future
