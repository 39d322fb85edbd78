"""The steps of a turn as the public saw them: kept with the turn, shown while the game runs, and verified."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.public import Allowed, public_turn
from pbem.archive.replay import PUBLIC, Replay, Shown
from pbem.archive.site import write_archive
from pbem.archive.verification import verify_file
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS
from pbem.play.homes.saves import STEPS_IN_TURN as IN_TURN
from pbem.play.homes.verify import play_again, verify
from pbem.play.turn.moments import ReplayMoment, moments_of, public_moments, steps_seen, steps_text
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import State
from pbem.rules.rose_king.view import View
from pbem.store.errors import GateClosedError
from pbem.text.codec import encode
from tests.edge.test_verify import forge
from tests.facts import tells
from tests.finished import SEATS, a_finished_game
from tests.homes import NOW, a_game, a_home, folder_of, sample_games, send, top, tree, turn_folder

OPTIONS: dict[str, dict[str, int]] = {"web-of-intrigue": {"turns": 3}}
MOST_STEPS = 12
"""Of a run, so that a game of bots has several turns of many steps."""
SAMPLES = ["rose-1", "web-1", "wop-1", "cards-1", "powers-1"]
LINES: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": {"draw": True}}]
REPLIES: list[Json] = [{"at": "white-1", "do": {"play": "SE2"}}, {"at": "white-2", "do": {"draw": True}}]


@pytest.fixture(scope="module", params=SEATS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SavedGame:
    rules = str(request.param)
    return a_finished_game(
        a_home(tmp_path_factory.mktemp(rules)), rules, **OPTIONS.get(rules, {"most_steps": MOST_STEPS})
    )


def facts_of(game: SavedGame, number: int) -> dict[str, Json]:
    return saves.read_json(game.turns.at(number) / "reports" / "spectator" / "report.json")


def played_again(game: SavedGame, number: int) -> tuple[SavedGame, tuple[ReplayMoment, ...]]:
    """Return the game before a turn, and the moments of the turn, from orders and state alone."""
    before = SavedGame(game.home, game.name, at_turn=number - 1)
    turn = game.turns.at(number)
    return before, moments_of(before, number, play_again(before, turn, saves.load_record(turn)))


def seen_by_all(game: SavedGame) -> list[Shown]:
    """Return the replay of a game as it is shown while the game runs."""
    turns = [public_turn(game, number, Allowed(), frozenset()) for number in game.turns.numbers()]
    return Replay(game, turns, {}, Allowed(), frozenset()).shown(PUBLIC)


def a_turn_of_steps(home: Home, *more: Json) -> Path:
    """Return the folder of a turn of four steps: both seats had sent two lines each, and red some more."""
    folder = folder_of(a_game(home))
    send(home, "rose-1", "red", [*more, *LINES])
    send(home, "rose-1", "white", REPLIES)
    run(home, "rose-1", now=NOW)
    return turn_folder(folder, 2)


# --- what is kept is what was seen


def test_the_public_sees_each_step_of_a_whole_game_as_it_was(game: SavedGame) -> None:
    several = 0
    for number in [number for number in game.turns.numbers() if number]:
        before, moments = played_again(game, number)
        told = [one for one in moments if one is moments[-1] or _is_told(one)]
        told = told if number < game.turn else []  # of a game that is over all is shown
        seen = steps_seen(game.turns.at(number), facts_of(game, number))
        assert bool(seen) == (len(told) > 1)
        several += len(seen)
        for moment, one in zip(told, seen, strict=bool(seen)):
            assert (moment.label, moment.stage) == (one.label, one.stage)
            assert json.dumps(encode(before.opening.view(moment.game, None))) == json.dumps(one.view)
    assert several > 10


def _is_told(moment: ReplayMoment) -> bool:
    return any(entry.event.to == ALL and entry.at == moment.label for entry in moment.events)


def test_each_thing_that_was_told_to_all_stands_with_one_step_in_its_order(game: SavedGame) -> None:
    for number in [number for number in game.turns.numbers() if number]:
        facts = facts_of(game, number)
        seen = steps_seen(game.turns.at(number), facts)
        assert not seen or [event for one in seen for event in one.events] == facts["events"]
        for one in seen:
            labels = {event["at"] for event in one.events if isinstance(event, dict)}
            assert labels <= {one.label, ""}


def test_a_step_has_the_same_address_when_the_game_is_over(game: SavedGame) -> None:
    over = {moment.address for n in game.turns.numbers() if n for moment in played_again(game, n)[1]}

    several = [n for n in game.turns.numbers() if n and (game.turns.at(n) / IN_TURN).exists()]
    assert {one.address for one in seen_by_all(game) if one.turn in several} <= over


# --- what must not show


def test_lines_that_did_not_fire_change_nothing_that_is_kept(tmp_path: Path) -> None:
    unfit: Json = {"at": "red-2", "when": {"white.points": 47114711}, "do": {"draw": True}}
    later: Json = {"at": "red-9", "when": {"crown": "A1"}, "do": {"play": "E1"}}

    plain = a_turn_of_steps(a_home(tmp_path / "plain"))
    conditional = a_turn_of_steps(a_home(tmp_path / "conditional"), unfit, later)

    assert (conditional / "pending" / "red.json").exists()
    assert len(steps_of(plain)) == 4
    assert (plain / IN_TURN).read_bytes() == (conditional / IN_TURN).read_bytes()


def steps_of(turn: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((turn / IN_TURN).read_text(encoding="utf-8"))["steps"]
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_the_steps_are_the_same_in_worlds_that_the_public_cannot_tell_apart(
    tmp_path: Path, name: str
) -> None:
    home = a_home(tmp_path)
    shutil.copytree(sample_games() / name, top(home) / "games" / name)
    game, worlds = SavedGame(home, name), 0
    for number in game.turns.numbers()[1:]:
        before, moments = played_again(game, number)
        others = [
            one._replace(game=before.opening.redeal(one.game, None, Dice(b"another world", n)))
            for n, one in enumerate(moments)
        ]
        worlds += sum(one.game != other.game for one, other in zip(moments, others, strict=True))
        kept = game.turns.at(number) / IN_TURN
        text = kept.read_text() if kept.exists() else ""
        assert steps_text(before, public_moments(others)) == text
    assert worlds > 10


def test_a_part_of_a_step_of_which_nothing_is_told_is_not_told_either(tmp_path: Path) -> None:
    game = a_finished_game(a_home(tmp_path), "web-of-intrigue", turns=1)
    _, moments = played_again(game, game.turn)
    secret = moments[1].label, moments[1].stage
    private = moments[1]._replace(events=tuple(e for e in moments[1].events if e.event.to != ALL))

    shown = public_moments((moments[0], private, *moments[2:]))

    assert secret not in [(one.label, one.stage) for one in shown]
    assert secret in [(one.label, one.stage) for one in public_moments(moments)]


plain_view = RoseKing.view


def test_a_leak_within_a_turn_closes_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: RoseKing, state: State, seat: Seat | None) -> View:
        view = plain_view(self, state, seat)
        is_within = seat is None and state.to_move == "white" and len(state.discards) == 1
        return replace(view, discards=(*view.discards, *state.pile)) if is_within else view

    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", LINES)
    send(home, "rose-1", "white", REPLIES)
    before = tree(top(home))
    monkeypatch.setattr(RoseKing, "view", leaky)

    with pytest.raises(GateClosedError):
        run(home, "rose-1", now=NOW)

    assert tree(top(home)) == before
    monkeypatch.undo()
    assert run(home, "rose-1", now=NOW).steps == ("red-1", "white-1", "red-2", "white-2"), saved.name


# --- what the archive makes of it


def test_the_page_of_a_running_game_shows_its_steps_and_its_download_has_them(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)

    write_archive(home, tmp_path / "out")

    page = (tmp_path / "out" / "rose-1" / "replay.html").read_text(encoding="utf-8")
    assert [f"t2-{n}" for n in range(1, 6) if f"id=t2-{n}" in page] == ["t2-1", "t2-2", "t2-3", "t2-4"]
    packed = tmp_path / "out" / "rose-1" / "rose-1.zip"
    with zipfile.ZipFile(packed) as files:
        assert files.read(f"rose-1/turns/0002/{STEPS}") == (turn / IN_TURN).read_bytes()
    assert verify_file(packed)[1].findings == ()


@pytest.mark.parametrize("text", ["{", '{"steps": 7}', '{"steps": [{"number": 1}, {"label": 2}]}', "[]"])
def test_steps_that_are_damaged_set_their_game_aside_and_no_other(tmp_path: Path, text: str) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)
    a_game(home, "rose-2")
    (turn / IN_TURN).write_text(text, encoding="utf-8")

    found = write_archive(home, tmp_path / "out")

    assert list(found.aside) == ["rose-1"] and tells(found.aside["rose-1"], "steps.json")
    assert not found.is_ours and (tmp_path / "out" / "rose-2" / "replay.html").exists()


# --- what is verified


def _another_square(steps: dict[str, Any]) -> None:
    steps["steps"][1]["view"] = [*steps["steps"][1]["view"], [["crown"], "A1"]]


def _a_step_less(steps: dict[str, Any]) -> None:
    del steps["steps"][1]


@pytest.mark.parametrize("change", [_another_square, _a_step_less, lambda steps: steps.clear()])
def test_playing_again_notices_forged_steps(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    home = a_home(tmp_path)
    turn = a_turn_of_steps(home)
    steps = json.loads((turn / IN_TURN).read_text(encoding="utf-8"))
    change(steps)
    (turn / IN_TURN).write_text(json.dumps(steps), encoding="utf-8")
    assert [one.place for one in verify(home, "rose-1").findings] == [f"turns/0002/{IN_TURN}"]
    forge(home, 2)
