"""Golden games, played again through orders files and the command line alone, and verified."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.home import Home
from pbem.play.registry import OURS
from pbem.play.saved import SavedGame
from pbem.play.simulate import simulate
from pbem.text.strictyaml import parse
from tests.golden import DECIDED_BY, ENDINGS, GAMES, RECIPES, asked, new, told
from tests.homes import NOW, make_home, orders_text, top
from tests.subjects import subject

RULES = sorted({recipe.rules for recipe in RECIPES.values()})


def test_every_golden_game_has_its_recipe() -> None:
    assert sorted(path.name for path in GAMES.iterdir()) == sorted(RECIPES)


def test_every_game_that_comes_with_pbem_has_golden_games() -> None:
    ours = {path.parent.name.replace("_", "-") for path in OURS.glob("*/orders.schema.json")}

    assert set(RULES) == ours == set(ENDINGS) == set(DECIDED_BY)


def outcomes(rules: str, what: str) -> set[str]:
    """Return what the last turns of all golden games of some rules name."""
    found = set()
    for name, recipe in RECIPES.items():
        if recipe.rules == rules:
            last = max((GAMES / name).iterdir())
            ended = re.search(rf"^  {what}: (.*)$", last.read_text(encoding="utf-8"), re.MULTILINE)
            assert ended, f"{name} has no end"
            found.add(ended[1].strip('"'))
    return found


@pytest.mark.parametrize("rules", RULES)
def test_golden_games_end_in_every_way_that_their_rules_can_name(rules: str) -> None:
    reasons = outcomes(rules, "reason")

    assert [way for way in ENDINGS[rules] if not any(re.fullmatch(way, reason) for reason in reasons)] == []
    assert [reason for reason in reasons if not _is_known(rules, reason)] == []
    assert outcomes(rules, "decided_by") == set(DECIDED_BY[rules])


def _is_known(rules: str, reason: str) -> bool:
    return any(re.fullmatch(way, reason) for way in ENDINGS[rules])


@pytest.mark.parametrize("rules", RULES)
def test_bots_find_no_other_way_to_end_a_game(rules: str) -> None:
    played = subject(rules)
    games = 6
    found = simulate(
        played.rules, played.seats, played.options, ("random",), games, "other ways", lambda _: None
    )

    assert [reason for reason in found.tables["endings"] if not _is_known(rules, reason)] == []
    assert set(found.decided_by) <= set(DECIDED_BY[rules])
    assert len(found.lengths) == games


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_game_is_played_as_it_was(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = make_home(tmp_path / "home")
    saved = new(home, name, RECIPES[name])
    for path in sorted((GAMES / name).iterdir()):
        golden = parse(path.read_text(encoding="utf-8")).value
        assert isinstance(golden, dict)
        play_turn(home, name, golden.pop("orders"), tmp_path)
        saved = SavedGame(home, name)
        assert told(saved) == golden, path.name
        assert ("outcome" in golden) == (asked(saved) == [])

    assert asked(saved) == []
    capsys.readouterr()
    assert run_command(["verify", name, "--home", str(top(home))]) == 0
    assert f"{saved.turn + 1} turns intact, {saved.turn + 1} recomputed" in capsys.readouterr().out
    assert run_command(["report", name, saved.start.seats[0], "--home", str(top(home))]) == 0
    said = capsys.readouterr().out
    assert "The game is over: " in said
    assert "ORDERS FORM" not in said


def play_turn(home: Home, name: str, orders: object, folder: Path) -> None:
    """Send orders and run, as players and a moderator do."""
    assert isinstance(orders, dict)
    assert set(orders) >= set(asked(SavedGame(home, name)))
    files = []
    for seat, lines in orders.items():
        files.append(folder / f"{seat}.yaml")
        files[-1].write_text(orders_text(name, seat, lines), encoding="utf-8")
    where = ["--home", str(home)]
    assert run_command(["submit", *map(str, files), *where]) == 0
    assert run_command(["run", name, *where, "--now", NOW.isoformat()]) == 0
