"""What is found in an orders file, as data; and a file as long as it may be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, send, top

HEAD = "game: rose-1\nseat: white\n"
LINE = f"{HEAD}orders:\n- at: white-3\n  do: "
RED: list[Json] = [{"do": {"play": "N2"}}, {"do": {"play": "E1"}}, {"do": {"play": "W3"}}]
WHITE: list[Json] = [{"do": {"play": "SE2"}}, {"do": {"play": "NE1"}}]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A game that asks white-3 with the crown on F4; white holds SE1, SE3 and NW1."""
    home = a_home(tmp_path_factory.mktemp("bad"))
    a_game(home)
    send(home, "rose-1", "red", RED)
    send(home, "rose-1", "white", WHITE)
    run(home, "rose-1", now=NOW)
    return home


@pytest.mark.wording("compares sentences still")
def test_mistakes_are_given_as_data_too(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "white.yaml"
    path.write_text(f"{LINE}{{play: sse3}}\n", encoding="utf-8")

    code = run_command(["check", "--json", str(path), "--home", str(top(home))])

    fault = {
        "kind": "schema",
        "line": 5,
        "column": 14,
        "shown": "  do: {play: sse3}",
        "caret": "             ^",
    }
    would_do = {"line": 4, "count": 2, "lines": ["- at: white-3", "  do: {play: SE3}"]}
    (answer,) = json.loads(capsys.readouterr().out)
    (found,) = answer["faults"]
    assert tells(found.pop("text"), "'sse3'") and tells(found.pop("hint"), "SE3")
    assert (answer["file"], found) == (str(path), fault)
    assert (answer["offer"], answer["offer_is_example"]) == ([would_do], False)
    assert code == 1


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_good_orders_are_answered_as_data_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    path = tmp_path / "red.yaml"
    path.write_text("game: rose-1\nseat: red\norders:\n- do: {play: N2}\n", encoding="utf-8")

    code = run_command([verb, "--json", str(path), "--home", str(top(home))])

    (answer,) = json.loads(capsys.readouterr().out)
    (prospect,) = answer["prospects"]
    assert code == 0
    assert (answer["file"], answer["faults"], answer.get("receipt")) == (
        str(path),
        [],
        1 if verb == "submit" else None,
    )
    assert (prospect["order"], prospect["standing"]) == (1, "plays")
    assert prospect["lines"]


def test_a_file_as_long_as_it_may_be_is_still_read_after_its_stamp(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    path = tmp_path / "red.yaml"
    text = "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n#"
    path.write_text(text + "x" * (64 * 1024 - len(text)), encoding="utf-8")

    codes = [run_command([*verb, "--home", str(top(home))]) for verb in (["submit", str(path)], ["run"])]

    assert codes == [0, 0]
    assert (top(home) / "games/rose-1/turns/0002").is_dir()
