"""What `verify` notices: changed bytes, forged turns, roots that do not belong; and what is put back."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes import saves
from pbem.play.homes.home import Home, read_secret
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import insert_foot, root_of, sha256, short_root, without_foot
from pbem.play.homes.verify import restore_game, verify
from pbem.rules.rose_king.rules import RoseKing
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from pbem.text.reports.facts import FOOT
from tests.facts import tells
from tests.homes import (
    NOW,
    SEED,
    a_game,
    a_home,
    all_undone,
    filled,
    load_record,
    orders_path,
    send,
    top,
    turn_folder,
    turns,
    undo,
)

TURNS = ["0000", "0001", "0002", "0003", "undone/0003.1", "undone/0003.2", "undone/0004.1"]
FOOTED = ("report.txt", "report.json")


def played(path: Path, *, reply: str = "NE1") -> Home:
    """Return a home whose game stands at turn 3, after undoing 4 and 3, then 3, with pending lines.

    Args:
        path: Where to make the home.
        reply: The card that white plays in turn 3 at last.
    """

    def with_turns_undone(home: Home) -> None:
        a_game(home)
        draw: Json = {"draw": True}
        later: Json = {"at": "red-2", "when": {"pile": {"at_most": 3}}, "do": draw}
        send(home, "rose-1", "red", [{"do": {"play": "N2"}, "at": "red-1"}, later])
        run(home, "rose-1", now=NOW)
        send(home, "rose-1", "white", [{"at": "white-1", "do": {"play": "SE2"}}])
        run(home, "rose-1", now=NOW)
        send(home, "rose-1", "red", [{"at": "red-2", "do": {"play": "W3"}}, {"at": "red-9", "do": draw}])
        run(home, "rose-1", now=NOW)
        undo(home, "rose-1")
        undo(home, "rose-1")
        orders_path(home, "rose-1", SavedGame(home, "rose-1").start.seats[0]).unlink()
        run(home, "rose-1", now=NOW)
        undo(home, "rose-1")
        send(home, "rose-1", "white", [{"at": "white-1", "do": {"play": reply}}, {"keep": True, "do": draw}])
        run(home, "rose-1", now=NOW)

    home = a_home(path)
    filled(home, by=with_turns_undone, reply=reply)
    return home


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A played home for tests that put back what they change."""
    return played(tmp_path_factory.mktemp("verify"))


def game_of(home: Home) -> Path:
    return (top(home) / "games") / "rose-1"


def places(home: Home, foot: str | None = None) -> set[str]:
    return {finding.place for finding in verify(home, "rose-1", foot).findings}


def files_of(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def positions(path: Path, root: str) -> list[int]:
    """Return which bytes of a file to change: first, last, some by a fixed seed, and around its foot."""
    data = path.read_bytes()
    chance = random.Random(path.name)
    found = {0, len(data) - 1, *(chance.randrange(len(data)) for _ in range(2))} if data else set()
    if path.name in FOOTED:
        start = data.index(short_root(root).encode())
        found |= {start - 1, start, start + 7, start + 18, start + 19, start + 20}
    return sorted(found)


def flips(paths: list[Path], root: str) -> Iterator[dict[Path, bytes | None]]:
    """Yield files with a byte changed in each: the first place of each, then the second, and on."""
    for places in zip_longest(*(positions(path, root) for path in paths)):
        found: dict[Path, bytes | None] = {}
        for path, at in zip(paths, places, strict=True):
            if at is not None:
                data = bytearray(path.read_bytes())
                data[at] ^= 1
                found[path] = bytes(data)
        yield found


def test_a_game_that_was_undone_and_run_again_is_intact_and_recomputed(shared: Home) -> None:
    found = verify(shared, "rose-1")

    assert found.findings == ()
    assert (found.turns, found.undone, found.recomputed, found.skipped) == (4, 3, 4, ())
    assert sorted(
        str(path.relative_to(game_of(shared) / "turns")) for path in all_undone(game_of(shared))
    ) == [name for name in TURNS if name.startswith("undone")]


def unnamed(home: Home, damaged: dict[Path, bytes | None]) -> list[str]:
    """Return which files `verify` does not name that hold other bytes or are gone; they are put back."""
    before = {path: path.read_bytes() for path in damaged}
    for path, data in damaged.items():
        path.unlink() if data is None else path.write_bytes(data)
    named = places(home)
    for path, data in before.items():
        path.write_bytes(data)
    return [name for path in damaged if (name := str(path.relative_to(game_of(home)))) not in named]


ALONE = ("turn.json", "start.json", "data.json")
"""Files without which nothing more of a turn can be looked at."""


@pytest.mark.parametrize("turn", TURNS)
def test_any_changed_byte_and_any_deleted_file_names_its_file(shared: Home, turn: str) -> None:
    """Of most files one place of each is changed at once."""
    folder = game_of(shared) / "turns" / turn
    root = str(saves.read_json(folder / "turn.json")["root"])
    together = [path for path in files_of(folder) if path.name not in ALONE]
    damages: list[dict[Path, bytes | None]] = []
    for paths in ([folder / name] for name in ALONE if (folder / name).exists()):
        damages += [dict.fromkeys(paths), *flips(paths, root)]
    damages += [dict.fromkeys(together), *flips(together, root)]

    assert [name for damage in damages for name in unnamed(shared, damage)] == []
    assert places(shared) == set()


@pytest.mark.parametrize("turn", ["0001", "undone/0003.1", "undone/0003.2"])
def test_a_whole_turn_that_is_gone_is_named(tmp_path: Path, turn: str) -> None:
    home = played(tmp_path)
    shutil.rmtree(game_of(home) / "turns" / turn)

    assert places(home) == {f"turns/{turn}"}


def test_a_foot_that_was_cut_out_of_a_report_names_the_report(shared: Home) -> None:
    path = game_of(shared) / "turns/0002/reports/red/report.txt"
    data, root = path.read_bytes(), str(load_record(game_of(shared), 2)["root"])
    path.write_bytes(data.replace(short_root(root).encode(), FOOT.encode()))

    found = places(shared)

    path.write_bytes(data)
    assert found == {"turns/0002/reports/red/report.txt"}


def change_json(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(dumps(value), encoding="utf-8")


def test_each_byte_of_the_secret_that_matters_is_covered(home: Home) -> None:
    place = top(home) / "games/rose-1/secret.json"
    data, before = place.read_bytes(), read_secret(home.game("rose-1"))
    matters = 0
    for number, byte in enumerate(data):
        place.write_bytes(data[:number] + bytes([byte ^ 1]) + data[number + 1 :])
        findings = verify(home, "rose-1").findings
        try:
            is_same = read_secret(home.game("rose-1")) == before
        except WrongInput:
            is_same = False
        matters += not is_same
        assert is_same or [one.place for one in findings] == ["secret.json"], (number, findings)
    assert matters > 90, "each letter of the seed and of the keys"


def test_without_a_game_all_of_the_home_are_checked_and_the_worst_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    for game in ("rose-1", "rose-2", "rose-3"):
        a_game(home, game)
    words = ["verify", "--home", str(top(home))]
    assert run_command(words) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3

    (game_of(home) / "secret.json").unlink()
    state = game_of(home).parent / "rose-2/turns/0001/state.json"
    state.write_bytes(state.read_bytes().replace(b"red", b"rad", 1))

    assert run_command(words) == 1
    assert tells(
        capsys.readouterr().out, "rose-1/secret.json: ", "rose-2/turns/0001/state.json: ", "rose-3: 2 "
    )


def test_turns_under_other_rules_are_not_recomputed_and_that_is_said(
    shared: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(RoseKing, "version", RoseKing.version + 1)

    code = run_command(["verify", "rose-1", "--home", str(top(shared))])

    told = capsys.readouterr().out
    assert tells(told, "4", "3", "0")
    assert code == 5


# Forgery: somebody who holds the seed changes files and makes every hash and root come out again.


def seal(folder: Path, previous: str, change: Callable[[dict[str, Any]], None] = lambda _: None) -> str:
    """Give a turn the hashes, root and feet that its files have now; return the root."""
    record: dict[str, Any] = saves.read_json(folder / "turn.json")
    old, revision = str(record["root"]), int(record["revision"])
    pages = {name: without_foot((folder / name).read_bytes(), old, revision) for name in record["reports"]}
    others = {
        str(path.relative_to(folder)) for path in files_of(folder) if path.name != "turn.json"
    } - pages.keys()
    record.update(
        previous=previous,
        files={name: sha256((folder / name).read_bytes()) for name in others},
        reports={name: sha256(page) for name, page in pages.items()},
    )
    change(record)
    record["root"] = root = root_of(record, SEED)
    for name, page in pages.items():
        (folder / name).write_text(insert_foot(page.decode(), root, revision), encoding="utf-8")
    (folder / "turn.json").write_bytes(saves.record_bytes(record))
    return root


def forge(home: Home, turn: int, change: Callable[[dict[str, Any]], None] = lambda _: None) -> None:
    """Seal a turn again after its files were changed, and all later ones on top of it."""
    previous = str(load_record(game_of(home), turn - 1)["root"]) if turn else ""
    for number in [one for one in turns(game_of(home)) if one >= turn]:
        folder = turn_folder(game_of(home), number)
        previous = seal(folder, previous, change if number == turn else lambda _: None)


Forgery: TypeAlias = Callable[[Path], object]
"""What is done to the folder of a turn before it is sealed again."""


def state(change: Callable[[dict[str, Any]], object]) -> Forgery:
    """Return what changes the saved state of a turn."""
    return lambda folder: change_json(folder / "state.json", change)


def replaced(name: str, old: str, new: str) -> Forgery:
    """Return what puts some words of a file in the place of others, which must be there."""

    def forge(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return forge


def written(name: str, text: str) -> Forgery:
    """Return what writes a file of a turn."""
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def rich(value: dict[str, Any]) -> None:
    """Give red more heroes than there are."""
    value["state"]["players"]["red"]["heroes"] = 9


def pending(do: Json) -> str:
    """Return a file of pending lines with one standing order."""
    line: Json = {"order": 1, "at": None, "when": {}, "keep": True, "if_silent": False, "do": do}
    return dumps({"receipt": 1, "stop_if": {}, "lines": [line]})


EVENTS, PENDING = "events.jsonl", "pending/white.json"
FORGED: dict[str, tuple[int, Forgery, set[str]]] = {
    "steps of the start": (0, state(lambda value: value.update(steps=7)), {"turns/0000/state.json"}),
    "a state after the deal": (1, state(rich), {"turns/0001/state.json"}),
    "a state": (2, state(rich), {"turns/0002/state.json"}),
    "a state that cannot be": (
        2,
        state(lambda value: value["state"].update(crown="Z99")),
        {"turns/0002/state.json"},
    ),
    "a state of another shape": (2, state(lambda value: value.update(state={"players": []})), {"turns/0002"}),
    "a newest state": (3, state(rich), {"turns/0003/state.json"}),
    "another card": (2, replaced(EVENTS, '"N2"', '"N3"'), {"turns/0002/events.jsonl"}),
    "another audience": (2, replaced(EVENTS, '"to":["red"]', '"to":"all"'), {"turns/0002/events.jsonl"}),
    "events gone": (2, written(EVENTS, ""), {"turns/0002/events.jsonl"}),
    "other pending lines": (3, written(PENDING, pending({"play": "SE1"})), {f"turns/0003/{PENDING}"}),
    "pending lines gone": (3, lambda folder: (folder / PENDING).unlink(), {f"turns/0003/{PENDING}"}),
    "pending lines added": (2, written(PENDING, pending({"draw": True})), {f"turns/0002/{PENDING}"}),
    "other orders": (
        2,
        replaced("orders/red.yaml", "N2", "E1"),
        {"turns/0002/events.jsonl", "turns/0002/state.json", "turns/0002/turn.json"},
    ),
    "empty orders": (2, written("orders/red.yaml", ""), {"turns/0002"}),
    "orders of another shape": (
        2,
        written("orders/red.yaml", "game: rose-1\nseat: red\norders: [{do: 7}]\n"),
        {"turns/0002"},
    ),
}
"""By what is forged: the turn, how, and the places that must be named."""


@pytest.mark.parametrize(("turn", "forgery", "named"), FORGED.values(), ids=FORGED)
def test_playing_again_notices_what_was_forged(
    tmp_path: Path, turn: int, forgery: Forgery, named: set[str]
) -> None:
    home = played(tmp_path)
    forgery(turn_folder(game_of(home), turn))
    forge(home, turn)

    found = verify(home, "rose-1")

    here = f"turns/{turn:04d}"
    told = {finding.place for finding in found.findings}
    assert {place for place in told if place.startswith(here)} == named
    assert min(told) >= here, "no turn before it"
    assert found.recomputed < found.turns


@pytest.mark.parametrize(
    ("field", "value"),
    [("steps", []), ("submissions", {}), ("taken", {"red": "00"}), ("files", None), ("policy", None)],
)
def test_playing_again_notices_a_forged_record_or_one_without_a_field(
    tmp_path: Path, field: str, value: Json
) -> None:
    home = played(tmp_path)
    forge(home, 3, lambda record: record.pop(field) if value is None else record.update({field: value}))

    found = places(home)

    assert found and all(place.startswith("turns/0003") for place in found)
    assert value is None or found == {"turns/0003/turn.json"}


def test_a_record_with_half_a_character_is_a_finding_and_no_crash(tmp_path: Path) -> None:
    home = played(tmp_path)
    path = game_of(home) / "turns/0002/turn.json"
    path.write_bytes(path.read_bytes().replace(b'"game": "rose-1"', b'"game": "\\ud800"'))

    assert places(home) == {"turns/0002/turn.json"}


def test_a_turn_that_was_sealed_again_alone_is_not_followed_by_the_next(tmp_path: Path) -> None:
    home = played(tmp_path)
    folder = turn_folder(game_of(home), 2)
    change_json(folder / "state.json", rich)
    seal(folder, str(load_record(game_of(home), 1)["root"]))

    (finding,) = verify(home, "rose-1").findings

    assert finding.place == "turns/0003/turn.json"


# A kept root: the only thing that a player needs against a host who forges everything.


def foot_of(home: Home, turn: str, name: str = "report.txt") -> str:
    """Return the root as a player finds it in a report."""
    text = (game_of(home) / "turns" / turn / "reports/red" / name).read_text(encoding="utf-8")
    (found,) = set(re.findall(r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}(?: \(corrected; earlier ones void\))?", text))
    return str(found)


def test_a_history_written_anew_by_the_host_is_noticed_by_a_kept_foot_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, other = played(tmp_path / "a"), played(tmp_path / "b", reply="SE1")
    kept, before = foot_of(home, "0003"), foot_of(home, "0002")
    shutil.rmtree(game_of(home) / "turns/0003")
    shutil.copytree(game_of(other) / "turns/0003", game_of(home) / "turns/0003")

    alone = verify(home, "rose-1")
    code = run_command(["verify", "rose-1", "--foot", kept, "--home", str(top(home))])

    assert (alone.findings, alone.recomputed) == ((), 4)
    assert code == 1
    assert tells(capsys.readouterr().out, "rose-1/turns", kept)
    assert verify(home, "rose-1", before).foot == "turn 2"


def test_a_forged_state_with_roots_that_come_out_is_noticed_by_a_kept_foot_of_every_later_turn(
    tmp_path: Path,
) -> None:
    home = played(tmp_path)
    feet = [foot_of(home, f"{turn:04d}") for turn in range(4)]
    change_json(turn_folder(game_of(home), 2) / "state.json", rich)
    forge(home, 2)

    assert [verify(home, "rose-1", foot).foot for foot in feet] == ["turn 0", "turn 1", "", ""]


def test_a_newest_turn_that_was_dropped_in_silence_is_noticed_by_a_kept_foot(tmp_path: Path) -> None:
    home = played(tmp_path)
    kept = foot_of(home, "0003")
    shutil.rmtree(game_of(home) / "turns/0003")
    shutil.rmtree(game_of(home) / "turns/undone")

    assert places(home) == set()
    assert places(home, kept) == {"turns"}


def test_a_kept_root_may_be_whole_or_copied_with_other_letters_and_one_of_another_game_is_told(
    shared: Home,
) -> None:
    for kept in (str(load_record(game_of(shared), 2)["root"]), f" {foot_of(shared, '0002').upper()} "):
        assert verify(shared, "rose-1", kept).foot == "turn 2"
    assert [places(shared, foot) for foot in ("aaaa-bbbb-cccc-dddd", "0" * 64)] == [{"turns"}] * 2


def test_a_kept_foot_is_looked_up_in_a_damaged_game_too(tmp_path: Path) -> None:
    home = played(tmp_path)
    kept = foot_of(home, "0002")
    change_json(game_of(home) / "turns/0001/turn.json", lambda record: record.update(root="no root"))

    found = verify(home, "rose-1", kept)

    assert "turns/0001/turn.json" in {finding.place for finding in found.findings}
    assert found.foot == "turn 2"


MADE_BY_PEOPLE = ("orders/", "press/", "start.json", "data.json", "turn.json", "names.json")
"""Files of a turn that nothing can make again."""


def made_again(folder: Path) -> list[Path]:
    return [
        path
        for path in files_of(folder)
        if not path.relative_to(folder).as_posix().startswith(MADE_BY_PEOPLE)
    ]


@pytest.mark.parametrize(("turn", "how"), [*zip(TURNS, cycle(["changed", "gone"]), strict=False)])
def test_all_that_the_rules_make_of_a_turn_is_put_back_to_the_byte(
    tmp_path: Path, turn: str, how: str
) -> None:
    home = played(tmp_path)
    folder = game_of(home) / "turns" / turn
    damaged = {path: path.read_bytes() for path in made_again(folder)}
    for path, data in damaged.items():
        if how == "gone":
            path.unlink()
        else:
            path.write_bytes(data[:-2] + b"?" + data[-2:])

    done = restore_game(home, "rose-1")

    assert {path: path.read_bytes() for path in damaged if path.exists()} == damaged
    assert len(done.files) == len(damaged)
    assert done.left == ()
    assert verify(home, "rose-1").findings == ()
    assert restore_game(home, "rose-1").files == ()


def test_a_report_waits_for_no_bot_and_is_put_back_though_the_bot_has_gone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    seats = "seats: {1: {player: Ann}, 2: {player: Bob}, 3: {player: Bot, bot: greedy}}\n"
    a_game(home, "web-1", rules="web-of-intrigue", table=seats)
    place = top(home) / "games" / "web-1"
    path = place / "turns" / "0001" / "reports" / "spectator" / "report.txt"
    told = path.read_bytes()
    (place / "game.yaml").write_text(seats.replace(", bot: greedy", ""), "utf-8")
    path.unlink()

    assert tells(told.decode(), "Player 1", "Player 2", "turn-1")
    assert len(restore_game(home, "web-1").files) == 1
    assert path.read_bytes() == told


def test_a_record_that_is_only_spaced_otherwise_is_put_back(tmp_path: Path) -> None:
    home = played(tmp_path)
    record = game_of(home) / "turns" / "0002" / "turn.json"
    data = record.read_bytes()
    record.write_bytes(data + b"\n")

    assert restore_game(home, "rose-1") == (("turns/0002/turn.json",), ())
    assert record.read_bytes() == data


def test_orders_that_a_turn_took_are_put_back_where_they_are_still_lodged(tmp_path: Path) -> None:
    home = played(tmp_path)
    taken = game_of(home) / "turns" / "0003" / "orders" / "white.yaml"
    data = taken.read_bytes()
    taken.write_bytes(b"game: rose-1\n")

    restore_game(home, "rose-1")

    assert taken.read_bytes() == data
