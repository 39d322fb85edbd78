"""Saved games stay loadable: older shapes are brought up to date, newer ones refused, a frozen one loads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.opening import DealtGame
from pbem.host.run.batch import run
from pbem.play.config import registry
from pbem.play.config.registry import InstalledRules
from pbem.play.homes import saved, saves
from pbem.play.homes.home import Home, Secret
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.rules.rose_king import SYSTEM
from pbem.rules.rose_king.facts import load_facts
from pbem.rules.rose_king.rules import RoseKing
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from tests.behaviour.saves import SAVES, a_save
from tests.edge.test_verify import forge
from tests.facts import tells
from tests.homes import (
    NOW,
    SEED,
    a_game,
    a_home,
    folder_of,
    home_at,
    send,
    top,
    tree,
    turn_folder,
    turns,
    undo,
)

Raw = dict[str, Any]


def crown_is_a_square(state: Raw) -> Raw:
    """Shape 0 to 1: the crown was [column, row]."""
    column, row = state["crown"]
    return {**state, "crown": f"{chr(ord('A') + column)}{row + 1}"}


def heroes_are_counted(state: Raw) -> Raw:
    """Shape 1 to 2: heroes were a list of cards."""
    players = {seat: {**one, "heroes": len(one["heroes"])} for seat, one in state["players"].items()}
    return {**state, "players": players}


class LaterRoseKing(RoseKing):
    """The Rose King after its saved state has changed twice."""

    upgrades: tuple[Callable[[dict[str, Json]], dict[str, Json]], ...] = (
        crown_is_a_square,
        heroes_are_counted,
    )


def later(data: Mapping[str, Json]) -> LaterRoseKing:
    return LaterRoseKing(load_facts(data))


def install_later_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the rules whose shape is 2 the installed Rose King."""
    system = InstalledRules("rose-king", "a later pbem", SYSTEM._replace(load=later))
    monkeypatch.setattr(registry, "find_rules", lambda name: system)
    monkeypatch.setattr(saved, "_rules_of", saved._rules_of.__wrapped__)


def to_shape(save: Raw, shape: int) -> None:
    """Write a save of today as a version of that shape had written it."""
    state = save["state"]
    if shape < 2 and state is not None:
        for player in state["players"].values():
            player["heroes"] = ["hero"] * player["heroes"]
    if shape < 1 and state is not None:
        state["crown"] = [ord(state["crown"][0]) - ord("A"), int(state["crown"][1:]) - 1]
    save["shape"] = shape


def an_older_game(home: Home, shape: int) -> SavedGame:
    """Return a game at turn 2 all of whose saves are of an older shape, sealed as they would have been."""
    saved = a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "rose-1", now=NOW)
    for turn in turns(folder_of(saved)):
        path = turn_folder(folder_of(saved), turn) / "state.json"
        save = json.loads(path.read_text(encoding="utf-8"))
        to_shape(save, shape)
        path.write_text(dumps(save), encoding="utf-8")
    forge(home, 0)
    return saved


@pytest.mark.parametrize("shape", [0, 1])
def test_a_save_of_an_older_shape_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: int
) -> None:
    home = a_home(tmp_path)
    a_game(home, "plain")
    send(home, "plain", "red", [{"at": "red-1", "do": {"play": "N2"}}])
    run(home, "plain", now=NOW)
    expected = SavedGame(home, "plain").position
    older = an_older_game(home, shape)
    before = tree(top(home) / "games")

    install_later_rules(monkeypatch)

    assert SavedGame(home, "rose-1").position == expected
    assert verify(home, "rose-1").findings == ()
    assert verify(home, "rose-1").recomputed == 3
    assert tree(top(home) / "games") == before

    path = turn_folder(folder_of(older), 2) / "state.json"
    path.write_text(dumps({**saves.read_json(path), "state": []}), encoding="utf-8")
    with pytest.raises(WrongInput) as told:
        _ = SavedGame(home, "rose-1").position
    assert tells(str(told.value), path, "`pbem verify`"), "a damaged one is one clear error"


def test_a_game_of_an_older_shape_is_played_on_in_the_present_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(tmp_path)
    saved = an_older_game(home, 0)
    install_later_rules(monkeypatch)
    send(home, "rose-1", "white", [{"at": "white-1", "do": {"play": "SE2"}}])

    ran = run(home, "rose-1", now=NOW)

    shapes = [
        saves.read_json(turn_folder(folder_of(saved), turn) / "state.json")["shape"] for turn in range(4)
    ]
    assert ran.steps == ("white-1",)
    assert shapes == [0, 0, 0, 2]
    assert verify(home, "rose-1").findings == ()


# The frozen sample of each format is never written again: `tests/behaviour/saves.yaml` says what it holds.


def freeze(folder: Path) -> None:
    """Write the frozen sample of today's format: everything that a turn can hold is in it."""
    home = a_home(folder)
    table = "seats:\n  red: {player: Ann}\n  white: {player: Bob, luck: cloisters}\nkey: true\nsilent: hold\n"
    saved = a_game(home, table=table, deal=False)
    keys = {Seat("red"): "rose-frozen", Seat("white"): "leaf-frozen"}
    replace_file(
        Disk(), folder_of(saved) / "secret.json", dumps(Secret(SEED, keys, sample=True).as_json()).encode()
    )
    for seat, words in (("red", "seven swans"), ("white", "cloisters \u2014 and \U0001f339")):
        send(home, "rose-1", seat, [{"at": "start", "do": {"luck": words}}], key=keys[Seat(seat)])
    run(home, "rose-1", now=NOW)
    for rounds in range(4):
        game = SavedGame(home, "rose-1")
        position = game.position.game
        assert isinstance(position, DealtGame)
        seat = position.state.to_move
        do = game.opening.choices(game.opening.view(position, seat)).menus[0].items[0].order
        lines: list[Json] = [
            {"do": do},
            {
                "at": f"{seat}-9",
                "when": {"crown": ["E5", "A1"], "pile": {"at_least": 2}},
                "do": {"draw": True},
            },
            {"keep": True, "when": {f"{seat}.heroes": {"not": 4}}, "do": {"draw": True}},
        ]
        press: list[Json] = [{"to": "all", "say": f"round {rounds}\nof the \u201croses\u201d"}]
        send(
            home,
            "rose-1",
            seat,
            lines,
            key=keys[seat],
            stop_if={"lost_token": True, "discards": {"has": ["N1", "N3"]}},
            press=press,
        )
        run(home, "rose-1", now=NOW)
        if rounds == 2:
            undo(home, "rose-1")
            run(home, "rose-1", now=NOW)


def test_a_version_of_rules_that_nobody_has_is_not_played_again(tmp_path: Path) -> None:
    saved = SavedGame(a_save(tmp_path, name="format-1"), "rose-1")

    assert saved.with_rules_version(saved.rules.version) is saved
    assert [saved.with_rules_version(version) for version in (99, True, "1", None)] == [None] * 4


def test_what_is_saved_today_has_the_shape_of_the_frozen_save(tmp_path: Path) -> None:
    freeze(tmp_path / "new")

    fields = _fields(tmp_path / "new/home")

    assert fields == _fields(SAVES / f"format-{saves.FORMAT}")
    assert verify(home_at(tmp_path / "new/home"), "rose-1").findings == ()


def _fields(home: Path) -> dict[str, set[str]]:
    """Return the fields of every saved state and pending file; one more is a new format."""
    turns = home / "games/rose-1/turns"
    saved = [*turns.rglob("state.json"), *turns.rglob("pending/*.json")]
    return {str(path.relative_to(turns)): set(saves.read_json(path)) for path in saved}
