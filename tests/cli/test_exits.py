"""What a command ends with is as the help, the manual pages and the page of commands say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.cli.verbs import EPILOG, EXITS
from tests.cli.homes import NOW, a_busy_home
from tests.homes import top
from tests.hosting.games import GAME

AT = f"--now {NOW.isoformat()}"

CODES = [
    (0, "status"),
    (0, f"run {GAME} {AT}"),
    (1, "status nosuch"),
    (1, "check bad.yaml"),
    (1, "check none.yaml"),
    (1, f"verify {GAME} --foot xxxx-xxxx-xxxx-xxxx"),
    (1, f"run nosuch {AT}"),
    (2, "satus"),
    (2, "status --nosuch"),
    (2, "report"),
    (2, f"report {GAME} 1 --turn x"),
    (2, f"extend {GAME} --by 1d --to {NOW.isoformat()}"),
    (3, f"run {GAME} {AT}"),
]


@pytest.mark.parametrize(("code", "words"), CODES)
def test_a_command_ends_as_it_is_told(
    code: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = top(a_busy_home(tmp_path))
    monkeypatch.chdir(home)
    if code == 3:  # orders that do not check keep the gate shut
        (home / "orders" / GAME / "1.yaml").write_text("game: club\nseat: '1'\norders: 5\n", encoding="utf-8")

    assert run_command(words.split()) == code


@pytest.mark.parametrize(("fault", "code"), [(RuntimeError("a fault"), 4), (KeyboardInterrupt(), 130)])
def test_a_fault_of_ours_and_a_key_that_stops_it_end_as_they_are_told(
    fault: BaseException,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("pbem.cli.moderation.host.status_of", fail)
    home = a_busy_home(tmp_path)
    capsys.readouterr()

    assert run_command(["status", "--home", str(top(home))]) == code


def test_every_code_is_documented_and_tried() -> None:
    assert {code for code, _ in EXITS} == {code for code, _ in CODES} | {4, 5, 130}, "test_verify tries 5"
    documented = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [code for code, _ in EXITS if f"| {code} |" not in documented] == []
    assert [code for code, _ in EXITS if code != 130 and f"{code} " not in EPILOG] == []
